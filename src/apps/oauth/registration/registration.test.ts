import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ownerPage } from '#test/admin.ts'
import type { Wire } from '#test/factories.ts'
import { useService } from '#test/harness.ts'

const service = useService()
const SHELF = { name: 'Shelf', redirect_uris: ['https://shelf.example.com/back'], scopes: ['orders', 'webhooks'] }

async function anApp(app: object = SHELF) {
  const shop = await service.openShop()
  const page = await ownerPage(service, shop)
  const { status, body } = await page.post('/apps.json', { app })
  assert.equal(status, 201, JSON.stringify(body))
  return { shop, page, app: body.app as Wire }
}

const actionsOf = async (companyId: number) =>
  (
    await service.db
      .selectFrom('audit_entries')
      .select(['action', 'subject'])
      .where('company_id', '=', companyId)
      .where('action', 'in', ['app created', 'app changed', 'app secret rotated', 'app allowed', 'access token made'])
      .orderBy('id')
      .execute()
  ).map(({ action, subject }) => `${action}: ${subject}`)

describe('/admin/api/apps', () => {
  test('registers an app whose secret is shown once, and changes it', async () => {
    const { shop, page, app } = await anApp()
    assert.match(app.client_secret, /^[\w-]{43}$/)
    const { client_secret: _, ...shown } = app
    assert.deepEqual((await page.get(`/apps/${app.id}.json`)).body, { app: shown })
    const { apps } = (await page.get('/apps.json')).body
    assert.deepEqual(apps.at(-1), shown)
    assert.deepEqual([shown.is_installed, shown.previous_secret_until, shown.developer_email], [false, null, ''])

    const changed = await page.put(`/apps/${app.id}.json`, {
      app: { name: 'Shelf 2', data_change_sync_url: 'https://shelf.example.com/sync' },
    })
    assert.deepEqual(
      [changed.body.app.name, changed.body.app.redirect_uris, changed.body.app.data_change_sync_url],
      ['Shelf 2', SHELF.redirect_uris, 'https://shelf.example.com/sync'],
    )
    const cleared = await page.put(`/apps/${app.id}.json`, { app: { data_change_sync_url: null } })
    assert.equal(cleared.body.app.data_change_sync_url, null)
    assert.deepEqual(await actionsOf(shop.companyId), [
      'app created: Shelf',
      'app changed: Shelf 2',
      'app changed: Shelf 2',
    ])
  })

  test('refuses what is no app, at the field that is wrong', async () => {
    const page = await ownerPage(service, await service.openShop())
    const cases: [object, string][] = [
      [{}, 'name'],
      [{ ...SHELF, name: ' ' }, 'name'],
      [{ ...SHELF, redirect_uris: ['https://good.example.com', 'http://bad.example.com'] }, 'redirect_uris[1]'],
      [{ ...SHELF, scopes: ['everything'] }, 'scopes[0]'],
      [{ ...SHELF, developer_email: 'nobody' }, 'developer_email'],
      [{ ...SHELF, data_change_sync_url: 'ftp://example.com' }, 'data_change_sync_url'],
      [{ ...SHELF, client_id: '-x' }, 'client_id'],
    ]
    for (const [app, field] of cases) {
      const { status, body } = await page.post('/apps.json', { app })
      assert.deepEqual([status, Object.keys(body.errors ?? {})], [422, [field]], JSON.stringify(app))
    }
    const { client_id } = (await page.post('/apps.json', { app: { ...SHELF, client_id: 'DEV:shelf.1' } })).body.app
    assert.equal(client_id, 'DEV:shelf.1')
    const again = await page.post('/apps.json', { app: { ...SHELF, client_id } })
    assert.deepEqual([again.status, Object.keys(again.body.errors)], [422, ['client_id']])
  })

  test('gives an app a new secret, and the old one works for a day', async () => {
    const { shop, page, app } = await anApp()
    const { body } = await page.post(`/apps/${app.id}/rotate_secret.json`, { rotation: {} })
    assert.notEqual(body.app.client_secret, app.client_secret)
    const untilMs = Date.parse(`${body.app.previous_secret_until}Z`)
    assert.equal(untilMs - Math.floor(service.clock.now().getTime() / 1000) * 1000, 86_400_000)
    assert.deepEqual(await actionsOf(shop.companyId), ['app created: Shelf', 'app secret rotated: Shelf'])
  })

  test('makes an access token that may do what was asked for, and nothing else', async () => {
    const { shop, page, app } = await anApp()
    const made = await page.post(`/apps/${app.id}/access_tokens.json`, {
      access_token: { scopes: ['orders'], expires_in: 60 },
    })
    assert.deepEqual([made.status, made.body.scope, made.body.expires_in], [201, 'orders', 60])
    const call = (path: string) => service.call('GET', path, { token: made.body.access_token })
    assert.equal((await call('/api/orders.json')).status, 200)
    assert.equal((await call('/api/products.json')).status, 403)
    const permissions = (await page.get('/app_permissions.json')).body.app_permissions as Wire[]
    const shelf = permissions.find(({ id }) => id === app.id)
    assert.deepEqual([shelf?.scopes, typeof shelf?.last_token_at], [['orders'], 'string'])
    for (const scope of ['products', 'player']) {
      const refused = await page.post(`/apps/${app.id}/access_tokens.json`, { access_token: { scopes: [scope] } })
      assert.deepEqual([refused.status, Object.keys(refused.body.errors)], [422, ['scopes[0]']], scope)
    }
    assert.deepEqual(await actionsOf(shop.companyId), ['app created: Shelf', 'access token made: Shelf: orders'])
  })

  test('subscribes an app of the company, and lets it in with that', async () => {
    const { shop, page, app } = await anApp()
    const webhook = { app_id: app.id, topic: 'order/create', address: 'https://shelf.example.com/hooks' }
    const created = await page.post('/webhooks.json', { webhook })
    assert.deepEqual([created.status, created.body.webhook.app_id], [200, app.id])
    assert.equal((await page.post('/webhooks.json', { webhook })).body.webhook.id, created.body.webhook.id)
    assert.equal((await page.get(`/apps/${app.id}.json`)).body.app.is_installed, true)
    assert.deepEqual(await actionsOf(shop.companyId), ['app created: Shelf', 'app allowed: Shelf'])
    const stranger = (await service.openShop()).appId
    for (const app_id of [stranger, 999_999_999]) {
      const refused = await page.post('/webhooks.json', { webhook: { ...webhook, app_id } })
      assert.deepEqual([refused.status, Object.keys(refused.body.errors)], [422, ['app_id']])
    }
  })

  test('knows no app of another company', async () => {
    const { app } = await anApp()
    const page = await ownerPage(service, await service.openShop())
    for (const [method, path, body] of [
      ['GET', `/apps/${app.id}.json`, undefined],
      ['PUT', `/apps/${app.id}.json`, { app: { name: 'Mine' } }],
      ['POST', `/apps/${app.id}/rotate_secret.json`, { rotation: {} }],
      ['POST', `/apps/${app.id}/access_tokens.json`, { access_token: { scopes: ['orders'] } }],
    ] as const) {
      const answer = await page.call(method, path, body)
      assert.deepEqual([answer.status, answer.body.reason], [404, 'app_not_found'], path)
    }
  })
})
