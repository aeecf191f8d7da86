import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Shop, useService } from './harness.ts'
import { aTerm, auditOf, changeTerm, createTerm, deleteTerm, listTerms, type Term } from './terms.ts'

const service = useService()

type Case = {
  term: Term
  /** Three that can exist beside each other. */
  inputs: [object, object, object]
  change: object
  /** What the audit log calls the first one, before and after the change. */
  subjects: [string, string]
}

const CASES: Case[] = [
  {
    term: 'discount_code',
    inputs: [
      { code: 'SPRING', type: 'percentage', amount: 10 },
      { code: 'FIVE', type: 'fixed_amount', amount: 500 },
      { code: 'SUMMER', type: 'percentage', amount: 12.5, usage_limit: 3 },
    ],
    change: { amount: 15 },
    subjects: ['SPRING: 10 %', 'SPRING: 15 %'],
  },
  {
    term: 'shipping_method',
    inputs: [{ title: 'Parcel' }, { title: 'Express', countries: ['DE'] }, { title: 'Pick up' }],
    change: { title: 'Letter' },
    subjects: ['Parcel', 'Letter'],
  },
  {
    term: 'tax_rate',
    inputs: [
      { country_code: 'CH', percent: 8.1 },
      { country_code: 'NO', percent: 25 },
      { country_code: 'GB', percent: 20 },
    ],
    change: { percent: 2.6 },
    subjects: ['CH 8.1 %', 'CH 2.6 %'],
  },
]

async function fill(shop: Shop, { term, inputs }: Case) {
  const [first, second, third] = inputs
  return [await aTerm(shop, term, first), await aTerm(shop, term, second), await aTerm(shop, term, third)] as const
}

for (const one of CASES) {
  const { term, inputs, change, subjects } = one
  const words = term.replace('_', ' ')

  describe(`${words}s`, () => {
    test('are created, read, changed and deleted', async () => {
      const shop = await service.openShop()
      const [made, other] = await fill(shop, one)
      const path = `/api/${term}s/${made.id}.json`
      assert.deepEqual((await shop.get(path)).body[term], made)
      service.clock.advance(60)
      const changed = await changeTerm(shop, term, made.id, change)
      assert.deepEqual(changed, { ...made, ...change, updated_at: changed.updated_at })
      assert.ok(changed.updated_at > made.updated_at)
      assert.deepEqual((await shop.get(path)).body[term], changed)
      await deleteTerm(shop, term, made.id)
      for (const method of ['GET', 'PUT', 'DELETE']) {
        const { status, body } = await service.call(method, path, {
          token: shop.token,
          body: method === 'PUT' ? { [term]: change } : undefined,
        })
        assert.deepEqual([status, body.reason], [404, `${term}_not_found`], method)
      }
      assert.equal((await shop.get(`/api/${term}s/${other.id}.json`)).status, 200)
    })

    test('are listed in pages, with the fields that are asked for, and counted', async () => {
      const shop = await service.openShop()
      const made = await fill(shop, one)
      assert.deepEqual(await listTerms(shop, term), made)
      const ids = made.map(({ id }) => ({ id }))
      assert.deepEqual(await listTerms(shop, term, '?fields=id'), ids)
      assert.deepEqual(await listTerms(shop, term, `?fields=id&since_id=${made[0].id}`), ids.slice(1))
      assert.deepEqual(await listTerms(shop, term, '?fields=id&limit=2&page=2'), ids.slice(2))
      const page = await shop.get(`/api/${term}s.json?limit=2`)
      assert.match(page.headers.get('link') ?? '', new RegExp(`since_id=${made[1].id}>; rel="next"$`))
      const count = async (query = '') => (await shop.get(`/api/${term}s/count.json${query}`)).body.count
      assert.deepEqual([await count(), await count(`?since_id=${made[0].id}`)], [3, 2])
      await deleteTerm(shop, term, made[1].id)
      assert.deepEqual(await listTerms(shop, term), [made[0], made[2]])
      assert.equal(await count(), 2)
    })

    test('are created once with an Idempotency-Key, and have an ETag', async () => {
      const shop = await service.openShop()
      const send = () => shop.post(`/api/${term}s.json`, { [term]: inputs[0] }, { 'idempotency-key': 'once' })
      const [first, second] = [await send(), await send()]
      assert.deepEqual([second.status, second.text], [201, first.text])
      assert.equal(second.headers.get('idempotent-replayed'), 'true')
      const path = `/api/${term}s/${first.body[term].id}.json`
      const etag = (await shop.get(path)).headers.get('etag') ?? ''
      assert.equal((await shop.get(path, undefined, { 'if-none-match': etag })).status, 304)
    })

    test('are on record with user and app', async () => {
      const shop = await service.openShop()
      const { id } = await aTerm(shop, term, inputs[0])
      await changeTerm(shop, term, id, change)
      await deleteTerm(shop, term, id)
      const by = { user_id: shop.userId, app_id: shop.appId }
      assert.deepEqual(await auditOf(service, shop), [
        { action: `${words} created`, subject: subjects[0], ...by },
        { action: `${words} changed`, subject: subjects[1], ...by },
        { action: `${words} deleted`, subject: subjects[1], ...by },
      ])
    })

    test('cannot be there twice, and can be made again once they are deleted', async () => {
      const shop = await service.openShop()
      const [made, other] = await fill(shop, one)
      const answer = await createTerm(shop, term, inputs[0])
      assert.equal(answer.status, 422, answer.text)
      const [field = ''] = Object.keys(answer.body.errors)
      const renamed = await shop.put(`/api/${term}s/${other.id}.json`, { [term]: { [field]: made[field] } })
      assert.deepEqual([renamed.status, renamed.body.reason], [422, answer.body.reason])
      await deleteTerm(shop, term, made.id)
      await aTerm(shop, term, inputs[0])
    })

    test('of one company are nothing to another', async () => {
      const [shop, stranger] = [await service.openShop(), await service.openShop()]
      const [made] = await fill(shop, one)
      await aTerm(stranger, term, inputs[0])
      assert.equal((await stranger.get(`/api/${term}s/${made.id}.json`)).status, 404)
      assert.equal((await listTerms(stranger, term)).length, 1)
    })
  })
}
