import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before } from 'node:test'
import type { Answer, Service } from './harness.ts'
import { chargeSaved, type Intent, type Money, metadataOf, newCard, newIntent, readMoney } from './stripe-charges.ts'

/** Keys as Stripe gives them out, for this server alone. */
export const STRIPE_KEY = 'sk_live_51NotARealKeyForTests'
/** One that moves no money, as sandboxes take it. */
export const STRIPE_TEST_KEY = 'sk_test_51NotARealKeyForTests'
export const STRIPE_SIGNING = 'whsec_NotARealSecretForTests'

type Form = URLSearchParams
export type Result = { status: number; text: string }
type Kept = { fingerprint: string; at: number; result: Result }

export type Session = {
  id: string
  object: 'checkout.session'
  mode: 'payment' | 'setup'
  url: string
  status: 'open' | 'complete' | 'expired'
  payment_status: 'paid' | 'unpaid' | 'no_payment_required'
  payment_intent: string | null
  setup_intent: string | null
  customer: string | null
  amount_total: number | null
  currency: string | null
  client_reference_id: string
  success_url: string
  expires_at: number
  metadata: Record<string, string>
}

type Refund = {
  id: string
  object: 'refund'
  status: 'succeeded'
  amount: number
  payment_intent: string
  metadata: Record<string, string>
}

/** What a session does with what it is paid with. */
type Plan = { keepsMeans: boolean; metadata: Record<string, string> }

type Trouble = 'fails' | 'fails after' | 'loses the request' | 'loses the answer' | 'none'

export type Endpoint = { id: string; object: 'webhook_endpoint'; url: string; status: string; enabled_events: string[] }

export type FakeStripe = Money & {
  readonly url: string
  readonly sessions: Map<string, Session>
  readonly plans: Map<string, Plan>
  /** Newest first, as Stripe lists them. */
  readonly refunds: Refund[]
  /** Is the balance of the account too small for refunds? */
  isPoor: boolean
  /** The webhooks of the account. Their secrets are STRIPE_SIGNING. */
  readonly endpoints: Map<string, Endpoint>
  /** Requests that were carried out, which a replay is not. */
  readonly done: string[]
  /** The customer pays, or saves a card for later. */
  pay(sessionId: string, changes?: Partial<Session>): Session
  /** What happens to a direct debit after days. */
  finish(intentId: string, changes: Partial<Intent>): Intent
  /** What happens to the next requests: 500 before or after they are carried out, or a lost connection before or after. */
  troubles: Trouble[]
  /** Sends a signed event to the service. */
  send(service: Service, companyId: number, type: string, object: object, options?: SendOptions): Promise<Answer>
}

/** `body` changes the text after it was signed, `signed` replaces it before. */
type SendOptions = {
  secret?: string
  at?: number
  body?: (text: string) => string
  signed?: string
  signature?: string
}

const HALF_HOUR = 1800
const DAY = 86_400

export type StripeServer = { stripe: FakeStripe; start(): Promise<void>; stop(): void }

/** A server that speaks the part of Stripe's protocol that the service uses, and refuses what Stripe refuses. */
export function createStripeServer(now: () => Date): StripeServer {
  let server: Server
  const kept = new Map<string, Kept>()
  let ids = 0
  const newId = (prefix: string) => {
    ids += 1
    return `${prefix}_${ids}`
  }
  const stripe: FakeStripe = {
    get url() {
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    },
    sessions: new Map(),
    plans: new Map(),
    intents: new Map(),
    setups: new Map(),
    methods: new Map(),
    says: new Map(),
    generated: new Map(),
    refunds: [],
    isPoor: false,
    endpoints: new Map(),
    done: [],
    troubles: [],
    pay(sessionId, changes = {}) {
      const session = sessionOf(stripe, sessionId)
      const { keepsMeans, metadata } = stripe.plans.get(sessionId) ?? { keepsMeans: false, metadata: {} }
      const customer = keepsMeans ? newId('cus') : null
      const method = newCard(newId, customer)
      stripe.methods.set(method.id, method)
      const paid: Session = { ...session, customer, status: 'complete' }
      if (session.mode === 'setup') {
        const known = { object: 'setup_intent', status: 'succeeded', latest_attempt: null } as const
        const setup = { id: newId('seti'), ...known, customer, payment_method: method.id }
        stripe.setups.set(setup.id, setup)
        Object.assign(paid, { setup_intent: setup.id })
      } else {
        const { amount_total, currency } = session
        const money = { amount: amount_total ?? 0, currency: currency ?? '' }
        const intent = newIntent(newId, { ...money, customer, payment_method: method.id, metadata })
        stripe.intents.set(intent.id, intent)
        Object.assign(paid, { payment_status: 'paid', payment_intent: intent.id })
      }
      Object.assign(paid, changes)
      stripe.sessions.set(sessionId, paid)
      return paid
    },
    finish(intentId, changes) {
      const intent = stripe.intents.get(intentId)
      if (intent === undefined) throw new Error(`there is no intent ${intentId}`)
      const finished = { ...intent, ...changes }
      stripe.intents.set(intentId, finished)
      return finished
    },
    send(
      service,
      companyId,
      type,
      object,
      { secret = STRIPE_SIGNING, at = Date.now() / 1000, body, signed, signature } = {},
    ) {
      const time = Math.floor(at)
      const event = { id: newId('evt'), object: 'event', api_version: '2025-01-01', created: time, type }
      const text = signed ?? JSON.stringify({ ...event, data: { object } })
      const v1 = createHmac('sha256', secret).update(`${time}.${text}`).digest('hex')
      const headers = { 'content-type': 'application/json', 'stripe-signature': signature ?? `t=${time},v1=${v1}` }
      return service.call('POST', `/payments/${companyId}/stripe`, { body: body?.(text) ?? text, headers })
    },
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = Buffer.concat(await Array.fromAsync(request)).toString()
    const { method = '', url = '', headers } = request
    const key = headers['idempotency-key']
    const trouble = stripe.troubles.shift()
    if (trouble === 'loses the request') return void request.socket.destroy()
    const at = now().getTime() / 1000
    const { isReplayed, result } = keyed(kept, key, { fingerprint: `${method} ${url} ${text}`, at }, () => {
      if (trouble === 'fails') return FAILED
      const done = carryOut(stripe, newId, { method, url, headers, form: new URLSearchParams(text), at })
      return trouble === 'fails after' ? FAILED : done
    })
    if (trouble === 'loses the answer') return void request.socket.destroy()
    end(response, result, isReplayed)
  }

  return {
    stripe,
    async start() {
      server = createServer((request, response) => void answer(request, response))
      server.listen(0, '127.0.0.1')
      await once(server, 'listening')
    },
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** The server, for the tests of a file. */
export function useStripe(now: () => Date): FakeStripe {
  const { stripe, start, stop } = createStripeServer(now)
  before(start)
  after(stop)
  return stripe
}

function end(response: ServerResponse, { status, text }: Result, isReplayed: boolean): void {
  const headers = { 'content-type': 'application/json', 'stripe-should-retry': 'false' }
  response.writeHead(status, isReplayed ? { ...headers, 'idempotent-replayed': 'true' } : headers)
  response.end(text)
}

function failure(type: string, message: string, code?: string): string {
  return JSON.stringify({ error: { type, message, code } })
}

const FAILED: Result = { status: 500, text: failure('api_error', 'Something went wrong on our end.') }

/** For a day the same key answers as before, also with a failure; with another request it is refused. */
function keyed(
  kept: Map<string, Kept>,
  key: string | string[] | undefined,
  { fingerprint, at }: Pick<Kept, 'fingerprint' | 'at'>,
  work: () => Result,
): { isReplayed: boolean; result: Result } {
  if (typeof key !== 'string') return { isReplayed: false, result: work() }
  const known = kept.get(key)
  const isKnown = known !== undefined && at - known.at < DAY
  if (isKnown && known.fingerprint === fingerprint) return { isReplayed: true, result: known.result }
  if (isKnown) {
    const text = failure('idempotency_error', 'Keys can only be used with the same parameters.')
    return { isReplayed: false, result: { status: 400, text } }
  }
  const result = work()
  if (result.status !== 401) kept.set(key, { fingerprint, at, result })
  return { isReplayed: false, result }
}

type Call = { method: string; url: string; headers: IncomingMessage['headers']; form: Form; at: number }

function carryOut(stripe: FakeStripe, newId: (prefix: string) => string, call: Call): Result {
  const { method, url, headers } = call
  const refuse: Refuse = (message, code, status = 400) => ({
    status,
    text: failure('invalid_request_error', message, code),
  })
  if (![STRIPE_KEY, STRIPE_TEST_KEY].some((key) => headers.authorization === `Bearer ${key}`))
    return { status: 401, text: failure('invalid_request_error', 'Invalid API Key provided.') }
  if (headers['stripe-version'] === undefined) return refuse('Name a version.')
  if (method === 'GET' && url === '/v1/account')
    return {
      status: 200,
      text: JSON.stringify({ id: 'acct_1', object: 'account', business_profile: { name: 'Kino Nord' } }),
    }
  const [, isEndpoint, endpointId] = /^(\/v1\/webhook_endpoints)(?:\/(\w+))?(?:\?|$)/.exec(url) ?? []
  if (isEndpoint !== undefined) return endpoints(stripe, newId, call, endpointId, refuse)
  const known = /^\/v1\/checkout\/sessions\/(\w+)$/.exec(url)?.[1]
  if (method === 'GET' && known !== undefined) {
    const session = stripe.sessions.get(known)
    return session === undefined
      ? refuse('No such session.', 'resource_missing', 404)
      : { status: 200, text: JSON.stringify(session) }
  }
  const address = new URL(url, stripe.url)
  if (method === 'GET' && address.pathname === '/v1/refunds')
    return listRefunds(stripe, address.searchParams.get('payment_intent'))
  const read = method === 'GET' ? readMoney(stripe, address, refuse) : undefined
  if (read !== undefined) return read
  if (method !== 'POST' || headers['content-type'] !== 'application/x-www-form-urlencoded')
    return refuse('Send a form.')
  if (headers['idempotency-key'] === undefined) return refuse('This server wants a key for every change.')
  if (url === '/v1/checkout/sessions') return openSession(stripe, newId, call, refuse)
  const ending = /^\/v1\/checkout\/sessions\/(\w+)\/expire$/.exec(url)?.[1]
  if (ending !== undefined) return expireSession(stripe, ending, refuse)
  if (url === '/v1/payment_intents') return chargeSaved(stripe, newId, call.form, refuse)
  if (url === '/v1/refunds') return refundIntent(stripe, newId, call.form, refuse)
  return refuse(`Unrecognized request URL (${method}: ${url}).`)
}

export type Refuse = (message: string, code?: string, status?: number) => Result

function endpoints(
  stripe: FakeStripe,
  newId: (prefix: string) => string,
  { method, form }: Call,
  id: string | undefined,
  refuse: Refuse,
) {
  const done = (body: object) => ({ status: 200, text: JSON.stringify(body) })
  if (method === 'GET') return done({ object: 'list', has_more: false, data: [...stripe.endpoints.values()] })
  if (method === 'DELETE')
    return stripe.endpoints.delete(id ?? '') ? done({ id, deleted: true }) : refuse('No such webhook endpoint.')
  const known = stripe.endpoints.get(id ?? '')
  if (known !== undefined) {
    stripe.endpoints.set(known.id, { ...known, enabled_events: eventsIn(form) })
    return done({ ...known, enabled_events: eventsIn(form) })
  }
  const url = form.get('url') ?? ''
  if (!URL.canParse(url) || /^(localhost|127\.|.*\.localhost)/.test(new URL(url).hostname))
    return refuse('Invalid URL: URL must be publicly accessible.', 'url_invalid')
  const events = eventsIn(form)
  if (events.length === 0) return refuse('Missing required param: enabled_events.')
  const endpoint = {
    id: newId('we'),
    object: 'webhook_endpoint',
    url,
    status: 'enabled',
    enabled_events: events,
  } as const
  stripe.endpoints.set(endpoint.id, endpoint)
  return done({ ...endpoint, secret: STRIPE_SIGNING })
}

const eventsIn = (form: Form) =>
  [...form].flatMap(([name, value]) => (name.startsWith('enabled_events[') ? [value] : []))

function openSession(stripe: FakeStripe, newId: (prefix: string) => string, { form, at }: Call, refuse: Refuse) {
  const isSetup = form.get('mode') === 'setup'
  const expires = Number(form.get('expires_at')) - at
  const unit = Number(form.get('line_items[0][price_data][unit_amount]'))
  const currency = form.get(isSetup ? 'currency' : 'line_items[0][price_data][currency]') ?? ''
  const use = form.get('payment_intent_data[setup_future_usage]')
  const creation = form.get('customer_creation')
  if (!isSetup && (form.get('mode') !== 'payment' || form.get('line_items[0][quantity]') !== '1'))
    return refuse('Unknown session.')
  if (!/^[a-z]{3}$/.test(currency)) return refuse('Invalid currency.')
  const foreign = isSetup ? /^(line_items|payment_intent_data)\[/ : /^setup_intent_data\[/
  if ([...form.keys()].some((name) => foreign.test(name))) return refuse('You can not pass this in this mode.')
  if (!isSetup && (!Number.isSafeInteger(unit) || unit < 1))
    return refuse('Invalid integer.', 'parameter_invalid_integer')
  if (!isSetup && unit < 50) return refuse('The amount is too small.', 'amount_too_small')
  if (creation !== null && creation !== 'always' && creation !== 'if_required') return refuse('Unknown creation.')
  if (use !== null && use !== 'off_session' && use !== 'on_session') return refuse('Unknown use.')
  if (!URL.canParse(form.get('success_url') ?? '') || !URL.canParse(form.get('cancel_url') ?? ''))
    return refuse('Not a valid URL.', 'url_invalid')
  if (expires < HALF_HOUR - 60 || expires > DAY) return refuse('expires_at is out of range.')
  const id = newId('cs')
  const session: Session = {
    id,
    object: 'checkout.session',
    mode: isSetup ? 'setup' : 'payment',
    url: `https://checkout.stripe.com/c/pay/${id}`,
    status: 'open',
    // Nothing is paid in a session that only saves a card, so it needs no payment, has no amount and names no currency.
    payment_status: isSetup ? 'no_payment_required' : 'unpaid',
    payment_intent: null,
    setup_intent: null,
    customer: null,
    amount_total: isSetup ? null : unit,
    currency: isSetup ? null : currency,
    client_reference_id: form.get('client_reference_id') ?? '',
    success_url: form.get('success_url') ?? '',
    expires_at: Number(form.get('expires_at')),
    metadata: metadataOf(form),
  }
  stripe.sessions.set(id, session)
  stripe.plans.set(id, {
    keepsMeans: creation === 'always' && (isSetup || use === 'off_session'),
    metadata: metadataOf(form, 'payment_intent_data[metadata]'),
  })
  stripe.done.push(isSetup ? 'setup session' : `session ${unit} ${currency}`)
  return { status: 200, text: JSON.stringify(session) }
}

function expireSession(stripe: FakeStripe, id: string, refuse: Refuse) {
  const session = stripe.sessions.get(id)
  if (session === undefined) return refuse('No such session.', 'resource_missing')
  if (session.status !== 'open') return refuse('Only Checkout Sessions with a status in ["open"] can be expired.')
  const expired: Session = { ...session, status: 'expired' }
  stripe.sessions.set(id, expired)
  stripe.done.push(`expire ${id}`)
  return { status: 200, text: JSON.stringify(expired) }
}

function refundIntent(stripe: FakeStripe, newId: (prefix: string) => string, form: Form, refuse: Refuse) {
  const intent = stripe.intents.get(form.get('payment_intent') ?? '')
  const amount = Number(form.get('amount'))
  if (intent === undefined) return refuse('No such payment_intent.', 'resource_missing')
  if (!Number.isSafeInteger(amount) || amount < 1) return refuse('Invalid positive integer.')
  if (intent.refunded === intent.amount) return refuse('The charge is refunded.', 'charge_already_refunded')
  if (intent.refunded + amount > intent.amount) return refuse('The amount is greater than what is left.')
  if (stripe.isPoor) return refuse('Insufficient funds in your Stripe account.', 'balance_insufficient', 402)
  intent.refunded += amount
  stripe.done.push(`refund ${amount} ${intent.currency}`)
  const known = { object: 'refund', status: 'succeeded', amount, payment_intent: intent.id } as const
  const refund: Refund = { id: newId('re'), ...known, metadata: metadataOf(form) }
  stripe.refunds.unshift(refund)
  return { status: 200, text: JSON.stringify(refund) }
}

function listRefunds({ refunds }: FakeStripe, intent: string | null): Result {
  const data = refunds.filter(({ payment_intent }) => payment_intent === intent)
  return { status: 200, text: JSON.stringify({ object: 'list', url: '/v1/refunds', has_more: false, data }) }
}

function sessionOf({ sessions }: FakeStripe, id: string): Session {
  const session = sessions.get(id)
  if (session === undefined) throw new Error(`there is no session ${id}`)
  return session
}
