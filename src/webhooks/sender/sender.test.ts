import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { beforeEach, describe, test } from 'node:test'
import { sql } from 'kysely'
import { aProduct } from '#test/factories.ts'
import { useService } from '#test/harness.ts'
import { useReceiver } from '#test/receiver.ts'
import { startSender } from '#test/senders.ts'
import { until } from '#test/start/program.ts'
import { aWebhook, readWebhook } from '#test/webhooks.ts'

const service = useService()
const receiver = useReceiver()

beforeEach(() => {
  receiver.received.length = 0
})

/** A company may have few requests under way here, and has more to send. */
const PLACES = {
  quickMax: 4,
  quickPerCompanyMax: 2,
  slowAfterMs: 60_000,
  slowMax: 0,
  perHostMax: 32,
  perHostAndCompanyMax: 24,
}
const [WEBHOOKS, PRODUCTS] = [2, 4]

/** Holds all answers for a path until they are let go. */
function holdAnswers(path: RegExp): () => void {
  const held: ServerResponse[] = []
  let isHolding = true
  receiver.answer = (event, response) => {
    if (isHolding && path.test(event.path)) held.push(response)
    else response.end()
  }
  return () => {
    isHolding = false
    for (const response of held) response.end()
  }
}

async function aBusyCompany() {
  const shop = await service.openShop()
  const webhooks = []
  for (let number = 0; number < WEBHOOKS; number += 1)
    webhooks.push(await aWebhook(shop, receiver.url(`/busy/${number}`), 'product/create'))
  const letGo = holdAnswers(/^\/busy/)
  for (let number = 0; number < PRODUCTS; number += 1) await aProduct(shop)
  return { shop, webhooks, letGo }
}

const busy = () => receiver.received.filter(({ path }) => path.startsWith('/busy')).length

describe('a company whose receivers are slow', () => {
  test('keeps no other company waiting', async () => {
    const other = await service.openShop()
    await aWebhook(other, receiver.url('/other'), 'product/create')
    const { letGo } = await aBusyCompany()
    const sender = startSender(service, PLACES)
    await until('all places of the company are taken', () => busy() === PLACES.quickPerCompanyMax)
    await aProduct(other)
    await until('the other company gets its event', () => receiver.at('/other').length === 1)
    assert.equal(busy(), PLACES.quickPerCompanyMax)
    letGo()
    await until('the rest follows', () => busy() === WEBHOOKS * PRODUCTS)
    await sender.stop()
  })

  test('gets nothing from a round that is over, however long its requests have waited for their places', async () => {
    const { shop, webhooks, letGo } = await aBusyCompany()
    const sender = startSender(service, PLACES)
    await until('all places of the company are taken', () => busy() === PLACES.quickPerCompanyMax)
    const setActive = (is_active: boolean) =>
      Promise.all(webhooks.map(({ id }) => shop.put(`/api/webhooks/${id}.json`, { webhook: { is_active } })))
    await setActive(false)
    service.clock.advance(11)
    letGo()
    await sender.stop()
    assert.equal(busy(), PLACES.quickPerCompanyMax)
    await setActive(true)
    await service.runJobs()
    assert.equal(busy(), WEBHOOKS * PRODUCTS)
  })
})

describe('a company with thousands of webhooks', () => {
  test('stops nobody else, and gets its own events', async () => {
    const [shop, other] = [await service.openShop(), await service.openShop()]
    await aWebhook(other, receiver.url('/quick'), 'product/create')
    await sql`insert into webhooks (company_id, app_id, topic, address, is_active, inactive_reason, since_event_id, created_at, updated_at)
      select ${shop.companyId}, ${shop.appId}, 'product/create', 'https://example.com/' || n, false, 'paused', 0, now(), now()
      from generate_series(1, 3000) as n`.execute(service.db)
    for (let number = 0; number < 5; number += 1) await aProduct(shop)
    await aProduct(other)
    await service.runJobs()
    assert.equal(receiver.at('/quick').length, 1)
    const { rows } = await sql<{
      count: number
    }>`select count(*) from deliveries where company_id = ${shop.companyId}`.execute(service.db)
    assert.equal(rows[0]?.count, 15_000)
  })
})

describe('a webhook that is paused while its events are sent', () => {
  test('gets no more of them', async () => {
    const shop = await service.openShop()
    const { id } = await aWebhook(shop, receiver.url('/paused'), 'product/create')
    for (let number = 0; number < 60; number += 1) await aProduct(shop)
    const held: ServerResponse[] = []
    receiver.answer = (_event, response) => void held.push(response)
    const sender = startSender(service)
    await until('the first requests are under way', () => held.length === 20)
    await shop.put(`/api/webhooks/${id}.json`, { webhook: { is_active: false } })
    await until('the worker has noticed', async () => {
      for (const response of held.splice(0, 1)) response.end()
      return held.length === 0
    })
    await sender.stop()
    receiver.answer = (_event, response) => void response.end()
    assert.ok(receiver.at('/paused').length < 60, 'the rest waits')
    await shop.put(`/api/webhooks/${id}.json`, { webhook: { is_active: true } })
    await service.runJobs()
    assert.equal(new Set(receiver.at('/paused').map(({ body }) => body.data.id)).size, 60)
  })
})

describe('a host that is slow', () => {
  test('gets its events without a failure, and does not keep the webhooks of another company there waiting', async () => {
    const [shop, other] = [await service.openShop(), await service.openShop()]
    const webhooks = []
    for (let number = 0; number < 3; number += 1)
      webhooks.push(await aWebhook(shop, receiver.url(`/slow/${number}`), 'product/create'))
    await aWebhook(other, receiver.url('/beside'), 'product/create')
    const letGo = holdAnswers(/^\/slow/)
    for (let number = 0; number < 20; number += 1) await aProduct(shop)
    const slow = () => receiver.received.filter(({ path }) => path.startsWith('/slow')).length
    const sender = startSender(service)
    await until('the company has its share of the connections', () => slow() === 24)
    await aProduct(other)
    await until('the other company gets its event', () => receiver.at('/beside').length === 1)
    assert.equal(slow(), 24)
    letGo()
    await until('the rest follows', () => slow() === 60)
    await sender.stop()
    for (const { id } of webhooks) assert.equal((await readWebhook(shop, id)).failures, 0)
  })
})
