import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Wire } from '#test/factories.ts'
import { aFailedCopy } from '#test/failed-copies.ts'
import { type Shop, useService } from '#test/harness.ts'
import { aFilm } from '#test/orders.ts'

const service = useService()

const failuresOf = async (shop: Shop, query = ''): Promise<Wire[]> =>
  (await shop.get(`/api/file_failures.json${query}`)).body.file_failures

/** A shop with a file of which no copy could be made for two buyers, and one without a fault. */
async function aFaultyShop() {
  const shop = await service.openShop()
  const [faulty, sound] = [await aFilm(service, shop), await aFilm(service, shop)]
  const [file] = (await shop.get(`/api/files.json?product_id=${faulty.product_id}`)).body.files
  for (const entitlement_id of [1, 2]) await aFailedCopy(service, shop, { file_id: file.id, entitlement_id })
  return { shop, faulty, sound, file }
}

describe('GET /api/file_failures.json', () => {
  test('says which copies could not be made, and why, to their company alone', async () => {
    const { shop, faulty, sound, file } = await aFaultyShop()
    const [first, second, ...others] = await failuresOf(shop)
    assert.deepEqual(others, [])
    assert.match(first.failed_at, /^\d{4}-/)
    assert.deepEqual(first, {
      id: first.id,
      file_id: file.id,
      product_id: faulty.product_id,
      entitlement_id: 1,
      name: 'walden.pdf',
      reason: 'The PDF is damaged or incomplete.',
      failed_at: first.failed_at,
    })
    assert.equal(second.entitlement_id, 2)
    assert.deepEqual(await failuresOf(shop, `?product_id=${faulty.product_id}`), [first, second])
    assert.deepEqual(await failuresOf(shop, `?product_id=${sound.product_id}`), [])
    assert.deepEqual(await failuresOf(shop, '?product_id=nothing'), [])
    assert.deepEqual(await failuresOf(await service.openShop()), [])
    assert.equal((await (await shop.withScopes('orders')).get('/api/file_failures.json')).status, 403)
  })

  test('needs nobody any more once the file is removed', async () => {
    const { shop, faulty, file } = await aFaultyShop()
    const kinds = async () =>
      (await shop.get('/api/attention.json')).body.attention.items
        .filter(({ kind }: Wire) => kind === 'files_failed')
        .map(({ count, subject, subject_id }: Wire) => [count, subject, subject_id])
    assert.deepEqual(await kinds(), [[1, faulty.title, faulty.id]])
    assert.equal((await shop.delete(`/api/files/${file.id}.json`)).status, 200)
    assert.deepEqual(await kinds(), [])
    assert.deepEqual(await failuresOf(shop, `?product_id=${faulty.product_id}`), [])
    assert.deepEqual(
      (await failuresOf(shop)).map(({ product_id }) => product_id),
      [null, null],
    )
  })
})
