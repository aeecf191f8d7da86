import { type Static, Type } from 'typebox'
import { Id, nullable, reference, Text, Time } from '#platform/wire/schema.ts'
import { LineItem, QUANTITY_MAX } from '../lines/schema.ts'

const NOTE_MAX = 5000
const LINES_MAX = 250

const Transaction = Type.Object({
  id: Id('Id of the transaction.'),
  order_id: Id('Id of the order.'),
  gateway: Type.String({ description: 'Through which the money went; `Manual`: through none.' }),
  created_at: Time('When it went.'),
  test: Type.Boolean({ description: 'Was it a test?' }),
  status: Type.String({
    enum: ['success', 'pending', 'failure'],
    description: '`pending`: the gateway has not returned the money yet. `failure`: it refused to.',
  }),
  amount: Type.Integer({ description: 'How much. In cents.' }),
  currency: Type.String({ description: 'In which currency.', examples: ['EUR'] }),
  location_id: nullable(Type.String({ description: 'The store, if it was one.' })),
  customer_token: Type.String({ description: 'Token of the customer.' }),
  device_id: nullable(Type.String({ description: 'The device, if known.' })),
  source_name: Type.String({ enum: ['web', 'api'], description: 'Where it was asked for.' }),
})

export const Refund = Type.Object(
  {
    id: Id('Id of the refund.'),
    created_at: Time('When it was made.'),
    note: nullable(Type.String({ description: 'Why.' })),
    order_id: Id('Id of the order.'),
    refund_line_items: Type.Array(
      Type.Object({
        id: Id('Id of this entry.'),
        quantity: Type.Integer({ minimum: 1, description: 'How many were given back.' }),
        line_item: LineItem,
      }),
      { description: 'What was given back.' },
    ),
    restock: Type.Boolean({ description: 'Were goods put back into the stock?' }),
    tracking_number: nullable(Type.String({ description: 'Of the parcel that came back, if there is one.' })),
    customer_token: Type.String({ description: 'Token of the customer.' }),
    transactions: Type.Array(Transaction, { description: 'What was paid back.' }),
  },
  { $id: 'Refund' },
)

export const RefundInput = Type.Object(
  {
    note: Type.Optional(nullable(Text(NOTE_MAX, 'Why.'))),
    restock: Type.Optional(Type.Boolean({ default: false, description: 'Put goods back into the stock?' })),
    refund_line_items: Type.Optional(
      Type.Array(
        Type.Object({
          line_item_id: reference(Id('Id of a line item of the order.')),
          quantity: Type.Optional(
            Type.Integer({ minimum: 1, maximum: QUANTITY_MAX, description: 'How many; all that are left if absent.' }),
          ),
        }),
        { maxItems: LINES_MAX, description: 'What is given back.' },
      ),
    ),
    amount: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'How much, in cents. Absent: what the line items cost.',
      }),
    ),
    all: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'True: everything that is left, and neither line items nor an amount.',
      }),
    ),
  },
  { $id: 'RefundInput', examples: [{ note: 'Damaged.', refund_line_items: [{ line_item_id: 1, quantity: 1 }] }] },
)

/** What a refund would give back. */
export const RefundCalculation = Type.Object(
  {
    amount: Type.Integer({ description: 'What goes back to the customer. In cents.' }),
    tax: Type.Integer({ description: 'How much of it is tax, as the credit note says it. In cents.' }),
    left: Type.Integer({ description: 'What is left of the order afterwards. In cents.' }),
    currency: Type.String({ description: 'Currency of the amounts.', examples: ['EUR'] }),
    gateway: Type.String({ description: 'Through which the money goes back; `Manual`: the seller pays it back.' }),
    refund_line_items: Type.Array(
      Type.Object({
        line_item_id: Id('Id of a line item of the order.'),
        quantity: Type.Integer({ minimum: 1, description: 'How many are given back.' }),
        amount: Type.Integer({ description: 'The part of the amount that is for them. In cents.' }),
      }),
      { description: 'What is given back.' },
    ),
  },
  { $id: 'RefundCalculation' },
)

export type RefundCalculation = Static<typeof RefundCalculation>
export type Refund = Static<typeof Refund>
export type RefundInput = Static<typeof RefundInput>
