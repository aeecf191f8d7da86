import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readCustomer } from '#test/customers.ts'
import type { Wire } from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'
import { aBuyer, aFilm, anOrder, readOrder, someGoods } from '#test/orders.ts'
import { CONFIRM_ORDER } from './mails/jobs.ts'
import { readOrders } from './queries.ts'
import { documentOf } from './rows.commands.ts'

const service = useService()

const put = (shop: Shop, id: number, change: object) => shop.put(`/api/orders/${id}.json`, { order: change })

async function assertPresented(shop: Shop, id: number): Promise<void> {
  const [state] = await readOrders(service.db, shop.companyId, [id])
  const { customer: _customer, ...shown } = await readOrder(shop, id)
  assert.deepEqual(shown, JSON.parse(documentOf(state!)))
}

describe('PUT /api/orders/{id}.json', () => {
  test('changes the few attributes that can be changed', async () => {
    const shop = await service.openShop()
    const made = await anOrder(shop, await aBuyer(shop), [await someGoods(service, shop)])
    service.clock.advance(60)
    const change = {
      order_number: 'R-1',
      po_number: 'PO-2',
      buyer_accepts_marketing: true,
      confirmed: false,
      closed_at: '2026-01-02 03:04',
      shipping_address: { city: 'Hamburg', zip: '20095' },
    }
    const answer = await put(shop, made.id, change)
    assert.equal(answer.status, 200, answer.text)
    const { shipping_address, updated_at, ...after } = answer.body.order
    const { shipping_address: was, updated_at: before, ...rest } = made
    assert.notEqual(updated_at, before)
    assert.deepEqual(after, {
      ...rest,
      order_number: 'R-1',
      po_number: 'PO-2',
      buyer_accepts_marketing: true,
      confirmed: false,
      closed_at: '2026-01-02T03:04:00',
    })
    const replaced = {
      ...was,
      address1: '',
      city: 'Hamburg',
      zip: '20095',
      country: '',
      country_name: '',
      country_code: '',
    }
    assert.deepEqual(shipping_address, replaced)
    assert.deepEqual(await readOrder(shop, made.id), answer.body.order)
    assert.equal((await put(shop, made.id, { closed_at: null })).body.order.closed_at, null)
    await assertPresented(shop, made.id)
  })

  test('accepts what was read, and ignores fields that cannot be changed', async () => {
    const shop = await service.openShop()
    const made = await anOrder(shop, await aBuyer(shop), [await aFilm(service, shop), await someGoods(service, shop)])
    const whole = await put(shop, made.id, made)
    assert.equal(whole.status, 200, whole.text)
    const tried = {
      total_price: 1,
      financial_status: 'refunded',
      currency: 'USD',
      test: true,
      email: 'x@example.com',
      cancelled_at: '2026-01-01',
      customer: { first_name: 'Stolen' },
    }
    const answer = await put(shop, made.id, tried)
    assert.deepEqual({ ...answer.body.order, updated_at: '' }, { ...made, updated_at: '' })
  })

  test('refuses other line items', async () => {
    const shop = await service.openShop()
    const made = await anOrder(shop, await aBuyer(shop), [await aFilm(service, shop), await someGoods(service, shop)])
    const [first, second] = made.line_items
    const cases: [Wire[], string][] = [
      [[first], 'line_items'],
      [[], 'line_items'],
      [[first, second, first], 'line_items'],
      [[{ ...first, quantity: 2 }, second], 'line_items[0].quantity'],
      [[first, { ...second, product_id: first.product_id }], 'line_items[1].product_id'],
      [[{ ...first, price: 1 }, second], 'line_items[0].price'],
      [[{ ...first, license_id: 2 }, second], 'line_items[0].license_id'],
    ]
    for (const [line_items, field] of cases) {
      const answer = await put(shop, made.id, { line_items, order_number: 'changed' })
      assert.deepEqual([answer.status, Object.keys(answer.body.errors ?? {})[0]], [422, field], answer.text)
    }
    assert.deepEqual(await readOrder(shop, made.id), made)
    assert.equal((await put(shop, made.id, { line_items: [second, first] })).status, 200, 'in any order')
    assert.equal(
      (await put(shop, made.id, { line_items: [{ id: first.id, quantity: '1' }, { id: second.id }] })).status,
      200,
    )
  })

  test('refuses what is no attribute of an order', async () => {
    const shop = await service.openShop()
    const made = await anOrder(shop, await aBuyer(shop), [await aFilm(service, shop)])
    const cases: [object, string][] = [
      [{ order_number: 'x'.repeat(101) }, 'order_number'],
      [{ order_number: 'x\0' }, 'order_number'],
      [{ confirmed: 'perhaps' }, 'confirmed'],
      [{ closed_at: 'soon' }, 'closed_at'],
      [{ shipping_address: { country: 'Atlantis' } }, 'shipping_address.country'],
      [{ shipping_address: { zip: 'x'.repeat(51) } }, 'shipping_address.zip'],
    ]
    for (const [change, field] of cases) {
      const answer = await put(shop, made.id, change)
      assert.deepEqual([answer.status, Object.keys(answer.body.errors)], [422, [field]], answer.text)
    }
    assert.equal((await shop.put(`/api/orders/${made.id}.json`, { order_number: 'x' })).status, 400)
    for (const ref of ['0', '999999', 'x', '1e3', '%23'])
      assert.equal((await shop.get(`/api/orders/${ref}.json`)).status, 404)
  })

  test('tells the customer once the order is confirmed', async () => {
    const shop = await service.openShop()
    const [buyer, film] = [await aBuyer(shop), await aFilm(service, shop)]
    const jobs = async () =>
      (
        await service.db
          .selectFrom('jobs')
          .select('data')
          .where('company_id', '=', shop.companyId)
          .where('kind', '=', CONFIRM_ORDER.name)
          .execute()
      ).map(({ data }) => data)
    const made = await anOrder(shop, buyer, [film], { confirmed: false })
    await anOrder(shop, buyer, [film], { customer_notification: 0 })
    assert.deepEqual(await jobs(), [])
    await put(shop, made.id, { confirmed: true })
    await put(shop, made.id, { confirmed: true })
    assert.deepEqual(await jobs(), [{ order_id: made.id }])
  })
})

describe('DELETE /api/orders/{id}.json', () => {
  test('cancels the order, which can still be read', async () => {
    const shop = await service.openShop()
    const buyer = await aBuyer(shop)
    const film = await aFilm(service, shop)
    const kept = await anOrder(shop, buyer, [film])
    const made = await anOrder(shop, buyer, [film, film])
    const last = await anOrder(shop, buyer, [film])
    const figures = async () => {
      const { orders_count, total_spent, last_order_id, last_order_name } = await readCustomer(shop, buyer.token)
      return [orders_count, total_spent, last_order_id, last_order_name]
    }
    assert.deepEqual(await figures(), [3, 4760, last.id, `#${last.id}`])
    const answer = await shop.delete(`/api/orders/${made.id}.json`)
    assert.deepEqual([answer.status, answer.body], [200, {}])
    assert.deepEqual(await figures(), [2, 2380, last.id, `#${last.id}`])
    const shown = await readOrder(shop, made.id)
    assert.match(shown.cancelled_at, /^\d{4}/)
    assert.deepEqual([shown.financial_status, shown.total_price], ['paid', 2380])
    await shop.delete(`/api/orders/${last.id}.json`)
    assert.deepEqual(await figures(), [1, 1190, kept.id, `#${kept.id}`])
    assert.equal((await shop.delete(`/api/orders/${made.id}.json`)).status, 200)
    await shop.delete(`/api/orders/${kept.id}.json`)
    assert.deepEqual(await figures(), [0, 0, 0, ''])
    assert.equal((await shop.get('/api/orders/count.json')).body.count, 3)
    await assertPresented(shop, made.id)
  })

  test('cancels once, however many ask at once', async () => {
    const shop = await service.openShop()
    const buyer = await aBuyer(shop)
    const mug = await someGoods(service, shop, 10)
    const made = await anOrder(shop, buyer, [{ product_id: mug.product_id, quantity: 4 }])
    const answers = await Promise.all(Array.from({ length: 12 }, () => shop.delete(`/api/orders/${made.id}.json`)))
    assert.ok(answers.every(({ status }) => status === 200))
    assert.equal((await shop.get(`/api/products/${mug.id}.json`)).body.product.items_in_stock, 10)
    assert.equal((await readCustomer(shop, buyer.token)).orders_count, 0)
  })

  test('leaves the order of a customer who is gone to be cancelled', async () => {
    const shop = await service.openShop()
    const buyer = await aBuyer(shop)
    const made = await anOrder(shop, buyer, [await aFilm(service, shop)])
    await shop.delete(`/api/customers/${buyer.token}.json`)
    assert.equal((await shop.delete(`/api/orders/${made.id}.json`)).status, 200)
    assert.notEqual((await readOrder(shop, made.id)).cancelled_at, null)
  })
})
