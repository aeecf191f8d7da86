import assert from 'node:assert/strict'
import { get, type IncomingMessage } from 'node:http'
import { before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { statementCount } from '#platform/db/database.ts'
import { TEST_CARDS } from '#selling/payments/gateways/test-cards/gateway.ts'
import type { Wire } from '#test/factories.ts'
import { useService } from '#test/harness.ts'
import { aBuyer, aFilm, anOrder } from '#test/orders.ts'
import { useShopPages } from '#test/shop-pages.ts'
import { aClub, signUp } from '#test/subscriptions.ts'
import type { Visitor } from '#test/visitor.ts'

const service = useService()
// Waits of a second would be over before the next request on a slow machine.
before(() => service.clock.stop())
const pages = useShopPages(service)

/** 30 MB of them are more than the buffers between the service and a client hold. */
const MANY = 3000
const LONG = 'x'.repeat(10_000)

/** A signed-in customer with many pieces of one film. */
async function aCollector(pieces: number) {
  const film = await aFilm(service, pages.shop)
  const buyer = await aBuyer(pages.shop)
  const order = await anOrder(pages.shop, buyer, [{ product_id: film.product_id }])
  await sql`insert into entitlements select piece.* from entitlements
    cross join generate_series(2, ${pieces}::int) as number
    cross join lateral jsonb_populate_record(entitlements, jsonb_build_object(
      'id', nextval('entitlements_id_seq'), 'piece', number, 'title', ${LONG}::text,
      'document', replace(document, title, ${LONG}))) as piece
    where entitlements.company_id = ${pages.shop.companyId} and entitlements.order_id = ${order.id}`.execute(service.db)
  return { order, visitor: await pages.signIn(buyer.email) }
}

const exportPath = () => `${pages.base}/account/export`

/** An export whose client has the headers and reads nothing else yet. */
function open({ cookies }: Visitor, method = 'GET'): Promise<IncomingMessage> {
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  get(`${service.url}${exportPath()}`, { method, headers: { cookie, 'user-agent': 'Firefox' } }, resolve).on(
    'error',
    reject,
  )
  return promise
}

/** Waits until the service sends no more statements, and answers how many there were. */
async function statementsUntilQuiet(since: number): Promise<number> {
  for (let before = -1; before !== statementCount(); await sleep(300)) before = statementCount()
  return statementCount() - since
}

async function bodyOf(answer: IncomingMessage): Promise<Wire> {
  const parts: Buffer[] = []
  for await (const part of answer) parts.push(part)
  return JSON.parse(Buffer.concat(parts).toString())
}

describe('the export of what a company knows of a customer', () => {
  test('is read as fast as the client takes it, in batches', async () => {
    const { visitor } = await aCollector(MANY)
    const before = statementCount()
    const answer = await open(visitor)
    assert.equal(answer.statusCode, 200)
    const unread = await statementsUntilQuiet(before)
    const { entitlements } = await bodyOf(answer)
    assert.equal(new Set(entitlements.map(({ id }: Wire) => id)).size, MANY)
    const later = statementCount() - before - unread
    assert.ok(later >= 10, `${later} statements while the client read, and ${unread} before`)
  })

  test('ends with the connection', async () => {
    const { visitor } = await aCollector(MANY)
    const before = statementCount()
    const answer = await open(visitor)
    answer.destroy()
    const statements = await statementsUntilQuiet(before)
    assert.ok(statements < 30, `${statements} statements for a client that is gone`)
    assert.equal((await visitor.get(exportPath())).status, 200)
  })

  // A framework may read a whole stream to answer with nothing of it.
  test('is not read for its headers alone', async () => {
    const { visitor } = await aCollector(MANY)
    const before = statementCount()
    const answer = await open(visitor, 'HEAD')
    assert.equal(answer.statusCode, 200)
    const statements = await statementsUntilQuiet(before)
    assert.ok(statements < 20, `${statements} statements for headers`)
  })

  test('runs once at a time for a customer, and does not keep others waiting', async () => {
    const first = await aCollector(MANY)
    const second = await aCollector(2)
    const answer = await open(first.visitor)
    const refused = await first.visitor.get(exportPath())
    assert.equal(refused.status, 429)
    assert.match(refused.text, /role="alert"[^>]*>[^<]*is being downloaded already/)
    assert.ok(Number(refused.headers.get('retry-after')) > 0)
    assert.equal((await second.visitor.get(exportPath())).status, 200)
    answer.destroy()
    for (let tries = 0; (await first.visitor.get(exportPath())).status === 429; tries += 1) {
      assert.ok(tries < 100, 'the export that was broken off still counts as running')
      await sleep(50)
    }
  })

  test('is given so many times, and then after a wait', async () => {
    const { visitor } = await aCollector(2)
    const statuses: number[] = []
    for (let count = 0; count < 7; count += 1) statuses.push((await visitor.get(exportPath())).status)
    assert.deepEqual([statuses[0], statuses.at(-1)], [200, 429])
    service.clock.advance(3601)
    assert.equal((await visitor.get(exportPath())).status, 200)
    service.clock.advance(-3601)
  })

  test('has the reviews and the wishes of the customer, and of nobody else', async () => {
    const settings = (await pages.shop.get('/api/themesettings.json')).body.ThemeSettings[0]
    const allowed = { allow_reviews: true, need_approval_of_reviews: true }
    await pages.shop.put(`/api/themesettings/${settings.id}.json`, { ThemeSetting: allowed })
    const film = await aFilm(service, pages.shop, 0, { title: 'Salt House' })
    const saidBy = async (text: string) => {
      const buyer = await aBuyer(pages.shop)
      await anOrder(pages.shop, buyer, [{ product_id: film.product_id }])
      const visitor = await pages.signIn(buyer.email)
      assert.equal((await visitor.post(`${pages.base}/products/${film.id}/review`, { stars: '5', text })).status, 200)
      const saved = await visitor.post(`${pages.base}/account/wish-list`, { product: String(film.id) })
      assert.equal(saved.status, 303)
      return visitor
    }
    await saidBy('Not mine.')
    const visitor = await saidBy('Cold and good.')
    const { reviews, wishes } = JSON.parse((await visitor.get(exportPath())).text)
    assert.deepEqual(
      reviews.map(({ text, state }: Wire) => [text, state]),
      [['Cold and good.', 'waiting']],
    )
    assert.deepEqual(
      wishes.map(({ product_id, title }: Wire) => [product_id, title]),
      [[film.product_id, 'Salt House']],
    )
  })

  test('has the subscriptions of the customer, with their periods and what happened', async () => {
    const { plan, customer } = await aClub(service, {}, pages.shop)
    const wish = { plan_id: plan.id, test_card: TEST_CARDS.succeeds }
    const { id } = await signUp(pages.shop, { ...wish, customer_token: customer.token })
    await signUp(pages.shop, { ...wish, customer_token: (await aBuyer(pages.shop)).token })
    const visitor = await pages.signIn(customer.email)
    const { subscriptions } = JSON.parse((await visitor.get(exportPath())).text)
    assert.deepEqual(
      subscriptions.map((each: Wire) => [each.id, each.status, each.periods.length, each.timeline.at(-1).kind]),
      [[id, 'active', 1, 'signed_up']],
    )
  })

  test('presents what has changed by itself since it was stored', async () => {
    const { visitor, order } = await aCollector(300)
    await sql`update entitlements set document_until = now() - interval '1 day', document = '{"title":"Stale"}'
      where company_id = ${pages.shop.companyId} and order_id = ${order.id} and piece % 2 = 0`.execute(service.db)
    const { entitlements } = JSON.parse((await visitor.get(exportPath())).text)
    assert.equal(entitlements.length, 300)
    assert.ok(entitlements.every(({ order_id }: Wire) => order_id === order.id))
  })
})
