import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { beforeEach, describe, test } from 'node:test'
import { sql } from 'kysely'
import { emit } from '#history/events/emit.commands.ts'
import { nowInSeconds } from '#platform/clock.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { aProduct } from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'
import { untilWaiting } from '#test/in-line.ts'
import { type ReceivedEvent, useReceiver } from '#test/receiver.ts'
import { startSender } from '#test/senders.ts'
import { until } from '#test/start/program.ts'
import { aWebhook, readWebhook } from '#test/webhooks.ts'
import { dispatchEvents } from './dispatch.commands.ts'

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
    const sender = startSender(service, { places: PLACES })
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
    const sender = startSender(service, { places: PLACES })
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

describe('a database that takes long to say what is due', () => {
  /** Holds all deliveries, so that nobody else can read or write them. */
  async function holdDeliveries(): Promise<() => Promise<void>> {
    const [held, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const ended = inTransaction(service.db, async (tx) => {
      await sql`lock table deliveries`.execute(tx)
      held.resolve()
      await released.promise
    })
    await Promise.race([held.promise, ended])
    return () => {
      released.resolve()
      return ended
    }
  }

  /** The sender has other statements too, so it is not enough that one waits. */
  const isReadingHeld = async () => {
    const { rows } = await sql`select pid from pg_stat_activity where datname = current_database()
      and wait_event_type = 'Lock' and query like 'select due.*%'`.execute(service.db)
    return rows.length > 0
  }

  test('keeps no round from sending what it has read', async () => {
    const shop = await service.openShop()
    await aWebhook(shop, receiver.url('/late'), 'product/create')
    await aProduct(shop)
    // All of them, so that the sender has nothing to write before it reads.
    const dispatch = () => inTransaction(service.db, (tx) => dispatchEvents(tx, 0, service.clock.now()))
    while ((await dispatch()).events > 0);
    const letRead = await holdDeliveries()
    const sender = startSender(service)
    await until('it reads what is due', isReadingHeld)
    // It gets the deliveries as soon as they have been read, so that nothing can be read a second time.
    const holdingAgain = holdDeliveries()
    await untilWaiting(service, 2)
    service.clock.advance(30)
    await letRead()
    const letGo = await holdingAgain
    await until('the event arrives', () => receiver.at('/late').length === 1)
    await letGo()
    await sender.stop()
    assert.deepEqual(sender.log, [])
    assert.equal(receiver.at('/late').length, 1)
  })
})

describe('two workers at once', () => {
  const [COMPANIES, EACH, RESOURCES, CHANGES] = [3, 6, 12, 4]

  /** Four events of each of so many orders, side by side with those of the others. */
  async function tellAll({ companyId }: Shop): Promise<void> {
    const orders = Array.from({ length: RESOURCES }, (_, number) => ({ type: 'order' as const, id: String(number) }))
    for (let change = 0; change < CHANGES; change += 1)
      await inTransaction(service.db, (tx) => emit(tx, companyId, 'order/create', nowInSeconds(service.clock), orders))
  }

  /** Makes due what waits for a retry, instead of waiting for it; what is being sent is left alone. */
  async function endWaits(): Promise<void> {
    const now = service.clock.now()
    // A transaction is tried again if it blocks a worker that blocks it.
    await inTransaction(service.db, async (tx) => {
      await sql`delete from webhook_blocks`.execute(tx)
      await sql`update deliveries set due_at = ${now} where state = 'pending' and due_at is not null`.execute(tx)
      await sql`update webhooks set due_at = ${now}
        where leased_until is null and due_at is not null and is_active`.execute(tx)
    })
  }

  const pendingOf = async (ids: readonly number[]) => {
    const { rows } = await sql<{ count: number }>`select count(*) as count from deliveries
      where state = 'pending' and webhook_id = any(${ids})`.execute(service.db)
    return rows[0]?.count ?? 0
  }

  test('send nothing twice and nothing out of order, while webhooks fail, are paused and are deleted', async () => {
    const underWay = new Set<string>()
    const acknowledged = new Map<string, number[]>()
    const wrong: string[] = []
    let requests = 0
    receiver.answer = ({ path, headers, body }: ReceivedEvent, response) => {
      requests += 1
      const resource = `${path} ${body.data.id}`
      const position = Number(String(headers['webhook-id']).slice(4))
      const before = acknowledged.get(resource) ?? []
      if (underWay.has(resource)) wrong.push(`${resource}: two requests at once`)
      if (before.some((earlier) => earlier >= position)) wrong.push(`${resource}: ${position} after ${before.join()}`)
      underWay.add(resource)
      setImmediate(() => {
        underWay.delete(resource)
        const isFailing = /fails/.test(path) && Math.random() < 0.1
        if (!isFailing) acknowledged.set(resource, [...before, position])
        response.writeHead(isFailing ? 500 : 200).end()
      })
    }
    const kept: number[] = []
    const shops = []
    for (let company = 0; company < COMPANIES; company += 1) {
      const shop = await service.openShop()
      const webhooks = []
      for (let number = 0; number < EACH; number += 1) {
        const kind = number < 2 ? 'fails' : number === 2 ? 'deleted' : number === 3 ? 'paused' : 'works'
        const { id } = await aWebhook(shop, receiver.url(`/${shop.companyId}/${kind}/${number}`), 'order/create')
        webhooks.push({ id, kind })
        if (kind !== 'deleted') kept.push(id)
      }
      shops.push({ shop, webhooks })
    }
    for (const { shop } of shops) await tellAll(shop)
    const senders = [startSender(service), startSender(service)]
    for (const { shop, webhooks } of shops)
      for (const { id, kind } of webhooks) {
        const path = `/api/webhooks/${id}.json`
        if (kind === 'deleted') await shop.delete(path)
        if (kind === 'paused') await shop.put(path, { webhook: { is_active: false } })
      }
    for (const { shop } of shops) await tellAll(shop)
    for (const { shop, webhooks } of shops)
      for (const { id, kind } of webhooks)
        if (kind === 'paused') await shop.put(`/api/webhooks/${id}.json`, { webhook: { is_active: true } })
    await until('all is sent', async () => {
      await endWaits()
      return (await pendingOf(kept)) === 0
    })
    for (const sender of senders) await sender.stop()
    assert.deepEqual(wrong, [])
    const counts = [...acknowledged].filter(([resource]) => !/deleted/.test(resource)).map(([, sent]) => sent.length)
    assert.deepEqual([counts.length, new Set(counts)], [kept.length * RESOURCES, new Set([2 * CHANGES])])
    assert.ok(requests > kept.length * RESOURCES * 2 * CHANGES, 'some have failed')
    assert.deepEqual(
      senders.flatMap(({ log }) => log),
      [],
    )
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
