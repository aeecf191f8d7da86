import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before } from 'node:test'
import type { Answer, Service } from './harness.ts'
import {
  type Customer,
  charged,
  type Mandate,
  openCustomer,
  readOfCustomer,
  refusalOf,
  type Said,
  withMandate,
} from './mollie-recurring.ts'

/** Keys as Mollie gives them out, for this server alone. */
export const MOLLIE_KEY = 'live_NotARealKeyForTests0123456789ab'
export const MOLLIE_TEST_KEY = 'test_NotARealKeyForTests0123456789ab'

type Amount = { currency: string; value: string }
type Kept = { at: number; text: string; result: MollieResult }
export type MollieResult = { status: number; body: object }

export type MolliePayment = {
  resource: 'payment'
  id: string
  mode: 'live' | 'test'
  status: string
  isCancelable: boolean
  amount: Amount
  amountRefunded?: Amount
  amountChargedBack?: Amount
  description: string
  method: string | null
  metadata: unknown
  details: object | null
  redirectUrl: string
  webhookUrl?: string
  locale?: string
  sequenceType: 'oneoff' | 'first' | 'recurring'
  customerId?: string | undefined
  mandateId?: string | undefined
  _links: object
}

export type MollieRefund = {
  resource: 'refund'
  id: string
  status: string
  amount: Amount
  paymentId: string
  metadata: unknown
  createdAt: string
}

type Trouble = 'fails' | 'loses the request' | 'loses the answer' | 'refuses after'

export type FakeMollie = {
  readonly url: string
  readonly payments: Map<string, MolliePayment>
  readonly customers: Map<string, Customer>
  readonly mandates: Map<string, Mandate>
  /** By mandate. */
  readonly says: Map<string, Said>
  /** Newest first, as Mollie lists them. */
  readonly refunds: MollieRefund[]
  /** Requests that were carried out, which a replay is not. */
  readonly done: string[]
  /** Something happens to a payment, such as `{ status: 'paid' }`. */
  change(id: string, changes: Partial<MolliePayment>): MolliePayment
  /** What happens to the next requests: 500 before they are carried out, a lost connection, or a refusal of what is done. */
  troubles: (Trouble | 'none')[]
  /** The status of the next refunds, if it is not `pending`. */
  refundStatuses: string[]
  /** Tells the service that something has happened to a payment. */
  send(service: Service, companyId: number, id: string): Promise<Answer>
}

export type MollieServer = { mollie: FakeMollie; start(): Promise<void>; stop(): void }

const HOUR_MS = 3_600_000
const ZERO_DECIMALS = ['ISK', 'JPY']
/** What nobody reaches from outside. */
const NEARBY = /^(localhost|[\d.]+|\[.*\])$/
/** None of the methods of this account takes less. */
const CENTS_MIN = 100

/** A server that speaks the part of Mollie's protocol that the service uses, and refuses what Mollie refuses. */
export function createMollieServer(now: () => Date): MollieServer {
  let server: Server
  const kept = new Map<string, Kept>()
  let ids = 0
  const newId = (prefix: string) => {
    ids += 1
    return `${prefix}_${String(ids).padStart(10, '0')}`
  }
  const mollie: FakeMollie = {
    get url() {
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    },
    payments: new Map(),
    customers: new Map(),
    mandates: new Map(),
    says: new Map(),
    refunds: [],
    done: [],
    troubles: [],
    refundStatuses: [],
    change(id, changes) {
      const payment = mollie.payments.get(id)
      if (payment === undefined) throw new Error(`there is no payment ${id}`)
      const changed = withMandate(mollie, newId, { ...payment, ...changes })
      mollie.payments.set(id, changed)
      return changed
    },
    send(service, companyId, id) {
      const headers = { 'content-type': 'application/x-www-form-urlencoded', 'user-agent': 'Mollie HTTP client/1.0' }
      return service.call('POST', `/payments/${companyId}/mollie`, { body: `id=${id}`, headers })
    },
  }

  /** The same key answers as before for an hour; with another request it is refused. */
  function keyed(key: string | undefined, text: string, work: () => MollieResult): MollieResult {
    const at = now().getTime()
    const known = key === undefined ? undefined : kept.get(key)
    if (known !== undefined && at - known.at < HOUR_MS)
      return known.text === text ? known.result : failure(400, 'The key was used with another request.')
    const result = work()
    if (key !== undefined) kept.set(key, { at, text, result })
    return result
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = Buffer.concat(await Array.fromAsync(request)).toString()
    const { method = '', url = '', headers } = request
    const key = headers['idempotency-key']
    const trouble = mollie.troubles.shift()
    if (trouble === 'loses the request') return void request.socket.destroy()
    const call = { method, url: new URL(url, mollie.url), headers, text, at: now() }
    const result =
      trouble === 'fails'
        ? failure(500, 'Something went wrong on our side.')
        : keyed(typeof key === 'string' ? key : undefined, `${url} ${text}`, () => {
            const done = carryOut(mollie, newId, call)
            return trouble === 'refuses after' ? failure(422, 'The card was not found') : done
          })
    if (trouble === 'loses the answer') return void request.socket.destroy()
    response.writeHead(result.status, { 'content-type': 'application/hal+json' })
    response.end(JSON.stringify(result.body))
  }

  return {
    mollie,
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
export function useMollie(now: () => Date): FakeMollie {
  const { mollie, start, stop } = createMollieServer(now)
  before(start)
  after(stop)
  return mollie
}

const TITLES: Record<number, string> = { 401: 'Unauthorized Request', 404: 'Not Found', 409: 'Conflict' }

function failure(status: number, detail: string, field?: string): MollieResult {
  const title = TITLES[status] ?? (status === 422 ? 'Unprocessable Entity' : 'Error')
  return { status, body: { status, title, detail, ...(field === undefined ? {} : { field }) } }
}

const refuse = (detail: string, field: string) => failure(422, detail, field)

type Call = { method: string; url: URL; headers: IncomingMessage['headers']; text: string; at: Date }

function carryOut(mollie: FakeMollie, newId: (prefix: string) => string, call: Call): MollieResult {
  const { method, url, headers } = call
  const { authorization } = headers
  if (authorization !== `Bearer ${MOLLIE_KEY}` && authorization !== `Bearer ${MOLLIE_TEST_KEY}`)
    return failure(401, 'Missing authentication, or failed to authenticate')
  const mode = authorization.includes('test_') ? 'test' : 'live'
  if (method === 'GET' && url.pathname === '/v2/profiles/me')
    return { status: 200, body: { resource: 'profile', id: 'pfl_1', mode, name: 'Kino Nord' } }
  const [, id, refunds] = /^\/v2\/payments(?:\/(\w+)(\/refunds)?)?$/.exec(url.pathname) ?? []
  if (method === 'POST' && headers['content-type'] !== 'application/json') return failure(400, 'Send JSON.')
  if (method === 'POST' && headers['idempotency-key'] === undefined)
    return failure(400, 'This server wants a key for every change.')
  if (method === 'POST' && url.pathname === '/v2/customers')
    return openCustomer(mollie, newId('cst'), mode, call.text, refuse)
  const ofCustomer = method === 'GET' ? readOfCustomer(mollie, mode, url.pathname) : undefined
  if (ofCustomer !== undefined) return ofCustomer
  if (method === 'POST' && url.pathname === '/v2/payments') return openPayment(mollie, newId('tr'), mode, call)
  const payment = mollie.payments.get(id ?? '')
  // Payments of the test mode do not exist for a live key, and the other way around.
  if (payment?.mode !== mode) return failure(404, `No payment exists with token ${id}.`)
  if (refunds !== undefined) {
    if (method === 'POST') return refundPayment(mollie, newId('re'), payment, call)
    return { status: 200, body: { _embedded: { refunds: refundsOf(mollie, payment) } } }
  }
  if (method === 'DELETE') return cancelPayment(mollie, payment)
  if (method !== 'GET') return failure(405, 'No such method.')
  const isEmbedded = url.searchParams.get('embed') === 'refunds'
  return {
    status: 200,
    body: { ...payment, ...(isEmbedded && { _embedded: { refunds: refundsOf(mollie, payment) } }) },
  }
}

const refundsOf = ({ refunds }: FakeMollie, { id }: MolliePayment) =>
  refunds.filter(({ paymentId }) => paymentId === id)

/** The hundredths of an amount; undefined if it is written with too many or too few decimals. */
function centsOf(amount: Partial<Amount> | undefined): number | undefined {
  const { currency = '', value } = amount ?? {}
  const form = ZERO_DECIMALS.includes(currency) ? /^\d+$/ : /^\d+\.\d\d$/
  if (typeof value !== 'string' || !/^[A-Z]{3}$/.test(currency) || !form.test(value)) return undefined
  return Math.round(Number(value) * 100)
}

function openPayment(mollie: FakeMollie, id: string, mode: MolliePayment['mode'], { text }: Call): MollieResult {
  const { amount, description, redirectUrl, webhookUrl, locale, metadata, ...series } = JSON.parse(text)
  const { sequenceType = 'oneoff', customerId, mandateId } = series
  const cents = centsOf(amount)
  if (cents === undefined) return refuse('The amount contains an invalid value', 'amount')
  const refusal = refusalOf(mollie, series, { cents, mode }, refuse)
  if (refusal !== undefined) return refusal
  if (sequenceType === 'oneoff' && cents < CENTS_MIN) return refuse('The amount is lower than the minimum', 'amount')
  if (typeof description !== 'string' || description === '' || description.length > 255)
    return refuse('The description is invalid', 'description')
  if (sequenceType !== 'recurring' && !URL.canParse(redirectUrl))
    return refuse('The redirect location is invalid', 'redirectUrl')
  if (webhookUrl !== undefined && (!URL.canParse(webhookUrl) || NEARBY.test(new URL(webhookUrl).hostname)))
    return refuse("The webhook URL is invalid because it is unreachable from Mollie's point of view", 'webhookUrl')
  if (locale !== undefined && !/^[a-z]{2}_[A-Z]{2}$/.test(locale)) return refuse('The locale is invalid', 'locale')
  const payment: MolliePayment = {
    resource: 'payment',
    id,
    mode,
    status: 'open',
    isCancelable: false,
    amount,
    description,
    method: null,
    metadata,
    details: null,
    redirectUrl,
    webhookUrl,
    locale,
    sequenceType,
    customerId,
    mandateId,
    _links: { checkout: { href: `https://www.mollie.com/checkout/select-method/${id}`, type: 'text/html' } },
  }
  const made = sequenceType === 'recurring' ? charged(mollie, payment) : payment
  mollie.payments.set(id, made)
  const what = sequenceType === 'recurring' ? `charge ${made.status}` : 'payment'
  mollie.done.push(`${what} ${amount.value} ${amount.currency}`)
  return { status: 201, body: made }
}

function cancelPayment(mollie: FakeMollie, { id, isCancelable }: MolliePayment): MollieResult {
  if (!isCancelable) return refuse('The payment cannot be canceled', 'id')
  mollie.done.push(`cancel ${id}`)
  return { status: 200, body: mollie.change(id, { status: 'canceled', isCancelable: false }) }
}

function refundPayment(mollie: FakeMollie, id: string, payment: MolliePayment, { text, at }: Call): MollieResult {
  const { amount, metadata } = JSON.parse(text)
  const made = refundsOf(mollie, payment).filter(({ status }) => status !== 'failed' && status !== 'canceled')
  const cents = centsOf(amount)
  const refunded = made.reduce((sum, refund) => sum + (centsOf(refund.amount) ?? 0), 0)
  if (payment.status !== 'paid') return refuse('The payment is not paid', 'id')
  if (cents === undefined || cents < 1 || amount.currency !== payment.amount.currency)
    return refuse('The amount contains an invalid value', 'amount')
  if (refunded + cents > (centsOf(payment.amount) ?? 0))
    return refuse('The specified amount cannot be refunded', 'amount')
  if (made.some((one) => centsOf(one.amount) === cents && at.getTime() - Date.parse(one.createdAt) < HOUR_MS))
    return failure(409, 'A duplicate refund has been detected.')
  const status = mollie.refundStatuses.shift() ?? 'pending'
  const createdAt = at.toISOString()
  const refund: MollieRefund = { resource: 'refund', id, status, amount, paymentId: payment.id, metadata, createdAt }
  mollie.refunds.unshift(refund)
  const total = ((refunded + (status === 'failed' ? 0 : cents)) / 100).toFixed(2)
  mollie.change(payment.id, { amountRefunded: { currency: amount.currency, value: total } })
  mollie.done.push(`refund ${amount.value} ${amount.currency}`)
  return { status: 201, body: refund }
}
