import { open } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { crc32 } from 'node:zlib'
import { type Entry, openPromise, type ZipFile } from 'yauzl'
import { ZIP_ENTRIES_MAX } from '#platform/zip/records.ts'
import { createZipWriter, type ZipWriter } from '#platform/zip/writer.ts'
import { decodeXml, packagePathOf, stampPackage } from './package-document.process.ts'
import {
  EPUB_DAMAGED,
  EPUB_ENCRYPTED,
  EPUB_OVERLAPS,
  EPUB_REPEATS_NAMES,
  EPUB_TOO_MANY_FILES,
  EPUB_UNSAFE_NAMES,
  Unstampable,
} from './refusals.facts.ts'
import type { Stamp } from './rules.ts'

/** Everything that reads EPUBs from outside. It runs in a process of its own; see stamper.process.ts. */

const CONTAINER = 'META-INF/container.xml'
export const MIMETYPE = 'mimetype'
const ENTRIES_MAX = Math.min(50_000, ZIP_ENTRIES_MAX - 2)
const CONTAINER_BYTES_MAX = 65_536
const PACKAGE_BYTES_MAX = 8 * 1_048_576

/** A book that was opened: its files by name, and the document that names its chapters. */
type Book = { zip: ZipFile; entries: Map<string, Entry>; packagePath: string; text: string }

/** Opens a book, and closes it after the work. */
export async function readBook<Result>(source: string, work: (book: Book) => Promise<Result>): Promise<Result> {
  const zip = await openZip(source)
  try {
    const entries = await readEntries(zip)
    const packagePath = packagePathOf(decodeXml(await readEntry(zip, entries.get(CONTAINER), CONTAINER_BYTES_MAX)))
    const text = decodeXml(await readEntry(zip, entries.get(packagePath), PACKAGE_BYTES_MAX))
    return await work({ zip, entries, packagePath, text })
  } finally {
    zip.close()
  }
}

/**
 * Adds a page at the end of the book and a line in its metadata. The files of the book are copied as they are compressed,
 * so that none of them is unpacked.
 */
export function stampEpub(source: string, target: string, stamp: Stamp): Promise<void> {
  return readBook(source, async ({ zip, entries, packagePath, text: original }) => {
    const { text, pagePath, page } = stampPackage(original, packagePath, stamp, (path) => entries.has(path))
    await using file = await open(target, 'wx')
    const writer = createZipWriter(file)
    // The standard wants it first and stored, so that programs can tell an EPUB by its first bytes.
    await writer.add(MIMETYPE, Buffer.from('application/epub+zip'), { stored: true })
    for (const [name, entry] of entries) {
      if (name === packagePath) await writer.add(name, Buffer.from(text))
      else if (name !== MIMETYPE) await copyEntry(zip, entry, writer)
    }
    await writer.add(pagePath, Buffer.from(page))
    await writer.finish()
  })
}

async function openZip(source: string): Promise<ZipFile> {
  const options = { autoClose: false, lazyEntries: true, validateEntrySizes: true }
  return openPromise(source, options).catch(damaged)
}

/** The entries by name. Nothing that could make the copy larger than the book, or different from it, is accepted. */
async function readEntries(zip: ZipFile): Promise<Map<string, Entry>> {
  if (zip.entryCount > ENTRIES_MAX) throw new Unstampable(EPUB_TOO_MANY_FILES)
  const entries = new Map<string, Entry>()
  let bytes = 0
  try {
    for await (const entry of zip.eachEntry()) {
      if (entry.isEncrypted()) throw new Unstampable(EPUB_ENCRYPTED)
      if (entries.has(entry.fileName)) throw new Unstampable(EPUB_REPEATS_NAMES)
      bytes += entry.compressedSize
      if (bytes > zip.fileSize) throw new Unstampable(EPUB_OVERLAPS)
      if (entry.uncompressedSize > 0xffff_ffff) throw new Unstampable(EPUB_DAMAGED)
      entries.set(entry.fileName, entry)
    }
  } catch (error) {
    throw isAboutName(error) ? new Unstampable(EPUB_UNSAFE_NAMES) : asUnstampable(error)
  }
  return entries
}

/** The library refuses absolute paths and `..`, and reads backslashes as slashes. */
function isAboutName(error: unknown): boolean {
  return error instanceof Error && /^(invalid relative path|absolute path)/.test(error.message)
}

/** Unpacks one file, if it is as small as it says. */
export async function readEntry(zip: ZipFile, entry: Entry | undefined, bytesMax: number): Promise<Buffer> {
  if (entry === undefined || entry.uncompressedSize > bytesMax) throw new Unstampable(EPUB_DAMAGED)
  const content = await zip.openReadStreamPromise(entry).then(buffer).catch(damaged)
  if (crc32(content) !== entry.crc32) throw new Unstampable(EPUB_DAMAGED)
  return content
}

export async function copyEntry(zip: ZipFile, entry: Entry, writer: ZipWriter): Promise<void> {
  const compressed = await zip.openReadStreamPromise(entry, { decodeFileData: false }).catch(damaged)
  const header = {
    name: entry.fileName,
    method: entry.compressionMethod,
    crc32: entry.crc32,
    compressedSize: entry.compressedSize,
    size: entry.uncompressedSize,
    time: entry.lastModFileTime,
    date: entry.lastModFileDate,
    attributes: entry.externalFileAttributes,
  }
  await writer.copy(header, compressed)
}

function asUnstampable(error: unknown): Unstampable {
  return error instanceof Unstampable ? error : new Unstampable(EPUB_DAMAGED, { cause: error })
}

function damaged(error: unknown): never {
  throw asUnstampable(error)
}
