import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { open, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { FSDriver } from 'flydrive/drivers/fs'

/** Stores files. A key is a path such as `pictures/1000/7/a.jpg`; reading a missing file returns undefined. */
export type Files = {
  /** Stores a file under its key: a reader finds all of it or none. */
  put(key: string, bytes: Uint8Array): Promise<void>
  read(key: string): Promise<Buffer | undefined>
  stream(key: string): Promise<{ stream: Readable; bytes: number } | undefined>
  stat(key: string): Promise<{ bytes: number } | undefined>
  exists(key: string): Promise<boolean>
  /** Removes everything under a folder's key; a missing folder is no error. */
  deleteAll(folderKey: string): Promise<void>
}

/** Plain segments only: none begins with a dot, so no key climbs out of the folder or meets an unfinished file. */
const KEY = /^[A-Za-z0-9_-][A-Za-z0-9._-]*(?:\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$/

export function isFileKey(text: string): boolean {
  return KEY.test(text)
}

function check(key: string): void {
  if (!isFileKey(key)) throw new Error(`"${key}" is not the key of a file`)
}

/** Files in a local folder. */
export function createFiles(folder: string): Files {
  let opened: Promise<FSDriver> | undefined

  function driver(): Promise<FSDriver> {
    opened ??= openDriver(folder)
    return opened
  }

  async function stat(key: string): Promise<{ bytes: number } | undefined> {
    check(key)
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
      check(key)
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
    // By the stream: getBytes returns the whole memory behind the bytes that were read.
    async read(key) {
      const found = await stream(key)
      return found === undefined ? undefined : buffer(found.stream)
    },
    async exists(key) {
      check(key)
      return (await driver()).exists(key)
    },
    async deleteAll(folderKey) {
      check(folderKey)
      return (await driver()).deleteAll(folderKey)
    },
  }
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
