import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import type { Wire } from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'
import { aBuyer, aFilm, anOrder } from '#test/orders.ts'

const service = useService()

async function found(shop: Shop, filter: string): Promise<number[]> {
  const { orders } = (await shop.get(`/api/orders.json?sort=-id&${filter}`)).body
  const ids = orders.map(({ id }: Wire) => id)
  assert.equal((await shop.get(`/api/orders/count.json?${filter}`)).body.count, ids.length, filter)
  return ids
}

// The lists of the few are in lists.test.ts.
describe('orders of many', () => {
  test('are found by a name that hundreds of customers have', async () => {
    const shop = await service.openShop()
    const film = await aFilm(service, shop)
    const [roe, other] = [await aBuyer(shop), await aBuyer(shop, 'DE', { last_name: 'Other' })]
    const [first, , third] = [
      await anOrder(shop, roe, [film]),
      await anOrder(shop, other, [film]),
      await anOrder(shop, roe, [film]),
    ]
    await sql`with added as (
        insert into customers (token, email, language, state, verified_email, created_at, updated_at)
        select upper(translate(md5(nr::text), '0123456789', 'ghijklmnop'))::char(16), nr || '@many.example', language, state,
          verified_email, created_at, updated_at
        from customers, generate_series(1, 301) as nr where token = ${roe.token} returning id)
      insert into customer_relations select (json_populate_record(relation,
          json_build_object('customer_id', added.id))).*
        from added, customer_relations as relation
        where relation.company_id = ${shop.companyId} and relation.customer_id = ${roe.id}`.execute(service.db)
    assert.deepEqual(await found(shop, 'q=roe'), [third.id, first.id])
    assert.deepEqual(await found(shop, `q=roe&since_id=${first.id}`), [third.id])
    assert.deepEqual(await found(shop, 'q=roe&updated_at_min=2000-01-01'), [third.id, first.id])
    assert.deepEqual(await found(shop, 'q=roe&financial_status=refunded'), [])
  })

  test('are found by a product that was sold thousands of times', async () => {
    const shop = await service.openShop()
    const [film, short] = [await aFilm(service, shop), await aFilm(service, shop)]
    const buyer = await aBuyer(shop)
    const ids: number[] = []
    for (let nth = 0; nth < 13; nth += 1)
      ids.unshift(
        (
          await anOrder(
            shop,
            buyer,
            Array.from({ length: 250 }, () => film),
            { generate_codes: true },
          )
        ).id,
      )
    await anOrder(shop, buyer, [short])
    assert.deepEqual(await found(shop, `product_id=${film.product_id}`), ids)
    assert.deepEqual(await found(shop, `product_id=${film.product_id.toLowerCase()}&q=roe`), ids)
    assert.deepEqual(await found(shop, 'product_id=nothing'), [])
  })
})
