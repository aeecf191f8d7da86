import { importableLine } from '#platform/wire/csv.ts'
import type { Price } from './schema.ts'

export const HEADING = importableLine(['title', 'copy', 'price', 'currency', 'country'])

const inUnits = (cents: number) => (cents / 100).toFixed(2)

/**
 * Makes what writes price models as lines of a file that an import reads: a line for each currency and each country. Titles
 * can be there more than once, so the second price model of a title says that it is another one.
 */
export function createLines(): (rows: readonly { document: string }[]) => string {
  const copies = new Map<string, number>()
  return (rows) =>
    rows
      .map(({ document }): Price => JSON.parse(document))
      .flatMap(({ title, currencies, countries }) => {
        const number = (copies.get(title) ?? 0) + 1
        copies.set(title, number)
        const start = [title, number === 1 ? '' : number]
        const lines = [
          ...currencies.map(({ currency, price }) => [...start, inUnits(price), currency.toUpperCase(), '']),
          ...countries.map(({ country_code, price }) => [...start, inUnits(price), '', country_code]),
        ]
        return (lines.length === 0 ? [[...start, '', '', '']] : lines).map(importableLine)
      })
      .join('')
}
