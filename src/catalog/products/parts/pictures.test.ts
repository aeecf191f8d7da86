import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { listFailedPictures } from '#catalog/pictures/queries.ts'
import {
  aProduct,
  assertBlames,
  assertPresentedFresh,
  eventsOf,
  readProduct,
  usePictureHost,
  type Wire,
} from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'

const service = useService()
const host = usePictureHost()

async function put(shop: Shop, id: number, product: object): Promise<Wire> {
  const answer = await shop.put(`/api/products/${id}.json`, { product })
  assert.equal(answer.status, 200, answer.text)
  return answer.body.product
}

/** A product with two preview pictures that the service has already fetched. */
async function illustrated(shop: Shop): Promise<Wire> {
  const { id } = await aProduct(shop, { images: [{ src: host.url('/a.png') }, { src: host.url('/b.png') }] })
  await service.runJobs()
  return readProduct(shop, id)
}

async function rowsOf(shop: Shop) {
  return service.db.selectFrom('pictures').selectAll().where('company_id', '=', shop.companyId).orderBy('id').execute()
}

describe('preview pictures', () => {
  test('are shown where they were given until the service has fetched them, then at its own address', async () => {
    const shop = await service.openShop()
    const product = await aProduct(shop, { preview_pictures: [{ src: host.url('/a.png') }] })
    assert.equal(product.preview_pictures[0].src, host.url('/a.png'))
    service.clock.advance(1)
    await service.runJobs()
    const after = await readProduct(shop, product.id)
    assert.equal(after.preview_pictures[0].id, product.preview_pictures[0].id)
    assert.match(
      after.preview_pictures[0].src,
      new RegExp(`^${service.url}/pictures/${shop.companyId}/\\d+/\\w+\\.png$`),
    )
    assert.deepEqual(after.images, after.preview_pictures)
    assert.ok(after.updated_at > product.updated_at)
    const picture = await fetch(after.preview_pictures[0].src)
    assert.deepEqual([picture.status, picture.headers.get('content-type')], [200, 'image/png'])
    assert.deepEqual(
      (await eventsOf(service, shop)).map(({ topic }) => topic),
      ['product/create', 'product/update'],
    )
    await assertPresentedFresh(service, shop, product.id)
  })

  for (const name of ['images', 'preview_pictures']) {
    test(`can be sent as ${name}: kept by id, by given or by own address, in the order sent`, async () => {
      const shop = await service.openShop()
      const { id, images } = await illustrated(shop)
      const asked = host.requests.length
      const swapped = await put(shop, id, { [name]: [{ id: images[1].id }, { id: images[0].id }] })
      assert.deepEqual(swapped.images, [images[1], images[0]])
      const byOwn = await put(shop, id, { [name]: [{ src: images[0].src }, { src: images[1].src }] })
      assert.deepEqual(byOwn.images, images)
      const byGiven = await put(shop, id, {
        [name]: [{ src: host.url('/b.png') }, { id: null, src: host.url('/a.png') }],
      })
      assert.deepEqual(byGiven.images, [images[1], images[0]])
      await service.runJobs()
      assert.equal(host.requests.length, asked)
      await assertPresentedFresh(service, shop, id)
    })
  }

  test('are replaced by another URL under the same id, and fetched again', async () => {
    const shop = await service.openShop()
    const { id, images } = await illustrated(shop)
    const sent = [{ id: images[0].id, src: host.url('/c.png') }, { id: images[1].id }]
    const product = await put(shop, id, { images: sent })
    assert.deepEqual(product.images, [{ id: images[0].id, src: host.url('/c.png') }, images[1]])
    await service.runJobs()
    assert.match((await readProduct(shop, id)).images[0].src, /\/pictures\//)
    assert.equal(host.requests.filter((path) => path === '/c.png').length, 1)
  })

  test('are removed when they are not sent, all of them by [], with their files', async () => {
    const shop = await service.openShop()
    const { id, images } = await illustrated(shop)
    assert.deepEqual((await put(shop, id, { title: 'Home' })).images, images)
    assert.deepEqual((await put(shop, id, { images: [{ id: images[1].id }] })).images, [images[1]])
    assert.deepEqual((await put(shop, id, { preview_pictures: [] })).images, [])
    assert.deepEqual(await rowsOf(shop), [])
    await service.runJobs()
    for (const { src } of images) assert.equal((await fetch(src)).status, 404)
  })

  test('follow the one of the two names that changes something, when a whole product is sent back', async () => {
    const shop = await service.openShop()
    const product = await illustrated(shop)
    const [first, second] = product.images
    assert.deepEqual((await put(shop, product.id, { ...product, images: [second, first] })).images, [second, first])
    const before = await readProduct(shop, product.id)
    assert.deepEqual((await put(shop, product.id, { ...before, preview_pictures: [first] })).images, [first])
    assert.deepEqual((await put(shop, product.id, { ...(await readProduct(shop, product.id)), images: [] })).images, [])
  })

  test('may be 256, and not one more', async () => {
    const shop = await service.openShop()
    const many = (count: number) => Array.from({ length: count }, (_, index) => ({ src: host.url(`/${index}.png`) }))
    const product = await aProduct(shop, { preview_pictures: many(256) })
    assert.equal(product.preview_pictures.length, 256)
    assert.deepEqual((await put(shop, product.id, product)).images, product.images)
    for (const name of ['preview_pictures', 'images'])
      assertBlames(await shop.put(`/api/products/${product.id}.json`, { product: { [name]: many(257) } }), [name])
    assertBlames(
      await shop.post('/api/products.json', { product: { product_type: 1, title: 'Film', images: many(257) } }),
      ['images'],
    )
    await service.db.deleteFrom('jobs').where('company_id', '=', shop.companyId).execute()
  })

  test('without an address ask for nothing', async () => {
    const shop = await service.openShop()
    const { id } = await aProduct(shop, { images: [{ src: '' }, {}, { id: 0, src: '' }] })
    assert.deepEqual((await readProduct(shop, id)).images, [])
    assert.deepEqual(await rowsOf(shop), [])
  })

  test('are refused with an id that is not of this product, or a URL that cannot be fetched', async () => {
    const shop = await service.openShop()
    const other = await illustrated(shop)
    const { id } = await aProduct(shop)
    const sent = [{ id: other.images[0].id }, { src: 'ftp://example.com/a.png' }, { src: 'a.png' }, { id: -1 }]
    assertBlames(await shop.put(`/api/products/${id}.json`, { product: { images: sent.slice(0, 3) } }), [
      'images[0].id',
      'images[1].src',
      'images[2].src',
    ])
    assertBlames(await shop.put(`/api/products/${id}.json`, { product: { images: sent } }), ['images[3].id'])
    assert.deepEqual((await readProduct(shop, other.id)).images, other.images)
  })

  test('that cannot be fetched keep their URL, and the failure is shown', async () => {
    const shop = await service.openShop()
    const src = host.url('/missing.png')
    const { id, images } = await aProduct(shop, { images: [{ src }] })
    for (const _try of Array.from({ length: 5 })) {
      await service.runJobs()
      service.clock.advance(3600)
    }
    const [failed] = await listFailedPictures(service.db, shop.companyId, 10)
    assert.deepEqual([failed?.id, failed?.source_url, failed?.product_key], [images[0].id, src, id])
    assert.match(failed?.failure ?? '', /404/)
    // The clock went on by hours, and the first token has expired.
    assert.equal((await readProduct(await shop.withScopes('products'), id)).images[0].src, src)
  })

  test('are gone with their product, and their files too', async () => {
    const shop = await service.openShop()
    const { id, images } = await illustrated(shop)
    assert.equal((await shop.delete(`/api/products/${id}.json`)).status, 200)
    await service.runJobs()
    assert.deepEqual(await rowsOf(shop), [])
    for (const { src } of images) assert.equal((await fetch(src)).status, 404)
  })
})

describe('the picture of a locale', () => {
  test('is fetched, kept while its address stays the same, and removed by null', async () => {
    const shop = await service.openShop()
    const { id } = await aProduct(shop, { locales: [{ language_id: 'en', title: 'Home', src: host.url('/en.png') }] })
    await service.runJobs()
    const fetched = await readProduct(shop, id)
    const [{ src, ...locale }] = fetched.locales
    assert.ok(src.startsWith(`${service.url}/pictures/`))
    assert.deepEqual(fetched.images, [])
    for (const same of [src, host.url('/en.png'), '', undefined])
      assert.equal((await put(shop, id, { locales: [{ id: locale.id, src: same }] })).locales[0].src, src)
    const other = await put(shop, id, { locales: [{ language_id: 'EN', src: host.url('/other.png') }] })
    assert.equal(other.locales[0].src, host.url('/other.png'))
    assert.equal((await rowsOf(shop)).length, 1)
    assert.equal((await put(shop, id, { locales: [{ id: locale.id, src: null }] })).locales[0].src, '')
    assert.deepEqual(await rowsOf(shop), [])
    await assertPresentedFresh(service, shop, id)
  })

  test('is no preview picture: clearing those leaves it', async () => {
    const shop = await service.openShop()
    const locales = [{ language_id: 'en', src: host.url('/en.png') }]
    const { id } = await aProduct(shop, { locales, images: [{ src: host.url('/a.png') }] })
    const product = await put(shop, id, { images: [] })
    assert.equal(product.locales[0].src, host.url('/en.png'))
    assert.deepEqual(product.images, [])
  })

  test('with a URL that cannot be fetched is refused at its place in the body', async () => {
    const shop = await service.openShop()
    const { id } = await aProduct(shop, { locales: [{ language_id: 'en' }, { language_id: 'de' }] })
    const locales = [{ language_id: 'de', src: 'javascript:alert(1)' }]
    assertBlames(await shop.put(`/api/products/${id}.json`, { product: { locales } }), ['locales[0].src'])
  })
})
