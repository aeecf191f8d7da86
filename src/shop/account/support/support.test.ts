import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { CONFIRM_ORDER } from '#selling/orders/mails/jobs.ts'
import { ownerPage } from '#test/admin.ts'
import { aGroupMember, aNewsRecipient, aSubscriber } from '#test/audience.ts'
import type { Wire } from '#test/factories.ts'
import { useService } from '#test/harness.ts'
import { aBuyer, aFilm, anOrder } from '#test/orders.ts'

const service = useService()

async function aCustomerOfAShop() {
  const shop = await service.openShop()
  const customer = await aBuyer(shop)
  await anOrder(shop, customer, [await aFilm(service, shop)])
  return { shop, customer, page: await ownerPage(service, shop) }
}

describe('a login link', () => {
  test('signs in to the shop once, and goes on record', async () => {
    const { shop, customer, page } = await aCustomerOfAShop()
    const made = await page.post(`/customers/${customer.token}/login_link.json`, {})
    assert.equal(made.status, 201, made.text)
    const { url } = made.body.login_link
    const path = `${service.url}${new URL(url).pathname}`
    const [first, second] = [await fetch(path, { redirect: 'manual' }), await fetch(path, { redirect: 'manual' })]
    assert.equal(first.status, 303)
    assert.match(first.headers.getSetCookie().join(), /customer/)
    assert.equal(second.status, 410)
    const { audit_entries } = (await shop.get('/api/audit_entries.json?action=sign-in%20link%20made')).body
    assert.equal(audit_entries.length, 1)
  })

  test('is not kept, whatever a client sends to repeat the request', async () => {
    const { shop, customer, page } = await aCustomerOfAShop()
    const headers = { origin: service.url, 'idempotency-key': 'one' }
    const make = () => page.call('POST', `/customers/${customer.token}/login_link.json`, {}, headers)
    const [one, two] = [await make(), await make()]
    assert.deepEqual([one.status, two.status], [201, 201])
    assert.notEqual(one.body.login_link.url, two.body.login_link.url)
    const kept = await service.db
      .selectFrom('idempotency_keys')
      .select('body')
      .where('company_id', '=', shop.companyId)
      .execute()
    assert.doesNotMatch(JSON.stringify(kept), /customers\/login/)
  })

  test('ends after a quarter of an hour', async () => {
    const { customer, page } = await aCustomerOfAShop()
    const { url } = (await page.post(`/customers/${customer.token}/login_link.json`, {})).body.login_link
    service.clock.advance(15 * 60 + 1)
    assert.equal((await fetch(`${service.url}${new URL(url).pathname}`, { redirect: 'manual' })).status, 410)
  })

  test('is not made for customers of others, nor for somebody who is disabled', async () => {
    const { customer, page } = await aCustomerOfAShop()
    const stranger = await ownerPage(service, await service.openShop())
    for (const deed of ['login_link', 'send_sign_in_link', 'export'])
      assert.equal((await stranger.post(`/customers/${customer.token}/${deed}.json`, {})).status, 404, deed)
    await page.put(`/customers/${customer.token}/state.json`, { customer: { state: 'disabled' } })
    for (const deed of ['login_link', 'send_sign_in_link'])
      assert.equal((await page.post(`/customers/${customer.token}/${deed}.json`, {})).status, 422, deed)
  })
})

test('a sign-in link by mail is the one that customers ask for, and the company does not see it', async () => {
  const { shop, customer, page } = await aCustomerOfAShop()
  assert.equal((await page.post(`/customers/${customer.token}/send_sign_in_link.json`, {})).status, 200)
  const job = await service.db
    .selectFrom('jobs')
    .select(['company_id', 'data'])
    .where('kind', '=', 'send mail about an account in a shop')
    .executeTakeFirstOrThrow()
  const data = job.data as Record<string, unknown>
  assert.deepEqual([job.company_id, data.purpose, data.email], [null, 'sign in', customer.email])
  assert.equal(data.companyId, shop.companyId)
})

test('no customer gets a flood of mails from one company', async () => {
  const { shop, customer, page } = await aCustomerOfAShop()
  service.clock.stop()
  const [order] = (await shop.get('/api/orders.json')).body.orders
  const mailsBefore = await countMailJobs()
  const link = () => page.post(`/customers/${customer.token}/send_sign_in_link.json`, {})
  const confirmation = () => page.post(`/orders/${order.id}/send_confirmation.json`, {})
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? link() : confirmation())),
  )
  const sent = answers.filter(({ status }) => status === 200)
  const refused = answers.filter(({ status }) => status === 429)
  assert.deepEqual([sent.length, refused.length], [5, 15])
  for (const { body, headers } of refused) {
    assert.equal(body.reason, 'too_many_mails')
    assert.ok(Number(headers.get('retry-after')) >= 1)
  }
  assert.equal((await countMailJobs()) - mailsBefore, 5)
  const { audit_entries } = (await shop.get('/api/audit_entries.json')).body
  const recorded = audit_entries.filter(({ action }: { action: string }) =>
    ['sign-in link made', 'order confirmation sent again'].includes(action),
  )
  assert.equal(recorded.length, 5)

  // Others are not held up: another customer of the company, and the same one the next day.
  const other = await aBuyer(shop)
  assert.equal((await page.post(`/customers/${other.token}/send_sign_in_link.json`, {})).status, 200)
  service.clock.advance(24 * 3600 + 1)
  const tomorrow = await ownerPage(service, shop)
  assert.equal((await tomorrow.post(`/customers/${customer.token}/send_sign_in_link.json`, {})).status, 200)
})

async function countMailJobs(): Promise<number> {
  const { count } = await service.db
    .selectFrom('jobs')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('kind', 'in', ['send mail about an account in a shop', CONFIRM_ORDER.name])
    .executeTakeFirstOrThrow()
  return Number(count)
}

test('an export has what the company knows of the customer', async () => {
  const { shop, customer, page } = await aCustomerOfAShop()
  const consent = { confirmed_at: '2024-06-10T09:30:00', consent_source: 'Book fair' }
  await aNewsRecipient(shop, { customer_token: customer.token, ...consent })
  await aNewsRecipient(shop)
  await aSubscriber(shop, { customer_token: customer.token })
  await aGroupMember(shop, { customer_token: customer.token })
  const answer = await page.post(`/customers/${customer.token}/export.json`, {})
  assert.equal(answer.status, 200, answer.text)
  assert.equal(answer.body.customer.email, customer.email)
  assert.deepEqual([answer.body.orders.length, answer.body.entitlements.length], [1, 1])
  const { newsrecipients, subscribers, groupmembers } = answer.body
  assert.deepEqual(
    newsrecipients.map(({ confirmed_at, consent_source }: Wire) => ({ confirmed_at, consent_source })),
    [consent],
  )
  assert.deepEqual([subscribers.length, groupmembers.length], [1, 1])
  assert.match(answer.headers.get('content-disposition') ?? '', new RegExp(customer.token))
})
