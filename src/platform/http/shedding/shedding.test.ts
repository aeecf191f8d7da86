import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Answer, useService } from '#test/harness.ts'
import { queuesOf } from '../../db/queues.ts'
import { inTransaction } from '../../db/transaction.ts'
import { createQueueDelay } from './delays.ts'

const TARGET_MS = 200
/** Between the delay at which refusals grow and the one at which they shrink. */
const STEADY_MS = TARGET_MS * 0.75

let waitMs = 0
const service = useService({
  shedding: {
    delayMsMax: TARGET_MS,
    delays: { event_loop: () => waitMs, changes: (now) => ofChanges(now) },
  },
})
const measured = () => createQueueDelay(queuesOf(service.db))
let changes: ReturnType<typeof measured> | undefined
const ofChanges = (now: number) => {
  changes ??= measured()
  return changes(now)
}

after(() => {
  waitMs = 0
  changes = undefined
})

const READ = { accept: 'text/html' }

/** Asks again and again while work waits too long, until one is refused; then no more is refused than at that moment. */
async function untilRefused(ask: () => Promise<Answer>): Promise<Answer> {
  waitMs = TARGET_MS
  for (;;) {
    const answer = await ask()
    if (answer.status !== 503) continue
    waitMs = STEADY_MS
    return answer
  }
}

/** Waits until nothing is refused any more. */
async function recovered(): Promise<void> {
  waitMs = 0
  while (!/licet_shedding_level 0\n/.test((await service.call('GET', '/metrics')).text)) await sleep(10)
}

async function refusals(priority: string): Promise<number> {
  const { text } = await service.call('GET', '/metrics')
  return Number(new RegExp(`licet_requests_refused_total\\{priority="${priority}"\\} (\\d+)`).exec(text)?.[1])
}

describe('a service that has more to do than it can', () => {
  test('refuses lists first, then single reads and changes, and orders last', async () => {
    const shop = await service.openShop()
    const product = { product_type: 1, title: 'Film' }
    const { body } = await shop.post('/api/products.json', { product })
    const single = () => shop.get(`/api/products/${body.product.id}.json`)
    const order = () => shop.post('/api/orders.json', { order: { line_items: [] } })

    const list = await untilRefused(() => shop.get('/api/products.json'))
    assert.deepEqual([list.body.code, list.body.reason], ['unavailable', 'service_overloaded'])
    assert.match(list.headers.get('retry-after') ?? '', /^[2-6]$/)
    for (let time = 0; time < 20; time += 1) {
      assert.equal((await single()).status, 200)
      assert.equal((await shop.put(`/api/products/${body.product.id}.json`, { product })).status, 200)
      assert.equal((await order()).status, 422)
    }

    await untilRefused(single)
    assert.equal((await shop.get('/api/products.json')).status, 503)
    for (let time = 0; time < 20; time += 1) assert.equal((await order()).status, 422)

    await untilRefused(order)
    for (const path of ['/health', '/ready', '/metrics']) assert.equal((await service.call('GET', path)).status, 200)
    assert.ok((await refusals('low')) > 0)
    assert.ok((await refusals('normal')) > 0)
    assert.ok((await refusals('high')) > 0)

    await recovered()
    for (const ask of [() => shop.get('/api/products.json'), single]) assert.equal((await ask()).status, 200)
    assert.ok(service.log.some((line) => line.includes('requests are refused')))
    assert.ok(service.log.some((line) => line.includes('no more requests are refused')))
  })

  test('shows people a page, and refuses those with a cookie after strangers', async () => {
    await recovered()
    const shop = await service.openShop()
    const { body } = await shop.post('/api/themesettings.json', { ThemeSetting: { title: 'Shop', published: true } })
    const path = `/shop/${body.ThemeSetting.id}`
    // A page that is kept in memory costs less than a refusal, and is not refused.
    const page = () => service.call('GET', `${path}/search?q=${Math.random()}`, { headers: READ })
    const { text, headers } = await untilRefused(page)
    assert.match(headers.get('content-type') ?? '', /^text\/html/)
    assert.match(headers.get('retry-after') ?? '', /^[2-6]$/)
    assert.match(text, /<h1/)
    const cookie = 'a=b'
    for (let time = 0; time < 20; time += 1)
      assert.equal((await service.call('GET', `${path}/search?q=x`, { headers: { ...READ, cookie } })).status, 200)
    await recovered()
  })

  test('measures how long changes wait for a connection', async () => {
    await recovered()
    const shop = await service.openShop()
    let isOver = () => {}
    const over = new Promise<void>((resolve) => {
      isOver = resolve
    })
    // All connections are taken, and more are wanted than there are.
    const held = Array.from({ length: 40 }, () =>
      inTransaction(service.db, async (tx) => {
        await sql`select ${1}::int`.execute(tx)
        await over
      }),
    )
    while ((await shop.get('/api/products.json')).status !== 503);
    isOver()
    await Promise.all(held)
    await recovered()
    assert.equal((await shop.get('/api/products.json')).status, 200)
  })
})
