import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { useService } from '#test/harness.ts'
import { signedIn, untilRefused } from '#test/people.ts'

const service = useService()

const eventsOf = (companyId: number) =>
  service.db.selectFrom('events').select(['topic', 'data']).where('company_id', '=', companyId).execute()

describe('/account/apps', () => {
  test('shows the apps that the company has allowed, and no others', async () => {
    const shop = await service.openShop({ scopes: ['orders'] })
    await service.openShop({ scopes: ['webhooks'] })
    const page = await (await signedIn(service, shop)).get('/account/apps')
    assert.equal(page.status, 200)
    assert.match(page.text, /Test app/)
    assert.match(page.text, /<p>Orders<\/p>/)
    assert.ok(!/webhooks/i.test(page.text))
  })

  test('removes an app: its tokens are revoked, an event is emitted, and an audit entry is written', async () => {
    const shop = await service.openShop()
    assert.equal((await shop.get('/api/products.json')).status, 200)
    const visitor = await signedIn(service, shop)
    await visitor.get('/account/apps')
    const answer = await visitor.submit('/account/apps')
    assert.equal(answer.location, '/account/apps?told=removed')
    assert.match((await visitor.follow(answer)).text, /No apps yet/)
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
    // Doing it again changes nothing.
    await visitor.get('/account')
    const token = /name="_csrf" value="([^"]+)"/.exec((await visitor.get('/account')).text)?.[1] ?? ''
    await visitor.post('/account/apps', { _csrf: token, app: String(shop.appId) })
    assert.equal((await eventsOf(shop.companyId)).length, 1)
  })

  // The clock stands still, so cached callers do not expire: only the notification can end them.
  test('clears the cache of callers by a notification, before its entries expire', async (context) => {
    const shop = await service.openShop()
    const visitor = await signedIn(service, shop)
    const moment = Date.now()
    context.mock.method(Date, 'now', () => moment)
    assert.equal((await shop.get('/api/products.json')).status, 200)
    await visitor.get('/account/apps')
    await visitor.submit('/account/apps')
    await untilRefused(service, shop.token)
  })

  test('removes nothing of another company', async () => {
    const shop = await service.openShop()
    const stranger = await service.openShop()
    const visitor = await signedIn(service, shop)
    for (const app of [String(stranger.appId), '', 'x', '0']) {
      await visitor.get('/account/apps')
      assert.equal((await visitor.submit('/account/apps', { app })).status, 303)
    }
    assert.equal((await stranger.get('/api/products.json')).status, 200)
    assert.equal((await shop.get('/api/products.json')).status, 200)
  })
})
