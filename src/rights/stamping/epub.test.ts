import assert from 'node:assert/strict'
import { open, readFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { describe, test } from 'node:test'
import { crc32, deflateRawSync } from 'node:zlib'
import { SaxesParser } from 'saxes'
import { type Entry, openPromise } from 'yauzl'
import { createZipWriter } from '#platform/zip/writer.ts'
import { useStamping } from '#test/stamping.ts'
import {
  EPUB_DAMAGED,
  EPUB_ENCRYPTED,
  EPUB_NOT_UTF8,
  EPUB_OVERLAPS,
  EPUB_REPEATS_NAMES,
  EPUB_UNSAFE_NAMES,
  EPUB_WITHOUT_ORDER,
} from './refusals.facts.ts'
import type { Stamp } from './rules.ts'

const { newPath, stamped, assertRefused } = useStamping()

const CONTAINER = `<?xml version="1.0"?><container xmlns="urn:oasis:names:tc:opendocument:xmlns:container" version="1.0">
<rootfiles><rootfile full-path="OEBPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>`

const CHAPTER =
  '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><body><p>Chapter &#x2014; one</p></body></html>'

const PACKAGE = `<?xml version="1.0" encoding="utf-8"?>
<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier id="id">1</dc:identifier><dc:title>Fish &amp; 🐟</dc:title></metadata>
<manifest><item id="licet-stamp" href="one.xhtml" media-type="application/xhtml+xml"/></manifest>
<spine><itemref idref="licet-stamp"/></spine ></package>`

type Book = Record<string, string | Uint8Array>
const BOOK: Book = {
  'META-INF/container.xml': CONTAINER,
  'OEBPS/book.opf': PACKAGE,
  'OEBPS/one.xhtml': CHAPTER,
  'OEBPS/cover.jpg': Buffer.alloc(5000, 'picture'),
}

async function zipOf(book: Book | [string, string | Uint8Array][]): Promise<Buffer> {
  const path = newPath()
  await using file = await open(path, 'wx')
  const writer = createZipWriter(file)
  for (const [name, content] of Array.isArray(book) ? book : Object.entries(book))
    await writer.add(name, Buffer.from(content))
  await writer.finish()
  return readFile(path)
}

const withPackage = (text: string) => zipOf({ ...BOOK, 'OEBPS/book.opf': text })

/** All files of an EPUB, unpacked, and their entries. */
async function unzip(path: string): Promise<{ entries: Entry[]; texts: Map<string, Buffer> }> {
  const zip = await openPromise(path, { autoClose: false, strictFileNames: true })
  const entries: Entry[] = []
  const texts = new Map<string, Buffer>()
  for await (const entry of zip.eachEntry()) {
    entries.push(entry)
    texts.set(entry.fileName, await buffer(await zip.openReadStreamPromise(entry)))
  }
  zip.close()
  return { entries, texts }
}

function assertWellFormed(text: string): void {
  const parser = new SaxesParser({ xmlns: true })
  parser.on('error', (error) => assert.fail(error))
  parser.write(text).close()
}

async function stampedPackage(text: string, as?: Partial<Stamp>) {
  const { texts } = await unzip(await stamped('epub', await withPackage(text), as))
  const packageText = String(texts.get('OEBPS/book.opf'))
  assertWellFormed(packageText)
  return { texts, packageText }
}

describe('an EPUB', () => {
  test('gets a page at its end and a line in its metadata, and keeps everything else', async () => {
    const { entries, texts } = await unzip(await stamped('epub', await zipOf(BOOK)))
    const [first] = entries
    assert.deepEqual([first?.fileName, first?.compressionMethod], ['mimetype', 0])
    assert.equal(String(texts.get('mimetype')), 'application/epub+zip')
    for (const name of ['META-INF/container.xml', 'OEBPS/one.xhtml', 'OEBPS/cover.jpg'])
      assert.deepEqual(texts.get(name), Buffer.from(BOOK[name] ?? ''), name)
    assert.deepEqual([...texts.keys()], ['mimetype', ...Object.keys(BOOK), 'OEBPS/licet-stamp-2.xhtml'])
    const packageText = String(texts.get('OEBPS/book.opf'))
    const added = [
      '<dc:rights xmlns:dc="http://purl.org/dc/elements/1.1/">Licensed to \u2068Jane Doe\u2069 · Order #1000 · 2031-06-01</dc:rights>\n',
      '<item id="licet-stamp-2" href="licet-stamp-2.xhtml" media-type="application/xhtml+xml"/>\n',
      '<itemref idref="licet-stamp-2"/>\n',
    ]
    // The identifiers of the book are not used twice, and without the additions it is the document that it was.
    assert.equal(
      added.reduce((text, piece) => text.replace(piece, ''), packageText),
      PACKAGE,
    )
    for (const piece of added) assert.ok(packageText.includes(piece), piece)
    assertWellFormed(packageText)
    assertWellFormed(String(texts.get('OEBPS/licet-stamp-2.xhtml')))
  })

  // Programs tell an EPUB by these bytes, which an extra field would move.
  test('begins with its type, and is the same whenever it is stamped', async () => {
    const source = await zipOf(BOOK)
    const [first, second] = [await stamped('epub', source), await stamped('epub', source)]
    const bytes = await readFile(first)
    assert.equal(bytes.toString('latin1', 30, 58), 'mimetypeapplication/epub+zip')
    assert.deepEqual(bytes, await readFile(second))
  })

  test('keeps its files as they are compressed, with their times, even one that would become large', async () => {
    const content = Buffer.alloc(50_000_000)
    const compressed = deflateRawSync(content, { level: 1 })
    const header = { method: 8, crc32: crc32(content), compressedSize: compressed.length, size: content.length }
    const source = newPath()
    await using file = await open(source, 'wx')
    const writer = createZipWriter(file)
    for (const [name, text] of Object.entries(BOOK)) await writer.add(name, Buffer.from(text))
    await writer.copy(
      { ...header, name: 'OEBPS/large', time: 0x6c20, date: 0x5a21, attributes: 0x81a40000 },
      compressed,
    )
    await writer.finish()

    const zip = await openPromise(await stamped('epub', await readFile(source)), { autoClose: false })
    for await (const entry of zip.eachEntry()) {
      if (entry.fileName !== 'OEBPS/large') continue
      const raw = await buffer(await zip.openReadStreamPromise(entry, { decodeFileData: false }))
      assert.deepEqual(raw, compressed)
      assert.deepEqual([entry.lastModFileTime, entry.lastModFileDate], [0x6c20, 0x5a21])
      assert.deepEqual([entry.crc32, entry.uncompressedSize], [header.crc32, header.size])
      assert.equal(entry.externalFileAttributes, 0x81a40000)
    }
    zip.close()
    assert.equal(zip.entryCount, 7)
  })

  test('is well-formed whatever the buyer is called', async () => {
    const names = ['<b>&"Jane"]]></b>', 'محمد 🎉', `\u0000\ud800\ufffe${'x'.repeat(4096)}`]
    for (const name of names) {
      const { texts } = await stampedPackage(PACKAGE, { name })
      assertWellFormed(String(texts.get('OEBPS/licet-stamp-2.xhtml')))
    }
  })

  test('of version 2 with prefixes, or with a fixed layout, is stamped in its own way', async () => {
    const prefixed = PACKAGE.replace('xmlns=', 'xmlns:opf=').replace(
      /<(\/?)(package|metadata|manifest|spine|item|itemref)(?=[ >])/g,
      '<$1opf:$2',
    )
    const { packageText } = await stampedPackage(prefixed)
    assert.match(packageText, /<opf:itemref idref="licet-stamp-2"\/>\n<\/opf:spine >/)
    const layout = '<meta property="rendition:layout">pre-paginated</meta></metadata>'
    const fixed = await stampedPackage(PACKAGE.replace('</metadata>', layout))
    assert.match(fixed.packageText, /idref="licet-stamp-2" properties="rendition:layout-reflowable"\/>/)
  })

  test('of 10,000 files is stamped', async () => {
    const pictures = Array.from({ length: 10_000 }, (_, index) => [`OEBPS/${index}.jpg`, 'x'] as [string, string])
    const zip = await openPromise(await stamped('epub', await zipOf([...Object.entries(BOOK), ...pictures])))
    zip.close()
    assert.equal(zip.entryCount, 10_006)
  })

  test('whose names lead out of it, or are there twice, is refused', async () => {
    for (const name of ['../evil', 'OEBPS/../../evil', '/etc/passwd', 'C:\\evil', '..\\evil'])
      await assertRefused(EPUB_UNSAFE_NAMES, 'epub', await zipOf({ ...BOOK, [name]: 'x' }))
    const twice = await zipOf([...Object.entries(BOOK), ['OEBPS/book.opf', PACKAGE]])
    await assertRefused(EPUB_REPEATS_NAMES, 'epub', twice)
  })

  /** Changes the header of the last file in the directory of a zip file. */
  async function withHeader(change: (header: Buffer) => void): Promise<Buffer> {
    const zip = await zipOf(BOOK)
    change(zip.subarray(zip.lastIndexOf('PK\x01\x02')))
    return zip
  }

  test('with encrypted files is refused', async () => {
    await assertRefused(EPUB_ENCRYPTED, 'epub', await withHeader((header) => header.writeUInt16LE(0x0801, 8)))
  })

  test('that would grow is refused', async () => {
    await assertRefused(EPUB_OVERLAPS, 'epub', await withHeader((header) => header.writeUInt32LE(100_000, 20)))
    const bomb = await withPackage(PACKAGE.replace('<spine>', `${' '.repeat(9 * 1_048_576)}<spine>`))
    assert.ok(bomb.length < 50_000)
    await assertRefused(EPUB_DAMAGED, 'epub', bomb)
  })

  test('without a reading order, or with a package document that cannot be read, is refused', async () => {
    await assertRefused(EPUB_WITHOUT_ORDER, 'epub', await withPackage(PACKAGE.replace(/<itemref[^>]*>/, '')))
    await assertRefused(
      EPUB_WITHOUT_ORDER,
      'epub',
      await withPackage(PACKAGE.replace(/<spine>.*<\/spine >/, '<spine/>')),
    )
    const laughs = PACKAGE.replace('<package', '<!DOCTYPE package [<!ENTITY a "aaaa">]><package').replace('Fish', '&a;')
    for (const text of [PACKAGE.replace('</spine >', ''), '', 'x', laughs, PACKAGE.replace('</metadata>', '')])
      await assertRefused(EPUB_DAMAGED, 'epub', await withPackage(text))
    await assertRefused(EPUB_NOT_UTF8, 'epub', await withPackage(PACKAGE.replace('utf-8', 'ISO-8859-1')))
    await assertRefused(
      EPUB_NOT_UTF8,
      'epub',
      await zipOf({ ...BOOK, 'OEBPS/book.opf': Buffer.from([0xff, 0xfe, 0x3c]) }),
    )
    const { 'META-INF/container.xml': _container, ...withoutContainer } = BOOK
    await assertRefused(EPUB_DAMAGED, 'epub', await zipOf(withoutContainer))
    await assertRefused(EPUB_DAMAGED, 'epub', (await zipOf(BOOK)).subarray(0, -30))
    await assertRefused(EPUB_DAMAGED, 'epub', Buffer.from('no zip file'))
  })
})
