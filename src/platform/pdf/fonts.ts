import type { PDFDocument, PDFFont, PDFPage } from '@cantoo/pdf-lib'
import { createEmbeddedFont, type Place } from './embedded-font.ts'
import { inLettersOf } from './letters.ts'
import { createShapers } from './shaping.ts'

/** A font that draws lines of text. Letters that it lacks are written in those that it has. */
export type TextFont = {
  widthOf: (line: string, size: number) => number
  draw: (page: PDFPage, line: string, place: Place) => void
}

/** The fonts of a document. `finish` writes them into it, once everything is drawn. */
export type Fonts = { plain: TextFont; bold: TextFont; finish: () => void }

/**
 * The fonts for some text that is read in a country. Every PDF reader has Helvetica, so it costs nothing, but it has few
 * letters beside those of Western Europe. Only a document with others gets fonts of its own.
 */
export async function createFonts(pdf: PDFDocument, text: string, country: string): Promise<Fonts> {
  // Loaded with the first document, so that a start does not wait for it.
  const lib = await import('@cantoo/pdf-lib')
  const plain = await pdf.embedFont(lib.StandardFonts.Helvetica)
  const letters = lettersOf(plain)
  const lacks = (letter: string) => /[\p{L}\p{N}\p{M}\p{Sc}]/u.test(letter) && !letters.has(letter)
  const composed = text.normalize('NFC')
  if (![...composed].some(lacks)) {
    const has = (letter: string) => letters.has(letter)
    return inHelvetica(plain, await pdf.embedFont(lib.StandardFonts.HelveticaBold), has)
  }
  const shapers = await createShapers(composed, country)
  const regular = createEmbeddedFont(lib, pdf, 'Text-Regular', shapers.plain)
  const bold = createEmbeddedFont(lib, pdf, 'Text-SemiBold', shapers.bold)
  const finish = () => {
    regular.finish()
    bold.finish()
  }
  return { plain: readable(regular, shapers.has), bold: readable(bold, shapers.has), finish }
}

function lettersOf(font: PDFFont): Set<string> {
  return new Set(font.getCharacterSet().map((code) => String.fromCodePoint(code)))
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
