import { type Translator, translatorOf } from '#platform/text/messages.ts'
import { parseTime } from '#platform/wire/times.ts'
import { wordingFor } from '#selling/orders/mails/wording.rules.ts'
import {
  type Cursor,
  down,
  GAP,
  LEADING,
  linesOf,
  MARGIN,
  numberPages,
  openSheet,
  PARAGRAPH_GAP,
  RIGHT,
  ROW_GAP,
  rule,
  SIZE,
  write,
} from './sheet.process.ts'
import type { InvoiceContent, InvoiceLine, Party } from './state.ts'

const TOTAL_SIZE = 11
/** The right edges of the columns beside the item. */
const COLUMNS = { quantity: 350, tax: 400, net: 470, amount: RIGHT }
const ITEM_WIDTH = 230
/** Where the numbers and dates beside the buyer begin. */
const FACTS = 320

/** The PDF of an invoice or a credit note. It is drawn in a process of its own; see render.ts. */
export async function drawInvoice(content: InvoiceContent): Promise<Uint8Array> {
  const t = translatorOf(content.language)
  const cursor = await openSheet(textOf(content, t), content.country)
  const { pdf, fonts } = cursor
  const issuedAt = parseTime(content.issuedAt) ?? new Date(0)
  pdf.setTitle(`${titleOf(content, t)} ${content.number}`)
  pdf.setLanguage(t.language)
  pdf.setCreationDate(issuedAt)
  pdf.setModificationDate(issuedAt)
  drawHead(cursor, content, t)
  drawLines(cursor, content, t)
  drawTotals(cursor, content, t)
  drawEnd(cursor, content, t)
  numberPages(cursor)
  fonts.finish()
  return pdf.save()
}

/** All letters that a document may have. */
function textOf(content: InvoiceContent, t: Translator): string {
  return JSON.stringify([content, titleOf(content, t), formats(content).money(0)])
}

function titleOf({ kind }: InvoiceContent, t: Translator): string {
  return kind === 'invoice' ? t('invoices.invoice') : t('invoices.credit_note')
}

function formats({ language, country, currency }: InvoiceContent) {
  const words = wordingFor(language, country)
  return {
    money: (cents: number) => words.money(cents, currency),
    date: (time: string) => words.date(parseTime(time) ?? new Date(0)),
    percent: words.percent,
    number: words.number,
  }
}

function drawParty(cursor: Cursor, { lines, email, vatId }: Party, t: Translator): void {
  const texts = [...lines, email, ...(vatId === '' ? [] : [t('invoices.vat_id', { id: vatId })])]
  for (const [index, text] of texts.entries()) {
    const bold = index === 0
    for (const line of linesOf(cursor, text, ITEM_WIDTH, { bold })) {
      write(cursor, line, { bold })
      down(cursor)
    }
  }
}

function drawHead(cursor: Cursor, content: InvoiceContent, t: Translator): void {
  const { date } = formats(content)
  drawParty(cursor, content.seller, t)
  down(cursor, 2)
  const top = cursor.y
  drawParty(cursor, content.buyer, t)
  const bottom = cursor.y
  cursor.y = top
  const facts: [string, string][] = [
    [t('invoices.number'), content.number],
    ...(content.corrects === null ? [] : [[t('invoices.corrects'), content.corrects] satisfies [string, string]]),
    [t('invoices.date'), date(content.issuedAt)],
    [t('invoices.order'), content.orderName],
    [t('invoices.order_date'), date(content.orderedAt)],
    ...(content.poNumber === '' ? [] : [[t('invoices.purchase_order'), content.poNumber] satisfies [string, string]]),
  ]
  for (const [name, value] of facts) {
    write(cursor, name, { muted: true, left: FACTS })
    const width = RIGHT - FACTS - GAP - cursor.fonts.plain.widthOf(name, SIZE)
    for (const line of linesOf(cursor, value, width)) {
      write(cursor, line, { right: RIGHT })
      down(cursor)
    }
  }
  cursor.y = Math.min(cursor.y, bottom)
  down(cursor, 2)
  write(cursor, `${titleOf(content, t)} ${content.number}`, { bold: true, size: 15 })
  down(cursor, 2)
}

function drawLines(cursor: Cursor, content: InvoiceContent, t: Translator): void {
  const drawTop = () => {
    write(cursor, t('invoices.item'), { muted: true })
    write(cursor, t('invoices.quantity'), { muted: true, right: COLUMNS.quantity })
    write(cursor, t('invoices.tax'), { muted: true, right: COLUMNS.tax })
    write(cursor, t('invoices.net'), { muted: true, right: COLUMNS.net })
    write(cursor, t('invoices.amount'), { muted: true, right: COLUMNS.amount })
    cursor.y -= (1 + ROW_GAP) * LEADING
    rule(cursor)
  }
  drawTop()
  cursor.drawTop = drawTop
  for (const line of content.lines) drawLine(cursor, line, content, t)
  cursor.drawTop = undefined
}

function drawLine(cursor: Cursor, line: InvoiceLine, content: InvoiceContent, t: Translator): void {
  const { money, percent, number } = formats(content)
  const [first = '', ...others] = linesOf(cursor, line.title === '' ? t('invoices.refund') : line.title, ITEM_WIDTH)
  write(cursor, first)
  write(cursor, number(line.quantity), { right: COLUMNS.quantity, width: COLUMNS.quantity - MARGIN - ITEM_WIDTH - GAP })
  write(cursor, percent(line.rate), { right: COLUMNS.tax, width: COLUMNS.tax - COLUMNS.quantity - GAP })
  write(cursor, money(line.netCents), { right: COLUMNS.net, width: COLUMNS.net - COLUMNS.tax - GAP })
  write(cursor, money(line.totalCents), { right: COLUMNS.amount, width: COLUMNS.amount - COLUMNS.net - GAP })
  for (const text of others) {
    down(cursor)
    write(cursor, text)
  }
  if (line.creditCents !== undefined)
    for (const text of linesOf(cursor, t('invoices.rental_credit', { amount: money(line.creditCents) }), ITEM_WIDTH)) {
      down(cursor)
      write(cursor, text, { muted: true })
    }
  down(cursor, 1 + ROW_GAP)
  rule(cursor)
}

function drawTotals(cursor: Cursor, content: InvoiceContent, t: Translator): void {
  const { money, percent } = formats(content)
  const total = content.kind === 'invoice' ? t('invoices.total') : t('invoices.credited')
  const sums: [string, number, boolean][] = [
    [t('invoices.subtotal'), content.netCents, false],
    ...content.taxes.map(({ rate, taxCents }): [string, number, boolean] => [
      t('invoices.tax_at', { rate: percent(rate) }),
      taxCents,
      false,
    ]),
    [total, content.totalCents, true],
  ]
  for (const [name, cents, bold] of sums) {
    const size = bold ? TOTAL_SIZE : SIZE
    const amount = money(cents)
    const { plain, bold: heavy } = cursor.fonts
    const width = (bold ? heavy : plain).widthOf(amount, size)
    write(cursor, name, { bold, size, muted: !bold, right: Math.min(COLUMNS.net, COLUMNS.amount - width - 8) })
    write(cursor, amount, { bold, size, right: COLUMNS.amount })
    down(cursor, 1 + PARAGRAPH_GAP / 2)
  }
  down(cursor)
}

function drawEnd(cursor: Cursor, content: InvoiceContent, t: Translator): void {
  const { date } = formats(content)
  const { payment } = content
  const payments =
    payment === null
      ? []
      : payment.kind === 'paid'
        ? [t('invoices.paid', { gateway: payment.gateway })]
        : [t('invoices.due', { date: date(payment.until) }), ...payment.instructions.split('\n')]
  for (const paragraph of [
    content.reverseCharge ? [t('invoices.reverse_charge')] : [],
    payments,
    content.note.split('\n'),
  ]) {
    const texts = paragraph.filter((line) => line.trim() !== '')
    for (const text of texts.flatMap((line) => linesOf(cursor, line, RIGHT - MARGIN))) {
      write(cursor, text)
      down(cursor)
    }
    if (texts.length > 0) down(cursor, PARAGRAPH_GAP)
  }
}
