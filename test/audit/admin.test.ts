import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { isForCustomer } from '#apps/oauth/scopes.facts.ts'
import { Permissions } from '#identity/users/schema.ts'
import { keysOf } from '#platform/wire/typed-entries.ts'
import { type AdminPage, adminPage, ownerPage } from '../admin.ts'
import { type Shop, useService } from '../harness.ts'
import { aMember, signedIn, signOut, turnOnSecondFactor } from '../people.ts'
import { auditOf } from '../terms.ts'
import { visit } from '../visitor.ts'
import { bodyFor } from './changes.ts'
import { collectRoutes, type Route } from './collect-routes.ts'
import { pathsTo } from './paths.ts'
import { APPS_ONLY, ENDS_ACCESS, FOR_STRANGERS, OWN_SIGN_IN, PARTNERS_ONLY, USERS_ONLY } from './route-tables.ts'
import { fill, type Things } from './things.ts'

const allRoutes = collectRoutes()
const service = useService()

const PREFIX = '/admin/api'
const forUsers = () => allRoutes().filter(({ url }) => url.startsWith(PREFIX))
const writes = () => forUsers().filter(({ method }) => method !== 'GET' && method !== 'HEAD')

const pathOf = ({ url }: Route, things: Things) => (pathsTo(url, things)[0] ?? '').slice(PREFIX.length)
const nameOf = ({ method, url }: Route) => `${method} ${url.replace(/^(\/admin)?\/api/, '')}`
const isRead = ({ method }: Route) => method === 'GET'
const isForPartners = (url: string) => PARTNERS_ONLY.includes(url.replace(PREFIX, '/api'))
const FLAGS = keysOf(Permissions.properties)

/** Changes of what a company sells are many, and are not in the audit log. */
const RECORDED =
  /^\/(company|users|apps|licenses|prices|price_changes\.|discount_codes|shipping_methods|groups|plans|subscriptions|subscription_settings|tax_rates|files|webhooks|entitlements(?!\/:id\/extensions)|redemption_codes|payments|payment_settings|invoice_settings|mail_kinds\/:kind\/:language\.|mails|customers\/:token\/(state|devices|login_link|send_sign_in_link|export)|products\/:id\/keys|orders\/:id\/(mark_paid|send_confirmation|refunds\.|notes\/))/
const CANCELLATION = 'DELETE /orders/:id.json'
/** The one read that is on record: it takes everything away. */
const EXPORT = 'GET /company/export.json'
const isRecorded = (route: Route) =>
  nameOf(route) === EXPORT ||
  (!isRead(route) && (RECORDED.test(route.url.slice(PREFIX.length)) || nameOf(route) === CANCELLATION))

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

  test('is one that apps have too, with the same permissions, or is listed', () => {
    const isTold = ({ method }: Route) => method !== 'HEAD'
    const named = (routes: Route[]) => new Map(routes.filter(isTold).map((route) => [nameOf(route), route.permissions]))
    const apps = named(allRoutes().filter(({ url, scopes }) => url.startsWith('/api/') && scopes.length > 0))
    const users = named(forUsers())
    assert.deepEqual([...apps.keys()].filter((name) => !users.has(name)).sort(), APPS_ONLY)
    assert.deepEqual([...users.keys()].filter((name) => !apps.has(name)).sort(), USERS_ONLY)
    for (const [name, permissions] of users) if (apps.has(name)) assert.deepEqual(apps.get(name), permissions, name)
  })

  test('needs web_access, but for the own sign-in, and each of the other permissions is needed by one', () => {
    const isOwn = (route: Route) => OWN_SIGN_IN.includes(nameOf(route).replace(/^HEAD/, 'GET'))
    const open = forUsers().filter(({ permissions = [] }) => permissions.length === 0)
    assert.deepEqual(open, forUsers().filter(isOwn))
    const needed = forUsers()
      .filter((route) => !isOwn(route))
      .map(({ permissions = [] }) => permissions)
    assert.ok(needed.every(([first]) => first === 'web_access'))
    assert.deepEqual(new Set(needed.flat()), new Set(FLAGS))
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

  for (const flag of FLAGS)
    test(`is closed to a user without ${flag} if it needs that, and so is its twin to an app of the user`, async () => {
      const member = await aMember(service, shop)
      const permissions = Object.fromEntries(FLAGS.map((name) => [name, name === flag ? 0 : 1]))
      assert.equal((await shop.put(`/api/users/${member.id}.json`, { user: { permissions } })).status, 200)
      const needing = (route: Route) => route.permissions?.includes(flag) === true
      await assertAll(forUsers().filter(needing), adminPage(service, member.visitor), [403, 'permission_missing'])
      const app = await shop.asUser(member.id)
      const twins = allRoutes().filter(({ url, scopes }) => !url.startsWith(PREFIX) && !scopes.every(isForCustomer))
      assert.ok(twins.some(needing))
      for (const { method, url } of twins.filter(needing)) {
        const [path = ''] = pathsTo(url, things)
        const answer = await service.call(method, path, { token: app.token, body: bodyFor(method, things) })
        assert.equal(answer.status, 403, `${method} ${path}: ${answer.text}`)
        if (method !== 'HEAD') assert.equal(answer.body.reason, 'permission_missing')
      }
    })

  test('serves a user who has its permissions and no others', async () => {
    const member = await aMember(service, shop)
    const page = adminPage(service, member.visitor)
    const sets = new Map(forUsers().map(({ permissions = [] }) => [permissions.join(), permissions]))
    for (const needed of sets.values()) {
      const permissions = Object.fromEntries(FLAGS.map((name) => [name, needed.includes(name) ? 1 : 0]))
      await shop.put(`/api/users/${member.id}.json`, { user: { permissions } })
      const routes = forUsers().filter((route) => isRead(route) && route.permissions?.join() === needed.join())
      for (const route of routes.filter(({ url }) => !isForPartners(url))) {
        const answer = await page.call('GET', pathOf(route, things))
        assert.equal(answer.status, 200, `${route.url}: ${answer.text}`)
      }
    }
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
    const isForAll = ({ url }: Route) => FOR_STRANGERS.includes(url.replace(PREFIX, '/api'))
    const routes = forUsers().filter((route) => route.url.includes(':') && !isForAll(route))
    assert.ok(routes.length > 0)
    for (const route of routes) {
      const path = pathOf(route, things)
      // What is only asked to happen is read where it happens.
      const shown = path
        .replace(
          /\/(replay|test|check|run|undo|revoke|restore|extensions|rotate|rotate_secret|access_tokens|gift|call_back|resolve|state|default|cancel|resume|pause|extend|change_plan)\.json$/,
          '.json',
        )
        .replace(/\/(login_link|send_sign_in_link|export)\.json$/, '.json')
        .replace(/\/notes\/\d+\.json$/, '/notes.json')
        .replace(
          /\/(previews|move|retry|refunds|refunds\/calculate|retry_refunds|mark_paid|send_confirmation|send_invitation|invoice)\.json$/,
          '.json',
        )
        .replace(/\/keys(\/\d+)?\.json$/, '/keys/count.json')
        .replace(/^\/app_permissions\/.*/, '/app_permissions.json')
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
    const things = ['discount code', 'shipping method', 'group', 'plan', 'tax rate', 'license', 'price', 'content file']
    const expected = things.flatMap((thing) => ['created', 'changed', 'deleted'].map((done) => `${thing} ${done}`))
    const people = ['user invited', 'user invited', 'user changed']
    const others = [
      ...people,
      'company changed',
      'customer disabled',
      'app created',
      'app changed',
      'app secret rotated',
      'access token made',
      'webhook created',
      'webhook changed',
      'webhook deleted',
      'test event sent',
    ]
    const replays = ['deliveries replayed', 'deliveries replayed']
    const owned = ['content revoked', 'content restored', 'device removed', 'software key replaced']
    const helped = ['sign-in link made', 'sign-in link made', 'customer data exported', 'company data exported']
    const repriced = ['price changed', 'order note deleted']
    const paid = ['payment settings changed', 'invoice settings changed', 'payment checked', 'order marked as paid']
    const mailed = [
      'mail texts changed',
      'mail sent again',
      'order confirmation sent again',
      'order refunded',
      'order cancelled',
    ]
    const subscribed = ['created', 'cancelled', 'resumed', 'paused', 'extended', 'plan changed', 'settings changed']
    const codes = ['codes created', 'code changed', 'code revoked', 'code given', 'gift called back']
    const redemption = codes.map((done) => `redemption ${done}`)
    assert.deepEqual(
      actions.sort(),
      [
        ...expected,
        ...others,
        ...replays,
        ...owned,
        ...helped,
        ...repriced,
        ...paid,
        ...subscribed.map((done) => `subscription ${done}`),
        ...mailed,
        'software keys imported',
        'software key deleted',
        ...redemption,
      ].sort(),
    )
  })

  /** A shop for each method, because what one creates is in the way of the next. */
  async function serveOwner(method: string): Promise<string[]> {
    const actions: string[] = []
    const own = await service.openShop()
    const page = await ownerPage(service, own)
    let ownThings = await fill(service, own)
    const isCalled = (route: Route) => isRead(route) || ![...OWN_SIGN_IN, ...ENDS_ACCESS].includes(nameOf(route))
    const routes = forUsers().filter((route) => route.method === method && !isForPartners(route.url) && isCalled(route))
    assert.ok(routes.length > 0)
    for (const route of routes) {
      const { url } = route
      const path = pathOf(route, ownThings)
      const before = await auditOf(service, own)
      const answer = await page.call(method, path, bodyFor(method, ownThings), { 'sec-fetch-site': 'same-origin' })
      assert.ok(![401, 403, 404, 500].includes(answer.status), `${method} ${url}: ${answer.status} ${answer.text}`)
      if (isRead(route) || isRecorded(route)) assert.ok(answer.status < 300, `${method} ${url}: ${answer.text}`)
      assert.match(answer.headers.get('cache-control') ?? '', /^private, no-(cache|store)$/)
      assert.equal(answer.headers.get('access-control-allow-origin'), null)
      const added = (await auditOf(service, own)).slice(before.length)
      // An entry about an app names it; no app has made the change.
      const isAboutApp = (action: string) => /^(app|access token) /.test(action)
      const by = added.map(({ user_id, app_id, action }) => ({ user_id, app_id: isAboutApp(action) ? null : app_id }))
      assert.deepEqual(by, isRecorded(route) ? [{ user_id: own.userId, app_id: null }] : [], `${method} ${url}`)
      for (const { action } of added) actions.push(action)
      // What is deleted takes other things with it.
      if (method === 'DELETE') ownThings = await fill(service, own)
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
    const stolen = new Map(owner.cookies)
    await signOut(owner)
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

describe('GET /admin/api/session.json', () => {
  test('tells who is signed in, with which permissions, and for which companies', async () => {
    const partner = await service.openShop()
    const associate = await service.openShop({ partnerId: partner.companyId })
    const { session } = (await (await ownerPage(service, partner)).get('/session.json')).body
    assert.equal(session.user.id, partner.userId)
    assert.equal(session.user.permissions.accounting, 1)
    assert.equal(session.company.id, partner.companyId)
    const ids = session.companies.map(({ id }: { id: number }) => id)
    assert.deepEqual(ids, [partner.companyId, associate.companyId])
    const own = (await (await ownerPage(service, associate)).get('/session.json')).body.session
    assert.deepEqual(own.companies, [own.company])
  })
})

test('two users who choose the same idempotency key do not get the answers of each other', async () => {
  const own = await service.openShop()
  const [owner, member] = [await ownerPage(service, own), await aMember(service, own)]
  await own.put(`/api/users/${member.id}.json`, { user: { permissions: { accounting: 1 } } })
  const headers = { origin: service.url, 'idempotency-key': 'mine' }
  const create = (page: AdminPage, country_code: string) =>
    page.call('POST', '/tax_rates.json', { tax_rate: { country_code, percent: 1 } }, headers)
  const [one, other] = [await create(owner, 'FR'), await create(adminPage(service, member.visitor), 'IT')]
  assert.deepEqual([one.status, other.status], [201, 201])
  assert.notEqual(one.body.tax_rate.id, other.body.tax_rate.id)
})
