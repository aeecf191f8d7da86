import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createLog } from '#platform/log/log.ts'
import { aPrice, BUY, type Wire } from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'
import { type FakeMollie, MOLLIE_KEY, MOLLIE_TEST_KEY, useMollie } from '#test/mollie.ts'
import { aBuyer, aFilm, readOrder, someGoods } from '#test/orders.ts'
import { BASE_URL, contextOf, offer, placeToPay, workOf } from '#test/payments.ts'
import { confirmPayment, openNextPayment, startPayment } from '../../start.commands.ts'
import type { PaymentState } from '../../state.ts'
import { finishPayments } from '../../unfinished.worker.ts'
import { isReachable, toAmount, toCents } from './rules.ts'

const mollie: FakeMollie = useMollie(() => service.clock.now())
const service = useService({ serviceUrls: () => ({ gateways: { mollie: mollie.url }, vies: '' }) })

type Scene = { shop: Shop; customer: Wire; orderId: number; payment: PaymentState }

async function anOrderToPay(product?: (shop: Shop) => Promise<Wire>, attributes: object = {}): Promise<Scene> {
  const shop = await service.openShop()
  await offer(service, shop, { mollie: { enabled: true, secret_key: MOLLIE_KEY } })
  const customer = await aBuyer(shop)
  const film = product === undefined ? await aFilm(service, shop) : await product(shop)
  return { shop, customer, ...(await placeToPay(service, shop, customer, [film], 'Mollie', attributes)) }
}

const start = ({ payment }: Pick<Scene, 'payment'>) =>
  startPayment(workOf(service), payment.company_id, payment.id, contextOf())

/** Starts the payment and returns its id at Mollie. */
async function startedPayment(scene: Pick<Scene, 'payment'>): Promise<string> {
  const { payment } = await start(scene)
  assert.ok(payment.external_id !== null)
  return payment.external_id
}

const back = ({ shop, payment }: Scene) => confirmPayment(workOf(service), shop.companyId, payment.token)

const finish = () => finishPayments(workOf(service), createLog('silent'))

async function readPayment({ shop, payment }: Scene): Promise<Wire> {
  return (await shop.get(`/api/payments/${payment.id}.json`)).body.payment
}

const statusOf = async ({ shop, orderId }: Scene) => (await readOrder(shop, orderId)).financial_status

describe('a payment through Mollie', () => {
  test('leads to Mollie and back, and is paid when Mollie says so, however often', async () => {
    const scene = await anOrderToPay()
    const { companyId } = scene.shop
    const { next, payment } = await start(scene)
    const id = payment.external_id ?? ''
    assert.deepEqual(next, { kind: 'redirect', url: `https://www.mollie.com/checkout/select-method/${id}` })
    const { amount, redirectUrl, webhookUrl, locale } = mollie.payments.get(id)!
    assert.deepEqual(amount, { currency: 'EUR', value: '11.90' })
    assert.deepEqual(
      [redirectUrl, webhookUrl, locale],
      [contextOf().returnUrl, `${BASE_URL}/payments/${companyId}/mollie`, 'en_US'],
    )
    assert.equal((await back(scene)).status, 'created')
    mollie.change(id, { status: 'paid' })
    const news = await Promise.all([1, 2].map(() => mollie.send(service, companyId, id)))
    assert.deepEqual(
      news.map(({ status }) => status),
      [200, 200],
    )
    assert.equal((await mollie.send(service, companyId, id)).status, 200)
    assert.equal((await back(scene)).status, 'paid')
    const order = await readOrder(scene.shop, scene.orderId)
    assert.deepEqual(
      [order.financial_status, order.gateway, order.test, order.confirmed],
      ['paid', 'Mollie', false, true],
    )
    const { reference, flags, paid_amount } = await readPayment(scene)
    assert.deepEqual([reference, flags, paid_amount], [id, [], 1190])
  })

  test('is paid when the customer comes back before the news', async () => {
    const scene = await anOrderToPay()
    const id = await startedPayment(scene)
    mollie.change(id, { status: 'paid' })
    assert.equal((await back(scene)).status, 'paid')
    assert.equal(await statusOf(scene), 'paid')
    await mollie.send(service, scene.shop.companyId, id)
    assert.deepEqual((await readPayment(scene)).flags, [])
  })

  test('is found by its metadata if the news come before its name is stored', async () => {
    const scene = await anOrderToPay()
    const id = await startedPayment(scene)
    await service.db.updateTable('payments').set({ external_id: null }).where('id', '=', scene.payment.id).execute()
    mollie.change(id, { status: 'paid' })
    await mollie.send(service, scene.shop.companyId, id)
    assert.equal(await statusOf(scene), 'paid')
  })

  test('that the customer cancels, lets expire or cannot make is not paid, and another one can follow', async () => {
    for (const [changes, status, failure] of [
      [{ status: 'canceled' }, 'cancelled', null],
      [{ status: 'expired' }, 'cancelled', null],
      [{ status: 'failed', details: { failureReason: 'insufficient_funds' } }, 'failed', 'insufficient_funds'],
      [{ status: 'failed' }, 'failed', 'failed'],
    ] as const) {
      const scene = await anOrderToPay()
      const { shop, orderId } = scene
      const id = await startedPayment(scene)
      mollie.change(id, changes)
      assert.equal((await mollie.send(service, shop.companyId, id)).status, 200)
      const payment = await readPayment(scene)
      assert.deepEqual([payment.status, payment.failure, await statusOf(scene)], [status, failure, 'pending'])
      const again = await openNextPayment(workOf(service), shop.companyId, orderId, 'Mollie')
      const second = await startedPayment({ payment: again! })
      assert.notEqual(second, id)
      mollie.change(second, { status: 'paid' })
      await mollie.send(service, shop.companyId, second)
      assert.equal(await statusOf(scene), 'paid')
    }
  })

  test('is started once, although the connection is lost or the customer reloads', async () => {
    const scene = await anOrderToPay()
    mollie.done.length = 0
    mollie.troubles.push('loses the answer')
    await assert.rejects(() => start(scene), { reason: 'payment_gateway_unavailable' })
    const first = await startedPayment(scene)
    assert.equal(await startedPayment(scene), first)
    assert.deepEqual(mollie.done, ['payment 11.90 EUR'])
  })

  test('that Mollie refuses has failed, and says why', async () => {
    const scene = await anOrderToPay((shop) => aFilm(service, shop, 10))
    const { payment, next } = await start(scene)
    assert.deepEqual(
      [payment.status, payment.failure, next.kind],
      ['failed', 'The amount is lower than the minimum', 'done'],
    )
  })

  test('charges whole units of a currency that has no smaller ones', async () => {
    const inYen = async (shop: Shop) => {
      const price = await aPrice(service, shop, { currencies: [{ currency: 'jpy', price: 150_000 }] })
      return aFilm(service, shop, 0, { price_license_binding: [{ license_id: BUY, price_id: price.id }] })
    }
    const scene = await anOrderToPay(inYen, { currency: 'JPY' })
    const id = await startedPayment(scene)
    assert.deepEqual(mollie.change(id, { status: 'paid' }).amount, { currency: 'JPY', value: '1500' })
    await mollie.send(service, scene.shop.companyId, id)
    assert.equal(await statusOf(scene), 'paid')
    assert.equal((await readPayment(scene)).paid_amount, 150_000)
  })

  test('waits for money that takes days', async () => {
    for (const changes of [
      { status: 'open', method: 'banktransfer' },
      { status: 'pending' },
      { status: 'authorized', method: 'klarna' },
    ]) {
      const scene = await anOrderToPay()
      const id = await startedPayment(scene)
      mollie.change(id, changes)
      assert.equal((await back(scene)).status, 'pending')
      service.clock.advance(2 * 86_400)
      await finish()
      const after = { ...scene, shop: await scene.shop.asUser(scene.shop.userId) }
      assert.equal((await readOrder(after.shop, after.orderId)).cancelled_at, null)
      mollie.change(id, { status: 'paid' })
      await mollie.send(service, scene.shop.companyId, id)
      assert.equal(await statusOf(after), 'paid')
    }
  })

  test('that ended without news is found by the worker', async () => {
    const paid = await anOrderToPay()
    const left = await anOrderToPay((shop) => someGoods(service, shop, 5))
    mollie.change(await startedPayment(paid), { status: 'paid' })
    mollie.change(await startedPayment(left), { status: 'expired' })
    service.clock.advance(660)
    await finish()
    assert.deepEqual([await statusOf(paid), (await readPayment(left)).status], ['paid', 'cancelled'])
  })

  test('with another amount or currency is shown to the owner, and confirms nothing', async () => {
    for (const amount of [
      { currency: 'EUR', value: '11.91' },
      { currency: 'USD', value: '11.90' },
    ]) {
      const scene = await anOrderToPay()
      const id = await startedPayment(scene)
      mollie.change(id, { status: 'paid', amount })
      await mollie.send(service, scene.shop.companyId, id)
      assert.equal(await statusOf(scene), 'pending')
      assert.deepEqual((await readPayment(scene)).flags, ['amount_differs'])
    }
  })

  test('that arrives after the order was cancelled is shown to the owner', async () => {
    const scene = await anOrderToPay()
    const id = await startedPayment(scene)
    service.clock.advance(3700)
    await finish()
    const after = { ...scene, shop: await scene.shop.asUser(scene.shop.userId) }
    assert.notEqual((await readOrder(after.shop, after.orderId)).cancelled_at, null)
    mollie.change(id, { status: 'paid' })
    await mollie.send(service, scene.shop.companyId, id)
    assert.deepEqual((await readPayment(after)).flags, ['order_cancelled'])
  })

  test('with a key of the test mode makes a test', async () => {
    const shop = await service.openShop()
    await offer(service, shop, { mollie: { enabled: true, secret_key: MOLLIE_TEST_KEY } })
    const customer = await aBuyer(shop)
    const placed = await placeToPay(service, shop, customer, [await aFilm(service, shop)], 'Mollie')
    const id = await startedPayment(placed)
    assert.deepEqual([mollie.payments.get(id)?.mode, placed.payment.test], ['test', true])
  })
})

describe('another attempt at Mollie', () => {
  const again = ({ shop, orderId }: Scene) => openNextPayment(workOf(service), shop.companyId, orderId, 'Mollie')

  test('goes on with a payment that cannot be ended, so that nobody pays twice', async () => {
    const scene = await anOrderToPay()
    const id = await startedPayment(scene)
    const payment = await again(scene)
    assert.equal(payment?.id, scene.payment.id)
    assert.equal(await startedPayment({ payment: payment! }), id)
  })

  test('ends a payment that can be ended', async () => {
    const scene = await anOrderToPay()
    const id = await startedPayment(scene)
    mollie.change(id, { isCancelable: true })
    const payment = await again(scene)
    assert.notEqual(payment?.id, scene.payment.id)
    assert.deepEqual([mollie.payments.get(id)?.status, (await readPayment(scene)).status], ['canceled', 'cancelled'])
  })

  test('is not made if the customer has paid', async () => {
    const scene = await anOrderToPay()
    mollie.change(await startedPayment(scene), { status: 'paid' })
    assert.equal(await again(scene), undefined)
    assert.equal(await statusOf(scene), 'paid')
  })

  test('is made although Mollie does not answer', async () => {
    const scene = await anOrderToPay()
    await startedPayment(scene)
    mollie.troubles.push('fails')
    const payment = await again(scene)
    assert.ok(payment !== undefined && payment.id !== scene.payment.id)
  })
})

test('amounts have as many decimals as Mollie wants', () => {
  for (const [cents, currency, value] of [
    [1190, 'EUR', '11.90'],
    [5, 'EUR', '0.05'],
    [123_456_789, 'USD', '1234567.89'],
    [150_000, 'JPY', '1500'],
    [50_000, 'ISK', '500'],
    [150_050, 'JPY', undefined],
  ] as const) {
    const amount = toAmount(cents, currency)
    assert.equal(amount?.value, value)
    if (amount !== undefined) assert.equal(toCents(amount), cents)
  }
})

test('Mollie is told no address that it cannot reach', () => {
  for (const host of ['localhost:3000', '127.0.0.1', '[::1]', '192.168.1.5:80', 'shop.localhost', 'nas', 'a.internal'])
    assert.equal(isReachable(`http://${host}/payments/1/mollie`), false, host)
  for (const host of ['shop.example.com', 'example.org:8443'])
    assert.equal(isReachable(`https://${host}/payments/1/mollie`), true, host)
})
