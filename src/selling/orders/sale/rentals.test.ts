import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openCheckout, pay, put, tell } from '#test/checkout.ts'
import { anEmail } from '#test/customers.ts'
import { aLicense, assertBlames, RENT } from '#test/factories.ts'
import { useService } from '#test/harness.ts'
import { aBuyer, aFilm, anOrder, aPriceId, order } from '#test/orders.ts'

const service = useService()

describe('a rental', () => {
  test('is sold once: an order for more is refused, and nothing is written', async () => {
    const shop = await service.openShop()
    const price_license_binding = [{ license_id: RENT, price_id: await aPriceId(service, shop, 399) }]
    const film = await aFilm(service, shop, 0, { price_license_binding })
    const { token } = await aBuyer(shop)
    const line = (quantity: number) => ({ product_id: film.product_id, license_id: RENT, quantity })
    const refused = await order(shop, { customer_token: token, line_items: [line(1), line(2)] })
    assertBlames(refused, ['line_items[1].quantity'])
    assert.match(refused.text, /"rental_quantity"/)
    assert.equal((await shop.get('/api/orders/count.json')).body.count, 0)
    assert.equal((await order(shop, { customer_token: token, line_items: [line(1)] })).status, 201)
  })

  test('is sold several times as codes, of which each use is a rental, and a program for each seat', async () => {
    const shop = await service.openShop()
    const price_id = await aPriceId(service, shop, 399)
    const film = await aFilm(service, shop, 0, { price_license_binding: [{ license_id: RENT, price_id }] })
    const year = await aLicense(service, shop, { name: 'A year', expire_after_acquisition: 8760 })
    const program = await aFilm(service, shop, 0, {
      product_type: 4,
      price_license_binding: [{ license_id: year.id, price_id }],
    })
    const buyer = await aBuyer(shop)
    const codes = await anOrder(shop, buyer, [{ product_id: film.product_id, quantity: 5 }], { generate_codes: true })
    assert.equal(codes.line_items[0].quantity, 5)
    const seats = await anOrder(shop, buyer, [{ product_id: program.product_id, quantity: 3 }])
    assert.equal(seats.line_items[0].quantity, 3)
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
    await tell(visitor, base, { email: anEmail() })
    await pay(visitor, base, { consent: '1' })
    const [{ line_items }] = (await shop.get('/api/orders.json')).body.orders
    assert.equal(line_items[0].quantity, 1)
  })
})
