import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Shop, useService } from '#test/harness.ts'
import { aBuyer, aFilm, readOrder } from '#test/orders.ts'
import { contextOf, offer, placeToPay, workOf } from '#test/payments.ts'
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

test('an event that is signed, but not what Stripe sends, is refused and changes nothing', async () => {
  const scene = await anOrderToPay()
  const { companyId } = scene.shop
  const paid = stripe.pay(await startedSession(scene))
  const session = 'checkout.session.completed'
  const wrong: [string, object][] = [
    [session, { ...paid, currency: 5 }],
    [session, { ...paid, currency: 'euro' }],
    [session, { ...paid, amount_total: 'all' }],
    [session, { ...paid, amount_total: 1e300 }],
    [session, { ...paid, amount_total: -1 }],
    [session, { ...paid, payment_intent: 'pi_\0' }],
    [session, { ...paid, payment_intent: ['pi_1'] }],
    [session, { ...paid, payment_status: null }],
    [session, { ...paid, metadata: 'none' }],
    ['charge.refunded', { payment_intent: 'pi_1', currency: null, amount_refunded: 1 }],
    ['charge.refunded', { payment_intent: 'pi_1', currency: 'eur', amount_refunded: 1e300 }],
    ['charge.refunded', { payment_intent: 'pi_\0', currency: 'eur', amount_refunded: 1 }],
    ['refund.failed', { payment_intent: 5 }],
    ['charge.dispute.created', { payment_intent: { id: 'x'.repeat(10_000) } }],
  ]
  for (const [type, object] of wrong) {
    const answer = await stripe.send(service, companyId, type, object)
    assert.deepEqual([answer.status, answer.body.reason], [400, 'payment_event_refused'], JSON.stringify(object))
  }
  for (const data of ['null', '5', '{}', '{"object":null}', '{"object":[]}']) {
    const text = `{"id":"evt_1","object":"event","type":"${session}","data":${data}}`
    const answer = await stripe.send(service, companyId, session, {}, { signed: text })
    assert.deepEqual([answer.status, answer.body.reason], [400, 'payment_event_refused'], data)
  }
  for (const text of ['', '{', 'null', '5', '[]', '{"type":5,"data":{"object":{}}}'])
    assert.equal((await stripe.send(service, companyId, session, {}, { signed: text })).status, 400, text)
  for (const signature of ['', 't=', 't=,v1=', 'v1=00', 't=x,v1=y', 't=1e400,v1=00', ',,,', 'é'])
    assert.equal((await stripe.send(service, companyId, session, paid, { signature })).status, 400, signature)
  assert.equal((await readOrder(scene.shop, scene.orderId)).financial_status, 'pending')
})
