import { createHash, hash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readdir } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { Readable, Transform, Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { type Static, Type } from 'typebox'
import { Check } from 'typebox/value'
import type { Kept } from './retention.rules.ts'
import { seal, unseal } from './sealing.files.ts'
import type { Target } from './targets.files.ts'

/** Lists what a stored backup is made of, and is written last. */
export const INDEX = 'backup.json'
const FILES = 'files/'
const FORMAT = 2 as const

const Part = Type.Object({
  /** Where it is in a backup, and where it is stored. */
  path: Type.String({ pattern: '^(?!.*\\.\\.)[\\w][\\w./-]*$' }),
  stored: Type.String({ pattern: '^(?!.*\\.\\.)[\\w][\\w./-]*$' }),
  /** Of the bytes as they are stored. */
  bytes: Type.Integer({ minimum: 0 }),
  sha256: Type.String(),
})
const Index = Type.Object({
  format: Type.Literal(FORMAT),
  version: Type.String(),
  created_at: Type.String(),
  /** The public key that it is encrypted for; null: it is not encrypted. */
  recipient: Type.Union([Type.String(), Type.Null()]),
  parts: Type.Array(Part),
})
type Part = Static<typeof Part>
export type Index = Static<typeof Index>

export class StoredBackupError extends Error {}

function parse(source: string): unknown {
  try {
    return JSON.parse(source)
  } catch {
    return undefined
  }
}

/** The list of a stored backup; undefined if there is none under this name, or one of another kind. */
export async function readIndex(target: Target, name: string): Promise<Index | undefined> {
  const body = await target.get(`${name}/${INDEX}`)
  const index = body === undefined ? undefined : parse(await text(body))
  return Check(Index, index) ? index : undefined
}

/** The stored backups of a target that are whole. */
export async function listStored(target: Target): Promise<(Kept & { index: Index })[]> {
  const names = (await target.list('')).filter((key) => /^[^/]+\/backup\.json$/.test(key)).map((key) => dirname(key))
  const found = await Promise.all(names.map(async (name) => ({ name, index: await readIndex(target, name) })))
  return found.flatMap(({ name, index }) =>
    index === undefined ? [] : [{ name, index, createdAt: new Date(index.created_at) }],
  )
}

/** Bytes and hash of what goes through. */
function measure(): { stream: Transform; result: () => Pick<Part, 'bytes' | 'sha256'> } {
  const sha256 = createHash('sha256')
  let bytes = 0
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length
      sha256.update(chunk)
      done(null, chunk)
    },
  })
  return { stream, result: () => ({ bytes, sha256: sha256.digest('hex') }) }
}

/** Files never change, so that each is stored once for all backups that have it, apart by the key that it is encrypted for. */
function placeOf(name: string, path: string, recipient: string | undefined): string {
  const ending = recipient === undefined ? '' : '.age'
  if (!path.startsWith(FILES)) return `${name}/${path === INDEX ? 'manifest.json' : path}${ending}`
  const pool = recipient === undefined ? 'files' : `files-${hash('sha256', recipient).slice(0, 12)}`
  return `${pool}/${path.slice(FILES.length)}${ending}`
}

type Source = { folder: string; name: string; version: string; recipient: string | undefined; createdAt: Date }

/** Stores a backup that lies in a folder, encrypted on the way, and compares what has arrived. */
export async function store(target: Target, { folder, name, version, recipient, createdAt }: Source): Promise<Index> {
  const known = new Map(
    (await listStored(target)).flatMap(({ index }) => index.parts).map((part) => [part.stored, part]),
  )
  const entries = await readdir(folder, { withFileTypes: true, recursive: true })
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
  const parts: Part[] = []
  for (const path of paths.sort()) {
    const stored = placeOf(name, path, recipient)
    const before = known.get(stored)
    if (before !== undefined && (await target.bytesOf(stored)) === before.bytes) parts.push(before)
    else parts.push(await storePart(target, join(folder, path), { path, stored }, recipient))
  }
  const index = { format: FORMAT, version, created_at: createdAt.toISOString(), recipient: recipient ?? null, parts }
  await target.put(`${name}/${INDEX}`, Readable.from([`${JSON.stringify(index, undefined, 2)}\n`]))
  return index
}

async function storePart(
  target: Target,
  file: string,
  { path, stored }: Pick<Part, 'path' | 'stored'>,
  recipient: string | undefined,
): Promise<Part> {
  const { stream, result } = measure()
  const plain = createReadStream(file, { highWaterMark: 1_048_576 })
  const body = recipient === undefined ? plain : await seal(plain, recipient)
  const sending = pipeline(body, stream)
  await Promise.all([sending, target.put(stored, stream)])
  const part = { path, stored, ...result() }
  const damage = await damageOf(target, part)
  if (damage !== undefined) throw new StoredBackupError(`${damage} after it was stored in ${target.name}.`)
  return part
}

/** What is wrong with a stored part; undefined if it is as it was written. */
async function damageOf(target: Target, { stored, sha256 }: Part): Promise<string | undefined> {
  const body = await target.get(stored)
  if (body === undefined) return `${stored} is missing`
  const { stream, result } = measure()
  await pipeline(body, stream, new Writable({ write: (_chunk, _encoding, done) => done() }))
  return result().sha256 === sha256 ? undefined : `${stored} is damaged`
}

/** Brings a stored backup into a folder, opened with the private key. */
export async function fetchStored(target: Target, name: string, into: string, identity?: string): Promise<Index> {
  const index = await readIndex(target, name)
  if (index === undefined) throw new StoredBackupError(`There is no complete backup ${name} in ${target.name}.`)
  if (index.recipient !== null && identity === undefined)
    throw new StoredBackupError(
      `The backup is encrypted for ${index.recipient}: name the file with its private key (--key).`,
    )
  for (const part of index.parts) await fetchPart(target, part, join(into, part.path), identity, index.recipient)
  return index
}

async function fetchPart(
  target: Target,
  { stored, sha256 }: Part,
  file: string,
  identity: string | undefined,
  recipient: string | null,
): Promise<void> {
  const body = await target.get(stored)
  if (body === undefined) throw new StoredBackupError(`The backup is damaged: ${stored} is missing.`)
  const { stream, result } = measure()
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  const out = createWriteStream(file, { mode: 0o600 })
  const reading = pipeline(body, stream)
  try {
    const plain = recipient === null || identity === undefined ? stream : await unseal(stream, identity)
    await Promise.all([reading, pipeline(plain, out)])
  } catch (error) {
    body.destroy()
    await reading.catch(() => undefined)
    const because = error instanceof Error ? error.message : String(error)
    throw new StoredBackupError(`The backup can't be opened: ${stored}, ${because}.`)
  }
  if (result().sha256 !== sha256) throw new StoredBackupError(`The backup is damaged: ${stored}.`)
}

/** Removes stored backups, and the files that no other one has. */
export async function removeStored(target: Target, names: readonly string[]): Promise<void> {
  if (names.length === 0) return
  for (const name of names) {
    const keys = await target.list(name)
    // Without its list it is no backup any more, whatever happens then.
    await target.delete([`${name}/${INDEX}`])
    await target.delete(keys)
  }
  const used = new Set((await listStored(target)).flatMap(({ index }) => index.parts.map(({ stored }) => stored)))
  const files = (await target.list('')).filter((key) => /^files(-[0-9a-f]{12})?\//.test(key))
  await target.delete(files.filter((key) => !used.has(key)))
}
