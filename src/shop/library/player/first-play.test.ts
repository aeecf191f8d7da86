import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { HOME, heading, type OpenShop, openCheckout, orderIdOn, pay, put, tell } from '#test/checkout.ts'
import { anEmail } from '#test/customers.ts'
import { aLicense, aPrice, aProduct, type Wire } from '#test/factories.ts'
import { useService } from '#test/harness.ts'
import { someGoods } from '#test/orders.ts'
import { someVideo, upload } from '#test/uploads.ts'

const service = useService()

/** A film that can be rented for 48 hours from the first play. */
async function aRental(at: OpenShop): Promise<Wire> {
  const license = await aLicense(service, at.shop, { name: 'Rent', drm: 1, allow_play: 1, expire_after_first_use: 48 })
  const price = await aPrice(service, at.shop, { currencies: [{ currency: 'eur', price: 499 }] })
  const price_license_binding = [{ license_id: license.id, price_id: price.id }]
  const film = await aProduct(at.shop, { title: 'The Last Ferry', published: true, price_license_binding })
  await upload(service, at.shop, film, someVideo(), { name: 'film.mp4', role: 'main_sd' })
  return film
}

describe('from renting a film to watching it', () => {
  test('one press on the page of the order starts the film', async () => {
    const at = await openCheckout(service)
    const guest = at.guest()
    await put(guest, at.base, await aRental(at))
    await tell(guest, at.base, { email: anEmail() })
    const thanks = await pay(guest, at.base, { now: '1' })
    assert.match(thanks.text, /Watch now</)
    const playing = await guest.submit(/\/my-content\/\d+\/play$/)
    assert.equal(playing.status, 200)
    assert.match(playing.text, /<video [^>]*src="[^"]+" autoplay/)
    assert.doesNotMatch(playing.text, /<button class="play">/)
  })

  test('somebody whom the address of the order was passed on to has to sign in first', async () => {
    const at = await openCheckout(service)
    const guest = at.guest()
    await put(guest, at.base, await aRental(at))
    await tell(guest, at.base, { email: anEmail() })
    const { location = '' } = await guest.submit(`${at.base}/checkout/pay`, {
      gateway: 'Test',
      card: '4242424242424242',
      now: '1',
    })
    const other = at.guest()
    const page = await other.get(location)
    const [, link = ''] = /href="([^"]+\/open\?token=[^"]+)">Watch now/.exec(page.text) ?? []
    assert.match((await other.follow(await other.get(link.replaceAll('&#61;', '=')))).text, /Email me a sign-in link/)
  })

  test('a rental has no quantity in the cart, and goods have one', async () => {
    const at = await openCheckout(service)
    const guest = at.guest()
    const cart = await put(guest, at.base, await aRental(at))
    assert.doesNotMatch(cart.text, /name="quantity"/)
    assert.match(cart.text, /name="remove"/)
    assert.match((await put(guest, at.base, await someGoods(service, at.shop))).text, /name="quantity"/)
  })

  test('the picture on the shelf opens the player, and a guest is told one thing', async () => {
    const at = await openCheckout(service)
    const guest = at.guest()
    await put(guest, at.base, await aRental(at))
    await tell(guest, at.base, { email: anEmail() })
    await pay(guest, at.base, { now: '1' })
    const library = await guest.get(`${at.base}/my-content`)
    const [, shelf = ''] = /<a class="item" href="([^"]+)"><span class="art/.exec(library.text) ?? []
    assert.match((await guest.get(shelf)).location ?? '', /\/play$/)
    assert.match(library.text, /You are not signed in: this is what you bought/)
    assert.doesNotMatch(library.text, /Sign out|\/account\/(devices|orders)|\/my-content\/redeem/)
    await guest.get(`${at.base}/my-content`)
    const left = await guest.submit(`${at.base}/logout`)
    assert.equal(left.status, 303)
    assert.match((await guest.get(`${at.base}/my-content`)).location ?? '', /\/login/)
  })
})

test('the page of an order says where its goods are', async () => {
  const at = await openCheckout(service)
  const guest = at.guest()
  await put(guest, at.base, await someGoods(service, at.shop))
  await tell(guest, at.base, { email: anEmail(), ...HOME })
  const { location = '' } = await guest.submit(`${at.base}/checkout/pay`, { gateway: 'Test', card: '4242424242424242' })
  const placed = await guest.get(location)
  assert.equal(heading(placed), 'Thank you for your purchase')
  assert.match(placed.text, /We are preparing your parcel/)
  const fulfillment = { status: 100, tracking_number: 'P-1' }
  const shipped = await at.shop.put(`/api/fulfillments/${orderIdOn(placed)}.json`, { fulfillment })
  assert.equal(shipped.status, 200, shipped.text)
  assert.match((await guest.get(location)).text, /Your parcel is on its way\. P-1/)
})
