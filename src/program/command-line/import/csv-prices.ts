import { CURRENCY_CODES } from '#catalog/currency-rates/currencies.facts.ts'
import type { Row } from './csv-file.ts'
import { type Columns, RowReader } from './csv-values.ts'
import type { Entry } from './entries.ts'

/** A column may also be called by a currency, such as `EUR`, and hold the price in it. */
const CURRENCY_COLUMNS = [...CURRENCY_CODES].map((code) => code.toLowerCase())

/** The columns of a price, as `columnName` writes them. */
export const PRICE_COLUMNS: Columns = {
  title: ['title', 'name'],
  price: ['price', 'amount'],
  currency: ['currency'],
  country: ['country', 'countrycode'],
  ...Object.fromEntries(CURRENCY_COLUMNS.map((code) => [code, [code]])),
}

/** Puts rows of the same title together: each has the price of a country or of a currency. They follow each other. */
export async function* groupPrices(rows: AsyncIterable<Row>): AsyncGenerator<Row[]> {
  let group: Row[] = []
  for await (const row of rows) {
    const [first] = group
    if (first !== undefined && titleOf(first) !== titleOf(row)) {
      yield group
      group = []
    }
    group.push(row)
  }
  if (group.length > 0) yield group
}

function titleOf(row: Row): string | undefined {
  return new RowReader(row, PRICE_COLUMNS).text('title')
}

/** A price model in the field names of the API. */
export function priceOf(rows: readonly Row[], defaultCurrency: string): Entry {
  const [first] = rows
  if (first === undefined) throw new Error('a price has at least one row')
  const readers = rows.map((row) => new RowReader(row, PRICE_COLUMNS))
  const currencies = readers.flatMap((reader) => [
    ...(reader.text('country') === undefined
      ? amountIn(reader, 'price', reader.text('currency') ?? defaultCurrency)
      : []),
    ...CURRENCY_COLUMNS.flatMap((code) => amountIn(reader, code, code)),
  ])
  const countries = readers.flatMap((reader) => {
    const country_code = reader.text('country')
    const amount = country_code === undefined ? undefined : reader.amount('price', '')
    return amount === undefined ? [] : [{ country_code, price: amount.cents }]
  })
  const value = { title: titleOf(first), currencies, countries }
  return { where: `line ${first.line}`, value, faults: readers.flatMap(({ faults }) => faults) }
}

function amountIn(reader: RowReader, field: string, currency: string): { currency: string; price: number }[] {
  const amount = reader.amount(field, currency.toLowerCase())
  return amount === undefined ? [] : [{ currency: amount.currency, price: amount.cents }]
}
