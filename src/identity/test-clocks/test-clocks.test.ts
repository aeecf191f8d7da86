import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { RETRY_SECONDS } from '#apps/webhooks/rules.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { Problem } from '#platform/errors/problem.ts'
import { queueMail } from '#platform/mail/queue.ts'
import { TEST_CARDS } from '#selling/payments/gateways/test-cards/gateway.ts'
import { aSale } from '#test/entitlements.ts'
import { aProduct, assertBlames, type Wire } from '#test/factories.ts'
import { useService } from '#test/harness.ts'
import { useMailServer } from '#test/mail-server.ts'
import { offer } from '#test/payments.ts'
import { useReceiver } from '#test/receiver.ts'
import { move, whileWorking } from '#test/sandboxes.ts'
import { aClub, periodsOf, read, signUp, timelineOf } from '#test/subscriptions.ts'
import { aWebhook, change, deliveriesOf, readWebhook } from '#test/webhooks.ts'

const mails = useMailServer()
const service = useService({ smtpUrl: mails.listening })
const receiver = useReceiver()

const clockOf = async (shop: { get: (path: string) => Promise<{ body: Wire }> }) =>
  (await shop.get('/api/test_clock.json')).body.test_clock
const millis = (time: string) => Date.parse(`${time}Z`)

async function aMember(attributes: object = {}, card: string = TEST_CARDS.succeeds) {
  const club = await aClub(service, attributes, await service.openShop({ sandbox: true }))
  const wish = { plan_id: club.plan.id, customer_token: club.customer.token, test_card: card }
  return { ...club, wish }
}

async function mailsOf(companyId: number) {
  return service.db
    .selectFrom('mails')
    .select(['subject', 'created_at', 'sent_at', 'recipient'])
    .where('company_id', '=', companyId)
    .orderBy('id')
    .execute()
}

describe('a company that is no sandbox', () => {
  test('has no clock', async () => {
    const shop = await service.openShop()
    const read = await shop.get('/api/test_clock.json')
    assert.deepEqual([read.status, read.body.reason], [404, 'test_clock_not_found'])
    const moved = await shop.post('/api/test_clock.json', { test_clock: { advance: 'P1M' } })
    assert.deepEqual([moved.status, moved.body.reason], [404, 'test_clock_not_found'])
  })
})

describe('the clock of a sandbox', () => {
  test('is moved forward, and says where it stands', async () => {
    const shop = await service.openShop({ sandbox: true })
    const before = await clockOf(shop)
    assert.deepEqual([before.status, before.last_move], ['running', null])
    const clock = await move(service, shop, { advance: 'P1DT12H' })
    const ahead = millis(clock.now) - millis(before.now)
    assert.ok(ahead >= 36 * 3_600_000 && ahead < 36 * 3_600_000 + 60_000, `${ahead}`)
    assert.equal(millis(clock.last_move.to) - millis(clock.last_move.from), 36 * 3_600_000)
    assert.equal(clock.last_move.stopped_because, null)
    const { company } = (await shop.get('/api/companies.json')).body
    assert.equal(company.sandbox, true)
    const { audit_entries } = (await shop.get('/api/audit_entries.json?action=test clock moved')).body
    assert.deepEqual(
      audit_entries.map(({ subject }: Wire) => subject),
      [`to ${clock.last_move.to}`],
    )
  })

  test('takes the move without its key, and a time to go to', async () => {
    const shop = await service.openShop({ sandbox: true })
    const { now } = await clockOf(shop)
    const at = new Date(millis(now) + 40 * 86_400_000).toISOString()
    const answer = await whileWorking(service, shop.post('/api/test_clock.json', { at }))
    assert.equal(answer.status, 200, answer.text)
    assert.equal(answer.body.test_clock.last_move.to, at.slice(0, 19))
  })

  test('is not moved back, too far, or by what is no duration', async () => {
    const shop = await service.openShop({ sandbox: true })
    const post = (test_clock: object) => shop.post('/api/test_clock.json', { test_clock })
    const { now } = await clockOf(shop)
    assertBlames(await post({ at: '2020-01-01' }), ['at'])
    assertBlames(await post({ at: now }), ['at'])
    assertBlames(await post({ at: new Date(millis(now) + 800 * 86_400_000).toISOString() }), ['at'])
    for (const advance of [
      'P',
      'PT',
      'P1',
      '1M',
      'P-1M',
      'P0D',
      'P1.5M',
      'P1W2D',
      'P3Y',
      'P9999Y',
      'PT999999999S',
      'p1m',
    ])
      assertBlames(await post({ advance }), ['advance'])
    assertBlames(await post({}), ['advance'])
    assertBlames(await post({ advance: 'P1D', at: now }), ['advance'])
    assert.equal((await clockOf(shop)).status, 'running')
  })

  test('is moved by one at a time, and once for each key', async () => {
    const shop = await service.openShop({ sandbox: true })
    const body = { test_clock: { advance: 'P1D' } }
    const key = { 'idempotency-key': 'once' }
    const first = shop.post('/api/test_clock.json', body, key)
    while ((await clockOf(shop)).status !== 'moving');
    const other = await shop.post('/api/test_clock.json', body)
    assert.deepEqual([other.status, other.body.reason], [409, 'test_clock_moving'])
    const { test_clock } = (await whileWorking(service, first)).body
    const again = await shop.post('/api/test_clock.json', body, key)
    assert.equal(again.status, 200, again.text)
    assert.deepEqual(again.body.test_clock.last_move.to, test_clock.last_move.to)
  })

  test('needs the scope and the permission of owners', async () => {
    const shop = await service.openShop({ sandbox: true })
    const weak = await shop.withScopes('orders')
    assert.equal((await weak.get('/api/test_clock.json')).status, 403)
    assert.equal((await weak.post('/api/test_clock.json', { test_clock: { advance: 'P1D' } })).status, 403)
  })

  test('leaves the time and the work of others alone', async () => {
    const club = await aClub(service)
    const card = { test_card: TEST_CARDS.succeeds }
    const other = await signUp(club.shop, { plan_id: club.plan.id, customer_token: club.customer.token, ...card })
    const shop = await service.openShop({ sandbox: true })
    const before = service.clock.of(club.shop.companyId)
    await move(service, shop, { advance: 'P3M' })
    assert.ok(service.clock.of(club.shop.companyId).getTime() - before.getTime() < 60_000)
    assert.equal((await periodsOf(club.shop, other)).length, 1)
    assert.ok(service.clock.of(shop.companyId).getTime() - before.getTime() > 80 * 86_400_000)
  })
})

describe('a subscription in a sandbox', () => {
  test('renews twelve times in a year, each on its day and once', async () => {
    const { shop, wish } = await aMember()
    await move(service, shop, { at: '2027-01-31T10:00:00' })
    const { id } = await signUp(shop, wish)
    const clock = await move(service, shop, { advance: 'P1Y' })
    const { counts } = clock.last_move
    assert.deepEqual([counts.renewal_charged, counts.renewal_failed, counts.subscription_ended], [12, 0, 0])
    const periods = (await periodsOf(shop, { id })).reverse()
    assert.deepEqual(
      periods.map(({ starts_at, status }) => `${starts_at.slice(0, 10)} ${status}`),
      [
        '2027-01-31 paid',
        '2027-02-28 paid',
        '2027-03-31 paid',
        '2027-04-30 paid',
        '2027-05-31 paid',
        '2027-06-30 paid',
        '2027-07-31 paid',
        '2027-08-31 paid',
        '2027-09-30 paid',
        '2027-10-31 paid',
        '2027-11-30 paid',
        '2027-12-31 paid',
        '2028-01-31 paid',
      ],
    )
    const { orders } = (await shop.get('/api/orders.json')).body
    assert.equal(orders.length, 13)
    assert.deepEqual(
      orders.map(({ created_at, test: isTest }: Wire) => [created_at.slice(0, 10), isTest]),
      periods.map(({ starts_at }) => [starts_at.slice(0, 10), true]),
    )
    const created = await service.db
      .selectFrom('events')
      .select('created_at')
      .where('company_id', '=', shop.companyId)
      .where('topic', '=', 'order/create')
      .orderBy('id')
      .execute()
    assert.deepEqual(
      created.map(({ created_at }) => created_at.toISOString().slice(0, 10)),
      periods.map(({ starts_at }) => starts_at.slice(0, 10)),
    )
    const charged = clock.last_move.events.filter(({ kind }: Wire) => kind === 'renewal_charged')
    assert.deepEqual(
      charged.map(({ at }: Wire) => at.slice(0, 10)),
      periods.slice(1).map(({ starts_at }) => starts_at.slice(0, 10)),
    )
    const invoices = await service.db
      .selectFrom('invoices')
      .select('company_id')
      .where('company_id', '=', shop.companyId)
      .execute()
    assert.equal(invoices.length, 13)
    const mails = await mailsOf(shop.companyId)
    assert.ok(mails.length > 0 && mails.every(({ sent_at }) => sent_at === null))
  })

  test('is tried again after days when its card fails, and then ends', async () => {
    const { shop, wish } = await aMember({}, TEST_CARDS.failsRenewals)
    const { id } = await signUp(shop, wish)
    const clock = await move(service, shop, { advance: 'P3M' })
    const { status, ended_because } = await read(shop, { id })
    assert.deepEqual([status, ended_because], ['ended', 'unpaid'])
    assert.ok(clock.last_move.counts.renewal_failed >= 4, JSON.stringify(clock.last_move.counts))
    assert.equal(clock.last_move.counts.subscription_ended, 1)
    const failures = clock.last_move.events.filter(({ kind }: Wire) => kind === 'renewal_failed')
    const days = failures.map(({ at }: Wire) => Math.round((millis(at) - millis(failures[0].at)) / 86_400_000))
    assert.deepEqual(days, [0, 1, 3, 5, 7])
    assert.ok((await timelineOf(shop, { id })).includes('ended'))
  })
})

describe('what else follows the time', () => {
  test('a rental ends, and is counted', async () => {
    const inSandbox = { ...service, openShop: () => service.openShop({ sandbox: true }) }
    const { shop } = await aSale(inSandbox, { expire_after_acquisition: 2, expire_after_acquisition_mode: 1 })
    const clock = await move(service, shop, { advance: 'P1W' })
    const ended = clock.last_move.events.filter(({ kind }: Wire) => kind === 'rental_ended')
    assert.deepEqual([clock.last_move.counts.rental_ended, ended.length], [1, 1])
    assert.equal(Math.round((millis(ended[0].at) - millis(clock.last_move.from)) / 86_400_000), 2)
  })

  test('a webhook whose receiver is dead is given up after two days, with a mail', async () => {
    const shop = await service.openShop({ sandbox: true })
    await change(service, shop, { developerEmail: 'dev@example.com' })
    receiver.answer = (_event, response) => void response.writeHead(500).end()
    const { id } = await aWebhook(shop, receiver.url('/dead'))
    await aProduct(shop)
    const clock = await move(service, shop, { advance: 'P3D' })
    const [delivery] = await deliveriesOf(shop, id)
    const tries: number[] = delivery.attempts.map(({ at }: Wire) => millis(at))
    const waits = tries.slice(1).map((at, index) => (at - (tries[index] ?? 0)) / 1000)
    assert.equal(waits.length, RETRY_SECONDS.length)
    for (const [index, wait] of waits.entries())
      assert.ok(Math.abs(wait - (RETRY_SECONDS[index] ?? 0)) <= 60, `${waits} differs from ${RETRY_SECONDS}`)
    assert.equal(clock.last_move.counts.webhook_attempt, tries.length)
    assert.equal((await readWebhook(shop, id)).is_active, false)
    const mail = (await mailsOf(shop.companyId)).find(({ recipient }) => recipient === 'dev@example.com')
    assert.ok(mail, 'the developer is told')
    assert.ok(Math.abs(mail.created_at.getTime() - (tries.at(-1) ?? 0)) < 60_000, 'at the time of the last attempt')
    assert.equal(mail.sent_at, null)
  })

  test('no mail of it leaves the service, and one of any other company does', async () => {
    for (const sandbox of [true, false]) {
      const { companyId } = await service.openShop({ sandbox })
      const mail = { companyId, to: 'x@example.com', subject: `Sandbox: ${sandbox}`, text: 'Hello', html: '<p>Hello' }
      await inTransaction(service.db, (tx) => queueMail(tx, mail, service.clock.of(companyId)))
    }
    await service.runJobs()
    const subjects = mails.received.map(({ email }) => email.subject ?? '')
    assert.deepEqual(
      subjects.filter((subject) => subject.startsWith('Sandbox:')),
      ['Sandbox: false'],
    )
  })

  test('a worker that dies in the middle leaves the rest to the next one', async () => {
    const { shop, wish } = await aMember()
    const { id } = await signUp(shop, wish)
    const asked = shop.post('/api/test_clock.json', { test_clock: { advance: 'P3M' } })
    while ((await clockOf(shop)).status !== 'moving');
    // It has gone on by two months, claimed the renewal, and died before it did anything for it.
    const { companyId } = shop
    const ahead = 62 * 86_400_000
    const standing = new Date(service.clock.of(companyId).getTime() + ahead)
    await sql`update test_clocks set ahead_ms = ${ahead}, stands_at = ${standing} where company_id = ${companyId}`.execute(
      service.db,
    )
    await sql`update jobs set due_at = ${service.clock.now()}::timestamptz + interval '2 minutes', attempts = 1
      where kind = 'test-clock/move' and (data ->> 'company_id')::bigint = ${companyId}`.execute(service.db)
    await service.runJobs()
    assert.equal((await clockOf(shop)).status, 'moving', 'nobody else has moved it')
    service.clock.advance(121)
    await whileWorking(service, asked)
    const clock = await move(service, await shop.withScopes('companies'), { advance: 'P1D' })
    assert.equal(clock.status, 'running')
    const periods = await periodsOf(shop, { id })
    assert.ok(periods.every(({ status }) => status === 'paid'))
    assert.equal(new Set(periods.map(({ starts_at }) => starts_at)).size, periods.length)
    assert.equal(periods.length, (await shop.get('/api/orders/count.json')).body.count)
  })

  test('no gateway takes money in it', async () => {
    const shop = await service.openShop({ sandbox: true })
    const live = {
      stripe: { enabled: true, secret_key: 'sk_live_51H0Example0Example0', webhook_secret: 'whsec_0Example0Example0' },
    }
    await assert.rejects(offer(service, shop, live as never), (error) => {
      assert.ok(error instanceof Problem)
      assert.equal(error.fields?.stripe?.[0]?.reason, 'sandbox_takes_no_money')
      return true
    })
    await offer(service, shop, { test: { enabled: true }, manual: { enabled: true } })
  })
})
