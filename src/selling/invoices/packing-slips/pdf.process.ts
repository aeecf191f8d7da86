import { type Translator, translatorOf } from '#platform/text/messages.ts'
import { parseTime } from '#platform/wire/times.ts'
import { wordingFor } from '#selling/orders/mails/wording.rules.ts'
import { orderName } from '#selling/orders/rules.ts'
import {
  type Cursor,
  down,
  GAP,
  linesOf,
  MARGIN,
  numberPages,
  openSheet,
  RIGHT,
  ROW_GAP,
  rule,
  SIZE,
  turnPage,
  write,
} from '../sheet.process.ts'
import type { PackedLine, PackingSlip } from './state.ts'

/** Where the numbers and dates beside the recipient begin. */
const FACTS = 320
const RECIPIENT_SIZE = 11
const BOX = 8
/** Where the columns begin, after the box to tick. */
const COLUMNS = { item: MARGIN + 18, number: 360, quantity: RIGHT }

/** Packing slips, each on pages of its own. */
export async function drawPackingSlips(slips: readonly PackingSlip[]): Promise<Uint8Array> {
  const [first] = slips
  const cursor = await openSheet(JSON.stringify([slips, ...slips.map(textOf)]), first?.country ?? '')
  const { pdf, fonts } = cursor
  const t = translatorOf(first?.language ?? '')
  pdf.setTitle(first === undefined ? '' : `${t('invoices.packing_slip')} ${slips.map(nameOf).join(', ')}`)
  pdf.setLanguage(t.language)
  for (const [place, slip] of slips.entries()) {
    if (place > 0) turnPage(cursor)
    const before = pdf.getPageCount() - 1
    drawSlip(cursor, slip, translatorOf(slip.language))
    numberPages(cursor, pdf.getPages().slice(before))
  }
  fonts.finish()
  return pdf.save()
}

const nameOf = ({ orderId }: PackingSlip) => orderName(orderId)

/** Letters that a slip has beside what it is made of. */
function textOf({ language, country }: PackingSlip): string {
  const words = wordingFor(language, country)
  return [words.number(1_234_567_890), words.date(new Date(0)), translatorOf(language)('invoices.packing_slip')].join(
    '',
  )
}

function drawSlip(cursor: Cursor, slip: PackingSlip, t: Translator): void {
  const { date } = wordingFor(slip.language, slip.country)
  for (const line of linesOf(cursor, slip.sender.join(' · '), RIGHT - MARGIN)) {
    write(cursor, line, { muted: true })
    down(cursor)
  }
  down(cursor, 2)
  const top = cursor.y
  for (const [place, text] of slip.recipient.entries()) {
    const bold = place === 0
    for (const line of linesOf(cursor, text, FACTS - MARGIN - GAP, { bold })) {
      write(cursor, line, { bold, size: RECIPIENT_SIZE, width: FACTS - MARGIN - GAP })
      down(cursor, 1.1)
    }
  }
  const bottom = cursor.y
  cursor.y = top
  const facts: [string, string][] = [
    [t('invoices.order'), nameOf(slip)],
    [t('invoices.ordered_at'), date(parseTime(slip.orderedAt) ?? new Date(0))],
    ...(slip.poNumber === '' ? [] : [[t('invoices.purchase_order'), slip.poNumber] satisfies [string, string]]),
    ...(slip.method === '' ? [] : [[t('invoices.shipped_by'), slip.method] satisfies [string, string]]),
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
  write(cursor, `${t('invoices.packing_slip')} ${nameOf(slip)}`, { bold: true, size: 15 })
  down(cursor, 2)
  drawLines(cursor, slip, t)
}

function drawLines(cursor: Cursor, slip: PackingSlip, t: Translator): void {
  const drawTop = () => {
    write(cursor, t('invoices.item'), { muted: true, left: COLUMNS.item })
    write(cursor, t('invoices.item_number'), { muted: true, left: COLUMNS.number })
    write(cursor, t('invoices.quantity'), { muted: true, right: COLUMNS.quantity })
    // A page that has just begun has room for a heading.
    cursor.y -= 22
    rule(cursor)
  }
  drawTop()
  cursor.drawTop = drawTop
  for (const line of slip.lines) drawLine(cursor, line, wordingFor(slip.language, slip.country).number)
  cursor.drawTop = undefined
}

function drawLine(cursor: Cursor, line: PackedLine, number: (value: number) => string): void {
  const [first = '', ...others] = linesOf(cursor, line.title, COLUMNS.number - COLUMNS.item - GAP)
  cursor.page.drawRectangle({
    x: MARGIN,
    y: cursor.y - 0.5,
    width: BOX,
    height: BOX,
    borderWidth: 0.75,
    borderColor: cursor.colors.muted,
  })
  write(cursor, first, { left: COLUMNS.item })
  write(cursor, line.number, { muted: true, left: COLUMNS.number, width: 120 })
  write(cursor, number(line.quantity), { bold: true, right: COLUMNS.quantity })
  for (const text of others) {
    down(cursor)
    write(cursor, text, { left: COLUMNS.item })
  }
  down(cursor, 1 + ROW_GAP)
  rule(cursor)
}
