import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { revokeGrants } from '#identity/grants/commands.ts'
import { nowInSeconds } from '#platform/clock.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { aCustomer, anEmail, shareCustomer } from '#test/customers.ts'
import type { Wire } from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'
import { useReceiver } from '#test/receiver.ts'
import { aSharedCustomer, askFor, pathTo } from '#test/self-service.ts'
import { mailsTo } from '#test/users.ts'
import { visit } from '#test/visitor.ts'
import { change, deliveriesOf, newSecret } from '#test/webhooks.ts'

const service = useService({ trustProxy: ['127.0.0.1'] })
const receiver = useReceiver()

const NEW = 'entirely fresh words'
let visitors = 0
let paths = 0

before(() => service.clock.stop())

/** Opens the link in the last mail to an address, and submits its form. */
async function follow(email: string, typed: Record<string, string> = {}): Promise<void> {
  visitors += 1
  const path = await pathTo(service, email)
  const visitor = visit(service.url, { 'x-forwarded-for': `198.51.100.${visitors}` })
  await visitor.get(path)
  assert.equal((await visitor.submit(path, typed)).status, 200)
}

/** Gives the app of a shop a sync URL at the receiver, and returns its path. */
async function sync(shop: Shop): Promise<string> {
  paths += 1
  await change(service, shop, { dataChangeSyncUrl: receiver.url(`/sync${paths}`) })
  return `/sync${paths}`
}

/** The customer moves to a new address, as the company has asked. */
async function move(shop: Shop, customer: Wire): Promise<string> {
  const email = anEmail()
  await askFor(shop, customer, { email })
  await follow(customer.email)
  await follow(email)
  return email
}

async function choosePassword(shop: Shop, customer: Wire): Promise<void> {
  await askFor(shop, customer, { password: NEW, password_confirmation: NEW })
  await follow(customer.email, { password: NEW, password_confirmation: NEW })
}

async function syncWebhooks(shop: Shop): Promise<Wire[]> {
  return (await shop.get('/api/webhooks.json?topic=data_change_sync')).body.webhooks
}

async function theSyncWebhook(shop: Shop): Promise<Wire> {
  const [webhook, ...others] = await syncWebhooks(shop)
  assert.ok(webhook && others.length === 0)
  return webhook
}

describe('data change sync', () => {
  test('tells the app of a new address and of a new password, signed and in order', async () => {
    const { shop, customer } = await aSharedCustomer(service)
    const secret = await newSecret(service, shop)
    const path = await sync(shop)
    const email = await move(shop, customer)
    await choosePassword(shop, { ...customer, email })
    await service.runJobs()
    const [moved, changed, ...more] = receiver.at(path)
    assert.ok(moved && changed && more.length === 0)
    const changed_at = nowInSeconds(service.clock).toISOString().slice(0, 19)
    const { token } = customer
    const text = (one: string, other: string, flag: boolean) =>
      `customer_token${token}email${one}new_email${other}password_changed${flag}changed_at${changed_at}`
    assert.deepEqual(Object.entries(moved.body), [
      ['customer_token', token],
      ['email', customer.email],
      ['new_email', email],
      ['password_changed', false],
      ['changed_at', changed_at],
      ['hash', hash('sha256', secret + text(customer.email, email, false), 'hex')],
    ])
    assert.deepEqual(changed.body, {
      customer_token: token,
      email,
      new_email: email,
      password_changed: true,
      changed_at,
      hash: hash('sha256', secret + text(email, email, true), 'hex'),
    })
    for (const event of [moved, changed]) {
      new StandardWebhook(secret, { format: 'raw' }).verify(event.text, event.headers as Record<string, string>)
      assert.ok(!event.text.includes(NEW))
    }
    assert.match(String(moved.headers['webhook-id']), /^sync_/)
    const { rows } = await sql<{ data: string }>`select data::text from deliveries`.execute(service.db)
    assert.ok(rows.length > 0 && rows.every(({ data }) => !/argon2|fresh words/.test(data)))
  })

  test('is no part of a change that the company makes, and none of one that is only asked for', async () => {
    const shop = await service.openShop()
    const path = await sync(shop)
    const customer = await aCustomer(shop)
    await shop.put(`/api/customers/${customer.token}.json`, { customer: { email: anEmail() } })
    const shared = await aCustomer(shop)
    await shareCustomer(await service.openShop(), shared)
    const email = anEmail()
    await askFor(shop, shared, { email })
    await follow(shared.email)
    await service.runJobs()
    assert.deepEqual([receiver.at(path), await syncWebhooks(shop)], [[], []])
  })

  test('tells each app once, and only apps that are installed where the customer is known', async () => {
    const { shop, other, customer } = await aSharedCustomer(service)
    const stranger = await service.openShop()
    const [path, otherPath, strangerPath] = [await sync(shop), await sync(other), await sync(stranger)]
    // The app of the shop is installed in the other company too.
    await sql`insert into grants (company_id, app_id, user_id, scopes, created_at)
      values (${other.companyId}, ${shop.appId}, ${other.userId}, '{webhooks}', now())`.execute(service.db)
    await move(shop, customer)
    await service.runJobs()
    assert.deepEqual(
      [path, otherPath, strangerPath].map((each) => receiver.at(each).length),
      [1, 1, 0],
    )
    const lowest = Math.min(shop.companyId, other.companyId)
    const { rows } = await sql<{ company_id: number }>`select company_id from webhooks
      where app_id = ${shop.appId} and topic = 'data_change_sync'`.execute(service.db)
    assert.deepEqual(rows, [{ company_id: lowest }])
  })

  test('is tried again, logged, replayed, paused and tested like a webhook, and kept out of their list', async () => {
    const { shop, customer } = await aSharedCustomer(service)
    const path = await sync(shop)
    receiver.answer = (event, response) => void response.writeHead(event.path === path ? 500 : 200).end()
    const email = await move(shop, customer)
    await service.runJobs()
    const webhook = await theSyncWebhook(shop)
    assert.deepEqual([webhook.failures, webhook.address], [1, receiver.url(path)])
    assert.deepEqual((await shop.get('/api/webhooks.json')).body, { webhooks: [] })
    receiver.answer = (_event, response) => void response.end()
    service.clock.advance(61)
    await service.runJobs()
    const [delivery] = await deliveriesOf(shop, webhook.id)
    assert.deepEqual(
      [delivery.state, delivery.attempts.length, delivery.data.new_email, delivery.event_id],
      ['delivered', 2, email, null],
    )
    const one = `/api/webhooks/${webhook.id}`
    assert.equal((await shop.post(`${one}/deliveries/${delivery.id}/replay.json`)).status, 200)
    assert.equal((await shop.post(`${one}/test.json`, { test: {} })).status, 200)
    await service.runJobs()
    const ids = receiver.at(path).map(({ headers }) => headers['webhook-id'])
    assert.deepEqual([ids.length, new Set(ids).size], [4, 2])
    assert.equal(receiver.at(path).at(-1)?.body.customer_token, 'TNFEQBBVTEDXLUPN')
    const read = (await shop.get(`${one}.json`)).body.webhook
    assert.equal((await shop.put(`${one}.json`, { webhook: { ...read, is_active: false } })).status, 200)
    for (const webhook of [{ address: 'https://example.com' }, { topic: 'order/create' }]) {
      const refused = await shop.put(`${one}.json`, { webhook })
      assert.deepEqual([refused.status, refused.body.reason], [409, 'sync_webhook_fixed'])
    }
    assert.equal((await shop.delete(`${one}.json`)).body.reason, 'sync_webhook_fixed')
    const after = await theSyncWebhook(shop)
    assert.deepEqual([after.is_active, after.address], [false, receiver.url(path)])
  })

  test('whose receiver is gone is deactivated, and the developer gets a mail', async () => {
    const { shop, customer } = await aSharedCustomer(service)
    const path = await sync(shop)
    const developer = anEmail()
    await change(service, shop, { developerEmail: developer })
    receiver.answer = (_event, response) => void response.writeHead(410).end()
    await move(shop, customer)
    await service.runJobs()
    receiver.answer = (_event, response) => void response.end()
    assert.deepEqual([(await theSyncWebhook(shop)).inactive_reason, receiver.at(path).length], ['gone', 1])
    assert.match((await mailsTo(service, developer))[0]?.text ?? '', /data_change_sync/)
  })

  test('follows the URL of the app: another one gets what waits, none gets nothing', async () => {
    const { shop, customer } = await aSharedCustomer(service)
    const path = await sync(shop)
    receiver.answer = (event, response) => void response.writeHead(event.path === path ? 500 : 200).end()
    const email = await move(shop, customer)
    await service.runJobs()
    const moved = await sync(shop)
    await service.runJobs()
    assert.deepEqual([receiver.at(path).length, receiver.at(moved).map(({ body }) => body.new_email)], [1, [email]])
    assert.equal((await theSyncWebhook(shop)).address, receiver.url(moved))
    await change(service, shop, { dataChangeSyncUrl: null })
    await service.runJobs()
    assert.deepEqual(await syncWebhooks(shop), [])
    const { rows } = await sql`select id from deliveries where company_id = ${shop.companyId}`.execute(service.db)
    assert.deepEqual(rows, [])
    await choosePassword(shop, { ...customer, email })
    await service.runJobs()
    assert.equal(receiver.at(moved).length, 1)
    receiver.answer = (_event, response) => void response.end()
  })

  test('ends when the app is uninstalled, and begins again when it comes back', async () => {
    const { shop, customer } = await aSharedCustomer(service)
    const path = await sync(shop)
    const email = await move(shop, customer)
    await service.runJobs()
    await inTransaction(service.db, (tx) =>
      revokeGrants(tx, shop.companyId, { appId: shop.appId }, nowInSeconds(service.clock)),
    )
    await service.runJobs()
    const back = await shop.withScopes('webhooks', 'customers')
    assert.equal((await theSyncWebhook(back)).inactive_reason, 'uninstalled')
    await choosePassword(back, { ...customer, email })
    await service.runJobs()
    assert.deepEqual([(await theSyncWebhook(back)).is_active, receiver.at(path).length], [true, 2])
  })

  test('of a customer who is erased is deleted, sent or not', async () => {
    const { shop, other, customer } = await aSharedCustomer(service)
    const kept = await aCustomer(shop)
    await shareCustomer(other, kept)
    await sync(shop)
    const email = await move(shop, customer)
    await move(shop, kept)
    await service.runJobs()
    await choosePassword(shop, { ...customer, email })
    const webhook = await theSyncWebhook(shop)
    assert.equal((await deliveriesOf(shop, webhook.id)).length, 3)
    assert.equal((await shop.delete(`/api/customers/${customer.token}.json`)).status, 200)
    await service.runJobs()
    assert.deepEqual(
      (await deliveriesOf(shop, webhook.id)).map(({ data }) => data.customer_token),
      [kept.token],
    )
  })
})
