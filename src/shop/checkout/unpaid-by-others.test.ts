import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type OpenShop, openCheckout, pay, put, takeBills, tell } from '#test/checkout.ts'
import { aCustomer, CUSTOMER_PASSWORD } from '#test/customers.ts'
import type { Wire } from '#test/factories.ts'
import { useService } from '#test/harness.ts'
import { aFilm } from '#test/orders.ts'
import type { Visitor } from '#test/visitor.ts'

const service = useService()

async function signIn(at: OpenShop, email: string): Promise<Visitor> {
  const visitor = at.guest()
  await visitor.get(`${at.base}/login`)
  await visitor.submit(`${at.base}/login`, { email, password: CUSTOMER_PASSWORD })
  return visitor
}

async function orderByBill(at: OpenShop, visitor: Visitor, film: Wire, email: string, quantity = '1') {
  await put(visitor, at.base, film, { quantity })
  await tell(visitor, at.base, { email })
  return pay(visitor, at.base, { gateway: 'Manual', now: '1' })
}

// Anybody can order with any address, and must not be able to keep its owner from ordering.
describe('unpaid orders that guests have placed with the address of a customer', () => {
  test('leave room for the orders of the customer', async () => {
    const at = await openCheckout(service)
    await takeBills(service, at)
    const film = await aFilm(service, at.shop)
    const { email } = await aCustomer(at.shop)
    assert.match((await orderByBill(at, at.guest(), film, email, '150')).text, /Waiting for payment/)
    for (let count = 1; count < 9; count += 1) await orderByBill(at, at.guest(), film, email)
    const last = await orderByBill(at, at.guest(), film, email)
    assert.match(last.text, /Waiting for payment/)
    const visitor = await signIn(at, email)
    assert.match((await orderByBill(at, visitor, film, email, '999')).text, /Waiting for payment/)
    assert.match((await orderByBill(at, visitor, film, email)).text, /Waiting for payment/)
  })
})
