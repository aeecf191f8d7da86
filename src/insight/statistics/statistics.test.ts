import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { closeEndedDays } from '#insight/visits/ended-days.worker.ts'
import { foldChanges } from '#selling/orders/counts/fold.commands.ts'
import { rebuildStatistics } from '#selling/orders/counts/reset.commands.ts'
import { dayAt } from '#selling/orders/statistics/rules.ts'
import { days, rememberShop } from '#test/counted/shop.ts'
import { aPrice, type Wire } from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'
import { aBuyer, aFilm, anOrder, aShippingMethod } from '#test/orders.ts'
import { cancel, refund } from '#test/sales.ts'
import { aCup, aRental, aView, NO_DEVICES, NOTHING } from '#test/statistics.ts'

const service = useService()
const DAY = 86_400

async function read(shop: Shop, name: string, query = '', company = shop.companyId): Promise<Wire> {
  const answer = await shop.get(`/api/statistics/${name}/${company}.json${query}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

const KEYS: Record<string, string> = {
  traffic: 'traffic_statistics',
  cart: 'cart_statistics',
  order_devices: 'order_device_statistics',
}

const setTimeZone = ({ userId }: Shop, time_zone: number) =>
  service.db.updateTable('users').set({ time_zone }).where('id', '=', userId).execute()

const today = (offset = 0) => dayAt(service.clock.now(), offset)
const daysAgo = (days: number) => dayAt(new Date(service.clock.now().getTime() - days * DAY * 1000), 0)
const only = (day: string) => `?StartDate=${day}&EndDate=${day}`

describe('GET /api/statistics/order/{company_id}.json', () => {
  test('says what the orders of a day are worth, in every way', async () => {
    const shop = await service.openShop()
    const [film, rental, cup] = [
      await aFilm(service, shop, 1000),
      await aRental(service, shop, 300),
      await aCup(service, shop, 900),
    ]
    const [home, abroad] = [await aBuyer(shop, 'DE'), await aBuyer(shop, 'FR')]
    const price = await aPrice(service, shop, { currencies: [{ currency: 'eur', price: 500 }] })
    await aShippingMethod(service, shop, { title: 'Post', price_id: price.id })
    const all = [
      { product_id: film.product_id, quantity: 1 },
      { product_id: rental.product_id, quantity: 1 },
      { product_id: rental.product_id, quantity: 1 },
      { product_id: cup.product_id, quantity: 1 },
    ]
    await anOrder(shop, home, all)
    await anOrder(shop, abroad, [film])
    await anOrder(shop, home, [film], { test: true })
    await cancel(shop, (await anOrder(shop, home, [film])).id)
    const { currency, date, ...record } = (await read(shop, 'order', only(today()))).order_statistics[0]
    assert.deepEqual([currency, date], ['eur', `${today()}T00:00:00`])
    assert.deepEqual(record, {
      ...NOTHING,
      digital_count: 4,
      digital_amount: 2600,
      international_count: 1,
      international_amount: 1000,
      item_count: 5,
      national_count: 1,
      national_amount: 3000,
      order_count: 2,
      order_amount: 4000,
      permanent_license_count: 2,
      permanent_license_amount: 2000,
      physical_count: 1,
      physical_amount: 900,
      rental_license_count: 2,
      rental_license_amount: 600,
    })
  })

  test('takes refunds from the day of the order, also those of no particular line', async () => {
    const shop = await service.openShop()
    const [film, cup] = [await aFilm(service, shop, 1000), await aCup(service, shop, 1000)]
    const order = await anOrder(shop, await aBuyer(shop), [film, cup])
    service.clock.advance(2 * DAY)
    const later = await shop.asUser(shop.userId)
    await refund(later, order.id, { refund_line_items: [{ line_item_id: order.line_items[1].id }] })
    await refund(later, order.id, { amount: 400 })
    const { order_statistics, totals } = await read(later, 'order', `?StartDate=${daysAgo(2)}`)
    assert.deepEqual(
      order_statistics.map(({ order_count, order_amount }: Wire) => [order_count, order_amount]),
      [
        [1, 600],
        [0, 0],
        [0, 0],
      ],
    )
    const { digital_count, digital_amount, physical_count, physical_amount, item_count } = totals
    assert.deepEqual([digital_count, digital_amount, physical_count, physical_amount, item_count], [1, 600, 0, 0, 1])
  })

  test('has days of the time zone that the company had, and of the home currency', async () => {
    const shop = await service.openShop()
    const film = await aFilm(service, shop, 1000)
    const buyer = await aBuyer(shop)
    // Whatever the time is, one of these zones has another day than UTC.
    for (const offset of [-840, 840]) {
      await setTimeZone(shop, offset)
      await anOrder(shop, buyer, [film], { currency: 'USD' })
    }
    const { order_statistics } = await read(shop, 'order', `?StartDate=${today(-840)}&EndDate=${today(840)}`)
    const days = order_statistics.filter(({ order_count }: Wire) => order_count > 0)
    assert.deepEqual(
      days.map(({ date, order_count }: Wire) => [date, order_count]),
      [
        [`${today(-840)}T00:00:00`, 1],
        [`${today(840)}T00:00:00`, 1],
      ],
    )
    // The price in dollars was made from 1000 euro cents, so the way back gives them again, but for rounding.
    for (const { order_amount } of days) assert.ok(Math.abs(order_amount - 1000) <= 1, `${order_amount}`)
  })
})

describe('a company that moves', () => {
  test('keeps its days, until its statistics are rebuilt', async () => {
    const shop = await service.openShop()
    await setTimeZone(shop, 840)
    await anOrder(shop, await aBuyer(shop, 'FR'), [await aFilm(service, shop, 1000)])
    const period = `?StartDate=${today(-840)}&EndDate=${today(840)}`
    const found = async () =>
      (await read(shop, 'order', period)).order_statistics
        .filter(({ order_count }: Wire) => order_count > 0)
        .map(({ date, national_count }: Wire) => [date.slice(0, 10), national_count])
    assert.deepEqual(await found(), [[today(840), 0]])
    await setTimeZone(shop, -840)
    await service.db.updateTable('companies').set({ country_code: 'FR' }).where('id', '=', shop.companyId).execute()
    await foldChanges(service.db)
    assert.deepEqual(await found(), [[today(840), 0]])
    assert.equal(await rebuildStatistics(service.db, shop.companyId), 1)
    assert.deepEqual(await found(), [[today(-840), 1]])
    assert.deepEqual(await service.db.selectFrom('order_recounts').selectAll().execute(), [])
  })
})

describe('a period', () => {
  let shop: Shop
  before(async () => {
    shop = await service.openShop()
  })

  const datesOf = async (query: string) =>
    (await read(shop, 'order', query)).order_statistics.map(({ date }: Wire) => date.slice(0, 10))

  test('has both of its days, a record for every day, and is the last 30 days by default', async () => {
    assert.deepEqual(await datesOf('?StartDate=2024-02-27&EndDate=2024-03-02'), [
      '2024-02-27',
      '2024-02-28',
      '2024-02-29',
      '2024-03-01',
      '2024-03-02',
    ])
    const last = await datesOf('')
    assert.deepEqual([last.length, last[0], last.at(-1)], [30, daysAgo(29), today()])
    assert.equal((await datesOf('?EndDate=2024-03-02')).length, 30)
    assert.deepEqual(await datesOf('?StartDate=2999-01-01'), ['2999-01-01'])
  })

  test('is understood in every spelling of a date', async () => {
    for (const text of [
      '2024-03-02',
      '2024-03-02T23:00:00',
      '2024-03-02 23:00',
      '2024-03-02T23:00:00-05:00',
      ' 2024-03-02',
    ])
      assert.deepEqual(await datesOf(only(encodeURIComponent(text))), ['2024-03-02'], text)
  })

  test('can end with the last day that has a date', async () => {
    for (const name of ['order', 'order_products', 'usage'])
      for (const from of ['9999-12-31', '9999-11-01', '9999-10-31'])
        await read(shop, name, `?StartDate=${from}&EndDate=9999-12-31`)
  })

  test('is refused if it ends before it starts, has more than ten years, or is no date', async () => {
    for (const [query, reason] of [
      ['?StartDate=2024-03-02&EndDate=2024-03-01', 'period_reversed'],
      ['?StartDate=2010-01-01&EndDate=2024-03-01', 'period_too_long'],
      ['?EndDate=0001-01-05', 'day_too_early'],
      ['?StartDate=2024-02-30', undefined],
      ['?group=year', undefined],
    ] as const) {
      const { status, body } = await shop.get(`/api/statistics/order/${shop.companyId}.json${query}`)
      assert.equal(status, 422, query)
      if (reason !== undefined) assert.equal(body.reason, reason)
    }
    assert.equal((await datesOf('?StartDate=2014-03-01&EndDate=2024-02-29')).length, 3653)
  })

  test('can be read by week and by month', async () => {
    assert.deepEqual(await datesOf('?StartDate=2024-02-28&EndDate=2024-03-11&group=week'), [
      '2024-02-26',
      '2024-03-04',
      '2024-03-11',
    ])
    assert.deepEqual(await datesOf('?StartDate=2023-12-31&EndDate=2024-02-01&group=month'), [
      '2023-12-01',
      '2024-01-01',
      '2024-02-01',
    ])
  })
})

describe('the sales of devices and products', () => {
  test('are read by day, and by revenue', async () => {
    const shop = await service.openShop()
    const [film, cup] = [await aFilm(service, shop, 1000, { title: 'Film' }), await aCup(service, shop, 300)]
    const buyer = await aBuyer(shop)
    await anOrder(shop, buyer, [{ product_id: cup.product_id, quantity: 2 }], { device_id: 'android' })
    await anOrder(shop, buyer, [film, cup], { device_id: 'android' })
    await anOrder(shop, buyer, [cup], { device_id: 'a player' })
    assert.deepEqual(await read(shop, 'order_devices', only(today())), {
      order_device_statistics: [{ date: `${today()}T00:00:00`, ...NO_DEVICES, android: 2, unknown: 1 }],
      totals: { ...NO_DEVICES, android: 2, unknown: 1 },
    })
    assert.equal((await shop.delete(`/api/products/${cup.id}.json`)).status, 200)
    const entry = ({ id, product_id }: Wire) => ({ id, product_id, currency: 'eur' })
    const products = [
      { ...entry(cup), name: 'Cup', count: 4, amount: 1200 },
      { ...entry(film), name: 'Film', count: 1, amount: 1000 },
    ]
    for (let times = 0; times < 2; times += 1) {
      assert.deepEqual(await read(shop, 'order_products'), {
        order_product_statistics: products,
        totals: { count: 5, amount: 2200, currency: 'eur' },
      })
      await foldChanges(service.db)
    }
    assert.deepEqual((await read(shop, 'order_products', '?limit=1')).order_product_statistics, [products[0]])
    assert.deepEqual((await read(shop, 'order_products', only('2020-01-01'))).order_product_statistics, [])
  })

  test('have only the fields that are asked for, as lists do', async () => {
    const shop = await service.openShop()
    await anOrder(shop, await aBuyer(shop), [await aFilm(service, shop, 1000)])
    const period = only(today())
    const whole = await read(shop, 'order', period)
    const cut = await read(shop, 'order', `${period}&fields=order_amount,date,nothing`)
    assert.deepEqual(cut.order_statistics, [{ date: `${today()}T00:00:00`, order_amount: 1000 }])
    assert.deepEqual(cut.totals, whole.totals)
    assert.deepEqual(await read(shop, 'order', `${period}&fields=`), whole)
    for (const name of ['traffic', 'cart', 'order_devices'])
      assert.deepEqual(Object.keys((await read(shop, name, `${period}&fields=date`))[`${KEYS[name]}`][0]), ['date'])
    const products = await read(shop, 'order_products', `${period}&fields=amount`)
    assert.deepEqual(products.order_product_statistics, [{ amount: 1000 }])
    assert.deepEqual(Object.keys((await read(shop, 'overview', '?fields=currency')).overview), ['currency'])
    const file = await shop.get(
      `/api/statistics/order/${shop.companyId}.json${period}&fields=date,order_count&format=csv`,
    )
    assert.match(file.text, /^date,order_count\r?\n[^,\n]+,1\r?\n$/)
  })

  test('come as a file for spreadsheets', async () => {
    const shop = await service.openShop()
    await anOrder(shop, await aBuyer(shop), [await aFilm(service, shop, 1000, { title: '=1+1, "x"' })])
    const path = (name: string) => `/api/statistics/${name}/${shop.companyId}.json${only(today())}&format=csv`
    const answer = await shop.get(path('order_products'))
    assert.equal(answer.status, 200)
    assert.match(answer.headers.get('content-type') ?? '', /^text\/csv/)
    const lines = answer.text.split('\r\n')
    assert.equal(lines[0], 'count,id,name,product_id,amount,currency')
    assert.ok(lines[1]?.startsWith('1,') && lines[1].includes(`"'=1+1, ""x"""`), answer.text)
    const days = (await shop.get(path('order'))).text.split('\r\n')
    assert.equal(days.length, 3)
    assert.equal(days[0]?.split(',').length, 17)
    assert.equal(
      (await shop.get(path('usage'))).text,
      'date,id,product_id,name,plays,minutes,downloads,started,finished\r\n',
    )
  })
})

describe('GET /api/statistics/overview/{company_id}.json', () => {
  test('compares periods, and says what sells and where orders come from', async () => {
    let shop = await service.openShop()
    const film = await aFilm(service, shop, 1000, { title: 'Film' })
    const [home, abroad] = [await aBuyer(shop, 'DE'), await aBuyer(shop, 'CH')]
    const view = () => {
      service.app.pageViews.add(aView(shop, service.clock.now(), { referrerHost: 'news.example' }))
      return service.app.pageViews.flush()
    }
    const later = async (days: number) => {
      service.clock.advance(days * DAY)
      shop = await shop.asUser(shop.userId)
    }
    await anOrder(shop, home, [film])
    await later(20)
    await view()
    await anOrder(shop, abroad, [film], { referring_site: 'https://news.example/review?id=1' })
    await later(19)
    await view()
    const sold = await anOrder(shop, home, [{ product_id: film.product_id, quantity: 3 }])
    // As if a shop had sold it.
    await sql`update order_changes set source_name = 'webshop' where order_id = ${sold.id}`.execute(service.db)
    await foldChanges(service.db)
    await later(1)
    await closeEndedDays(service.db, service.clock.now())
    const { overview } = await read(shop, 'overview')
    const figures = ({ visits, order_count, order_amount, shop_order_count, conversion_percent }: Wire) => [
      visits,
      order_count,
      order_amount,
      shop_order_count,
      conversion_percent,
    ]
    assert.deepEqual(figures(overview.today), [0, 0, 0, 0, null])
    assert.deepEqual(figures(overview.today.before), [1, 1, 3000, 1, 100])
    assert.deepEqual(figures(overview.last_7_days), [1, 1, 3000, 1, 100])
    assert.deepEqual(figures(overview.last_7_days.before), [0, 0, 0, 0, null])
    assert.deepEqual(figures(overview.last_30_days), [2, 2, 4000, 1, 50])
    assert.deepEqual(figures(overview.last_30_days.before), [0, 1, 1000, 0, null])
    assert.deepEqual(figures(overview.same_day_last_week), [0, 0, 0, 0, null])
    assert.equal(overview.same_day_last_week.start_date.slice(0, 10), daysAgo(7))
    assert.equal(overview.days.length, 60)
    assert.deepEqual(
      [overview.days[0].date, overview.days[59].date].map((date) => date.slice(0, 10)),
      [daysAgo(59), today()],
    )
    assert.deepEqual(
      overview.days
        .filter(({ order_count, visits }: Wire) => order_count + visits > 0)
        .map(({ date, order_count, order_amount, visits }: Wire) => [
          date.slice(0, 10),
          order_count,
          order_amount,
          visits,
        ]),
      [
        [daysAgo(40), 1, 1000, 0],
        [daysAgo(20), 1, 1000, 1],
        [daysAgo(1), 1, 3000, 1],
      ],
    )
    assert.deepEqual(
      [overview.last_30_days.start_date, overview.last_30_days.end_date].map((date) => date.slice(0, 10)),
      [daysAgo(29), today()],
    )
    assert.deepEqual(
      overview.products.map(({ name, count, amount }: Wire) => [name, count, amount]),
      [['Film', 4, 4000]],
    )
    assert.deepEqual(overview.countries, [
      { country_code: 'DE', order_count: 1, order_amount: 3000 },
      { country_code: 'CH', order_count: 1, order_amount: 1000 },
    ])
    assert.deepEqual(overview.order_referrers, [
      { host: '', order_count: 1, order_amount: 3000 },
      { host: 'news.example', order_count: 1, order_amount: 1000 },
    ])
    assert.deepEqual(overview.visit_referrers, [{ host: 'news.example', visits: 2 }])
    await later(6)
    assert.deepEqual(figures((await read(shop, 'overview')).overview.same_day_last_week), [1, 1, 3000, 1, 100])
  })
})

describe('who may read', () => {
  test('are the company and its partner, with the scope', async () => {
    const partner = await service.openShop()
    const shop = await service.openShop({ partnerId: partner.companyId })
    const stranger = await service.openShop()
    await anOrder(shop, await aBuyer(shop), [await aFilm(service, shop, 1000)])
    for (const name of ['traffic', 'order', 'order_devices', 'order_products', 'overview']) {
      const path = `/api/statistics/${name}/${shop.companyId}.json`
      assert.equal((await shop.get(path)).status, 200)
      assert.deepEqual((await partner.get(path)).body, (await shop.get(path)).body)
      assert.equal((await stranger.get(path)).status, 404)
      assert.equal((await shop.get(`/api/statistics/${name}/${partner.companyId}.json`)).status, 404)
      for (const ref of ['0', 'abc', '9223372036854775808', '-1'])
        assert.equal((await shop.get(`/api/statistics/${name}/${ref}.json`)).status, 404)
      assert.equal((await (await shop.withScopes('orders')).get(path)).status, 403)
    }
  })
})

test('the statistics are those of a count from scratch, whatever happens and whenever the worker dies', async () => {
  await fc.assert(
    fc.asyncProperty(days, async (steps) => {
      const shop = await rememberShop(service)
      for (const step of steps) await shop.run(step)
      await shop.compare()
      await shop.run({ to: 'worker', step: { kind: 'add up', workers: 1 } })
      await shop.compare()
    }),
    // Shrinking takes minutes; the seed of a failure repeats it.
    { numRuns: 4, endOnFailure: true },
  )
})
