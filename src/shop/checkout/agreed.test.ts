import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { CARDS, openCheckout, put, tell } from '#test/checkout.ts'
import { anEmail } from '#test/customers.ts'
import { aPrice, BUY } from '#test/factories.ts'
import { useService } from '#test/harness.ts'
import { aFilm } from '#test/orders.ts'
import { formsOf } from '#test/visitor.ts'

const service = useService()

describe('the total that a customer has agreed to', () => {
  test('is worth nothing in a currency that was chosen in another window meanwhile', async () => {
    const at = await openCheckout(service)
    const currencies = ['eur', 'usd'].map((currency) => ({ currency, price: 1000 }))
    const price = await aPrice(service, at.shop, { currencies })
    const film = await aFilm(service, at.shop, 0, {
      price_license_binding: [{ license_id: BUY, price_id: price.id }],
    })
    const guest = at.guest()
    await put(guest, at.base, film)
    const [form] = formsOf((await tell(guest, at.base, { email: anEmail() })).text).filter(({ action }) =>
      action.endsWith('/checkout/pay'),
    )
    assert.equal(form?.fields.total, '1000')
    await guest.post(`${at.base}/preferences`, { currency: 'USD' })
    const fields: Record<string, string> = { ...form?.fields, gateway: 'Test', card: CARDS.pays, now: '1' }
    const { currency: _, ...unsaid } = fields
    for (const sent of [fields, { ...fields, currency: '' }, { ...fields, currency: 'usd ' }, unsaid]) {
      const page = await guest.post(`${at.base}/checkout/pay`, sent)
      assert.equal(page.status, 422, page.text)
      assert.match(page.text, /The price or the currency has changed/)
      assert.match(page.text, /name="total" value="1000"[^<]*<input type="hidden" name="currency" value="USD"/)
    }
    assert.equal((await at.shop.get('/api/orders/count.json')).body.count, 0)
    const agreed = await guest.submit(`${at.base}/checkout/pay`, { gateway: 'Test', card: CARDS.pays, now: '1' })
    assert.equal(agreed.status, 303, agreed.text)
    const [order] = (await at.shop.get('/api/orders.json')).body.orders
    assert.deepEqual([order.total_price, order.currency], [1000, 'USD'])
  })
})
