import { hash } from 'node:crypto'
import { OURS, tell } from '#test/checkout.ts'
import { formsOf, visit } from '#test/visitor.ts'
import type { Asked } from '../cases.ts'
import type { Figure } from '../figures.ts'
import { cpuMs } from '../machine.ts'
import { median } from '../measure.ts'
import { aimLine } from '../report.ts'
import type { Service } from '../services.ts'
import { fetchBody } from '../verify.ts'

/** The code is compiled while it runs, so the first purchases are left out. */
const WARM_UP = 100
/** CPU time is counted in steps of 10 ms: of 50 purchases its mean was wrong by a fifth. */
const PURCHASES = 200

const CHECKOUT_MAX = 1.2

/** By the clock, and of the service's CPU. */
type Taken = { ms: number; cpuMs: number }

/**
 * An order at the checkout and through the API, for a customer whom the company knows and for a new one. The API hashes the
 * password of a new customer, and the checkout asks for none.
 */
export type Purchases = Record<'known' | 'added', { checkout: Taken; api: Taken }>

/** A product and one of its licenses. */
export type Bought = { product_id: string; license_id: number }

async function timed({ pid }: Service, work: () => Promise<unknown>): Promise<Taken> {
  const cpuBefore = cpuMs(pid)
  const started = performance.now()
  await work()
  return { ms: performance.now() - started, cpuMs: cpuMs(pid) - cpuBefore }
}

/** CPU time is counted in steps of 10 ms, so its mean says more than its median. */
function taken(times: readonly Taken[], warmUp: number): Taken {
  const warm = times.slice(warmUp)
  const cpu = warm.reduce((sum, each) => sum + each.cpuMs, 0)
  return { ms: median(warm.map(({ ms }) => ms)), cpuMs: cpu / warm.length }
}

const PASSWORD = 'a password to shop with'

/** Puts the product into the cart of a guest and enters who it is, so that the payment is all that is left to do. */
async function fillCart(service: Service, base: string, bought: Bought, email: string) {
  // Each customer is another visitor at another address, because guests of one address may not buy very often.
  const number = hash('sha1', email, 'buffer')
  const browser = { ...OURS, 'user-agent': email, 'x-forwarded-for': `198.18.${number[0]}.${number[1]}` }
  const guest = visit(service.address, browser)
  await guest.get(`${base}/products/${bought.product_id}`)
  await guest.follow(await guest.submit(`${base}/cart`))
  const page = await tell(guest, base, { email, first_name: 'Jane', last_name: 'Roe' })
  // What a browser does by itself is done before the button is pressed.
  const path = `${base}/checkout/pay`
  const form = formsOf(page.text).find(({ action }) => action === path)
  const typed = { gateway: 'Test', card: '4242 4242 4242 4242', now: '1' }
  const body = new URLSearchParams({ ...form?.fields, ...typed }).toString()
  const cookie = [...guest.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const headers = { ...browser, cookie, 'content-type': 'application/x-www-form-urlencoded' }
  return async () => {
    const request = { method: 'POST', redirect: 'manual', headers, body } as const
    const response = await fetch(service.address + path, request)
    const text = await response.text()
    if (response.status !== 303)
      throw new Error(`the checkout answers ${response.status}: ${/role="alert"[\s\S]*?<\/p>/.exec(text)?.[0]}`)
  }
}

/** Buys the same product in turn: at the checkout, as a guest with a test card, and through the API. */
export async function measurePurchases(
  service: Service,
  base: string,
  bought: Bought,
  smoke: boolean,
): Promise<Purchases> {
  const [warmUp, purchases] = smoke ? [0, 1] : [WARM_UP, PURCHASES]
  const order = (customer: object) => {
    const body = JSON.stringify({ order: { customer, line_items: [bought] } })
    const asked: Asked = { method: 'POST', path: '/api/orders.json', body }
    return fetchBody(service, asked, 201)
  }
  const times: Record<'known' | 'added', { checkout: Taken[]; api: Taken[] }> = {
    known: { checkout: [], api: [] },
    added: { checkout: [], api: [] },
  }
  for (let number = 0; number < warmUp + purchases; number += 1) {
    const email = `buyer-${number}@example.com`
    await order({ email, password: PASSWORD })
    times.known.checkout.push(await timed(service, await fillCart(service, base, bought, email)))
    times.known.api.push(await timed(service, () => order({ email })))
    times.added.checkout.push(await timed(service, await fillCart(service, base, bought, `guest-${email}`)))
    times.added.api.push(await timed(service, () => order({ email: `app-${email}`, password: PASSWORD })))
  }
  const both = ({ checkout, api }: (typeof times)['known']) => ({
    checkout: taken(checkout, warmUp),
    api: taken(api, warmUp),
  })
  return { known: both(times.known), added: both(times.added) }
}

/** The floor of an order at the checkout is an order through the API. */
export function purchaseFigures({ known, added }: Purchases): Figure[] {
  const figure = (name: string, { checkout, api }: Purchases['known']): Figure => ({
    name,
    compared: 1,
    ratio: api.ms / checkout.ms,
    cpuRatio: api.cpuMs / checkout.cpuMs,
    cpuMs: checkout.cpuMs,
  })
  return [figure('checkout', known), figure('checkout-new', added)]
}

export function purchaseLines({ known, added }: Purchases): string[] {
  const parts = ({ checkout, api }: Purchases['known']) =>
    `checkout ${checkout.ms.toFixed(1)} ms (CPU ${checkout.cpuMs.toFixed(1)}), API ${api.ms.toFixed(1)} ms (CPU ${api.cpuMs.toFixed(1)})`
  return [
    aimLine(
      'an order at the checkout, in orders through the API',
      known.checkout.ms / known.api.ms,
      '',
      CHECKOUT_MAX,
      2,
    ),
    `  ${parts(known)}`,
    aimLine('the same with a new customer', added.checkout.ms / added.api.ms, '', CHECKOUT_MAX, 2),
    `  ${parts(added)}, which hashes a password`,
  ]
}
