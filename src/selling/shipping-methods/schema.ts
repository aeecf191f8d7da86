import { type Static, Type } from 'typebox'
import { Id, nullable, Reference, Text, Time } from '#platform/wire/schema.ts'

const TITLE_MAX = 100
const URL_MAX = 500
const COUNTRY_MAX = 100
const COUNTRIES_MAX = 300
export const POSITION_MAX = 1_000_000
const RATES_MAX = 50
/** A thousand tons: more is a mistake. */
const GRAMS_MAX = 1_000_000_000
/** A billion units: more is a mistake. */
const AMOUNT_MAX_CENTS = 100_000_000_000

const title = Text(TITLE_MAX, 'Name that customers see.', ['Standard'])
const tracking_company = Text(TITLE_MAX, 'Who carries it.', ['DHL'])
const tracking_url = Text(URL_MAX, 'Where a parcel is followed, with {tracking_number} where the number belongs.', [
  'https://tracking.example.com/{tracking_number}',
])
const ORDER = 'Methods are tried in this order, the lowest first; the older one first if two have the same.'
const Position = (description: string) => Type.Integer({ minimum: 0, maximum: POSITION_MAX, description })

const DAYS_MAX = 365
const Days = (which: string) =>
  nullable(
    Type.Integer({
      minimum: 0,
      maximum: DAYS_MAX,
      description: `${which} number of days until the goods arrive; null if unknown. Shops show it beside the price.`,
      examples: [3],
    }),
  )

const WeightMax = nullable(
  Type.Integer({
    minimum: 1,
    maximum: GRAMS_MAX,
    description: 'The heaviest parcel that this price is for, in grams; null: any weight.',
    examples: [2000],
  }),
)
const BY_WEIGHT =
  'What it costs by the weight of the parcel, lightest first. A parcel that is heavier than all of them is not shipped this way. Empty: `price_id` applies to every weight.'

const FreeFrom = nullable(
  Type.Integer({
    minimum: 0,
    maximum: AMOUNT_MAX_CENTS,
    description:
      'It costs nothing if the goods of the order cost at least this much before discounts: cents in the currency of the company; null: never.',
    examples: [5000],
  }),
)

export const ShippingMethod = Type.Object(
  {
    id: Id('Id of the shipping method. Read-only.'),
    title,
    price_id: nullable(Id('Price model of what it costs; null: nothing.')),
    weight_rates: Type.Array(
      Type.Object({
        weight_max: WeightMax,
        price_id: nullable(Id('Price model of what such a parcel costs; null: nothing.')),
      }),
      { description: BY_WEIGHT },
    ),
    free_from: FreeFrom,
    countries: Type.Array(Type.String({ pattern: '^[A-Z]{2}$' }), {
      description: 'Two-letter ISO codes of the countries that it ships to; empty: everywhere.',
      examples: [['DE', 'AT']],
    }),
    tracking_company,
    tracking_url,
    shipping_partner_id: nullable(Id('The company that ships for this one; null: the company itself.')),
    position: Position(ORDER),
    delivery_days_min: Days('The lowest'),
    delivery_days_max: Days('The highest'),
    created_at: Time('When it was created. Read-only.'),
    updated_at: Time('When it was last changed. Read-only.'),
  },
  { $id: 'ShippingMethod' },
)

const optional = {
  price_id: Type.Optional(Reference('Price model of what it costs. Without one it costs nothing.')),
  weight_rates: Type.Optional(
    Type.Array(
      Type.Object({
        weight_max: Type.Optional(WeightMax),
        price_id: Type.Optional(Reference('Price model of what such a parcel costs. Without one it costs nothing.')),
      }),
      {
        maxItems: RATES_MAX,
        description: `${BY_WEIGHT} Replaces them.`,
        examples: [
          [
            { weight_max: 2000, price_id: 3 },
            { weight_max: 10_000, price_id: 4 },
          ],
        ],
      },
    ),
  ),
  free_from: Type.Optional(FreeFrom),
  countries: Type.Optional(
    Type.Array(Type.String({ maxLength: COUNTRY_MAX }), {
      maxItems: COUNTRIES_MAX,
      description: 'Codes or English names of the countries that it ships to; empty: everywhere. Replaces them.',
      examples: [['DE', 'Austria']],
    }),
  ),
  tracking_company: Type.Optional(tracking_company),
  tracking_url: Type.Optional(tracking_url),
  shipping_partner_id: Type.Optional(
    Reference('A company that ships for this one. Without one the company itself does.'),
  ),
  position: Type.Optional(Position(`${ORDER} A new one comes last if it is absent.`)),
  delivery_days_min: Type.Optional(Days('The lowest')),
  delivery_days_max: Type.Optional(Days('The highest')),
}

export const ShippingMethodInput = Type.Object(
  { title, ...optional },
  { $id: 'ShippingMethodInput', examples: [{ title: 'Parcel', countries: ['DE', 'AT'] }] },
)

export const ShippingMethodChange = Type.Object(
  { title: Type.Optional(title), ...optional },
  { $id: 'ShippingMethodChange', examples: [{ position: 1 }] },
)

export type ShippingMethod = Static<typeof ShippingMethod>
export type ShippingMethodInput = Static<typeof ShippingMethodInput>
export type ShippingMethodChange = Static<typeof ShippingMethodChange>
