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
        ['mary ann van der b', mary],
        ['van der berg mary', mary],
        ['mary ann van der berg jane'],
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

  describe('finds the lines of orders', () => {
    const line = ({ product_id }: { product_id: string }) => ({ product_id })

    test('are found by words of a title, together with what else the words fit', async () => {
      const runner = await aFilm(service, shop, 1190, { title: 'Harvest Runner 2049: The Long Way' })
      const other = await aFilm(service, shop, 1190, { title: 'Other' })
      const harvey = await aCustomer(shop, { first_name: 'Harv', last_name: 'Lane', email: 'harv@example.net' })
      // What fits in two ways is found once.
      const bought = await anOrder(shop, harvey, [line(runner), line(other), line(runner)], { order_number: 'Runner' })
      const named = await anOrder(shop, harvey, [line(other)], { order_number: 'HARVEST' })
      const numbered = await anOrder(shop, harvey, [line(other)], { po_number: '2049', order_number: 'harv' })
      for (const [typed, ...expected] of [
        ['runner', bought],
        ['RUN', bought],
        ['way the runner long', bought],
        ['harvest runner 2049 the', bought],
        ['2049', bought, numbered],
        // A number without a digit, and the beginning of a title.
        ['harvest', bought, named],
        // The customer of all, who is called like the title of one.
        ['harv', bought, named, numbered],
        ['runner nobody'],
      ] as const)
        assert.deepEqual(
          await found('orders', typed),
          expected.map(({ id }) => id),
          typed,
        )
      assert.deepEqual(await found('orders', 'harv', '&sort=-id&updated_at_min=2000-01-01'), [
        numbered.id,
        named.id,
        bought.id,
      ])
      const stranger = await service.openShop()
      assert.deepEqual((await stranger.get('/api/orders.json?q=runner')).body.orders, [])
    })

    test('are found by the title that their buyers read, after it was changed and the product deleted', async () => {
      const film = await aFilm(service, shop, 1190, { title: 'Quagmire' })
      const buyer = await aCustomer(shop, { first_name: 'Ina', last_name: 'Thom', email: 'ina@example.net' })
      const before = await anOrder(shop, buyer, [line(film)])
      assert.equal((await shop.put(`/api/products/${film.id}.json`, { product: { title: 'Zenith' } })).status, 200)
      const after = await anOrder(shop, buyer, [line(film)])
      assert.equal((await shop.delete(`/api/products/${film.id}.json`)).status, 200)
      assert.deepEqual(await found('orders', 'quagmire'), [before.id, after.id], 'it is one product')
      assert.deepEqual(await found('orders', 'zenith'), [before.id, after.id])
    })

    test('are found by a title that was sold thousands of times', async () => {
      const many = await service.openShop()
      const film = await aFilm(service, many, 1190, { title: 'Bestseller' })
      const rare = await aFilm(service, many, 1190, { title: 'Slow' })
      const buyer = await aCustomer(many, { first_name: 'Ina', last_name: 'Thom', email: 'ina.t@example.net' })
      const ids: number[] = []
      for (let nth = 0; nth < 13; nth += 1) {
        const lines = Array.from({ length: 250 }, () => line(film))
        ids.push((await anOrder(many, buyer, lines, { generate_codes: true })).id)
      }
      await anOrder(many, buyer, [line(rare)])
      const list = await many.get('/api/orders.json?q=bestseller')
      assert.deepEqual(
        list.body.orders.map(({ id }: { id: number }) => id),
        ids,
      )
      assert.equal((await many.get('/api/orders/count.json?q=bestseller')).body.count, ids.length)
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
