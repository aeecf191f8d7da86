import type { DeviceState } from '#rights/entitlements/devices/state.ts'
import type { CustomerDocument } from '#selling/invoices/site.ts'
import type { RefusedForm } from '#shop/site/pages.site.ts'
import type { CancellationForm } from './cancellation/state.ts'
import type { ShownOrder } from './orders.queries.ts'
import type { AccountLink, Losses, OwnSession } from './queries.ts'

export type AccountPage = Pick<RefusedForm, 'alarm' | 'minutes'> & {
  /** The latest orders. */
  orders: ShownOrder[]
  orders_count: number
  /** Where things are sent, the default first. */
  addresses: { id: number; lines: string[]; is_default: boolean }[]
  /** Has the customer chosen a password? Others sign in with mailed links. */
  has_password: boolean
  /** What was just done, as the key of a text. */
  notice?: string
}

export type AccountOrdersPage = {
  orders: ShownOrder[]
  /** The value of `after` in the address of the next page, if there is one. */
  next: number | undefined
}

export type AccountOrderPage = {
  order: ShownOrder
  /** The invoices and credit notes of the order. */
  documents: CustomerDocument[]
}

export type AccountPasswordPage = RefusedForm

export type AccountEmailPage = RefusedForm & {
  /** What was typed. */
  form: { email: string }
}

export type AccountSessionsPage = {
  /** The browsers in which the customer is signed in. */
  sessions: OwnSession[]
}

export type AccountDevicesPage = {
  /** The devices on which the customer has used something, the last used first. */
  devices: Pick<DeviceState, 'id' | 'device_id' | 'name' | 'created_at' | 'last_seen_at'>[]
  /** The value of `after` in the address of the next page, if there is one. */
  next: string | undefined
}

export type AccountDeletePage = Pick<RefusedForm, 'alarm' | 'minutes'> & {
  losses: Losses
}

export type AccountLinkPage = Pick<RefusedForm, 'errors' | 'alarm'> & {
  /** What the link is for. */
  link: AccountLink
}

export type WithdrawalPage = RefusedForm & {
  /** What was typed. */
  form: { order: string; email: string; goods: string; reason: string }
}

export type CancellationPage = RefusedForm & {
  /** What was typed. */
  form: CancellationForm
  /** When it was received; nothing while the form is open. */
  received_at: Date | undefined
}

declare module '#shop/site/pages.site.ts' {
  interface ShopPages {
    /** The account of the customer. */
    account: AccountPage
    /** The orders of the customer. */
    'account-orders': AccountOrdersPage
    /** One order of the customer. */
    'account-order': AccountOrderPage
    /** The form for another password. */
    'account-password': AccountPasswordPage
    /** The form for another email address. */
    'account-email': AccountEmailPage
    /** Where the customer is signed in. */
    'account-sessions': AccountSessionsPage
    /** The devices of the customer. */
    'account-devices': AccountDevicesPage
    /** What is lost with the account, and the form that asks for the link that deletes it. */
    'account-delete': AccountDeletePage
    /** What a mailed link about the account leads to. */
    'account-link': AccountLinkPage
    /** The form with which customers withdraw from a purchase. */
    withdrawal: WithdrawalPage
    /** The form with which customers cancel a subscription without signing in, and what they have declared. */
    cancellation: CancellationPage
  }
}
