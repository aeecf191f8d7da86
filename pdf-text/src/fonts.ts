import {
  PDFDocument,
  type PDFFont,
  type PDFOperator,
  type PDFPage,
  type PDFRef,
  StandardFonts,
  showText,
} from '@cantoo/pdf-lib'
import { createEmbeddedFont, type Place } from './embedded-font.ts'
import { inLettersOf, withoutDirections } from './letters.ts'
import { createShapers } from './shaping.ts'

/** A font that draws lines of text. Letters that it lacks are written in those that it has. */
export type TextFont = {
  widthOf: (line: string, size: number) => number
  draw: (page: PDFPage, line: string, place: Place) => void
}

/** The fonts of a document. `finish` writes them into it, once everything is drawn. */
export type Fonts = { plain: TextFont; bold: TextFont; finish: () => void }

/** A font for a line that is shown in several places. It is asked only for letters that it has. */
export type LineFont = {
  ref: PDFRef
  has: (letter: string) => boolean
  widthOf: (line: string, size: number) => number
  show: (line: string, size: number) => PDFOperator[]
  finish: () => void
}

/**
 * The fonts for some text that is read in a country. Every PDF reader has Helvetica, so it costs nothing, but it has few
 * letters beside those of Western Europe. Only a document with others gets fonts of its own.
 */
export async function createFonts(pdf: PDFDocument, text: string, country: string): Promise<Fonts> {
  const letters = await lettersOfHelvetica()
  if (!lacksSome(letters, text)) {
    const [plain, bold] = [StandardFonts.Helvetica, StandardFonts.HelveticaBold]
    return inHelvetica(await pdf.embedFont(plain), await pdf.embedFont(bold), (letter) => letters.has(letter))
  }
  const shapers = await createShapers(text.normalize('NFC'), country)
  const regular = createEmbeddedFont(pdf, 'Text-Regular', shapers.plain)
  const bold = createEmbeddedFont(pdf, 'Text-SemiBold', shapers.bold)
  const finish = () => {
    regular.finish()
    bold.finish()
  }
  return { plain: readable(regular, shapers.has), bold: readable(bold, shapers.has), finish }
}

/** The font for a line of some text that is read in a country. */
export async function createLineFont(pdf: PDFDocument, text: string, country: string): Promise<LineFont> {
  const letters = await lettersOfHelvetica()
  if (lacksSome(letters, text)) {
    const shapers = await createShapers(text.normalize('NFC'), country)
    return { ...createEmbeddedFont(pdf, 'Text-Regular', shapers.plain), has: shapers.has }
  }
  const font = await pdf.embedFont(StandardFonts.Helvetica)
  return {
    ref: font.ref,
    has: (letter) => letters.has(letter),
    widthOf: (line, size) => font.widthOfTextAtSize(withoutDirections(line), size),
    show: (line) => [showText(font.encodeText(withoutDirections(line)))],
    finish: () => {},
  }
}

let helvetica: ReadonlySet<string> | undefined

/** They are read from a document of their own, because a font is written into the document that was asked for it. */
async function lettersOfHelvetica(): Promise<ReadonlySet<string>> {
  if (helvetica !== undefined) return helvetica
  const font = await (await PDFDocument.create()).embedFont(StandardFonts.Helvetica)
  helvetica = new Set(font.getCharacterSet().map((code) => String.fromCodePoint(code)))
  return helvetica
}

/** Signs that choose between forms of the sign before, such as of an emoji. */
const VARIATIONS = /[\ufe00-\ufe0f]/gu

function lacksSome(letters: ReadonlySet<string>, text: string): boolean {
  const needed =
    text
      .normalize('NFC')
      .replace(VARIATIONS, '')
      .match(/[\p{L}\p{N}\p{M}\p{Sc}]/gu) ?? []
  return needed.some((letter) => !letters.has(letter))
}

/** A font that is asked only for letters that it has. */
function readable(font: TextFont, has: (letter: string) => boolean): TextFont {
  return {
    widthOf: (line, size) => font.widthOf(inLettersOf(line, has), size),
    draw: (page, line, place) => font.draw(page, inLettersOf(line, has), place),
  }
}

function inHelvetica(plain: PDFFont, bold: PDFFont, has: (letter: string) => boolean): Fonts {
  let current: { page: PDFPage; font: PDFFont } | undefined
  const textFont = (font: PDFFont): TextFont => ({
    widthOf: (line, size) => font.widthOfTextAtSize(line, size),
    draw: (page, line, place) => {
      // Each change of the font adds to the page, so it is changed only when needed.
      if (current?.page !== page || current.font !== font) page.setFont(font)
      current = { page, font }
      page.drawText(line, place)
    },
  })
  const [regular, heavy] = [readable(textFont(plain), has), readable(textFont(bold), has)]
  return { plain: regular, bold: heavy, finish: () => {} }
}
