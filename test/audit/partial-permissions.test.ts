import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type AdminPage, adminPage } from '../admin.ts'
import { aCustomer } from '../customers.ts'
import { type Shop, useService } from '../harness.ts'
import { aFilm, anOrder } from '../orders.ts'
import { aMember, type Member } from '../people.ts'
import { readUser } from '../users.ts'
import { aWebhook } from '../webhooks.ts'

const service = useService()

/** A part of a change may need a permission that the whole does not. */
describe('a user with web_access alone', () => {
  let shop: Shop
  let member: Member
  let page: AdminPage

  before(async () => {
    shop = await service.openShop()
    member = await aMember(service, shop)
    page = adminPage(service, member.visitor)
  })

  const assertMissing = (answer: { status: number; body: { reason?: string; error?: string } }, permission: string) => {
    assert.deepEqual([answer.status, answer.body.reason], [403, 'permission_missing'])
    assert.match(answer.body.error ?? '', new RegExp(`\\b${permission}\\b`))
  }

  test('changes the number of an order, and neither gives nor takes what was bought', async () => {
    const customer = await aCustomer(shop)
    const film = await aFilm(service, shop)
    const { id } = await anOrder(shop, customer, [{ product_id: film.product_id }])
    const put = (order: object) => page.put(`/orders/${id}.json`, { order })
    assert.equal((await put({ order_number: 'A-1', confirmed: true })).status, 200)
    assertMissing(await put({ confirmed: false }), 'accounting')
    assertMissing(await page.delete(`/orders/${id}.json`), 'accounting')
  })

  test('changes the name of a customer, and nothing that lets somebody sign in', async () => {
    const customer = await aCustomer(shop)
    const path = `/customers/${customer.token}.json`
    const put = (change: object) => page.put(path, { customer: change })
    assert.equal((await put({ first_name: 'Ann', email: customer.email })).status, 200)
    assertMissing(await put({ email: 'other@example.com' }), 'unlock')
    assertMissing(await put({ password: 'another password', password_confirmation: 'another password' }), 'unlock')
    assertMissing(await page.delete(path), 'unlock')
    assert.equal((await shop.get(`/api${path}`)).body.customer.email, customer.email)
  })

  test('changes the own name, and no other user', async () => {
    const owner = await readUser(shop, shop.userId)
    assert.equal((await page.put(`/users/${member.id}.json`, { user: { first_name: 'Mo' } })).status, 200)
    assert.equal((await page.put(`/users/${owner.id}.json`, { user: { first_name: 'Evil' } })).status, 403)
    assertMissing(await page.get('/users.json'), 'create_users')
    assert.equal((await readUser(shop, shop.userId)).first_name, owner.first_name)
  })

  test('reads the webhooks of apps, and leaves them as they are', async () => {
    const webhook = await aWebhook(shop, 'https://example.com/own')
    const path = `/webhooks/${webhook.id}.json`
    assert.equal((await page.get(path)).status, 200)
    assertMissing(await page.put(path, { webhook: { address: 'https://evil.example/' } }), 'create_users')
    assertMissing(await page.delete(path), 'create_users')
    const another = { app_id: shop.appId, topic: 'order/create', address: 'https://evil.example/' }
    assertMissing(await page.post('/webhooks.json', { webhook: another }), 'create_users')
    const app = await shop.asUser(member.id)
    assert.equal((await app.put(`/api${path}`, { webhook: { is_active: true } })).status, 200, 'the app has its own')
  })

  test('removes no app of the company', async () => {
    assertMissing(await page.delete(`/app_permissions/${shop.appId}.json`), 'create_users')
    assert.equal((await shop.get('/api/products.json')).status, 200)
  })
})

test('a stream of events ends with the permission of the user who let the app in', async () => {
  const shop = await service.openShop()
  const member = await aMember(service, shop)
  const app = await shop.asUser(member.id)
  const stream = await fetch(`${service.url}/api/events/stream`, { headers: { authorization: `Bearer ${app.token}` } })
  assert.equal(stream.status, 200)
  await shop.put(`/api/users/${member.id}.json`, { user: { permissions: { web_access: 0 } } })
  await aCustomer(shop)
  await service.runJobs()
  assert.doesNotMatch(await stream.text(), /customer\/create/)
})
