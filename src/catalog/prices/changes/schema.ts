import { type Static, Type } from 'typebox'
import { Id, Text } from '#platform/wire/schema.ts'
import { Price } from '../schema.ts'

const PRICES_MAX = 1000
/** To the eleventh of what it was, at most. */
export const PERCENT_MAX = 1000
export const PERCENT_MIN = -99

/** How an amount is rounded after the change. */
export const ROUNDINGS = ['none', '99', '95', '90', '49_or_99', 'whole'] as const
export type Rounding = (typeof ROUNDINGS)[number]

const etag = Text(100, 'The `ETag` of the price as it was read, or as the preview shows it.', ['W/"mTr3"'])

export const PriceChangeInput = Type.Object({
  percent: Type.Number({
    minimum: PERCENT_MIN,
    maximum: PERCENT_MAX,
    description: 'By how much, with at most two decimals; below 0 it becomes cheaper.',
    examples: [5],
  }),
  rounding: Type.Optional(
    Type.Unsafe<Rounding>({
      type: 'string',
      enum: [...ROUNDINGS],
      description:
        'To the nearest amount that ends in .99, .95 or .90, in .49 or .99, or to whole units. Amounts in currencies without cents are rounded to whole units in any case. `none` if absent.',
    }),
  ),
  prices: Type.Array(Type.Object({ id: Id('Id of the price model.'), etag: Type.Optional(etag) }), {
    minItems: 1,
    maxItems: PRICES_MAX,
    description: 'Which prices. One whose `etag` is another one by now refuses the whole change.',
  }),
})

const { currency, price } = Price.properties.currencies.items.properties
const { country_code } = Price.properties.countries.items.properties

/** What one price model becomes. */
export const PriceChange = Type.Object(
  {
    id: Id('Id of the price model.'),
    title: Price.properties.title,
    etag,
    currencies: Type.Array(Type.Object({ currency, before: price, after: price })),
    countries: Type.Array(Type.Object({ country_code, currency, before: price, after: price })),
  },
  { $id: 'PriceChange' },
)

export type PriceChangeInput = Static<typeof PriceChangeInput>
export type PriceChange = Static<typeof PriceChange>
