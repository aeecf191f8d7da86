import { type Static, Type } from 'typebox'
import { Time } from '#platform/wire/schema.ts'

export const CurrencyRate = Type.Object(
  {
    currency: Type.String({ pattern: '^[A-Z]{3}$', description: 'Three-letter ISO code.', examples: ['USD'] }),
    rate_to_eur: Type.Number({ exclusiveMinimum: 0, description: 'Units of it per euro.', examples: [1.1415] }),
    date: Time('The day that the rate is of.'),
  },
  { $id: 'CurrencyRate' },
)

export type CurrencyRate = Static<typeof CurrencyRate>
