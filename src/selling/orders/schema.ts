import { type Static, Type } from 'typebox'
import { Address, NamedAddressInput } from '#identity/addresses/schema.ts'
import { ADDRESSES_MAX, ListedAddressInput } from '#people/customers/addresses/schema.ts'
import { Customer, CustomerInput } from '#people/customers/schema.ts'
import {
  Id,
  named,
  nullable,
  Reference,
  reference,
  Text,
  Time,
  TimeInput,
  WordsParameter,
} from '#platform/wire/schema.ts'
import { LineItem, LineItemInput, SentLineItem } from './lines/schema.ts'
import { Refund } from './refunds/schema.ts'

const NUMBER_MAX = 100
const URL_MAX = 2000
const LINES_MAX = 250
const EMAIL_MAX = 100
const VAT_ID_MAX = 30
const FREE_REASON_MAX = 500

const cents = (description: string) => Type.Integer({ description: `${description} In cents.` })
const textOrNull = (description: string) => nullable(Type.String({ description }))

const TaxLine = Type.Object({
  price: cents('Net price.'),
  rate: Type.Number({ minimum: 0, description: 'Tax rate: 0.19 is 19 percent.', examples: [0.19] }),
})

export const Order = Type.Object(
  {
    id: Id('Id of the order. Read-only.'),
    name: Type.String({ description: 'Name of the order: its id after `#`. Read-only.', examples: ['#1042'] }),
    email: Type.String({ description: 'Email address of the customer when it was made. Read-only.' }),
    customer_token: Type.String({ description: 'Token of the customer. Read-only.' }),
    order_number: Type.String({ description: 'Invoice number, shown as the reference of the invoice.' }),
    po_number: Type.String({ description: 'Number of the purchase order that was entered.' }),
    created_at: Time('When it was made. Read-only.'),
    updated_at: Time('When it was last changed. Read-only.'),
    closed_at: nullable(Time('When it was closed; null: it is open.')),
    processed_at: Time('When it was processed. Read-only.'),
    cancelled_at: nullable(Time('When it was cancelled; null: it was not. Read-only.')),
    confirmed: Type.Boolean({ description: 'Is it confirmed?' }),
    test: Type.Boolean({ description: 'Is it a test without payment? Read-only.' }),
    currency: Type.String({ description: 'Currency of every amount in it. Read-only.', examples: ['EUR'] }),
    gateway: Type.String({ description: 'Payment gateway; `Manual`: there was none. Read-only.' }),
    payment_gateway_names: Type.Array(Type.String(), { description: 'Names of the gateways. Read-only.' }),
    financial_status: Type.String({
      enum: ['pending', 'paid', 'partially_refunded', 'refunded'],
      description: 'Is it paid, or paid back? `pending`: an order of a shop that is not paid yet. Read-only.',
    }),
    fulfillment_status: nullable(
      Type.String({ enum: ['fulfilled', 'partial', null], description: 'Null: not yet shipped. Read-only.' }),
    ),
    source_name: Type.String({ enum: ['api', 'webshop', 'in app'], description: 'Where it was made. Read-only.' }),
    source: textOrNull('Who made it, if known.'),
    source_identifier: textOrNull('Under which name it is known there.'),
    browser_ip: Type.String({ description: 'IP address of the customer; empty: not known.' }),
    buyer_accepts_marketing: Type.Boolean({ description: 'Does the customer want to hear of news?' }),
    checkout_id: Type.Integer({ description: 'Id of the checkout. Read-only.' }),
    checkout_token: Type.String({ description: 'Token of the checkout. Read-only.' }),
    device_id: textOrNull('The device that it was made with, if known.'),
    landing_site: textOrNull('Where the customer came in, if known.'),
    landing_site_ref: textOrNull('What led there, if known.'),
    referring_site: textOrNull('Where the customer came from, if known.'),
    location_id: textOrNull('The store where it was sold, if it was one.'),
    theme_setting_id: Type.Integer({ description: 'The theme setting (shop) in which it was made. Read-only.' }),
    taxes_included: Type.Boolean({ description: 'Are the prices of the shop with tax? Read-only.' }),
    subtotal_price: cents('Net price of everything, after discounts, with shipping. Read-only.'),
    total_discounts: cents('All discounts, with tax. Read-only.'),
    total_line_items_price: cents('Price of all line items with tax, before discounts. Read-only.'),
    total_price: cents('What is charged: with tax and shipping, after discounts. Read-only.'),
    total_tax: cents('All taxes. Read-only.'),
    total_weight: Type.Number({ description: 'Weight in grams. Read-only.' }),
    tax_lines: Type.Array(TaxLine, { description: 'One for each tax rate. Read-only.' }),
    discount_codes: Type.Array(
      Type.Object({
        id: Id('Id of the discount code.'),
        code: Type.String({ description: 'What was entered.' }),
        type: Type.String({ enum: ['percentage', 'fixed_amount'], description: 'How it is counted.' }),
        amount: cents('What it took off.'),
      }),
      { description: 'In the order in which they were taken off. Read-only.' },
    ),
    shipping_lines: Type.Array(
      Type.Object({
        title: Type.String({ description: 'Name of the shipping method.' }),
        price: cents('What it costs, with tax.'),
        tax_lines: Type.Array(TaxLine),
      }),
      { description: 'How goods are shipped. Read-only.' },
    ),
    fulfillments: Type.Array(
      Type.Object({
        id: Id('Id of the shipment.'),
        created_at: Time('When it was shipped.'),
        line_items: Type.Array(Type.Integer(), { description: 'Ids of the line items in it.' }),
      }),
      { description: 'What was shipped. Read-only.' },
    ),
    line_items: Type.Array(LineItem, { description: 'What was bought. Read-only.' }),
    refunds: Type.Array(named(Refund), { description: 'What was paid back. Read-only.' }),
    shipping_address: Type.Unsafe<Static<typeof Address> | null>({
      anyOf: [Address, { type: 'null' }],
      description: 'Where goods are sent; null: nowhere.',
    }),
    vat_id: Type.Optional(
      Type.String({
        description: 'VAT id of a business customer, if it was given. Read-only.',
        examples: ['ATU62895905'],
      }),
    ),
    reverse_charge: Type.Optional(
      Type.Boolean({
        description: 'Beside `vat_id`: does the customer owe the tax, so that none is charged? Read-only.',
      }),
    ),
    vat_id_checked_at: Type.Optional(
      Time('When VIES confirmed the VAT id. Absent if only its form was checked. Read-only.'),
    ),
    vat_id_request_id: Type.Optional(
      Type.String({
        description: 'Number of the inquiry at VIES; empty if it gave none. Read-only.',
        examples: ['WAPIAAAAY1xyz'],
      }),
    ),
    withdrawal: Type.Optional(
      Type.Object(
        {
          consented: Type.Boolean({ description: 'Did the customer agree to start at once?' }),
          text: Type.String({ description: 'The text that the customer saw.' }),
          usable_from: nullable(Time('When the content can be used; null: at once.')),
        },
        {
          description: 'Orders of a shop with digital content: what was agreed on the right of withdrawal. Read-only.',
        },
      ),
    ),
    customer: named(Customer),
  },
  { $id: 'Order' },
)

const optionalText = (lengthMax: number, description: string) => Type.Optional(Text(lengthMax, description))
const optionalTextOrNull = (lengthMax: number, description: string) =>
  Type.Optional(nullable(Text(lengthMax, description)))

/** Clients also send 0 for no customer. */
const optionalToken = (description: string) =>
  Type.Optional(reference(Text(NUMBER_MAX, `${description} 0, an empty text and null: none.`)))

/** The customer, by token or by email address and password. */
const BuyerInput = Type.Object({
  token: optionalToken('Token of a customer of the company: no password is needed, and nothing else counts.'),
  ...CustomerInput.properties,
  // Beside a token it may be anything, so it is checked only when it counts.
  email: optionalText(EMAIL_MAX, 'Email address of the customer.'),
  language: Type.Optional(
    Type.String({
      pattern: '^([A-Za-z]{2})?$',
      description:
        'Two-letter code. Of a new customer, absent or empty: that of the country, else that of the `Accept-Language` of the request, else that of the company.',
      examples: ['en'],
    }),
  ),
  addresses: Type.Optional(
    Type.Array(ListedAddressInput, {
      maxItems: ADDRESSES_MAX,
      description:
        'They count for this order (the one that is marked as default, else the first), and new ones are added to those of the customer.',
    }),
  ),
})

const changeable = {
  order_number: optionalText(NUMBER_MAX, 'Invoice number.'),
  po_number: optionalText(NUMBER_MAX, 'Number of the purchase order.'),
  buyer_accepts_marketing: Type.Optional(Type.Boolean({ description: 'Does the customer want to hear of news?' })),
  confirmed: Type.Optional(Type.Boolean({ description: 'Is it confirmed? The customer is told once it is.' })),
  shipping_address: Type.Optional(
    Type.Unsafe<NamedAddressInput | null>({
      ...NamedAddressInput,
      type: ['object', 'null'],
      description:
        'Where goods are sent. Without names they go to the customer. In a new order, absent or empty: to the address of the customer. In a change it replaces the whole address; null removes it if the order has no goods.',
    }),
  ),
}

export const OrderInput = Type.Object(
  {
    ...changeable,
    customer_token: optionalToken('Token of a customer of the company.'),
    email: optionalText(EMAIL_MAX, 'Email address of the customer.'),
    password: optionalText(EMAIL_MAX, 'Another place for the password of the customer.'),
    customer: Type.Optional(Type.Unsafe<Static<typeof BuyerInput> | null>({ ...BuyerInput, type: ['object', 'null'] })),
    test: Type.Optional(Type.Boolean({ description: 'A test: nothing is counted, booked or taken from the stock.' })),
    currency: Type.Optional(
      Type.String({
        maxLength: 3,
        description: 'Currency to pay in. Absent: that of the prices for the customer, or of the company.',
        examples: ['EUR'],
      }),
    ),
    line_items: Type.Array(LineItemInput, { minItems: 1, maxItems: LINES_MAX, description: 'What is bought.' }),
    discount_codes: Type.Optional(
      Type.Array(Type.Object({ code: Text(NUMBER_MAX, 'As the customer entered it.', ['SPRING']) }), {
        maxItems: 10,
        description: 'Taken off in this order.',
      }),
    ),
    shipping_lines: Type.Optional(
      Type.Array(Type.Object({ title: optionalText(NUMBER_MAX, 'Name of a shipping method of the company.') }), {
        maxItems: 1,
        description: 'How goods are shipped. Absent: the first way that leads to the customer.',
      }),
    ),
    vat_id: Type.Optional(
      Text(
        VAT_ID_MAX,
        'VAT id of a business customer in the European Union. No tax is charged if it is of another country of the Union than the seller, and of the country of the customer.',
        ['ATU62895905'],
      ),
    ),
    theme_setting_id: Type.Optional(Reference('Shop. Without one it is the first.')),
    customer_notification: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 1, description: '0: the customer gets no mail.' }),
    ),
    on_account: Type.Optional(
      Type.Boolean({
        description:
          'A bill: the customer pays by bank transfer, as the payment settings of the shop say, and can use nothing before the order is marked as paid. Absent: it is paid.',
      }),
    ),
    free_reason: optionalText(
      FREE_REASON_MAX,
      'A gift or a replacement: everything in the order costs nothing, also the shipping. The reason is kept as a note of the order. Products of other companies cannot be given away.',
    ),
    generate_codes: Type.Optional(
      Type.Boolean({ description: 'Line items get a code that somebody can redeem; nobody owns them until then.' }),
    ),
    browser_ip: optionalText(45, 'IP address of the customer.'),
    device_id: optionalTextOrNull(NUMBER_MAX, 'The device that it is made with.'),
    landing_site: optionalTextOrNull(URL_MAX, 'Where the customer came in.'),
    landing_site_ref: optionalTextOrNull(URL_MAX, 'What led there.'),
    referring_site: optionalTextOrNull(URL_MAX, 'Where the customer came from.'),
    location_id: optionalTextOrNull(NUMBER_MAX, 'The store where it is sold.'),
    source: optionalTextOrNull(NUMBER_MAX, 'Who makes it.'),
    source_identifier: optionalTextOrNull(NUMBER_MAX, 'Under which name it is known there.'),
  },
  {
    $id: 'OrderInput',
    examples: [
      {
        customer: { email: 'jane@example.com', password: 'a long password', first_name: 'Jane', last_name: 'Roe' },
        line_items: [{ product_id: '0001-26ED-EA4F-AA32', license_id: 1, quantity: 1 }],
      },
    ],
  },
)

/** The few attributes that can be changed. Lines that are sent back are compared with the stored ones. */
export const OrderChange = Type.Object(
  {
    ...changeable,
    closed_at: Type.Optional(nullable(TimeInput('When it was closed; null opens it again.'))),
    line_items: Type.Optional(Type.Array(SentLineItem, { maxItems: LINES_MAX, description: 'As they were read.' })),
  },
  { $id: 'OrderChange', examples: [{ order_number: 'WC-1042' }] },
)

const Status = (values: (string | null)[], description: string) =>
  Type.Optional(Type.String({ enum: values, description }))

/** The filters of a list of orders. */
export const OrderFilters = Type.Object({
  ids: Type.Optional(Type.String({ maxLength: 5000, description: 'Comma-separated ids.', examples: ['1042,1043'] })),
  created_at_min: Type.Optional(TimeInput('Made at this time or later.')),
  created_at_max: Type.Optional(TimeInput('Made at this time or earlier.')),
  updated_at_min: Type.Optional(TimeInput('Changed at this time or later.')),
  status: Status(['open', 'closed', 'cancelled', 'any'], 'Default: any.'),
  financial_status: Status(['pending', 'paid', 'refunded', 'partially_refunded', 'any'], 'Default: any.'),
  fulfillment_status: Status(
    ['fulfilled', 'partial', 'null', 'unshipped', 'any'],
    'Default: any. `null`: not yet shipped. `unshipped`: paid, and goods of it still have to be sent. A cancelled order matches `any` alone.',
  ),
  customer_token: Type.Optional(Type.String({ maxLength: 100, description: 'Those of one customer.' })),
  product_id: Type.Optional(
    Type.String({ maxLength: 50, description: 'Those with this product, by its `product_id`.' }),
  ),
  discount_code_id: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Those that used this discount code.',
    }),
  ),
  q: Type.Optional(
    WordsParameter(
      'The id, `order_number` or `po_number` of an order, words that begin the name or the email address of its customer, or words of the title of a line.',
      'WC-1042',
    ),
  ),
})

export type Order = Static<typeof Order>
export type OrderInput = Static<typeof OrderInput>
export type OrderChange = Static<typeof OrderChange>
export type OrderFilters = Static<typeof OrderFilters>
