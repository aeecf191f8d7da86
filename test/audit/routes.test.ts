import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { ALL_SCOPES, type Scope } from '#oauth/scopes.ts'
import { statementCount } from '#platform/db/database.ts'
import { type Shop, useService } from '../harness.ts'
import { collectRoutes, ENDLESS, type Route } from './collect-routes.ts'
import { fill, holderOf, type Things } from './things.ts'

/** Routes anyone may call. Adding a line here is a security decision: say why in the commit. */
const PUBLIC = [
  'GET /',
  'GET /*',
  'GET /.well-known/jwks.json',
  'GET /.well-known/oauth-authorization-server',
  'GET /assets/pages-*.css',
  'GET /customer/:token',
  'GET /docs',
  'GET /docs/',
  'GET /docs/*',
  'GET /files/:company/:id/:name',
  'GET /first-run/:token',
  'GET /health',
  'GET /invitation/:token',
  'GET /metrics',
  'GET /newsletter/confirm/:token',
  'GET /newsletter/unsubscribe/:token',
  'GET /oauth2/auth',
  'GET /oauth2/player',
  'GET /oauth2/player/:token',
  'GET /openapi.json',
  'GET /pictures/:company/:id/:file',
  'GET /ready',
  'GET /reset',
  'GET /reset/:token',
  'GET /sign-in',
  'GET /sign-in/second-factor',
  'GET /sign-out',
  'POST /customer/:token',
  'POST /first-run/:token',
  'POST /invitation/:token',
  'POST /newsletter/confirm/:token',
  'POST /newsletter/unsubscribe/:token',
  'POST /oauth2/player',
  'POST /oauth2/player/:token',
  'POST /oauth2/revoke',
  'POST /reset',
  'POST /reset/:token',
  'POST /sign-in',
  'POST /sign-in/second-factor',
  'POST /token',
]

/** Pages for whoever has signed in. */
const WITH_SESSION = [
  'GET /account',
  'GET /account/activity',
  'GET /account/apps',
  'GET /account/second-factor',
  'POST /account',
  'POST /account/apps',
  'POST /account/second-factor',
  'POST /oauth2/auth',
  'POST /sign-out',
]

/** The scope that the interface asks for, by resource. */
const SCOPES: Record<string, Scope[]> = {
  '/api/orders': ['orders'],
  '/api/customers': ['customers'],
  '/api/entitlements': ['customers', 'player'],
  '/api/subscribers': ['customers'],
  '/api/groupmembers': ['customers'],
  '/api/newsrecipients': ['customers'],
  '/api/products': ['products'],
  '/api/categories': ['products'],
  '/api/files': ['files'],
  '/api/themesettings': ['themes'],
  '/api/licenses': ['products'],
  '/api/prices': ['products'],
  '/api/discount_codes': ['products'],
  '/api/redemption_codes': ['customers'],
  '/api/shipping_methods': ['products'],
  '/api/tax_rates': ['products'],
  '/api/currency_rates': ['products'],
  '/api/fulfillments': ['orders'],
  '/api/marketplace': ['products'],
  '/api/ledger_entries': ['orders'],
  '/api/companies': ['companies'],
  '/api/users': ['users', 'companies'],
  '/api/audit_entries': ['companies'],
  '/api/webhooks': ['webhooks'],
  '/api/events': ['webhooks'],
  '/admin/webhooks': ['webhooks'],
  '/api/tokeninfo': ALL_SCOPES,
}

/** What a customer owns is also there for the customer, and only the company takes it back. */
const OTHER_SCOPES: Record<string, Scope[]> = {
  '/api/customers/:token/content.json': ['customers', 'player'],
  '/api/customers/:token/devices.json': ['customers', 'player'],
  '/api/customers/:token/redeem.json': ['customers', 'player'],
  '/api/customers/:token/devices/:id.json': ['customers', 'player'],
  '/api/entitlements/:id/revoke.json': ['customers'],
  '/api/entitlements/:id/restore.json': ['customers'],
}

/** What a shop has one of, by the path that leads to it: the paths that a stranger tries. A path may need two names. */
const OWN: Record<string, (things: Things) => (number | string | (number | string)[])[]> = {
  '/api/orders/:id.json': ({ order }) => [order.id],
  '/api/orders/:id/refunds.json': ({ order }) => [order.id],
  '/api/customers/:token.json': ({ customer }) => [customer.token, customer.token.toLowerCase(), customer.id],
  '/api/customers/:token/addresses.json': ({ customer }) => [customer.token, customer.id],
  '/api/customers/:token/addresses/:id.json': ({ customer }) => [
    [customer.token, customer.addresses[0]!.id],
    [customer.id, customer.addresses[1]!.id],
  ],
  '/api/customers/:token/addresses/:id/default.json': ({ customer }) => [[customer.token, customer.addresses[1]!.id]],
  '/api/customers/:token/content.json': ({ customer }) => [customer.token, customer.id],
  '/api/customers/:token/devices.json': ({ customer }) => [customer.token, customer.id],
  '/api/customers/:token/devices/:id.json': ({ customer, device }) => [[customer.token, device.id]],
  ...Object.fromEntries(
    [
      '',
      '/check',
      '/use',
      '/heartbeat',
      '/release',
      '/explain',
      '/uses',
      '/revoke',
      '/restore',
      '/files',
      '/download',
      '/file',
    ].map((action) => [`/api/entitlements/:id${action}.json`, ({ entitlement }: Things) => [entitlement.id]]),
  ),
  '/api/subscribers/:id.json': ({ subscriber }) => [subscriber.id],
  '/api/groupmembers/:id.json': ({ groupMember }) => [groupMember.id],
  '/api/newsrecipients/:id.json': ({ newsRecipient }) => [newsRecipient.id],
  '/api/products/:id.json': ({ product }) => [product.id, product.product_id],
  '/api/categories/:id.json': ({ category }) => [category.id],
  '/api/files/:id.json': ({ file }) => [file.id],
  '/api/files/:id/download': ({ file }) => [file.id],
  '/api/themesettings/:id.json': ({ themeSetting }) => [themeSetting.id],
  '/api/licenses/:token.json': ({ license }) => [license.id],
  '/api/prices/:token.json': ({ price }) => [price.id],
  '/api/discount_codes/:id.json': ({ discountCode }) => [discountCode.id],
  '/api/shipping_methods/:id.json': ({ shippingMethod }) => [shippingMethod.id],
  '/api/redemption_codes/:id.json': ({ redemptionCode }) => [redemptionCode.id],
  '/api/redemption_codes/:id/redemptions.json': ({ redemptionCode }) => [redemptionCode.id],
  '/api/redemption_codes/:id/gift.json': ({ redemptionCode }) => [redemptionCode.id],
  '/api/redemption_codes/:id/call_back.json': ({ redemptionCode }) => [redemptionCode.id],
  '/api/customers/:token/redeem.json': ({ customer }) => [customer.token, customer.id],
  '/api/tax_rates/:id.json': ({ taxRate }) => [taxRate.id],
  '/api/fulfillments/:token.json': ({ order }) => [order.id],
  '/api/marketplace/:market_id.json': ({ marketId }) => [marketId],
  '/api/marketplace/:market_id/add.json': ({ marketId }) => [marketId],
  '/api/marketplace/:market_id/activate.json': ({ marketId }) => [marketId],
  '/api/companies/:token.json': ({ company }) => [company.id],
  '/api/users/:token.json': ({ user }) => [user.token, user.token.toLowerCase(), user.id],
  '/admin/webhooks/:id.json': ({ webhook }) => [webhook.id],
  '/api/webhooks/:id.json': ({ webhook }) => [webhook.id],
  '/api/webhooks/:id/replay.json': ({ webhook }) => [webhook.id],
  '/api/webhooks/:id/test.json': ({ webhook }) => [webhook.id],
  '/api/webhooks/:id/deliveries.json': ({ webhook }) => [webhook.id],
  '/api/webhooks/:id/deliveries/count.json': ({ webhook }) => [webhook.id],
  '/api/webhooks/:id/deliveries/:delivery_id.json': ({ webhook, delivery }) => [[webhook.id, delivery.id]],
  '/api/webhooks/:id/deliveries/:delivery_id/replay.json': ({ webhook, delivery }) => [[webhook.id, delivery.id]],
}

/** What a search has to be told to find what the shop has. */
const ASKED: Record<string, (things: Things) => string> = {
  '/api/customers/search.json': ({ customer }) => `?query=email:${customer.email}`,
  '/api/users/search.json': ({ user }) => `?query=email:${user.email}`,
}

/** A change that every resource would take from its owner; each reads its own wrapper. */
const CHANGE = {
  order: { order_number: 'Stolen', line_items: [{ product_id: 'Stolen' }] },
  refund: { note: 'Stolen' },
  customer: { first_name: 'Stolen' },
  address: { city: 'Stolen' },
  subscriber: { email: 'stolen@example.com', group_id: 's999' },
  groupmember: { email: 'stolen@example.com', group_id: 'c999' },
  newsrecipient: { email: 'stolen@example.com', state: 'unsubscribed' },
  product: { title: 'Stolen' },
  file: { name: 'stolen.bin', product_id: 'Stolen' },
  download: {},
  category: { title: 'Stolen' },
  ThemeSetting: { html_tag: 'Stolen' },
  discount_code: { code: 'Stolen', type: 'percentage', amount: 1 },
  shipping_method: { title: 'Stolen' },
  tax_rate: { country_code: 'FR', percent: 1 },
  redemption_code: { product_id: 'Stolen', note: 'Stolen' },
  gift: { email: 'stolen@example.com' },
  redeem: { code: 'STOLENSTOLENSTOL' },
  fulfillment: { tracking_number: 'Stolen' },
  company: { company_name: 'Stolen' },
  user: { first_name: 'Stolen' },
  webhook: { topic: 'order/create', address: 'https://example.com/stolen' },
  replay: { state: 'failed' },
  check: { action: 'play' },
  use: { action: 'play', device: 'stolen' },
  heartbeat: { device: 'stolen' },
  release: { device: 'own' },
  device: { device_id: 'stolen', name: 'Stolen' },
  test: { topic: 'order/create' },
}

/** For partners only: what others get, and what partners do, is in the tests of companies. */
const PARTNERS_ONLY = ['/api/companies/search.json']

/** Lists and counts that show the company that asks, or the user who opened it. */
const OF_ONESELF = ['/api/companies.json', '/api/companies/count.json', '/api/users.json', '/api/users/count.json']

/** The same for every company. */
const OF_ALL = ['/api/currency_rates.json', '/api/marketplace.json']

/** Below an entry of the marketplace, which is there for strangers: what they get and change is in its tests. */
const FOR_STRANGERS = [
  '/api/marketplace/:market_id.json',
  '/api/marketplace/:market_id/add.json',
  '/api/marketplace/:market_id/activate.json',
]

/**
 * Others see less of a product than its stored document, so a page of an offer is presented from the tables of products: the
 * offer, the ids of the page, and seven tables, however many products there are.
 */
const STATEMENTS = new Map([
  ['/api/marketplace/:market_id.json', 9],
  // The webhook says whose deliveries they are, and when they are sent again.
  // The customer or the entitlement says whose they are.
  ['/api/customers/:token/content.json', 2],
  ['/api/customers/:token/devices.json', 2],
  ['/api/customers/:token/devices/:id.json', 2],
  ['/api/entitlements/:id/uses.json', 2],
  ['/api/redemption_codes/:id/redemptions.json', 2],
  ['/api/entitlements/:id/files.json', 2],
  ['/api/webhooks/:id/deliveries.json', 2],
  ['/api/webhooks/:id/deliveries/count.json', 2],
  ['/api/webhooks/:id/deliveries/:delivery_id.json', 2],
])

/** Issues something each time, so it is no read. */
const ISSUES = ['/api/entitlements/:id/file.json']

/** Shows what is general beside what is the company's own. */
const ALSO_GENERAL = ['/api/licenses.json']

const allRoutes = collectRoutes()
const service = useService()
/** About the token that asks and nothing else. */
const ABOUT_THE_TOKEN = '/api/tokeninfo'

/** The address of the stylesheet changes with what is in it. */
const nameOf = ({ method, url }: Route) => `${method} ${url.replace(/pages-\w+/, 'pages-*')}`
const scoped = () => allRoutes().filter(({ scopes }) => scopes.length > 0)
const bodyFor = (method: string) => (method === 'POST' || method === 'PUT' ? CHANGE : undefined)
const anyPath = (url: string) => url.replace(/:\w+/g, '1')

/** What stands in the wrapper of a list or a count. */
async function contentOf(shop: Shop, url: string): Promise<{ id: number }[] | number> {
  return Object.values((await shop.get(url)).body)[0] as { id: number }[] | number
}

/** The paths of a route, one for each way to name what the shop has. */
function pathsTo(url: string, things: Things): string[] {
  if (!url.includes(':')) return [`${url}${ASKED[url]?.(things) ?? ''}`]
  const ids = OWN[url]?.(things)
  assert.ok(ids, `${url} has a parameter: say in OWN what a stranger could put there`)
  return ids.map((refs) => [refs].flat().reduce<string>((path, ref) => path.replace(/:\w+/, String(ref)), url))
}

describe('every route', () => {
  test('names the scope it needs or is listed as public', () => {
    const routes = allRoutes().filter(({ method }) => method !== 'HEAD')
    const open = routes.filter(
      ({ scopes, asksForSession, permissions }) => scopes.length === 0 && !asksForSession && permissions === undefined,
    )
    assert.deepEqual(open.map(nameOf).sort(), PUBLIC)
    assert.ok(open.every(({ isPublic }) => isPublic))
    const withSession = routes.filter(({ asksForSession }) => asksForSession)
    assert.deepEqual(withSession.map(nameOf).sort(), WITH_SESSION)
    assert.deepEqual(
      routes
        .filter(
          ({ scopes, isPublic, asksForSession, permissions }) =>
            [scopes.length > 0, isPublic, asksForSession, permissions !== undefined].filter(Boolean).length !== 1,
        )
        .map(nameOf),
      [],
      'a route is public, has a scope, asks for a session or for permissions: one of them',
    )
    assert.ok(routes.length > PUBLIC.length)
  })

  test('asks for the scope that the interface names', () => {
    for (const { method, url, scopes } of scoped()) {
      const [resource = ''] = /^\/\w+\/\w+/.exec(url) ?? []
      assert.deepEqual(scopes, OTHER_SCOPES[url] ?? SCOPES[resource], `${method} ${url}`)
    }
  })

  test('sends whoever has not signed in to the sign-in, from the pages that ask for it', async () => {
    const pages = allRoutes().filter(({ asksForSession }) => asksForSession)
    assert.ok(pages.length > 0)
    for (const { method, url } of pages) {
      const headers = { cookie: `licet_session=${'x'.repeat(43)}`, 'content-type': 'application/x-www-form-urlencoded' }
      const answer = await service.call(method, url, { headers, body: method === 'POST' ? 'change=x' : undefined })
      assert.equal(answer.status, 303, `${method} ${url}`)
      assert.equal(answer.headers.get('location'), `/sign-in?return_to=${encodeURIComponent(url)}`)
    }
  })

  // HEAD is made by the framework out of GET, and must not be the way around its scope.
  test('answers HEAD under the scope of its GET', () => {
    const routes = allRoutes()
    for (const head of routes.filter(({ method }) => method === 'HEAD')) {
      const get = routes.find(({ method, url }) => method === 'GET' && url === head.url)
      assert.deepEqual(head.scopes, get?.scopes, nameOf(head))
    }
  })
})

describe('every route with a scope', () => {
  test('is closed without a token', async () => {
    for (const { method, url } of scoped()) {
      const answer = await service.call(method, anyPath(url), { body: bodyFor(method) })
      assert.equal(answer.status, 401, `${method} ${url}`)
      assert.equal(answer.headers.get('www-authenticate'), 'Bearer realm="licet"')
      if (method !== 'HEAD') assert.equal(answer.body.error, 'access_token required')
    }
  })

  test('is closed to a token that is none', async () => {
    for (const { method, url } of scoped()) {
      const answer = await service.call(method, anyPath(url), { token: 'x'.repeat(43), body: bodyFor(method) })
      assert.equal(answer.status, 401, `${method} ${url}`)
      if (method !== 'HEAD') assert.equal(answer.body.error, 'invalid access_token')
    }
  })

  test('is closed to a token that has every scope but its own', async () => {
    const shop = await service.openShop()
    const things = await fill(service, shop)
    const others = new Map<string, Shop>()
    for (const { method, url, scopes } of scoped()) {
      const key = scopes.join()
      const stranger =
        others.get(key) ?? (await shop.withScopes(...ALL_SCOPES.filter((name) => !scopes.includes(name))))
      others.set(key, stranger)
      for (const path of pathsTo(url, things)) {
        const answer = await service.call(method, path, { token: stranger.token, body: bodyFor(method) })
        assert.equal(answer.status, 403, `${method} ${path}`)
        assert.match(answer.headers.get('www-authenticate') ?? '', /error="insufficient_scope"/)
        if (method !== 'HEAD') assert.equal(answer.body.code, 'insufficient_scope')
      }
    }
  })

  test('opens to a token that has its scope alone', async () => {
    const shop = await service.openShop()
    let things = await fill(service, shop)
    for (const { method, url, scopes } of scoped().filter(({ url }) => ![...PARTNERS_ONLY, ...ENDLESS].includes(url))) {
      for (const scope of scopes) {
        const { token } = await holderOf(shop, scope as Scope, things)
        const answer = await service.call(method, pathsTo(url, things)[0] ?? '', { token, body: bodyFor(method) })
        assert.ok(![401, 403, 404, 500].includes(answer.status), `${method} ${url}: ${answer.status} ${answer.text}`)
        // What is gone would be missed by the routes that come after.
        if (method === 'DELETE') things = await fill(service, shop)
      }
    }
  })
})

describe('another company', () => {
  let owner: Shop
  let stranger: Shop
  let things: Things

  before(async () => {
    owner = await service.openShop()
    stranger = await service.openShop()
    things = await fill(service, owner)
  })

  // A 403 here would tell a stranger that the thing exists.
  test('gets the 404 of a thing that never was, and changes nothing', async () => {
    const routes = scoped().filter(({ url }) => url.includes(':') && !FOR_STRANGERS.includes(url))
    assert.ok(routes.length > 0)
    for (const { method, url } of routes) {
      for (const path of pathsTo(url, things)) {
        // What is only put somewhere is read where it was put.
        const read = () =>
          service.call(
            'GET',
            path.replace(
              /\/(default|file|refunds|replay|test|check|use|heartbeat|release|revoke|restore|gift|call_back|redeem|download)\.json$/,
              '.json',
            ),
            { token: owner.token },
          )
        const before = await read()
        assert.equal(before.status, 200, path)
        const answer = await service.call(method, path, { token: stranger.token, body: bodyFor(method) })
        assert.equal(answer.status, 404, `${method} ${path}`)
        if (method !== 'HEAD') assert.equal(answer.body.code, 'not_found')
        assert.equal((await read()).text, before.text, `${method} ${path} changed what is not its own`)
      }
    }
  })

  test('sees nothing of it in a list or a count', async () => {
    const elsewhere = [...PARTNERS_ONLY, ...OF_ONESELF, ...OF_ALL, ...ENDLESS, ABOUT_THE_TOKEN]
    const nobody = await service.openShop()
    const routes = scoped().filter(({ method, url }) => method === 'GET' && !url.includes(':'))
    assert.ok(routes.length > elsewhere.length)
    for (const { url } of routes.filter(({ url }) => !elsewhere.includes(url))) {
      const [path = ''] = pathsTo(url, things)
      const [own, theirs] = [await contentOf(owner, path), await contentOf(stranger, path)]
      assert.notDeepEqual(own, theirs, url)
      if (Array.isArray(own) && Array.isArray(theirs)) {
        const general = ALSO_GENERAL.includes(url) ? ((await contentOf(nobody, path)) as { id: number }[]) : []
        const ids = new Set(own.map(({ id }) => id)).difference(new Set(general.map(({ id }) => id)))
        assert.ok(ids.size > 0 && !theirs.some(({ id }) => ids.has(id)), `${url}: ${JSON.stringify(theirs)}`)
      } else {
        // A count is of what its list shows: a company may have things from the start.
        const list = await contentOf(stranger, url.replace('/count.json', '.json'))
        assert.equal(theirs, (list as unknown[]).length, url)
      }
    }
  })
})

describe('every read', () => {
  // The tries before the last warm up the token and the connection; a read that costs more never reaches the number.
  async function statementsOf(shop: Shop, path: string): Promise<number> {
    const counts: number[] = []
    for (let tries = 0; tries < 4; tries += 1) {
      const start = statementCount()
      const answer = await shop.get(path)
      assert.equal(answer.status, 200, path)
      counts.push(statementCount() - start)
    }
    return Math.min(...counts)
  }

  test('sends one statement, or as many as are listed, however it is asked', async () => {
    const shop = await service.openShop()
    const things = await fill(service, shop)
    await fill(service, shop)
    const elsewhere = [...PARTNERS_ONLY, ...ENDLESS, ...ISSUES, ABOUT_THE_TOKEN]
    const routes = scoped().filter(({ method, url }) => method === 'GET' && !elsewhere.includes(url))
    assert.ok(routes.length > 0)
    assert.equal(await statementsOf(shop, ABOUT_THE_TOKEN), 0)
    for (const { url } of routes) {
      for (const path of pathsTo(url, things)) {
        const statements = STATEMENTS.get(url) ?? 1
        assert.equal(await statementsOf(shop, path), statements, path)
        const more = path.includes('?') ? `${path}&` : `${path}?`
        assert.equal(await statementsOf(shop, `${more}fields=id&since_id=1`), statements, `${path} with fields`)
        assert.equal(await statementsOf(shop, `${more}limit=1`), statements, `${path} with a limit`)
      }
    }
  })
})
