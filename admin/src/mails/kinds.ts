/** The kinds of mails in the groups in which the screen lists them. */
export const GROUPS = {
  orders: [
    'order_confirmation',
    'order_bill',
    'order_invoice',
    'order_shipment',
    'order_refund',
    'order_cancellation',
    'withdrawal',
  ],
  sales: ['gift', 'cart_reminder', 'newsletter'],
  memberships: ['subscription'],
  account: [
    'sign_in',
    'sign_up',
    'known_account',
    'password_reset',
    'new_email',
    'password_changed',
    'email_changed',
    'account_deletion',
    'app_access',
  ],
  all: ['common'],
} as const

export type Group = keyof typeof GROUPS
export type Kind = (typeof GROUPS)[Group][number]

export const KINDS: readonly Kind[] = Object.values(GROUPS).flat()

/** Mails that are shown with an order. */
export const isAboutOrder = (kind: Kind) => !(GROUPS.account as readonly Kind[]).includes(kind) && kind !== 'newsletter'

/** Of what the mails about a subscription tell. They are one kind: a customer gets one after the other. */
export const SUBSCRIPTION_MAILS = [
  'welcome',
  'trial_ends',
  'renewal',
  'charge_failed',
  'confirm_charge',
  'bill_late',
  'change_failed',
  'cancelled',
  'paused',
  'plan_changed',
  'price_changes',
  'ended',
] as const

const MAIN = /^(subject|title|text|thanks|button|open|hello|hello_name|answer)$/

/** The texts that a reader sees first; the others are folded away. */
export function isMain(name: string): boolean {
  const [mail, part = ''] = name.split('.')
  return MAIN.test(SUBSCRIPTION_MAILS.some((each) => each === mail) ? part : name)
}
