import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { TEST_CARDS } from '#selling/payments/gateways/test-cards/gateway.ts'
import { aPrice, aProduct, type Wire } from '#test/factories.ts'
import { useService } from '#test/harness.ts'
import { offer } from '#test/payments.ts'
import { baseOf, useShopPages } from '#test/shop-pages.ts'
import { anOpenClub, aPlan, headingOf, join, pay, toPay } from '#test/sign-ups.ts'
import { formsOf } from '#test/visitor.ts'

const service = useService()
const pages = useShopPages(service)

const subscriptionsOf = async ({ id }: Wire): Promise<Wire[]> =>
  (await pages.shop.get(`/api/subscriptions.json?group_id=${id}`)).body.subscriptions
const ordersOf = async (email: string): Promise<Wire[]> =>
  (await pages.shop.get('/api/orders.json')).body.orders.filter((order: Wire) => order.email === email)
const paidBy = async (email: string) =>
  (await ordersOf(email)).filter(({ financial_status }) => financial_status === 'paid').length

let guests = 0
const aGuest = () => `once${++guests}@example.com`

describe('one customer and one group', () => {
  test('make one subscription and one charge of ten presses at the same time', async () => {
    const { group, path } = await anOpenClub(service, pages.shop, pages.base)
    const guest = pages.comeIn()
    const email = aGuest()
    const shown = await toPay(guest, path, email)
    const form = formsOf(shown.text).find(({ action }) => action === `${path}/pay`)
    assert.ok(form)
    const fields = { ...form.fields, gateway: 'Test', card: TEST_CARDS.succeeds, now: '1' }
    const answers = await Promise.all(Array.from({ length: 10 }, () => guest.post(`${path}/pay`, fields)))
    const [place] = new Set(answers.map(({ location }) => location))
    assert.deepEqual(
      answers.map(({ status, location }) => [status, location]),
      answers.map(() => [303, place]),
    )
    assert.equal((await subscriptionsOf(group)).length, 1)
    assert.equal(await paidBy(email), 1)
  })

  test('make one subscription of two windows with different plans, and the second one says so', async () => {
    const { group, plan, path } = await anOpenClub(service, pages.shop, pages.base, { trial_days: 7 })
    const other = await aPlan(pages.shop, { group_id: group.id, price_id: plan.price_id, title: 'Other' })
    const email = aGuest()
    const [one, two] = [pages.comeIn(), pages.comeIn()]
    await toPay(one, path, email, plan)
    await toPay(two, path, email, other)
    const done = await Promise.all([one, two].map((guest) => pay(guest, path)))
    assert.deepEqual(done.map(({ status }) => status).toSorted(), [303, 409])
    const refused = done.find(({ status }) => status === 409)
    assert.equal(headingOf(refused ?? { text: '' }), 'You are a member already')
    assert.equal((await subscriptionsOf(group)).length, 1)
  })

  test('lead a member who comes again to what is included, and a reload to the same page', async () => {
    const { path } = await anOpenClub(service, pages.shop, pages.base)
    const email = aGuest()
    const guest = pages.comeIn()
    await join(guest, path, email)
    const again = await toPay(guest, path, email)
    assert.equal(again.status, 409)
    assert.equal(headingOf(again), 'You are a member already')
    assert.match(again.text, /name="return_to" value="[^"]*\/my-content\/memberships\//)
  })

  test('keep the trial for somebody whose card was declined, and give no second one', async () => {
    const { group, path } = await anOpenClub(service, pages.shop, pages.base, { trial_days: 7 })
    const email = aGuest()
    await join(pages.comeIn(), path, email, { card: TEST_CARDS.fails })
    const elsewhere = pages.comeIn()
    const shown = await toPay(elsewhere, path, email)
    assert.match(shown.text, /Today you pay nothing/)
    await elsewhere.follow(await pay(elsewhere, path))
    const [, current] = await subscriptionsOf(group)
    assert.equal(current?.status, 'trialing')
    await pages.shop.post(`/api/subscriptions/${current?.id}/cancel.json?at=now`)
    const later = await toPay(pages.comeIn(), path, email)
    assert.match(later.text, /Today you pay €7\.90/)
  })
})

describe('what has changed between showing and paying', () => {
  test('is shown again, and nothing is charged: a price, the terms, the currency, and who signs up', async () => {
    const { group, plan, path } = await anOpenClub(service, pages.shop, pages.base, { trial_days: 7 })
    const guest = pages.comeIn()
    const email = aGuest()
    const refused = async () => {
      const answer = await pay(guest, path)
      assert.equal(answer.status, 422, answer.text)
      assert.match(answer.text, /The price, the currency or the terms have changed/)
      return answer
    }
    await toPay(guest, path, email)
    const dearer = await aPrice(service, pages.shop, { currencies: [{ price: 990, currency: 'EUR' }] })
    await pages.shop.put(`/api/plans/${plan.id}.json`, { plan: { price_id: dearer.id } })
    assert.match((await refused()).text, /we charge €9\.90/)
    await pages.shop.put(`/api/plans/${plan.id}.json`, { plan: { minimum_periods: 12 } })
    await refused()
    await pages.shop.put(`/api/plans/${plan.id}.json`, { plan: { trial_days: 0 } })
    assert.match((await refused()).text, /Today you pay €9\.90/)
    const window = pages.comeIn()
    for (const [name, value] of guest.cookies) window.cookies.set(name, value)
    await toPay(window, path, aGuest())
    await refused()
    assert.equal((await subscriptionsOf(group)).length, 0)
  })

  test('in another currency, chosen in another tab, is shown in that currency', async () => {
    const { group, plan, path } = await anOpenClub(service, pages.shop, pages.base)
    const both = await aPrice(service, pages.shop, {
      currencies: [
        { price: 790, currency: 'EUR' },
        { price: 850, currency: 'USD' },
      ],
    })
    await aProduct(pages.shop, { product_type: 6, published: true, price_license_binding: [{ price_id: both.id }] })
    await pages.shop.put(`/api/plans/${plan.id}.json`, { plan: { price_id: both.id } })
    const guest = pages.comeIn()
    const shown = await toPay(guest, path, aGuest())
    const form = formsOf(shown.text).find(({ action }) => action === `${path}/pay`)
    await guest.post(`${pages.base}/preferences`, { currency: 'USD', return_to: path })
    const answer = await guest.post(`${path}/pay`, {
      ...form?.fields,
      gateway: 'Test',
      card: TEST_CARDS.succeeds,
      now: '1',
    })
    assert.equal(answer.status, 422)
    assert.match(answer.text, /Today you pay (US)?\$8\.50/)
    assert.equal((await subscriptionsOf(group)).length, 0)
    await guest.follow(await pay(guest, path))
    const [subscription] = await subscriptionsOf(group)
    assert.deepEqual([subscription?.currency, subscription?.amount], ['USD', 850])
  })

  test('leads to the other plans if the plan was stopped, and says so if there are none', async () => {
    const { group, plan, path } = await anOpenClub(service, pages.shop, pages.base)
    const other = await aPlan(pages.shop, { group_id: group.id, price_id: plan.price_id, title: 'Other' })
    const guest = pages.comeIn()
    await toPay(guest, path, aGuest(), plan)
    await pages.shop.put(`/api/plans/${plan.id}.json`, { plan: { valid: false } })
    const led = await guest.follow(await pay(guest, path))
    assert.match(led.text, /This plan is not offered any more/)
    await toPay(guest, path, aGuest(), other)
    await pages.shop.put(`/api/plans/${other.id}.json`, { plan: { valid: false } })
    const closed = await pay(guest, path)
    assert.deepEqual([closed.status, headingOf(closed)], [404, 'Nobody can join at the moment'])
    assert.equal((await guest.get(path)).status, 404)
    assert.equal((await subscriptionsOf(group)).length, 0)
  })
})

test('a plan of another company or group, and what is no plan, is not found', async () => {
  const { path } = await anOpenClub(service, pages.shop, pages.base)
  const stranger = await service.openShop()
  const theirs = await anOpenClub(service, stranger, await baseOf(stranger))
  const another = await anOpenClub(service, pages.shop, pages.base)
  const guest = pages.comeIn()
  for (const id of [theirs.plan.id, another.plan.id, 0, -1, 'x', '1e3', '999999999999999'])
    for (const step of ['join', 'pay']) {
      assert.equal((await guest.get(`${path}/${step}?plan=${id}`)).status, 404, `${step} ${id}`)
      const posted = await guest.post(`${path}/${step}`, { plan: String(id), email: aGuest() })
      assert.equal(posted.status, 404, `${step} ${id}`)
    }
  assert.equal((await guest.get(`${pages.base}/memberships/${theirs.group.id}0000`)).status, 404)
  assert.equal((await guest.get(`${pages.base}/memberships/x'--`)).status, 404)
})

test('a bill is sent, and the membership begins when it is paid', async () => {
  const { group, path } = await anOpenClub(service, pages.shop, pages.base)
  await offer(service, pages.shop, { test: { enabled: false }, manual: { enabled: true, instructions: 'Bank DE00' } })
  const guest = pages.comeIn()
  const email = aGuest()
  await toPay(guest, path, email)
  const waiting = await guest.follow(await pay(guest, path, { gateway: 'Manual', card: '' }))
  assert.equal(headingOf(waiting), 'Thank you for your order')
  assert.match(waiting.text, /begins when your payment has arrived/)
  assert.equal((await subscriptionsOf(group))[0]?.status, 'incomplete')
  const [order] = await ordersOf(email)
  await pages.shop.post(`/api/orders/${order?.id}/mark_paid.json`)
  await service.runJobs()
  assert.equal((await subscriptionsOf(group))[0]?.status, 'active')
})

test('in the EU the membership begins with the consent of the customer, in words that are kept', async () => {
  const { group, path } = await anOpenClub(service, pages.shop, pages.base)
  const guest = pages.comeIn()
  const email = aGuest()
  await toPay(guest, path, email)
  const refused = await pay(guest, path, { now: '' })
  assert.equal(refused.status, 422)
  assert.match(refused.text, /Please tick the box/)
  assert.equal((await subscriptionsOf(group)).length, 0)
  await guest.follow(await pay(guest, path))
  const [order] = await ordersOf(email)
  const { withdrawal } = await service.db
    .selectFrom('orders')
    .select('withdrawal')
    .where('company_id', '=', pages.shop.companyId)
    .where('id', '=', order?.id)
    .executeTakeFirstOrThrow()
  assert.match(JSON.stringify(withdrawal), /"consented":true.*I want my membership to begin/)
})
