import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { closeEndedDays } from '#insight/visits/ended-days.worker.ts'
import { dayAt } from '#selling/orders/statistics/rules.ts'
import type { Wire } from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'
import { aBuyer, aFilm, anOrder } from '#test/orders.ts'
import { refund } from '#test/sales.ts'
import { aView } from '#test/statistics.ts'

const service = useService()
const DAY = 86_400

async function read(shop: Shop, name: string, query = ''): Promise<Wire> {
  const answer = await shop.get(`/api/statistics/${name}/${shop.companyId}.json${query}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

async function later(shop: Shop, days: number): Promise<Shop> {
  service.clock.advance(days * DAY)
  return shop.asUser(shop.userId)
}

describe('GET /api/statistics/period/{company_id}.json', () => {
  test('has the figures of a period and of the one before, with a record for each day', async () => {
    let shop = await service.openShop()
    const film = await aFilm(service, shop, 1000)
    const buyer = await aBuyer(shop)
    const old = await anOrder(shop, buyer, [film])
    shop = await later(shop, 9)
    service.app.pageViews.add(aView(shop, service.clock.now()))
    await service.app.pageViews.flush()
    await anOrder(shop, buyer, [film, film])
    await refund(shop, old.id, { amount: 300, note: 'Too dark' })
    const { period } = await read(shop, 'period', '?range=7_days')
    const { before } = period
    // The order is one of an app, so that no visit has led to it.
    assert.deepEqual(
      [period.order_count, period.order_amount, period.visits, period.conversion_percent],
      [1, 2000, 1, 0],
    )
    assert.deepEqual([before.order_count, before.order_amount, before.visits], [1, 700, 0])
    // The refund belongs to today, and its order to the week before.
    assert.deepEqual([period.refund_count, period.refund_amount, before.refund_count], [1, 300, 0])
    assert.equal(period.group, 'day')
    assert.deepEqual([period.records.length, before.records.length], [7, 7])
    assert.equal(period.records.at(-1).order_amount, 2000)
    assert.equal(period.end_date, `${dayAt(service.clock.now(), 0)}T00:00:00`)
    const year = (await read(shop, 'period', '?range=12_months')).period
    assert.deepEqual([year.group, year.records.length, year.order_amount], ['month', 12, 2700])
    assert.deepEqual(Object.keys((await read(shop, 'period', '?fields=visits')).period), ['visits'])
  })

  test('refuses days in the wrong order at their field', async () => {
    const shop = await service.openShop()
    const path = `/api/statistics/period/${shop.companyId}.json?StartDate=2026-05-02&EndDate=2026-05-01`
    const answer = await shop.get(path)
    assert.equal(answer.status, 422)
    assert.deepEqual(Object.keys(answer.body.errors), ['EndDate'])
  })
})

describe('GET /api/statistics/refunds/{company_id}.json', () => {
  test('adds up what was paid back by its reason, in the days of the company', async () => {
    let shop = await service.openShop()
    const film = await aFilm(service, shop, 1000)
    const buyer = await aBuyer(shop)
    const orders = []
    for (let count = 0; count < 4; count += 1) orders.push(await anOrder(shop, buyer, [film]))
    const tested = await anOrder(shop, buyer, [film], { test: true })
    const [first, second, third, fourth] = orders
    await refund(shop, first?.id, { amount: 100, note: ' Too dark ' })
    await refund(shop, second?.id, { amount: 200, note: 'Too dark' })
    await refund(shop, third?.id, { amount: 250 })
    await refund(shop, tested.id, { amount: 500, note: 'Too dark' })
    const { refund_statistics, totals } = await read(shop, 'refunds')
    assert.deepEqual(refund_statistics, [
      { reason: 'Too dark', refund_count: 2, refund_amount: 300, currency: 'eur' },
      { reason: '', refund_count: 1, refund_amount: 250, currency: 'eur' },
    ])
    assert.deepEqual(totals, { refund_count: 3, refund_amount: 550, currency: 'eur' })
    assert.equal((await read(shop, 'refunds', '?limit=1')).refund_statistics.length, 1)
    // Whatever the time is, this zone has another day than UTC in one of the two directions.
    const today = dayAt(service.clock.now(), 0)
    for (const offset of [-840, 840]) {
      await service.db.updateTable('users').set({ time_zone: offset }).where('id', '=', shop.userId).execute()
      const day = dayAt(service.clock.now(), offset)
      const ofDay = await read(shop, 'refunds', `?StartDate=${day}&EndDate=${day}`)
      assert.equal(ofDay.totals.refund_count, 3, `${day} at ${offset}, and ${today} in UTC`)
    }
    await service.db.updateTable('users').set({ time_zone: 0 }).where('id', '=', shop.userId).execute()
    shop = await later(shop, 2)
    await refund(shop, fourth?.id, { amount: 50, note: 'Late' })
    const latest = dayAt(service.clock.now(), 0)
    assert.equal((await read(shop, 'refunds', `?StartDate=${latest}`)).totals.refund_amount, 50)
  })
})

describe('where visits and orders came from', () => {
  test('is added up by site and by country', async () => {
    let shop = await service.openShop()
    const film = await aFilm(service, shop, 1000)
    const [home, abroad] = [await aBuyer(shop, 'DE'), await aBuyer(shop, 'CH')]
    for (const [place, referrerHost] of ['news.example', 'news.example', 'search.example'].entries())
      service.app.pageViews.add(aView(shop, service.clock.now(), { referrerHost, address: `192.0.2.${place + 1}` }))
    await service.app.pageViews.flush()
    await anOrder(shop, abroad, [film], { referring_site: 'https://news.example/review?id=1' })
    await anOrder(shop, home, [film, film])
    shop = await later(shop, 2)
    await closeEndedDays(service.db, service.clock.now())
    const { source_statistics } = await read(shop, 'sources')
    assert.deepEqual(
      source_statistics.map(({ host, visits, order_amount }: Wire) => [host, visits, order_amount]),
      [
        ['', 0, 2000],
        ['news.example', 2, 1000],
        ['search.example', 1, 0],
      ],
    )
    const { country_statistics, totals } = await read(shop, 'countries')
    assert.deepEqual(
      country_statistics.map(({ country_code, order_amount }: Wire) => [country_code, order_amount]),
      [
        ['DE', 2000],
        ['CH', 1000],
      ],
    )
    assert.deepEqual(totals, { order_count: 2, order_amount: 3000, currency: 'eur' })
    assert.match((await shop.get(`/api/statistics/sources/${shop.companyId}.json?format=csv`)).text, /^host,visits,/)
  })
})
