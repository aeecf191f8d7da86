import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { nowInSeconds } from '#platform/clock.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { createLog } from '#platform/log/log.ts'
import { NO_SALES } from '#selling/orders/statistics/rules.ts'
import { A_LINE, type OpenShop, openCheckout, orderIdOn, pay, put, takeBills, tell } from '#test/checkout.ts'
import { aCustomer } from '#test/customers.ts'
import { aPrice, RENT, type Wire } from '#test/factories.ts'
import { useService } from '#test/harness.ts'
import { aFilm, someGoods } from '#test/orders.ts'
import { aView } from '#test/statistics.ts'
import { addToCart } from '../commands.ts'
import type { CartLine, Shopper } from '../state.ts'
import { correctCartDays } from './commands.ts'
import { countLeftCarts, deleteLeftCarts } from './left-carts.worker.ts'
import { readCartDays } from './queries.ts'

const service = useService()
const log = createLog('silent')
const HOUR = 3600
const DAY = 86_400
const EVER = { from: '2000-01-01', to: '2100-01-01' }

const chore = () => countLeftCarts(service.db, nowInSeconds(service.clock), log)
const daysOf = ({ shop }: Pick<OpenShop, 'shop'>) => readCartDays(service.db, shop.companyId, EVER)
/** What counts as abandoned: how many carts, worth how much. */
async function abandoned(open: Pick<OpenShop, 'shop'>): Promise<[number, number]> {
  const days = await daysOf(open)
  return [
    days.reduce((sum, { order_count }) => sum + order_count, 0),
    days.reduce((sum, { order_amount }) => sum + order_amount, 0),
  ]
}

async function leaveFor(hours: number): Promise<void> {
  service.clock.advance(hours * HOUR)
  await Promise.all([chore(), chore()])
}

describe('a cart that was left', () => {
  test('counts after a day, on the day of its last touch, with what it is worth', async () => {
    const open = await openCheckout(service)
    const { shop, base } = open
    await service.db.updateTable('users').set({ time_zone: 720 }).where('id', '=', shop.userId).execute()
    const price = await aPrice(service, shop, { currencies: [{ currency: 'eur', price: 500 }] })
    const rented = await aFilm(service, shop, 0, {
      price_license_binding: [{ license_id: RENT, price_id: price.id }],
    })
    const visitor = open.guest()
    await put(visitor, base, await aFilm(service, shop))
    await put(visitor, base, rented)
    await put(visitor, base, await someGoods(service, shop), { quantity: '2' })
    await visitor.post(`${base}/cart/country`, { country: 'AT' })
    const date = new Date(service.clock.now().getTime() + 12 * HOUR * 1000).toISOString().slice(0, 10)
    const begun = { ...NO_SALES, carts: 1, date }
    await leaveFor(23)
    assert.deepEqual(await daysOf(open), [begun])
    await leaveFor(2)
    const [day] = await daysOf(open)
    assert.deepEqual(day, {
      ...begun,
      order_count: 1,
      order_amount: 1190 + 500 + 2 * 2380,
      international_count: 1,
      international_amount: 1190 + 500 + 2 * 2380,
      item_count: 4,
      digital_count: 2,
      digital_amount: 1690,
      physical_count: 2,
      physical_amount: 4760,
      permanent_license_count: 1,
      permanent_license_amount: 1190,
      rental_license_count: 1,
      rental_license_amount: 500,
    })
    const stored = service.db.selectFrom('cart_days').select(['carts', 'order_count'])
    assert.deepEqual(await stored.where('company_id', '=', shop.companyId).execute(), [{ carts: 1, order_count: 1 }])
    assert.deepEqual(await abandoned(await openCheckout(service)), [0, 0], 'another company has none')
  })

  test('counts no longer once somebody touches, empties or buys it', async () => {
    const open = await openCheckout(service)
    const film = await aFilm(service, open.shop)
    const cheap = await aFilm(service, open.shop, 500)
    const visitors = [open.guest(), open.guest(), open.guest()]
    for (const visitor of visitors) await put(visitor, open.base, film)
    await leaveFor(25)
    assert.deepEqual(await abandoned(open), [3, 3570])
    const [touches, empties, buys] = visitors
    await put(touches!, open.base, cheap)
    assert.deepEqual(await abandoned(open), [2, 2380])
    await empties!.post(`${open.base}/cart/lines`, { line: '0', remove: '1' })
    assert.deepEqual(await abandoned(open), [1, 1190])
    await tell(buys!, open.base, { email: 'buys@example.com' })
    await pay(buys!, open.base, { now: '1' })
    assert.deepEqual(await abandoned(open), [0, 0])
    await leaveFor(25)
    assert.deepEqual(await abandoned(open), [1, 1690], 'the touched one was left again, as it is now')
    assert.equal(
      (await daysOf(open)).reduce((sum, { carts }) => sum + carts, 0),
      3,
      'a cart is begun once',
    )
  })

  test('is in the statistics, and so is the way from visit to order', async () => {
    const open = await openCheckout(service)
    const film = await aFilm(service, open.shop)
    await takeBills(service, open)
    const [leaves, buys] = [open.guest(), open.guest()]
    for (const visitor of [leaves, buys]) await put(visitor, open.base, film)
    await tell(buys, open.base, { email: 'buys@example.com' })
    const id = orderIdOn(await pay(buys, open.base, { now: '1', gateway: 'Manual' }))
    assert.equal((await open.shop.post(`/api/orders/${id}/mark_paid.json`)).status, 200)
    for (const address of ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4'])
      service.app.pageViews.add(aView(open.shop, service.clock.now(), { address }))
    await service.app.pageViews.flush()
    const date = service.clock.now().toISOString().slice(0, 10)
    await leaveFor(25)
    const shop = await open.shop.asUser(open.shop.userId)
    const read = async (name: string) => (await shop.get(`/api/statistics/${name}/${shop.companyId}.json`)).body
    const { cart_statistics, totals } = await read('cart')
    assert.equal(cart_statistics.length, 30)
    assert.deepEqual(
      cart_statistics.flatMap(({ date, currency, order_count, order_amount }: Wire) =>
        order_count === 0 ? [] : [[date, currency, order_count, order_amount]],
      ),
      [[`${date}T00:00:00`, 'eur', 1, 1190]],
    )
    assert.deepEqual([totals.order_count, totals.order_amount, totals.digital_count], [1, 1190, 1])
    const { last_7_days: week } = (await read('overview')).overview
    assert.deepEqual([week.visits, week.cart_count, week.shop_order_count], [4, 2, 1])
    assert.deepEqual([week.visit_to_cart_percent, week.cart_to_order_percent, week.conversion_percent], [50, 50, 25])
  })

  test('counts no longer once its customer buys in the same shop with another cart', async () => {
    const open = await openCheckout(service)
    const film = await aFilm(service, open.shop)
    const cheap = await aFilm(service, open.shop, 500)
    const [phone, desk, other] = [open.guest(), open.guest(), open.guest()]
    for (const [visitor, email] of [
      [phone, 'Jane@example.com'],
      [other, 'joe@example.com'],
    ] as const) {
      await put(visitor, open.base, film)
      await tell(visitor, open.base, { email })
    }
    await leaveFor(25)
    assert.deepEqual(await abandoned(open), [2, 2380])
    await put(desk, open.base, film)
    await tell(desk, open.base, { email: 'jane@example.com' })
    await pay(desk, open.base, { now: '1' })
    assert.deepEqual(await abandoned(open), [1, 1190])
    await leaveFor(25)
    assert.deepEqual(await abandoned(open), [1, 1190])
    await put(phone, open.base, cheap)
    await leaveFor(25)
    assert.deepEqual(await abandoned(open), [2, 2880], 'after a new touch it is a new wish')
  })

  test('of which nothing is for sale any more adds nothing, and is not looked at again', async () => {
    const open = await openCheckout(service)
    const film = await aFilm(service, open.shop)
    await put(open.guest(), open.base, film)
    assert.equal((await open.shop.put(`/api/products/${film.id}.json`, { product: { published: false } })).status, 200)
    await leaveFor(25)
    assert.deepEqual(await abandoned(open), [0, 0])
    const left = service.db.selectFrom('carts').select('id').where('checked_at', 'is', null)
    assert.deepEqual(await left.where('company_id', '=', open.shop.companyId).execute(), [])
  })

  test('is deleted after a month, or after a year if it is that of a customer, and its counts stay', async () => {
    const open = await openCheckout(service)
    const { shop, id: shopId } = open
    const film = await aFilm(service, shop)
    const line: CartLine = { ...A_LINE, product_id: film.product_id }
    const guest: Shopper = { companyId: shop.companyId, shopId, customerId: undefined, token: 'guest' }
    const { id } = await aCustomer(shop)
    const customer: Shopper = { ...guest, customerId: Number(id), token: undefined }
    for (const shopper of [guest, customer])
      await inTransaction(service.db, (tx) => addToCart(tx, shopper, line, nowInSeconds(service.clock)))
    const carts = async () => {
      await deleteLeftCarts(service.db, nowInSeconds(service.clock))
      const rows = service.db.selectFrom('carts').select('customer_id').where('company_id', '=', shop.companyId)
      return (await rows.execute()).length
    }
    service.clock.advance(31 * DAY)
    assert.equal(await carts(), 2, 'nothing is deleted before it was counted')
    await chore()
    assert.equal(await carts(), 1)
    service.clock.advance(335 * DAY)
    assert.equal(await carts(), 0)
    assert.deepEqual(await abandoned(open), [2, 2380])
  })
})

describe('the days of carts', () => {
  test('are corrected by a rebuild', async () => {
    const open = await openCheckout(service)
    for (const cents of [100, 200]) await put(open.guest(), open.base, await aFilm(service, open.shop, cents))
    await leaveFor(25)
    const right = await daysOf(open)
    const { companyId } = open.shop
    await service.db.updateTable('cart_days').set({ order_amount: 7 }).where('company_id', '=', companyId).execute()
    assert.notDeepEqual(await daysOf(open), right)
    await inTransaction(service.db, (tx) => correctCartDays(tx, companyId))
    assert.deepEqual(await daysOf(open), right)
  })
})
