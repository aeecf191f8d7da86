import { type Readable, Transform } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { type Entry, fromRandomAccessReaderPromise, RandomAccessReader, type ZipFile } from 'yauzl'
import type { Files } from '#platform/files/files.ts'
import type { FileOfPurchase } from '#rights/content-files/state.ts'
import { bookPartNotFound } from './errors.ts'

const PARTS_MAX = 10_000
const PART_BYTES_MAX = 20_000_000

/** Lets yauzl read parts of a stored file, wherever it is stored. */
class StoredFile extends RandomAccessReader {
  readonly #files: Files
  readonly #key: string

  constructor(files: Files, key: string) {
    super()
    this.#files = files
    this.#key = key
  }

  override _readStreamForRange(start: number, end: number): Readable {
    // The memory of each piece is used again, so the piece is copied.
    const target = new Transform({ transform: (piece, _encoding, done) => done(null, Buffer.from(piece)) })
    this.#send(start, end, target).catch((error: Error) => target.destroy(error))
    return target
  }

  async #send(start: number, end: number, target: Transform): Promise<void> {
    const opened = await this.#files.open(this.#key, { start, end: end - 1 })
    if (opened === undefined) throw new Error(`the bytes of ${this.#key} are missing`)
    try {
      await opened.sendTo(target)
      target.end()
    } finally {
      await opened.close()
    }
  }
}

async function withZip<Result>(
  files: Files,
  { key, size }: FileOfPurchase,
  work: (zip: ZipFile) => Promise<Result>,
): Promise<Result> {
  const options = { autoClose: false, lazyEntries: true, validateEntrySizes: true }
  const zip = await fromRandomAccessReaderPromise(new StoredFile(files, key), size, options)
  try {
    if (zip.entryCount > PARTS_MAX) throw bookPartNotFound()
    return await work(zip)
  } finally {
    zip.close()
  }
}

/** The parts of an EPUB and their sizes. */
export function listParts(files: Files, file: FileOfPurchase): Promise<Record<string, number>> {
  return withZip(files, file, async (zip) => {
    const parts: [string, number][] = []
    for await (const entry of zip.eachEntry()) parts.push([entry.fileName, entry.uncompressedSize])
    return Object.fromEntries(parts)
  })
}

/** The bytes of one part of an EPUB. */
export function readPart(files: Files, file: FileOfPurchase, name: string): Promise<Buffer> {
  return withZip(files, file, async (zip) => {
    const entry = await findEntry(zip, name)
    if (entry === undefined || entry.uncompressedSize > PART_BYTES_MAX) throw bookPartNotFound()
    return buffer(await zip.openReadStreamPromise(entry))
  })
}

async function findEntry(zip: ZipFile, name: string): Promise<Entry | undefined> {
  for await (const entry of zip.eachEntry()) if (entry.fileName === name) return entry
  return undefined
}
