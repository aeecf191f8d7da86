import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { useService } from '#test/harness.ts'

const service = useService()

describe('POST /api/products.json', () => {
  test('makes a product from its type and title', async () => {
    const shop = await service.openShop()
    const { status, body } = await shop.post('/api/products.json', { product: { product_type: 1, title: 'Film' } })
    assert.equal(status, 201)
    assert.match(body.product.product_id, /^[0-9A-F]{4}(-[0-9A-F]{4}){3}$/)
  })
})
