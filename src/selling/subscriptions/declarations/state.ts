export const CANCELLATION_KINDS = ['ordinary', 'extraordinary'] as const

/** Ordinary: at the end of what was agreed. Extraordinary: at once, for a reason that the customer gives. */
export type CancellationKind = (typeof CANCELLATION_KINDS)[number]

/** A cancellation as somebody has declared it in a shop, signed in or not. */
export type CancellationDeclaration = {
  shop_id: number
  name: string
  email: string
  /** The number of an order or of a subscription, as typed. */
  number: string
  kind: CancellationKind
  reason: string
  /** The day that it is to end, such as `2027-03-31`; empty for as soon as possible. */
  end: string
  language: string
  received_at: string
}

/** What became of a declaration: it was cancelled, or the owner has to look at it. */
export type Outcome = { kind: 'cancelled'; ends_at: Date; title: string } | { kind: 'left' }
