import { open } from 'node:fs/promises'
import type { Entry, ZipFile } from 'yauzl'
import { DEFLATED } from '#platform/zip/records.ts'
import { createZipWriter, type ZipDirectory, type ZipWriter } from '#platform/zip/writer.ts'
import { copyEntry, MIMETYPE, readBook, readEntry } from '#rights/stamping/epub.process.ts'
import { decodeXml, parseXml, pathOf } from '#rights/stamping/package-document.process.ts'
import { EPUB_DAMAGED, EPUB_ENCRYPTED, Unstampable } from '#rights/stamping/refusals.facts.ts'
import { addEncrypted } from './cipher.process.ts'
import { type Encrypted, encryptionDocument, obfuscatedPaths } from './encryption-document.process.ts'

const ENCRYPTION = 'META-INF/encryption.xml'
const ENCRYPTION_BYTES_MAX = 8 * 1_048_576
/** A book that has one of these is protected already. */
const FOREIGN_RIGHTS = ['META-INF/license.lcpl', 'META-INF/rights.xml', 'META-INF/sinf.xml']

/**
 * Encrypts the files of a book as they are compressed, so that none of them is unpacked, however large it would become. What a
 * reading app needs before it has a passphrase stays as it is: the package, the table of contents and the cover.
 */
export function protectEpub(source: string, target: string, key: Buffer): Promise<ZipDirectory> {
  return readBook(source, async ({ zip, entries, packagePath, text }) => {
    if (FOREIGN_RIGHTS.some((path) => entries.has(path))) throw new Unstampable(EPUB_ENCRYPTED)
    const before = await readEncryption(zip, entries.get(ENCRYPTION))
    const clear = new Set([packagePath, ...clearPaths(text, packagePath)])
    const obfuscated = before === undefined ? new Set<string>() : obfuscatedPaths(before)
    const isClear = (path: string) => isControl(path) || clear.has(path) || obfuscated.has(path)
    await using file = await open(target, 'wx')
    const writer = createZipWriter(file)
    await writer.add(MIMETYPE, Buffer.from('application/epub+zip'), { stored: true })
    const encrypted: Encrypted[] = []
    for (const [path, entry] of entries) {
      if (path === MIMETYPE || path === ENCRYPTION) continue
      if (isClear(path)) await copyEntry(zip, entry, writer)
      else encrypted.push(await encrypt(zip, entry, writer, key))
    }
    await writer.add(ENCRYPTION, Buffer.from(encryptionDocument(encrypted, before)))
    return await writer.finish()
  })
}

async function readEncryption(zip: ZipFile, entry: Entry | undefined): Promise<string | undefined> {
  return entry === undefined ? undefined : decodeXml(await readEntry(zip, entry, ENCRYPTION_BYTES_MAX))
}

/** Folders, and files that say what else there is. */
function isControl(path: string): boolean {
  return path.endsWith('/') || path.startsWith('META-INF/') || path.toLowerCase().endsWith('.opf')
}

const PACKAGE_NAMESPACE = 'http://www.idpf.org/2007/opf'

/** The tables of contents and the cover, by the manifest. */
function clearPaths(text: string, packagePath: string): string[] {
  const items = new Map<string, { path: string | undefined; isClear: boolean }>()
  let cover: string | undefined
  parseXml(text, (parser) =>
    parser.on('opentag', ({ local, uri, attributes }) => {
      if (uri !== PACKAGE_NAMESPACE) return
      const value = (name: string) => attributes[name]?.value
      if (local === 'meta' && value('name') === 'cover') cover = value('content')
      if (local !== 'item') return
      const properties = (value('properties') ?? '').split(/\s+/)
      const isClear =
        properties.includes('nav') ||
        properties.includes('cover-image') ||
        value('media-type') === 'application/x-dtbncx+xml'
      items.set(value('id') ?? '', { path: pathOf(value('href'), packagePath), isClear })
    }),
  )
  return [...items].flatMap(([id, { path, isClear }]) =>
    path !== undefined && (isClear || id === cover) ? [path] : [],
  )
}

const COMPRESSIONS = new Set([0, DEFLATED])

async function encrypt(zip: ZipFile, entry: Entry, writer: ZipWriter, key: Buffer): Promise<Encrypted> {
  if (!COMPRESSIONS.has(entry.compressionMethod)) throw new Unstampable(EPUB_DAMAGED)
  const isDeflated = entry.compressionMethod === DEFLATED
  const raw = () => zip.openReadStreamPromise(entry, { decodeFileData: false })
  await addEncrypted(writer, entry.fileName, { key, size: entry.compressedSize, open: raw })
  return { path: entry.fileName, isDeflated, size: entry.uncompressedSize }
}
