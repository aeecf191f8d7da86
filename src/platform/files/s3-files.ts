import { createReadStream } from 'node:fs'
import { stat as statFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import type { GetObjectCommandOutput, S3Client } from '@aws-sdk/client-s3'
import { checkKey, type Files, type Range } from './files.ts'

export type S3Settings = {
  bucket: string
  region: string
  /** Absent: Amazon's own. */
  endpoint: string | undefined
  /** Absent: what the machine offers, such as the role of an instance. */
  credentials: { accessKeyId: string; secretAccessKey: string } | undefined
}

const PART_MIN = 8 * 1_048_576
/** S3 takes no more parts for one file. */
const PARTS_MAX = 10_000
const DELETE_BATCH = 1000

type Sdk = typeof import('@aws-sdk/client-s3')

/** Files in a bucket of S3, or of a server that speaks its protocol. */
export function createS3Files(settings: S3Settings): Files {
  const Bucket = settings.bucket
  let opened: Promise<{ sdk: Sdk; client: S3Client }> | undefined

  /** Loaded with the first file, because loading it takes a good part of a second. */
  function connect(): Promise<{ sdk: Sdk; client: S3Client }> {
    opened ??= import('@aws-sdk/client-s3').then((sdk) => ({ sdk, client: createClient(sdk, settings) }))
    return opened
  }

  async function get(key: string, range?: Range): Promise<GetObjectCommandOutput | undefined> {
    checkKey(key)
    const { sdk, client } = await connect()
    const Range = range === undefined ? undefined : `bytes=${range.start}-${range.end}`
    return client.send(new sdk.GetObjectCommand({ Bucket, Key: key, Range })).catch(absent)
  }

  async function stat(key: string): Promise<{ bytes: number } | undefined> {
    checkKey(key)
    const { sdk, client } = await connect()
    const found = await client.send(new sdk.HeadObjectCommand({ Bucket, Key: key })).catch(absent)
    return found === undefined ? undefined : { bytes: found.ContentLength ?? 0 }
  }

  async function stream(key: string): Promise<{ stream: Readable; bytes: number } | undefined> {
    const found = await get(key)
    return found === undefined ? undefined : { stream: bodyOf(found), bytes: found.ContentLength ?? 0 }
  }

  return {
    stat,
    stream,
    async put(key, bytes) {
      checkKey(key)
      const { sdk, client } = await connect()
      await client.send(new sdk.PutObjectCommand({ Bucket, Key: key, Body: bytes }))
    },
    // In parts: S3 takes at most 5 GiB at once, and a part that fails is sent again by itself.
    async putFile(key, path) {
      checkKey(key)
      const [{ client }, { Upload }, { size }] = await Promise.all([
        connect(),
        import('@aws-sdk/lib-storage'),
        statFile(path),
      ])
      const partSize = Math.max(PART_MIN, Math.ceil(size / PARTS_MAX))
      const Body = createReadStream(path, { highWaterMark: 1_048_576 })
      await new Upload({ client, params: { Bucket, Key: key, Body }, partSize, queueSize: 2 }).done()
    },
    async open(key, range) {
      const found = await get(key, range)
      if (found === undefined) return undefined
      const body = bodyOf(found)
      return {
        sendTo: (target) => pipeline(body, target, { end: false }),
        async close() {
          body.destroy()
        },
      }
    },
    async read(key) {
      const found = await get(key)
      return found === undefined ? undefined : buffer(bodyOf(found))
    },
    async exists(key) {
      return (await stat(key)) !== undefined
    },
    async delete(key) {
      checkKey(key)
      const { sdk, client } = await connect()
      await client.send(new sdk.DeleteObjectCommand({ Bucket, Key: key }))
    },
    async deleteAll(folderKey) {
      checkKey(folderKey)
      const { sdk, client } = await connect()
      for (;;) {
        const { Contents = [] } = await client.send(
          new sdk.ListObjectsV2Command({ Bucket, Prefix: `${folderKey}/`, MaxKeys: DELETE_BATCH }),
        )
        if (Contents.length === 0) return
        for (const { Key } of Contents) await client.send(new sdk.DeleteObjectCommand({ Bucket, Key }))
      }
    },
  }
}

export function createClient({ S3Client: Client }: Sdk, { region, endpoint, credentials }: S3Settings): S3Client {
  return new Client({
    region,
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
    ...(credentials === undefined ? {} : { credentials }),
    // Many servers that speak the protocol refuse the checksums that the SDK would add by itself.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
}

function bodyOf({ Body }: GetObjectCommandOutput): Readable {
  if (Body instanceof Readable) return Body
  throw new Error('the answer of the object store has no body')
}

export function absent(error: { name?: string }): undefined {
  if (error.name !== 'NoSuchKey' && error.name !== 'NotFound') throw error
  return undefined
}
