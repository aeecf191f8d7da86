import { Agent, request } from 'undici'
import { CARDS, HOME, OURS, tell } from '#test/checkout.ts'
import { visit } from '#test/visitor.ts'
import { type Fate, fateOf, type Ledger } from './ledger.ts'
import type { BusyShop } from './shop.ts'

export type Kind = 'api read' | 'page' | 'order' | 'checkout' | 'right' | 'admin'

/** What came of a request: undefined if there was no answer. */
export type Outcome = { status: number | undefined }

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

type Options = {
  shop: BusyShop
  ledger: Ledger
  random: () => number
  /** Where the service is; it has another port after each start. */
  address: () => Promise<string>
}

/** The checkout sends whoever has paid on to the order. */
const SEE_OTHER = 303
const TIMEOUT_MS = 70_000
/** Enough for an open loop: a request does not wait for another one. */
const CONNECTIONS = 2000

/** Sends requests of a working shop, and writes down in the ledger what they change. */
export function createRequests({ shop, ledger, random, address }: Options): Requests {
  const agent = new Agent({
    connections: CONNECTIONS,
    pipelining: 1,
    headersTimeout: TIMEOUT_MS,
    bodyTimeout: TIMEOUT_MS,
  })
  let numbers = 0
  const any = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item
  const bearer = { authorization: `Bearer ${shop.token}` }

  async function ask(method: 'GET' | 'POST', path: string, headers: object, body?: object): Promise<Outcome> {
    try {
      const answer = await request((await address()) + path, {
        method,
        dispatcher: agent,
        headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        body: body === undefined ? null : JSON.stringify(body),
      })
      await answer.body.dump()
      return { status: answer.statusCode }
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

  async function order(): Promise<Outcome> {
    numbers += 1
    const mark = `load-${numbers}`
    const pieces = random() < 0.5 ? 0 : 1 + Math.floor(random() * 3)
    const line = pieces === 0 ? { product_id: any(shop.films).product_id } : { ...stocked(), quantity: pieces }
    const sent = { customer_token: any(shop.customers), po_number: mark, line_items: [line] }
    const outcome = await ask('POST', '/api/orders.json', bearer, { order: sent })
    ledger.orders.push({ mark, way: 'api', fate: fateOf(outcome.status), pieces })
    return outcome
  }

  const stocked = () => ({ product_id: shop.goods.product_id })

  /** A guest who buys a box with a test card, which takes nothing out of the stock. What is not paid for is no order. */
  async function checkout(): Promise<Outcome> {
    numbers += 1
    const mark = `load-${numbers}@example.com`
    const isAt = { 'x-forwarded-for': `198.18.${(numbers >> 8) & 255}.${numbers & 255}`, 'user-agent': mark }
    let fate: Fate = 'refused'
    let status: number | undefined
    try {
      const guest = visit(await address(), { ...OURS, ...isAt })
      const step = async (answer: Promise<{ status: number }>) => {
        status = undefined
        ;({ status } = await answer)
        if (status >= 400) throw new Error(`answered ${status}`)
      }
      await step(guest.get(`${shop.base}/products/${shop.goods.product_id}`))
      await step(guest.submit(`${shop.base}/cart`))
      await step(tell(guest, shop.base, { email: mark, ...HOME }))
      fate = 'unknown'
      status = undefined
      await step(guest.submit(`${shop.base}/checkout/pay`, { gateway: 'Test', card: CARDS.pays, now: '1' }))
      fate = status === SEE_OTHER ? 'done' : 'refused'
    } catch {
      if (fate === 'unknown') fate = fateOf(status)
      // A page without the form that it should have is no success either.
      if (status !== undefined && status < 400) status = undefined
    }
    ledger.orders.push({ mark, way: 'checkout', fate, pieces: 0 })
    return { status }
  }

  async function right(): Promise<Outcome> {
    const id = any(shop.entitlements)
    if (random() < 0.5) return ask('POST', `/api/entitlements/${id}/check.json`, bearer, { check: { action: 'play' } })
    const outcome = await ask('POST', `/api/entitlements/${id}/use.json`, bearer, { use: { action: 'play' } })
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
