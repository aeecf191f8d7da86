import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  aCategory,
  aPrice,
  aProduct,
  assertBlames,
  assertPresentedFresh,
  eventsOf,
  everything,
  PRODUCT_TYPES,
  readProduct,
  usePictureHost,
} from '#test/factories.ts'
import { useService } from '#test/harness.ts'

const service = useService()
const host = usePictureHost()
const PICTURE = 'https://pictures.example.com/cover.png'

describe('PUT /api/products/{id}.json', () => {
  for (const type of PRODUCT_TYPES) {
    test(`changes nothing but the time when a whole product of type ${type} is sent back`, async () => {
      const shop = await service.openShop()
      const categories = [await aCategory(shop), await aCategory(shop)]
      const ids = categories.map(({ id }) => id)
      const price = await aPrice(service, shop)
      const made = await aProduct(shop, everything(type, ids, price.id, host.url('/cover.png')))
      // Once with the given addresses of the pictures, once with the service's own.
      for (const round of ['given', 'own']) {
        if (round === 'own') await service.runJobs()
        const before = await readProduct(shop, made.id)
        assert.equal(before.preview_pictures[0].src.startsWith(service.url), round === 'own')
        service.clock.advance(1)
        const { status, body } = await shop.put(`/api/products/${made.id}.json`, { product: before })
        assert.equal(status, 200, JSON.stringify(body))
        assert.ok(body.product.updated_at > before.updated_at)
        assert.deepEqual(body.product, { ...before, updated_at: body.product.updated_at })
        await assertPresentedFresh(service, shop, made.id)
      }
    })
  }

  test('changes each attribute alone and leaves every other as it was', async () => {
    const shop = await service.openShop()
    const category = await aCategory(shop)
    const price = await aPrice(service, shop)
    const product = await aProduct(shop, everything(6, [], price.id, PICTURE))
    const changes = {
      title: 'Mug',
      version: '2',
      comment: '',
      published: true,
      published_at: null,
      pre_sales: false,
      attribute_set_id: null,
      supplier: null,
      gtin: '',
      weight: 0.001,
      items_in_stock: -3,
      runtime: null,
    }
    let before = product
    for (const [name, value] of Object.entries(changes)) {
      const { body } = await shop.put(`/api/products/${product.id}.json`, { product: { [name]: value } })
      assert.deepEqual(body.product[name], value, name)
      // The search-engine texts of locales follow the title, so they are looked at elsewhere.
      const { updated_at, locales } = body.product
      assert.deepEqual(body.product, { ...before, [name]: value, updated_at, locales })
      assert.deepEqual(body.product, await readProduct(shop, product.id))
      before = body.product
    }
    const { body } = await shop.put(`/api/products/${product.id}.json`, {
      product: { categories: [{ category_id: category.id }] },
    })
    assert.equal(body.product.categories[0].category_id, category.id)
  })

  test('is found by product_id in any case', async () => {
    const shop = await service.openShop()
    const { id, product_id } = await aProduct(shop)
    const answer = await shop.put(`/api/products/${product_id.toLowerCase()}.json`, { product: { title: 'Home' } })
    assert.deepEqual([answer.status, answer.body.product.id, answer.body.product.title], [200, id, 'Home'])
  })

  test('ignores what only the service may write, and what it does not know', async () => {
    const shop = await service.openShop()
    const product = await aProduct(shop, { drm_protected: false })
    const { status, body } = await shop.put(`/api/products/${product.id}.json`, {
      product: {
        id: 1,
        product_id: 'FFFF-FFFF-FFFF-FFFF',
        drm_protected: true,
        mirrored: true,
        valid: false,
        created_at: '2001-01-01T00:00:00',
        updated_at: 'never',
        content_files: 'none',
        company_id: 1,
        colour: 'red',
        themes: [{ theme_id: 1, created_at: 'x', shade: 1 }],
      },
    })
    assert.equal(status, 200)
    const { themes, updated_at } = body.product
    assert.deepEqual(Object.keys(themes[0]), ['id', 'theme_id', 'created_at'])
    assert.deepEqual({ ...body.product, themes: [] }, { ...product, updated_at })
  })

  test('refuses another type, and keeps the product as it was', async () => {
    const shop = await service.openShop()
    const product = await aProduct(shop)
    const answer = await shop.put(`/api/products/${product.id}.json`, { product: { product_type: 9, title: 'HD' } })
    assertBlames(answer, ['product_type'])
    assert.deepEqual(await readProduct(shop, product.id), product)
    assert.equal((await shop.put(`/api/products/${product.id}.json`, { product: { product_type: '1' } })).status, 200)
  })

  test('refuses a blank title and attributes of another type', async () => {
    const shop = await service.openShop()
    const { id } = await aProduct(shop)
    assertBlames(await shop.put(`/api/products/${id}.json`, { product: { title: '', gtin: '12' } }), ['title', 'gtin'])
  })

  test('refuses to change a mirrored product with 403, and says nothing of it to anyone', async () => {
    const shop = await service.openShop()
    const { id } = await aProduct(shop)
    await service.db.updateTable('products').set({ mirrored: true }).where('company_id', '=', shop.companyId).execute()
    const answer = await shop.put(`/api/products/${id}.json`, { product: { title: 'Mine' } })
    assert.deepEqual([answer.status, answer.body.code], [403, 'forbidden'])
    assert.deepEqual(
      (await eventsOf(service, shop)).map(({ topic }) => topic),
      ['product/create'],
    )
  })

  test('answers 404 for a product that is unknown, or of another company', async () => {
    const shop = await service.openShop()
    const { id, product_id } = await aProduct(await service.openShop())
    for (const ref of [
      id,
      product_id,
      0,
      -1,
      999_999_999,
      'abcd',
      '9223372036854775807',
      '9223372036854775808',
      '%00',
      '1.5',
      '1e3',
      '%F0%9F%98%80',
    ]) {
      assert.equal((await shop.put(`/api/products/${ref}.json`, { product: { title: 'Mine' } })).status, 404, `${ref}`)
      assert.equal((await shop.get(`/api/products/${ref}.json`)).status, 404, `${ref}`)
      assert.equal((await shop.delete(`/api/products/${ref}.json`)).status, 404, `${ref}`)
    }
  })

  test('hides and shows with published, and answers when it is released', async () => {
    const shop = await service.openShop()
    const { id } = await aProduct(shop)
    const put = async (product: object) => (await shop.put(`/api/products/${id}.json`, { product })).body.product
    assert.equal((await put({ published: false })).published, false)
    assert.equal((await put({ published: true })).published, true)
    assert.equal((await put({ published_at: '2031-01-01T12:00:00+02:00' })).published_at, '2031-01-01T10:00:00')
    assert.equal((await put({ published_at: '2031-01-01' })).published_at, '2031-01-01T00:00:00')
    assert.equal((await put({ published_at: null })).published_at, null)
    assert.equal((await put({ pre_sales: true })).pre_sales, true)
  })

  test('counts stock from the moment a level is sent, and forgets it when counting ends', async () => {
    const shop = await service.openShop()
    const { id, ...made } = await aProduct(shop, { product_type: 6 })
    const put = async (product: object) => {
      const { body } = await shop.put(`/api/products/${id}.json`, { product })
      return [body.product.manage_stock, body.product.items_in_stock]
    }
    assert.deepEqual([made.manage_stock, made.items_in_stock], [false, null])
    assert.deepEqual(await put({ items_in_stock: 4 }), [true, 4])
    assert.deepEqual(await put({ title: 'Mug' }), [true, 4])
    assert.deepEqual(await put({ manage_stock: false }), [false, null])
    assert.deepEqual(await put({ manage_stock: true }), [true, 0])
  })

  test('loses nothing when two changes of different attributes meet', async () => {
    const shop = await service.openShop()
    const { id } = await aProduct(shop)
    const sent = {
      title: 'Home',
      version: '3',
      comment: 'Both',
      supplier: 'S',
      runtime: 7,
      attribute_set_id: 4,
      published: false,
      pre_sales: true,
    }
    const changes = Object.entries(sent).map(([name, value]) =>
      shop.put(`/api/products/${id}.json`, { product: { [name]: value } }),
    )
    const locales = ['en', 'de', 'fr', 'es'].map((language_id) =>
      shop.put(`/api/products/${id}.json`, { product: { locales: [{ language_id, title: language_id }] } }),
    )
    for (const { status } of await Promise.all([...changes, ...locales])) assert.equal(status, 200)
    const product = await readProduct(shop, id)
    for (const [name, value] of Object.entries(sent)) assert.equal(product[name], value)
    assert.deepEqual(product.locales.map((locale: { title: string }) => locale.title).sort(), ['de', 'en', 'es', 'fr'])
    await assertPresentedFresh(service, shop, id)
  })
})
