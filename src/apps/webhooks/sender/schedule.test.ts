import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { ALL_SCOPES } from '#apps/oauth/scopes.facts.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { aProduct } from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'
import { useMailServer } from '#test/mail-server.ts'
import { type ReceivedEvent, useReceiver } from '#test/receiver.ts'
import { aWebhook, change, deliveriesOf, readWebhook } from '#test/webhooks.ts'
import { RETRY_SECONDS } from '../rules.ts'
import { claimWebhooks, LEASE_SECONDS } from './claims.commands.ts'
import { dispatchEvents } from './dispatch.commands.ts'
import { shortenWaits } from './waiting.commands.ts'

const mails = useMailServer()
const service = useService({ smtpUrl: mails.listening })
const receiver = useReceiver()
const { clock } = service

beforeEach(() => {
  companies.clear()
  mails.received.length = 0
  receiver.received.length = 0
  answerAll(200)
})

function answerAll(status: number): void {
  receiver.answer = (_event, response) => void response.writeHead(status).end(`status ${status}`)
}

/** Refuses the events that a test chooses. */
function refuse(isRefused: (event: ReceivedEvent) => boolean): void {
  receiver.answer = (event, response) => void response.writeHead(isRefused(event) ? 500 : 200).end()
}

/** The companies of the test that is running. */
const companies = new Set<number>()

/** Moves the clock and sends what is then due; returns what arrived of this test. */
async function after(seconds: number): Promise<ReceivedEvent[]> {
  clock.advance(seconds)
  receiver.received.length = 0
  await service.runJobs()
  return receiver.received.filter(({ body }) => companies.has(body.company_id))
}

/** A token is good for half an hour. */
const renewed = (shop: Shop) => shop.withScopes(...ALL_SCOPES)

const idsOf = (events: readonly ReceivedEvent[]) => events.map(({ body }) => body.data.id)

async function aSubscriber(topic = 'product/create', path = '/hook'): Promise<{ shop: Shop; id: number }> {
  const shop = await service.openShop()
  companies.add(shop.companyId)
  await change(service, shop, { developerEmail: `dev-${shop.appId}@example.com` })
  const { id } = await aWebhook(shop, receiver.url(path), topic)
  await service.runJobs()
  return { shop, id }
}

/** Touches a product until an event of it is due. */
async function rename(shop: Shop, id: number, title: string): Promise<void> {
  assert.equal((await shop.put(`/api/products/${id}.json`, { product: { title } })).status, 200)
}

describe('the retry schedule', () => {
  clock.stop()

  test('is kept to the second for 48 hours, then the webhook is deactivated and the developer gets a mail', async () => {
    const { shop, id } = await aSubscriber()
    answerAll(503)
    const product = await aProduct(shop)
    const [first, ...none] = await after(0)
    assert.deepEqual([first?.body.data.id, none], [String(product.id), []])
    const began = clock.now()
    let total = 0
    for (const [index, seconds] of RETRY_SECONDS.entries()) {
      const { failures, is_active, next_attempt_at } = await readWebhook(await renewed(shop), id)
      assert.deepEqual([failures, is_active], [index + 1, true])
      assert.equal(next_attempt_at, new Date(clock.now().getTime() + seconds * 1000).toISOString().slice(0, 19))
      assert.deepEqual(await after(seconds - 1), [], `a second before ${seconds}`)
      const [again, ...more] = await after(1)
      assert.deepEqual([again?.headers['webhook-id'], more], [first?.headers['webhook-id'], []])
      total += seconds
    }
    assert.equal(clock.now().getTime() - began.getTime(), total * 1000)
    assert.equal(total, 173_040)
    const dead = await readWebhook(await renewed(shop), id)
    assert.deepEqual([dead.is_active, dead.inactive_reason, dead.next_attempt_at], [false, 'failing', null])
    const [delivery] = await deliveriesOf(await renewed(shop), id)
    assert.deepEqual([delivery.state, delivery.attempts.length, delivery.next_attempt_at], ['pending', 12, null])
    const { at: _at, duration_ms: _ms, ...attempt } = delivery.attempts.at(-1)
    assert.deepEqual(attempt, {
      status: 503,
      response: 'status 503',
      code: 'refused',
      reason: 'The receiver answered 503. Only 200 to 299 acknowledge an event.',
    })
    const [mail, ...others] = mails.received
    assert.deepEqual([mail?.to, others], [[`dev-${shop.appId}@example.com`], []])
    assert.match(mail?.email.subject ?? '', /product\/create of Test app was deactivated/)
    assert.match(mail?.email.text ?? '', new RegExp(`PUT /api/webhooks/${id}\\.json`))
    assert.match(mail?.email.text ?? '', /answered 503/)

    const later = await aProduct(await renewed(shop))
    assert.deepEqual(await after(7 * 86_400), [], 'a webhook that is not active gets nothing')
    answerAll(200)
    const put = await (await renewed(shop)).put(`/api/webhooks/${id}.json`, { webhook: { id, is_active: true } })
    assert.deepEqual([put.body.webhook.is_active, put.body.webhook.failures], [true, 0])
    assert.deepEqual(idsOf(await after(0)), [String(product.id), String(later.id)])
    assert.deepEqual(await after(86_400), [])
    assert.equal(mails.received.length, 1)
  })

  test('begins again after a success', async () => {
    const { shop, id } = await aSubscriber()
    answerAll(500)
    await aProduct(shop)
    await after(0)
    await after(60)
    await after(180)
    assert.equal((await readWebhook(shop, id)).failures, 3)
    answerAll(200)
    assert.equal((await after(300)).length, 1)
    const works = await readWebhook(shop, id)
    assert.deepEqual([works.failures, works.failing_since, works.next_attempt_at], [0, null, null])
    answerAll(500)
    await aProduct(shop)
    assert.equal((await after(0)).length, 1)
    assert.equal((await after(59)).length, 0)
    assert.equal((await after(1)).length, 1)
  })

  test('counts attempts that failed side by side as one, and tries with one event', async () => {
    const { shop, id } = await aSubscriber()
    answerAll(500)
    for (let count = 0; count < 5; count += 1) await aProduct(shop)
    assert.equal((await after(0)).length, 5)
    assert.equal((await readWebhook(shop, id)).failures, 1)
    assert.equal((await after(60)).length, 1)
    assert.equal((await readWebhook(shop, id)).failures, 2)
    answerAll(200)
    assert.equal((await after(180)).length, 5)
    assert.deepEqual(
      (await deliveriesOf(shop, id)).map(({ state }) => state),
      Array(5).fill('delivered'),
    )
  })

  test('of one event that the receiver cannot take keeps no other back, and ends with that event', async () => {
    const { shop, id } = await aSubscriber()
    const bad = await aProduct(shop)
    refuse(({ body }) => body.data.id === String(bad.id))
    await after(0)
    let attempts = 1
    for (const seconds of RETRY_SECONDS) {
      const good = await aProduct(await renewed(shop))
      const arrived = idsOf(await after(60)).concat(seconds > 60 ? idsOf(await after(seconds - 60)) : [])
      assert.ok(arrived.includes(String(good.id)), `${good.id} is not held back`)
      attempts += arrived.filter((one) => one === String(bad.id)).length
    }
    assert.equal(attempts, 12)
    const [delivery] = await deliveriesOf(await renewed(shop), id, '?state=failed')
    assert.deepEqual([delivery.data.id, delivery.attempts.length], [String(bad.id), 12])
    assert.equal((await readWebhook(await renewed(shop), id)).is_active, true)
    assert.equal(mails.received.length, 0)
    answerAll(200)
    assert.deepEqual(
      (await (await renewed(shop)).post(`/api/webhooks/${id}/replay.json`, { replay: { state: 'failed' } })).body,
      {
        replayed: 1,
      },
    )
    assert.deepEqual(idsOf(await after(60)), [String(bad.id)])
  })

  test('is not used for 410, which deactivates at once', async () => {
    const { shop, id } = await aSubscriber()
    answerAll(410)
    await aProduct(shop)
    await after(0)
    const gone = await readWebhook(shop, id)
    assert.deepEqual([gone.is_active, gone.inactive_reason], [false, 'gone'])
    assert.match(mails.received[0]?.email.text ?? '', /410 Gone/)
  })
})

describe('the block of 60 seconds', () => {
  test('holds for the app and company, and what happens meanwhile is sent after it', async () => {
    const { shop, id } = await aSubscriber('product/create', '/broken')
    await aWebhook(shop, receiver.url('/fine'), 'product/update')
    const other = await aSubscriber('product/update', '/other')
    const product = await aProduct(shop)
    const theirs = await aProduct(other.shop)
    refuse(({ path }) => path === '/broken')
    await after(0)
    await rename(shop, product.id, 'one')
    await rename(other.shop, theirs.id, 'one')
    assert.deepEqual(
      (await after(30)).map(({ path }) => path),
      ['/other'],
    )
    await rename(shop, product.id, 'two')
    assert.deepEqual(await after(29), [])
    const sent = await after(1)
    assert.deepEqual(sent.map(({ path }) => path).toSorted(), ['/broken', '/fine', '/fine'])
    assert.equal((await readWebhook(shop, id)).failures, 2)
  })

  test('queues what is created during it for the next retry, in its order', async () => {
    const { shop, id } = await aSubscriber('product/update')
    const product = await aProduct(shop)
    await rename(shop, product.id, 'one')
    answerAll(500)
    await after(0)
    await rename(shop, product.id, 'two')
    await after(59)
    await rename(shop, product.id, 'three')
    answerAll(200)
    const sent = await after(1)
    const deliveries = await deliveriesOf(shop, id)
    assert.deepEqual(
      sent.map(({ headers }) => headers['webhook-id']),
      deliveries.map(({ message_id }) => message_id),
    )
    assert.equal(sent.length, 3)
  })

  test('is not begun by a failure of an address that the webhook no longer has', async () => {
    const { shop, id } = await aSubscriber()
    await aProduct(shop)
    receiver.answer = async (_event, response) => {
      answerAll(200)
      await shop.put(`/api/webhooks/${id}.json`, { webhook: { address: receiver.url('/new') } })
      response.writeHead(410).end()
    }
    await after(0)
    const { is_active, failures } = await readWebhook(shop, id)
    assert.deepEqual([is_active, failures], [true, 0])
    assert.equal(receiver.at('/new').length, 1)
    const [delivery] = await deliveriesOf(shop, id)
    assert.deepEqual(delivery.attempts.map(({ status }: { status: number }) => status).toSorted(), [200, 410])
  })

  test('ends when the webhook is activated, or gets another address', async () => {
    const { shop, id } = await aSubscriber()
    answerAll(500)
    await aProduct(shop)
    await after(0)
    answerAll(200)
    const put = await shop.put(`/api/webhooks/${id}.json`, { webhook: { address: receiver.url('/mended') } })
    assert.equal(put.body.webhook.failures, 0)
    assert.deepEqual(
      (await after(0)).map(({ path }) => path),
      ['/mended'],
    )
  })
})

describe('a pause', () => {
  test('keeps the events of 30 days and sends them in order', async () => {
    const { shop, id } = await aSubscriber()
    await shop.put(`/api/webhooks/${id}.json`, { webhook: { is_active: false } })
    const products = [await aProduct(shop), await aProduct(shop)]
    assert.deepEqual(await after(86_400), [])
    await (await renewed(shop)).put(`/api/webhooks/${id}.json`, { webhook: { is_active: true } })
    assert.deepEqual(
      idsOf(await after(0)).toSorted(),
      products.map((product) => String(product.id)),
    )
  })
})

describe('order', () => {
  test('is kept for a resource across topics that go to the same address, also after an outage', async () => {
    const { shop } = await aSubscriber('product/update', '/all')
    for (const topic of ['product/create', 'product/delete']) await aWebhook(shop, receiver.url('/all'), topic)
    const change = async () => {
      const { id } = await aProduct(shop)
      await rename(shop, id, 'one')
      await rename(shop, id, 'two')
      assert.equal((await shop.delete(`/api/products/${id}.json`)).status, 200)
      return String(id)
    }
    const scopesOf = (events: ReceivedEvent[], id: string) =>
      events.filter(({ body }) => body.data.id === id).map(({ body }) => body.scope)
    const life = ['product/create', 'product/update', 'product/update', 'product/delete']
    const ids = [await change(), await change(), await change()]
    const events = await after(0)
    for (const id of ids) assert.deepEqual(scopesOf(events, id), life)
    answerAll(500)
    const late = [await change(), await change()]
    await after(0)
    late.push(await change())
    await after(60)
    answerAll(200)
    const rest: ReceivedEvent[] = []
    for (let round = 0; round < 40; round += 1) rest.push(...(await after(10)))
    for (const id of late) assert.deepEqual(scopesOf(rest, id), life)
  })

  test('of a resource: what waited behind a failed event follows it, though nothing else happens', async () => {
    const { shop } = await aSubscriber('product/update')
    const [bad, good] = [await aProduct(shop), await aProduct(shop)]
    refuse(({ body }) => body.data.id === String(bad.id))
    await rename(shop, bad.id, 'one')
    await after(0)
    await rename(shop, bad.id, 'two')
    await rename(shop, good.id, 'one')
    await after(60)
    await rename(shop, good.id, 'two')
    assert.deepEqual(idsOf(await after(60)), [String(good.id)], 'the webhook works again, one event waits')
    answerAll(200)
    assert.deepEqual(idsOf(await after(120)), [String(bad.id), String(bad.id)])
  })

  test('is kept for each resource, while others go side by side', async () => {
    const { shop } = await aSubscriber('product/update')
    const products = [await aProduct(shop), await aProduct(shop), await aProduct(shop)]
    for (const title of ['a', 'b', 'c', 'd', 'e']) for (const product of products) await rename(shop, product.id, title)
    const underWay = new Map<string, number>()
    let most = 0
    receiver.answer = ({ body }, response) => {
      const { id } = body.data
      underWay.set(id, (underWay.get(id) ?? 0) + 1)
      most = Math.max(most, underWay.size)
      assert.equal(underWay.get(id), 1, 'one at a time')
      setImmediate(() => {
        underWay.delete(id)
        response.end()
      })
    }
    const events = await after(0)
    assert.equal(events.length, 15)
    for (const product of products) {
      const ofProduct = events.filter(({ body }) => body.data.id === String(product.id))
      const positions = ofProduct.map(({ headers }) => Number(String(headers['webhook-id']).slice(4)))
      assert.deepEqual(
        positions,
        positions.toSorted((one, other) => one - other),
      )
    }
    assert.ok(most > 1, 'side by side')
  })
})

describe('a clock that was ahead and has gone back', () => {
  test('has no event wait for the time that it had shown', async () => {
    const { shop, id } = await aSubscriber()
    clock.advance(3600)
    answerAll(500)
    const film = await aProduct(await renewed(shop))
    assert.equal((await after(0)).length, 1)
    clock.advance(-3600)
    answerAll(200)
    assert.deepEqual(await after(RETRY_SECONDS[0]), [])
    await inTransaction(service.db, (tx) => shortenWaits(tx, clock.now()))
    assert.deepEqual(await after(0), [])
    assert.deepEqual(idsOf(await after(RETRY_SECONDS[0])), [String(film.id)])
    assert.equal((await readWebhook(await renewed(shop), id)).is_active, true)
  })

  test('gives back what a worker had taken that was killed', async () => {
    const { shop } = await aSubscriber()
    clock.advance(3600)
    const film = await aProduct(await renewed(shop))
    await inTransaction(service.db, (tx) => dispatchEvents(tx, 0, clock.now()))
    const claim = { limit: 10, isFailing: false, perCompanyMax: 10, fullCompanies: [], only: shop.companyId }
    assert.equal((await claimWebhooks(service.db, { ...claim, now: clock.now() })).length, 1)
    clock.advance(-3600)
    await inTransaction(service.db, (tx) => shortenWaits(tx, clock.now()))
    assert.deepEqual(await after(0), [])
    assert.deepEqual(idsOf(await after(LEASE_SECONDS)), [String(film.id)])
  })
})
