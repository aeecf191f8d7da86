import assert from 'node:assert/strict'
import fc from 'fast-check'
import { readCartDays } from '#shop/checkout/abandoned/queries.ts'
import { openCheckout } from '../checkout.ts'
import { pass } from '../entitlements.ts'
import type { Wire } from '../factories.ts'
import type { Service } from '../harness.ts'
import { aFilm } from '../orders.ts'
import { aCup, aView, NO_DEVICES } from '../statistics.ts'
import { calendarOf } from './calendar.ts'
import { type CartCounts, cartStep, rememberCarts } from './carts.ts'
import { orderStep, rememberOrders } from './orders.ts'
import { runWorker, workerStep } from './worker.ts'

const OFFSET = 330

/** Something that happens in a shop or to its worker. */
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ to: fc.constant('orders' as const), step: orderStep }) },
  { weight: 5, arbitrary: fc.record({ to: fc.constant('carts' as const), step: cartStep }) },
  { weight: 1, arbitrary: fc.record({ to: fc.constant('visits' as const), visitor: fc.nat(3) }) },
  { weight: 3, arbitrary: fc.record({ to: fc.constant('clock' as const), hours: fc.constantFrom(1, 13, 25) }) },
  { weight: 3, arbitrary: fc.record({ to: fc.constant('worker' as const), step: workerStep }) },
  // Answers are kept, so somebody has to read them before and after a change.
  { weight: 4, arbitrary: fc.record({ to: fc.constant('reader' as const) }) },
)

type Step = typeof step extends fc.Arbitrary<infer Each> ? Each : never

/** Some days of a shop. */
export const days = fc.array(step, { minLength: 20, maxLength: 40 })

/** A shop that remembers what happened in it, and compares its statistics with that. */
export async function rememberShop(service: Service) {
  const open = await openCheckout(service)
  let { shop } = open
  const { companyId } = shop
  await service.db.updateTable('users').set({ time_zone: OFFSET }).where('id', '=', shop.userId).execute()
  const calendar = calendarOf(service, OFFSET)
  const film = { product: await aFilm(service, shop, 1000), cents: 1000 }
  const cup = { product: await aCup(service, shop, 300), cents: 300 }
  const orders = await rememberOrders(shop, film, cup, calendar)
  const carts = await rememberCarts(service, open, [film, cup], calendar)
  // Somebody owns something from the start, so that it can be used.
  await orders.run(shop, { kind: 'sell', film: 1, cups: 0, abroad: false, test: false })
  const from = calendar.day()
  const seen: string[] = []

  async function look(visitor: number): Promise<void> {
    seen.push(calendar.day())
    service.app.pageViews.add(aView(shop, service.clock.now(), { address: `192.0.2.${visitor}` }))
    await service.app.pageViews.flush()
  }

  return {
    async run(each: Step): Promise<void> {
      if (each.to === 'reader') return this.compare()
      // A token lasts for thirty minutes, and there may be forty steps.
      shop = await pass(service, shop, each.to === 'clock' ? each.hours * 3600 : 60)
      if (each.to === 'clock') return
      else if (each.to === 'visits') await look(each.visitor)
      else if (each.to === 'carts') await carts.run(each.step)
      else if (each.to === 'orders') await orders.run(shop, each.step)
      else if (await runWorker(service, companyId, each.step)) carts.count()
    },

    async compare(): Promise<void> {
      const period = { from, to: calendar.day() }
      const read = async (name: string): Promise<Wire> => {
        const query = `?StartDate=${period.from}&EndDate=${period.to}`
        const answer = await shop.get(`/api/statistics/${name}/${companyId}.json${query}`)
        assert.equal(answer.status, 200, answer.text)
        return answer.body
      }
      const { order_statistics, totals } = await read('order')
      for (const { currency: _currency, date, ...record } of order_statistics)
        assert.deepEqual(record, orders.recordOf(date.slice(0, 10)), date)
      const all = orders.recordOf()
      assert.deepEqual(totals, { currency: 'eur', ...all })
      assert.deepEqual((await read('order_devices')).totals, { ...NO_DEVICES, unknown: all.order_count })
      const { count, amount } = (await read('order_products')).totals
      assert.deepEqual([count, amount], [all.item_count, all.order_amount])
      assert.equal((await shop.get('/api/orders/count.json')).body.count, orders.all())
      for (const { date, page_views } of (await read('traffic')).traffic_statistics)
        assert.equal(page_views, seen.filter((day) => date.startsWith(day)).length, date)
      const countsOf = ({ carts, order_count, order_amount }: CartCounts) => ({ carts, order_count, order_amount })
      const left = (await readCartDays(service.db, companyId, period)).map((each) => [each.date, countsOf(each)])
      assert.deepEqual(Object.fromEntries(left), carts.days())
      for (const { date, order_count, order_amount } of (await read('cart')).cart_statistics) {
        const counts = carts.days()[date.slice(0, 10)]
        assert.deepEqual([order_count, order_amount], [counts?.order_count ?? 0, counts?.order_amount ?? 0], date)
      }
      const used = (await read('usage')).usage_statistics.map(({ date, plays, downloads }: Wire) => [
        date.slice(0, 10),
        [plays, downloads],
      ])
      assert.deepEqual(Object.fromEntries(used), orders.usesOf())
    },
  }
}
