import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type OpenShop, openCheckout, orderIdOn, pay, put, takeBills, tell } from '#test/checkout.ts'
import { aCustomer, anEmail, CUSTOMER_PASSWORD } from '#test/customers.ts'
import { aLicense, aPrice, aProduct, type Wire } from '#test/factories.ts'
import { useService } from '#test/harness.ts'
import { aFilm } from '#test/orders.ts'
import type { PageAnswer, Visitor } from '#test/visitor.ts'

const service = useService()

async function aBillShop(): Promise<OpenShop> {
  const at = await openCheckout(service)
  await takeBills(service, at)
  return at
}

async function aMember(at: OpenShop): Promise<{ visitor: Visitor; email: string }> {
  const { email } = await aCustomer(at.shop)
  const visitor = at.guest()
  await visitor.get(`${at.base}/login`)
  await visitor.submit(`${at.base}/login`, { email, password: CUSTOMER_PASSWORD })
  return { visitor, email }
}

async function orderByBill(at: OpenShop, visitor: Visitor, films: Wire[], quantity: number, email: string) {
  for (const film of films) await put(visitor, at.base, film, { quantity: String(quantity) })
  await tell(visitor, at.base, { email })
  return pay(visitor, at.base, { gateway: 'Manual', now: '1' })
}

const isRefused = ({ text }: PageAnswer) => /without paying/.test(text) && !/Waiting for payment/.test(text)

describe('orders that wait for their payment', () => {
  test('have so many pieces in all for a customer who is signed in', async () => {
    const at = await aBillShop()
    const films = await Promise.all(Array.from({ length: 4 }, () => aFilm(service, at.shop)))
    const { visitor, email } = await aMember(at)
    const first = await orderByBill(at, visitor, films.slice(0, 2), 999, email)
    assert.match(first.text, /Waiting for payment/)
    const refused = await orderByBill(at, visitor, films.slice(2, 3), 3, email)
    assert.ok(isRefused(refused))
    assert.doesNotMatch(refused.text, /role="alert">[^<]*sign in/)
    assert.ok(refused.text.includes(`<a href="${at.base}/cart">Change the cart</a>`))
    assert.equal((await at.shop.post(`/api/orders/${orderIdOn(first)}/mark_paid.json`)).status, 200)
    const next = await visitor.get(`${at.base}/checkout/pay`)
    assert.equal(next.status, 200)
    assert.match((await pay(visitor, at.base, { gateway: 'Manual', now: '1' })).text, /Waiting for payment/)
  })

  test('are named in the account, which leads to their payment', async () => {
    const at = await aBillShop()
    const { visitor, email } = await aMember(at)
    const id = orderIdOn(await orderByBill(at, visitor, [await aFilm(service, at.shop)], 1, email))
    await service.runJobs()
    assert.match((await visitor.get(`${at.base}/account`)).text, /<span class="chip amber">Waiting for payment</)
    const path = `${at.base}/account/orders/${id}`
    const { text } = await visitor.get(path)
    assert.match(text, new RegExp(`<h1>Order #${id}</h1>`))
    const [, link = ''] = /href="([^"]*)">Pay for your order</.exec(text) ?? []
    assert.match((await visitor.get(link)).text, /How to pay/)
    assert.equal((await at.shop.post(`/api/orders/${id}/mark_paid.json`)).status, 200)
    assert.doesNotMatch((await visitor.get(path)).text, /Pay for your order/)
  })

  test('are limited in number', async () => {
    const at = await aBillShop()
    const film = await aFilm(service, at.shop)
    const { visitor, email } = await aMember(at)
    for (let count = 0; count < 10; count += 1)
      assert.match((await orderByBill(at, visitor, [film], 1, email)).text, /Waiting for payment/)
    assert.ok(isRefused(await orderByBill(at, visitor, [film], 1, email)))
  })

  test('have fewer pieces for a guest, also in one order', async () => {
    const at = await aBillShop()
    const film = await aFilm(service, at.shop)
    const email = anEmail()
    const refused = await orderByBill(at, at.guest(), [film], 201, email)
    assert.ok(isRefused(refused))
    assert.match(refused.text, /role="alert">[^<]*sign in/)
    assert.match((await orderByBill(at, at.guest(), [film], 200, email)).text, /Waiting for payment/)
    assert.ok(isRefused(await orderByBill(at, at.guest(), [film], 1, email)))
    assert.match((await orderByBill(at, at.guest(), [film], 1, anEmail())).text, /Waiting for payment/)
  })

  test('count each part of a collection as a piece, also in earlier orders', async () => {
    const at = await aBillShop()
    const [film, other] = [await aFilm(service, at.shop), await aFilm(service, at.shop)]
    const price = await aPrice(service, at.shop, { currencies: [{ currency: 'eur', price: 999 }] })
    const license = await aLicense(service, at.shop)
    const both = await aProduct(at.shop, {
      product_type: 8,
      included_products: [{ product_id: film.product_id }, { product_id: other.product_id }],
      price_license_binding: [{ license_id: license.id, price_id: price.id }],
    })
    const email = anEmail()
    assert.ok(isRefused(await orderByBill(at, at.guest(), [both], 101, email)))
    assert.match((await orderByBill(at, at.guest(), [both], 99, email)).text, /Waiting for payment/)
    assert.ok(isRefused(await orderByBill(at, at.guest(), [film], 3, email)))
    assert.match((await orderByBill(at, at.guest(), [film], 2, email)).text, /Waiting for payment/)
  })

  test('have as many pieces as an order that costs nothing', async () => {
    const at = await aBillShop()
    const price = await aPrice(service, at.shop, { currencies: [{ currency: 'eur', price: 0 }] })
    const license = await aLicense(service, at.shop)
    const gift = await aFilm(service, at.shop, 0, {
      price_license_binding: [{ license_id: license.id, price_id: price.id }],
    })
    const order = async (quantity: number) => {
      const guest = at.guest()
      await put(guest, at.base, gift, { quantity: String(quantity) })
      await tell(guest, at.base, { email: anEmail() })
      return pay(guest, at.base, { gateway: '', card: '', now: '1' })
    }
    assert.ok(isRefused(await order(201)))
    assert.match((await order(200)).text, /Thank you/)
  })
})

describe('after an order by bill', () => {
  test('the customer finds the invoice on the page of the order, and in the account', async () => {
    const at = await aBillShop()
    const { visitor } = await aMember(at)
    await put(visitor, at.base, await aFilm(service, at.shop))
    await tell(visitor, at.base, {})
    const { location = '' } = await visitor.submit(`${at.base}/checkout/pay`, { gateway: 'Manual', now: '1' })
    const placed = await visitor.get(location)
    assert.doesNotMatch(placed.text, /\(PDF\)/)
    await service.runJobs()
    const inAccount = `${at.base}/account/orders/${orderIdOn(placed)}`
    for (const path of [location, inAccount]) {
      const { text } = await visitor.get(path)
      const [, pdf = ''] = /href="([^"]*)">Invoice \S+ \(PDF\)/.exec(text) ?? []
      const { status, headers } = await at.guest().get(pdf)
      assert.deepEqual([status, headers.get('content-type')], [200, 'application/pdf'], text)
    }
    assert.notEqual((await at.guest().get(inAccount)).status, 200)
    const { text } = await visitor.get(inAccount)
    assert.match(text, new RegExp(`<h1>Order #${orderIdOn(placed)}</h1>`))
    assert.ok(text.includes(`href="${location}">Pay for your order<`), text)
    assert.match((await visitor.get(`${at.base}/account`)).text, /<span class="chip amber">Waiting for payment</)
    assert.equal((await at.shop.post(`/api/orders/${orderIdOn(placed)}/mark_paid.json`)).status, 200)
    assert.doesNotMatch((await visitor.get(inAccount)).text, /Pay for your order/)
  })
})
