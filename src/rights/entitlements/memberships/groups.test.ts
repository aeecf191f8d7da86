import assert from 'node:assert/strict'
import { test } from 'node:test'
import { updateLicense } from '#catalog/licenses/commands.ts'
import { statementCount } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { aCustomer } from '#test/customers.ts'
import { aLicense } from '#test/factories.ts'
import { useService } from '#test/harness.ts'
import { aFilm } from '#test/orders.ts'
import { PATIENCE_MS } from '#test/patience.ts'

const service = useService()

async function aMember() {
  const shop = await service.openShop()
  const license = await aLicense(service, shop, { name: 'Club', type: 0, drm: 1, allow_play: 1 })
  const made = await shop.post('/api/groups.json', {
    group: { kind: 'subscription', title: 'Kino Club', license_id: license.id },
  })
  const group_id: string = made.body.group.id
  const film = await aFilm(service, shop, 1190, { groups: [{ group_id }] })
  const { token: customer_token } = await aCustomer(shop)
  await shop.post('/api/subscribers.json', { subscriber: { customer_token, group_id } })
  const { product_id } = film
  const opened = await shop.post(`/api/customers/${customer_token}/open.json`, { open: { product_id } })
  const path = `/api/entitlements/${opened.body.content[0].id}`
  const ask = async (how: 'check' | 'use'): Promise<string> =>
    (await shop.post(`${path}/${how}.json`, { [how]: { action: 'play' } })).body.decision.code
  return { shop, group_id, license, ask }
}

test('what a group says of all its members is read once for many checks', async () => {
  const { ask } = await aMember()
  const costOfCheck = async () => {
    const before = statementCount()
    assert.equal(await ask('check'), 'allowed')
    return statementCount() - before
  }
  const end = Date.now() + PATIENCE_MS
  // The facts may have been forgotten between two checks on a slow machine.
  while ((await costOfCheck()) !== 1) assert.ok(Date.now() < end, 'every check reads the group')
})

test('a change of the group or its license counts with the next check', async () => {
  const { shop, group_id, license, ask } = await aMember()
  assert.equal(await ask('check'), 'allowed')
  const author = { companyId: shop.companyId, userId: shop.userId, appId: null }
  await inTransaction(service.db, (tx) =>
    updateLicense(tx, author, String(license.id), { allow_play: 0 }, service.clock.now()),
  )
  assert.equal(await ask('check'), 'play_not_allowed')
  await shop.put(`/api/groups/${group_id}.json`, { group: { valid: false } })
  assert.equal(await ask('check'), 'group_closed')
  await shop.put(`/api/groups/${group_id}.json`, { group: { license_id: null, valid: true } })
  assert.equal(await ask('check'), 'allowed')
  await shop.delete(`/api/groups/${group_id}.json`)
  assert.equal(await ask('check'), 'group_closed')
})

test('a change that this process does not hear of counts a second later, and at once for a use', async () => {
  const { shop, group_id, ask } = await aMember()
  const setValid = (valid: boolean) =>
    service.db
      .updateTable('groups')
      .set({ valid })
      .where('company_id', '=', shop.companyId)
      .where('group_id', '=', group_id)
      .execute()
  for (const [valid, code] of [
    [false, 'group_closed'],
    [true, 'allowed'],
  ] as const) {
    await ask('check')
    await setValid(valid)
    assert.equal(await ask('use'), code)
    const end = Date.now() + PATIENCE_MS
    while ((await ask('check')) !== code) assert.ok(Date.now() < end, `a check still does not answer ${code}`)
  }
})
