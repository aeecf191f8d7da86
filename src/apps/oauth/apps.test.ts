import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { nowInSeconds } from '#platform/clock.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { eventsOf } from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'
import { registerApp } from '#test/people.ts'
import { newSecret } from '#test/webhooks.ts'
import { type AppDetails, changeApp, newClientId } from './apps.commands.ts'
import { isClientId } from './rules.ts'

const service = useService()
const actor = { userId: null, origin: { address: 'test', requestId: 'r' } }

const change = (shop: Shop, clientId: string, changes: Partial<AppDetails>) =>
  inTransaction(service.db, (tx) =>
    changeApp(tx, shop.companyId, clientId, changes, actor, nowInSeconds(service.clock)),
  )

const clientIdOf = async (shop: Shop) =>
  (
    await service.db
      .selectFrom('apps')
      .select('client_id')
      .where('company_id', '=', shop.companyId)
      .executeTakeFirstOrThrow()
  ).client_id

test('a client id that the service chooses can be named in a command', () => {
  for (const id of Array.from({ length: 1000 }, newClientId)) assert.ok(isClientId(id), id)
})

describe('a redirect URI', () => {
  const good = [
    'https://app.example.com/back',
    'https://app.example.com/x.php?action=cb&shop=1',
    'http://localhost:8080/back',
    'http://127.0.0.1/back',
    'com.example.app:/back',
  ]
  const bad = [
    '',
    'back',
    '/back',
    'http://app.example.com/back',
    'https://app.example.com/back#part',
    'https://app.example.com/two words',
    'https://äpp.example.com/back',
    'javascript:alert(1)',
    'data:text/html,x',
    'myapp:/back',
    'https://app.example.com/\r\nset-cookie: x',
    `https://app.example.com/${'x'.repeat(2000)}`,
  ]
  test('is an https address, a local address, or the scheme of a native app', async () => {
    const shop = await service.openShop()
    await registerApp(service, shop, good)
    for (const uri of bad)
      await assert.rejects(registerApp(service, shop, [good[0] ?? '', uri]), { status: 422 }, JSON.stringify(uri))
  })
})

describe('a change of an app', () => {
  test('emits an event to every company in which it is installed, and to no other', async () => {
    const shop = await service.openShop()
    await service.openShop()
    await change(shop, await clientIdOf(shop), {
      name: 'Another name',
      dataChangeSyncUrl: 'https://app.example.com/sync',
    })
    const events = await service.db.selectFrom('events').selectAll().where('topic', '=', 'app/update').execute()
    assert.deepEqual(
      events.map(({ company_id, data }) => ({ company_id, data })),
      [{ company_id: shop.companyId, data: { type: 'app', id: String(shop.appId) } }],
    )
  })

  test('is no new secret', async () => {
    const shop = await service.openShop()
    await newSecret(service, shop)
    assert.deepEqual(await eventsOf(service, shop), [])
  })

  test('is refused if it is invalid, or for an app of another company', async () => {
    const shop = await service.openShop()
    const stranger = await service.openShop()
    const clientId = await clientIdOf(shop)
    for (const wrong of [
      { name: '' },
      { name: 'x'.repeat(101) },
      { redirectUris: ['http://app.example.com'] },
      { developerEmail: 'nobody' },
      { dataChangeSyncUrl: 'ftp://app.example.com' },
    ])
      await assert.rejects(change(shop, clientId, wrong), { status: 422 }, JSON.stringify(wrong))
    await assert.rejects(change(stranger, clientId, { name: 'Stolen' }), { status: 404 })
    const { name } = await service.db
      .selectFrom('apps')
      .select('name')
      .where('client_id', '=', clientId)
      .executeTakeFirstOrThrow()
    assert.equal(name, 'Test app')
  })
})
