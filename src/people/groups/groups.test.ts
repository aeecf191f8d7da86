import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { aCustomer } from '#test/customers.ts'
import { aLicense, assertBlames } from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'

const service = useService()

const create = (shop: Shop, group: object) => shop.post('/api/groups.json', { group })

async function aGroup(shop: Shop, attributes: object = {}) {
  const answer = await create(shop, { kind: 'subscription', title: 'Kino Club', ...attributes })
  assert.equal(answer.status, 201, answer.text)
  return answer.body.group
}

describe('a group', () => {
  test('gets a number of its own, also if several are made at once', async () => {
    const shop = await service.openShop()
    const made = await Promise.all(Array.from({ length: 8 }, () => create(shop, { kind: 'sharing', title: 'Family' })))
    assert.deepEqual(
      made.map(({ status, body }) => (status === 201 ? body.group.id : body)).toSorted(),
      Array.from({ length: 8 }, (_, nth) => `p${nth + 1}`),
    )
  })

  test('is created, read, changed and deleted, with a record of each', async () => {
    const shop = await service.openShop()
    const license = await aLicense(service, shop)
    const made = await aGroup(shop, { license_id: license.id, locales: [{ language_id: 2, title: 'Kinoklub' }] })
    const { created_at, updated_at, ...shown } = made
    assert.deepEqual(shown, {
      id: 's1',
      kind: 'subscription',
      title: 'Kino Club',
      license_id: license.id,
      valid: true,
      locales: [{ language_id: 'de', title: 'Kinoklub', description: '' }],
      members: 0,
    })
    assert.equal(created_at, updated_at)
    assert.deepEqual((await shop.get('/api/groups/S1.json')).body.group, made)
    const changed = await shop.put('/api/groups/s1.json', { group: { title: 'Film Club', license_id: 0, valid: '0' } })
    assert.deepEqual(
      [changed.body.group.title, changed.body.group.license_id, changed.body.group.valid],
      ['Film Club', null, false],
    )
    assert.deepEqual(changed.body.group.locales, made.locales, 'what is not named stays')
    assert.equal((await shop.get('/api/groups/count.json')).body.count, 1)
    assert.deepEqual((await shop.delete('/api/groups/s1.json')).body, {})
    assert.equal((await shop.get('/api/groups/s1.json')).status, 404)
    const entries = (await shop.get('/api/audit_entries.json')).body.audit_entries
    const actions = entries
      .map(({ action }: { action: string }) => action)
      .filter((action: string) => action.startsWith('group'))
    assert.deepEqual(actions, ['group created', 'group changed', 'group deleted'])
  })

  test('gets the next number that nobody uses, also where only a product or a person names it', async () => {
    const shop = await service.openShop()
    const { token } = await aCustomer(shop)
    await shop.post('/api/subscribers.json', { subscriber: { customer_token: token, group_id: 's41' } })
    await shop.post('/api/products.json', {
      product: { product_type: 1, title: 'Film', groups: [{ group_id: 'c7' }, { group_id: 's-1' }] },
    })
    assert.equal((await aGroup(shop)).id, 's42')
    assert.equal((await aGroup(shop, { kind: 'access' })).id, 'c8')
    assert.equal((await aGroup(shop, { kind: 'sharing' })).id, 'p1')
    const joined = await aGroup(shop, { id: 's41', kind: undefined })
    assert.deepEqual([joined.kind, joined.members], ['subscription', 1])
    const { groups } = (await shop.get('/api/groups.json')).body
    assert.deepEqual(
      groups.map(({ id }: { id: string }) => id),
      ['s42', 'c8', 'p1', 's41'],
    )
    const [second] = (await shop.get('/api/groups.json?limit=1&page=2')).body.groups
    assert.equal(second.id, 'c8')
  })

  const refused: [string, object][] = [
    ['title', { title: ' ' }],
    ['title', { title: 'x'.repeat(101) }],
    ['title', { title: undefined }],
    ['kind', { kind: undefined }],
    ['kind', { kind: 'fan club' }],
    ['kind', { id: 'c5', kind: 'sharing' }],
    ['id', { id: 's-1' }],
    ['id', { id: 's0' }],
    ['id', { id: 'x1' }],
    ['license_id', { license_id: 987_654_321 }],
    ['license_id', { license_id: 'no' }],
    ['locales[0].language_id', { locales: [{ language_id: 9999, title: 'No' }] }],
    ['locales[0].title', { locales: [{ language_id: 'de', title: '' }] }],
    ['valid', { valid: 'perhaps' }],
  ]
  test('is refused with the field that is wrong', async () => {
    const shop = await service.openShop()
    for (const [field, attributes] of refused)
      assertBlames(await create(shop, { kind: 'access', title: 'Club', ...attributes }), [field])
    assert.equal((await shop.get('/api/groups/count.json')).body.count, 0)
  })

  test('has an id once in its company, and another company has its own', async () => {
    const [shop, other] = [await service.openShop(), await service.openShop()]
    await aGroup(shop, { id: 'c5', kind: 'access' })
    assertBlames(await create(shop, { id: 'c5', title: 'Again' }), ['id'])
    assert.equal((await other.get('/api/groups/c5.json')).status, 404)
    assert.equal((await aGroup(other, { id: 'c5', kind: 'access' })).members, 0)
    const foreign = await aLicense(service, shop)
    assertBlames(await create(other, { kind: 'access', title: 'Club', license_id: foreign.id }), ['license_id'])
  })
})
