import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { describe, test } from 'node:test'
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
import { useStamping } from '#test/stamping.ts'
import { PDF_DAMAGED, PDF_NEEDS_PASSWORD } from './refusals.facts.ts'
import { formatOf } from './stamp.files.ts'

const LINE = 'Licensed to Jane Doe · Order #1000 · 2031-06-01'

const { newPath, stamped, assertRefused } = useStamping()

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
