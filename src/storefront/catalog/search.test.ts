import assert from 'node:assert/strict'
import { test } from 'node:test'
import { statementCount } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { createProducts } from '#products/commands.ts'
import { type Shop, useService } from '#test/harness.ts'
import { aFilm } from '#test/orders.ts'
import { SEARCH_START, searchCards } from './search.ts'

const service = useService()

async function addHidden({ companyId }: Shop, count: number, published: boolean): Promise<void> {
  const input = { product_type: 9, title: 'A ferry', published }
  const inputs = Array.from({ length: count }, () => ({ input, now: new Date() }))
  await inTransaction(service.db, (tx) => createProducts(tx, companyId, inputs))
}

test('a search ends after so many rounds, however many products match that the shop does not show', async () => {
  const shop = await service.openShop()
  const { id } = await aFilm(service, shop, 1000, { title: 'The last ferry' })
  const search = async () => {
    const start = statementCount()
    const request = { companyId: shop.companyId, themeId: 1, words: 'ferry', place: SEARCH_START }
    const found = await searchCards(service.db, request, new Date())
    return { ids: found.map((card) => card.id), statements: statementCount() - start }
  }
  const alone = { ids: [id], statements: 2 }
  assert.deepEqual(await search(), alone)
  await addHidden(shop, 300, false)
  assert.deepEqual(await search(), alone)
  // Published, but without a license and a price.
  await addHidden(shop, 1100, true)
  assert.deepEqual(await search(), { ids: [], statements: 20 })
})
