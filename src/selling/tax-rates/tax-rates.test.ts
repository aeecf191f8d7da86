import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { statementCount } from '#platform/db/database.ts'
import type { Wire } from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'
import { aBuyer, aFilm, anOrder, order, readOrder, someGoods } from '#test/orders.ts'
import { aTerm, changeTerm, createTerm, deleteTerm } from '#test/terms.ts'

const service = useService()

/** The rates of an order's tax lines, in percent. */
const percentsOf = ({ tax_lines }: Wire) => tax_lines.map(({ rate }: Wire) => Math.round(rate * 100_000) / 1000)

async function sellTo(shop: Shop, country: string, product: Wire): Promise<Wire> {
  return anOrder(shop, await aBuyer(shop, country), [product])
}

describe('a tax rate', () => {
  test('replaces the built-in rate of its country, until it is deleted', async () => {
    const shop = await service.openShop()
    const film = await aFilm(service, shop)
    const before = await sellTo(shop, 'FR', film)
    const rate = await aTerm(shop, 'tax_rate', { country_code: 'FR', percent: 5.5 })
    const own = await sellTo(shop, 'FR', film)
    const changed = await changeTerm(shop, 'tax_rate', rate.id, { percent: 2.1 })
    const later = await sellTo(shop, 'FR', film)
    await deleteTerm(shop, 'tax_rate', rate.id)
    const after = await sellTo(shop, 'FR', film)
    assert.deepEqual([before, own, later, after].map(percentsOf), [[20], [5.5], [2.1], [20]])
    assert.equal(changed.percent, 2.1)
    assert.deepEqual(await readOrder(shop, own.id), { ...own, customer: (await readOrder(shop, own.id)).customer })
    assert.deepEqual([own.total_price, own.total_tax], [1190, 62])
  })

  test('of the own country applies to what is sold at home and shipped inside the Union', async () => {
    const shop = await service.openShop()
    const [film, goods] = [await aFilm(service, shop), await someGoods(service, shop)]
    await aTerm(shop, 'tax_rate', { country_code: 'DE', percent: 7 })
    assert.deepEqual(percentsOf(await sellTo(shop, 'DE', film)), [7])
    assert.deepEqual(percentsOf(await sellTo(shop, 'FR', goods)), [7])
    assert.deepEqual(percentsOf(await sellTo(shop, 'FR', film)), [20])
  })

  test('of a country outside the Union is charged there, on everything', async () => {
    const shop = await service.openShop()
    const [film, goods] = [await aFilm(service, shop), await someGoods(service, shop)]
    assert.deepEqual(percentsOf(await sellTo(shop, 'CH', film)), [0])
    await aTerm(shop, 'tax_rate', { country_code: 'Switzerland', percent: '8.1', name: 'MWST' })
    assert.deepEqual(percentsOf(await sellTo(shop, 'CH', film)), [8.1])
    assert.deepEqual(percentsOf(await sellTo(shop, 'CH', goods)), [8.1])
    assert.deepEqual(percentsOf(await sellTo(shop, 'US', film)), [0])
  })

  test('has a country in any spelling, and is called VAT unless it has a name', async () => {
    const shop = await service.openShop()
    const { country_code, country_name, name } = await aTerm(shop, 'tax_rate', { country_code: 'france', percent: 0 })
    assert.deepEqual([country_code, country_name, name], ['FR', 'France', 'VAT'])
  })

  test('of another company changes nothing', async () => {
    const [shop, other] = [await service.openShop(), await service.openShop()]
    await aTerm(other, 'tax_rate', { country_code: 'FR', percent: 1 })
    assert.deepEqual(percentsOf(await sellTo(shop, 'FR', await aFilm(service, shop))), [20])
  })

  test('is read with the sale, without a statement of its own', async () => {
    const shop = await service.openShop()
    const [film, buyer] = [await aFilm(service, shop), await aBuyer(shop, 'FR')]
    const statementsOfOrder = async () => {
      const counts: number[] = []
      for (let tries = 0; tries < 3; tries += 1) {
        const start = statementCount()
        await order(shop, { customer_token: buyer.token, line_items: [{ product_id: film.product_id }] })
        counts.push(statementCount() - start)
      }
      return Math.min(...counts)
    }
    const before = await statementsOfOrder()
    await aTerm(shop, 'tax_rate', { country_code: 'FR', percent: 5.5 })
    assert.equal(await statementsOfOrder(), before)
  })

  test('is refused with the fields that are at fault', async () => {
    const shop = await service.openShop()
    const wrong: [object, string[]][] = [
      [{}, ['country_code', 'percent']],
      [{ country_code: 'Atlantis', percent: 1 }, ['country_code']],
      [{ country_code: '', percent: 1 }, ['country_code']],
      [{ country_code: 'FR', percent: -1 }, ['percent']],
      [{ country_code: 'FR', percent: 100.5 }, ['percent']],
      [{ country_code: 'FR', percent: 5.5555 }, ['percent']],
      [{ country_code: 'FR', percent: 'a lot' }, ['percent']],
      [{ country_code: 'FR', percent: 1, name: 'x'.repeat(51) }, ['name']],
    ]
    for (const [input, fields] of wrong) {
      const { status, body } = await createTerm(shop, 'tax_rate', input)
      assert.deepEqual([status, Object.keys(body.errors).sort()], [422, fields], JSON.stringify(input))
    }
  })
})
