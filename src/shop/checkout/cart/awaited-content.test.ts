import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { OURS, openCheckout, pay, put, tell } from '#test/checkout.ts'
import { withContent } from '#test/content.ts'
import { anEmail } from '#test/customers.ts'
import { aLicense, aPrice, aProduct, BUY, readProduct, type Wire } from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'
import { aBuyer, anOrder, readOrder } from '#test/orders.ts'
import { mirrorAll } from '#test/sales.ts'
import { someVideo, upload } from '#test/uploads.ts'
import { visit } from '#test/visitor.ts'

const service = useService()

/** Something that is for sale and has no file yet. */
async function anAwaited(shop: Shop, attributes: object = {}, license_id = BUY): Promise<Wire> {
  const price = await aPrice(service, shop, { currencies: [{ currency: 'eur', price: 1190 }] })
  return aProduct(shop, { published: true, price_license_binding: [{ license_id, price_id: price.id }], ...attributes })
}

const pageOf = async (base: string, { id }: Wire) =>
  (await visit(service.url, OURS).get(`${base}/products/${id}`)).text.replace(/\s+/g, ' ')

describe('content whose file is not there yet', () => {
  for (const [kind, product_type] of Object.entries({ film: 9, album: 24, book: 16, program: 4 }))
    test(`is shown and not sold: ${kind}`, async () => {
      const { shop, base, guest } = await openCheckout(service)
      const product = await anAwaited(shop, { product_type })
      const page = await pageOf(base, product)
      assert.match(page, /Not available yet/)
      assert.match(page, /€11\.90/)
      assert.match(page, /schema\.org\/OutOfStock/)
      assert.doesNotMatch(page, /action="[^"]*\/cart"|class="buybar"/)
      const visitor = guest()
      const answer = await visitor.post(`${base}/cart`, { product_id: product.product_id, license_id: String(BUY) })
      assert.equal(answer.headers.get('location'), `${base}/cart?refused=1`)
      assert.match((await visitor.get(`${base}/cart`)).text, /cart is empty/i)
    })

  test('keeps a collection from being sold until one of its products has a file', async () => {
    const { shop, base, guest } = await openCheckout(service)
    const films = [await anAwaited(shop, { title: 'One' }), await anAwaited(shop, { title: 'Two' })]
    const included_products = films.map(({ product_id }) => ({ product_id }))
    const box = await anAwaited(shop, { product_type: 8, title: 'Box', included_products })
    const variation = await anAwaited(shop, { product_type: 21, title: 'Choice', included_products })
    const ask = (product: Wire, chosen = '') =>
      guest().post(`${base}/cart`, { product_id: product.product_id, chosen_product_id: chosen })
    for (const product of [box, variation]) {
      assert.match(await pageOf(base, product), /Not available yet/)
      assert.equal((await ask(product)).headers.get('location'), `${base}/cart?refused=1`)
    }
    await upload(service, shop, films[1] as Wire, someVideo(), { name: 'film.mp4', role: 'main_sd' })
    assert.doesNotMatch(await pageOf(base, box), /Not available yet/)
    assert.equal((await ask(box)).headers.get('location'), `${base}/cart`)
    const [missing, there] = films.map(({ product_id }) => product_id)
    const buy = async (chosen: string) => {
      const visitor = guest()
      await visitor.post(`${base}/cart`, { product_id: variation.product_id, chosen_product_id: chosen })
      return (await visitor.get(`${base}/cart`)).text
    }
    assert.match(await buy(missing), /cannot be bought/)
    assert.doesNotMatch(await buy(there), /cannot be bought/)
  })

  test('is sold as soon as the file is there, and no longer once it is gone', async () => {
    const { shop, base } = await openCheckout(service)
    const film = await anAwaited(shop)
    assert.match(await pageOf(base, film), /Not available yet/)
    const trailer = await upload(service, shop, film, someVideo(), { name: 'trailer.mp4', role: 'trailer' })
    assert.match(await pageOf(base, film), /Not available yet/)
    const file = await upload(service, shop, film, someVideo(), { name: 'film.mp4', role: 'main_sd' })
    const page = await pageOf(base, film)
    assert.doesNotMatch(page, /Not available yet/)
    assert.match(page, /action="[^"]*\/cart"/)
    await shop.put(`/api/products/${film.id}.json`, { product: { title: 'Renamed' } })
    assert.match(await pageOf(base, film), /action="[^"]*\/cart"/)
    assert.equal((await shop.delete(`/api/files/${file.id}.json`)).status, 200)
    assert.match(await pageOf(base, film), /Not available yet/)
    assert.equal((await shop.put(`/api/files/${trailer.id}.json`, { file: { role: 'main_sd' } })).status, 200)
    assert.doesNotMatch(await pageOf(base, film), /Not available yet/)
  })

  test('leaves a cart in which it was, and nothing of it is bought', async () => {
    const { shop, base, guest } = await openCheckout(service)
    const film = await anAwaited(shop)
    const file = await upload(service, shop, film, someVideo(), { name: 'film.mp4', role: 'main_sd' })
    const visitor = guest()
    await put(visitor, base, film)
    await tell(visitor, base, { email: anEmail() })
    assert.equal((await shop.delete(`/api/files/${file.id}.json`)).status, 200)
    const answer = await pay(visitor, base)
    assert.doesNotMatch(answer.text, /Thank you/)
    assert.equal((await shop.get('/api/orders.json')).body.orders.length, 0)
  })

  test('is a pre-order where the owner sells ahead, on its page, in lists and in the order', async () => {
    const { shop, base, guest } = await openCheckout(service)
    const film = await anAwaited(shop, { pre_sales: true, title: 'Ahead' })
    const page = await pageOf(base, film)
    assert.match(page, /Pre-order\. You get it as soon as it is available/)
    assert.match(page, /schema\.org\/PreOrder/)
    assert.match((await guest().get(base)).text, /<span class="m">Pre-order<\/span>/)
    const visitor = guest()
    await put(visitor, base, film)
    await tell(visitor, base, { email: anEmail() })
    await pay(visitor, base)
    const [order] = (await shop.get('/api/orders.json')).body.orders
    assert.equal((await readOrder(shop, order.id)).line_items[0].product_exists, false)
    await withContent(service, shop, film)
    await shop.put(`/api/products/${film.id}.json`, { product: { title: 'Here' } })
    assert.doesNotMatch(await pageOf(base, film), /Pre-order/)
    assert.doesNotMatch((await guest().get(base)).text, /<span class="m">Pre-order<\/span>/)
  })

  test('is sold on a disc, which is shipped', async () => {
    const { shop, base, guest } = await openCheckout(service)
    const disc = await aLicense(service, shop, { name: 'Disc', type: 2, physical: 1 })
    const film = await anAwaited(shop, {}, disc.id)
    assert.doesNotMatch(await pageOf(base, film), /Not available yet/)
    const answer = await guest().post(`${base}/cart`, { product_id: film.product_id, license_id: String(disc.id) })
    assert.equal(answer.headers.get('location'), `${base}/cart`)
  })

  test('is sold through the API, with a warning for the owner', async () => {
    const shop = await service.openShop()
    const film = await anAwaited(shop)
    const [line] = (await anOrder(shop, await aBuyer(shop), [film])).line_items
    assert.equal(line.product_exists, true)
    assert.deepEqual((await readProduct(shop, film.id)).content_files, [])
  })

  test('is what the original of a mirrored product has', async () => {
    const owner = await service.openShop()
    const original = await anAwaited(owner)
    const { shop, base } = await openCheckout(service)
    const [mirror] = await mirrorAll(service, owner, shop)
    assert.match(await pageOf(base, mirror), /Not available yet/)
    await upload(service, owner, original, someVideo(), { name: 'film.mp4', role: 'main_sd' })
    await service.runJobs()
    assert.doesNotMatch(await pageOf(base, mirror), /Not available yet/)
  })
})
