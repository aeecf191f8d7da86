import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { TEST_CARDS } from '#selling/payments/gateways/test-cards/gateway.ts'
import { useService } from '#test/harness.ts'
import { aClub, advanceTo, periodsOf, read, signUp, subscriberOf, timelineOf } from '#test/subscriptions.ts'

const service = useService()

const DAY_MS = 86_400_000

async function aMember(attributes: object = {}) {
  const club = await aClub(service, attributes)
  const wish = { plan_id: club.plan.id, customer_token: club.customer.token, test_card: TEST_CARDS.succeeds }
  const subscription = await signUp(club.shop, wish)
  const extend = (until: unknown, id: unknown = subscription.id) =>
    club.shop.post(`/api/subscriptions/${id}/extend.json`, { extend: { until } })
  const later = (days: number) => new Date(Date.parse(subscription.period_end) + days * DAY_MS).toISOString()
  return { ...club, subscription, extend, later }
}

describe('a subscription that is extended', () => {
  test('ends later for nothing, and its next period begins then and is charged once', async () => {
    const { shop, customer, subscription, extend, later } = await aMember()
    const until = later(10)
    const answer = await extend(until)
    assert.equal(answer.status, 200, answer.text)
    assert.equal(Date.parse(answer.body.subscription.period_end), Date.parse(until))
    assert.equal((await timelineOf(shop, subscription))[0], 'extended')
    await advanceTo(service, subscription.period_end, 60)
    assert.equal((await periodsOf(shop, subscription)).length, 1, 'it was charged at the old end')
    assert.equal((await subscriberOf(shop, customer))?.state, 'active')
    await advanceTo(service, until, 60)
    await advanceTo(service, until, 120)
    const periods = await periodsOf(shop, subscription)
    assert.deepEqual([periods.length, periods[0].status], [2, 'paid'])
    assert.equal(Date.parse(periods[0].starts_at ?? periods[0].period_start), Date.parse(until))
  })

  test('is extended once where the same is asked for twice at the same time, and further by the later time', async () => {
    const { shop, subscription, extend, later } = await aMember()
    const answers = await Promise.all([extend(later(5)), extend(later(5)), extend(later(9))])
    const given = answers.filter(({ status }) => status === 200).length
    assert.ok(given >= 1 && given <= 2, `${given} were given`)
    assert.ok(answers.every(({ status }) => status === 200 || status === 422))
    const { period_end } = await read(shop, subscription)
    assert.ok([later(5), later(9)].some((time) => Date.parse(time) === Date.parse(period_end)))
  })

  test('keeps the end that somebody who has cancelled was told, or gets a later one', async () => {
    const { shop, subscription, extend, later } = await aMember()
    await shop.post(`/api/subscriptions/${subscription.id}/cancel.json`)
    const { subscription: longer } = (await extend(later(10))).body
    assert.deepEqual([longer.status, Date.parse(longer.period_end)], ['cancelled', Date.parse(later(10))])
    await advanceTo(service, later(10), 60)
    const ended = await read(shop, subscription)
    assert.equal(ended.status, 'ended')
    assert.equal((await periodsOf(shop, subscription)).length, 1, 'nothing more was charged')
  })
})

describe('an extension is refused', () => {
  test('to a time that is not after the end of the period, or is none', async () => {
    const { subscription, extend, later } = await aMember()
    const wrong = [
      subscription.period_end,
      later(-1),
      '1990-01-01T00:00:00Z',
      '2027-13-45T00:00:00Z',
      'tomorrow',
      '',
      null,
      7,
      true,
      [later(1)],
      { time: later(1) },
      'a'.repeat(65_536),
    ]
    for (const until of wrong) {
      const { status, text } = await extend(until)
      assert.ok(
        status === 400 || status === 422,
        `${JSON.stringify(until).slice(0, 40)}: ${status} ${text.slice(0, 200)}`,
      )
    }
  })

  test('by more than ten years', async () => {
    const { extend } = await aMember()
    assert.equal((await extend('9999-12-31T00:00:00Z')).status, 422)
  })

  test('of a subscription of another company, and of none', async () => {
    const [{ later, extend }, other] = [await aMember(), await aMember()]
    for (const id of [other.subscription.id, 0, -1, '1e3', '99999999999999999999', 'x'])
      assert.equal((await extend(later(1), id)).status, 404, String(id))
  })

  test('after the end of the subscription', async () => {
    const { shop, subscription, extend, later } = await aMember()
    await shop.post(`/api/subscriptions/${subscription.id}/cancel.json?at=now`)
    assert.equal((await extend(later(1))).status, 409)
  })
})
