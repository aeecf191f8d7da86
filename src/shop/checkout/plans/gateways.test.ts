import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Wire } from '#test/factories.ts'
import { useService } from '#test/harness.ts'
import { MOLLIE_KEY, useMollie } from '#test/mollie.ts'
import { offer } from '#test/payments.ts'
import { useShopPages } from '#test/shop-pages.ts'
import { anOpenClub, headingOf, pay, toPay } from '#test/sign-ups.ts'
import { STRIPE_KEY, STRIPE_SIGNING, useStripe } from '#test/stripe.ts'
import { advanceTo } from '#test/subscriptions.ts'
import type { Visitor } from '#test/visitor.ts'

const stripe = useStripe(() => service.clock.now())
const mollie = useMollie(() => service.clock.now())
const service = useService({ serviceUrls: () => ({ gateways: { stripe: stripe.url, mollie: mollie.url }, vies: '' }) })
const pages = useShopPages(service)

const STRIPE = { enabled: true, secret_key: STRIPE_KEY, webhook_secret: STRIPE_SIGNING }
const MOLLIE = { enabled: true, secret_key: MOLLIE_KEY }

/** The clock goes on for days, and access ends within the hour. */
const owner = () => pages.shop.withScopes('orders', 'products', 'customers', 'files')

async function aClub(plan: object) {
  const shop = await owner()
  const club = await anOpenClub(service, shop, pages.base, plan)
  await offer(service, shop, { test: { enabled: false }, stripe: STRIPE, mollie: MOLLIE })
  return club
}

const subscriptionsOf = async ({ id }: Wire): Promise<Wire[]> =>
  (await (await owner()).get(`/api/subscriptions.json?group_id=${id}`)).body.subscriptions

let guests = 0
const aGuest = () => `payer${++guests}@example.com`

/** Signs up as far as the page of the gateway. Returns the name of the payment there, and the page of the order. */
async function leave(guest: Visitor, path: string, gateway: string): Promise<{ name: string; order: string }> {
  await toPay(guest, path, aGuest())
  const { location = '' } = await pay(guest, path, { gateway, card: '' })
  const { headers } = await guest.get(location)
  const name = /(cs_\w+|tr_\w+)$/.exec(headers.get('refresh') ?? '')?.[1]
  assert.ok(name, `it does not lead to ${gateway}: ${headers.get('refresh')}`)
  return { name, order: location.replace(/\/continue$/, '') }
}

describe('a guest who signs up through Stripe', () => {
  const comeBack = async (guest: Visitor, name: string) => {
    const { pathname, search } = new URL(stripe.sessions.get(name)?.success_url ?? '')
    return guest.follow(await guest.get(`${pathname}${search}`))
  }

  test('leaves a card for a trial, is charged nothing, and again when it is over', async () => {
    const { group, path } = await aClub({ trial_days: 14 })
    const guest = pages.comeIn()
    const { name } = await leave(guest, path, 'Stripe')
    assert.equal(stripe.sessions.get(name)?.mode, 'setup')
    stripe.pay(name)
    const back = await comeBack(guest, name)
    assert.equal(headingOf(back), 'Welcome to Kino Club')
    assert.equal(stripe.intents.size, 0)
    const [subscription] = await subscriptionsOf(group)
    assert.equal(subscription.status, 'trialing')
    await advanceTo(service, subscription.period_end)
    assert.deepEqual(
      [...stripe.intents.values()].map(({ amount }) => amount),
      [790],
    )
  })

  test('who comes back hours later finds a page that has ended, and joins anew', async () => {
    const { group, path } = await aClub({})
    const guest = pages.comeIn()
    const { name, order } = await leave(guest, path, 'Stripe')
    service.clock.advance(3 * 3600)
    await advanceTo(service, service.clock.now().toISOString())
    assert.equal(stripe.sessions.get(name)?.status, 'expired')
    const ended = await guest.get(order)
    assert.equal(headingOf(ended), 'You have not joined')
    assert.ok(ended.text.includes(`href="${path}"`), 'it leads to the page of the club')
    assert.deepEqual(
      (await subscriptionsOf(group)).map(({ status, ended_because }) => [status, ended_because]),
      [['ended', 'abandoned']],
    )
  })

  test('finds the same page when the button is pressed again', async () => {
    const { group, path } = await aClub({})
    const guest = pages.comeIn()
    const email = aGuest()
    await toPay(guest, path, email)
    const first = await pay(guest, path, { gateway: 'Stripe', card: '' })
    await guest.get(`${path}/pay?plan=${(await subscriptionsOf(group))[0]?.plan_id}`)
    const second = await pay(guest, path, { gateway: 'Stripe', card: '' })
    assert.equal(second.location, first.location)
    assert.equal((await subscriptionsOf(group)).length, 1)
  })
})

describe('a guest who signs up through Mollie', () => {
  const comeBack = async (guest: Visitor, name: string) => {
    const { pathname, search } = new URL(mollie.payments.get(name)?.redirectUrl ?? '')
    return guest.follow(await guest.get(`${pathname}${search}`))
  }

  test('is a member as soon as it is paid', async () => {
    const { group, path } = await aClub({})
    const guest = pages.comeIn()
    const { name } = await leave(guest, path, 'Mollie')
    mollie.change(name, { status: 'paid' })
    const back = await comeBack(guest, name)
    assert.equal(headingOf(back), 'Welcome to Kino Club')
    assert.equal((await subscriptionsOf(group))[0]?.status, 'active')
  })

  test('reads that it was cancelled there, keeps the trial, and goes on another way', async () => {
    const { group, path } = await aClub({ trial_days: 7 })
    const guest = pages.comeIn()
    const { name } = await leave(guest, path, 'Mollie')
    mollie.change(name, { status: 'canceled' })
    const back = await comeBack(guest, name)
    assert.equal(headingOf(back), 'Finish joining Kino Club')
    assert.match(back.text, /The payment was cancelled or not finished in time/)
    const again = await guest.submit(/\/orders\/[^/]+\/pay$/, { gateway: 'Stripe' })
    const { headers } = await guest.get(again.location ?? '')
    const session = /(cs_\w+)$/.exec(headers.get('refresh') ?? '')?.[1] ?? ''
    assert.equal(stripe.sessions.get(session)?.mode, 'setup')
    stripe.pay(session)
    const { pathname, search } = new URL(stripe.sessions.get(session)?.success_url ?? '')
    assert.equal(headingOf(await guest.follow(await guest.get(`${pathname}${search}`))), 'Welcome to Kino Club')
    assert.deepEqual(
      (await subscriptionsOf(group)).map(({ status, gateway }) => [status, gateway]),
      [['trialing', 'Stripe']],
    )
  })
})
