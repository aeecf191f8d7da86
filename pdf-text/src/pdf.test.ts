import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { PDFDocument, rgb } from '@cantoo/pdf-lib'
import { createFonts } from './fonts.ts'
import { inLettersOf } from './letters.ts'
import { wrapped } from './line-breaks.ts'
import { createShapers } from './shaping.ts'

/** The texts of the glyphs of a line, from left to right. */
async function seen(line: string): Promise<string[]> {
  const { plain } = await createShapers(line, '')
  return plain(line).map(({ text }) => text)
}

async function keysOf(line: string, country = ''): Promise<string[]> {
  const { plain } = await createShapers(line, country)
  return plain(line).flatMap(({ glyphs }) => glyphs.map(({ key, width }) => `${key} ${width}`))
}

describe('text in any script', () => {
  test('is drawn with fonts that have its letters', async () => {
    const names = [
      'Łukasz Żółć',
      'Жуков',
      'Παπαδόπουλος',
      '王小明',
      '髙﨑太郎',
      '김민준',
      'محمد',
      'דוד',
      'สมชาย',
      'राम',
      'বাংলা',
      'தமிழ்',
      'తెలుగు',
      'ગુજરાતી',
      'ਪੰਜਾਬੀ',
      'ಕನ್ನಡ',
      'മലയാളം',
      'සිංහල',
      'ខ្មែរ',
      'ລາວ',
      'မြန်မာ',
      'አማርኛ',
      'ქართული',
      'Հայերեն',
      '₹',
    ]
    const { has } = await createShapers(names.join(''), '')
    for (const name of names) for (const letter of name) assert.ok(has(letter), `${letter} of ${name}`)
  })

  test('is written from right to left where its script is', async () => {
    // Parentheses are mirrored: the one that comes last in the text opens what is seen.
    assert.equal((await seen('אבג 12 (x)')).join(''), ')x( 12 גבא')
    assert.equal((await seen('Dr. אבג 12')).join(''), 'Dr. 12 גבא')
    assert.equal((await seen('to \u2068אבג 1\u2069 2')).join(''), 'to 1 גבא 2')
  })

  test('has letters that are joined, and marks in their places', async () => {
    const joined = await keysOf('سلام')
    const apart = (await Promise.all([...'سلام'].map((letter) => keysOf(letter)))).flat()
    assert.notDeepEqual(new Set(joined), new Set(apart))
    assert.ok((await seen('क्षत्रिय')).length < [...'क्षत्रिय'].length)
    const { plain } = await createShapers('ที่', '')
    assert.ok(plain('ที่').some(({ glyphs }) => glyphs.some(({ width, shiftX }) => width === 0 && shiftX !== 0)))
  })

  test('has the ideographs of the country where it is read', async () => {
    assert.notDeepEqual(await outlineOf('骨', 'CN'), await outlineOf('骨', 'JP'))
    assert.deepEqual(await outlineOf('骨ほ', ''), await outlineOf('骨ほ', 'JP'))
  })

  test('that Helvetica has needs no font of its own, and can be searched in both', async () => {
    for (const [line, limit] of [
      ['Jane Roe, Größe 10 €', 2000],
      ['Жуков 王小明', 12_000],
    ] as const) {
      const pdf = await PDFDocument.create()
      const page = pdf.addPage()
      const { plain, finish } = await createFonts(pdf, line, 'DE')
      plain.draw(page, line, { x: 20, y: 20, size: 10, color: rgb(0, 0, 0) })
      finish()
      const bytes = await pdf.save()
      assert.ok(bytes.length < limit, `${bytes.length} bytes`)
      assert.equal(await textOf(bytes), line)
    }
  })

  test('ends its lines between words, also without spaces, and never before closing punctuation', () => {
    const lines = (text: string, length: number) => wrapped(text, length, (piece) => [...piece].length)
    assert.deepEqual(lines('one two  three', 7), ['one two', 'three'])
    assert.deepEqual(lines('incomprehensible', 6), ['incomp', 'rehens', 'ible'])
    assert.deepEqual(lines('吾輩は猫である。名前', 7), ['吾輩は猫で', 'ある。名前'])
    assert.deepEqual(lines('ภาษาไทยง่าย', 8), ['ภาษาไทย', 'ง่าย'])
    assert.deepEqual(lines('', 7), [''])
  })
})

async function outlineOf(line: string, country: string) {
  const { plain } = await createShapers(line, country)
  return plain(line)[0]?.glyphs[0]?.outline()
}

async function textOf(bytes: Uint8Array): Promise<string> {
  const { getDocument } = await import('pdfjs-dist/legacy/build/pdf.mjs')
  const document = await getDocument({ data: bytes, verbosity: 0 }).promise
  const { items } = await (await document.getPage(1)).getTextContent()
  return items.map((item) => ('str' in item ? item.str : '')).join('')
}

test('letters that a font lacks are written in those that it has', () => {
  const has = (letter: string) => letter >= ' ' && letter <= '~'
  assert.equal(
    inLettersOf('\u202eevil\u2066', () => true),
    'evil',
  )
  assert.equal(inLettersOf('Đorđe Ñandú ß \u0000 ё Щ', has), 'Dorde Nandu ?  e Shch')
})
