import assert from 'node:assert/strict'
import { mkdtemp, open, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { crc32, deflateRawSync } from 'node:zlib'
import { createZipWriter } from '#platform/zip/writer.ts'
import {
  EPUB_DAMAGED,
  EPUB_ENCRYPTED,
  EPUB_OVERLAPS,
  EPUB_REPEATS_NAMES,
  EPUB_UNSAFE_NAMES,
} from '#rights/stamping/refusals.facts.ts'
import { decryptPlainly, encryptedFiles, unzip } from '#test/reading-app.ts'
import { encryptFiles } from './encrypt.files.ts'
import { tooLarge } from './refusals.facts.ts'

const KEY = Buffer.alloc(32, 7)
let folder = ''
let paths = 0
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'licet-publications-'))
})
after(() => rm(folder, { recursive: true, force: true }))

const newPath = () => join(folder, `${paths++}`)

type Book = Record<string, string | Uint8Array>
const CONTAINER = `<?xml version="1.0"?><container xmlns="urn:oasis:names:tc:opendocument:xmlns:container" version="1.0">
<rootfiles><rootfile full-path="OEBPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>`
const PACKAGE = `<?xml version="1.0"?><package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier id="id">1</dc:identifier><dc:title>Terns</dc:title><meta name="cover" content="old"/></metadata>
<manifest><item id="nav" href="toc%20page.xhtml" properties="nav scripted" media-type="application/xhtml+xml"/>
<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/><item id="new" href="img/new.jpg" properties="cover-image" media-type="image/jpeg"/>
<item id="old" href="img/old.jpg" media-type="image/jpeg"/><item id="one" href="one.xhtml" media-type="application/xhtml+xml"/></manifest>
<spine toc="ncx"><itemref idref="one"/></spine></package>`
const BOOK: Book = {
  'META-INF/container.xml': CONTAINER,
  'OEBPS/book.opf': PACKAGE,
  'OEBPS/toc page.xhtml': '<html/>',
  'OEBPS/toc.ncx': '<ncx/>',
  'OEBPS/img/new.jpg': 'new cover',
  'OEBPS/img/old.jpg': 'old cover',
  'OEBPS/img/map.jpg': Buffer.alloc(5000, 'picture'),
  'OEBPS/one.xhtml': '<html><body>Chapter one</body></html>',
  "OEBPS/fish & 'chips' #1?.xhtml": '<html/>',
}

async function zipOf(book: Book | [string, string | Uint8Array][]): Promise<string> {
  const path = newPath()
  await using file = await open(path, 'wx')
  const writer = createZipWriter(file)
  for (const [name, content] of Array.isArray(book) ? book : Object.entries(book))
    await writer.add(name, Buffer.from(content))
  await writer.finish()
  return path
}

async function protect(path: string) {
  const target = newPath()
  const part = { path, name: 'book.epub', content_type: 'application/epub+zip', duration: null }
  return {
    target,
    result: await encryptFiles({ kind: 'epub', title: '', parts: [part], target, key: KEY.toString('base64') }),
  }
}

async function protectedFiles(book: Book) {
  const { target, result } = await protect(await zipOf(book))
  assert.equal(result.kind, 'encrypted', JSON.stringify(result))
  const files = await unzip(await readFile(target))
  return { files, encrypted: encryptedFiles(files) }
}

async function assertRefused(path: string, reason: string) {
  const { result } = await protect(path)
  assert.deepEqual(result, { kind: 'refused', reason, isFinal: true })
}

describe('an EPUB', () => {
  test('keeps readable what a reading app needs before it has a passphrase, and nothing else', async () => {
    const { files, encrypted } = await protectedFiles(BOOK)
    const hidden = ["OEBPS/fish & 'chips' #1?.xhtml", 'OEBPS/img/map.jpg', 'OEBPS/one.xhtml']
    assert.deepEqual([...encrypted.keys()].sort(), hidden)
    for (const [path, content] of Object.entries(BOOK)) {
      const how = encrypted.get(path)
      const sent = files.get(path) ?? Buffer.alloc(0)
      assert.deepEqual(how === undefined ? sent : decryptPlainly(KEY, sent, how), Buffer.from(content), path)
      if (how !== undefined) assert.equal(how.originalLength, content.length)
    }
  })

  test('keeps fonts that the book itself made unreadable, and what it says of them', async () => {
    const obfuscated = `<encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><enc:EncryptedData xmlns:enc="http://www.w3.org/2001/04/xmlenc#"><enc:EncryptionMethod Algorithm="http://www.idpf.org/2008/embedding"/><enc:CipherData><enc:CipherReference URI="OEBPS/font.otf"/></enc:CipherData></enc:EncryptedData></encryption>`
    const { files, encrypted } = await protectedFiles({
      ...BOOK,
      'META-INF/encryption.xml': obfuscated,
      'OEBPS/font.otf': 'font',
    })
    assert.equal(String(files.get('OEBPS/font.otf')), 'font')
    assert.equal(encrypted.has('OEBPS/font.otf'), false)
    assert.match(String(files.get('META-INF/encryption.xml')), /2008\/embedding/)
  })

  test('that is protected already is refused', async () => {
    await assertRefused(await zipOf({ ...BOOK, 'META-INF/license.lcpl': '{}' }), EPUB_ENCRYPTED)
    await assertRefused(await zipOf({ ...BOOK, 'META-INF/rights.xml': '<rights/>' }), EPUB_ENCRYPTED)
    const encryption = `<encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><e:EncryptedData xmlns:e="http://www.w3.org/2001/04/xmlenc#"><e:EncryptionMethod Algorithm="http://www.w3.org/2001/04/xmlenc#aes256-cbc"/></e:EncryptedData></encryption>`
    await assertRefused(await zipOf({ ...BOOK, 'META-INF/encryption.xml': encryption }), EPUB_ENCRYPTED)
  })

  test('that becomes enormous is never unpacked', async () => {
    const content = Buffer.alloc(200_000_000)
    const compressed = deflateRawSync(content, { level: 9 })
    const path = newPath()
    await using file = await open(path, 'wx')
    const writer = createZipWriter(file)
    for (const [name, text] of Object.entries(BOOK)) await writer.add(name, Buffer.from(text))
    const entry = { method: 8, crc32: crc32(content), compressedSize: compressed.length, size: content.length }
    for (let number = 0; number < 20; number += 1)
      await writer.copy({ ...entry, name: `OEBPS/bomb${number}`, time: 0, date: 0x21, attributes: 0 }, compressed)
    await writer.finish()
    const { target, result } = await protect(path)
    assert.equal(result.kind, 'encrypted')
    // 4 GB in a few MB: as small as it came.
    assert.ok((await stat(target)).size < 20 * compressed.length + 100_000)
  })

  test('whose files overlap, repeat, lead out of it or claim another size is refused', async () => {
    await assertRefused(await zipOf({ ...BOOK, '../outside.xhtml': 'x' }), EPUB_UNSAFE_NAMES)
    await assertRefused(await zipOf({ ...BOOK, '/etc/passwd': 'x' }), EPUB_UNSAFE_NAMES)
    await assertRefused(await zipOf([...Object.entries(BOOK), ['OEBPS/one.xhtml', 'again']]), EPUB_REPEATS_NAMES)
    const path = await zipOf(BOOK)
    const bytes = await readFile(path)
    const at = bytes.lastIndexOf('OEBPS/one.xhtml') - 46
    bytes.writeUInt32LE(0xfffffff0, at + 20)
    await writeFile(path, bytes)
    await assertRefused(path, EPUB_OVERLAPS)
  })

  test('whose documents are bombs, loops or no XML is refused', async () => {
    const bomb = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>'
    await assertRefused(await zipOf({ ...BOOK, 'OEBPS/book.opf': `${bomb}<package>&b;</package>` }), EPUB_DAMAGED)
    // A container that names itself has no manifest, so nothing but itself stays readable.
    const loop = CONTAINER.replace('OEBPS/book.opf', 'META-INF/container.xml')
    const { encrypted } = await protectedFiles({ ...BOOK, 'META-INF/container.xml': loop })
    assert.ok(encrypted.has('OEBPS/one.xhtml') && encrypted.has('OEBPS/toc.ncx'))
    await assertRefused(await zipOf({ ...BOOK, 'META-INF/encryption.xml': '<encryption' }), EPUB_DAMAGED)
    await assertRefused(await zipOf({ ...BOOK, 'META-INF/encryption.xml': Buffer.alloc(9_000_000, ' ') }), EPUB_DAMAGED)
    const cut = newPath()
    await writeFile(cut, (await readFile(await zipOf(BOOK))).subarray(0, -30))
    await assertRefused(cut, EPUB_DAMAGED)
  })

  test('that is larger than what is encrypted is refused unread', async () => {
    const path = newPath()
    await using file = await open(path, 'wx')
    await file.truncate(1024 * 1_048_576 + 1)
    await assertRefused(path, tooLarge(1024 * 1_048_576))
  })
})
