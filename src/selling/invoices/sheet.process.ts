import { type Color, PDFDocument, type PDFPage, rgb } from '@cantoo/pdf-lib'
import { createFonts, type Fonts } from '#pdf-text/fonts.ts'
import { wrapped } from '#pdf-text/line-breaks.ts'

const A4: [number, number] = [595.28, 841.89]
export const MARGIN = 56
export const RIGHT = A4[0] - MARGIN
export const SIZE = 9.5
export const LEADING = 13.5
/** Between texts that are side by side. */
export const GAP = 6
/** In lines. */
export const ROW_GAP = 0.6
export const PARAGRAPH_GAP = 0.5

type Colors = { ink: Color; muted: Color; line: Color }

/** Where the next line goes. */
export type Cursor = {
  pdf: PDFDocument
  page: PDFPage
  y: number
  fonts: Fonts
  colors: Colors
  /** Written at the top of every page that the table goes on to. */
  drawTop: (() => void) | undefined
}

type Style = {
  bold?: boolean
  muted?: boolean
  size?: number
  right?: number
  left?: number
  /** A text that is wider is written smaller. */
  width?: number
}

/** A document with its first page. `text` has all letters that it may have. */
export async function openSheet(text: string, country: string): Promise<Cursor> {
  const pdf = await PDFDocument.create({ updateMetadata: false })
  const fonts = await createFonts(pdf, text, country)
  return {
    pdf,
    page: pdf.addPage(A4),
    y: A4[1] - MARGIN,
    fonts,
    drawTop: undefined,
    colors: { ink: rgb(0.09, 0.13, 0.11), muted: rgb(0.34, 0.39, 0.37), line: rgb(0.8, 0.83, 0.81) },
  }
}

/** Begins a new page. */
export function turnPage(cursor: Cursor): void {
  cursor.page = cursor.pdf.addPage(A4)
  cursor.y = A4[1] - MARGIN
}

/** Writes a text at the height of the cursor. */
export function write(cursor: Cursor, text: string, style: Style = {}): void {
  const { bold, muted, size: wanted = SIZE, right, left = MARGIN, width = Number.POSITIVE_INFINITY } = style
  const { page, y, fonts, colors } = cursor
  const font = bold === true ? fonts.bold : fonts.plain
  const size = Math.min(wanted, (wanted * width) / font.widthOf(text, wanted))
  const x = right === undefined ? left : right - font.widthOf(text, size)
  font.draw(page, text, { x, y, size, color: muted === true ? colors.muted : colors.ink })
}

/** Goes down by some lines, to a new page if this one is full. */
export function down(cursor: Cursor, lines = 1): void {
  cursor.y -= lines * LEADING
  if (cursor.y > MARGIN) return
  turnPage(cursor)
  cursor.drawTop?.()
}

/** Numbers the pages of a document that has several. */
export function numberPages(cursor: Cursor, pages = cursor.pdf.getPages()): void {
  if (pages.length === 1) return
  for (const [index, page] of pages.entries()) {
    Object.assign(cursor, { page, y: MARGIN / 2 })
    write(cursor, `${index + 1} / ${pages.length}`, { muted: true, right: RIGHT })
  }
}

/** The lines of a text that fit a width. */
export function linesOf({ fonts }: Cursor, text: string, width: number, { bold = false } = {}): string[] {
  const font = bold ? fonts.bold : fonts.plain
  return wrapped(text, width, (piece) => font.widthOf(piece, SIZE))
}

/** A line across the page, between the text above and the text below. */
export function rule({ page, y, colors }: Cursor): void {
  const height = y + LEADING - 2
  const [start, end] = [
    { x: MARGIN, y: height },
    { x: RIGHT, y: height },
  ]
  page.drawLine({ start, end, thickness: 0.5, color: colors.line })
}
