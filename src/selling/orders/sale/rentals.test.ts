import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openCheckout, pay, put, tell } from '#test/checkout.ts'
import { anEmail } from '#test/customers.ts'
import { RENT } from '#test/factories.ts'
import { useService } from '#test/harness.ts'
import { aBuyer, aFilm, anOrder, aPriceId } from '#test/orders.ts'

const service = useService()

describe('a rental', () => {
  test('is sold by an app as often as it asks', async () => {
    const shop = await service.openShop()
    const price_license_binding = [{ license_id: RENT, price_id: await aPriceId(service, shop, 399) }]
    const film = await aFilm(service, shop, 0, { price_license_binding })
    const sold = await anOrder(shop, await aBuyer(shop), [{ product_id: film.product_id, quantity: 2 }])
    assert.equal(sold.line_items[0].quantity, 2)
    assert.equal(sold.total_price, 798)
  })

  test('stays one in the cart of a shop, whatever the form says', async () => {
    const { shop, base, guest } = await openCheckout(service)
    const price_license_binding = [{ license_id: RENT, price_id: await aPriceId(service, shop, 399) }]
    const film = await aFilm(service, shop, 0, { price_license_binding })
    const visitor = guest()
    const cart = await put(visitor, base, film, { license_id: String(RENT), quantity: '3' })
    assert.match(cart.text, /€3\.99/)
    assert.doesNotMatch(cart.text, /€11\.97|name="quantity"/)
    await visitor.post(`${base}/cart/lines`, { line: '0', quantity: '2' })
    assert.match((await visitor.get(`${base}/`)).text, /<span class="count">1<\/span>/)
    await tell(visitor, base, { email: anEmail() })
    await pay(visitor, base, { consent: '1' })
    const [{ line_items }] = (await shop.get('/api/orders.json')).body.orders
    assert.equal(line_items[0].quantity, 1)
  })
})
