import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { aCustomer, shareCustomer } from './customers.ts'
import { aProduct } from './factories.ts'
import { type Shop, useService } from './harness.ts'
import { aFilm, anOrder } from './orders.ts'
import { plansOf, rowsRead } from './plans.ts'
import { aTerm } from './terms.ts'

const service = useService()

let shop: Shop

/** The ids that a list finds for what somebody typed; its count has to be the same. */
async function found(list: string, typed: string, more = ''): Promise<number[]> {
  const query = `q=${encodeURIComponent(typed)}${more}`
  const answer = await shop.get(`/api/${list}.json?${query}`)
  assert.equal(answer.status, 200, answer.text)
  const ids = (Object.values(answer.body)[0] as { id: number }[]).map(({ id }) => id)
  assert.equal((await shop.get(`/api/${list}/count.json?${query}`)).body.count, ids.length, query)
  return ids
}

describe('what somebody types', () => {
  before(async () => {
    shop = await service.openShop()
  })

  describe('finds customers', () => {
    test('are found by the beginnings of their names in any order, and of their address', async () => {
      const jane = await aCustomer(shop, { first_name: 'Jane', last_name: 'Roe', email: 'jane.roe@example.com' })
      const janet = await aCustomer(shop, { first_name: 'Janet', last_name: 'Özil', email: 'j.ozil@example.com' })
      const roland = await aCustomer(shop, { first_name: 'Roland', last_name: 'Janssen', email: 'rj@example.com' })
      const mary = await aCustomer(shop, {
        first_name: 'Mary Ann',
        last_name: 'van der Berg',
        email: 'mab@example.com',
      })
      for (const [typed, ...expected] of [
        ['mary ann', mary],
        ['van der b', mary],
        ['mar van', mary],
        ['jan', jane, janet, roland],
        ['JANE', jane, janet],
        ['ro jan', jane, roland],
        ['jan ro', jane, roland],
        ['öz', janet],
        ['jane.roe@', jane],
        ['rj@EXAMPLE.com', roland],
        ['jan rj@', roland],
        [jane.token.toLowerCase(), jane],
        ['ane'],
        ['jan x'],
        ['%'],
        ['jan\\'],
        ["jan' or 1=1"],
      ] as const)
        assert.deepEqual(
          await found('customers', typed),
          expected.map(({ id }) => id),
          typed,
        )
      assert.deepEqual(await found('customers', 'jan', '&sort=-id'), [roland.id, janet.id, jane.id])
    })

    test('of other companies are not found, also by their address or token', async () => {
      const other = await service.openShop()
      const theirs = await aCustomer(other, { first_name: 'Zora', last_name: 'Quill', email: 'zora@example.com' })
      for (const typed of ['zora', 'zora@', theirs.token]) assert.deepEqual(await found('customers', typed), [], typed)
      await shareCustomer(shop, theirs, { first_name: 'Zoë' })
      assert.equal((await found('customers', 'zora@')).length, 1)
      assert.deepEqual(await found('customers', 'zora'), [], 'the name is what this company knows')
    })

    test('are found without reading all of them', async () => {
      const many = await service.openShop()
      await sql`with made as (
        insert into customers (email, verified_email, token, password_hash, language, state, created_at, updated_at)
        select 'many' || n || '@example.org', true, translate(lpad(n::text, 16, '0'), '0123456789', 'ABCDEFGHIJ'), null, 'en',
          'enabled', now(), now() from generate_series(1, 3000) as n returning id)
      insert into customer_relations (company_id, customer_id, first_name, last_name, addresses, document, note,
          created_at, updated_at)
      select ${many.companyId}, id, 'Name' || id, 'Surname' || id, '[]', '{}', '', now(), now() from made`
        .execute(service.db)
        .catch((error: Error) => assert.fail(error.message))
      await sql`analyze customer_relations, customers`.execute(service.db)
      const plans = await plansOf(service, 'customer_relations', () =>
        many.get('/api/customers.json?q=name12&limit=5&fields=id'),
      )
      assert.equal(plans.length, 1)
      const read = plans.reduce((sum, plan) => sum + rowsRead(plan, 'customer_relations'), 0)
      assert.ok(read < 1500, `${read} rows were read`)
    })
  })

  describe('finds orders', () => {
    test('are found by a number, or by their customer', async () => {
      const film = await aFilm(service, shop)
      const ada = await aCustomer(shop, { first_name: 'Ada', last_name: 'Byron', email: 'ada@example.net' })
      const buy = (attributes: object) => anOrder(shop, ada, [{ product_id: film.product_id }], attributes)
      const [one, two] = [await buy({ order_number: 'WC-77' }), await buy({ po_number: 'PO 9/1' })]
      for (const [typed, ...expected] of [
        ['wc-77', one],
        ['po 9/1', two],
        [String(two.id), two],
        [`#${one.id}`, one],
        ['ada', one, two],
        ['byr ad', one, two],
        ['ada@example', one, two],
        ['WC-7'],
        ['adam'],
        ['999999999'],
        ['123456789012345678901234567890'],
      ] as const)
        assert.deepEqual(
          await found('orders', typed),
          expected.map(({ id }) => id),
          typed,
        )
      assert.deepEqual(await found('orders', 'ada', '&sort=-id'), [two.id, one.id])
      assert.deepEqual(await found('orders', 'ada', '&financial_status=refunded'), [])
      const other = await service.openShop()
      for (const typed of ['wc-77', 'ada', 'ada@', String(one.id)])
        assert.deepEqual((await other.get(`/api/orders.json?q=${encodeURIComponent(typed)}`)).body.orders, [], typed)
    })
  })

  describe('finds products and codes', () => {
    test('are found by the words of a title, the product_id, and the beginning of a code', async () => {
      const north = await aProduct(shop, { title: 'The Northern Light' })
      assert.deepEqual(await found('products', 'light nor'), [north.id])
      assert.deepEqual(await found('products', north.product_id.toLowerCase()), [north.id])
      assert.deepEqual(await found('products', 'south'), [])
      const spring = await aTerm(shop, 'discount_code', { code: 'Spring24', type: 'percentage', amount: 5 })
      await aTerm(shop, 'discount_code', { code: 'OFFSPRING', type: 'percentage', amount: 5 })
      assert.deepEqual(await found('discount_codes', 'SPR'), [spring.id])
      const film = await aFilm(service, shop)
      const made = await shop.post('/api/redemption_codes.json', { redemption_code: { product_id: film.product_id } })
      const [{ id, code }] = made.body.redemption_codes
      assert.ok((await found('redemption_codes', code.slice(0, 6).toLowerCase())).includes(id))
      assert.deepEqual(await found('redemption_codes', 'OOOO'), [])
    })

    test('an empty search is none, and a long one is refused', async () => {
      assert.equal((await shop.get('/api/products.json?q=')).status, 200)
      assert.equal((await shop.get(`/api/customers.json?q=${'x'.repeat(201)}`)).status, 422)
      assert.equal((await shop.get('/api/orders.json?q=%00')).status, 422)
    })
  })
})
