import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, request } from 'undici'
import { HOME, OURS } from '#test/checkout.ts'
import { formsOf, type PageAnswer, type Visitor, visit } from '#test/visitor.ts'
import type { LoadGateway } from './gateway.ts'
import { type AskedOrder, fateOf, type Ledger } from './ledger.ts'
import type { BusyShop } from './shop.ts'

export type Kind = 'api read' | 'page' | 'order' | 'checkout' | 'right' | 'admin'

/** What came of a request: undefined if there was no answer. The reason is that of a refusal or failure, if it says one. */
export type Outcome = { status: number | undefined; reason?: string | undefined }

/**
 * The mix of a working shop in percent. A checkout is six requests, one after the other, so few visitors make as much work as
 * they do in reality.
 */
const MIX: readonly [Kind, number][] = [
  ['api read', 60],
  ['page', 25],
  ['order', 4],
  ['checkout', 1],
  ['right', 5],
  ['admin', 5],
]

export type Requests = {
  /** Chooses by the mix. */
  choose(): Kind
  send(kind: Kind): Promise<Outcome>
  close(): Promise<void>
}

/** One request of a visit; it rejects unless it is answered with success. */
type Step = (answer: Promise<PageAnswer>) => Promise<PageAnswer>

type Options = {
  shop: BusyShop
  ledger: Ledger
  gateway: LoadGateway
  random: () => number
  /** Where the service is; it has another port after each start. */
  address: () => Promise<string>
  /** How often guests press the button of the checkout if there is no answer or a failure. */
  pressesMax: number
  /** Do changes through the API have an `Idempotency-Key`? */
  hasKeys: boolean
}

/** The checkout sends whoever has ordered on to the payment. */
const SEE_OTHER = 303
const UNPROCESSABLE = 422
/** How a refusal counts that is the right answer. */
const SOLD_OUT = 200
const PRESS_AGAIN_MS = 300
const TIMEOUT_MS = 70_000
/** Enough for an open loop: a request does not wait for another one. */
const CONNECTIONS = 2000

/** A step of a visit that was answered with a refusal or a failure. */
class Unserved extends Error {
  readonly status: number

  constructor(status: number) {
    super(`answered ${status}`)
    this.status = status
  }
}

/** An order that was surely not placed. */
class Refused extends Error {}

/** Sends requests of a working shop, and writes down in the ledger what they change. */
export function createRequests({ shop, ledger, gateway, random, address, pressesMax, hasKeys }: Options): Requests {
  const agent = new Agent({
    connections: CONNECTIONS,
    pipelining: 1,
    headersTimeout: TIMEOUT_MS,
    bodyTimeout: TIMEOUT_MS,
  })
  let numbers = 0
  const any = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item
  const bearer = { authorization: `Bearer ${shop.token}` }

  /** The headers of an app that changes something. */
  const changing = () => (hasKeys ? { ...bearer, 'idempotency-key': randomUUID() } : bearer)

  async function ask(method: 'GET' | 'POST', path: string, headers: object, body?: object): Promise<Outcome> {
    try {
      const answer = await request((await address()) + path, {
        method,
        dispatcher: agent,
        headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        body: body === undefined ? null : JSON.stringify(body),
      })
      if (answer.statusCode < 500) {
        await answer.body.dump()
        return { status: answer.statusCode }
      }
      const [, reason] = /"reason":"(\w+)"/.exec(await answer.body.text()) ?? []
      return { status: answer.statusCode, reason }
    } catch {
      return { status: undefined }
    }
  }

  const reads = (): string =>
    any([
      () => '/api/products.json?limit=50',
      () => `/api/products/${any(shop.films).id}.json`,
      () => `/api/products/${any(shop.films).id}.json`,
      () => '/api/products/count.json',
      () => '/api/orders.json?limit=50',
      () => '/api/prices.json',
      () => `/api/customers/${any(shop.customers)}.json`,
      () => `/api/customers/${any(shop.customers)}/content.json`,
    ])()

  const pages = (): string =>
    any([
      () => `${shop.base}`,
      () => `${shop.base}/products/${any(shop.films).product_id}`,
      () => `${shop.base}/search?q=film+${Math.floor(random() * 1000)}`,
    ])()

  /** Half of what is sold are films, and of the rest some are soon sold out. */
  function chooseLine(): { product_id: string; quantity: number; isStocked: boolean } {
    const draw = random()
    if (draw < 0.5) return { product_id: any(shop.films).product_id, quantity: 1, isStocked: false }
    const { product_id } = draw < 0.9 ? shop.goods : shop.rare
    return { product_id, quantity: 1 + Math.floor(random() * 3), isStocked: true }
  }

  const piecesOf = ({ quantity, isStocked }: ReturnType<typeof chooseLine>) => (isStocked ? quantity : 0)

  async function order(): Promise<Outcome> {
    numbers += 1
    const mark = `load-${numbers}`
    const { product_id, ...line } = chooseLine()
    const sold = line.isStocked ? { product_id, quantity: line.quantity } : { product_id }
    const sent = { customer_token: any(shop.customers), po_number: mark, line_items: [sold] }
    const outcome = await ask('POST', '/api/orders.json', changing(), { order: sent })
    const pieces = piecesOf({ product_id, ...line })
    ledger.orders.push({ mark, way: 'api', fate: fateOf(outcome.status), product_id, pieces })
    return isSoldOut(product_id, outcome.status) ? { status: SOLD_OUT } : outcome
  }

  /** Whoever asks for more than there is has to be refused: verify.ts looks whether there was enough. */
  const isSoldOut = (product_id: string, status: number | undefined) =>
    product_id === shop.rare.product_id && status === UNPROCESSABLE

  /** A guest who buys something and pays at the gateway. */
  async function checkout(): Promise<Outcome> {
    numbers += 1
    const mark = `load-${numbers}@example.com`
    const isAt = { 'x-forwarded-for': `198.18.${(numbers >> 8) & 255}.${numbers & 255}`, 'user-agent': mark }
    const line = chooseLine()
    const { product_id } = line
    const asked: AskedOrder = { mark, way: 'checkout', fate: 'refused', product_id, pieces: piecesOf(line) }
    ledger.orders.push(asked)
    let status: number | undefined
    const step: Step = async (answer) => {
      status = undefined
      const page = await answer
      ;({ status } = page)
      if (status >= 400) throw new Unserved(status)
      return page
    }
    // A page that says that something is sold out has no form to go on with.
    const isOver = (page: PageAnswer, action: string) =>
      product_id === shop.rare.product_id && !formsOf(page.text).some((form) => form.action === shop.base + action)
    try {
      const guest = visit(await address(), { ...OURS, ...isAt })
      if (isOver(await step(guest.get(`${shop.base}/products/${product_id}`)), '/cart')) return { status }
      await step(guest.submit(`${shop.base}/cart`, { quantity: String(line.quantity) }))
      if (isOver(await step(guest.get(`${shop.base}/checkout`).then(guest.follow)), '/checkout')) return { status }
      const details = { country: 'DE', email: mark, ...HOME }
      const told = await step(guest.submit(`${shop.base}/checkout`, details).then(guest.follow))
      if (isOver(told, '/checkout/pay')) return { status }
      asked.fate = 'unknown'
      const placed = await press(guest, told, step)
      if (placed.status === SEE_OTHER) asked.fate = 'done'
      await payAtGateway(guest, asked, placed, step)
    } catch (error) {
      if (error instanceof Refused) asked.fate = 'refused'
      if (isSoldOut(product_id, status)) return { status: SOLD_OUT }
      // A page without the form that it should have is no success either.
      if (status !== undefined && status < 400) status = undefined
    }
    return { status }
  }

  /** Presses the button of the checkout, and again if there is no answer or a failure. */
  async function press(guest: Visitor, form: PageAnswer, step: Step): Promise<PageAnswer> {
    const action = `${shop.base}/checkout/pay`
    const fields = { ...formsOf(form.text).find((each) => each.action === action)?.fields, gateway: 'Mollie', now: '1' }
    for (let presses = 1; ; presses += 1) {
      try {
        const placed = await step(guest.post(action, fields))
        if (presses === 1 || placed.location?.endsWith('/continue')) return placed
        // The order was placed before, and its page has a button of its own.
        await step(guest.follow(placed))
        return await step(guest.submit(/\/orders\/[^/]+\/pay$/, { gateway: 'Mollie' }))
      } catch (error) {
        // An order that was stored is answered with 503 too, if the gateway cannot be asked.
        if (presses === 1 && error instanceof Unserved && error.status < 500) throw new Refused()
        if (presses >= pressesMax) throw error
        await sleep(PRESS_AGAIN_MS)
        guest.moveTo(await address())
      }
    }
  }

  /** Follows the guest to the gateway, which sends the guest back to the page of the order. */
  async function payAtGateway(
    guest: Visitor,
    asked: AskedOrder,
    { location = '' }: PageAnswer,
    step: Step,
  ): Promise<void> {
    const { text } = await step(guest.get(location))
    const [, charge] = /select-method\/(\w+)/.exec(text) ?? []
    const payment = gateway.mollie.payments.get(charge ?? '')
    if (charge === undefined || payment === undefined) throw new Error('there is no way to the gateway')
    asked.charge = charge
    gateway.pay(charge)
    const back = new URL(payment.redirectUrl)
    await step(guest.get(`${back.pathname}${back.search}`).then(guest.follow))
  }

  async function right(): Promise<Outcome> {
    const id = any(shop.entitlements)
    if (random() < 0.5)
      return ask('POST', `/api/entitlements/${id}/check.json`, changing(), { check: { action: 'play' } })
    const outcome = await ask('POST', `/api/entitlements/${id}/use.json`, changing(), { use: { action: 'play' } })
    ledger.uses[fateOf(outcome.status)] += 1
    return outcome
  }

  const cookie = { cookie: `licet_session=${shop.session}` }
  const admin = (): string =>
    any(['/admin/api/orders.json?limit=50', '/admin/api/products.json?limit=50', '/admin/api/customers.json?limit=50'])

  const ways: Record<Kind, () => Promise<Outcome>> = {
    'api read': () => ask('GET', reads(), bearer),
    page: () => ask('GET', pages(), { accept: 'text/html', 'accept-language': 'en' }),
    order,
    checkout,
    right,
    admin: () => ask('GET', admin(), cookie),
  }
  return {
    choose() {
      let left = random() * 100
      for (const [kind, percent] of MIX) {
        left -= percent
        if (left < 0) return kind
      }
      return 'api read'
    },
    send: (kind) => ways[kind](),
    close: () => agent.destroy(),
  }
}
