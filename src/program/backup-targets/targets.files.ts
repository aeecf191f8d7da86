import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readdir, rename, rm, rmdir, stat } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { errorCode } from '#platform/errors/error-code.ts'
import { absent, createClient, type S3Settings } from '#platform/files/s3-files.ts'
import { randomToken } from '#platform/identity/crypto.ts'
import { isBucket } from '#platform/settings/backup-settings.ts'

/** Where backups are stored, in parts with names. A part is there as a whole or not at all. */
export type Target = {
  name: string
  put(key: string, body: Readable): Promise<void>
  /** Undefined: there is none. */
  get(key: string): Promise<Readable | undefined>
  bytesOf(key: string): Promise<number | undefined>
  /** The names below a folder; below everything if it is empty. */
  list(folder: string): Promise<string[]>
  delete(keys: readonly string[]): Promise<void>
}

export function openTarget(place: string, s3: Omit<S3Settings, 'bucket'>): Target {
  return isBucket(place) ? inBucket(place, s3) : inFolder(resolve(place))
}

function inFolder(root: string): Target {
  return {
    name: root,
    async put(key, body) {
      const path = join(root, key)
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      const draft = join(dirname(path), `.part-${randomToken(6)}`)
      try {
        await pipeline(body, createWriteStream(draft, { mode: 0o600, flush: true }))
        await rename(draft, path)
      } catch (error) {
        await rm(draft, { force: true })
        throw error
      }
    },
    async get(key) {
      const path = join(root, key)
      return (await stat(path).catch(none)) === undefined ? undefined : createReadStream(path)
    },
    bytesOf: async (key) => (await stat(join(root, key)).catch(none))?.size,
    async list(folder) {
      const from = join(root, folder)
      const entries = (await readdir(from, { withFileTypes: true, recursive: true }).catch(none)) ?? []
      return entries
        .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
        .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    },
    async delete(keys) {
      for (const key of keys) await rm(join(root, key), { force: true })
      // The deepest first. One that still has something stays.
      const folders = new Set(keys.flatMap((key) => foldersOf(key)))
      for (const folder of [...folders].sort((one, other) => other.length - one.length))
        await rmdir(join(root, folder)).catch(() => undefined)
    },
  }
}

function foldersOf(key: string): string[] {
  const folder = dirname(key)
  return folder === '.' ? [] : [folder, ...foldersOf(folder)]
}

function none(error: unknown): undefined {
  if (errorCode(error) !== 'ENOENT') throw error
  return undefined
}

const PART_BYTES = 16 * 1_048_576

function inBucket(place: string, s3: Omit<S3Settings, 'bucket'>): Target {
  const { host: Bucket, pathname } = new URL(place)
  const prefix = pathname.split('/').filter(Boolean).join('/')
  const keyOf = (key: string) => (prefix === '' ? key : `${prefix}/${key}`)
  let opened: Promise<Opened> | undefined
  const connect = () => {
    opened ??= import('@aws-sdk/client-s3').then((sdk) => ({
      sdk,
      client: createClient(sdk, { ...s3, bucket: Bucket }),
    }))
    return opened
  }
  return {
    name: place,
    // In parts, because the length of what is encrypted on the way is not known before.
    async put(key, body) {
      const [{ client }, { Upload }] = await Promise.all([connect(), import('@aws-sdk/lib-storage')])
      const params = { Bucket, Key: keyOf(key), Body: body }
      await new Upload({ client, params, partSize: PART_BYTES, queueSize: 2, leavePartsOnError: false }).done()
    },
    async get(key) {
      const { sdk, client } = await connect()
      const found = await client.send(new sdk.GetObjectCommand({ Bucket, Key: keyOf(key) })).catch(absent)
      return found?.Body instanceof Readable ? found.Body : undefined
    },
    async bytesOf(key) {
      const { sdk, client } = await connect()
      const found = await client.send(new sdk.HeadObjectCommand({ Bucket, Key: keyOf(key) })).catch(absent)
      return found?.ContentLength
    },
    async list(folder) {
      const { sdk, client } = await connect()
      const Prefix = folder === '' ? (prefix === '' ? '' : `${prefix}/`) : `${keyOf(folder)}/`
      const keys: string[] = []
      let ContinuationToken: string | undefined
      do {
        const page = await client.send(new sdk.ListObjectsV2Command({ Bucket, Prefix, ContinuationToken }))
        for (const { Key = '' } of page.Contents ?? []) keys.push(prefix === '' ? Key : Key.slice(prefix.length + 1))
        ContinuationToken = page.NextContinuationToken
      } while (ContinuationToken !== undefined)
      return keys
    },
    async delete(keys) {
      const { sdk, client } = await connect()
      for (const key of keys) await client.send(new sdk.DeleteObjectCommand({ Bucket, Key: keyOf(key) }))
    },
  }
}

type Opened = { sdk: typeof import('@aws-sdk/client-s3'); client: ReturnType<typeof createClient> }
