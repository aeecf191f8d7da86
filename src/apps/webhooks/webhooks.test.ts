import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { emit } from '#history/events/emit.commands.ts'
import { TOPICS } from '#history/events/topics.facts.ts'
import { nowInSeconds } from '#platform/clock.ts'
import type { Tx } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { adminPage, ownerPage } from '#test/admin.ts'
import { aProduct, assertBlames } from '#test/factories.ts'
import { useService } from '#test/harness.ts'
import { aMember } from '#test/people.ts'
import { useReceiver } from '#test/receiver.ts'
import { aWebhook, deliveriesOf, newSecret, readWebhook } from '#test/webhooks.ts'
import { WEBHOOKS_MAX } from './commands.ts'
import { deleteOldDeliveries } from './deliveries/commands.ts'

const service = useService()
const receiver = useReceiver()

const ADDRESS = 'https://app.example.com/hooks?shop=1&next=%2F'

describe('webhooks over HTTP', () => {
  // Receivers often tell who sends by a secret in the address.
  test('show users who may not change them where they lead, and not the rest of the address', async () => {
    const shop = await service.openShop()
    const address = 'https://name:word@hooks.example.com/services/T0/secret?key=1'
    const { webhook } = (await shop.post('/api/webhooks.json', { webhook: { topic: 'order/create', address } })).body
    const [owner, { visitor }] = [await ownerPage(service, shop), await aMember(service, shop)]
    const helper = adminPage(service, visitor)
    for (const path of ['/webhooks.json', `/webhooks/${webhook.id}.json`]) {
      assert.match((await owner.get(path)).text, /name:word@hooks\.example\.com\/services/)
      const { text, status } = await helper.get(path)
      assert.equal(status, 200)
      assert.match(text, /"https:\/\/hooks\.example\.com\/\*\*\*"/)
      assert.doesNotMatch(text, /secret|word|key=/)
    }
  })

  test('are created, read, listed, changed and deleted at both paths', async () => {
    for (const base of ['/admin', '/api', '/api2']) {
      const shop = await service.openShop()
      const created = await shop.post(`${base}/webhooks.json`, {
        webhook: { topic: 'order/create', address: ADDRESS, format: 'json' },
      })
      assert.equal(created.status, 200)
      const { webhook } = created.body
      assert.deepEqual(Object.keys(webhook).slice(0, 5), ['id', 'topic', 'address', 'format', 'is_active'])
      assert.deepEqual(
        [webhook.topic, webhook.address, webhook.format, webhook.is_active],
        ['order/create', ADDRESS, 'json', true],
      )
      assert.match(webhook.updated_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/)
      const path = `${base}/webhooks/${webhook.id}.json`
      assert.deepEqual((await shop.get(path)).body, { webhook })
      assert.deepEqual((await shop.get(`${base}/webhooks.json`)).body, { webhooks: [webhook] })
      const changed = await shop.put(path, {
        webhook: { id: webhook.id, topic: 'product/update', address: `${ADDRESS}&b`, is_active: false },
      })
      assert.equal(changed.status, 200)
      const { topic, address, is_active, inactive_reason } = changed.body.webhook
      assert.deepEqual(
        [topic, address, is_active, inactive_reason],
        ['product/update', `${ADDRESS}&b`, false, 'paused'],
      )
      const deleted = await shop.delete(path, undefined, { 'content-type': 'application/json' })
      assert.deepEqual([deleted.status, deleted.body], [200, {}])
      assert.equal((await shop.get(path)).status, 404)
      assert.equal((await shop.delete(path)).status, 404)
    }
  })

  test('are understood in the other spelling, and answered in the one of the interface', async () => {
    const shop = await service.openShop()
    const { body } = await shop.post('/admin/webhooks.json', {
      webhook: { scope: 'orders/create', destination: ADDRESS, is_valid: true },
    })
    assert.deepEqual(
      [body.webhook.topic, body.webhook.address, body.webhook.is_active],
      ['order/create', ADDRESS, true],
    )
    const changed = await shop.put(`/admin/webhooks/${body.webhook.id}.json`, {
      webhook: { scope: 'groupmembers/update', destination: 'http://example.com', is_valid: '0' },
    })
    const { topic, address, is_active } = changed.body.webhook
    assert.deepEqual([topic, address, is_active], ['groupmember/update', 'http://example.com', false])
  })

  test('take every topic, in the singular and in the plural', async () => {
    const shop = await service.openShop()
    for (const topic of TOPICS) {
      const plural = topic.replace('/', 's/')
      const { id } = await aWebhook(shop, ADDRESS, topic)
      assert.deepEqual([(await aWebhook(shop, ADDRESS, plural)).id, (await readWebhook(shop, id)).topic], [id, topic])
    }
    assert.equal(TOPICS.length, 16)
  })

  test('that are created twice are the one that is there, active', async () => {
    const shop = await service.openShop()
    const { id } = await aWebhook(shop, ADDRESS)
    await shop.put(`/api/webhooks/${id}.json`, { webhook: { is_active: false } })
    const answers = await Promise.all(Array.from({ length: 10 }, () => aWebhook(shop, ADDRESS)))
    assert.deepEqual(new Set(answers.map((webhook) => `${webhook.id} ${webhook.is_active}`)), new Set([`${id} true`]))
    const others = await Promise.all(Array.from({ length: 10 }, () => aWebhook(shop, `${ADDRESS}#2`)))
    assert.equal(new Set(others.map((webhook) => webhook.id)).size, 1)
    const found = async (query: string) => (await shop.get(`/api/webhooks.json${query}`)).body.webhooks.length
    assert.deepEqual(
      [
        await found(''),
        await found('?topic=products/create'),
        await found('?topic='),
        await found('?topic=order/create'),
      ],
      [2, 2, 2, 0],
    )
  })

  test('cannot be made the same by a change', async () => {
    const shop = await service.openShop()
    await aWebhook(shop, ADDRESS)
    const { id } = await aWebhook(shop, 'https://example.com/')
    assertBlames(await shop.put(`/api/webhooks/${id}.json`, { webhook: { address: ADDRESS } }), ['address'])
  })

  test('refuse what they cannot use', async () => {
    const shop = await service.openShop()
    const refused = async (webhook: object, ...fields: string[]) =>
      assertBlames(await shop.post('/api/webhooks.json', { webhook }), fields)
    await refused({}, 'topic', 'address')
    await refused({ topic: 'order/paid', address: ADDRESS }, 'topic')
    await refused({ scope: '', destination: ADDRESS }, 'scope')
    await refused({ topic: 'constructor/create', address: ADDRESS }, 'topic')
    for (const address of [
      '',
      'nonsense',
      'ftp://example.com',
      'javascript:alert(1)',
      '/hooks',
      'https://',
      `${ADDRESS}\0`,
    ])
      await refused({ topic: 'order/create', address }, 'address')
    await refused({ topic: 'order/create', address: `https://example.com/${'x'.repeat(2000)}` }, 'address')
    await refused({ topic: 'order/create', address: ADDRESS, format: 'xml' }, 'format')
    const twice = { topic: 'order/create', scope: 'app/update', address: ADDRESS, is_active: true, is_valid: false }
    await refused(twice, 'scope', 'is_valid')
    await refused({ topic: 'order/create', address: ADDRESS, is_active: 'perhaps' }, 'is_active')
    assert.equal((await shop.post('/api/webhooks.json', { topic: 'order/create', address: ADDRESS })).status, 400)
    assert.deepEqual((await shop.get('/api/webhooks.json')).body, { webhooks: [] })
  })

  test('belong to one app and one company', async () => {
    const shop = await service.openShop()
    const stranger = await service.openShop()
    const { id } = await aWebhook(shop, ADDRESS)
    await sql`update webhooks set app_id = ${stranger.appId} where id = ${id}`.execute(service.db)
    for (const caller of [shop, stranger]) {
      for (const path of [
        `${id}.json`,
        `${id}/deliveries.json`,
        `${id}/deliveries/count.json`,
        `${id}/deliveries/1.json`,
      ])
        assert.equal((await caller.get(`/api/webhooks/${path}`)).status, 404, path)
      assert.equal((await caller.put(`/api/webhooks/${id}.json`, { webhook: {} })).status, 404)
      assert.equal((await caller.delete(`/api/webhooks/${id}.json`)).status, 404)
      assert.equal((await caller.post(`/api/webhooks/${id}/test.json`, { test: {} })).status, 404)
      assert.equal((await caller.post(`/api/webhooks/${id}/replay.json`, { replay: { state: 'failed' } })).status, 404)
      assert.deepEqual((await caller.get('/api/webhooks.json')).body, { webhooks: [] })
    }
    const other = await shop.withScopes('orders', 'products')
    assert.equal((await other.get('/api/webhooks.json')).status, 403)
  })

  test('are at most 10,000 for an app and a company', async () => {
    const shop = await service.openShop()
    await sql`insert into webhooks (company_id, app_id, topic, address, is_active, since_event_id, created_at, updated_at)
      select ${shop.companyId}, ${shop.appId}, 'order/create', 'https://example.com/' || n, true, 0, now(), now()
      from generate_series(1, ${WEBHOOKS_MAX - 1}) as n`.execute(service.db)
    await aWebhook(shop, 'https://example.com/1', 'order/create')
    await aWebhook(shop, ADDRESS)
    const refused = await shop.post('/api/webhooks.json', { webhook: { topic: 'order/create', address: ADDRESS } })
    assert.deepEqual([refused.status, refused.body.reason], [422, 'too_many_webhooks'])
    await sql`delete from webhooks where company_id = ${shop.companyId}`.execute(service.db)
  })
})

describe('an event', () => {
  test('arrives byte by byte as the interface says, with the headers of Standard Webhooks', async () => {
    const shop = await service.openShop()
    const secret = await newSecret(service, shop)
    await aWebhook(shop, receiver.url('/exact?q=1'))
    const product = await aProduct(shop)
    await service.runJobs()
    const [event, ...others] = receiver.at('/exact?q=1')
    assert.ok(event)
    assert.equal(others.length, 0)
    const text = `${secret}company_id${shop.companyId}producershopscopeproduct/createtypeproductid${product.id}long_id${product.product_id}`
    assert.equal(
      event.text,
      `{"company_id":${shop.companyId},"producer":"shop","scope":"product/create","data":{"type":"product","id":"${product.id}","long_id":"${product.product_id}"},"hash":"${hash('sha256', text, 'hex')}"}`,
    )
    assert.equal(event.headers['content-type'], 'application/json')
    const headers = Object.fromEntries(
      ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [name, String(event.headers[name])]),
    )
    assert.match(headers['webhook-id'] ?? '', /^evt_\d+$/)
    assert.deepEqual(new StandardWebhook(secret, { format: 'raw' }).verify(event.text, headers), event.body)
    assert.throws(() => new StandardWebhook('another', { format: 'raw' }).verify(event.text, headers))
  })

  test('hashes to the text that the interface gives as its example', async () => {
    const { hashOf } = await import('./sender/message.worker.ts')
    const payload = { company_id: 1202, producer: 'shop', scope: 'order/create', data: { type: 'order', id: '267227' } }
    const text = 'secretcompany_id1202producershopscopeorder/createtypeorderid267227'
    assert.equal(hashOf(payload, 'secret'), hash('sha256', text, 'hex'))
  })

  test('is signed with both secrets while the previous one is good', async () => {
    const shop = await service.openShop()
    const before = await newSecret(service, shop)
    const after = await newSecret(service, shop, 3600)
    await aWebhook(shop, receiver.url('/rotated'))
    await aProduct(shop)
    await service.runJobs()
    const [event] = receiver.at('/rotated')
    for (const secret of [before, after])
      new StandardWebhook(secret, { format: 'raw' }).verify(event?.text ?? '', event?.headers as Record<string, string>)
  })

  test('goes to the webhooks of its company and topic, and only those that were there before it', async () => {
    const [shop, stranger] = [await service.openShop(), await service.openShop()]
    await aProduct(shop)
    await aWebhook(shop, receiver.url('/mine'))
    await aWebhook(shop, receiver.url('/mine'), 'product/delete')
    await aWebhook(stranger, receiver.url('/mine'))
    const product = await aProduct(shop)
    await service.runJobs()
    const events = receiver.at('/mine')
    assert.deepEqual([events.length, events[0]?.body.data.id], [1, String(product.id)])
  })

  test('of a change that was rolled back does not exist', async () => {
    const shop = await service.openShop()
    await aWebhook(shop, receiver.url('/rolled-back'))
    await aProduct(shop)
    const refused = await shop.post('/api/products.json', { product: { title: 'No type' } })
    assert.equal(refused.status, 422)
    await service.runJobs()
    assert.equal(receiver.at('/rolled-back').length, 1)
  })

  test('about an app goes to that app alone, and after its removal nothing else does', async () => {
    const shop = await service.openShop()
    const other = await service.openShop()
    const updates = await aWebhook(shop, receiver.url('/apps'), 'product/create')
    await aWebhook(shop, receiver.url('/apps'), 'app/uninstalled')
    const theirs = await aWebhook(other, receiver.url('/others'), 'app/uninstalled')
    await sql`update webhooks set company_id = ${shop.companyId} where id = ${theirs.id}`.execute(service.db)
    await aProduct(shop)
    await sql`update grants set revoked_at = now() where company_id = ${shop.companyId}`.execute(service.db)
    await sql`insert into events (company_id, topic, data, created_at) values
      (${shop.companyId}, 'app/uninstalled', ${JSON.stringify({ type: 'app', id: String(shop.appId) })}, now()),
      (${shop.companyId}, 'product/create', '{"type":"product","id":"1"}', now())`.execute(service.db)
    await service.runJobs()
    assert.deepEqual(
      receiver.at('/apps').map(({ body }) => body.scope),
      ['app/uninstalled'],
    )
    assert.equal(receiver.at('/others').length, 0)
    const row = await service.db.selectFrom('webhooks').selectAll().where('id', '=', updates.id).executeTakeFirst()
    assert.deepEqual([row?.is_active, row?.inactive_reason], [false, 'uninstalled'])
  })
})

describe('an event of a change that was under way when the webhook was created', () => {
  // An app subscribes, and then reads all products: what it cannot see yet must come as an event.
  test('goes to the webhook, if it was committed after it', async () => {
    const shop = await service.openShop()
    const tell = (tx: Tx, id: string) =>
      emit(tx, shop.companyId, 'order/create', nowInSeconds(service.clock), [{ type: 'order', id }])
    const [isDrawn, mayCommit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const change = inTransaction(service.db, async (tx) => {
      await tell(tx, 'late')
      await sql`select`.execute(tx)
      isDrawn.resolve()
      await mayCommit.promise
    })
    await isDrawn.promise
    await inTransaction(service.db, (tx) => tell(tx, 'before'))
    const { id } = await aWebhook(shop, receiver.url('/late'), 'order/create')
    mayCommit.resolve()
    await change
    await service.runJobs()
    assert.deepEqual(
      (await deliveriesOf(shop, id)).map(({ data }) => data.id),
      ['late'],
    )
  })
})

describe('deliveries', () => {
  test('are deleted when they are older than 30 days', async () => {
    const shop = await service.openShop()
    const { id } = await aWebhook(shop, receiver.url('/old'))
    await aProduct(shop)
    await service.runJobs()
    const prune = (days: number) =>
      inTransaction(service.db, (tx) =>
        deleteOldDeliveries(tx, new Date(service.clock.now().getTime() + days * 86_400_000)),
      )
    await prune(29.9)
    assert.equal((await deliveriesOf(shop, id)).length, 1)
    assert.ok((await prune(30.1)) > 0)
    assert.equal((await deliveriesOf(shop, id)).length, 0)
    assert.equal(await prune(30.1), 0)
  })

  test('show every attempt, can be filtered and counted, and belong to their webhook', async () => {
    const shop = await service.openShop()
    const { id } = await aWebhook(shop, receiver.url('/log'))
    const other = await aWebhook(shop, receiver.url('/log'), 'order/create')
    const product = await aProduct(shop)
    await service.runJobs()
    const [delivery, ...more] = await deliveriesOf(shop, id)
    assert.equal(more.length, 0)
    assert.deepEqual(
      [delivery.state, delivery.topic, delivery.data.id, delivery.next_attempt_at],
      ['delivered', 'product/create', String(product.id), null],
    )
    assert.equal(delivery.message_id, `evt_${delivery.event_id}`)
    const [{ at, duration_ms, ...attempt }] = delivery.attempts
    assert.deepEqual(attempt, { status: 200, response: 'thank you', code: null, reason: null })
    assert.ok(Number.isInteger(duration_ms) && /^\d{4}-/.test(at))
    const path = `/api/webhooks/${id}/deliveries`
    assert.deepEqual((await shop.get(`${path}/${delivery.id}.json`)).body.delivery, delivery)
    assert.equal((await shop.get(`/api/webhooks/${other.id}/deliveries/${delivery.id}.json`)).status, 404)
    assert.equal((await shop.get(`${path}/nonsense.json`)).status, 404)
    for (const [query, count] of [
      ['', 1],
      ['?state=delivered', 1],
      ['?state=failed', 0],
      ['?created_at_min=2100-01-01', 0],
      ['?created_at_max=2100-01-01', 1],
      [`?since_id=${delivery.id}`, 0],
    ] as const) {
      assert.equal((await deliveriesOf(shop, id, query)).length, count, query)
      assert.deepEqual((await shop.get(`${path}/count.json${query}`)).body, { count }, query)
    }
  })

  test('are sent again: one, all that failed, or a time range', async () => {
    const shop = await service.openShop()
    const { id } = await aWebhook(shop, receiver.url('/replay'))
    await aProduct(shop)
    await service.runJobs()
    const [delivery] = await deliveriesOf(shop, id)
    const path = `/api/webhooks/${id}`
    const replayed = await shop.post(`${path}/deliveries/${delivery.id}/replay.json`)
    assert.deepEqual([replayed.status, replayed.body.delivery.state], [200, 'pending'])
    await service.runJobs()
    const replay = (body: object) => shop.post(`${path}/replay.json`, { replay: body })
    assert.deepEqual((await replay({ state: 'failed' })).body, { replayed: 0 })
    assert.deepEqual((await replay({ from: '2000-01-01' })).body, { replayed: 1 })
    await service.runJobs()
    assert.deepEqual((await replay({ from: '2100-01-01' })).body, { replayed: 0 })
    assert.deepEqual((await replay({ to: '2000-01-01T00:00:00+02:00' })).body, { replayed: 0 })
    assert.equal((await replay({})).body.reason, 'replay_undecided')
    assertBlames(await replay({ from: '2027-01-01', to: '2020-01-01' }), ['to'])
    assert.equal((await replay({ sate: 'failed' })).status, 422)
    assertBlames(await replay({ state: 'delivered' }), ['state'])
    const events = receiver.at('/replay')
    assert.deepEqual([events.length, new Set(events.map(({ headers }) => headers['webhook-id'])).size], [3, 1])
    const [after] = await deliveriesOf(shop, id)
    assert.deepEqual([after.id, after.state, after.attempts.length], [delivery.id, 'delivered', 3])
  })

  test('of a test carry an event of any topic, signed like a real one', async () => {
    const shop = await service.openShop()
    const secret = await newSecret(service, shop)
    const { id } = await aWebhook(shop, receiver.url('/test'))
    for (const topic of [...TOPICS, 'orders/create'])
      assert.equal((await shop.post(`/api/webhooks/${id}/test.json`, { test: { topic } })).status, 200)
    assertBlames(await shop.post(`/api/webhooks/${id}/test.json`, { test: { topic: 'a/b' } }), ['topic'])
    await service.runJobs()
    const events = receiver.at('/test')
    assert.deepEqual(
      events.map(({ body }) => body.scope),
      [...TOPICS, 'order/create'],
    )
    for (const { body, text, headers } of events) {
      assert.equal(body.producer, 'test')
      new StandardWebhook(secret, { format: 'raw' }).verify(text, headers as Record<string, string>)
    }
  })
})
