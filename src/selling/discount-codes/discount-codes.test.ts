import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { useService } from '#test/harness.ts'
import { aBuyer, aFilm, anOrder, order, readOrder } from '#test/orders.ts'
import { cancel } from '#test/sales.ts'
import { aTerm, changeTerm, createTerm, deleteTerm } from '#test/terms.ts'

const service = useService()
const SPRING = { code: 'SPRING', type: 'percentage', amount: 10 }
const discount_codes = [{ code: 'spring' }]

async function aShopWithCode(input: object = {}) {
  const shop = await service.openShop()
  const [film, buyer] = [await aFilm(service, shop), await aBuyer(shop)]
  const code = await aTerm(shop, 'discount_code', { ...SPRING, ...input })
  const read = async () => (await shop.get(`/api/discount_codes/${code.id}.json`)).body.discount_code
  return { shop, film, buyer, code, read }
}

describe('a discount code', () => {
  test('shows how many orders used it', async () => {
    const { shop, film, buyer, code, read } = await aShopWithCode({ usage_limit: 3 })
    assert.deepEqual([code.usage_count, code.usage_limit], [0, 3])
    const { id } = await anOrder(shop, buyer, [film], { discount_codes })
    await anOrder(shop, buyer, [film], { discount_codes })
    assert.equal((await read()).usage_count, 2)
    await cancel(shop, id)
    assert.equal((await read()).usage_count, 1)
  })

  test('applies as it is when an order is made', async () => {
    const { shop, film, buyer, code } = await aShopWithCode()
    const before = await anOrder(shop, buyer, [film], { discount_codes })
    await changeTerm(shop, 'discount_code', code.id, { type: 'fixed_amount', amount: 500 })
    const after = await anOrder(shop, buyer, [film], { discount_codes })
    assert.deepEqual([before.total_discounts, after.total_discounts], [119, 500])
    assert.equal((await readOrder(shop, before.id)).total_discounts, 119)
  })

  test('is found in any case, and is never taken for another one', async () => {
    const { shop, film, buyer } = await aShopWithCode({ code: 'STRASSE' })
    await aTerm(shop, 'discount_code', { ...SPRING, code: 'straße', amount: 20 })
    const taken = await createTerm(shop, 'discount_code', { ...SPRING, code: 'Straße' })
    assert.deepEqual([taken.status, Object.keys(taken.body.errors ?? {})], [422, ['code']], taken.text)
    for (const [code, found] of [
      ['straße', 'straße'],
      [' STRAßE ', 'straße'],
      ['strasse', 'STRASSE'],
    ]) {
      const made = await anOrder(shop, buyer, [film], { discount_codes: [{ code }] })
      assert.deepEqual(
        made.discount_codes.map((used: { code: string }) => used.code),
        [found],
      )
    }
  })

  test('that is deleted is refused for new orders and stays in old ones', async () => {
    const { shop, film, buyer, code } = await aShopWithCode()
    const before = await anOrder(shop, buyer, [film], { discount_codes })
    await deleteTerm(shop, 'discount_code', code.id)
    const body = { customer_token: buyer.token, line_items: [{ product_id: film.product_id }], discount_codes }
    const answer = await order(shop, body)
    assert.deepEqual([answer.status, answer.body.reason], [422, 'discount_code_unknown'])
    assert.deepEqual((await readOrder(shop, before.id)).discount_codes, before.discount_codes)
    await cancel(shop, before.id)
  })

  test('can start, end and be limited, and null takes it back', async () => {
    const { shop, code } = await aShopWithCode({ starts_at: '2031-01-01', ends_at: '2031-02-01', usage_limit: 5 })
    assert.deepEqual([code.starts_at, code.ends_at], ['2031-01-01T00:00:00', '2031-02-01T00:00:00'])
    const changed = await changeTerm(shop, 'discount_code', code.id, {
      starts_at: null,
      ends_at: null,
      usage_limit: null,
    })
    assert.deepEqual([changed.starts_at, changed.ends_at, changed.usage_limit], [null, null, null])
  })

  test('cannot be limited to fewer orders than have used it', async () => {
    const { shop, film, buyer, code } = await aShopWithCode()
    await anOrder(shop, buyer, [film], { discount_codes })
    await anOrder(shop, buyer, [film], { discount_codes })
    const answer = await shop.put(`/api/discount_codes/${code.id}.json`, { discount_code: { usage_limit: 1 } })
    assert.deepEqual([answer.status, Object.keys(answer.body.errors ?? {})], [422, ['usage_limit']], answer.text)
    await changeTerm(shop, 'discount_code', code.id, { usage_limit: 2 })
  })

  test('is refused with the fields that are at fault', async () => {
    const shop = await service.openShop()
    const wrong: [object, string[]][] = [
      [{}, ['amount', 'code', 'type']],
      [{ ...SPRING, type: 'gift' }, ['type']],
      [{ ...SPRING, amount: 101 }, ['amount']],
      [{ ...SPRING, code: ' ' }, ['code']],
      [{ ...SPRING, code: 'x'.repeat(101) }, ['code']],
      [{ ...SPRING, ends_at: 'soon' }, ['ends_at']],
      [{ ...SPRING, usage_limit: 0 }, ['usage_limit']],
    ]
    for (const [input, fields] of wrong) {
      const { status, body } = await createTerm(shop, 'discount_code', input)
      assert.deepEqual([status, Object.keys(body.errors).sort()], [422, fields], JSON.stringify(input))
    }
  })
})
