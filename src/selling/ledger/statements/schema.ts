import { type Static, Type } from 'typebox'
import { Id, Text, Time } from '#platform/wire/schema.ts'

const Cents = (description: string) => Type.Integer({ description: `${description} In cents.` })
const currency = Type.String({ description: 'Currency of the orders.', examples: ['EUR'] })
const month = Type.String({
  pattern: '^\\d{4}-\\d{2}$',
  description: 'The month, in the time zone of the company.',
  examples: ['2026-05'],
})
const entries = Type.Integer({ minimum: 0, description: 'Number of entries.' })
const sales = Cents('What was booked for sales: positive is what the company gets, negative what it owes.')
const refunds = Cents('What was booked back for refunds and cancellations.')
const amount = Cents('Both together.')

export const LedgerBalance = Type.Object(
  {
    counterpart_id: Id('The company on the other side.'),
    company_name: Text(100, 'Its name.'),
    currency,
    amount: Cents('Positive is what the company gets in all, negative what it owes.'),
    entries,
  },
  { $id: 'LedgerBalance' },
)

export const LedgerMonth = Type.Object(
  {
    month,
    currency,
    entries,
    sales,
    refunds,
    amount,
    closing: Cents('What all entries until the end of the month come to.'),
  },
  { $id: 'LedgerMonth' },
)

export const LedgerStatement = Type.Object(
  {
    month,
    from: Time('The first second of the month: the `created_at_min` of its entries.'),
    to: Time('The last second of the month: the `created_at_max` of its entries.'),
    lines: Type.Array(
      Type.Object({
        counterpart_id: Id('The company on the other side.'),
        company_name: Text(100, 'Its name.'),
        currency,
        is_seller: Type.Boolean({
          description: 'True: the company sold products of the other one. False: the other one sold its products.',
        }),
        entries,
        sales,
        refunds,
        amount,
      }),
      { description: 'By company and currency.' },
    ),
    totals: Type.Array(
      Type.Object({
        currency,
        opening: Cents('What was owed before the month.'),
        amount: Cents('What the month added.'),
        closing: Cents('What is owed at its end.'),
      }),
      { description: 'By currency.' },
    ),
  },
  { $id: 'LedgerStatement' },
)

export type LedgerBalance = Static<typeof LedgerBalance>
export type LedgerMonth = Static<typeof LedgerMonth>
export type LedgerStatement = Static<typeof LedgerStatement>
