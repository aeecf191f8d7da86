import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ownerPage } from '#test/admin.ts'
import type { Wire } from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'
import { MOLLIE_KEY, MOLLIE_TEST_KEY, useMollie } from '#test/mollie.ts'
import { aBuyer, aFilm, readOrder } from '#test/orders.ts'
import { contextOf, offer, placeToPay, workOf } from '#test/payments.ts'
import { startPayment } from '../../start.commands.ts'
import type { PaymentState } from '../../state.ts'

const mollie = useMollie(() => service.clock.now())
const service = useService({ serviceUrls: () => ({ gateways: { mollie: mollie.url }, vies: '' }) })

type Scene = { shop: Shop; orderId: number; payment: PaymentState; id: string }

/** An order whose customer is on the page of Mollie. */
async function anOrderUnderWay(): Promise<Scene> {
  const shop = await service.openShop()
  await offer(service, shop, { mollie: { enabled: true, secret_key: MOLLIE_KEY } })
  const placed = await placeToPay(service, shop, await aBuyer(shop), [await aFilm(service, shop)], 'Mollie')
  const { payment } = await startPayment(workOf(service), shop.companyId, placed.payment.id, contextOf())
  return { shop, ...placed, id: payment.external_id ?? '' }
}

const statusOf = async ({ shop, orderId }: Scene) => (await readOrder(shop, orderId)).financial_status

async function readPayment({ shop, payment }: Scene): Promise<Wire> {
  return (await shop.get(`/api/payments/${payment.id}.json`)).body.payment
}

describe('news of Mollie', () => {
  test('about a payment that Mollie does not know change nothing, and tell nobody so', async () => {
    const { shop } = await anOrderUnderWay()
    for (const id of ['tr_forged', 'tr_9999999999', `tr_${'x'.repeat(100)}`]) {
      const answer = await mollie.send(service, shop.companyId, id)
      assert.deepEqual([answer.status, answer.body], [200, { received: true }], id)
    }
  })

  test('about too many payments that do not exist have to wait, and Mollie is not asked', async () => {
    const scene = await anOrderUnderWay()
    const { companyId } = scene.shop
    const send = async (id: string) => (await mollie.send(service, companyId, id)).status
    const statuses: number[] = []
    for (let count = 0; count < 200 && !statuses.includes(429); count += 1) statuses.push(await send(`tr_${count}`))
    assert.equal(statuses.at(-1), 429)
    assert.ok(statuses.slice(0, -1).every((status) => status === 200))
    mollie.change(scene.id, { status: 'paid' })
    mollie.troubles.push('fails')
    const answer = await mollie.send(service, companyId, scene.id)
    assert.deepEqual([answer.status, answer.body.reason], [429, 'too_many_payment_events'])
    assert.deepEqual(mollie.troubles.splice(0), ['fails'])
    service.clock.advance(86_400)
    assert.equal(await send(scene.id), 200)
    const shop = await scene.shop.asUser(scene.shop.userId)
    assert.equal(await statusOf({ ...scene, shop }), 'paid')
  })

  test('that name no payment are refused, and Mollie is not asked', async () => {
    const { shop, id } = await anOrderUnderWay()
    mollie.troubles.push('fails')
    for (const body of ['', 'id=', 'id=1', 'id=ord_1', `id=../${id}`, `id=${id}%2F..`, `{"id":"${id}"}`, 'id=tr_%00'])
      assert.deepEqual(await sent(shop, body), [400, 'payment_event_refused'], body)
    assert.deepEqual(await sent(shop, `id=${id}&${'x'.repeat(1000)}`), [400, 'payment_event_refused'])
    assert.deepEqual(mollie.troubles.splice(0), ['fails'])
  })

  async function sent(shop: Shop, body: string) {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const answer = await service.call('POST', `/payments/${shop.companyId}/mollie`, { body, headers })
    return [answer.status, answer.body.reason]
  }

  test('for a company without Mollie are refused', async () => {
    const { companyId } = await service.openShop()
    const answer = await mollie.send(service, companyId, 'tr_1')
    assert.deepEqual([answer.status, answer.body.reason], [400, 'payment_event_refused'])
  })

  test('for another company, or about something that the owner sells elsewhere, change nothing', async () => {
    const scene = await anOrderUnderWay()
    const other = await anOrderUnderWay()
    mollie.change(scene.id, { status: 'paid', amountChargedBack: { currency: 'EUR', value: '11.90' } })
    // Both companies have the same account at Mollie.
    assert.equal((await mollie.send(service, other.shop.companyId, scene.id)).status, 200)
    assert.deepEqual([await statusOf(scene), await statusOf(other)], ['pending', 'pending'])
    const kept = await service.db
      .selectFrom('early_payment_events')
      .select('kind')
      .where('company_id', '=', other.shop.companyId)
      .execute()
    assert.deepEqual(kept, [])
    for (const metadata of [null, 'order 5', { order_id: '1' }, { licet_company: '1', licet_payment: 'x' }, []]) {
      mollie.change(scene.id, { metadata })
      assert.equal((await mollie.send(service, scene.shop.companyId, scene.id)).status, 200)
      assert.equal(await statusOf(scene), 'pending')
    }
  })

  test('are sent again by Mollie if it could not be asked', async () => {
    const scene = await anOrderUnderWay()
    mollie.change(scene.id, { status: 'paid' })
    mollie.troubles.push('fails', 'loses the answer')
    for (const _ of [1, 2]) {
      const { status, body } = await mollie.send(service, scene.shop.companyId, scene.id)
      assert.deepEqual([status, body.reason], [503, 'payment_gateway_unavailable'])
    }
    assert.equal(await statusOf(scene), 'pending')
    assert.equal((await mollie.send(service, scene.shop.companyId, scene.id)).status, 200)
    assert.equal(await statusOf(scene), 'paid')
  })

  test('that Mollie does not make change nothing', async () => {
    const scene = await anOrderUnderWay()
    const paid = mollie.change(scene.id, { status: 'paid' })
    for (const amount of [
      { currency: 'EUR', value: '1e3' },
      { currency: 'EUR', value: '-11.90' },
      { currency: 'euro', value: '11.90' },
    ]) {
      mollie.change(scene.id, { amount })
      assert.equal((await mollie.send(service, scene.shop.companyId, scene.id)).status, 503)
    }
    assert.equal(await statusOf(scene), 'pending')
    mollie.change(scene.id, paid)
  })

  test('of a chargeback, or of a refund in the dashboard, are shown to the owner', async () => {
    const scene = await anOrderUnderWay()
    const amountRefunded = { currency: 'EUR', value: '5.00' }
    const amountChargedBack = { currency: 'EUR', value: '6.90' }
    mollie.change(scene.id, { status: 'paid', amountRefunded, amountChargedBack })
    await mollie.send(service, scene.shop.companyId, scene.id)
    const { status, flags } = await readPayment(scene)
    assert.deepEqual([status, flags], ['paid', ['refunded_elsewhere', 'disputed']])
  })
})

describe('the key of Mollie', () => {
  test('is stored encrypted, shown by its end, and needed to turn it on', async () => {
    const shop = await service.openShop()
    const page = await ownerPage(service, shop)
    const put = (settings: object) => page.put('/payment_settings.json', { payment_settings: { mollie: settings } })
    assert.deepEqual((await page.get('/payment_settings.json')).body.payment_settings.mollie, {
      enabled: false,
      secret_key_hint: '',
      test_mode: false,
    })
    const early = await put({ enabled: true })
    assert.deepEqual([early.status, early.body.reason], [422, 'payment_key_missing'])
    for (const secret_key of ['live_short', 'sk_live_NotARealKeyForTests0123456789', `access_${'x'.repeat(40)}`]) {
      const wrong = await put({ enabled: true, secret_key })
      assert.deepEqual([wrong.status, Object.keys(wrong.body.errors)], [422, ['mollie.secret_key']])
    }
    const { body, text } = await put({ enabled: true, secret_key: ` ${MOLLIE_KEY}\n` })
    const shown = { enabled: true, secret_key_hint: MOLLIE_KEY.slice(-4), test_mode: false }
    assert.deepEqual(body.payment_settings.mollie, shown)
    assert.ok(!text.includes(MOLLIE_KEY))
    const [stored] = await service.db
      .selectFrom('payment_gateways')
      .select('secrets')
      .where('company_id', '=', shop.companyId)
      .execute()
    assert.ok(!stored!.secrets!.includes(MOLLIE_KEY))
    assert.ok(!service.log.join('').includes(MOLLIE_KEY))
    const test = await put({ secret_key: MOLLIE_TEST_KEY })
    assert.equal(test.body.payment_settings.mollie.test_mode, true)
    const off = await put({ secret_key: '' })
    assert.deepEqual(off.body.payment_settings.mollie, { enabled: false, secret_key_hint: '', test_mode: false })
  })

  test('that Mollie does not take leaves the order unpaid, and reaches no log', async () => {
    const shop = await service.openShop()
    const secret_key = `live_${'x'.repeat(30)}`
    await offer(service, shop, { mollie: { enabled: true, secret_key } })
    const { payment } = await placeToPay(service, shop, await aBuyer(shop), [await aFilm(service, shop)], 'Mollie')
    const start = () => startPayment(workOf(service), shop.companyId, payment.id, contextOf())
    await assert.rejects(start, { reason: 'payment_gateway_unavailable' })
    assert.ok(!service.log.join('').includes(secret_key))
  })
})
