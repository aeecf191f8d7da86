import { type Static, Type } from 'typebox'
import { Id, Time } from '#platform/wire/schema.ts'

export const OrderWithdrawal = Type.Object(
  {
    id: Id('Id of the declaration.'),
    order_id: Id('Id of the order.'),
    received_at: Time('When the declaration came in.'),
    email: Type.String({ description: 'Address of the customer, who got the confirmation there.' }),
    goods: Type.String({ description: 'What the customer gives back, in the words of the customer.' }),
    reason: Type.String({ description: 'Why; empty if the customer did not say.' }),
  },
  { $id: 'OrderWithdrawal' },
)

export type OrderWithdrawal = Static<typeof OrderWithdrawal>
