import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ownerPage } from '../admin.ts'
import { type Answer, type Shop, useService } from '../harness.ts'
import { aUser } from '../users.ts'
import { OWN_CHANGE } from './changes.ts'
import { collectRoutes, type Route } from './collect-routes.ts'
import { pathsTo } from './paths.ts'
import { STRANGERS_CHANGE } from './strangers-change.ts'
import { fill } from './things.ts'

const allRoutes = collectRoutes()
const service = useService()

const PREFIX = '/admin/api'
const isChange = ({ method }: Route) => ['PUT', 'PATCH', 'DELETE'].includes(method)
const isForCompanies = ({ scopes, permissions }: Route) => scopes.length > 0 || permissions !== undefined
const nameOf = ({ method, url }: Route) => `${method} ${url.replace(/^(\/admin)?\/api/, '')}`

/** Changes of what has no version, and why none is needed. */
const WITHOUT_VERSION: Record<string, string> = {
  'DELETE /app_permissions/:id.json': 'a permission is there or not',
  'DELETE /company/deletion.json': 'a deletion is asked for or not',
  'DELETE /orders/:id/notes/:note_id.json': 'a note is never changed',
  'DELETE /products/:id/keys/:key_id.json': 'a key is never changed',
  'DELETE /session.json': 'a session is ended, and nothing of it is overwritten',
  'DELETE /sessions.json': 'sessions are ended, and nothing of them is overwritten',
  'PUT /customers/:token/addresses/:id/default.json': 'it says which address is the default, and changes none',
  'PUT /customers/:token/state.json': 'it sets one value, which is all that it shows',
  'PUT /password.json': 'the password that it replaces has to be sent',
}

/** What can be read, changed and deleted under one path, by apps and by users. */
function changesOf(routes: Route[]): Route[] {
  return routes.filter(
    (route) => isChange(route) && isForCompanies(route) && WITHOUT_VERSION[nameOf(route)] === undefined,
  )
}

/** Those of apps, and those that only users call. */
const once = (routes: Route[]) => [...new Map(routes.toReversed().map((route) => [nameOf(route), route])).values()]

/** The shop stays open, because it is filled again. */
const CHANGES = { ...STRANGERS_CHANGE, ...OWN_CHANGE, company: STRANGERS_CHANGE.company }

const etagOf = ({ headers }: Answer) => headers.get('etag') ?? ''

describe('every PUT, PATCH and DELETE', () => {
  test('is of something that can be read under the same path, or is listed with a reason', () => {
    const routes = allRoutes()
    const readable = new Set(routes.filter(({ method }) => method === 'GET').map(({ url }) => url))
    const unread = changesOf(routes).filter(({ url }) => !readable.has(url))
    assert.deepEqual(unread.map(nameOf), [])
    const names = new Set(routes.filter(isForCompanies).map(nameOf))
    assert.deepEqual(
      Object.keys(WITHOUT_VERSION).filter((name) => !names.has(name)),
      [],
    )
  })
})

/** Calls a route as an app does, or below /admin/api as the page of a user. */
async function callerFor(shop: Shop) {
  const page = await ownerPage(service, shop)
  return (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    path.startsWith(PREFIX)
      ? page.call(method, path.slice(PREFIX.length), body, { origin: service.url, ...headers })
      : service.call(method, path, { token: shop.token, body, headers })
}

describe('a change of what can be read under the same path', () => {
  test('is refused with the current document if If-Match names an older one, and nothing is changed', async () => {
    const shop = await service.openShop()
    const things = await fill(service, shop)
    const call = await callerFor(shop)
    const routes = changesOf(allRoutes())
    assert.ok(routes.length > 80, String(routes.length))
    for (const { method, url } of routes) {
      const [path = ''] = pathsTo(url, things)
      const before = await call('GET', path)
      const headers = { 'if-match': 'W/"older"' }
      const body = method === 'PUT' ? CHANGES : undefined
      const refused = await call(method, path, body, headers)
      assert.deepEqual(
        [refused.status, refused.body.reason],
        [412, 'document_changed'],
        `${method} ${url}: ${refused.text}`,
      )
      assert.deepEqual(refused.body.current, before.body, url)
      assert.equal((await call('GET', path)).text, before.text, url)
    }
  })

  test('is made if If-Match names the current one, and its answer names the next', async () => {
    const shop = await service.openShop()
    let things = await fill(service, shop)
    const call = await callerFor(shop)
    for (const { method, url } of once(changesOf(allRoutes()))) {
      const [path = ''] = pathsTo(url, things)
      const headers = { 'if-match': `"something else", ${etagOf(await call('GET', path))}` }
      const body = method === 'PUT' ? CHANGES : undefined
      const made = await call(method, path, body, headers)
      assert.notEqual(made.status, 412, `${method} ${url}: ${made.text}`)
      assert.ok(made.status < 500, made.text)
      if (method === 'PUT' && made.status === 200) assert.equal(etagOf(made), etagOf(await call('GET', path)), url)
      if (method === 'DELETE') things = await fill(service, shop)
    }
  })
})

describe('If-Match', () => {
  const create = async (shop: Shop) =>
    (await shop.post('/api/categories.json', { category: { title: 'Before' } })).body.category.id
  const change = (shop: Shop, id: number, title: string, etag: string) =>
    shop.put(`/api/categories/${id}.json`, { category: { title } }, { 'if-match': etag })

  test('lets one of many changes through that were made from the same document', async () => {
    const shop = await service.openShop()
    const id = await create(shop)
    const etag = etagOf(await shop.get(`/api/categories/${id}.json`))
    const answers = await Promise.all(Array.from({ length: 12 }, (_, index) => change(shop, id, `By ${index}`, etag)))
    const statuses = answers.map(({ status }) => status).sort()
    assert.deepEqual([statuses[0], statuses.filter((status) => status === 200).length], [200, 1], String(statuses))
    // Those that are too many at once may be told to try again, which then finds that they were late.
    assert.ok(
      statuses.every((status) => [200, 409, 412].includes(status)),
      String(statuses),
    )
    const { title } = (await shop.get(`/api/categories/${id}.json`)).body.category
    assert.equal(title, answers.find(({ status }) => status === 200)?.body.category.title)
  })

  test('can name any version by an asterisk, and a missing thing stays missing', async () => {
    const shop = await service.openShop()
    const id = await create(shop)
    assert.equal((await change(shop, id, 'Any', '*')).status, 200)
    assert.equal((await change(shop, 999_999, 'Any', '*')).status, 404)
  })

  // The permission of the one who asks and the other managers are read after the lock, as without the header.
  test('does not let two managers take the permission from each other', async () => {
    for (let round = 0; round < 5; round += 1) {
      const shop = await service.openShop()
      const other = await aUser(service, shop, { permissions: { create_users: 1, web_access: 1 } })
      const take = async (by: number, from: number) => {
        const path = `/api/users/${from}.json`
        const actor = await shop.asUser(by)
        const headers = { 'if-match': etagOf(await shop.get(path)) }
        return () => actor.put(path, { user: { permissions: { create_users: 0 } } }, headers)
      }
      const both = [await take(shop.userId, other.id), await take(other.id, shop.userId)]
      await Promise.all(both.map((send) => send()))
      const users = await service.db.selectFrom('users').selectAll().where('company_id', '=', shop.companyId).execute()
      const left = users.filter(({ document }) => JSON.parse(document ?? '').permissions.create_users === 1)
      assert.ok(left.length >= 1, 'nobody manages users any more')
    }
  })
})
