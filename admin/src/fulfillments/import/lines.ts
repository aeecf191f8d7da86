import { readCsv } from '../../ui/lists/csv.ts'
import { t } from '../../words/words.ts'
import { type Fulfillment, SHIPPED } from '../queries.ts'
import { NUMBER_MAX } from '../tracking.tsx'
import { recipientOf } from '../words.ts'

/** A line as it was read, or mended. */
export type Line = {
  key: number
  order: string
  carrier: string
  number: string
  /** What came of it; undefined: nothing was tried. */
  outcome?: { isDone: true } | { isDone: false; why: string }
}

export const LINES_MAX = 200

/** The id of the order of a line; undefined if there is none in it. */
export function orderIn({ order }: Pick<Line, 'order'>): number | undefined {
  const [, digits] = /^#?(\d{1,15})$/.exec(order.trim()) ?? []
  return digits === undefined ? undefined : Number(digits)
}

/** The lines of a carrier's list: order, carrier and number. A heading is left out. */
export function readLines(text: string): Line[] {
  const rows = readCsv(text)
  const isHeading =
    orderIn({ order: rows[0]?.[0] ?? '' }) === undefined && rows.length > 1 && !/\d/.test(rows[0]?.[0] ?? '')
  return (isHeading ? rows.slice(1) : rows).map(([order = '', ...rest], key) => {
    // A list without carriers has the number in its second column.
    const [carrier, number] = rest.length > 1 ? [rest[0] ?? '', rest[1] ?? ''] : ['', rest[0] ?? '']
    return { key, order, carrier, number }
  })
}

export type Plan = { kind: 'wrong' | 'waits' | 'ships' | 'changes' | 'nothing' | 'done'; text: string }

type Known = { data: { parcel: Fulfillment } | undefined; isError: boolean }

/** What will happen with a line, or why nothing can. */
export function planOf(line: Line, lines: readonly Line[], knownOf: (id: number) => Known | undefined): Plan {
  if (line.outcome?.isDone === true) return { kind: 'done', text: t('fulfillments.file.done') }
  const wrong = (text: string): Plan => ({ kind: 'wrong', text })
  const id = orderIn(line)
  if (id === undefined) return wrong(t('fulfillments.file.no_number'))
  const first = lines.findIndex((each) => orderIn(each) === id)
  if (lines[first] !== line) return wrong(t('fulfillments.file.twice', { line: first + 1 }))
  if (line.number.trim().length > NUMBER_MAX) return wrong(t('fulfillments.file.too_long', { max: NUMBER_MAX }))
  if (line.outcome !== undefined) return wrong(line.outcome.why)
  const known = knownOf(id)
  if (known?.isError === true) return wrong(t('fulfillments.file.unknown'))
  const parcel = known?.data?.parcel
  if (parcel === undefined) return { kind: 'waits', text: t('fulfillments.file.looking') }
  if (parcel.status !== SHIPPED)
    return { kind: 'ships', text: t('fulfillments.file.ships', { name: recipientOf(parcel) }) }
  const isSame =
    parcel.tracking_number === line.number.trim() &&
    (line.carrier.trim() === '' || parcel.tracking_company.toLowerCase() === line.carrier.trim().toLowerCase())
  return isSame
    ? { kind: 'nothing', text: t('fulfillments.file.same') }
    : { kind: 'changes', text: t('fulfillments.file.changes') }
}
