import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ownerPage } from '#test/admin.ts'
import { aPrice, assertBlames, type Wire } from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'
import { readPlansOfGroup } from './queries.ts'
import { textsIn } from './rules.ts'

const service = useService()

const aGroup = async (shop: Shop, kind = 'subscription') =>
  (await shop.post('/api/groups.json', { group: { kind, title: 'Kino Club' } })).body.group

/** A shop with a subscription group and a price, and what a plan of them needs. */
async function open() {
  const shop = await service.openShop()
  const price = await aPrice(service, shop)
  const group = await aGroup(shop)
  return { shop, price, group, needed: { group_id: group.id, title: 'Monthly', price_id: price.id, interval: 'month' } }
}

const create = (shop: Shop, plan: object) => shop.post('/api/plans.json', { plan })

async function aPlan(shop: Shop, attributes: object): Promise<Wire> {
  const answer = await create(shop, attributes)
  assert.equal(answer.status, 201, answer.text)
  return answer.body.plan
}

describe('a plan', () => {
  test('is created, read, changed and deleted, with a record of each', async () => {
    const { shop, price, group, needed } = await open()
    const made = await aPlan(shop, { ...needed, group_id: group.id.toUpperCase(), trial_days: 7 })
    const { id, product_id, created_at, updated_at, ...shown } = made
    assert.deepEqual(shown, {
      group_id: group.id,
      title: 'Monthly',
      description: '',
      locales: [],
      price_id: price.id,
      interval: 'month',
      interval_count: 1,
      trial_days: 7,
      minimum_periods: 0,
      renewals: null,
      pausable: true,
      valid: true,
    })
    assert.match(product_id, /^([0-9A-F]{4}-){3}[0-9A-F]{4}$/)
    assert.equal(created_at, updated_at)
    const path = `/api/plans/${id}.json`
    assert.deepEqual((await shop.get(path)).body.plan, made)
    const dearer = await aPrice(service, shop, { title: 'Dearer' })
    const change = {
      title: 'Every month',
      description: 'All films.',
      locales: [{ language_id: 2, title: 'Monatlich', description: 'Alle Filme.' }],
      price_id: dearer.id,
      trial_days: 0,
      minimum_periods: 3,
      renewals: 11,
      pausable: false,
      valid: false,
    }
    const changed = (await shop.put(path, { plan: change })).body.plan
    const locales = [{ language_id: 'de', title: 'Monatlich', description: 'Alle Filme.' }]
    assert.deepEqual(changed, { ...made, ...change, locales, updated_at: changed.updated_at })
    const unlimited = (await shop.put(path, { plan: { renewals: null } })).body.plan
    assert.deepEqual([unlimited.renewals, unlimited.title], [null, 'Every month'])
    assert.deepEqual((await shop.delete(path)).body, {})
    assert.equal((await shop.get(path)).status, 404)
    const entries: Wire[] = (await shop.get('/api/audit_entries.json')).body.audit_entries
    const actions = entries.map(({ action }) => action).filter((action) => action.startsWith('plan'))
    assert.deepEqual(actions, ['plan created', 'plan changed', 'plan changed', 'plan deleted'])
  })

  test('is listed and counted, also by its group', async () => {
    const { shop, needed } = await open()
    const other = await aGroup(shop)
    const monthly = await aPlan(shop, needed)
    const yearly = await aPlan(shop, { ...needed, title: 'Yearly', interval: 'year', renewals: 0 })
    const quarterly = await aPlan(shop, { ...needed, group_id: other.id, interval: 'quarter', interval_count: 2 })
    const idsOf = async (query: string) =>
      (await shop.get(`/api/plans.json${query}`)).body.plans.map(({ id }: Wire) => id)
    const countOf = async (query: string) => (await shop.get(`/api/plans/count.json${query}`)).body.count
    assert.deepEqual(await idsOf(''), [monthly.id, yearly.id, quarterly.id])
    assert.deepEqual(await idsOf(`?group_id=${needed.group_id}`), [monthly.id, yearly.id])
    assert.deepEqual(await idsOf(`?since_id=${monthly.id}&limit=1`), [yearly.id])
    assert.deepEqual([await countOf(''), await countOf(`?group_id=${other.id}`)], [3, 1])
    assert.equal(await countOf(`?group_id=${needed.group_id}&since_id=${monthly.id}`), 1)
    await shop.put(`/api/plans/${monthly.id}.json`, { plan: { valid: false } })
    const offered = await readPlansOfGroup(service.db, shop.companyId, needed.group_id)
    assert.deepEqual(
      offered.map(({ id }) => id),
      [yearly.id],
    )
  })

  test('is no product, and has an id and a code that no product has', async () => {
    const { shop, needed } = await open()
    const plan = await aPlan(shop, needed)
    const { product_key } = await service.db
      .selectFrom('plans')
      .select('product_key')
      .where('company_id', '=', shop.companyId)
      .executeTakeFirstOrThrow()
    const product = (await shop.post('/api/products.json', { product: { product_type: 1, title: 'Film' } })).body
      .product
    assert.ok(product.id > product_key)
    assert.equal((await shop.get(`/api/products/${plan.product_id}.json`)).status, 404)
    assert.equal((await shop.get('/api/products/count.json')).body.count, 1)
  })

  test('has texts in other languages, and its own where there are none', () => {
    const locales = [{ language: 'de', title: 'Monatlich', description: '' }]
    const plan = { title: 'Monthly', description: 'All films.', locales }
    assert.deepEqual(textsIn(plan, 'de'), { title: 'Monatlich', description: 'All films.' })
    assert.deepEqual(textsIn(plan, 'fr'), { title: 'Monthly', description: 'All films.' })
  })
})

describe('a plan is refused', () => {
  const refused: [string, object][] = [
    ['group_id', { group_id: undefined }],
    ['group_id', { group_id: 's987654' }],
    ['group_id', { group_id: 'no' }],
    ['group_id', { group_id: 's1\0' }],
    ['title', { title: ' ' }],
    ['title', { title: 'x'.repeat(101) }],
    ['title', { title: undefined }],
    ['price_id', { price_id: 0 }],
    ['price_id', { price_id: 987_654_321 }],
    ['interval', { interval: 'day' }],
    ['interval', { interval: undefined }],
    ['interval_count', { interval_count: 0 }],
    ['interval_count', { interval_count: 53 }],
    ['trial_days', { trial_days: 366 }],
    ['trial_days', { trial_days: -1 }],
    ['minimum_periods', { minimum_periods: 121 }],
    ['minimum_periods', { minimum_periods: 3, renewals: 1 }],
    ['renewals', { renewals: -1 }],
    ['renewals', { renewals: 1.5 }],
    ['pausable', { pausable: 'perhaps' }],
    ['locales[0].language_id', { locales: [{ language_id: 9999, title: 'No' }] }],
    ['locales[0].title', { locales: [{ language_id: 'de', title: '' }] }],
  ]
  test('with the field that is wrong', async () => {
    const { shop, needed } = await open()
    for (const [field, attributes] of refused) assertBlames(await create(shop, { ...needed, ...attributes }), [field])
    assert.equal((await shop.get('/api/plans/count.json')).body.count, 0)
  })

  test('of a group that nobody subscribes to, or with a price that is not sold any more', async () => {
    const { shop, price, needed } = await open()
    const access = await aGroup(shop, 'access')
    const answer = await create(shop, { ...needed, group_id: access.id })
    assertBlames(answer, ['group_id'])
    assert.match(answer.text, /is not a subscription group/)
    const page = await ownerPage(service, shop)
    assert.equal((await page.delete(`/prices/${price.id}.json`)).status, 200)
    assertBlames(await create(shop, needed), ['price_id'])
  })

  test('where it changes what people have agreed to, unless it stays as it was', async () => {
    const { shop, needed } = await open()
    const plan = await aPlan(shop, needed)
    const other = await aGroup(shop)
    const path = `/api/plans/${plan.id}.json`
    for (const change of [{ group_id: other.id }, { interval: 'week' }, { interval_count: 2 }]) {
      const answer = await shop.put(path, { plan: change })
      assertBlames(answer, Object.keys(change))
      assert.match(answer.text, /people have agreed to it: make a new plan/)
    }
    const { status, body } = await shop.put(path, { plan: { ...plan, title: 'Other' } })
    assert.deepEqual([status, body.plan.title, body.plan.product_id], [200, 'Other', plan.product_id])
    assertBlames(await shop.put(path, { plan: { title: '' } }), ['title'])
    assertBlames(await shop.put(path, { plan: { price_id: 987_654_321 } }), ['price_id'])
  })

  test('beyond a hundred of them', async () => {
    const { shop, needed } = await open()
    await aPlan(shop, needed)
    const [plan] = await service.db.selectFrom('plans').selectAll().where('company_id', '=', shop.companyId).execute()
    const { id: _id, ...copied } = plan!
    const copies = Array.from({ length: 99 }, () => ({ ...copied, locales: '[]' }))
    await service.db.insertInto('plans').values(copies).execute()
    const { status, body } = await create(shop, needed)
    assert.deepEqual([status, body.reason], [409, 'too_many_plans'])
  })
})

describe('another company', () => {
  test('sees no plan, and sells nothing of this one', async () => {
    const { shop, needed } = await open()
    const stranger = await open()
    const plan = await aPlan(shop, needed)
    const path = `/api/plans/${plan.id}.json`
    assert.equal((await stranger.shop.get(path)).status, 404)
    assert.equal((await stranger.shop.put(path, { plan: { title: 'Stolen' } })).status, 404)
    assert.equal((await stranger.shop.delete(path)).status, 404)
    assert.deepEqual((await stranger.shop.get('/api/plans.json')).body.plans, [])
    await aGroup(shop)
    const foreign = await aGroup(shop)
    assertBlames(await create(stranger.shop, { ...stranger.needed, group_id: foreign.id }), ['group_id'])
    assertBlames(await create(stranger.shop, { ...stranger.needed, price_id: needed.price_id }), ['price_id'])
  })
})

describe('what a plan is made of', () => {
  test('stays for as long as the plan does: its group and its price', async () => {
    const { shop, price, group, needed } = await open()
    const page = await ownerPage(service, shop)
    const plan = await aPlan(shop, needed)
    const [kept, paid] = [
      await shop.delete(`/api/groups/${group.id}.json`),
      await page.delete(`/prices/${price.id}.json`),
    ]
    assert.deepEqual([kept.status, kept.body.reason], [409, 'group_has_plans'])
    assert.deepEqual([paid.status, paid.body.reason], [409, 'price_in_use'])
    assert.match(paid.body.error, /is used by 1 plan:/)
    const uses = (await shop.get('/api/prices/uses.json')).body.price_uses
    assert.deepEqual(uses, [{ id: price.id, products: 0, compared: 0, shipping_methods: 0, plans: 1 }])
    await shop.delete(`/api/plans/${plan.id}.json`)
    assert.equal((await shop.delete(`/api/groups/${group.id}.json`)).status, 200)
    assert.equal((await page.delete(`/prices/${price.id}.json`)).status, 200)
  })

  test('is not deleted beneath a plan that is made at the same time', async () => {
    const { shop, group, needed } = await open()
    const [made, removed] = await Promise.all([create(shop, needed), shop.delete(`/api/groups/${group.id}.json`)])
    assert.deepEqual([made.status, removed.status], made.status === 201 ? [201, 409] : [422, 200])
  })
})
