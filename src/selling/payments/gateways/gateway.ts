import type { Static, TSchema } from 'typebox'
import type { Outbound } from '#platform/outbound/outbound.ts'
import type { GatewaySettings, MoneyEvent, PaymentState, Report } from '../state.ts'

/** What a gateway shows to the customer, and where it sends the customer afterwards. */
export type PaymentContext = {
  /** The order in words, such as `Order #1042`. */
  description: string
  email: string
  language: string
  /** Absolute addresses of the shop. */
  returnUrl: string
  cancelUrl: string
  /** The number of a test card. Only a gateway with `cards` reads it. */
  card: string | undefined
  /**
   * Has the customer agreed that later periods are charged without asking again? Then the gateway saves what is paid with, and
   * the payment may be one of 0 that only does that, as for a free trial. It is said the same of a payment every time.
   */
  keepsMeans?: boolean
}

/** By what a customer knows the means of payment that a gateway has saved. The words are made elsewhere. */
export type Means = {
  /** A name that is the same in all languages, such as `Visa`, `SEPA` or `PayPal`. */
  brand: string
  /** The end of the number of the card or account; null: it has none. */
  last4: string | null
  /** The last month of a card, such as `2028-09`; null: it has none. */
  expires: string | null
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

/** What became of a charge without the customer. */
export type Charged = Extract<Report, { kind: 'paid' | 'pending' | 'failed' }>

/** News from a gateway. Payments are known by the id that they were started with, or by the reference of their money. */
export type GatewayEvent = { kind: 'report'; paymentId: number; report: Report } | MoneyEvent

export type WebhookRequest = { headers: Readonly<Record<string, string | string[] | undefined>>; body: Buffer }

/**
 * One way to pay, as a company has set it up. Every function can be called again with the same payment, after a crash or at
 * the same time, and does nothing twice. What it throws is a failure of the connection, and worth another try.
 */
export type Gateway = {
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
  /**
   * Charges the means of an earlier payment once more, for a new payment and without the customer. The earlier one is that with
   * which the means were saved, or one that they were charged for since; a payment always comes with the same. `attempt` counts
   * the attempts to pay the order of the payment, from 1.
   *
   * `paid`, `pending` and `failed` are final: the fate of the payment is known. `authentication_required` is the failure of a
   * bank that wants the customer to confirm. If it throws, nobody knows whether the means were charged: it is called again with
   * the same payment, which charges nothing twice, however much later, before anything else is done about the order.
   *
   * Absent: the gateway keeps no means of payment, and the customer has to act.
   */
  chargeAgain?(earlier: PaymentState, payment: PaymentState, attempt: number): Promise<Charged>
  /** What an earlier payment was paid with, as `chargeAgain` takes it; null: the gateway has it no longer. */
  describeMeans?(earlier: PaymentState): Promise<Means | null>
  /** The news in a request of the gateway; undefined if the gateway did not send it. */
  readWebhook(request: WebhookRequest): Promise<GatewayEvent[] | undefined>
}

/** The secrets of a company at a gateway, by the names of their fields. */
export type Keys = Readonly<Record<string, string>>

/** A secret that owners copy from the dashboard of a gateway. */
export type KeyFacts = {
  /** Its field in the settings. */
  field: string
  form: RegExp
  /** How it begins. */
  example: string
}

/** An option of the command line that sets a field of the settings. Secrets are read from files. */
export type OptionFacts = {
  flag: string
  field: string
  about: string
  reads: 'text' | 'file' | { unit: string; max: number }
}

/** The settings of a gateway and what depends on them. `enabled` is false as long as a key is missing. */
export type Shown = Pick<
  GatewaySettings,
  'enabled' | 'instructions' | 'payment_due_days' | 'guest_bill_hours' | 'key_hint' | 'is_test'
> & { keys: Keys; webhookUrl: string }

/** What a gateway is opened with. */
export type Connection = {
  companyId: number
  /** Undefined: the company has never set it. */
  settings: GatewaySettings | undefined
  /** Undefined: there are none, or they cannot be read any more. */
  keys: Keys | undefined
  /** The address of its API. */
  url: string
  /** The address to which it sends its news. */
  webhookUrl: string
  outbound: Outbound
  /** How far the clock of a sandbox is ahead of the machine. */
  aheadMs: number
}

/** What a gateway says to a key that an owner has just copied. Reasons are in the words of the gateway. */
export type Connected =
  | {
      kind: 'connected'
      /** Whose account it is; empty if the key may not read that. */
      account: string
      /** Secrets that the gateway gave out. */
      keys: Keys
      /** Why the gateway will not send its news; absent: it will. */
      webhookRefusal?: string
    }
  | { kind: 'refused'; reason: string }

/** The cards of a gateway that is a part of this program, so that its answer is known while an order is placed. */
export type Cards = {
  /** Does the card pay without another step? */
  paysAtOnce(card: string): boolean
  answer(payment: PaymentState, card: string): Exclude<Started, { kind: 'redirect' }>
}

/** What there is to know of a way to pay. GATEWAYS lists them all. */
export type GatewayKind<
  Name extends string = string,
  Settings extends TSchema = TSchema,
  Input extends TSchema = TSchema,
> = {
  /** As orders and payments show it. Stored rows contain it, so it never changes. */
  name: Name
  /** What owners read, without secrets. */
  settings: Settings
  /** What owners change: columns of the stored settings, and the fields of `keys`. */
  input: Input
  /** Without the first of them it cannot be turned on, and its end is shown. Empty: it needs none. */
  keys: readonly KeyFacts[]
  /** Does a key move no money? */
  isTestKey?(key: string): boolean
  /** Does it never move money? Then it is offered only where no other gateway is. */
  isPretended: boolean
  /** Are its news signed? Otherwise anybody can send some, and those about nothing are counted. */
  signsNews: boolean
  /** Does the customer leave the shop to pay? */
  isElsewhere: boolean
  cards?: Cards
  /** The address of its API. Absent: it calls nobody. */
  apiUrl?: string
  show(shown: Shown): Static<Settings>
  /** What `licet payments` says of it, in lines. */
  inWords(settings: Static<Settings>): string[]
  /** What its option, which turns it on or off, is about. */
  about: string
  options: readonly OptionFacts[]
  /** Checks the keys, and has the gateway send its news to us. Absent: it has no keys. */
  connect?(connection: Connection): Promise<Connected>
  /** Undefined: it cannot be used as the company has set it up. */
  open(connection: Connection): Gateway | undefined
}
