import type { Gateway, GatewayKind } from '../gateway.ts'
import { DUE_DAYS_MAX, GUEST_BILL_HOURS_MAX, ManualInput, ManualSettings } from './schema.ts'

const gateway: Gateway = {
  create: async () => ({ kind: 'reported', report: { kind: 'pending', reference: null } }),
  confirm: async () => ({ kind: 'pending', reference: null }),
  // Nobody but the owner can return the money.
  refund: async ({ token }) => ({ kind: 'done', externalId: token }),
  readWebhook: async () => undefined,
}

/** The customer gets a bill and pays it some other way. The owner says when the money has arrived. */
export const manual: GatewayKind<'Manual', typeof ManualSettings, typeof ManualInput> = {
  name: 'Manual',
  settings: ManualSettings,
  input: ManualInput,
  keys: [],
  isPretended: false,
  signsNews: true,
  isElsewhere: false,
  show: ({ enabled, instructions, payment_due_days, guest_bill_hours }) => ({
    enabled,
    instructions,
    payment_due_days,
    guest_bill_hours,
  }),
  inWords({ enabled, payment_due_days: days, guest_bill_hours: hours }) {
    if (!enabled) return ['Manual: off']
    const others = days === 0 ? 'unpaid bills stay open' : `unpaid bills are cancelled after ${days} days`
    return [`Manual: on (${hours === 0 ? others : `${others}, those of guests after ${hours} hours`})`]
  },
  about: 'customers get a bill, and you mark orders as paid',
  options: [
    {
      flag: 'instructions',
      field: 'instructions',
      about: 'how customers pay a bill, such as a bank account',
      reads: 'text',
    },
    {
      flag: 'payment-due-days',
      field: 'payment_due_days',
      about: 'cancel bills that nobody has paid after as many days; 0: never',
      reads: { unit: 'days', max: DUE_DAYS_MAX },
    },
    {
      flag: 'guest-bill-hours',
      field: 'guest_bill_hours',
      about: 'the same in hours for customers who have not signed in; 0: no sooner',
      reads: { unit: 'hours', max: GUEST_BILL_HOURS_MAX },
    },
  ],
  open: () => gateway,
}
