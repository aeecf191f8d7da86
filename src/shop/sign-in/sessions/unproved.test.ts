import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type OpenShop, openCheckout, orderIdOn, pay, put, takeBills, tell } from '#test/checkout.ts'
import { aCustomer, CUSTOMER_PASSWORD } from '#test/customers.ts'
import { useService } from '#test/harness.ts'
import { aFilm } from '#test/orders.ts'
import { useShopPages } from '#test/shop-pages.ts'

const service = useService()
const pages = useShopPages(service)

/** Somebody orders by bill in a shop of another company, with the address of a customer. */
async function orderElsewhere(email: string): Promise<{ at: OpenShop; orderId: number }> {
  const at = await openCheckout(service)
  await takeBills(service, at)
  const guest = at.guest()
  await put(guest, at.base, await aFilm(service, at.shop))
  await tell(guest, at.base, { email })
  return { at, orderId: orderIdOn(await pay(guest, at.base, { gateway: 'Manual', now: '1' })) }
}

async function signIn(email: string, base = pages.base) {
  const visitor = pages.comeIn()
  await visitor.get(`${base}/login`)
  const page = await visitor.submit(`${base}/login`, { email, password: CUSTOMER_PASSWORD })
  return { isSignedIn: await pages.isSignedIn(visitor, base), page }
}

// Anybody can order with any address, and must not be able to lock its owner out.
describe('an order in another shop that a guest has not paid', () => {
  test('leaves the password as it is until it is paid', async () => {
    const { email } = await aCustomer(pages.shop)
    const { at, orderId } = await orderElsewhere(email)
    assert.equal((await signIn(email)).isSignedIn, true)
    // The company that chose the password must not see what others have sold.
    assert.equal((await signIn(email, at.base)).isSignedIn, false)
    assert.equal((await at.shop.post(`/api/orders/${orderId}/mark_paid.json`)).status, 200)
    const { isSignedIn, page } = await signIn(email)
    assert.equal(isSignedIn, false)
    assert.match(page.text, /role="alert">[^<]*link/)
  })

  test('does not end the password when the customer follows a link', async () => {
    const { email } = await aCustomer(pages.shop)
    await orderElsewhere(email)
    await pages.comeIn().post(`${pages.base}/login`, { email, decision: 'link' })
    const link = await pages.linkTo(email, 'login')
    assert.equal((await pages.comeIn().post(link, {})).status, 303)
    assert.equal((await signIn(email)).isSignedIn, true)
    const { product_id } = await aFilm(service, pages.shop)
    const order = { customer: { email, password: CUSTOMER_PASSWORD }, line_items: [{ product_id }] }
    assert.equal((await pages.shop.post('/api/orders.json', { order })).status, 201)
  })

  test('does not open what another company sells later to a customer whose address was proved there', async () => {
    const { email } = await aCustomer(pages.shop)
    const { at, orderId } = await orderElsewhere(email)
    assert.equal((await at.shop.post(`/api/orders/${orderId}/mark_paid.json`)).status, 200)
    await pages.comeIn().post(`${pages.base}/login`, { email, decision: 'link' })
    const link = await pages.linkTo(email, 'login')
    assert.equal((await pages.comeIn().post(link, {})).status, 303)
    assert.equal((await signIn(email, at.base)).isSignedIn, false)
  })
})
