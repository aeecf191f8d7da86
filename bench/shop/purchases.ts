import { OURS, tell } from '#test/checkout.ts'
import { visit } from '#test/visitor.ts'
import type { Asked } from '../cases.ts'
import { median } from '../measure.ts'
import type { Service } from '../processes.ts'
import { fetchBody } from '../verify.ts'

/** A visitor may buy no more often than this within an hour. */
const PURCHASES = 25

/** Milliseconds of an order at the checkout and through the API. */
export type Purchases = { checkoutMs: number; apiMs: number; ratio: number }

/** A product and one of its licenses. */
export type Bought = { product_id: string; license_id: number }

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}

/** Buys the same product for the same customer in turn: at the checkout, as a guest with a test card, and through the API. */
export async function measurePurchases(service: Service, base: string, bought: Bought): Promise<Purchases> {
  const orderOf = (customer: object): Asked => ({
    method: 'POST',
    path: '/api/orders.json',
    body: JSON.stringify({ order: { customer, line_items: [bought] } }),
  })
  const checkout: number[] = []
  const api: number[] = []
  for (let number = 0; number < PURCHASES; number += 1) {
    const email = `buyer-${number}@example.com`
    await fetchBody(service, orderOf({ email, password: 'a password to shop with' }), 201)
    const guest = visit(service.address, OURS)
    await guest.get(`${base}/products/${bought.product_id}`)
    await guest.follow(await guest.submit(`${base}/cart`))
    await tell(guest, base, { email, first_name: 'Jane', last_name: 'Roe' })
    const form = { gateway: 'Test', card: '4242 4242 4242 4242', consent: '1' }
    checkout.push(
      await timed(async () => {
        const answer = await guest.submit(`${base}/checkout/pay`, form)
        if (answer.status !== 303)
          throw new Error(
            `the checkout answers ${answer.status}: ${/role="alert"[\s\S]*?<\/p>/.exec(answer.text)?.[0]}`,
          )
      }),
    )
    api.push(await timed(() => fetchBody(service, orderOf({ email }), 201)))
  }
  const [checkoutMs, apiMs] = [median(checkout), median(api)]
  return { checkoutMs, apiMs, ratio: checkoutMs / apiMs }
}
