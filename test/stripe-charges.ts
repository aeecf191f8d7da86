import type { Refuse, Result } from './stripe.ts'

/** A card of the local Stripe, or another means of payment. */
export type Method = {
  id: string
  object: 'payment_method'
  type: 'card' | 'sepa_debit' | 'ideal'
  /** Null: it can be charged no longer. */
  customer: string | null
  card?: { brand: string; display_brand: string; last4: string; exp_month: number; exp_year: number }
  sepa_debit?: { last4: string }
  ideal?: object
}

type Declined = { type: 'card_error'; code: string; decline_code?: string; message: string }

export type Intent = {
  id: string
  object: 'payment_intent'
  status: 'succeeded' | 'processing' | 'requires_payment_method'
  amount: number
  amount_received: number
  currency: string
  customer: string | null
  payment_method: string | null
  latest_charge: string | null
  last_payment_error: Declined | null
  metadata: Record<string, string>
  /** What went back, in all. Stripe has it at the charge. */
  refunded: number
}

export type Setup = {
  id: string
  object: 'setup_intent'
  status: 'succeeded'
  customer: string | null
  payment_method: string | null
  latest_attempt: string | null
}

/** What a bank says to the next charges of a means of payment. Nothing: it pays. */
export type Says = 'processing' | { code: string; decline_code?: string }

export type Money = {
  intents: Map<string, Intent>
  setups: Map<string, Setup>
  methods: Map<string, Method>
  /** By means of payment. */
  says: Map<string, Says>
  /** Direct debits that single-use means have left, by the means. */
  generated: Map<string, string>
  done: string[]
}

export type NewId = (prefix: string) => string

type Form = URLSearchParams

const ok = (body: object): Result => ({ status: 200, text: JSON.stringify(body) })

/** A new card. */
export function newCard(newId: NewId, customer: string | null): Method {
  const card = { brand: 'visa', display_brand: 'visa', last4: '4242', exp_month: 9, exp_year: 2028 }
  return { id: newId('pm'), object: 'payment_method', type: 'card', customer, card }
}

export function newIntent(newId: NewId, given: Pick<Intent, 'amount' | 'currency'> & Partial<Intent>): Intent {
  return {
    id: newId('pi'),
    object: 'payment_intent',
    status: 'succeeded',
    amount_received: given.amount,
    customer: null,
    payment_method: null,
    latest_charge: newId('ch'),
    last_payment_error: null,
    metadata: {},
    refunded: 0,
    ...given,
  }
}

export function metadataOf(form: Form, prefix = 'metadata'): Record<string, string> {
  const entries = [...form].flatMap(([name, value]) => {
    const key = name.startsWith(`${prefix}[`) && name.endsWith(']') ? name.slice(prefix.length + 1, -1) : undefined
    return key === undefined || key.includes('[') ? [] : [[key, value]]
  })
  return Object.fromEntries(entries)
}

/** Reads of intents and means of payment; undefined if the request is another one. */
export function readMoney(money: Money, url: URL, refuse: Refuse): Result | undefined {
  const [, kind, id] = /^\/v1\/(payment_intents|setup_intents|payment_methods)(?:\/(\w+))?$/.exec(url.pathname) ?? []
  if (kind === undefined) return undefined
  const isExpanded = [...url.searchParams.keys()].some((name) => name.startsWith('expand['))
  if (id === undefined) return kind === 'payment_intents' ? listIntents(money, url.searchParams) : undefined
  const found = { payment_intents: money.intents, setup_intents: money.setups, payment_methods: money.methods }[kind]
  const object = found?.get(id)
  if (object === undefined) return refuse(`No such ${kind}: '${id}'`, 'resource_missing', 404)
  return ok(isExpanded && 'payment_method' in object ? expand(money, object) : object)
}

function listIntents({ intents }: Money, params: URLSearchParams): Result {
  const customer = params.get('customer')
  const limit = Number(params.get('limit') ?? 10)
  const all = [...intents.values()].reverse().filter((intent) => customer === null || intent.customer === customer)
  return ok({ object: 'list', url: '/v1/payment_intents', has_more: all.length > limit, data: all.slice(0, limit) })
}

function expand({ methods, generated }: Money, intent: Intent | Setup): object {
  const method = methods.get(intent.payment_method ?? '') ?? null
  const left = generated.get(method?.id ?? '')
  const payment_method_details = method && {
    type: method.type,
    [method.type]: left === undefined ? {} : { generated_sepa_debit: left },
  }
  const part = { id: 'latest', payment_method_details }
  const latest = intent.object === 'setup_intent' ? { latest_attempt: part } : { latest_charge: part }
  return { ...intent, payment_method: method, ...latest }
}

/** Makes a charge without the customer. Like Stripe, it keeps an intent whose charge was declined. */
export function chargeSaved(money: Money, newId: NewId, form: Form, refuse: Refuse): Result {
  const method = money.methods.get(form.get('payment_method') ?? '')
  const amount = Number(form.get('amount'))
  const currency = form.get('currency') ?? ''
  const customer = form.get('customer')
  if (form.get('confirm') !== 'true' || form.get('off_session') !== 'true')
    return refuse('This server takes charges without the customer only.')
  if (!URL.canParse(form.get('return_url') ?? '')) return refuse('Provide a return_url.')
  if (form.has('payment_method_types[0]')) return refuse('Received unknown parameter: payment_method_types')
  if (!Number.isSafeInteger(amount) || amount < 1) return refuse('Invalid integer.', 'parameter_invalid_integer')
  if (amount < 50) return refuse('The amount is too small.', 'amount_too_small')
  if (!/^[a-z]{3}$/.test(currency)) return refuse('Invalid currency.')
  if (method === undefined) return refuse('No such PaymentMethod.', 'resource_missing')
  if (customer === null || method.customer !== customer)
    return refuse('The payment method must be attached to the customer.', 'payment_method_customer_mismatch')
  if (method.type === 'ideal') return refuse('The payment method can be used once.', 'payment_method_not_available')
  const says = money.says.get(method.id)
  const known = { amount, currency, customer, payment_method: method.id, metadata: metadataOf(form) }
  if (says instanceof Object) {
    const last_payment_error = { type: 'card_error' as const, message: 'Your card was declined.', ...says }
    const state = { status: 'requires_payment_method', payment_method: null, amount_received: 0 } as const
    const intent = newIntent(newId, { ...known, ...state, last_payment_error })
    money.intents.set(intent.id, intent)
    money.done.push(`decline ${says.decline_code ?? says.code}`)
    return { status: 402, text: JSON.stringify({ error: { ...last_payment_error, payment_intent: intent } }) }
  }
  const state = says === 'processing' ? ({ status: says, amount_received: 0 } as const) : {}
  const intent = newIntent(newId, { ...known, ...state })
  money.intents.set(intent.id, intent)
  money.done.push(`charge ${amount} ${currency}`)
  return ok(intent)
}
