import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { ALL_SCOPES, type Scope } from '#apps/oauth/scopes.facts.ts'
import { statementCount } from '#platform/db/database.ts'
import { type Shop, useService } from '../harness.ts'
import { collectRoutes, ENDLESS, type Route } from './collect-routes.ts'
import { pathsTo } from './paths.ts'
import { PUBLIC } from './public-routes.ts'
import {
  ALSO_GENERAL,
  FOR_STRANGERS,
  ISSUES,
  OF_ALL,
  OF_ONESELF,
  OTHER_SCOPES,
  PARTNERS_ONLY,
  SCOPES,
  WITH_SESSION,
} from './route-tables.ts'
import { STATEMENTS } from './statements.ts'
import { STRANGERS_CHANGE } from './strangers-change.ts'
import { fill, holderOf, type Things } from './things.ts'

const allRoutes = collectRoutes()
const service = useService()
/** About the token that asks and nothing else. */
const ABOUT_THE_TOKEN = '/api/tokeninfo'

/** The address of the stylesheet changes with what is in it. */
const nameOf = ({ method, url }: Route) => `${method} ${url.replace(/-[0-9a-f]{12}(?=\.(css|woff2)$)/, '-*')}`
const scoped = () => allRoutes().filter(({ scopes }) => scopes.length > 0)
const bodyFor = (method: string) => (method === 'POST' || method === 'PUT' ? STRANGERS_CHANGE : undefined)
const anyPath = (url: string) => url.replace(/:\w+/g, '1')

/** What stands in the wrapper of a list or a count. */
async function contentOf(shop: Shop, url: string): Promise<{ id: number }[] | number> {
  return Object.values((await shop.get(url)).body)[0] as { id: number }[] | number
}

/** The bytes of a film, which the filled shop does not have: they are read in device-licenses.test.ts. */
const TRACKS = '/api/entitlements/:id/device_licenses/:license_id/tracks/:track'

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
            [scopes.length > 0, isPublic, asksForSession || (scopes.length === 0 && permissions !== undefined)].filter(
              Boolean,
            ).length !== 1,
        )
        .map(nameOf),
      [],
      'a route is public, for tokens of a scope, or for signed-in users: one of them',
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
            path
              .replace(/\/(notes|keys)\/\d+\.json$/, '/$1.json')
              .replace(/\/device_licenses\/\d+\/(\w+\.json|tracks\/\w+)$/, '/device_licenses.json')
              .replace(
                /\/(default|file|previews|refunds|refunds\/calculate|retry_refunds|mark_paid|send_confirmation|send_invitation|invoice|resolve|replay|test|check|run|undo|use|heartbeat|release|revoke|restore|extensions|rotate|keys|gift|call_back|redeem|open|download|reading_license|device_license|move|retry|cancel|resume|pause|extend|change_plan)\.json$/,
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

describe('every list', () => {
  test('comes with the newest first, and with the number of its entries, if it is asked for', async () => {
    const shop = await service.openShop()
    const things = await fill(service, shop)
    await fill(service, shop)
    const isPaged = ({ method, schema }: Route) =>
      method === 'GET' && Object.hasOwn(Object(Object(schema.querystring).properties), 'sort')
    const lists = scoped().filter((route) => isPaged(route) && !PARTNERS_ONLY.includes(route.url))
    assert.ok(lists.length > 25, String(lists.length))
    let seen = 0
    for (const { url } of lists)
      for (const path of pathsTo(url, things).slice(0, 1)) {
        const more = path.includes('?') ? `${path}&` : `${path}?`
        const oldest = await contentOf(shop, path)
        if (!Array.isArray(oldest)) continue
        assert.deepEqual(await contentOf(shop, `${more}sort=-id`), oldest.toReversed(), url)
        const counted = await shop.get(`${more}limit=1&total_count=1`)
        assert.equal(counted.headers.get('total-count'), String(oldest.length), url)
        if (oldest.length > 1) seen += 1
      }
    assert.ok(seen > 15, `${seen} lists had more than one entry`)
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
    const elsewhere = [...PARTNERS_ONLY, ...ENDLESS, ...ISSUES, TRACKS, ABOUT_THE_TOKEN]
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
