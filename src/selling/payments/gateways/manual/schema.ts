import { Type } from 'typebox'
import { Text } from '#platform/wire/schema.ts'
import { Enabled } from '../settings.schema.ts'

const INSTRUCTIONS_MAX = 1000
export const DUE_DAYS_MAX = 365
export const GUEST_BILL_HOURS_MAX = 8760

const DueDays = Type.Integer({
  minimum: 0,
  maximum: DUE_DAYS_MAX,
  description: 'Bills that nobody has paid after as many days are cancelled; 0: never.',
  examples: [14],
})

const GuestBillHours = Type.Integer({
  minimum: 0,
  maximum: GUEST_BILL_HOURS_MAX,
  description:
    'The same in hours for bills of customers who have not signed in, whose address nobody has proved; 0: no sooner than other bills.',
  examples: [24],
})

export const ManualSettings = Type.Object({
  enabled: Enabled,
  instructions: Type.String({ description: 'How customers pay their bills, such as a bank account.' }),
  payment_due_days: DueDays,
  guest_bill_hours: GuestBillHours,
})

export const ManualInput = Type.Object({
  enabled: Type.Optional(Enabled),
  instructions: Type.Optional(Text(INSTRUCTIONS_MAX, 'How customers pay their bills.')),
  payment_due_days: Type.Optional(DueDays),
  guest_bill_hours: Type.Optional(GuestBillHours),
})
