import type { GatewayName } from './gateways/table.facts.ts'

export type { GatewayName }

/**
 * Created: the customer has to act. Pending: the money is on its way. The other words say how it ended; NEXT in rules.ts
 * says what can follow what.
 */
export type PaymentStatus = 'created' | 'pending' | 'paid' | 'failed' | 'cancelled' | 'partially_refunded' | 'refunded'

/** Why the owner has to look at a payment. */
export type Flag =
  | 'amount_differs'
  | 'order_cancelled'
  | 'paid_twice'
  | 'refund_failed'
  | 'refunded_elsewhere'
  | 'disputed'

export type PaymentState = {
  company_id: number
  id: number
  order_id: number
  gateway: GatewayName
  /** A part of the address to which the customer comes back, and the idempotency key at the gateway. */
  token: string
  status: PaymentStatus
  test: boolean
  amount_cents: number
  currency: string
  /** The amount that the gateway has received. */
  paid_cents: number
  refunded_cents: number
  /** The name of the attempt at the gateway. */
  external_id: string | null
  /** The name of the money at the gateway. */
  reference: string | null
  failure: string | null
  flags: Flag[]
  created_at: Date
  updated_at: Date
  paid_at: Date | null
  /** A charge of what the customer has left with the gateway. Nobody waits for it on a page. */
  off_session: boolean
  /** The payment that left what is charged, of a charge: the gateway is asked about it with the same until its fate is known. */
  means_payment_id: number | null
  /** A payment of nothing, with which the gateway saves what later periods are charged to. */
  saves_means: boolean
  /** Until when a bill keeps what was ordered from others. Null: as long as the company waits for any bill. */
  reserved_until: Date | null
}

/** What a gateway says has become of a payment. */
export type Report =
  | { kind: 'paid'; amountCents: number; currency: string; reference: string | null }
  | { kind: 'pending'; reference: string | null }
  | { kind: 'failed'; failure: string }
  | { kind: 'cancelled' }
  /** The customer has not finished yet. */
  | { kind: 'open' }

/** What became of money after it was paid. */
export type MoneyEvent =
  /** How much went back in all. */
  | { kind: 'refunded'; reference: string; refundedCents: number }
  | { kind: 'refund failed'; reference: string }
  | { kind: 'disputed'; reference: string }

/** The part of a refund that goes back through one payment. */
export type PartOfRefund = {
  company_id: number
  refund_id: number
  payment_id: number
  amount_cents: number
  status: 'pending' | 'done' | 'failed'
  external_id: string | null
  error: string | null
  /** A part of the key at the gateway. It grows after each refusal, and stays if the outcome is not known. */
  attempt: number
  created_at: Date
  updated_at: Date
}

/** The settings of a gateway as they are stored. */
export type GatewaySettings = {
  company_id: number
  name: GatewayName
  enabled: boolean
  /** How customers pay who are sent a bill. */
  instructions: string
  secrets: Buffer | null
  key_hint: string
  is_test: boolean
  /** Bills that nobody has paid after as many days are cancelled; 0: never. */
  payment_due_days: number
  /** The same in hours for the bill of somebody who has not signed in; 0: no sooner than any other. */
  guest_bill_hours: number
  updated_at: Date
}
