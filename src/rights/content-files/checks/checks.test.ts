import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { PDFDocument } from '@cantoo/pdf-lib'
import { makeZip } from '#program/demo/archive.ts'
import { anEpub, aPdf } from '#test/books.ts'
import { type Shop, useService } from '#test/harness.ts'
import { aProduct, aVideo, someVideo, upload } from '#test/uploads.ts'
import { isShorterThanSaid, isUnplayed } from './rules.ts'

const service = useService()
let shop: Shop
let product: { id: number; product_id: string }

/** The hooks of a file run side by side, so the shop waits for the service here. */
test('a shop opens', async () => {
  shop = await service.openShop()
  product = await aProduct(shop)
})

const ofDemo = (name: string) => readFile(join(import.meta.dirname, '../../../program/demo/media', name))

/** What the API says of the bytes of a file that was uploaded. */
async function checked(bytes: Buffer, name: string) {
  const { status, duration, width, height, pages, chapters, fault } = await upload(service, shop, product, bytes, {
    name,
  })
  assert.equal(status, 'ready')
  return { duration, width, height, pages, chapters, fault: fault?.reason ?? null }
}

const NOTHING = { duration: null, width: null, height: null, pages: null, chapters: null, fault: null }

describe('what is read from an uploaded file', () => {
  test('is how long a film lasts and how large its picture is', async () => {
    assert.deepEqual(await checked(await ofDemo('film-hd.mp4'), 'film.mp4'), {
      ...NOTHING,
      duration: 28,
      width: 1280,
      height: 720,
    })
    // Without sound, the pictures say it.
    assert.deepEqual(await checked(aVideo(5000), 'silent.mp4'), { ...NOTHING, duration: 60, width: 1920, height: 1080 })
  })

  test('is how long a recording lasts', async () => {
    assert.deepEqual(await checked(await ofDemo('track-1.mp3'), 'track.mp3'), { ...NOTHING, duration: 8 })
  })

  test('is how many pages and chapters a book has', async () => {
    assert.deepEqual(await checked(await aPdf(7), 'book.pdf'), { ...NOTHING, pages: 7 })
    assert.deepEqual(await checked(anEpub(), 'book.epub'), { ...NOTHING, chapters: 3 })
  })

  test('is nothing of other files', async () => {
    assert.deepEqual(await checked(Buffer.from('Read me first.'), 'readme.txt'), NOTHING)
  })
})

describe('what is wrong with an uploaded file', () => {
  const faultOf = async (bytes: Buffer, name: string) => (await checked(bytes, name)).fault

  test('is said if its end is missing', async () => {
    const [film, track, book] = await Promise.all([ofDemo('film-hd.mp4'), ofDemo('track-1.mp3'), aPdf(3)])
    assert.equal(await faultOf(film.subarray(0, 300_000), 'cut.mp4'), 'incomplete')
    assert.equal(await faultOf(track.subarray(0, 20_000), 'cut.mp3'), 'incomplete')
    assert.equal(await faultOf(book.subarray(0, book.length / 2), 'cut.pdf'), 'incomplete')
  })

  test('is said if it cannot be opened', async () => {
    assert.ok(['damaged', 'incomplete'].includes(String(await faultOf(someVideo(5000), 'noise.mp4'))))
    const noise = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(500, 7), Buffer.from('%%EOF')])
    assert.equal(await faultOf(noise, 'noise.pdf'), 'damaged')
    const book = anEpub()
    assert.equal(await faultOf(book.subarray(0, book.length - 100), 'cut.epub'), 'damaged')
  })

  test('is said if a PDF needs a password', async () => {
    const document = await PDFDocument.create()
    document.addPage()
    document.encrypt({ userPassword: 'secret', ownerPassword: 'other' })
    assert.equal(await faultOf(Buffer.from(await document.save()), 'locked.pdf'), 'password_required')
  })

  test('is said if an EPUB lacks chapters, or their order', async () => {
    const container =
      '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="a/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>'
    const book = (spine: string, files: Record<string, string>) =>
      makeZip({
        mimetype: 'application/epub+zip',
        'META-INF/container.xml': container,
        'a/book.opf': `<package xmlns="http://www.idpf.org/2007/opf"><metadata/><manifest><item id="one" href="chapter%201.xhtml"/></manifest><spine>${spine}</spine></package>`,
        ...files,
      })
    const one = { 'a/chapter 1.xhtml': '<html/>' }
    assert.equal(await faultOf(book('<itemref idref="one"/>', one), 'whole.epub'), null)
    assert.equal(await faultOf(book('<itemref idref="one"/>', {}), 'without.epub'), 'chapters_missing')
    assert.equal(await faultOf(book('<itemref idref="two"/>', one), 'unknown.epub'), 'chapters_missing')
    assert.equal(await faultOf(book('', one), 'unordered.epub'), 'no_reading_order')
  })

  test('is said in words, with what to do', async () => {
    const { fault } = await upload(service, shop, product, aVideo(5000).subarray(0, 2000), { name: 'half.mp4' })
    assert.deepEqual(fault, {
      reason: 'incomplete',
      message: 'The file is incomplete: its end is missing. Upload it again.',
    })
  })
})

describe('the formats that browsers play', () => {
  test('are not those of cameras and old films', () => {
    assert.equal(isUnplayed('video/mp4', ['avc1', 'mp4a']), false)
    assert.equal(isUnplayed('video/webm', ['V_VP9', 'A_OPUS']), false)
    assert.equal(isUnplayed('video/vnd.avi', []), true)
    assert.equal(isUnplayed('video/quicktime', ['apch', 'sowt']), true)
    assert.equal(isUnplayed('video/mp4', ['mp4v']), true)
  })

  test('may have a little less than their rate says', () => {
    assert.equal(isShorterThanSaid(32_256, 8.064, 32_000), false)
    assert.equal(isShorterThanSaid(30_000, 8.064, 32_000), false)
    assert.equal(isShorterThanSaid(20_000, 8.064, 32_000), true)
  })
})
