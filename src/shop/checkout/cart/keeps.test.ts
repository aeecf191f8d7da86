import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { CARDS, type OpenShop, openCheckout, orderIdOn, pay, put, takeBills, tell } from '#test/checkout.ts'
import { anEmail } from '#test/customers.ts'
import { aLicense, aPrice, BUY, RENT, type Wire } from '#test/factories.ts'
import { useService } from '#test/harness.ts'
import { aBuyer, aDiscountCode, aFilm, anOrder, aPriceId, readOrder, setCompany } from '#test/orders.ts'
import { enterShop } from '#test/owned-content.ts'
import { offer } from '#test/payments.ts'
import { textsOf } from '#test/pdf-text.ts'
import { cancel, refund, refundedOf } from '#test/sales.ts'
import type { Visitor } from '#test/visitor.ts'

const service = useService()

type Priced = { rent?: number; buy?: number; more?: object }

/** A film that can be rented and bought. */
async function aRentable({ shop }: OpenShop, { rent = 399, buy = 1399, more = {} }: Priced = {}): Promise<Wire> {
  const price_license_binding = [
    { license_id: RENT, price_id: await aPriceId(service, shop, rent) },
    { license_id: BUY, price_id: await aPriceId(service, shop, buy) },
  ]
  return aFilm(service, shop, 0, { title: 'The Last Ferry', price_license_binding, ...more })
}

/** Somebody who has rented the film in this browser, without an account. */
async function aRenter(at: OpenShop, film: Wire, license = RENT) {
  const [guest, email] = [at.guest(), anEmail()]
  await put(guest, at.base, film, { license_id: String(license) })
  await tell(guest, at.base, { email })
  const thanks = await pay(guest, at.base, { now: '1' })
  assert.match(thanks.text, /Thank you/, thanks.text)
  return { guest, email, id: await rentalIn(guest, at) }
}

async function rentalIn(visitor: Visitor, { base }: OpenShop): Promise<number> {
  const { text } = await visitor.get(`${base}/my-content`)
  return Number(/\/my-content\/(\d+)\/open/.exec(text)?.[1])
}

/** Presses the button on the shelf. */
async function keep(visitor: Visitor, { base }: OpenShop) {
  await visitor.get(`${base}/my-content`)
  return visitor.follow(await visitor.submit(`${base}/cart`))
}

/** The form of the button, as somebody could send it by hand. */
const ask = (visitor: Visitor, { base }: OpenShop, film: Wire, id: number, more: Record<string, string> = {}) =>
  visitor.post(`${base}/cart`, { product_id: film.product_id, license_id: String(BUY), keeps: String(id), ...more })

async function checkOut(visitor: Visitor, at: OpenShop, email: string, fields: Record<string, string> = {}) {
  await tell(visitor, at.base, { email })
  const page = await pay(visitor, at.base, { now: '1', ...fields })
  return { page, order: await readOrder(at.shop, orderIdOn(page)) }
}

const cartOf = async (visitor: Visitor, { base }: OpenShop) => (await visitor.get(`${base}/cart`)).text
const shelfOf = async (visitor: Visitor, { base }: OpenShop) => (await visitor.get(`${base}/my-content`)).text
const FULL = /cannot be credited[^<]*full price/
const CREDITED = /The €3\.99 you paid for the rental is credited\./

describe('a rental in its time', () => {
  test('is kept for the difference, and is owned for good', async () => {
    const at = await openCheckout(service)
    const film = await aRentable(at)
    const { guest, email, id } = await aRenter(at, film)
    for (const path of ['/my-content', `/my-content/${id}`])
      assert.match(
        (await guest.get(`${at.base}${path}`)).text,
        /Keep it for €10\.00 more<span class="vh">: The Last Ferry/,
      )
    const cart = await keep(guest, at)
    assert.match(cart.text, CREDITED)
    assert.match(cart.text, /€10\.00/)
    assert.doesNotMatch(cart.text, /€13\.99|name="quantity"/)
    const { page, order } = await checkOut(guest, at, email)
    assert.match(page.text, CREDITED)
    assert.deepEqual([order.total_price, order.total_tax, order.subtotal_price], [1000, 160, 840])
    assert.deepEqual([order.line_items[0].license_id, order.line_items[0].price, order.total_discounts], [BUY, 840, 0])
    const shelf = await shelfOf(guest, at)
    assert.match(shelf, /class="chip green">[\s\S]{0,200}Yours/)
    assert.doesNotMatch(shelf, /Keep it/)
    await service.runJobs()
    const mails = await service.db.selectFrom('mails').select(['text', 'html']).where('recipient', '=', email).execute()
    assert.equal(mails.filter(({ text, html }) => CREDITED.test(text ?? '') && CREDITED.test(html ?? '')).length, 1)
  })

  test('is offered to a customer who has signed in, for the part of it that is left after its discount', async () => {
    const at = await openCheckout(service)
    await takeBills(service, at)
    const film = await aRentable(at)
    await aDiscountCode(service, at.shop, { code: 'HALF', type: 'percentage', amount: 50 })
    const buyer = await aBuyer(at.shop)
    const half = { discount_codes: [{ code: 'HALF' }] }
    await anOrder(at.shop, buyer, [{ product_id: film.product_id, quantity: 1, license_id: RENT }], half)
    const visitor = await enterShop(service, at.shop, at.base, buyer, { 'accept-language': 'en' })
    assert.match(await shelfOf(visitor, at), /Keep it for €12\.00 more/)
    const cart = await keep(visitor, at)
    assert.match(cart.text, /The €1\.99 you paid/)
    const { order } = await checkOut(visitor, at, buyer.email, { gateway: 'Manual' })
    assert.equal(order.total_price, 1200)
    const page = await visitor.get(`${at.base}/account/orders/${order.id}`)
    assert.match(page.text, /The €1\.99 you paid/)
  })

  test('is on the invoice in words, and its tax is that of what is paid', async () => {
    const at = await openCheckout(service)
    await takeBills(service, at)
    const film = await aRentable(at)
    const buyer = await aBuyer(at.shop)
    await anOrder(at.shop, buyer, [{ product_id: film.product_id, quantity: 1, license_id: RENT }])
    const visitor = await enterShop(service, at.shop, at.base, buyer, { 'accept-language': 'en' })
    await keep(visitor, at)
    const { order } = await checkOut(visitor, at, buyer.email, { gateway: 'Manual' })
    await service.runJobs()
    const { content } = await service.db
      .selectFrom('invoices')
      .select('content')
      .where('company_id', '=', at.shop.companyId)
      .where('order_id', '=', order.id)
      .$narrowType<{ content: Wire }>()
      .executeTakeFirstOrThrow()
    assert.deepEqual(content.lines[0].creditCents, 399)
    assert.deepEqual([content.netCents, content.taxCents, content.totalCents], [840, 160, 1000])
    const pdf = await fetch(`${service.url}/api/orders/${order.id}/invoice.pdf`, {
      headers: { authorization: `Bearer ${at.shop.token}` },
    })
    const texts = textsOf(Buffer.from(await pdf.arrayBuffer()))
    assert.ok(texts.includes('Rental payment credited: €3.99'), texts.join(' | '))
  })

  test('lowers the net price where prices have no tax in them', async () => {
    const at = await openCheckout(service)
    await setCompany(service, at.shop, { tax_options: 2 })
    const { guest, email } = await aRenter(at, await aRentable(at))
    await keep(guest, at)
    const { order } = await checkOut(guest, at, email)
    assert.deepEqual([order.subtotal_price, order.total_price], [1000, 1190])
  })

  test('costs nothing more if the purchase is cheaper than the rental was', async () => {
    const at = await openCheckout(service)
    const film = await aRentable(at, { rent: 500, buy: 300 })
    const { guest, email } = await aRenter(at, film)
    assert.match(await shelfOf(guest, at), /Keep it for good, at no extra cost/)
    await keep(guest, at)
    const { order } = await checkOut(guest, at, email)
    assert.deepEqual([order.total_price, order.total_tax, order.financial_status, order.test], [0, 0, 'paid', true])
    assert.doesNotMatch(await shelfOf(guest, at), /Keep it/)
  })

  test('is one piece, whatever a form says, and takes the place of the same offer in the cart', async () => {
    const at = await openCheckout(service)
    const film = await aRentable(at)
    const { guest, id } = await aRenter(at, film)
    await put(guest, at.base, film, { license_id: String(BUY) })
    await ask(guest, at, film, id, { quantity: '3' })
    await guest.post(`${at.base}/cart/lines`, { line: '0', quantity: '5' })
    const cart = await cartOf(guest, at)
    assert.match(cart, CREDITED)
    assert.equal(cart.match(/class="line"/g)?.length, 1)
    assert.match(cart, /€10\.00/)
  })

  test('gives back what was paid for the purchase, and can be kept again', async () => {
    const at = await openCheckout(service)
    const { guest, email } = await aRenter(at, await aRentable(at))
    await keep(guest, at)
    const { order } = await checkOut(guest, at, email)
    await refund(at.shop, order.id)
    const refunded = await readOrder(at.shop, order.id)
    assert.deepEqual([refunded.financial_status, refundedOf(refunded)], ['refunded', 1000])
    assert.match(await shelfOf(guest, at), /Keep it for €10\.00 more/)
  })
})

describe('what was paid for a rental', () => {
  test('is credited once, also if two purchases are made at once', async () => {
    const at = await openCheckout(service)
    const { guest, email } = await aRenter(at, await aRentable(at))
    const [{ customer }] = (await at.shop.get('/api/orders.json')).body.orders
    const member = await enterShop(service, at.shop, at.base, customer, { 'accept-language': 'en' })
    for (const visitor of [guest, member]) {
      await keep(visitor, at)
      assert.match((await tell(visitor, at.base, { email })).text, CREDITED)
    }
    const answers = await Promise.all(
      [guest, member].map((visitor) =>
        visitor.submit(`${at.base}/checkout/pay`, { gateway: 'Test', card: CARDS.pays, now: '1' }),
      ),
    )
    assert.deepEqual(answers.map(({ status }) => status).sort(), [303, 422])
    const refused = answers.find(({ status }) => status === 422)
    assert.match(refused?.text ?? '', FULL)
    assert.match(refused?.text ?? '', /€13\.99/)
    const prices = (await at.shop.get('/api/orders.json')).body.orders.map(({ total_price }: Wire) => total_price)
    assert.deepEqual(prices.sort(), [1000, 399])
  })

  test('is credited to one line of a cart', async () => {
    const at = await openCheckout(service)
    const other = await aLicense(service, at.shop, { name: 'Director’s cut' })
    const price_license_binding = [
      { license_id: RENT, price_id: await aPriceId(service, at.shop, 399) },
      { license_id: BUY, price_id: await aPriceId(service, at.shop, 1399) },
      { license_id: other.id, price_id: await aPriceId(service, at.shop, 1999) },
    ]
    const film = await aRentable(at, { more: { price_license_binding } })
    const { guest, id } = await aRenter(at, film)
    await ask(guest, at, film, id)
    await ask(guest, at, film, id, { license_id: String(other.id) })
    const cart = await cartOf(guest, at)
    assert.match(cart, CREDITED)
    assert.match(cart, FULL)
    assert.match(cart, /€10\.00[\s\S]*€19\.99[\s\S]*€29\.99/)
  })

  test('is freed by an order that is cancelled or never paid', async () => {
    const at = await openCheckout(service)
    const { guest, email } = await aRenter(at, await aRentable(at))
    await keep(guest, at)
    await tell(guest, at.base, { email })
    const declined = await pay(guest, at.base, { now: '1', card: CARDS.fails })
    assert.doesNotMatch(await shelfOf(guest, at), /Keep it/)
    await guest.get(`${at.base}/cart`)
    const cart = await guest.follow(await guest.submit(/\/change$/))
    assert.match(cart.text, CREDITED)
    assert.notEqual((await readOrder(at.shop, orderIdOn(declined))).cancelled_at, null)
    const { order } = await checkOut(guest, at, email)
    assert.equal(order.total_price, 1000)
    await cancel(at.shop, order.id)
    assert.match(await shelfOf(guest, at), /Keep it for €10\.00 more/)
  })

  test('is not credited after the end of the rental, and the page of the payment says so', async () => {
    const at = await openCheckout(service)
    const license = await aLicense(service, at.shop, { name: 'Two hours', expire_after_acquisition: 2 })
    const price_license_binding = [
      { license_id: license.id, price_id: await aPriceId(service, at.shop, 399) },
      { license_id: BUY, price_id: await aPriceId(service, at.shop, 1399) },
    ]
    const film = await aRentable(at, { more: { price_license_binding } })
    const { guest, email } = await aRenter(at, film, license.id)
    await keep(guest, at)
    await tell(guest, at.base, { email })
    service.clock.advance(3 * 3600)
    const page = await pay(guest, at.base, { now: '1' })
    assert.match(page.text, /The price or the currency has changed/)
    assert.match(page.text, FULL)
    assert.match(page.text, /€13\.99/)
    assert.match((await pay(guest, at.base, { now: '1' })).text, /Thank you[\s\S]*€13\.99/)
  })

  test('is not credited if it was refunded, not paid, or in part', async () => {
    const at = await openCheckout(service)
    await takeBills(service, at)
    const film = await aRentable(at)
    const buyer = await aBuyer(at.shop)
    const rented = await anOrder(at.shop, buyer, [{ product_id: film.product_id, quantity: 1, license_id: RENT }])
    const visitor = await enterShop(service, at.shop, at.base, buyer, { 'accept-language': 'en' })
    const id = await rentalIn(visitor, at)
    await refund(at.shop, rented.id, { amount: 199 })
    assert.match(await shelfOf(visitor, at), /Keep it for €11\.99 more/)
    await ask(visitor, at, film, id)
    await refund(at.shop, rented.id)
    const cart = await cartOf(visitor, at)
    assert.match(cart, FULL)
    assert.match(cart, /€13\.99/)
  })

  test('is not credited to anybody else, for anything else, or as a gift', async () => {
    const at = await openCheckout(service)
    const [film, another] = [await aRentable(at), await aRentable(at, { buy: 1499 })]
    const { guest, id } = await aRenter(at, film)
    const stranger = at.guest()
    await ask(stranger, at, film, id)
    assert.match(await cartOf(stranger, at), FULL)
    const { guest: other } = await aRenter(at, film)
    await ask(other, at, film, id)
    assert.match(await cartOf(other, at), FULL)
    await ask(guest, at, another, id)
    const cart = await cartOf(guest, at)
    assert.match(cart, FULL)
    assert.match(cart, /€14\.99/)
    for (const wrong of ['999999999', '0', '-1', 'x', '9'.repeat(30), '']) {
      const visitor = at.guest()
      const answer = await visitor.post(`${at.base}/cart`, {
        product_id: film.product_id,
        license_id: String(BUY),
        keeps: wrong,
      })
      assert.equal(answer.status, 303)
      assert.match(await cartOf(visitor, at), /€13\.99/, wrong)
    }
    const giver = (await aRenter(at, film)).guest
    await keep(giver, at)
    await tell(giver, at.base, { email: anEmail(), is_gift: '1', gift_email: anEmail(), gift_name: 'Ann' })
    assert.match((await giver.get(`${at.base}/checkout/pay`)).text, FULL)
  })

  test('is not credited to a guest who orders with another address', async () => {
    const at = await openCheckout(service)
    const { guest } = await aRenter(at, await aRentable(at))
    await keep(guest, at)
    const page = await tell(guest, at.base, { email: anEmail() })
    assert.match(page.text, FULL)
    const paid = await pay(guest, at.base, { now: '1' })
    assert.equal((await readOrder(at.shop, orderIdOn(paid))).total_price, 1399)
  })

  test('is not credited in another currency', async () => {
    const at = await openCheckout(service)
    const currencies = ['eur', 'usd'].map((currency) => ({ currency, price: 1399 }))
    const price = await aPrice(service, at.shop, { currencies })
    const price_license_binding = [
      { license_id: RENT, price_id: await aPriceId(service, at.shop, 399) },
      { license_id: BUY, price_id: price.id },
    ]
    const { guest } = await aRenter(at, await aRentable(at, { more: { price_license_binding } }))
    await keep(guest, at)
    await guest.post(`${at.base}/preferences`, { currency: 'USD' })
    const cart = await cartOf(guest, at)
    assert.match(cart, FULL)
    assert.match(cart, /\$13\.99/)
    assert.doesNotMatch(await shelfOf(guest, at), /Keep it/)
  })

  test('of a test pays for nothing real, and the other way round', async () => {
    const at = await openCheckout(service)
    const film = await aRentable(at)
    const { guest, email } = await aRenter(at, film)
    await keep(guest, at)
    await takeBills(service, at)
    await tell(guest, at.base, { email })
    const refused = await pay(guest, at.base, { gateway: 'Manual', card: '', now: '1' })
    assert.equal(refused.status, 422)
    assert.match(refused.text, /A rental that was a test can only be credited to another test/)
    await offer(service, at.shop, { test: { enabled: true }, manual: { enabled: false } })
    const buyer = await aBuyer(at.shop)
    await anOrder(at.shop, buyer, [{ product_id: film.product_id, quantity: 1, license_id: RENT }])
    const visitor = await enterShop(service, at.shop, at.base, buyer, { 'accept-language': 'en' })
    await keep(visitor, at)
    await tell(visitor, at.base, { email: buyer.email })
    assert.match((await pay(visitor, at.base, { now: '1' })).text, /A rental that was a test/)
  })

  test('is nothing that an app can ask for', async () => {
    const at = await openCheckout(service)
    const film = await aRentable(at)
    const buyer = await aBuyer(at.shop)
    await anOrder(at.shop, buyer, [{ product_id: film.product_id, quantity: 1, license_id: RENT }])
    const [{ id }] = (await at.shop.get(`/api/customers/${buyer.token}/content.json`)).body.content
    const answer = await at.shop.post('/api/orders.json', {
      order: {
        customer_token: buyer.token,
        line_items: [{ product_id: film.product_id, license_id: BUY, keeps: id, credited_entitlement_id: id }],
      },
    })
    assert.deepEqual([answer.status, answer.body.order.total_price], [201, 1399])
  })
})
