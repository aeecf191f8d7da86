import type { PDFDocument, PDFFont, PDFPage } from '@cantoo/pdf-lib'
import { wordsFor } from '#orders/mails/words.ts'
import { parseTime } from '#platform/wire.ts'
import { inLettersOf } from './letters.ts'
import type { InvoiceContent, InvoiceLine, Party } from './state.ts'
import { type InvoiceWords, invoiceWords } from './words.ts'

const A4: [number, number] = [595.28, 841.89]
const MARGIN = 56
const RIGHT = A4[0] - MARGIN
const SIZE = 9.5
const LEADING = 13.5
/** The right edges of the columns beside the item. */
const COLUMNS = { quantity: 350, tax: 400, net: 470, amount: RIGHT }
const ITEM_WIDTH = 230

type Fonts = { plain: PDFFont; bold: PDFFont; readable: (text: string) => string }

/** Where the next line goes. */
type Cursor = { pdf: PDFDocument; page: PDFPage; y: number; fonts: Fonts; font: PDFFont | undefined }

type Style = { bold?: boolean; size?: number; right?: number; left?: number }

/** The PDF of an invoice or a credit note. */
export async function renderInvoice(content: InvoiceContent): Promise<Uint8Array> {
  // Loaded with the first invoice, so that a start does not wait for it.
  const { PDFDocument, StandardFonts } = await import('@cantoo/pdf-lib')
  const pdf = await PDFDocument.create({ updateMetadata: false })
  const plain = await pdf.embedFont(StandardFonts.Helvetica)
  const bold = await pdf.embedFont(StandardFonts.HelveticaBold)
  const letters = new Set(plain.getCharacterSet())
  const readable = (text: string) => inLettersOf(text, (letter) => letters.has(letter.codePointAt(0) ?? 0))
  const cursor: Cursor = {
    pdf,
    page: pdf.addPage(A4),
    y: A4[1] - MARGIN,
    fonts: { plain, bold, readable },
    font: undefined,
  }
  const words = invoiceWords(content.language)
  const issuedAt = parseTime(content.issuedAt) ?? new Date(0)
  pdf.setTitle(readable(`${titleOf(content, words)} ${content.number}`))
  pdf.setCreationDate(issuedAt)
  pdf.setModificationDate(issuedAt)
  drawHead(cursor, content, words)
  drawLines(cursor, content, words)
  drawTotals(cursor, content, words)
  drawEnd(cursor, content, words)
  return pdf.save()
}

function titleOf({ kind }: InvoiceContent, words: InvoiceWords): string {
  return kind === 'invoice' ? words.invoice : words.creditNote
}

function formats({ language, country, currency }: InvoiceContent) {
  const words = wordsFor(language, country)
  return {
    money: (cents: number) => words.money(cents, currency),
    date: (time: string) => words.date(parseTime(time) ?? new Date(0)),
    percent: words.percent,
    number: words.number,
  }
}

/** Writes a text at the height of the cursor. Each change of the font adds to the page, so it is changed only when needed. */
function write(cursor: Cursor, text: string, { bold, size = SIZE, right, left = MARGIN }: Style = {}): void {
  const { page, y, fonts } = cursor
  const font = bold === true ? fonts.bold : fonts.plain
  const shown = fonts.readable(text)
  if (cursor.font !== font) page.setFont(font)
  cursor.font = font
  page.drawText(shown, { x: right === undefined ? left : right - font.widthOfTextAtSize(shown, size), y, size })
}

/** Goes down by some lines, to a new page if this one is full. */
function down(cursor: Cursor, lines = 1): void {
  cursor.y -= lines * LEADING
  if (cursor.y > MARGIN) return
  cursor.page = cursor.pdf.addPage(A4)
  cursor.font = undefined
  cursor.y = A4[1] - MARGIN
}

/** The lines of a text that fit a width. Words that are longer than a line are cut. */
function wrapped({ fonts }: Cursor, text: string, width: number): string[] {
  const fits = (line: string) => fonts.plain.widthOfTextAtSize(fonts.readable(line), SIZE) <= width
  const lines: string[] = []
  let line = ''
  for (const word of text.split(/\s+/)) {
    const longer = line === '' ? word : `${line} ${word}`
    if (fits(longer)) {
      line = longer
      continue
    }
    if (line !== '') lines.push(line)
    line = word
    while (!fits(line)) {
      let end = line.length - 1
      while (end > 1 && !fits(line.slice(0, end))) end -= 1
      lines.push(line.slice(0, end))
      line = line.slice(end)
    }
  }
  return [...lines, line]
}

function drawParty(cursor: Cursor, { lines, email, vatId }: Party, words: InvoiceWords): void {
  const texts = [...lines, email, ...(vatId === '' ? [] : [`${words.vatId}: ${vatId}`])]
  for (const text of texts.flatMap((line) => wrapped(cursor, line, ITEM_WIDTH))) {
    write(cursor, text)
    down(cursor)
  }
}

function drawHead(cursor: Cursor, content: InvoiceContent, words: InvoiceWords): void {
  const { date } = formats(content)
  drawParty(cursor, content.seller, words)
  down(cursor, 2)
  const top = cursor.y
  drawParty(cursor, content.buyer, words)
  const bottom = cursor.y
  cursor.y = top
  const facts: [string, string][] = [
    [words.number, content.number],
    ...(content.corrects === null ? [] : [[words.corrects, content.corrects] satisfies [string, string]]),
    [words.date, date(content.issuedAt)],
    [words.order, content.orderName],
    [words.orderDate, date(content.orderedAt)],
    ...(content.poNumber === '' ? [] : [[words.purchaseOrder, content.poNumber] satisfies [string, string]]),
  ]
  for (const [name, value] of facts) {
    write(cursor, `${name}:`, { left: 320 })
    write(cursor, value, { right: RIGHT })
    down(cursor)
  }
  cursor.y = Math.min(cursor.y, bottom)
  down(cursor, 2)
  write(cursor, `${titleOf(content, words)} ${content.number}`, { bold: true, size: 15 })
  down(cursor, 2)
}

function rule({ page, y }: Cursor): void {
  page.drawLine({ start: { x: MARGIN, y: y + LEADING - 3 }, end: { x: RIGHT, y: y + LEADING - 3 }, thickness: 0.5 })
}

function drawLines(cursor: Cursor, content: InvoiceContent, words: InvoiceWords): void {
  write(cursor, words.item, { bold: true })
  write(cursor, words.quantity, { bold: true, right: COLUMNS.quantity })
  write(cursor, words.tax, { bold: true, right: COLUMNS.tax })
  write(cursor, words.net, { bold: true, right: COLUMNS.net })
  write(cursor, words.amount, { bold: true, right: COLUMNS.amount })
  down(cursor)
  rule(cursor)
  for (const line of content.lines) drawLine(cursor, line, content, words)
  rule(cursor)
}

function drawLine(cursor: Cursor, line: InvoiceLine, content: InvoiceContent, words: InvoiceWords): void {
  const { money, percent, number } = formats(content)
  const [first = '', ...others] = wrapped(cursor, line.title === '' ? words.refund : line.title, ITEM_WIDTH)
  write(cursor, first)
  write(cursor, number(line.quantity), { right: COLUMNS.quantity })
  write(cursor, percent(line.rate), { right: COLUMNS.tax })
  write(cursor, money(line.netCents), { right: COLUMNS.net })
  write(cursor, money(line.totalCents), { right: COLUMNS.amount })
  down(cursor)
  for (const text of others) {
    write(cursor, text)
    down(cursor)
  }
}

function drawTotals(cursor: Cursor, content: InvoiceContent, words: InvoiceWords): void {
  const { money, percent } = formats(content)
  const total = content.kind === 'invoice' ? words.total : words.credited
  const sums: [string, number, boolean][] = [
    [words.subtotal, content.netCents, false],
    ...content.taxes.map(({ rate, taxCents }): [string, number, boolean] => [
      words.taxAt(percent(rate)),
      taxCents,
      false,
    ]),
    [total, content.totalCents, true],
  ]
  for (const [name, cents, bold] of sums) {
    write(cursor, name, { bold, right: COLUMNS.net })
    write(cursor, money(cents), { bold, right: COLUMNS.amount })
    down(cursor)
  }
  down(cursor)
}

function drawEnd(cursor: Cursor, content: InvoiceContent, words: InvoiceWords): void {
  const { date } = formats(content)
  const { payment } = content
  const payments =
    payment === null
      ? []
      : payment.kind === 'paid'
        ? [words.paid(payment.gateway)]
        : [words.due(date(payment.until)), ...payment.instructions.split('\n')]
  const texts = [...(content.reverseCharge ? [words.reverseCharge] : []), ...payments, ...content.note.split('\n')]
  for (const text of texts
    .filter((line) => line.trim() !== '')
    .flatMap((line) => wrapped(cursor, line, RIGHT - MARGIN))) {
    write(cursor, text)
    down(cursor)
  }
}
