import { type Static, Type } from 'typebox'
import { Id, nullable, Text } from '#platform/wire/schema.ts'

const Percent = (description: string) => Type.Number({ minimum: 0, maximum: 100, description })

/** A company that sells products of an offer. */
export const OfferTaker = Type.Object(
  {
    id: Id('Id of the company.'),
    company_name: Text(100, 'Name of the company.'),
    product_count: Type.Integer({ minimum: 1, description: 'Products that it has taken.' }),
    published_count: Type.Integer({ minimum: 0, description: 'Of these, those that its shop shows now.' }),
    percent_min: Percent('The smallest share that was agreed for one of them.'),
    percent_max: Percent('The largest one: it stays as it was when the company took the product.'),
  },
  { $id: 'OfferTaker' },
)

/** A company that an offer can be made for. */
export const MarketCompany = Type.Object(
  {
    id: Id('Id of the company.'),
    company_name: nullable(
      Text(
        100,
        'Its name; null where the marketplace does not tell it: the company offers nothing, and sells nothing of yours.',
      ),
    ),
  },
  { $id: 'MarketCompany' },
)

export type OfferTaker = Static<typeof OfferTaker>
export type MarketCompany = Static<typeof MarketCompany>
