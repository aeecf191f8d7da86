import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { TEST_CARDS } from '#selling/payments/gateways/test-cards/gateway.ts'
import { advance } from '#selling/subscriptions/charges/charge.worker.ts'
import { aCustomer } from '#test/customers.ts'
import { aPrice, type Wire } from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'
import { enterShop } from '#test/owned-content.ts'
import { offer, workOf } from '#test/payments.ts'
import { assertPrivatePage, baseOf, useShopPages } from '#test/shop-pages.ts'
import { aClub, advanceTo, periodsOf, read, signUp, timelineOf } from '#test/subscriptions.ts'
import type { Visitor } from '#test/visitor.ts'

const service = useService()
const pages = useShopPages(service)

const DAY = 86_400

/** A customer of a club who is signed in to its shop. */
async function aMember(attributes: object = {}, card: string = TEST_CARDS.succeeds) {
  const club = await aClub(service, attributes)
  const { shop, plan, customer } = club
  const subscription = await signUp(shop, { plan_id: plan.id, customer_token: customer.token, test_card: card })
  const base = await baseOf(shop)
  const enter = (): Promise<Visitor> => enterShop(service, shop, base, customer)
  return {
    ...club,
    subscription,
    base,
    path: `${base}/account/subscriptions/${subscription.id}`,
    enter,
    visitor: await enter(),
  }
}

type Member = Awaited<ReturnType<typeof aMember>>

async function aYear({ shop, plan }: Pick<Member, 'shop' | 'plan'>, cents = 7900): Promise<Wire> {
  const price = await aPrice(service, shop, { currencies: [{ price: cents, currency: 'EUR' }] })
  const yearly = { group_id: plan.group_id, title: 'Yearly', price_id: price.id, interval: 'year' }
  return (await shop.post('/api/plans.json', { plan: yearly })).body.plan
}

async function paidOf(shop: Shop): Promise<[string, number][]> {
  const rows = await service.db
    .selectFrom('payments')
    .select(['status', 'paid_cents'])
    .where('company_id', '=', shop.companyId)
    .orderBy('id')
    .execute()
  return rows.map(({ status, paid_cents }) => [status, paid_cents])
}

async function isChargedTwice(shop: Shop): Promise<boolean> {
  return (await shop.get('/api/payments.json?flagged=true')).body.payments.length > 0
}

describe('the subscriptions of a customer', () => {
  test('are listed with their plan, state and next payment', async () => {
    const { visitor, base, path } = await aMember()
    const list = await visitor.get(`${base}/account/subscriptions`)
    assertPrivatePage(list, 200, /Subscriptions/)
    assert.match(list.text, /Kino Club[\s\S]*Monthly, €7\.90 every month[\s\S]*Next payment: €7\.90 on[\s\S]*Active/)
    const { text } = await visitor.get(path)
    assert.match(text, /Visa ending in 4242/)
    assert.match(text, /You signed up to Monthly/)
    assert.match(text, /Periods and invoices/)
  })

  test('belong to nobody else: other customers, other shops and guests', async () => {
    const { shop, base, path, subscription } = await aMember()
    const other = await enterShop(service, shop, base, await aCustomer(shop))
    const abroad = await aMember()
    for (const way of ['', '/means', '/plan?plan=1', '/continue']) {
      assert.equal((await other.get(`${path}${way}`)).status, 404, way)
      const stranger = `${abroad.base}/account/subscriptions/${subscription.id}${way}`
      if (abroad.subscription.id !== subscription.id)
        assert.equal((await abroad.visitor.get(stranger)).status, 404, way)
      assert.match((await pages.comeIn().get(`${path}${way}`)).location ?? '', /\/login\?return_to=/)
    }
    for (const way of ['cancel', 'resume', 'pause', 'plan', 'means', 'second-step'])
      assert.equal((await other.post(`${path}/${way}`, { months: '1', plan: '1', gateway: 'Test' })).status, 404, way)
    for (const wrong of ['0', 'x', '9'.repeat(15), "1'--"])
      assert.equal((await other.get(`${base}/account/subscriptions/${encodeURIComponent(wrong)}`)).status, 404, wrong)
    assert.equal((await read(shop, subscription)).status, 'active')
  })
})

describe('cancelling', () => {
  test('takes two presses, and is confirmed at once on the page and by mail', async () => {
    const { visitor, path, shop, subscription, customer } = await aMember()
    assert.equal(await pages.countMailsTo(customer.email), 2, 'the order and the welcome')
    const page = await visitor.get(path)
    assert.match(page.text, /You can use Kino Club until/)
    const done = await visitor.submit(`${path}/cancel`)
    assert.equal(done.location, `${path}?done=cancelled`)
    const { text } = await visitor.follow(done)
    assert.match(text, /role="status"><h2>Kino Club ends on[\s\S]*We have sent the confirmation to/)
    const state = await read(shop, subscription)
    assert.deepEqual([state.status, state.ends_at], ['cancelled', subscription.period_end])
    const mail = await pages.lastMailTo(customer.email)
    assert.match(mail.subject, /Kino Club is cancelled/)
    assert.match(mail.text ?? '', /We have received your cancellation/)
    assert.equal((await visitor.post(`${path}/cancel`, {})).status, 303)
    assert.equal(await pages.countMailsTo(customer.email), 3, 'the order, the welcome, and one confirmation')
  })

  test('is taken back before the end, and not after it', async () => {
    const { visitor, path, shop, subscription, enter } = await aMember()
    await visitor.post(`${path}/cancel`, {})
    await visitor.get(path)
    assert.match((await visitor.follow(await visitor.submit(`${path}/resume`))).text, /Kino Club goes on/)
    assert.equal((await read(shop, subscription)).status, 'active')
    await visitor.post(`${path}/cancel`, {})
    const ahead = Date.parse(subscription.period_end) - service.clock.now().getTime()
    service.clock.advance(Math.ceil(ahead / 1000) + 1)
    const late = await (await enter()).post(`${path}/resume`, {})
    assert.equal(late.status, 409)
    assert.match(late.text, /This cannot be done with the subscription as it is now/)
  })

  test('while a charge is under way keeps the period that is being paid, and charges nothing after it', async () => {
    const { shop, subscription, enter, path } = await aMember({}, TEST_CARDS.failsFirstRenewal)
    await advanceTo(service, subscription.period_end)
    assert.equal((await read(shop, subscription)).status, 'past_due')
    // The gateway has been asked, and has not answered yet.
    const [period] = await periodsOf(shop, subscription)
    await service.db
      .updateTable('payments')
      .set({ status: 'created', failure: null })
      .where('order_id', '=', period?.order_id)
      .where('company_id', '=', shop.companyId)
      .execute()
    const visitor = await enter()
    await visitor.get(path)
    assert.equal((await visitor.submit(`${path}/cancel`)).location, `${path}?done=cancelled`)
    const state = await read(shop, subscription)
    assert.deepEqual([state.status, state.ends_at], ['cancelled', period?.ends_at])
    await advance(workOf(service), shop.companyId, subscription.id)
    assert.deepEqual(await paidOf(shop), [
      ['paid', 790],
      ['failed', 0],
    ])
    const over = await read(shop, subscription)
    assert.deepEqual([over.status, over.ended_because], ['ended', 'cancelled'])
  })
})

describe('a pause', () => {
  test('is planned, ended early, and refused where the plan does not allow it', async () => {
    const { visitor, path, shop, subscription } = await aMember()
    await visitor.get(path)
    const done = await visitor.follow(await visitor.submit(`${path}/pause`, { months: '2' }))
    assert.match(done.text, /Kino Club pauses until/)
    assert.equal((await visitor.post(`${path}/pause`, { months: '2' })).status, 303)
    assert.equal((await timelineOf(shop, subscription)).filter((kind) => kind === 'pause_planned').length, 1)
    await visitor.get(path)
    assert.match((await visitor.follow(await visitor.submit(`${path}/resume`))).text, /The pause is over/)
    assert.equal((await visitor.post(`${path}/pause`, { months: '5' })).status, 422)
    const strict = await aMember({ pausable: false })
    assert.doesNotMatch((await strict.visitor.get(strict.path)).text, /Pause for a while/)
    const refused = await strict.visitor.post(`${strict.path}/pause`, { months: '1' })
    assert.equal(refused.status, 409)
    assert.match(refused.text, /This plan cannot be paused/)
  })
})

describe('a change of plan', () => {
  test('shows what is charged, charges that, and at once', async () => {
    const { visitor, path, shop, plan, subscription } = await aMember()
    const year = await aYear({ shop, plan })
    await visitor.get(path)
    const offers = await visitor.get(`${path}/plan?plan=${year.id}`)
    assert.match(offers.text, /Rest of your plan<\/dt><dd>−€7\.90[\s\S]*Charged now<\/dt><dd>€71\.10/)
    assert.match(offers.text, /Change and pay €71\.10/)
    const fields = { plan: String(year.id), at: 'now', total: '7110' }
    const done = await visitor.follow(await visitor.post(`${path}/plan`, fields))
    assert.match(done.text, /Your plan is Yearly now/)
    assert.deepEqual(await paidOf(shop), [
      ['paid', 790],
      ['paid', 7110],
    ])
    assert.equal((await read(shop, subscription)).plan_id, year.id)
  })

  test('that costs something else by now is shown again', async () => {
    const { visitor, path, shop, plan } = await aMember()
    const year = await aYear({ shop, plan })
    for (const total of ['7109', '', 'x']) {
      const refused = await visitor.post(`${path}/plan`, { plan: String(year.id), at: 'now', total })
      assert.equal(refused.status, 409)
      assert.match(refused.text, /The amount has changed[\s\S]*Change and pay €71\.10/)
    }
    assert.deepEqual(await paidOf(shop), [['paid', 790]])
  })

  test('twice at once is charged once', async () => {
    const { visitor, path, shop, plan } = await aMember()
    const year = await aYear({ shop, plan })
    const fields = { plan: String(year.id), at: 'now', total: '7110' }
    await Promise.all(Array.from({ length: 4 }, () => visitor.post(`${path}/plan`, fields)))
    assert.deepEqual(await paidOf(shop), [
      ['paid', 790],
      ['paid', 7110],
    ])
    assert.equal(await isChargedTwice(shop), false)
  })

  test('with the next period charges nothing now, and can be given up', async () => {
    const { visitor, path, shop, plan, subscription } = await aMember()
    const year = await aYear({ shop, plan })
    const fields = { plan: String(year.id), at: 'period_end', total: '7900' }
    const done = await visitor.follow(await visitor.post(`${path}/plan`, fields))
    assert.match(done.text, /Next plan<\/dt><dd>Yearly from/)
    assert.match(done.text, /€79\.00 on/)
    assert.deepEqual(await paidOf(shop), [['paid', 790]])
    const back = { plan: String(plan.id), at: 'period_end', total: '790' }
    assert.equal((await visitor.post(`${path}/plan`, back)).status, 303)
    assert.equal((await read(shop, subscription)).next_plan_id, null)
  })

  test('to a plan of another group, or one that is not offered, is refused', async () => {
    const { visitor, path, shop, plan } = await aMember()
    const other = await aMember()
    const year = await aYear({ shop, plan })
    await shop.put(`/api/plans/${year.id}.json`, { plan: { valid: false } })
    for (const id of [other.plan.id + 1000, year.id, 0]) {
      const fields = { plan: String(id), at: 'now', total: '7110' }
      assert.equal((await visitor.post(`${path}/plan`, fields)).status, 409, String(id))
      assert.equal((await visitor.get(`${path}/plan?plan=${id}`)).status, 409, String(id))
    }
  })
})

describe('other means of payment', () => {
  test('are saved without a charge, and charged next time', async () => {
    const { visitor, path, shop, subscription } = await aMember({}, TEST_CARDS.failsRenewals)
    await visitor.get(path)
    await visitor.get(`${path}/means`)
    const missing = await visitor.submit(`${path}/means`, { gateway: 'Test', card: '' })
    assert.equal(missing.status, 422)
    const declined = await visitor.post(`${path}/means`, { gateway: 'Test', card: TEST_CARDS.fails })
    assert.equal(declined.status, 422)
    assert.match(declined.text, /The payment was declined/)
    const done = await visitor.post(`${path}/means`, { gateway: 'Test', card: TEST_CARDS.succeeds })
    assert.match((await visitor.follow(done)).text, /The next payment uses the new payment method/)
    assert.deepEqual(await paidOf(shop), [
      ['paid', 790],
      ['failed', 0],
      ['paid', 0],
    ])
    await advanceTo(service, subscription.period_end)
    assert.deepEqual((await paidOf(shop)).at(-1), ['paid', 790])
    assert.equal((await read(shop, subscription)).status, 'active')
    assert.equal(await isChargedTwice(shop), false)
  })

  test('that the bank wants confirmed count after the second step', async () => {
    const { visitor, path, shop, subscription } = await aMember({}, TEST_CARDS.failsRenewals)
    await visitor.get(`${path}/means`)
    const step = await visitor.follow(await visitor.submit(`${path}/means`, { gateway: 'Test', card: TEST_CARDS.asks }))
    assert.match(step.text, /name="answer" value="approve"/)
    assert.match((await visitor.get(path)).text, /Visa ending in 0341/)
    const done = await visitor.follow(await visitor.submit(`${path}/second-step`, { answer: 'approve' }))
    assert.match(done.text, /Visa ending in 4242/)
    assert.equal((await timelineOf(shop, subscription))[0], 'means_changed')
    assert.equal((await visitor.post(`${path}/second-step`, { answer: 'refuse' })).status, 303)
    assert.match((await visitor.get(path)).text, /Visa ending in 4242/)
  })

  test('stay when a charge ends that began with the earlier ones', async () => {
    const { visitor, path, shop, subscription, enter } = await aMember({}, TEST_CARDS.failsSecondRenewal)
    await visitor.get(`${path}/means`)
    await visitor.submit(`${path}/means`, { gateway: 'Test', card: TEST_CARDS.asks })
    // The renewal is charged to the earlier card while the customer is asked to confirm the other one.
    await advanceTo(service, subscription.period_end)
    assert.deepEqual((await paidOf(shop)).at(-1), ['paid', 790])
    const again = await enter()
    await again.get(path)
    await again.submit(`${path}/second-step`, { answer: 'approve' })
    const { period_end } = await read(shop, subscription)
    await advanceTo(service, period_end)
    assert.equal((await read(shop, subscription)).status, 'active', 'the other card pays the second renewal')
    assert.equal(await isChargedTwice(shop), false)
  })
})

describe('the link in the mail of a charge that failed', () => {
  async function late(card: string = TEST_CARDS.failsRenewals) {
    const member = await aMember({}, card)
    await advanceTo(service, member.subscription.period_end)
    const mail = await pages.lastMailTo(member.customer.email)
    const link = new RegExp(`${member.base}/subscriptions/[\\w-]+`).exec(mail.text ?? '')?.[0] ?? ''
    assert.notEqual(link, '', mail.text ?? '')
    return { ...member, mail, link, guest: pages.comeIn() }
  }

  test('pays the open period without signing in, once, and the subscription goes on', async () => {
    const { guest, link, shop, subscription } = await late()
    const page = await guest.get(link)
    assertPrivatePage(page, 200, /We could not charge €7\.90/)
    const missing = await guest.submit(`${link}/pay`, { gateway: 'Test', card: ' ' })
    assert.equal(missing.status, 422)
    await guest.get(link)
    const done = await guest.follow(await guest.submit(`${link}/pay`, { gateway: 'Test', card: TEST_CARDS.succeeds }))
    assertPrivatePage(done, 200, /Kino Club goes on/)
    const state = await read(shop, subscription)
    assert.deepEqual([state.status, state.period, state.failures], ['active', 2, 0])
    assert.equal((await guest.post(`${link}/pay`, { gateway: 'Test', card: TEST_CARDS.succeeds })).location, link)
    assert.equal((await guest.post(`${link}/again`, {})).location, link)
    assert.deepEqual((await paidOf(shop)).filter(([status]) => status === 'paid').length, 2)
    await advanceTo(service, state.period_end)
    assert.equal((await read(shop, subscription)).period, 3, 'the new card pays the next period')
  })

  test('is paid once when the button is pressed twice', async () => {
    const { guest, link, shop } = await late()
    const fields = { gateway: 'Test', card: TEST_CARDS.succeeds }
    await Promise.all(Array.from({ length: 4 }, () => guest.post(`${link}/pay`, fields)))
    assert.equal((await paidOf(shop)).filter(([status]) => status === 'paid').length, 2)
    assert.equal(await isChargedTwice(shop), false)
  })

  test('confirms what the bank asks for', async () => {
    const { guest, link } = await late(TEST_CARDS.asksRenewals)
    assert.match((await guest.get(link)).text, /Please confirm €7\.90 with your bank/)
    const step = await guest.follow(await guest.submit(`${link}/pay`, { gateway: 'Test', card: TEST_CARDS.asks }))
    assert.match(step.text, /name="answer" value="approve"/)
    const done = await guest.follow(await guest.submit(`${link}/second-step`, { answer: 'approve' }))
    assertPrivatePage(done, 200, /Kino Club goes on/)
  })

  test('tries the same card again, a few times, without using up the days of the other tries', async () => {
    const { guest, link, shop, subscription } = await late()
    for (let tries = 0; tries < 3; tries += 1) {
      await guest.get(link)
      assert.equal((await guest.submit(`${link}/again`)).location, link)
    }
    const more = await Promise.all(Array.from({ length: 4 }, () => guest.post(`${link}/again`, {})))
    const much = more.find(({ status }) => status === 429)
    assert.ok(much, more.map(({ status }) => status).join())
    assert.notEqual(much.headers.get('retry-after'), null)
    assert.equal((await read(shop, subscription)).status, 'past_due')
    await advanceTo(service, subscription.period_end, 5 * DAY)
    assert.equal((await read(shop, subscription)).status, 'past_due')
    await advanceTo(service, subscription.period_end, 7 * DAY + 600)
    const over = await read(shop, subscription)
    assert.deepEqual([over.status, over.ended_because], ['ended', 'unpaid'])
    assertPrivatePage(await guest.get(link), 410, /not needed any more/)
    assert.equal((await guest.post(`${link}/pay`, { gateway: 'Test', card: TEST_CARDS.succeeds })).location, link)
  })

  test('opens nothing for a wrong secret, an order of something else, or another company', async () => {
    const { guest, link } = await late()
    const abroad = await aMember()
    const token = link.split('/').at(-1) ?? ''
    for (const wrong of [`${token}x`, token.replace(/-.*/, '-aaaaaaaaaaaaaaaaaaaaaa'), 'x', '1'])
      assert.equal((await guest.get(link.replace(token, wrong))).status, 404, wrong)
    assert.equal((await guest.get(`${abroad.base}/subscriptions/${token}`)).status, 404)
    assert.equal((await guest.post(`${abroad.base}/subscriptions/${token}/again`, {})).status, 404)
  })

  test('starts nothing while a charge is under way', async () => {
    const { guest, link, shop, subscription } = await late()
    const [period] = await periodsOf(shop, subscription)
    await service.db
      .updateTable('payments')
      .set({ status: 'created', failure: null })
      .where('order_id', '=', period?.order_id)
      .where('company_id', '=', shop.companyId)
      .execute()
    assert.match((await guest.get(link)).text, /The payment of €7\.90 is on its way/)
    await offer(service, shop, { test: { enabled: true } })
    await guest.post(`${link}/pay`, { gateway: 'Test', card: TEST_CARDS.succeeds })
    assert.equal((await paidOf(shop)).filter(([status]) => status === 'paid').length, 1)
    assert.equal(await isChargedTwice(shop), false)
  })
})

describe('My Content of a subscriber', () => {
  test('says what is past due with the button that mends it, and leads back to a membership that has ended', async () => {
    const { shop, base, subscription, enter, plan } = await aMember({}, TEST_CARDS.failsRenewals)
    const look = async () => (await (await enter()).get(`${base}/my-content`)).text
    assert.doesNotMatch(await look(), /We could not charge|Join again/)
    await advanceTo(service, subscription.period_end)
    const mends = `class="notice wait stack"[\\s\\S]*We could not charge €7\\.90[\\s\\S]*href="${base}/subscriptions/[\\w-]+"`
    assert.match(await look(), new RegExp(mends))
    await advanceTo(service, subscription.period_end, 7 * DAY + 600)
    const over = await look()
    assert.doesNotMatch(over, /We could not charge/)
    assert.match(
      over,
      new RegExp(`membership of Kino Club ended on [\\s\\S]*href="${base}/memberships/${plan.group_id}">Join again<`),
    )
    const page = await (await enter()).get(`${base}/my-content/memberships/${plan.group_id}`)
    assert.match(page.text, />Join again</)
    await shop.put(`/api/plans/${plan.id}.json`, { plan: { valid: false } })
    assert.match(await look(), /ended on [^.]*\. Contact /)
  })
})
