import type { InvoiceState } from '#selling/invoices/state.ts'
import type { FulfillmentState } from '#selling/orders/fulfillments/state.ts'
import type { OrderNoteState } from '#selling/orders/notes/state.ts'
import type { OrderState } from '#selling/orders/state.ts'

/** An entry of the audit log about an order, with the names of who did it. */
export type Deed = {
  action: string
  created_at: Date
  user_id: number | null
  app_id: number | null
}

export type SentMail = { subject: string; created_at: Date; sent_at: Date | null; failed_at: Date | null }

/** A piece of content, when it was first used, and when it was downloaded. */
export type UsedContent = { title: string; first_used_at: Date | null }
export type Download = { title: string; created_at: Date }

/** Everything that a timeline is made of. */
export type Happened = {
  order: OrderState
  fulfillment: FulfillmentState | undefined
  deeds: readonly Deed[]
  notes: readonly OrderNoteState[]
  mails: readonly SentMail[]
  used: readonly UsedContent[]
  downloads: readonly Download[]
  invoices: readonly InvoiceState[]
  /** The names of users and apps, by their ids. */
  users: ReadonlyMap<number, string>
  apps: ReadonlyMap<number, string>
}
