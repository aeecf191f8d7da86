import { readFile } from 'node:fs/promises'
import type { PDFDocument, PDFFont } from '@cantoo/pdf-lib'
import { inLettersOf } from './letters.ts'

/** The fonts of a document. `readable` writes a text in the letters that they have. */
export type Fonts = { plain: PDFFont; bold: PDFFont; readable: (text: string) => string }

/** The scripts of the font that is embedded. */
const EMBEDDED = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]/u

const read = (name: string) => readFile(new URL(`./fonts/${name}.ttf`, import.meta.url))

/**
 * The fonts for some text. Every PDF reader has Helvetica, so it costs nothing, but it lacks Cyrillic, Greek and some Latin
 * letters. Only a document with such letters gets a font of its own, which makes it about ten times larger.
 */
export async function embedFonts(pdf: PDFDocument, text: string): Promise<Fonts> {
  // Loaded with the first invoice, so that a start does not wait for it.
  const { StandardFonts } = await import('@cantoo/pdf-lib')
  const plain = await pdf.embedFont(StandardFonts.Helvetica)
  const letters = lettersOf(plain)
  const lacks = (letter: string) => EMBEDDED.test(letter) && !letters.has(letter)
  if (![...text.normalize('NFC')].some(lacks))
    return { plain, bold: await pdf.embedFont(StandardFonts.HelveticaBold), readable: readableWith(letters) }
  pdf.registerFontkit(await import('@cantoo/fontkit'))
  const inter = await pdf.embedFont(await read('Inter-Regular'), { subset: true })
  const bold = await pdf.embedFont(await read('Inter-SemiBold'), { subset: true })
  return { plain: inter, bold, readable: readableWith(lettersOf(inter)) }
}

function lettersOf(font: PDFFont): Set<string> {
  return new Set(font.getCharacterSet().map((code) => String.fromCodePoint(code)))
}

function readableWith(letters: ReadonlySet<string>): (text: string) => string {
  return (text) => inLettersOf(text, (letter) => letters.has(letter))
}
