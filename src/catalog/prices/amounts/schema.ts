import { type Static, Type } from 'typebox'
import { nullable } from '#platform/wire/schema.ts'
import { Price, PriceInput } from '../schema.ts'

/** More currencies and countries than there are. */
const ASKED_MAX = 300

const { currency, price } = Price.properties.currencies.items.properties
const { country_code } = Price.properties.countries.items.properties

export const PriceAmountsInput = Type.Object({
  price: Type.Object(
    { currencies: PriceInput.properties.currencies, countries: PriceInput.properties.countries },
    { description: 'A price as it was read, or the amounts of one that is still to be made.' },
  ),
  currencies: Type.Optional(
    Type.Array(currency, { maxItems: ASKED_MAX, description: 'What customers who pay in these currencies would pay.' }),
  ),
  countries: Type.Optional(
    Type.Array(country_code, { maxItems: ASKED_MAX, description: 'What customers in these countries would pay.' }),
  ),
})

export const PriceAmount = Type.Object(
  {
    country_code: nullable(country_code),
    currency,
    price,
    converted: Type.Boolean({
      description: 'Was it converted with the rate of the day? Otherwise the price names it.',
    }),
  },
  { $id: 'PriceAmount' },
)

export type PriceAmountsInput = Static<typeof PriceAmountsInput>
export type PriceAmount = Static<typeof PriceAmount>
