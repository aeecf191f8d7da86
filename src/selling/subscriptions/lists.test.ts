import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { TEST_CARDS } from '#selling/payments/gateways/test-cards/gateway.ts'
import { aCustomer } from '#test/customers.ts'
import { aPrice, assertBlames, type Wire } from '#test/factories.ts'
import { useService } from '#test/harness.ts'
import { aClub, advanceTo, periodsOf, read, signUp } from '#test/subscriptions.ts'

const service = useService()

const DAY_MS = 86_400_000

describe('the list of subscriptions', () => {
  test('finds them by the name and the address of the customer', async () => {
    const { shop, plan } = await aClub(service)
    const jane = await aCustomer(shop, { first_name: 'Jane', last_name: 'Doe', email: 'jane@list.example' })
    const john = await aCustomer(shop, { first_name: 'John', last_name: 'Roe', email: 'john@list.example' })
    const ids = new Map<string, number>()
    for (const { token } of [jane, john])
      ids.set(token, (await signUp(shop, { plan_id: plan.id, customer_token: token, paid: true })).id)
    const found = async (query: string) =>
      (await shop.get(`/api/subscriptions.json?${query}`)).body.subscriptions.map(({ id }: Wire) => id)
    assert.deepEqual(await found('q=JANE@list'), [ids.get(jane.token)])
    assert.deepEqual(await found('q=roe'), [ids.get(john.token)])
    assert.deepEqual(await found('q=john@list&status=ended'), [])
    assert.deepEqual(await found('q=nobody'), [])
    assert.deepEqual(await found('sort=-id'), [ids.get(john.token), ids.get(jane.token)])
    assert.equal((await shop.get('/api/subscriptions/count.json?q=jane')).body.count, 1)
    const [period] = await periodsOf(shop, { id: Number(ids.get(jane.token)) })
    assert.deepEqual(await found(`order_id=${period?.order_id}`), [ids.get(jane.token)])
    const stranger = await service.openShop()
    assert.deepEqual((await stranger.get('/api/subscriptions.json?q=jane@list')).body.subscriptions, [])
  })

  test('says whose they are, until the company forgets the customer', async () => {
    const { shop, plan, customer } = await aClub(service)
    const created = await signUp(shop, { plan_id: plan.id, customer_token: customer.token, paid: true })
    assert.equal(created.email, customer.email)
    assert.equal((await read(shop, created)).email, customer.email)
    assert.equal((await shop.delete(`/api/customers/${customer.token}.json`)).status, 200)
    await service.runJobs()
    assert.equal((await read(shop, created)).email, null)
  })

  test('is a file with all that fit', async () => {
    const { shop, plan, customer } = await aClub(service)
    const created = await signUp(shop, { plan_id: plan.id, customer_token: customer.token, paid: true })
    const { headers, text } = await shop.get('/api/subscriptions.json?format=csv&limit=1')
    assert.match(headers.get('content-disposition') ?? '', /filename="subscriptions\.csv"/)
    const [heading = '', line = '', rest] = text.split('\r\n')
    assert.match(heading, /^\ufeff?id[,;]email[,;]customer_token[,;]group_id[,;]plan_id[,;]status/)
    assert.ok(line.startsWith(String(created.id)) && line.includes(customer.email), line)
    assert.equal(rest, '')
    assert.equal((await shop.get('/api/subscriptions.json?format=csv&status=ended')).text.trim(), heading.trim())
  })
})

describe('what a change of plan would cost', () => {
  test('is what it costs then', async () => {
    const { shop, plan, customer } = await aClub(service)
    const price = await aPrice(service, shop, { currencies: [{ price: 7900, currency: 'EUR' }] })
    const yearly = { group_id: plan.group_id, title: 'Yearly', price_id: price.id, interval: 'year' }
    const other = (await shop.post('/api/plans.json', { plan: yearly })).body.plan
    const wish = { plan_id: plan.id, customer_token: customer.token, test_card: TEST_CARDS.succeeds }
    const created = await signUp(shop, wish)
    const path = `/api/subscriptions/${created.id}`
    const half = Date.parse(created.period_start) + 15 * DAY_MS
    await advanceTo(service, new Date(half).toISOString())
    const asked = async (at: string) =>
      (await shop.get(`${path}/plan_change.json?plan_id=${other.id}&at=${at}`)).body.plan_change
    const later = await asked('period_end')
    assert.deepEqual([later.amount, later.credit, later.total, later.starts_at], [7900, 0, 7900, created.period_end])
    const now = await asked('now')
    assert.equal(now.total, 7900 - now.credit)
    assert.ok(now.credit > 350 && now.credit < 450, `half of a month is left: ${now.credit}`)
    assert.equal((await read(shop, created)).next_plan_id, null, 'nothing has changed')
    assert.equal(
      (await shop.post(`${path}/change_plan.json`, { plan_change: { plan_id: other.id, at: 'now' } })).status,
      200,
    )
    await service.runJobs()
    const [newest] = await periodsOf(shop, created)
    const { order } = (await shop.get(`/api/orders/${newest?.order_id}.json`)).body
    assert.equal(order.total_price, now.total)
  })

  test('is refused for a plan that does not exist, and for strangers', async () => {
    const { shop, plan, customer } = await aClub(service)
    const created = await signUp(shop, { plan_id: plan.id, customer_token: customer.token, paid: true })
    const path = `/api/subscriptions/${created.id}`
    assertBlames(await shop.get(`${path}/plan_change.json?plan_id=999999`), ['plan_id'])
    assert.equal((await shop.get(`${path}/plan_change.json`)).body.plan_change.total, 790)
    const stranger = await service.openShop()
    assert.equal((await stranger.get(`${path}/plan_change.json?plan_id=${plan.id}`)).status, 404)
  })
})
