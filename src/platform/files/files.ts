import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { chmod, copyFile, type FileHandle, link, mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { FSDriver } from 'flydrive/drivers/fs'
import { errorCode } from '../errors/error-code.ts'
import { giveBack } from './memory.ts'

/** A part of a file; both ends belong to it. */
export type Range = { start: number; end: number }

/** A part of a file that is ready to be sent. Close it, whether or not it was sent. */
export type OpenedFile = {
  /**
   * Writes the part to a target as fast as the target takes it. It does not end the target. The memory of the bytes is
   * used again once the target has called back, so a target that keeps bytes for longer has to copy them.
   */
  sendTo(target: Writable): Promise<void>
  close(): Promise<void>
}

/** Stores files. A key is a path such as `pictures/1000/7/a.jpg`; reading a missing file returns undefined. */
export type Files = {
  /** Stores a file under its key: a reader finds all of it or none. */
  put(key: string, bytes: Uint8Array): Promise<void>
  /**
   * Stores a file from the local disk, of any size. The file at the path stays and may share its bytes on the disk with
   * the stored one, so nothing may write to it any more. Storing it again under the same key does no harm.
   */
  putFile(key: string, path: string): Promise<void>
  /** Opens a part of a file, of any size; memory does not grow with it. */
  open(key: string, range: Range): Promise<OpenedFile | undefined>
  read(key: string): Promise<Buffer | undefined>
  stream(key: string): Promise<{ stream: Readable; bytes: number } | undefined>
  stat(key: string): Promise<{ bytes: number } | undefined>
  exists(key: string): Promise<boolean>
  /** Where the bytes are on the local disk, to be read only; absent where they are not. */
  localPath?(key: string): string
  /** A missing file is no error. */
  delete(key: string): Promise<void>
  /** Removes everything under a folder's key; a missing folder is no error. */
  deleteAll(folderKey: string): Promise<void>
}

/** Plain segments only: none begins with a dot, so no key climbs out of the folder or meets an unfinished file. */
const KEY = /^[A-Za-z0-9_-][A-Za-z0-9._-]*(?:\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$/

export function isFileKey(text: string): boolean {
  return KEY.test(text)
}

export function checkKey(key: string): void {
  if (!isFileKey(key)) throw new Error(`"${key}" is not the key of a file`)
}

/** Files in a local folder. */
export function createFiles(folder: string): Files {
  let opened: Promise<FSDriver> | undefined
  let sending = 0

  function driver(): Promise<FSDriver> {
    opened ??= openDriver(folder)
    return opened
  }

  async function stat(key: string): Promise<{ bytes: number } | undefined> {
    checkKey(key)
    const found = await (await driver()).getMetaData(key).catch(absent)
    return found === undefined ? undefined : { bytes: found.contentLength }
  }

  async function stream(key: string): Promise<{ stream: Readable; bytes: number } | undefined> {
    const found = await stat(key)
    if (found === undefined) return undefined
    const source = await (await driver()).getStream(key)
    const there = await once(source, 'open').catch(absent)
    return there === undefined ? undefined : { stream: source, bytes: found.bytes }
  }

  return {
    stat,
    stream,
    // flydrive writes in place and moves by copying, so a reader could get half a file; a rename prevents that.
    async put(key, bytes) {
      checkKey(key)
      const path = join(folder, key)
      const disk = await driver()
      const unfinished = `${dirname(key)}/.${randomUUID()}.part`
      try {
        await disk.put(unfinished, bytes)
        await flush(join(folder, unfinished))
        await rename(join(folder, unfinished), path)
      } catch (error) {
        await disk.delete(unfinished)
        throw error
      }
      // A folder cannot be opened on Windows, where its entries are stored without this step.
      if (process.platform !== 'win32') await flush(dirname(path))
    },
    async putFile(key, path) {
      checkKey(key)
      const target = join(folder, key)
      await mkdir(dirname(target), { recursive: true })
      await flush(path)
      await linkOrCopy(path, target)
      // Its group may read it: nginx, which may send files, has an account of its own.
      await chmod(target, 0o640)
      if (process.platform !== 'win32') await flush(dirname(target))
    },
    async open(key, range) {
      checkKey(key)
      const handle = await open(join(folder, key)).catch(absent)
      if (handle === undefined) return undefined
      sending += 1
      let isOpen = true
      return {
        sendTo: (target) => sendPart(handle, range, target, chunkBytes(sending)),
        async close() {
          if (!isOpen) return
          isOpen = false
          sending -= 1
          await handle.close()
        },
      }
    },
    async delete(key) {
      checkKey(key)
      await rm(join(folder, key), { force: true })
    },
    // By the stream: getBytes returns the whole memory behind the bytes that were read.
    async read(key) {
      const found = await stream(key)
      return found === undefined ? undefined : buffer(found.stream)
    },
    async exists(key) {
      checkKey(key)
      return (await driver()).exists(key)
    },
    localPath(key) {
      checkKey(key)
      return join(folder, key)
    },
    async deleteAll(folderKey) {
      checkKey(folderKey)
      return (await driver()).deleteAll(folderKey)
    },
  }
}

/** A link takes no time and no room. Where there are no links, the bytes are copied. */
async function linkOrCopy(from: string, to: string): Promise<void> {
  try {
    await link(from, to)
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return
    if (!NO_LINK.has(errorCode(error) ?? '')) throw error
    const unfinished = join(dirname(to), `.${randomUUID()}.part`)
    await copyFile(from, unfinished)
    await flush(unfinished)
    await rename(unfinished, to)
  }
}

const NO_LINK = new Set(['EXDEV', 'EPERM', 'EMLINK', 'ENOTSUP', 'ENOSYS'])

const CHUNK_MAX = 1_048_576
const CHUNK_MIN = 65_536
/** All chunks of one process together. */
const CHUNKS_TOTAL = 16 * 1_048_576

/** Large chunks are faster, and small ones keep the memory low while many files are sent. */
function chunkBytes(sending: number): number {
  return Math.min(CHUNK_MAX, Math.max(CHUNK_MIN, Math.floor(CHUNKS_TOTAL / sending)))
}

/** Large buffers that nothing uses, for those who send the next files. */
const spare: Buffer[] = []
const SPARE_MAX = 4

/** One buffer for the whole part: the next bytes are read when the target has taken those before. */
async function sendPart(handle: FileHandle, { start, end }: Range, target: Writable, bytes: number): Promise<void> {
  const size = Math.min(bytes, end - start + 1)
  const isLarge = bytes === CHUNK_MAX && size > CHUNK_MAX / 2
  const buffer = (isLarge ? spare.pop() : undefined) ?? Buffer.allocUnsafeSlow(isLarge ? CHUNK_MAX : size)
  const write = createWriter(target)
  for (let at = start; at <= end; ) {
    const { bytesRead } = await handle.read(buffer, 0, Math.min(buffer.length, end - at + 1), at)
    if (bytesRead === 0) throw new Error('a stored file is shorter than it should be')
    await write(buffer.subarray(0, bytesRead))
    at += bytesRead
  }
  // Not after a failure: the target may not be done with it.
  if (isLarge && spare.length < SPARE_MAX) spare.push(buffer)
  else giveBack(buffer)
}

/** A write that ends when the target has taken the bytes, and fails when the target is closed before. */
function createWriter(target: Writable): (bytes: Buffer) => Promise<void> {
  let fail: (error: Error) => void = () => {}
  target.once('close', () => fail(closedEarly()))
  return (bytes) =>
    new Promise((resolve, reject) => {
      if (target.destroyed) return reject(closedEarly())
      fail = reject
      target.write(bytes, (error) => (error ? reject(error) : resolve()))
    })
}

/** What a sending ends with whose target was closed. */
export function closedEarly(): Error {
  return Object.assign(new Error('the reader has gone'), { code: 'ERR_STREAM_PREMATURE_CLOSE' })
}

/** Loaded with the first file, because loading it takes a tenth of a second. */
async function openDriver(folder: string): Promise<FSDriver> {
  const { FSDriver: Driver } = await import('flydrive/drivers/fs')
  return new Driver({ location: folder, visibility: 'private' })
}

/** Makes sure that a power cut cannot lose a file that the database is about to refer to. */
async function flush(path: string): Promise<void> {
  const handle = await open(path, process.platform === 'win32' ? 'r+' : 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

function absent(error: { code?: string }): undefined {
  if (error.code !== 'ENOENT') throw error
  return undefined
}
