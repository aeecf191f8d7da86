import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import type { Files } from '#platform/files/files.ts'
import { createLimitedProcesses, type LimitedProcess, ProcessEnded } from '#platform/processes/limited-process.ts'
import type { PartAnswer } from './packer.process.ts'
import type { PackedAnswer, PartRequest } from './part.process.ts'
import { isLocalName, localName, packedFolder } from './rules.ts'
import type { PackedFileState, PartOfTrack } from './state.ts'

/**
 * Films come from outside, and few of their bytes can take much memory and time. So each part is packed in a process that does
 * nothing else meanwhile.
 */
export const PACKER = {
  script: join(import.meta.dirname, 'packer.process.ts'),
  memoryMb: 1536,
  timeoutMs: 60_000,
  idleMs: 10_000,
}

export type Packers = LimitedProcess<PartRequest, PartAnswer>

const packer: Packers = createLimitedProcesses<PartRequest, PartAnswer>(2, PACKER)

/** `ended`: the process took too much memory or time. The machine may have been busy, so that says little of the film. */
export type LocalAnswer = PartAnswer | { kind: 'ended' }

/** Packs a part of a local file. Something else may have ended the process, so the part is tried once more at once. */
export async function packLocally(request: PartRequest, processes = packer): Promise<LocalAnswer> {
  const ask = () => processes.ask(async () => request)
  try {
    return await ask().catch((error: unknown) => {
      if (error instanceof ProcessEnded && !error.timedOut) return ask()
      throw error
    })
  } catch (error) {
    if (error instanceof ProcessEnded) return { kind: 'ended' }
    throw error
  }
}

/** How long one job fetches, so that it ends before its lease does. */
const FETCH_MS = 45_000
const FETCH_BYTES = 32 * 1_048_576

export type Brought = { kind: 'here'; path: string } | { kind: 'more' } | { kind: 'gone' }

/**
 * Brings the bytes of a source to the local disk, where they are not there already. One that takes long is fetched by several
 * jobs, each of which goes on where the last one stopped. Two that were taken for dead write the same bytes to the same places.
 */
export async function bringSource(files: Files, folder: string, file: PackedFileState): Promise<Brought> {
  const { source_key: key, size } = file
  const found = await files.stat(key)
  if (found === undefined) return { kind: 'gone' }
  const local = files.localPath?.(key)
  if (local !== undefined) return { kind: 'here', path: local }
  await mkdir(folder, { recursive: true })
  const path = join(folder, localName(file))
  const start = performance.now()
  const target = await open(path, constants.O_CREAT | constants.O_WRONLY, 0o600)
  try {
    let { size: at } = await target.stat()
    while (at < size && performance.now() - start < FETCH_MS) {
      const end = Math.min(size, at + FETCH_BYTES) - 1
      const opened = await files.open(key, { start: at, end })
      if (opened === undefined) return { kind: 'gone' }
      try {
        await opened.sendTo(writingTo(target, at))
      } finally {
        await opened.close()
      }
      at = end + 1
    }
    return at >= size ? { kind: 'here', path } : { kind: 'more' }
  } finally {
    await target.close()
  }
}

/** Each write ends when its bytes are in the file, because their memory is used again. */
function writingTo(target: FileHandle, from: number): Writable {
  let at = from
  return new Writable({
    write(bytes: Buffer, _encoding, done) {
      const place = at
      at += bytes.length
      writeAll(target, bytes, place).then(() => done(), done)
    },
  })
}

async function writeAll(target: FileHandle, bytes: Buffer, from: number): Promise<void> {
  for (let sent = 0; sent < bytes.length; ) {
    const { bytesWritten } = await target.write(bytes, sent, bytes.length - sent, from + sent)
    sent += bytesWritten
  }
}

/** Deletes what was brought to the local disk. */
export async function dropSource(folder: string, file: Pick<PackedFileState, 'company_id' | 'id'>): Promise<void> {
  await rm(join(folder, localName(file)), { force: true })
}

/** A folder of this process for the part that it packs. */
export async function makeWorkFolder(folder: string, file: PackedFileState): Promise<string> {
  const path = join(folder, `${localName(file)}-${randomBytes(6).toString('hex')}`)
  await mkdir(path, { recursive: true })
  return path
}

/** Longer than any film needs. What is needed after all is fetched again. */
const ABANDONED_MS = 6 * 3_600_000

/** Deletes copies and folders on the local disk whose worker was killed, or whose last part another machine packed. */
export async function deleteAbandonedCopies(folder: string, now: Date): Promise<void> {
  const names = await readdir(folder).catch(() => [])
  for (const name of names.filter(isLocalName)) {
    const path = join(folder, name)
    const found = await stat(path).catch(() => undefined)
    if (found !== undefined && now.getTime() - found.mtimeMs > ABANDONED_MS)
      await rm(path, { recursive: true, force: true })
  }
}

/** Stores the tracks of a part. Each try has keys of its own, so nothing is mistaken for the part of an earlier try. */
export async function storePart(
  files: Files,
  file: PackedFileState,
  folder: string,
  { tracks }: PackedAnswer,
): Promise<PartOfTrack[]> {
  const stored: PartOfTrack[] = []
  for (const { track, file: name, segments } of tracks) {
    if (segments.length === 0) continue
    const key = `${packedFolder(file)}/${name}-${randomBytes(6).toString('hex')}`
    await files.putFile(key, join(folder, name))
    stored.push({ track, key, segments })
  }
  return stored
}
