import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type AdminPage, adminPage, ownerPage } from '../admin.ts'
import { type Shop, useService } from '../harness.ts'
import { aMember, signedIn, turnOnSecondFactor } from '../people.ts'
import { auditOf } from '../terms.ts'
import { visit } from '../visitor.ts'
import { collectRoutes, type Route } from './collect-routes.ts'
import { fill, type Things } from './things.ts'

const WEB = ['web_access']

/** Every endpoint for signed-in users, and the permissions that it needs. Adding a line here is a promise to pages. */
const ENDPOINTS: Record<string, string[]> = {
  'GET /company.json': WEB,
  'PUT /company.json': ['web_access', 'create_users'],
  'GET /payment_settings.json': ['web_access', 'create_users'],
  'PUT /payment_settings.json': ['web_access', 'create_users'],
  'GET /invoice_settings.json': ['web_access', 'create_users'],
  'PUT /invoice_settings.json': ['web_access', 'create_users'],
  'GET /orders/:id/invoices.json': WEB,
  'GET /orders/:id/invoice.pdf': WEB,
  'GET /payments.json': WEB,
  'GET /payments/count.json': WEB,
  'GET /payments/:id.json': WEB,
  'POST /payments/:id/resolve.json': WEB,
  'POST /orders/:id/mark_paid.json': WEB,
  'GET /customers/:token.json': WEB,
  'PUT /customers/:token.json': WEB,
  ...resource('licenses', 'token'),
  ...resource('prices', 'token'),
  ...resource('discount_codes', 'id'),
  ...resource('shipping_methods', 'id'),
  ...resource('tax_rates', 'id'),
  ...resource('redemption_codes', 'id'),
  'GET /redemption_codes/:id/redemptions.json': WEB,
  'POST /redemption_codes/:id/gift.json': WEB,
  'POST /redemption_codes/:id/call_back.json': WEB,
  ...resource('files', 'id'),
  'GET /files/:id/download': WEB,
  'GET /entitlements/:id/files.json': WEB,
  'GET /entitlements/:id/key.json': WEB,
  'POST /entitlements/:id/key/rotate.json': WEB,
  'POST /products/:id/keys.json': WEB,
  'GET /products/:id/keys/count.json': WEB,
  'GET /webhooks.json': WEB,
  'GET /webhooks/:id.json': WEB,
  'PUT /webhooks/:id.json': WEB,
  'DELETE /webhooks/:id.json': WEB,
  'GET /webhooks/:id/deliveries.json': WEB,
  'GET /webhooks/:id/deliveries/count.json': WEB,
  'GET /webhooks/:id/deliveries/:delivery_id.json': WEB,
  'POST /webhooks/:id/deliveries/:delivery_id/replay.json': WEB,
  'POST /webhooks/:id/replay.json': WEB,
  'POST /webhooks/:id/test.json': WEB,
  'GET /customers/:token/content.json': WEB,
  'GET /customers/:token/devices.json': WEB,
  'GET /customers/:token/devices/:id.json': WEB,
  'DELETE /customers/:token/devices/:id.json': WEB,
  'GET /entitlements.json': WEB,
  'GET /entitlements/count.json': WEB,
  'GET /entitlements/:id.json': WEB,
  'GET /entitlements/:id/explain.json': WEB,
  'GET /entitlements/:id/uses.json': WEB,
  'POST /entitlements/:id/revoke.json': WEB,
  'POST /entitlements/:id/restore.json': WEB,
}

function resource(name: string, id: string): Record<string, string[]> {
  const paths = [`GET /${name}.json`, `GET /${name}/count.json`, `POST /${name}.json`]
  const single = ['GET', 'PUT', 'DELETE'].map((method) => `${method} /${name}/:${id}.json`)
  return Object.fromEntries([...paths, ...single].map((endpoint) => [endpoint, WEB]))
}

/** A change that every resource takes from its owner; each reads its own wrapper. */
const CHANGE = {
  license: { name: 'Changed' },
  price: { title: 'Changed', currencies: [{ currency: 'eur', price: 1 }] },
  discount_code: { code: 'Changed', type: 'percentage', amount: 1 },
  shipping_method: { title: 'Changed' },
  tax_rate: { country_code: 'FR', percent: 1 },
  gift: { email: 'jane@example.com' },
  file: { name: 'changed.bin' },
  keys: ['Changed'],
  customer: { state: 'disabled' },
  company: { shop_active: false },
  payment_settings: { manual: { enabled: true } },
  invoice_settings: { prefix: 'A-' },
  webhook: { address: 'https://example.com/changed' },
  replay: { from: '2000-01-01' },
  test: { topic: 'order/create' },
}

/** What a path names, by its resource. */
const IDS: Record<string, (things: Things) => number | string> = {
  customers: ({ customer }) => customer.token,
  orders: ({ payment }) => payment.order_id,
  payments: ({ payment }) => payment.id,
  licenses: ({ license }) => license.id,
  prices: ({ price }) => price.id,
  discount_codes: ({ discountCode }) => discountCode.id,
  shipping_methods: ({ shippingMethod }) => shippingMethod.id,
  tax_rates: ({ taxRate }) => taxRate.id,
  webhooks: ({ webhook }) => webhook.id,
  deliveries: ({ delivery }) => delivery.id,
  entitlements: ({ entitlement }) => entitlement.id,
  devices: ({ device }) => device.id,
  redemption_codes: ({ redemptionCode }) => redemptionCode.id,
  files: ({ file }) => file.id,
  products: ({ product }) => product.id,
}

const allRoutes = collectRoutes()
const service = useService()

const PREFIX = '/admin/api'
const forUsers = () => allRoutes().filter(({ url }) => url.startsWith(PREFIX))
const writes = () => forUsers().filter(({ method }) => method !== 'GET' && method !== 'HEAD')

/** Codes are made for a product that is there. */
function bodyFor(method: string, { product }: Things): object | undefined {
  const { product_id } = product
  const named = { redemption_code: { product_id }, file: { ...CHANGE.file, product_id } }
  return method === 'POST' || method === 'PUT' ? { ...CHANGE, ...named } : undefined
}

function pathOf({ url }: Route, things: Things): string {
  const path = url.slice(PREFIX.length)
  return path.replace(/(\w+)\/:\w+/g, (_, name: string) => {
    const id = IDS[name]?.(things) ?? assert.fail(`say in IDS what ${url} names`)
    return `${name}/${id}`
  })
}

let shop: Shop
let things: Things

async function assertAll(
  routes: Route[],
  page: AdminPage,
  expected: [number, string],
  headers?: Record<string, string>,
) {
  assert.ok(routes.length > 0)
  for (const route of routes) {
    const answer = await page.call(route.method, pathOf(route, things), bodyFor(route.method, things), headers)
    const name = `${route.method} ${route.url}: ${answer.text}`
    assert.equal(answer.status, expected[0], name)
    if (route.method !== 'HEAD') assert.equal(answer.body.reason, expected[1], name)
  }
}

describe('every endpoint for signed-in users', () => {
  before(async () => {
    shop = await service.openShop()
    things = await fill(service, shop)
  })

  test('is listed with the permissions that it needs', () => {
    const routes = forUsers().filter(({ method }) => method !== 'HEAD')
    const found = routes.map(({ method, url, permissions }) => [`${method} ${url.slice(PREFIX.length)}`, permissions])
    assert.deepEqual(Object.fromEntries(found), ENDPOINTS)
    const elsewhere = allRoutes().filter(({ url, permissions }) => permissions !== undefined && !url.startsWith(PREFIX))
    assert.deepEqual(elsewhere, [])
  })

  test('is closed without a session, also to an access token', async () => {
    const nobody = adminPage(service, visit(service.url))
    const expected: [number, string] = [401, 'session_required']
    await assertAll(forUsers(), nobody, expected)
    await assertAll(forUsers(), nobody, expected, { authorization: `Bearer ${shop.token}`, origin: service.url })
    await assertAll(forUsers(), nobody, expected, { cookie: `licet_session=${'x'.repeat(43)}` })
    const answer = await nobody.get(`/company.json?access_token=${shop.token}`)
    assert.equal(answer.status, 401)
    assert.match(answer.headers.get('www-authenticate') ?? '', /^Cookie /)
  })

  test('is closed to a user without web_access', async () => {
    const member = await aMember(service, shop)
    await shop.put(`/api/users/${member.id}.json`, { user: { permissions: { web_access: 0, create_users: 1 } } })
    await assertAll(forUsers(), adminPage(service, member.visitor), [403, 'permission_missing'])
  })

  test('that needs more than web_access is closed to a user who has nothing else', async () => {
    const member = await aMember(service, shop)
    const routes = forUsers().filter(({ permissions = [] }) => permissions.length > 1)
    await assertAll(routes, adminPage(service, member.visitor), [403, 'permission_missing'])
  })

  test('that changes something is closed to pages of other sites', async () => {
    const page = await ownerPage(service, shop)
    const { host } = new URL(service.url)
    const foreign: Record<string, string>[] = [
      {},
      { origin: 'null' },
      { origin: 'https://other.example' },
      { origin: `https://${host}` },
      { origin: `${service.url}.other.example` },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'https://other.example', 'sec-fetch-site': 'same-origin' },
    ]
    for (const headers of foreign) await assertAll(writes(), page, [403, 'foreign_origin'], headers)
  })

  test('that changes something takes the origin of the base URL, behind a proxy that ends TLS', async () => {
    const own = await service.openShop()
    const { cookies } = await signedIn(service, own)
    const cookie = `__Host-licet_session=${cookies.get('licet_session')}`
    const before = service.app.baseUrl
    service.app.baseUrl = 'https://shops.example.com'
    try {
      const nobody = adminPage(service, visit(service.url))
      const send = (origin: string) =>
        nobody.call('PUT', '/company.json', { company: { tax_options: 2 } }, { cookie, origin })
      assert.equal((await send('https://shops.example.com')).status, 200)
      assert.equal((await send('http://shops.example.com')).status, 403)
    } finally {
      service.app.baseUrl = before
    }
  })

  test('takes JSON and nothing else', async () => {
    const page = await ownerPage(service, shop)
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']) {
      const headers = { origin: service.url, 'content-type': type }
      const answer = await page.call('PUT', '/company.json', '{"company":{"shop_active":false}}', headers)
      assert.equal(answer.status, 415, type)
    }
  })

  test('answers 404 for a stranger, and changes nothing', async () => {
    const stranger = await ownerPage(service, await service.openShop())
    const owner = await ownerPage(service, shop)
    const routes = forUsers().filter(({ url }) => url.includes(':'))
    assert.ok(routes.length > 0)
    for (const route of routes) {
      const path = pathOf(route, things)
      // What is only asked to happen is read where it happens.
      const shown = path
        .replace(/\/(replay|test|revoke|restore|rotate|gift|call_back|resolve)\.json$/, '.json')
        .replace(/^\/orders\/\d+\/mark_paid\.json$/, '/payments.json')
        .replace(/\/keys\.json$/, '/keys/count.json')
      const kept = await owner.get(shown)
      assert.equal(kept.status, 200, shown)
      const answer = await stranger.call(route.method, path, bodyFor(route.method, things))
      assert.equal(answer.status, 404, `${route.method} ${path}`)
      assert.equal((await owner.get(shown)).text, kept.text)
    }
  })

  test('serves its owner, and puts every change on record', async () => {
    const actions: string[] = []
    for (const method of ['GET', 'POST', 'PUT', 'DELETE']) actions.push(...(await serveOwner(method)))
    const things = ['discount code', 'shipping method', 'tax rate', 'license', 'price', 'content file']
    const expected = things.flatMap((thing) => ['created', 'changed', 'deleted'].map((done) => `${thing} ${done}`))
    const others = ['company changed', 'customer disabled', 'webhook changed', 'webhook deleted', 'test event sent']
    const replays = ['deliveries replayed', 'deliveries replayed']
    const owned = ['content revoked', 'content restored', 'device removed', 'software key replaced']
    const paid = ['payment settings changed', 'invoice settings changed', 'payment checked', 'order marked as paid']
    const codes = ['codes created', 'code changed', 'code revoked', 'code given', 'gift called back']
    const redemption = codes.map((done) => `redemption ${done}`)
    assert.deepEqual(
      actions.sort(),
      [...expected, ...others, ...replays, ...owned, ...paid, 'software keys imported', ...redemption].sort(),
    )
  })

  /** A shop for each method, because what one creates is in the way of the next. */
  async function serveOwner(method: string): Promise<string[]> {
    const actions: string[] = []
    const own = await service.openShop()
    const page = await ownerPage(service, own)
    const ownThings = await fill(service, own)
    const routes = forUsers().filter((route) => route.method === method)
    assert.ok(routes.length > 0)
    for (const route of routes) {
      const { url } = route
      const path = pathOf(route, ownThings)
      const before = await auditOf(service, own)
      const answer = await page.call(method, path, bodyFor(method, ownThings), { 'sec-fetch-site': 'same-origin' })
      assert.equal(
        answer.status,
        method === 'POST' && !/webhooks|entitlements|call_back|payments|orders/.test(url) ? 201 : 200,
        `${method} ${url}: ${answer.text}`,
      )
      assert.match(answer.headers.get('cache-control') ?? '', /^private, no-(cache|store)$/)
      assert.equal(answer.headers.get('access-control-allow-origin'), null)
      const added = (await auditOf(service, own)).slice(before.length)
      const by = added.map(({ user_id, app_id }) => ({ user_id, app_id }))
      assert.deepEqual(by, method === 'GET' ? [] : [{ user_id: own.userId, app_id: null }], `${method} ${url}`)
      for (const { action } of added) actions.push(action)
    }
    return actions
  }
})

describe('a session', () => {
  test('ends at once: signed out, or the user disabled', async () => {
    const own = await service.openShop()
    const owner = await signedIn(service, own)
    const page = adminPage(service, owner)
    assert.equal((await page.get('/company.json')).status, 200)
    await owner.get('/account')
    const stolen = new Map(owner.cookies)
    await owner.submit('/sign-out')
    const thief = adminPage(service, { ...owner, cookies: stolen })
    assert.equal((await thief.get('/company.json')).status, 401)
    const member = await aMember(service, own)
    const theirs = adminPage(service, member.visitor)
    assert.equal((await theirs.get('/company.json')).status, 200)
    await own.put(`/api/users/${member.id}.json`, { user: { state: 'disabled' } })
    assert.equal((await theirs.get('/company.json')).status, 401)
  })

  test('that waits for its second factor opens nothing', async () => {
    const own = await service.openShop()
    await turnOnSecondFactor(service, await signedIn(service, own))
    const half = await ownerPage(service, own)
    assert.deepEqual((await half.get('/company.json')).body.reason, 'session_required')
  })

  test('loses a permission at once', async () => {
    const own = await service.openShop()
    const member = await aMember(service, own)
    const page = adminPage(service, member.visitor)
    assert.equal((await page.get('/prices.json')).status, 200)
    await own.put(`/api/users/${member.id}.json`, { user: { permissions: { web_access: 0 } } })
    assert.equal((await page.get('/prices.json')).status, 403)
  })

  test('has an idempotency of its own, and a rate limit', async () => {
    const own = await service.openShop()
    const page = await ownerPage(service, own)
    const headers = { origin: service.url, 'idempotency-key': 'twice' }
    const body = { tax_rate: { country_code: 'FR', percent: 1 } }
    const [first, second] = [
      await page.call('POST', '/tax_rates.json', body, headers),
      await page.call('POST', '/tax_rates.json', body, headers),
    ]
    assert.deepEqual([first.status, second.text], [201, first.text])
    assert.equal(second.headers.get('idempotent-replayed'), 'true')
    assert.ok(first.headers.has('ratelimit-remaining'))
  })
})
