import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Shop, useService } from '#test/harness.ts'
import { aBuyer, aFilm } from '#test/orders.ts'
import { contextOf, offer, placeToPay, workOf } from '#test/payments.ts'
import { cancel } from '#test/sales.ts'
import { STRIPE_KEY, STRIPE_SIGNING, useStripe } from '#test/stripe.ts'
import { startPayment } from '../../start.commands.ts'
import type { PaymentState } from '../../state.ts'

const stripe = useStripe(() => service.clock.now())
const service = useService({ serviceUrls: () => ({ gateways: { stripe: stripe.url }, vies: '' }) })

type Scene = { shop: Shop; orderId: number; payment: PaymentState }

async function anOrderToPay(): Promise<Scene> {
  const shop = await service.openShop()
  await offer(service, shop, { stripe: { enabled: true, secret_key: STRIPE_KEY, webhook_secret: STRIPE_SIGNING } })
  return { shop, ...(await placeToPay(service, shop, await aBuyer(shop), [await aFilm(service, shop)], 'Stripe')) }
}

/** Starts the payment and returns the id of its session. */
async function startedSession({ payment: { company_id, id } }: Scene): Promise<string> {
  const { payment } = await startPayment(workOf(service), company_id, id, contextOf())
  assert.ok(payment.external_id !== null)
  return payment.external_id
}

const readPayment = async ({ shop, payment }: Scene) =>
  (await shop.get(`/api/payments/${payment.id}.json`)).body.payment

describe('the cancellation of an order', () => {
  const sessionStatus = (id: string) => stripe.sessions.get(id)?.status

  test('ends the page of Stripe that is still open, once', async () => {
    const scene = await anOrderToPay()
    const session = await startedSession(scene)
    stripe.done.length = 0
    await cancel(scene.shop, scene.orderId)
    assert.equal(sessionStatus(session), 'open')
    await service.runJobs()
    assert.deepEqual([sessionStatus(session), (await readPayment(scene)).status], ['expired', 'cancelled'])
    await cancel(scene.shop, scene.orderId)
    await service.runJobs()
    assert.deepEqual(stripe.done, [`expire ${session}`])
  })

  test('ends the page although Stripe does not answer at first', async () => {
    const scene = await anOrderToPay()
    const session = await startedSession(scene)
    stripe.troubles.push('fails', 'fails')
    await cancel(scene.shop, scene.orderId)
    await service.runJobs()
    assert.equal(sessionStatus(session), 'open')
    stripe.troubles.length = 0
    service.clock.advance(60)
    await service.runJobs()
    assert.equal(sessionStatus(session), 'expired')
  })

  test('ends a page that Stripe was just opening', async () => {
    const scene = await anOrderToPay()
    await cancel(scene.shop, scene.orderId)
    await service.runJobs()
    const session = await startedSession(scene)
    await service.runJobs()
    assert.equal(sessionStatus(session), 'expired')
  })

  test('finds what was paid or has ended in the meantime', async () => {
    const paid = await anOrderToPay()
    stripe.pay(await startedSession(paid))
    const left = await anOrderToPay()
    const session = stripe.sessions.get(await startedSession(left))!
    stripe.sessions.set(session.id, { ...session, status: 'expired' })
    for (const { shop, orderId } of [paid, left]) await cancel(shop, orderId)
    await service.runJobs()
    const { status, flags } = await readPayment(paid)
    assert.deepEqual([status, flags], ['paid', ['order_cancelled']])
    assert.equal((await readPayment(left)).status, 'cancelled')
    const failed = await service.db.selectFrom('jobs').select('kind').where('last_error', 'is not', null).execute()
    assert.deepEqual(failed, [])
  })
})
