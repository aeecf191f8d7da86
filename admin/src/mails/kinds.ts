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

/** The texts that a reader sees first; the others are folded away. */
export const isMain = (name: string) => /^(subject|title|text|thanks|button|open|hello|hello_name|answer)$/.test(name)
