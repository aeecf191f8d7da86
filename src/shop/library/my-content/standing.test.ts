import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openCheckout, pay, put, tell } from '#test/checkout.ts'
import { anEmail } from '#test/customers.ts'
import { useService } from '#test/harness.ts'
import { aBuyer, aFilm, anOrder } from '#test/orders.ts'
import { enterShop, ownedContent } from '#test/owned-content.ts'
import { useShopPages } from '#test/shop-pages.ts'

const service = useService()
const pages = useShopPages(service)
const today = () => service.clock.now().toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' })

describe('My Content', () => {
  test('says when something was refunded, with a button to buy it again', async () => {
    const { shop, base } = pages
    const customer = await aBuyer(shop)
    const film = await aFilm(service, shop, 1190, { title: 'Salt' })
    const { id } = await anOrder(shop, customer, [{ product_id: film.product_id }])
    assert.equal((await shop.post(`/api/orders/${id}/refunds.json`, { refund: { all: true } })).status, 201)
    const { text } = await (await enterShop(service, shop, base, customer)).get(`${base}/my-content`)
    assert.match(
      text,
      new RegExp(`<h2[^>]*>Ended</h2>[\\s\\S]*chip grey[\\s\\S]*Refunded on ${today()}[\\s\\S]*<h3>Salt</h3>`),
    )
    assert.match(text, new RegExp(`href="${base}/products/${film.id}">Buy again<`))
  })

  test('says when a rental has ended, with a button to rent it again', async () => {
    const { shop, base } = pages
    const terms = { drm: 1, allow_play: 1, expire_after_acquisition: 1, expire_after_acquisition_mode: 0 }
    const { customer, product } = await ownedContent(service, shop, { files: [], terms, product: { title: 'Lofoten' } })
    const ended = new Date(service.clock.now().getTime() + 3_600_000)
    service.clock.advance(7200)
    const later = await shop.withScopes('customers')
    const { text } = await (await enterShop(service, later, base, customer)).get(`${base}/my-content`)
    service.clock.advance(-7200)
    const day = ended.toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' })
    assert.match(text, new RegExp(`Ended on ${day}`))
    assert.match(text, new RegExp(`href="${base}/products/${product.id}">Rent again<`))
  })

  test('lets somebody who kept the right of withdrawal start at once, from the shelf', async () => {
    const at = await openCheckout(service)
    const guest = at.guest()
    await put(guest, at.base, await aFilm(service, at.shop, 1190, { title: 'Making' }))
    await tell(guest, at.base, { email: anEmail() })
    await pay(guest, at.base)
    const waiting = await guest.get(`${at.base}/my-content`)
    assert.match(waiting.text, /<h2[^>]*>Waiting for you<\/h2>[\s\S]*chip amber[\s\S]*Starts on /)
    assert.match(waiting.text, /I agree that delivery starts before the 14-day withdrawal period ends[\s\S]*Start now</)
    await guest.submit(/\/my-content\/\d+\/start$/)
    const started = await guest.get(`${at.base}/my-content`)
    assert.doesNotMatch(started.text, /Start now|Waiting for you/)
    assert.match(started.text, /Yours/)
  })
})
