import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { adminPage, ownerPage } from '#test/admin.ts'
import { useService } from '#test/harness.ts'
import { aMember, untilRefused } from '#test/people.ts'

const service = useService()
const PATH = '/app_permissions.json'

const eventsOf = (companyId: number) =>
  service.db.selectFrom('events').select(['topic', 'data']).where('company_id', '=', companyId).execute()

describe('/admin/api/app_permissions', () => {
  test('shows the apps that the company has let in, each once, and no others', async () => {
    const shop = await service.openShop({ scopes: ['orders'] })
    await service.openShop({ scopes: ['webhooks'] })
    const { app_permissions } = (await (await ownerPage(service, shop)).get(PATH)).body
    const [{ id, name, scopes, customers }] = app_permissions
    assert.equal(app_permissions.length, 1)
    assert.deepEqual([id, name, scopes, customers], [shop.appId, 'Test app', ['orders'], 0])
  })

  test('removes an app: its tokens are revoked, an event is emitted, and an audit entry is written', async () => {
    const shop = await service.openShop()
    assert.equal((await shop.get('/api/products.json')).status, 200)
    const page = await ownerPage(service, shop)
    assert.equal((await page.delete(`/app_permissions/${shop.appId}.json`)).status, 200)
    assert.deepEqual((await page.get(PATH)).body.app_permissions, [])
    await untilRefused(service, shop.token)
    assert.equal((await shop.get('/api/products.json')).status, 401)
    assert.deepEqual(await eventsOf(shop.companyId), [
      { topic: 'app/uninstalled', data: { type: 'app', id: String(shop.appId) } },
    ])
    const [entry] = await service.db
      .selectFrom('audit_entries')
      .select(['user_id', 'app_id', 'subject', 'address', 'request_id'])
      .where('company_id', '=', shop.companyId)
      .where('action', '=', 'app permission removed')
      .execute()
    assert.ok(entry)
    assert.deepEqual(
      [entry.user_id, entry.app_id, entry.subject, entry.address],
      [shop.userId, shop.appId, 'Test app', '127.0.0.1'],
    )
    assert.match(entry.request_id, /^[\w-]{36}$/)
    const again = await page.delete(`/app_permissions/${shop.appId}.json`)
    assert.deepEqual([again.status, again.body.reason], [404, 'app_permission_not_found'])
    assert.equal((await eventsOf(shop.companyId)).length, 1)
  })

  // The clock stands still, so cached callers do not expire: only the notification can end them.
  test('clears the cache of callers by a notification, before its entries expire', async (context) => {
    const shop = await service.openShop()
    const page = await ownerPage(service, shop)
    const moment = Date.now()
    context.mock.method(Date, 'now', () => moment)
    assert.equal((await shop.get('/api/products.json')).status, 200)
    await page.delete(`/app_permissions/${shop.appId}.json`)
    await untilRefused(service, shop.token)
  })

  test('removes nothing of another company, and nothing for a user who may not', async () => {
    const shop = await service.openShop()
    const stranger = await service.openShop()
    const page = await ownerPage(service, shop)
    assert.equal((await page.delete(`/app_permissions/${stranger.appId}.json`)).status, 404)
    for (const id of ['x', '0', '-1', '99999999999999999999'])
      assert.equal((await page.delete(`/app_permissions/${id}.json`)).status, 404, id)
    const member = adminPage(service, (await aMember(service, shop)).visitor)
    assert.equal((await member.get(PATH)).status, 200)
    assert.equal((await member.delete(`/app_permissions/${shop.appId}.json`)).body.reason, 'permission_missing')
    assert.equal((await stranger.get('/api/products.json')).status, 200)
    assert.equal((await shop.get('/api/products.json')).status, 200)
  })
})
