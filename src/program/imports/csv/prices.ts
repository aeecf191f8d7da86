import { CURRENCY_CODES } from '#catalog/currency-rates/currencies.facts.ts'
import type { Entry } from '../importer/entries.ts'
import type { Row } from './file.ts'
import { type Columns, createPlaces, RowReader } from './values.ts'

/** A column may also be called by a currency, such as `EUR`, and hold the price in it. */
const CURRENCY_COLUMNS = [...CURRENCY_CODES].map((code) => code.toLowerCase())

/** The columns of a price, as `columnName` writes them. */
export const PRICE_COLUMNS: Columns = {
  title: ['title', 'name'],
  copy: ['copy'],
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
    if (first !== undefined && (textOf(first, 'title') !== textOf(row, 'title') || isOther(first, row))) {
      yield group
      group = []
    }
    group.push(row)
  }
  if (group.length > 0) yield group
}

/** Exports number price models of the same title. */
const isOther = (first: Row, row: Row) => textOf(first, 'copy') !== textOf(row, 'copy')

function textOf(row: Row, field: string): string | undefined {
  return new RowReader(row, PRICE_COLUMNS).text(field)
}

/** A price model in the field names of the API. */
export function priceOf(rows: readonly Row[], defaultCurrency: string): Entry {
  const readers = rows.map((row) => new RowReader(row, PRICE_COLUMNS))
  const [first] = readers
  if (first === undefined) throw new Error('a price has at least one row')
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
  const ofCountries = readers.filter((reader) => reader.text('country') !== undefined)
  const placeOf = createPlaces(first, { countries: ofCountries }, { country_code: 'country', currencies: 'price' })
  const value = { title: first.text('title'), currencies, countries }
  const lines = rows.map(({ line }) => line)
  return {
    where: `line ${first.line}`,
    lines,
    placeOf,
    values: () => first.values(),
    value,
    faults: readers.flatMap(({ faults }) => faults),
  }
}

function amountIn(reader: RowReader, field: string, currency: string): { currency: string; price: number }[] {
  const amount = reader.amount(field, currency.toLowerCase())
  return amount === undefined ? [] : [{ currency: amount.currency, price: amount.cents }]
}
