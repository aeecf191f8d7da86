import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before } from 'node:test'
import type { Answer, Service } from './harness.ts'

/** Keys as Stripe gives them out, for this server alone. */
export const STRIPE_KEY = 'sk_live_51NotARealKeyForTests'
export const STRIPE_SIGNING = 'whsec_NotARealSecretForTests'

type Form = URLSearchParams
type Kept = { fingerprint: string; status: number; text: string }

export type Session = {
  id: string
  object: 'checkout.session'
  url: string
  status: 'open' | 'complete' | 'expired'
  payment_status: 'paid' | 'unpaid'
  payment_intent: string | null
  amount_total: number
  currency: string
  client_reference_id: string
  success_url: string
  expires_at: number
  metadata: Record<string, string>
}

type Intent = { id: string; amount: number; currency: string; refunded: number }

export type Endpoint = { id: string; object: 'webhook_endpoint'; url: string; status: string; enabled_events: string[] }

export type FakeStripe = {
  readonly url: string
  readonly sessions: Map<string, Session>
  readonly intents: Map<string, Intent>
  /** The webhooks of the account. Their secrets are STRIPE_SIGNING. */
  readonly endpoints: Map<string, Endpoint>
  /** Requests that were carried out, which a replay is not. */
  readonly done: string[]
  /** The customer pays. */
  pay(sessionId: string, changes?: Partial<Session>): Session
  /** What happens to the next requests: 500 before they are carried out, or a lost connection after. */
  troubles: ('fails' | 'loses the answer')[]
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
    intents: new Map(),
    endpoints: new Map(),
    done: [],
    troubles: [],
    pay(sessionId, changes = {}) {
      const session = sessionOf(stripe, sessionId)
      const intent = { id: newId('pi'), amount: session.amount_total, currency: session.currency, refunded: 0 }
      stripe.intents.set(intent.id, intent)
      const paid: Session = {
        ...session,
        status: 'complete',
        payment_status: 'paid',
        payment_intent: intent.id,
        ...changes,
      }
      stripe.sessions.set(sessionId, paid)
      return paid
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
    const result = keyed(kept, typeof key === 'string' ? `${url} ${key}` : undefined, text, () =>
      trouble === 'fails'
        ? { status: 500, text: failure('api_error', 'Something went wrong on our end.') }
        : carryOut(stripe, newId, {
            method,
            url,
            headers,
            form: new URLSearchParams(text),
            at: now().getTime() / 1000,
          }),
    )
    if (trouble === 'loses the answer') return void request.socket.destroy()
    end(response, result.status, result.text)
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

function end(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'application/json', 'stripe-should-retry': 'false' })
  response.end(text)
}

function failure(type: string, message: string, code?: string): string {
  return JSON.stringify({ error: { type, message, code } })
}

/** The same key answers as before; with another request it is refused. */
function keyed(kept: Map<string, Kept>, key: string | undefined, text: string, work: () => Omit<Kept, 'fingerprint'>) {
  const known = key === undefined ? undefined : kept.get(key)
  if (known !== undefined && known.fingerprint !== text)
    return { status: 400, text: failure('idempotency_error', 'Keys can only be used with the same parameters.') }
  if (known !== undefined) return known
  const result = work()
  if (key !== undefined) kept.set(key, { ...result, fingerprint: text })
  return result
}

type Call = { method: string; url: string; headers: IncomingMessage['headers']; form: Form; at: number }

function carryOut(stripe: FakeStripe, newId: (prefix: string) => string, call: Call): { status: number; text: string } {
  const { method, url, headers } = call
  const refuse = (message: string, code?: string) => ({
    status: 400,
    text: failure('invalid_request_error', message, code),
  })
  if (headers.authorization !== `Bearer ${STRIPE_KEY}`)
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
      ? { status: 404, text: failure('invalid_request_error', 'No such session.', 'resource_missing') }
      : { status: 200, text: JSON.stringify(session) }
  }
  if (method !== 'POST' || headers['content-type'] !== 'application/x-www-form-urlencoded')
    return refuse('Send a form.')
  if (headers['idempotency-key'] === undefined) return refuse('This server wants a key for every change.')
  if (url === '/v1/checkout/sessions') return openSession(stripe, newId, call, refuse)
  const ending = /^\/v1\/checkout\/sessions\/(\w+)\/expire$/.exec(url)?.[1]
  if (ending !== undefined) return expireSession(stripe, ending, refuse)
  if (url === '/v1/refunds') return refundIntent(stripe, newId, call.form, refuse)
  return refuse(`Unrecognized request URL (${method}: ${url}).`)
}

type Refuse = (message: string, code?: string) => { status: number; text: string }

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
  const url = form.get('url') ?? ''
  if (!URL.canParse(url) || /^(localhost|127\.|.*\.localhost)/.test(new URL(url).hostname))
    return refuse('Invalid URL: URL must be publicly accessible.', 'url_invalid')
  const events = [...form].flatMap(([name, value]) => (name.startsWith('enabled_events[') ? [value] : []))
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

function openSession(stripe: FakeStripe, newId: (prefix: string) => string, { form, at }: Call, refuse: Refuse) {
  const unit = Number(form.get('line_items[0][price_data][unit_amount]'))
  const currency = form.get('line_items[0][price_data][currency]') ?? ''
  const expires = Number(form.get('expires_at')) - at
  if (form.get('mode') !== 'payment' || form.get('line_items[0][quantity]') !== '1') return refuse('Unknown session.')
  if (!Number.isSafeInteger(unit) || unit < 1) return refuse('Invalid integer.', 'parameter_invalid_integer')
  if (!/^[a-z]{3}$/.test(currency)) return refuse('Invalid currency.')
  if (unit < 50) return refuse('The amount is too small.', 'amount_too_small')
  if (!URL.canParse(form.get('success_url') ?? '') || !URL.canParse(form.get('cancel_url') ?? ''))
    return refuse('Not a valid URL.', 'url_invalid')
  if (expires < HALF_HOUR - 60 || expires > DAY) return refuse('expires_at is out of range.')
  const id = newId('cs')
  const session: Session = {
    id,
    object: 'checkout.session',
    url: `https://checkout.stripe.com/c/pay/${id}`,
    status: 'open',
    payment_status: 'unpaid',
    payment_intent: null,
    amount_total: unit,
    currency,
    client_reference_id: form.get('client_reference_id') ?? '',
    success_url: form.get('success_url') ?? '',
    expires_at: Number(form.get('expires_at')),
    metadata: metadataOf(form),
  }
  stripe.sessions.set(id, session)
  stripe.done.push(`session ${unit} ${currency}`)
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
  intent.refunded += amount
  stripe.done.push(`refund ${amount} ${intent.currency}`)
  const refund = { id: newId('re'), object: 'refund', status: 'succeeded', amount, payment_intent: intent.id }
  return { status: 200, text: JSON.stringify({ ...refund, metadata: metadataOf(form) }) }
}

function metadataOf(form: Form): Record<string, string> {
  const entries = [...form].flatMap(([name, value]) => {
    const key = /^metadata\[(\w+)\]$/.exec(name)?.[1]
    return key === undefined ? [] : [[key, value]]
  })
  return Object.fromEntries(entries)
}

function sessionOf({ sessions }: FakeStripe, id: string): Session {
  const session = sessions.get(id)
  if (session === undefined) throw new Error(`there is no session ${id}`)
  return session
}
