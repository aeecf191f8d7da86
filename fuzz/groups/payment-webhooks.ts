import { createHmac } from 'node:crypto'
import { type Session, STRIPE_SIGNING } from '#test/stripe.ts'
import type { CreateGroup } from '../group.ts'
import { hostileJson, hostileText } from '../hostile.ts'

const TYPES = [
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  'checkout.session.expired',
  'checkout.session.async_payment_failed',
  'charge.refunded',
  'refund.failed',
  'charge.dispute.created',
  'customer.created',
  '__proto__',
]
const BODIES = [
  '',
  '{}',
  '[]',
  'null',
  '{"type":"charge.refunded"}',
  '{"type":"charge.refunded","data":null}',
  '{',
  '\0',
]
const SIGNATURES = ['', 't=1', 't=,v1=', 'v1=00', 't=x,v1=y', 't=1e400,v1=00', ',,,', 't=1,'.repeat(300)]

const sign = (secret: string, seconds: number, body: string) =>
  `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`

const STATUSES = ['paid', 'paid', 'open', 'pending', 'authorized', 'failed', 'canceled', 'expired', '__proto__']
const FORGED = ['tr_forged', 'tr_', 'ord_1', '../payments', 'tr_%00', `tr_${'x'.repeat(500)}`, '__proto__']

/**
 * News of gateways about real payments and invented ones: those of Stripe signed rightly or wrongly, with hostile contents, and
 * those of Mollie, which only name a payment.
 */
export const paymentWebhooks: CreateGroup = ({ scene: { shop, stripe, mollie }, random }) => {
  const session = (): Record<string, unknown> => {
    const known: Session[] = [...stripe.sessions.values()].slice(-50)
    const invented = { id: 'cs_0', amount_total: 1190, currency: 'eur', payment_intent: 'pi_0', payment_status: 'paid' }
    const base = known.length > 0 && random.often(0.8) ? random.pick(known) : invented
    const metadata = 'metadata' in base ? base.metadata : { licet_company: String(shop.companyId), licet_payment: '1' }
    const paid = random.often(0.7)
      ? { status: 'complete', payment_status: 'paid', payment_intent: `pi_${base.id}` }
      : {}
    return { ...base, ...paid, metadata, amount_refunded: random.below(2000) }
  }

  function event(): string {
    const attributes = new Map(Object.entries(session()).map(([name, value]) => [name, JSON.stringify(value)]))
    for (let count = random.pick([0, 0, 1, 1, 2]); count > 0; count -= 1)
      attributes.set(random.pick([...attributes.keys()]), hostileJson(random))
    const object = `{${[...attributes].map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(',')}}`
    const type = JSON.stringify(random.often(0.95) ? random.pick(TYPES) : hostileText(random, 100))
    const data = random.often(0.95) ? `{"object":${object}}` : hostileJson(random)
    return `{"id":"evt_${random.below(1e6)}","object":"event","created":1,"type":${type},"data":${data}}`
  }

  /** A payment of Mollie that something has happened to, or none. */
  function named(): string {
    const known = [...mollie.payments.keys()].slice(-50)
    if (known.length === 0 || random.often(0.3))
      return random.often(0.7) ? random.pick(FORGED) : hostileText(random, 100)
    const id = random.pick(known)
    mollie.change(id, { status: random.pick(STATUSES) })
    return id
  }

  const company = () =>
    random.often(0.95) ? String(shop.companyId) : random.pick(['0', '1', 'x', '%00', '9'.repeat(20)])

  function ofMollie() {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const body = random.often(0.9) ? `id=${named()}` : random.pick(BODIES)
    return { request: { method: 'POST', path: `/payments/${company()}/mollie`, headers, body: Buffer.from(body) } }
  }

  return {
    name: 'payment webhooks',
    share: 3,
    next() {
      if (random.often(0.3)) return ofMollie()
      const body = random.often(0.9) ? event() : random.pick(BODIES)
      const seconds = Math.floor(Date.now() / 1000) + (random.often(0.9) ? 0 : random.pick([-1e6, 1e6, 299, -299]))
      const secret = random.often(0.85) ? STRIPE_SIGNING : 'whsec_wrong'
      const headers: Record<string, string> = { 'content-type': random.often(0.95) ? 'application/json' : 'text/plain' }
      if (random.often(0.97))
        headers['stripe-signature'] = random.often(0.92) ? sign(secret, seconds, body) : random.pick(SIGNATURES)
      return { request: { method: 'POST', path: `/payments/${company()}/stripe`, headers, body: Buffer.from(body) } }
    },
    proofs: {
      'signed news were taken': ({ path }, { status }) => path.endsWith('/stripe') && status === 200,
      'news without a signature were taken': ({ path }, { status }) => path.endsWith('/mollie') && status === 200,
      'news were refused': (_request, { status }) => status >= 400 && status < 500,
    },
  }
}
