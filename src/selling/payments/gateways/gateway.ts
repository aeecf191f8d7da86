import type { GatewayName, MoneyEvent, PaymentState, Report } from '../state.ts'

/** What a gateway shows to the customer, and where it sends the customer afterwards. */
export type PaymentContext = {
  /** The order in words, such as `Order #1042`. */
  description: string
  email: string
  language: string
  /** Absolute addresses of the shop. */
  returnUrl: string
  cancelUrl: string
  /** The number of a test card. Only the Test gateway reads it. */
  card: string | undefined
}

/** How a payment goes on after its start. */
export type Started =
  | { kind: 'redirect'; url: string; externalId: string }
  /** The page of the shop asks for the second step, and `confirm` takes the answer. */
  | { kind: 'step' }
  | { kind: 'reported'; report: Report }

/** What the customer answers to a second step. */
export type Answer = { approved?: boolean | undefined }

/** `isFinal`: the gateway has said no, and would say so again to the same key. Otherwise nobody knows. */
export type Returned = { kind: 'done'; externalId: string } | { kind: 'refused'; reason: string; isFinal: boolean }

/** News from a gateway. Payments are known by the id that they were started with, or by the reference of their money. */
export type GatewayEvent = { kind: 'report'; paymentId: number; report: Report } | MoneyEvent

export type WebhookRequest = { headers: Readonly<Record<string, string | string[] | undefined>>; body: Buffer }

/**
 * One way to pay. Every function can be called again with the same payment, after a crash or at the same time, and does
 * nothing twice. What it throws is a failure of the connection, and worth another try.
 */
export type Gateway = {
  name: GatewayName
  create(payment: PaymentState, context: PaymentContext): Promise<Started>
  /** Asks what has become of a payment, with the answer of the customer to a second step. */
  confirm(payment: PaymentState, answer: Answer): Promise<Report>
  /**
   * Ends an attempt that the customer has not finished, because another one follows or the order was cancelled, and says
   * what became of it. Absent: nobody can finish an attempt outside the shop.
   */
  expire?(payment: PaymentState): Promise<Report>
  /** Returns money. A second call with the same key returns nothing more. */
  refund(payment: PaymentState, amountCents: number, key: string): Promise<Returned>
  /** The news in a request of the gateway; undefined if the gateway did not send it. */
  readWebhook(request: WebhookRequest): Promise<GatewayEvent[] | undefined>
}
