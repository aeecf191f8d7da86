import { type CsvValue, csvLine } from '#platform/wire/csv.ts'
import type { LedgerEntry } from './schema.ts'

type Named = { document: string; counterpart: string }

/** What a bookkeeper asks of an entry. Amounts have a point, as spreadsheets and the API of other programs read them. */
const COLUMNS: readonly [name: string, value: (entry: LedgerEntry, counterpart: string) => CsvValue][] = [
  ['id', ({ id }) => id],
  ['created_at', ({ created_at }) => created_at],
  ['kind', ({ kind }) => kind],
  ['company', (_entry, counterpart) => counterpart],
  ['company_id', ({ counterpart_id }) => counterpart_id],
  ['sold_by', ({ selling_company_id }) => selling_company_id],
  ['order_id', ({ order_id }) => order_id],
  ['product_id', ({ product_id }) => product_id],
  ['title', ({ title }) => title],
  ['quantity', ({ quantity }) => quantity],
  ['percent', ({ cost_to_licensees_percent }) => cost_to_licensees_percent],
  ['amount', ({ amount }) => (amount / 100).toFixed(2)],
  ['currency', ({ currency }) => currency],
]

export const HEADING = csvLine(COLUMNS.map(([name]) => name))

/** Entries as the lines of a file that a spreadsheet reads. */
export function linesOf(entries: readonly Named[]): string {
  return entries
    .map(({ document, counterpart }) => {
      const entry: LedgerEntry = JSON.parse(document)
      return csvLine(COLUMNS.map(([, value]) => value(entry, counterpart)))
    })
    .join('')
}
