import { type Static, Type } from 'typebox'
import { nullable, Text } from '#platform/wire-schema.ts'

const TITLE_MAX = 100
const URL_MAX = 500

const id = (description: string) =>
  Type.Optional(nullable(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description })))

/** A shipping method as an import file contains it. */
export const ShippingMethodInput = Type.Object({
  title: Text(TITLE_MAX, 'Name that customers see.', ['Standard']),
  price_id: id('Price model of what it costs; absent: nothing.'),
  countries: Type.Optional(
    Type.Array(Type.String({ maxLength: 2 }), { maxItems: 300, description: 'Two-letter codes; absent: everywhere.' }),
  ),
  tracking_company: Type.Optional(Text(TITLE_MAX, 'Who carries it.', ['DHL'])),
  tracking_url: Type.Optional(
    Text(URL_MAX, 'Where a parcel is followed, with {tracking_number} where the number belongs.', [
      'https://tracking.example.com/{tracking_number}',
    ]),
  ),
  shipping_partner_id: id('A company that ships for this one.'),
})

export type ShippingMethodInput = Static<typeof ShippingMethodInput>
