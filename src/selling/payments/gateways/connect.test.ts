import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type AdminPage, ownerPage } from '#test/admin.ts'
import { type Shop, useService } from '#test/harness.ts'
import { MOLLIE_KEY, MOLLIE_TEST_KEY, useMollie } from '#test/mollie.ts'
import { BASE_URL, workOf } from '#test/payments.ts'
import { STRIPE_KEY, useStripe } from '#test/stripe.ts'
import { connectGateway } from '../connect.commands.ts'

const stripe = useStripe(() => service.clock.now())
const mollie = useMollie(() => service.clock.now())
const service = useService({
  serviceUrls: () => ({ gateways: { stripe: stripe.url, mollie: mollie.url }, vies: '' }),
})

async function anOwner(): Promise<{ shop: Shop; page: AdminPage }> {
  const shop = await service.openShop()
  return { shop, page: await ownerPage(service, shop) }
}

const connect = (page: AdminPage, gateway: string, secret_key?: string) =>
  page.call('POST', '/gateway_connections.json', { gateway_connection: { gateway, secret_key } })

const settingsOf = async (page: AdminPage) => (await page.get('/payment_settings.json')).body.payment_settings

describe('connecting Stripe', () => {
  /** As a service that has an address on the internet. */
  const connectOnline = (shop: Shop, key?: string) => connectGateway(workOf(service), shop, 'stripe', key)
  const endpointsOf = ({ companyId }: Shop) =>
    [...stripe.endpoints.values()].filter(({ url }) => url === `${BASE_URL}/payments/${companyId}/stripe`)

  test('checks the key, makes the webhook, and turns Stripe on', async () => {
    const { shop, page } = await anOwner()
    const connection = await connectOnline(shop, STRIPE_KEY)
    assert.deepEqual(connection, { account: 'Kino Nord', test_mode: false, webhook_refusal: null })
    const { enabled, has_webhook_secret } = (await settingsOf(page)).stripe
    assert.deepEqual([enabled, has_webhook_secret], [true, true])
    const [made, ...others] = endpointsOf(shop)
    assert.deepEqual(others, [])
    assert.ok(made?.enabled_events.includes('charge.refunded'))
    // An event with the secret that Stripe has given out is believed.
    const { status } = await stripe.send(service, shop.companyId, 'charge.refunded', {
      id: 'ch_1',
      object: 'charge',
      payment_intent: 'pi_unknown',
      amount_refunded: 1,
      currency: 'eur',
    })
    assert.equal(status, 200)
  })

  test('a second time keeps the webhook, and makes it anew if its secret is not known', async () => {
    const { shop, page } = await anOwner()
    await connectOnline(shop, STRIPE_KEY)
    const before = endpointsOf(shop)
    await connectOnline(shop)
    assert.deepEqual(endpointsOf(shop), before)
    await page.put('/payment_settings.json', { payment_settings: { stripe: { webhook_secret: '' } } })
    await connectOnline(shop)
    assert.equal((await settingsOf(page)).stripe.has_webhook_secret, true)
    assert.equal(endpointsOf(shop).length, 1)
    assert.notDeepEqual(endpointsOf(shop), before)
  })

  test('a second time adds the events that the webhook of an earlier version does not send', async () => {
    const { shop } = await anOwner()
    await connectOnline(shop, STRIPE_KEY)
    const [made] = endpointsOf(shop)
    assert.ok(made !== undefined)
    assert.ok(made.enabled_events.includes('payment_intent.succeeded'))
    stripe.endpoints.set(made.id, { ...made, enabled_events: ['checkout.session.completed'] })
    assert.equal((await connectOnline(shop)).webhook_refusal, null)
    assert.deepEqual(endpointsOf(shop), [made])
  })

  test('several times at once makes one webhook, also after a key that Stripe refuses', async () => {
    const owners = await Promise.all(Array.from({ length: 5 }, anOwner))
    const keys = [`${STRIPE_KEY}Wrong`, ...Array.from({ length: 4 }, () => STRIPE_KEY)]
    const connections = owners.flatMap(({ shop }) => keys.map((key) => connectOnline(shop, key)))
    const refused = (await Promise.allSettled(connections)).filter(({ status }) => status === 'rejected')
    assert.equal(refused.length, owners.length)
    for (const { shop, page } of owners) {
      assert.equal(endpointsOf(shop).length, 1)
      assert.equal((await settingsOf(page)).stripe.enabled, true)
    }
  })

  test('where Stripe cannot reach the service, connects all the same and says why no events come', async () => {
    const { page } = await anOwner()
    const answer = await connect(page, 'stripe', STRIPE_KEY)
    assert.equal(answer.status, 201, answer.text)
    assert.match(answer.body.gateway_connection.webhook_refusal, /publicly accessible/)
    assert.equal(answer.body.payment_settings.stripe.enabled, true)
    assert.ok(!answer.text.includes(STRIPE_KEY))
  })

  test('with a key that Stripe refuses says so at the field, and changes nothing', async () => {
    const { page } = await anOwner()
    const answer = await connect(page, 'stripe', 'sk_live_wrong')
    assert.deepEqual([answer.status, Object.keys(answer.body.errors)], [422, ['secret_key']])
    assert.match(answer.body.errors.secret_key[0], /Invalid API Key provided/)
    assert.equal(answer.body.field_errors.secret_key[0].reason, 'payment_key_refused')
    const { enabled, secret_key_hint } = (await settingsOf(page)).stripe
    assert.deepEqual([enabled, secret_key_hint], [false, ''])
  })

  test('with what is no key asks nobody', async () => {
    const { page } = await anOwner()
    for (const [key, reason] of [
      ['pk_live_public', 'payment_key_invalid'],
      ['', 'payment_key_missing'],
      [undefined, 'payment_key_missing'],
    ] as const) {
      const { status, body } = await connect(page, 'stripe', key)
      assert.deepEqual([status, body.field_errors?.secret_key?.[0].reason], [422, reason])
    }
  })

  test('while Stripe does not answer is 503, and changes nothing', async () => {
    const { page } = await anOwner()
    stripe.troubles.push('fails', 'fails', 'fails')
    const { status, body } = await connect(page, 'stripe', STRIPE_KEY)
    stripe.troubles.length = 0
    assert.deepEqual([status, body.reason], [503, 'payment_gateway_unavailable'])
    assert.equal((await settingsOf(page)).stripe.enabled, false)
  })
})

describe('connecting Mollie', () => {
  test('checks the key and turns Mollie on; a test key is told', async () => {
    const { page } = await anOwner()
    const live = await connect(page, 'mollie', MOLLIE_KEY)
    assert.deepEqual(live.body.gateway_connection, {
      account: 'Kino Nord',
      test_mode: false,
      webhook_refusal: 'Mollie cannot reach this address from the internet.',
    })
    assert.equal(live.body.payment_settings.mollie.enabled, true)
    assert.equal((await connect(page, 'mollie', MOLLIE_TEST_KEY)).body.gateway_connection.test_mode, true)
  })

  test('with a key that Mollie refuses says so at the field', async () => {
    const { page } = await anOwner()
    const { status, body } = await connect(page, 'mollie', `live_${'x'.repeat(40)}`)
    assert.deepEqual([status, body.field_errors?.secret_key?.[0].reason], [422, 'payment_key_refused'])
    assert.match(body.errors.secret_key[0], /failed to authenticate/)
  })
})

test('a gateway that has no key cannot be connected', async () => {
  const { page } = await anOwner()
  for (const gateway of ['manual', 'test', 'none', 'constructor'])
    assert.deepEqual(Object.keys((await connect(page, gateway, STRIPE_KEY)).body.errors), ['gateway'], gateway)
})
