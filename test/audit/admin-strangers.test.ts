import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type AdminPage, adminPage, ownerPage } from '../admin.ts'
import { type Shop, useService } from '../harness.ts'
import { enterShop } from '../owned-content.ts'
import { visit } from '../visitor.ts'
import { OWN_CHANGE } from './changes.ts'
import { collectRoutes, type Route } from './collect-routes.ts'
import { pathsTo } from './paths.ts'
import { fill, type Things } from './things.ts'

const allRoutes = collectRoutes()
const service = useService()
const PREFIX = '/admin/api'
const forUsers = () => allRoutes().filter(({ url }) => url.startsWith(PREFIX))
const bodyFor = (method: string) => (method === 'POST' || method === 'PUT' ? OWN_CHANGE : undefined)
const pathOf = ({ url }: Route, things: Things) => (pathsTo(url, things)[0] ?? '').slice(PREFIX.length)

let shop: Shop
let things: Things

/** Calls every endpoint, and expects the same refusal from each. */
async function assertClosed(page: AdminPage, headers: Record<string, string>): Promise<void> {
  const routes = forUsers()
  assert.ok(routes.length > 200, `saw ${routes.length} routes`)
  for (const route of routes) {
    const answer = await page.call(route.method, pathOf(route, things), bodyFor(route.method), headers)
    const name = `${route.method} ${route.url}: ${answer.text}`
    assert.equal(answer.status, 401, name)
    if (route.method !== 'HEAD') assert.equal(answer.body.reason, 'session_required', name)
    assert.equal(answer.headers.get('access-control-allow-origin'), null, name)
  }
}

describe('every endpoint for signed-in users', () => {
  before(async () => {
    shop = await service.openShop()
    things = await fill(service, shop)
  })

  test('is closed to a customer who has signed in to the shop, whatever the cookie is called', async () => {
    const base = `/shop/${things.themeSetting.id}`
    const customer = await enterShop(service, shop, base, things.customer)
    const token = customer.cookies.get('licet_customer') ?? ''
    assert.match(token, /^[\w-]{40,}$/)
    // The customer is in the shop, so that the cookie is a good one.
    assert.equal((await customer.get(`${base}/account`)).status, 200)
    await assertClosed(adminPage(service, customer), { origin: service.url, cookie: `licet_customer=${token}` })
    const renamed = `licet_session=${token}; __Host-licet_session=${token}`
    await assertClosed(adminPage(service, visit(service.url)), { origin: service.url, cookie: renamed })
  })

  test('is closed to a page of another site that has no session, also for reads', async () => {
    await assertClosed(adminPage(service, visit(service.url)), { origin: 'https://other.example' })
  })

  test('shows nothing of another company, whose ids are in the query', async () => {
    const stranger = await ownerPage(service, await service.openShop())
    const ids: Record<string, string> = {
      customer_token: things.customer.token,
      customer_id: String(things.customer.id),
      product_id: things.product.product_id,
      product_key: String(things.product.id),
      category_id: String(things.category.id),
      order_id: String(things.order.id),
      entitlement_id: String(things.entitlement.id),
      license_id: String(things.license.id),
      price_id: String(things.price.id),
      discount_code_id: String(things.discountCode.id),
      webhook_id: String(things.webhook.id),
      app_id: String(things.app.id),
      user_id: String(things.user.id),
      company_id: String(shop.companyId),
      theme_setting_id: String(things.themeSetting.id),
      ids: [things.order.id, things.product.id, things.customer.id].join(),
    }
    const query = new URLSearchParams(ids)
    const secrets = [things.customer.token, things.customer.email, things.user.email, things.product.product_id]
    const reads = forUsers().filter(({ method, url }) => method === 'GET' && !url.includes(':'))
    assert.ok(reads.length > 50)
    let answered = 0
    for (const { url } of reads) {
      const answer = await stranger.get(`${url.slice(PREFIX.length)}?${query}`)
      assert.ok(answer.status < 500, `${url}: ${answer.text}`)
      if (answer.status === 200) answered += 1
      // What was asked for may be repeated in a refusal; an answer must not have it.
      if (answer.status === 200)
        for (const secret of secrets) assert.ok(!answer.text.includes(secret), `${url} shows ${secret}`)
    }
    assert.ok(answered > 30, `only ${answered} answered`)
  })
})
