import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { sql } from 'kysely'
import { inTransaction } from '#platform/db/transaction.ts'
import { anOffer, aProduct, assertPresentedFresh, readProduct } from '#test/factories.ts'
import { useService } from '#test/harness.ts'
import { aFilm } from '#test/orders.ts'

const service = useService()
const MIGRATION = new URL('../../../migrations/0040_taggings.sql', import.meta.url)

test('an upgrade gives every product without a tagging one, the mirror that of its original', async () => {
  const [owner, shop] = [await service.openShop(), await service.openShop()]
  const tagged = await aProduct(shop, { title: 'Says "tagging":null', tagging: { year: 1999 } })
  const original = await aFilm(service, owner, 999, { title: 'Says "tagging":null' })
  const marketId = await anOffer(service, owner)
  const { products } = (await shop.post(`/api/marketplace/${marketId}/add.json`)).body
  const keys = [original.id, ...products.map(({ id }: { id: number }) => id)]
  assert.equal(products.length, 1)
  const changed = await sql`update products set
      tagging = regexp_replace(tagging::text, '"tagging":{[^}]*}', '"tagging":null')::json,
      document = regexp_replace(document, '"tagging":{[^}]*}', '"tagging":null')
    where id = any(${keys}::bigint[]) and document like '%"tagging":{%'`.execute(service.db)
  assert.equal(changed.numAffectedRows, 2n)
  const text = await readFile(MIGRATION, 'utf8')
  await inTransaction(service.db, (tx) => sql.raw(text).execute(tx))
  const { tagging, title } = await readProduct(owner, original.id)
  assert.deepEqual([tagging, title], [{ id: tagging.id, isbn: null, year: null }, original.title])
  await assertPresentedFresh(service, owner, original.id)
  for (const { id } of products) {
    assert.deepEqual((await readProduct(shop, id)).tagging, tagging)
    await assertPresentedFresh(service, shop, id)
  }
  assert.deepEqual(await readProduct(shop, tagged.id), tagged)
})
