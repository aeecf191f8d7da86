import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { TEST_CARDS } from '#selling/payments/gateways/test-cards/gateway.ts'
import { useService } from '#test/harness.ts'
import { aBuyer } from '#test/orders.ts'
import { useShopPages } from '#test/shop-pages.ts'
import { anOpenClub, headingOf, join, pay, toPay } from '#test/sign-ups.ts'

const service = useService()
const pages = useShopPages(service)

let guests = 0
const aGuest = () => `guest${++guests}@example.com`
const subscriptions = async (groupId: string) =>
  (await pages.shop.get(`/api/subscriptions.json?group_id=${groupId}`)).body.subscriptions

describe('somebody who signs up in a shop', () => {
  test('with a free trial leaves a card and pays nothing', async () => {
    const { group, path } = await anOpenClub(service, pages.shop, pages.base, { trial_days: 14 })
    const guest = pages.comeIn()
    const email = aGuest()
    const shown = await toPay(guest, path, email)
    assert.equal(shown.status, 200)
    assert.match(shown.text, /Today you pay nothing/)
    const placed = await guest.follow(await pay(guest, path))
    assert.equal(headingOf(placed), 'Welcome to Kino Club')
    assert.match(placed.text, /Your free days have begun/)
    const [subscription] = await subscriptions(group.id)
    assert.deepEqual([subscription.status, subscription.amount, subscription.gateway], ['trialing', 790, 'Test'])
  })

  test('without a trial pays the first period', async () => {
    const { group, path } = await anOpenClub(service, pages.shop, pages.base)
    const placed = await join(pages.comeIn(), path, aGuest())
    assert.equal(headingOf(placed), 'Welcome to Kino Club')
    const [subscription] = await subscriptions(group.id)
    assert.deepEqual([subscription.status, subscription.period], ['active', 1])
  })

  test('is led to My Content when signed in', async () => {
    const { group, film, path } = await anOpenClub(service, pages.shop, pages.base, { trial_days: 7 })
    const customer = await aBuyer(pages.shop)
    const visitor = await pages.signIn(customer.email)
    await visitor.get(path)
    const asked = await visitor.follow(await visitor.submit(`${path}/join`))
    assert.match(asked.text, /How would you like to pay/)
    const placed = await visitor.follow(await pay(visitor, path))
    const content = `${pages.base}/my-content/memberships/${group.id}`
    assert.ok(placed.text.includes(`href="${content}"`), placed.text)
    const inside = await visitor.get(content)
    assert.equal(inside.status, 200)
    assert.ok(inside.text.includes(film.title))
    assert.match((await visitor.get(path)).text, /You are a member of Kino Club/)
  })

  test('sees why a card was declined, and goes on with another one', async () => {
    const { group, path } = await anOpenClub(service, pages.shop, pages.base, { trial_days: 7 })
    const guest = pages.comeIn()
    const declined = await join(guest, path, aGuest(), { card: TEST_CARDS.fails })
    assert.match(declined.text, /The payment was declined/)
    assert.equal(headingOf(declined), 'Finish joining Kino Club')
    const paid = await guest.follow(
      await guest.submit(/\/orders\/[^/]+\/pay$/, { gateway: 'Test', card: TEST_CARDS.succeeds }),
    )
    assert.equal(headingOf(paid), 'Welcome to Kino Club')
    assert.deepEqual(
      (await subscriptions(group.id)).map(({ status }: { status: string }) => status),
      ['trialing'],
    )
  })
})

describe('the mail to somebody who has signed up', () => {
  test('with a trial is one mail that says what begins, what is paid when, how to cancel, and what was agreed to', async () => {
    const { group, path } = await anOpenClub(service, pages.shop, pages.base, { trial_days: 14, minimum_periods: 3 })
    const email = aGuest()
    await join(pages.comeIn(), path, email)
    assert.equal(await pages.countMailsTo(email), 1)
    const { subject, text } = await pages.lastMailTo(email)
    assert.match(subject, /Welcome to Kino Club/)
    assert.match(text ?? '', /Your free days have begun\. On .* we charge €7\.90 for the first time/)
    assert.match(text ?? '', /Your membership then ends on .* at the earliest/)
    assert.match(text ?? '', /I want my membership to begin/)
    const [link = ''] =
      new RegExp(`${pages.base}/my-content/memberships/${group.id}\\?token=\\S+`).exec(text ?? '') ?? []
    const elsewhere = pages.comeIn()
    const asked = await elsewhere.follow(await elsewhere.get(link))
    assert.match(asked.text, new RegExp(`value="${email}"`), 'the sign-in knows whom it was mailed to')
  })

  test('without one comes beside the receipt, once', async () => {
    const { path } = await anOpenClub(service, pages.shop, pages.base)
    const email = aGuest()
    const guest = pages.comeIn()
    await join(guest, path, email, { card: TEST_CARDS.asks })
    assert.equal(await pages.countMailsTo(email), 0)
    await guest.follow(await guest.submit(/second-step$/, { answer: 'approve' }))
    assert.equal(await pages.countMailsTo(email), 2)
    const { subject } = await pages.lastMailTo(email)
    assert.ok(/Welcome to Kino Club|Your order/.test(subject), subject)
  })
})
