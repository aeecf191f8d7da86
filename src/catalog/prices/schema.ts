import { type Static, Type } from 'typebox'
import { Id, Text, Time } from '#platform/wire/schema.ts'

const TITLE_MAX = 255

/** A hundred million units less a cent; a higher price is a typing mistake. */
export const PRICE_MAX_CENTS = 9_999_999_999

const price = Type.Integer({ minimum: 0, maximum: PRICE_MAX_CENTS, description: 'Cents.', examples: [1499] })
const title = Text(TITLE_MAX, 'Name in the administration.', ['Film, sale'])
const valid = Type.Integer({ enum: [0, 1], description: '1 valid, 0 invalid: no longer to be used.' })
const countryCode = Type.String({
  pattern: '^[A-Za-z]{2}$',
  description: 'Two-letter code of the country.',
  examples: ['DE'],
})
const COUNTRY_MAX = 100
const currency = Type.String({
  pattern: '^[A-Za-z]{3}$',
  description: 'Three-letter code of the currency, in small letters.',
  examples: ['eur'],
})

export const Price = Type.Object(
  {
    id: Id('Id of the price model.'),
    title,
    created_at: Time('When it was made.'),
    modified_at: Time('When it was last changed.'),
    valid,
    countries: Type.Array(
      Type.Object({
        country_name: Type.String({ description: 'Name of the country in English.', examples: ['Germany'] }),
        country_code: countryCode,
        price,
      }),
      { description: 'What it costs in a country, in the currency of the country.' },
    ),
    currencies: Type.Array(Type.Object({ currency, price }), {
      description: 'What it costs in a currency, where no country has a price of its own.',
    }),
  },
  { $id: 'Price' },
)

export const PriceInput = Type.Object(
  {
    title: Type.Optional(Type.String({ maxLength: TITLE_MAX, description: 'Name. Required when it is made.' })),
    valid: Type.Optional(valid),
    countries: Type.Optional(
      Type.Array(Type.Object({ country_code: Text(COUNTRY_MAX, 'Code or name of the country.', ['DE']), price }), {
        maxItems: 300,
        description: 'Replaces the prices of countries.',
      }),
    ),
    currencies: Type.Optional(
      Type.Array(Type.Object({ currency, price }), {
        maxItems: 300,
        description: 'Replaces the prices of currencies.',
      }),
    ),
  },
  { $id: 'PriceInput', examples: [{ title: 'Film, sale', currencies: [{ currency: 'eur', price: 1499 }] }] },
)

const Times = (description: string) => Type.Integer({ minimum: 0, description })

export const PriceUse = Type.Object(
  {
    id: Id('Id of the price model.'),
    products: Times('How many products are sold for it.'),
    compared: Times('How many products show it crossed out beside their price.'),
    shipping_methods: Times('How many ways of shipping cost it.'),
    plans: Times('How many plans of subscriptions cost it.'),
  },
  { $id: 'PriceUse' },
)

export type Price = Static<typeof Price>
export type PriceInput = Static<typeof PriceInput>
