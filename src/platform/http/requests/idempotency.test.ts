import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { describe, test } from 'node:test'
import pg from 'pg'
import { aCustomer, anEmail } from '#test/customers.ts'
import { type Shop, useService } from '#test/harness.ts'
import { aFilm } from '#test/shipping.ts'

const service = useService()
const film = { product: { product_type: 1, title: 'Film' } }

const send = (shop: Shop, key: string, body: unknown = film) =>
  shop.post('/api/products.json', body, { 'idempotency-key': key })
const count = async (shop: Shop) => (await shop.get('/api/products/count.json')).body.count

// Two at a time, so that the others run while the first one waits.
describe('Idempotency-Key', { concurrency: 2 }, () => {
  // Waits for the ten seconds that the promise is about.
  test('whose first request still runs after ten seconds is 409', async () => {
    const shop = await service.openShop()
    const holder = new pg.Client(service.database.connection)
    await holder.connect()
    await holder.query('begin')
    await holder.query(
      `insert into idempotency_keys (company_id, app_id, key, fingerprint, created_at) values ($1, $2, 'a', '', now())`,
      [shop.companyId, shop.appId],
    )
    const answer = await send(shop, 'a')
    assert.deepEqual([answer.status, answer.body.code], [409, 'conflict'])
    await holder.query('rollback')
    await holder.end()
    assert.equal((await send(shop, 'a')).status, 201)
  })

  test('gives the same answer again, marked, and makes no second thing', async () => {
    const shop = await service.openShop()
    const first = await send(shop, 'a')
    const second = await send(shop, 'a')
    assert.deepEqual([first.status, first.headers.get('idempotent-replayed')], [201, null])
    assert.deepEqual([second.status, second.headers.get('idempotent-replayed')], [201, 'true'])
    assert.equal(second.text, first.text)
    assert.equal(await count(shop), 1)
    assert.equal((await send(shop, 'b')).headers.get('idempotent-replayed'), null)
    assert.equal(await count(shop), 2)
  })

  test('with another body or path is 422', async () => {
    const shop = await service.openShop()
    await send(shop, 'a')
    const other = await send(shop, 'a', { product: { product_type: 1, title: 'Other' } })
    assert.equal(other.status, 422)
    assert.deepEqual(other.body.errors, { 'Idempotency-Key': ['was used for another request'] })
    const category = await shop.post('/api/categories.json', { category: { title: 'A' } }, { 'idempotency-key': 'a' })
    assert.equal(category.status, 422)
    assert.equal(await count(shop), 1)
  })

  test('compares values, not texts', async () => {
    const shop = await service.openShop()
    const same = [
      '{"product":{"product_type":1,"title":"Film","locales":[{"language_id":"en"},{"language_id":"de"}]}}',
      '{ "product": {\n "locales": [{"language_id":"en"}, {"language_id":"de"}], "title": "Film", "product_type": "1" } }',
      '{"product":{"title":"\\u0046ilm","unknown":1,"product_type":1.0,"locales":[{"language_id":"en"},{"language_id":"de"}]}}',
    ]
    const answers = []
    for (const body of same) answers.push(await send(shop, 'a', body))
    assert.deepEqual([...new Set(answers.map(({ status, text }) => `${status} ${text}`))].length, 1)
    const turned = '{"product":{"product_type":1,"title":"Film","locales":[{"language_id":"de"},{"language_id":"en"}]}}'
    assert.equal((await send(shop, 'a', turned)).status, 422, 'the order of a list counts')
    assert.equal(await count(shop), 1)
  })

  test('compares the query, in any order, without the access token', async () => {
    const shop = await service.openShop()
    const [{ product_id }, { email }] = [await aFilm(service, shop), await aCustomer(shop)]
    const other = await aCustomer(shop)
    const post = (query: string, token: string) =>
      service.call('POST', `/api/orders.json?${query}&access_token=${token}`, {
        body: { order: { line_items: [{ product_id }] } },
        headers: { 'idempotency-key': 'a' },
      })
    const first = await post(`email=${email}&unknown=1`, shop.token)
    assert.equal(first.status, 201, first.text)
    const { token: renewed } = await shop.withScopes('orders')
    const again = await post(`unknown=1&email=${encodeURIComponent(email)}`, renewed)
    assert.deepEqual([again.status, again.text], [201, first.text])
    assert.equal((await post(`email=${other.email}`, shop.token)).status, 422)
  })

  test('compares passwords, and stores nothing by which one can be guessed', async () => {
    const shop = await service.openShop()
    const customer = { email: anEmail(), password: 'first password', first_name: 'Jane' }
    const post = (attributes: object) =>
      shop.post('/api/customers.json', { customer: { ...customer, ...attributes } }, { 'idempotency-key': 'a' })
    const first = await post({})
    assert.equal(first.status, 201, first.text)
    assert.equal((await post({})).headers.get('idempotent-replayed'), 'true')
    const password = 'other password'
    const changed = { customer: { password, password_confirmation: password } }
    assert.equal((await shop.put(`/api/customers/${first.body.customer.token}.json`, changed)).status, 200)
    assert.deepEqual((await post({ password })).body.errors, { 'Idempotency-Key': ['was used for another request'] })

    // Whoever knows the rest of the request and the stored bytes still lacks the key.
    const { fingerprint } = await service.db
      .selectFrom('idempotency_keys')
      .select('fingerprint')
      .where('company_id', '=', shop.companyId)
      .executeTakeFirstOrThrow()
    const asked = ['POST', '/api/customers.json', {}, {}, { customer }]
    const sorted = { customer: Object.fromEntries(Object.entries(customer).sort()) }
    for (const guess of [JSON.stringify(asked), JSON.stringify([...asked.slice(0, 4), sorted])])
      assert.ok(!fingerprint.equals(hash('sha256', guess, 'buffer')))
  })

  test('sent fifty times at once makes one product and fifty equal answers', async () => {
    const shop = await service.openShop()
    const answers = await Promise.all(Array.from({ length: 50 }, () => send(shop, 'storm')))
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [201])
    assert.equal(new Set(answers.map(({ text }) => text)).size, 1)
    assert.equal(answers.filter(({ headers }) => headers.get('idempotent-replayed') === null).length, 1)
    assert.equal(await count(shop), 1)
  })

  test('is not shared by companies, nor by two apps of one', async () => {
    const shop = await service.openShop()
    const stranger = await service.openShop()
    await send(shop, 'a')
    assert.equal((await send(stranger, 'a')).headers.get('idempotent-replayed'), null)
    await service.db
      .updateTable('idempotency_keys')
      .set({ app_id: stranger.appId })
      .where('company_id', '=', shop.companyId)
      .execute()
    assert.equal((await send(shop, 'a')).headers.get('idempotent-replayed'), null)
    assert.equal(await count(shop), 2)
  })

  test('does not keep an error', async () => {
    const shop = await service.openShop()
    const wrong = await send(shop, 'a', { product: { product_type: 1, title: '' } })
    assert.equal(wrong.status, 422)
    const again = await send(shop, 'a', { product: { product_type: 1, title: '' } })
    assert.deepEqual([again.status, again.headers.get('idempotent-replayed')], [422, null])
    assert.deepEqual([(await send(shop, 'a')).status, await count(shop)], [201, 1])
  })

  test('is new again after a day', async () => {
    const shop = await service.openShop()
    await send(shop, 'a')
    // The token would not live as long as the key: the key is made older instead.
    await service.db
      .updateTable('idempotency_keys')
      .set({ created_at: new Date(service.clock.now().getTime() - 86_402_000) })
      .where('company_id', '=', shop.companyId)
      .execute()
    const later = await send(shop, 'a', { product: { product_type: 1, title: 'Another day' } })
    assert.deepEqual([later.status, later.headers.get('idempotent-replayed')], [201, null])
    assert.equal(await count(shop), 2)
  })

  test('that is empty or too long is 422, and is not looked at outside of POST', async () => {
    const shop = await service.openShop()
    for (const key of ['', 'k'.repeat(256)]) {
      const { status, body } = await send(shop, key)
      assert.deepEqual([status, Object.keys(body.errors)], [422, ['Idempotency-Key']], key)
    }
    assert.equal((await send(shop, 'k'.repeat(255))).status, 201)
    assert.equal((await shop.get('/api/products.json', undefined, { 'idempotency-key': '' })).status, 200)
  })
})
