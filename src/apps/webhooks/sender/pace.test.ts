import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { beforeEach, describe, test } from 'node:test'
import { sql } from 'kysely'
import { aProduct } from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'
import { useReceiver } from '#test/receiver.ts'
import { createPauses, type Pauses, startSender } from '#test/senders.ts'
import { until } from '#test/start/program.ts'
import { aWebhook, deliveriesOf } from '#test/webhooks.ts'
import { PAUSE_MAX_MS, pauseMsAfter } from './dispatcher.worker.ts'
import { POLL_MS } from './sender.worker.ts'

const service = useService()
const receiver = useReceiver()

beforeEach(async () => {
  receiver.received.length = 0
  await service.runJobs()
})

/** The events of a company: how many wait, and how many transactions have dispatched the others. */
async function eventsOf({ companyId }: Shop): Promise<{ waiting: number; dispatches: number }> {
  const { rows } = await sql<{ waiting: number; dispatches: number }>`select
      count(*) filter (where position is null) as waiting,
      count(distinct xmin::text) filter (where position is not null) as dispatches
    from events where company_id = ${companyId}`.execute(service.db)
  const [row] = rows
  if (row === undefined) throw new Error('counts have a row')
  return row
}

/** A sender that has looked for work once, and pauses until the test lets it go on. */
async function aPausedSender() {
  const pauses = createPauses()
  const sender = startSender(service, { pause: pauses.pause })
  // It looks when it starts, and again when it has begun to listen.
  await until('it has looked twice', () => pauses.lengths().length === 2)
  pauses.end(pauseMsAfter(0))
  const before = sender.turns()
  return { pauses, sender, turns: () => sender.turns() - before }
}

/**
 * A busy process sends its notices late, so those of changes made before the sender was ready may come afterwards. Each is
 * answered by a look, which finds nothing or the first of the changes that the test makes.
 */
const EARLIER_LOOKS_MAX = 10
/** A look that began before the turns were counted may have taken its turn afterwards, too. */
const EARLIER_TURNS_MAX = 1 + EARLIER_LOOKS_MAX
/** A transaction, and the notification of those who follow the log. */
const TURNS_PER_DISPATCH = 2

/** Waits while pauses between dispatches end as they do in a service: a late notice may have begun one. */
async function untilDespitePauses(pauses: Pauses, what: string, condition: () => Promise<boolean>): Promise<void> {
  await until(what, () => {
    pauses.end(pauseMsAfter(0))
    return condition()
  })
}

async function someProducts(shop: Shop, count: number): Promise<void> {
  for (let made = 0; made < count; made += 1) await aProduct(shop)
}

const PRODUCTS = 100

describe('the pause after a dispatch', () => {
  test('grows with the events that it took', () => {
    assert.deepEqual([0, 1, 2, 9, 10, 1000].map(pauseMsAfter), [25, 25, 50, 225, 250, 250])
  })
})

describe('changes in quick succession, of which nobody wants to hear', () => {
  test('are dispatched together, and nothing is claimed', async () => {
    const shop = await service.openShop()
    const { pauses, sender, turns } = await aPausedSender()
    await aProduct(shop)
    await untilDespitePauses(pauses, 'the first is dispatched', async () => (await eventsOf(shop)).waiting === 0)
    const first = await eventsOf(shop)
    await someProducts(shop, PRODUCTS)
    const { waiting } = await eventsOf(shop)
    assert.ok(waiting >= PRODUCTS - EARLIER_LOOKS_MAX, `${waiting} events wait`)
    for (const ms of pauses.lengths()) if (ms !== POLL_MS) pauses.end(ms)
    await until('it pauses', () => pauses.lengths().includes(PAUSE_MAX_MS))
    const all = await eventsOf(shop)
    assert.equal(all.waiting, 0)
    assert.ok(all.dispatches <= first.dispatches + 1 + EARLIER_LOOKS_MAX, `${all.dispatches} dispatches`)
    assert.ok(turns() <= TURNS_PER_DISPATCH * all.dispatches + EARLIER_TURNS_MAX, `${turns()} turns`)
    await sender.stop()
  })
})

describe('an idle sender', () => {
  test('asks what there is to do, and opens no transaction', async () => {
    const { pauses, sender, turns } = await aPausedSender()
    pauses.end(POLL_MS)
    await until('it pauses again', () => pauses.lengths().includes(POLL_MS))
    assert.ok(turns() <= 2 + EARLIER_TURNS_MAX, `${turns()} turns`)
    await sender.stop()
  })
})

describe('a single change', () => {
  test('is sent at once, with one claim', async () => {
    const shop = await service.openShop()
    const { id } = await aWebhook(shop, receiver.url('/single'))
    const { pauses, sender, turns } = await aPausedSender()
    await aProduct(shop)
    const isRecorded = async () => (await deliveriesOf(shop, id))[0]?.state === 'delivered'
    await untilDespitePauses(pauses, 'it is recorded', isRecorded)
    await sender.stop()
    const { dispatches } = await eventsOf(shop)
    const [claims, readings, records] = [1, 1, 2]
    assert.ok(
      turns() <= TURNS_PER_DISPATCH * dispatches + claims + readings + records + EARLIER_TURNS_MAX,
      `${turns()} turns`,
    )
  })
})

describe('a receiver that is busy with an event of one topic', () => {
  test('gets that of another topic as soon as it has answered', async () => {
    const shop = await service.openShop()
    for (const topic of ['product/create', 'product/update']) await aWebhook(shop, receiver.url('/two'), topic)
    const { sender, pauses } = await aPausedSender()
    const held: ServerResponse[] = []
    receiver.answer = (_event, response) => void held.push(response)
    const product = await aProduct(shop)
    await untilDespitePauses(pauses, 'the first event arrives', async () => held.length === 1)
    await shop.put(`/api/products/${product.id}.json`, { product: { title: 'Another title' } })
    await untilDespitePauses(pauses, 'the second is dispatched', async () => (await eventsOf(shop)).waiting === 0)
    held[0]?.end()
    await until('the second event arrives', () => held.length === 2)
    held[1]?.end()
    await sender.stop()
  })
})
