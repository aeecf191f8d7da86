import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { TRAFFIC_DAYS } from '#insight/visits/queries.ts'
import { statementCount } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { raiseVersion } from '#platform/db/versions.ts'
import { createSemaphore } from '#platform/processes/semaphore.ts'
import { addUsesToDays } from '#rights/entitlements/uses/commands.ts'
import { USAGE_DAYS } from '#rights/entitlements/uses/queries.ts'
import { foldChanges } from '#selling/orders/counts/fold.commands.ts'
import { ORDER_DAYS } from '#selling/orders/statistics/queries.ts'
import { dayAt } from '#selling/orders/statistics/rules.ts'
import { SUBSCRIPTION_DAYS } from '#selling/subscriptions/statistics/queries.ts'
import { addChangesToDays, insertAbandonedCarts } from '#shop/checkout/abandoned/commands.ts'
import { CART_DAYS } from '#shop/checkout/abandoned/queries.ts'
import { ask, contentOf, play } from '#test/entitlements.ts'
import type { Wire } from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'
import { aBuyer, aFilm, anOrder } from '#test/orders.ts'
import { NOTHING } from '#test/statistics.ts'
import { keepReports } from './kept.cache.ts'

const service = useService()

async function read(shop: Shop, name: string): Promise<Wire> {
  return (await shop.get(`/api/statistics/${name}/${shop.companyId}.json`)).body
}

describe('a report that was read before', () => {
  let shop: Shop
  let film: Wire
  let buyer: Wire

  before(async () => {
    shop = await service.openShop()
    film = await aFilm(service, shop, 1000)
    buyer = await aBuyer(shop, 'DE')
  })

  // As many changes wait before the second read as before the first.
  test('shows an order that came after all others were added up', async () => {
    const orders = async () => (await read(shop, 'order')).totals.order_count
    for (const expected of [1, 2, 3]) {
      await anOrder(shop, buyer, [film])
      assert.equal(await orders(), expected)
      await foldChanges(service.db)
      assert.equal(await orders(), expected)
    }
  })

  test('shows a cart that was left after all others were added up', async () => {
    const cart = { day: dayAt(service.clock.now(), 0), record: { ...NOTHING, order_count: 1 } }
    for (const expected of [1, 2, 3]) {
      await inTransaction(service.db, (tx) => insertAbandonedCarts(tx, shop.companyId, [], [cart]))
      assert.equal((await read(shop, 'cart')).totals.order_count, expected)
      await inTransaction(service.db, (tx) => addChangesToDays(tx, 1000))
    }
  })

  test('shows a use that came after all others were added up', async () => {
    const [owned] = await contentOf(shop, buyer)
    for (const expected of [1, 2, 3]) {
      await ask(shop, 'use', owned?.id, play)
      assert.equal((await read(shop, 'usage')).totals.plays, expected)
      await inTransaction(service.db, (tx) => addUsesToDays(tx, 1000))
    }
  })

  test('shows a new title and the old one of a deleted product at once', async () => {
    const names = async () =>
      (await read(shop, 'order_products')).order_product_statistics.map(({ name }: Wire) => name)
    assert.deepEqual(await names(), [film.title])
    await shop.put(`/api/products/${film.id}.json`, { product: { title: 'The Second Cut' } })
    assert.deepEqual(await names(), ['The Second Cut'])
    await shop.delete(`/api/products/${film.id}.json`)
    assert.deepEqual(await names(), [film.title])
  })

  test('is the same for all who ask at once, in each format', async () => {
    const path = `/api/statistics/order/${shop.companyId}.json`
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => shop.get(`${path}?format=${index % 2 ? 'csv' : 'json'}`)),
    )
    assert.deepEqual([...new Set(answers.map(({ status, text }) => `${status} ${text}`))].length, 2)
    const etag = answers[0]?.headers.get('etag')
    assert.equal((await shop.get(path, undefined, { 'if-none-match': etag ?? '' })).status, 304)
  })

  const OTHERS = {
    traffic: 1,
    order: 1,
    cart: 1,
    order_devices: 1,
    order_products: 1,
    usage: 2,
    overview: 8,
    sources: 2,
    countries: 1,
    refunds: 1,
    period: 5,
    usage_products: 1,
    subscriptions: 1,
  }
  /** Those that begin and end the use of a connection. */
  const AROUND = 2

  // The token is looked up again from time to time, so the least number of some tries counts.
  async function statementsOf(name: string, change: () => Promise<unknown>): Promise<number> {
    const counts: number[] = []
    for (let tries = 0; tries < 4; tries += 1) {
      await change()
      const start = statementCount()
      await read(shop, name)
      counts.push(statementCount() - start)
    }
    return Math.min(...counts)
  }

  test('is found with one statement, and made with as many others as are listed', async () => {
    const count = async () => {
      for (const name of [ORDER_DAYS, CART_DAYS, TRAFFIC_DAYS, USAGE_DAYS, SUBSCRIPTION_DAYS])
        await inTransaction(service.db, (tx) => raiseVersion(tx, shop.companyId, name))
    }
    for (const [name, others] of Object.entries(OTHERS)) {
      assert.equal(await statementsOf(name, async () => {}), 1, name)
      assert.equal(await statementsOf(name, count), 1 + others + AROUND, name)
    }
  })
})

describe('a report that waits for its turn', () => {
  const company = { id: 1, currency: 'eur', today: '2026-05-01', utc_offset: 0, version: '1' }

  function aCrowd() {
    const oneAtATime = createSemaphore(1)
    const keep = keepReports({ onAtOnce: () => {} }, (read, signal) => oneAtATime(() => read(service.db), signal))
    const made: string[] = []
    let end = () => {}
    const blocked = new Promise<void>((resolve) => {
      end = resolve
    })
    const ask = (name: string, signal = new AbortController().signal) =>
      keep(
        company,
        [name],
        async () => {
          made.push(name)
          await blocked
          return Buffer.from(name)
        },
        signal,
      )
    return { ask, made, end }
  }

  const isGone = { reason: 'service_busy' }

  test('is not made once everybody who wanted it has gone, and is made for who comes later', async () => {
    const { ask, made, end } = aCrowd()
    const first = ask('first')
    const [one, other] = [new AbortController(), new AbortController()]
    const gone = [ask('second', one.signal), ask('second', other.signal)]
    const last = ask('third')
    one.abort()
    other.abort()
    for (const each of gone) await assert.rejects(each, isGone)
    const again = ask('second')
    end()
    const answers = await Promise.all([first, last, again])
    assert.deepEqual(
      answers.map(({ body }) => body.toString()),
      ['first', 'third', 'second'],
    )
    assert.deepEqual(made, ['first', 'third', 'second'])
  })

  test('is made for those who stay, once', async () => {
    const { ask, made, end } = aCrowd()
    const first = ask('first')
    const leaving = new AbortController()
    const gone = ask('second', leaving.signal)
    const stays = ask('second')
    leaving.abort()
    end()
    assert.equal((await stays).body.toString(), 'second')
    await Promise.allSettled([first, gone])
    assert.deepEqual(made, ['first', 'second'])
  })

  test('is made to its end once it has begun, for the next who wants it', async () => {
    const { ask, made, end } = aCrowd()
    const leaving = new AbortController()
    const gone = ask('first', leaving.signal)
    leaving.abort()
    const next = ask('first')
    end()
    assert.equal((await next).body.toString(), 'first')
    await Promise.allSettled([gone])
    assert.deepEqual(made, ['first'])
  })
})
