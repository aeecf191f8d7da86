import assert from 'node:assert/strict'
import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { inflateSync } from 'node:zlib'
import {
  degrees,
  PDFArray,
  PDFDict,
  PDFDocument,
  PDFName,
  type PDFPage,
  PDFRawStream,
  PDFString,
} from '@cantoo/pdf-lib'
import { SaxesParser } from 'saxes'
import { type Entry, openPromise } from 'yauzl'
import {
  EPUB_DAMAGED,
  EPUB_ENCRYPTED,
  EPUB_NOT_UTF8,
  EPUB_OVERLAPS,
  EPUB_REPEATS_NAMES,
  EPUB_UNSAFE_NAMES,
  EPUB_WITHOUT_ORDER,
  PDF_DAMAGED,
  PDF_NEEDS_PASSWORD,
} from './refusals.facts.ts'
import type { Stamp, StampableFormat } from './rules.ts'
import { formatOf, stampFile } from './stamp.files.ts'
import { createZipWriter } from './zip-writer.process.ts'

const STAMP: Stamp = { name: 'Jane Doe', email: 'jane@example.com', order: '#1000', date: '2031-06-01', language: 'en' }
const LINE = 'Licensed to Jane Doe · Order #1000 · 2031-06-01'

let folder = ''
let files = 0
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'licet-stamping-'))
})
after(() => rm(folder, { recursive: true, force: true }))

function newPath(): string {
  files += 1
  return join(folder, `${files}`)
}

/** Stamps a file as the worker does: in the process with limits. */
async function stamp(format: StampableFormat, content: Uint8Array, as: Partial<Stamp> = {}) {
  const [source, target] = [newPath(), newPath()]
  await writeFile(source, content)
  return { target, ...(await stampFile({ format, source, target, stamp: { ...STAMP, ...as } })) }
}

async function stamped(format: StampableFormat, content: Uint8Array, as?: Partial<Stamp>): Promise<string> {
  const { target, ...result } = await stamp(format, content, as)
  assert.deepEqual(result, { kind: 'stamped', bytes: (await readFile(target)).length })
  return target
}

async function assertRefused(reason: string, format: StampableFormat, content: Uint8Array): Promise<void> {
  const { target: _target, ...result } = await stamp(format, content)
  assert.deepEqual(result, { kind: 'refused', reason, isFinal: true })
}

/** The text and the matrices of everything that is drawn on a page. */
function drawn(page: PDFPage): string {
  const contents = page.node.Contents()
  const streams = contents instanceof PDFArray ? contents.asArray().map((ref) => page.doc.context.lookup(ref)) : []
  return streams
    .map((stream) => {
      assert.ok(stream instanceof PDFRawStream)
      const isDeflated = stream.dict.get(PDFName.of('Filter')) !== undefined
      return Buffer.from(isDeflated ? inflateSync(stream.contents) : stream.contents).toString('latin1')
    })
    .join('\n')
}

const inHex = (text: string) => Buffer.from(text, 'latin1').toString('hex').toUpperCase()

/** The text of a page as a PDF reader sees it. */
async function textOn(path: string, number: number): Promise<string> {
  const { getDocument } = await import('pdfjs-dist/legacy/build/pdf.mjs')
  const document = await getDocument({ data: new Uint8Array(await readFile(path)), verbosity: 0 }).promise
  const { items } = await (await document.getPage(number)).getTextContent()
  return items.map((item) => ('str' in item ? item.str : '')).join('')
}

const openPdf = async (path: string) => PDFDocument.load(await readFile(path), { updateMetadata: false })

function infoOf({ context }: PDFDocument): PDFDict {
  const info = context.lookup(context.trailerInfo.Info)
  assert.ok(info instanceof PDFDict)
  return info
}

describe('a PDF', () => {
  test('gets the line on every page and a note in its metadata, and keeps everything else', async () => {
    const pdf = await PDFDocument.create()
    pdf.setTitle('Walden')
    pdf.setAuthor('H. D. Thoreau')
    for (let number = 1; number <= 3; number += 1) pdf.addPage([300, 400]).drawText(`Page ${number}`, { x: 50, y: 200 })
    pdf.addJavaScript('opening', 'app.alert("hello")')
    const field = pdf.getForm().createTextField('notes')
    field.setText('written')
    field.addToPage(pdf.getPage(0))
    const { context } = pdf
    const action = { Type: 'Action', S: 'URI', URI: PDFString.of('https://example.com/') }
    const link = { Type: 'Annot', Subtype: 'Link', Rect: [0, 0, 50, 50], A: action }
    pdf.getPage(1).node.set(PDFName.of('Annots'), context.obj([context.register(context.obj(link))]))
    const outline = context.register(context.obj({ Type: 'Outlines', Count: 0 }))
    pdf.catalog.set(PDFName.of('Outlines'), outline)

    const path = await stamped('pdf', await pdf.save())
    const copy = await openPdf(path)
    assert.equal(copy.getPageCount(), 3)
    for (const [index, page] of copy.getPages().entries()) {
      assert.ok((await textOn(path, index + 1)).includes(LINE), `page ${index}`)
      assert.ok(drawn(page).includes(inHex(`Page ${index + 1}`)))
    }
    assert.deepEqual([copy.getTitle(), copy.getAuthor()], ['Walden', 'H. D. Thoreau'])
    assert.equal(infoOf(copy).get(PDFName.of('LicensedTo'))?.toString().slice(1, 5), 'FEFF')
    assert.equal(copy.getForm().getTextField('notes').getText(), 'written')
    assert.match(String(copy.context.lookup(copy.getPage(1).node.Annots()?.get(0))), /example\.com/)
    assert.match(String(copy.context.lookup(copy.catalog.get(PDFName.of('Outlines')))), /\/Outlines/)
    assert.match(String(copy.catalog.get(PDFName.of('Names'))), /JavaScript|\d+ 0 R/)
  })

  test('names the buyer in the letters of the name', async () => {
    const pdf = await PDFDocument.create()
    pdf.addPage([400, 300])
    const source = await pdf.save()
    for (const name of [
      'Łukasz Żółć',
      'Лев Толстой',
      'Παπαδόπουλος',
      '王小明',
      '山田ほのか',
      '김민준',
      'สมชาย',
      'राम',
      'דוד',
      'محمد',
    ]) {
      const path = await stamped('pdf', source, { name })
      assert.ok((await textOn(path, 1)).includes(name), `${name}: ${await textOn(path, 1)}`)
      assert.ok((await readFile(path)).length < 12_000)
    }
    assert.ok((await textOn(await stamped('pdf', source, { name: '🎉' }), 1)).includes('jane@example.com'))
  })

  test('gets the line at the foot that readers see, on any size and rotation', async () => {
    const pdf = await PDFDocument.create()
    for (const angle of [0, 90, 180, 270, -90]) pdf.addPage([300, 200]).setRotation(degrees(angle))
    pdf.addPage([600, 600]).setCropBox(100, 150, 300, 200)
    pdf.addPage([20, 20])
    const copy = await openPdf(await stamped('pdf', await pdf.save()))
    const places = copy.getPages().map((page) => {
      const matrix = /([-\d.e]+ ){4}([-\d.e]+) ([-\d.e]+) cm\n\/Stamp/.exec(drawn(page))
      return [Math.round(Number(matrix?.[2])), Math.round(Number(matrix?.[3]))]
    })
    const [upright = 0, turned = 0] = [places[0]?.[0], places[1]?.[1]]
    assert.ok(upright > 10 && upright < 150 && turned > 10 && turned < 100)
    assert.deepEqual(places.slice(0, 6), [
      [upright, 10],
      [290, turned],
      [300 - upright, 190],
      [10, 200 - turned],
      [10, 200 - turned],
      [100 + upright, 160],
    ])
  })

  test('that is encrypted keeps what it forbids, and needs no password unless it did', async () => {
    const pdf = await PDFDocument.create()
    pdf.setTitle('Walden')
    pdf.addPage()
    const permissions = { printing: false, copying: false, annotating: true } as const
    pdf.encrypt({ ownerPassword: 'owner', userPassword: '', permissions })
    const path = await stamped('pdf', await pdf.save({ useObjectStreams: true }), { name: 'محمد' })
    const original = await PDFDocument.load(await readFile(path), { ignoreEncryption: true, updateMetadata: false })
    const encryption = original.context.lookup(original.context.trailerInfo.Encrypt)
    assert.ok(encryption instanceof PDFDict)
    const flags = Number(String(encryption.get(PDFName.of('P'))))
    assert.deepEqual([(flags >> 2) & 1, (flags >> 4) & 1, (flags >> 5) & 1], [0, 0, 1])
    const copy = await PDFDocument.load(await readFile(path), { password: '', updateMetadata: false })
    assert.equal(copy.getPageCount(), 1)
    assert.match(await textOn(path, 1), /محمد/)

    pdf.encrypt({ ownerPassword: 'owner', userPassword: 'secret' })
    await assertRefused(PDF_NEEDS_PASSWORD, 'pdf', await pdf.save({ useObjectStreams: true }))
  })

  test('of 1,000 pages is stamped, for a buyer with an unusual name', async () => {
    const pdf = await PDFDocument.create()
    for (let number = 0; number < 1000; number += 1) pdf.addPage([400, 600])
    const source = await pdf.save()
    const path = await stamped('pdf', source, { name: `${'ש'.repeat(4096)}🎉` })
    assert.match(await textOn(path, 1000), /ש{79}/)
    const plain = await stamped('pdf', source)
    const [more, less] = [(await readFile(path)).length, (await readFile(plain)).length]
    assert.ok(more - less < 15_000, `the name takes ${more - less} bytes`)
  })

  test('that was stamped before keeps its stamp and gets another', async () => {
    const pdf = await PDFDocument.create()
    pdf.addPage([400, 600])
    const first = await stamped('pdf', await pdf.save(), { name: 'John Roe' })
    const text = await textOn(await stamped('pdf', await readFile(first)), 1)
    assert.ok(text.includes('John Roe') && text.includes('Jane Doe'), text)
  })

  test('that cannot be read is refused, and the next one is stamped', async () => {
    const pdf = await PDFDocument.create()
    pdf.addPage()
    const good = await pdf.save()
    const nested = `%PDF-1.4\n1 0 obj\n${'['.repeat(500_000)}\nendobj\n%%EOF`
    for (const bad of [good.subarray(0, -20), Buffer.from('<html>'), Buffer.alloc(0), Buffer.from(nested)])
      await assertRefused(PDF_DAMAGED, 'pdf', bad)
    await stamped('pdf', good)
  })

  test('and an EPUB are told by their first bytes', async () => {
    const path = newPath()
    const format = async (content: string, name = '') => {
      await writeFile(path, content, 'latin1')
      return formatOf(path, name)
    }
    assert.equal(await format('\n%PDF-1.7\n'), 'pdf')
    assert.equal(await format('PK\x03\x04 mimetypeapplication/epub+zip'), 'epub')
    assert.equal(await format('PK\x03\x04', 'Walden.EPUB'), 'epub')
    assert.equal(await format('PK\x03\x04', 'walden.zip'), undefined)
    assert.equal(await format('', 'walden.epub'), undefined)
  })
})

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
