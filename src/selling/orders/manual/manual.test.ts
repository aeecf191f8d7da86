import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ownerPage } from '#test/admin.ts'
import { contentOf, play } from '#test/entitlements.ts'
import { aProduct } from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'
import { aBuyer, aDiscountCode, aFilm, order, readOrder, someGoods } from '#test/orders.ts'
import { offer } from '#test/payments.ts'
import { aMirroredFilm } from '#test/sales.ts'

const service = useService()
const INSTRUCTIONS = 'IBAN DE02 1203 0000 0000 2020 51'

async function aShop() {
  const shop = await service.openShop()
  await offer(service, shop, { manual: { enabled: true, instructions: INSTRUCTIONS } })
  return { shop, film: await aFilm(service, shop), customer: await aBuyer(shop) }
}

const calculate = (shop: Shop, input: object) => shop.post('/api/orders/calculate.json', { order: input })

async function mayPlay(shop: Shop, customer: { token: string }): Promise<boolean> {
  const content = await contentOf(shop, customer)
  const use = await shop.post(`/api/entitlements/${content.at(-1)?.id}/check.json`, { check: play })
  return use.body.decision.allowed
}

describe('a bill by hand', () => {
  test('waits for its money: nothing can be used before it is marked as paid', async () => {
    const { shop, film, customer } = await aShop()
    const line_items = [{ product_id: film.product_id }]
    const made = await order(shop, { customer_token: customer.token, line_items, on_account: true })
    assert.equal(made.status, 201, made.text)
    const { id, financial_status, confirmed, gateway } = made.body.order
    assert.deepEqual([financial_status, confirmed, gateway], ['pending', false, 'Manual'])
    assert.equal(await mayPlay(shop, customer), false)
    const [payment] = (await shop.get(`/api/payments.json?order_id=${id}`)).body.payments
    assert.deepEqual([payment.status, payment.amount], ['pending', 1190])
    assert.equal((await shop.post(`/api/orders/${id}/mark_paid.json`)).status, 200)
    assert.equal((await readOrder(shop, id)).financial_status, 'paid')
    assert.equal(await mayPlay(shop, customer), true)
  })

  test('is refused where bank transfer is not set up, and nothing is written', async () => {
    const shop = await service.openShop()
    const film = await aFilm(service, shop)
    const customer = await aBuyer(shop)
    const input = { customer_token: customer.token, line_items: [{ product_id: film.product_id }], on_account: true }
    const answer = await order(shop, input)
    assert.deepEqual([answer.status, Object.keys(answer.body.errors)], [422, ['on_account']])
    assert.equal((await shop.get('/api/orders/count.json')).body.count, 0)
  })
})

describe('a gift', () => {
  test('costs nothing, shipping included, takes stock, and keeps its reason as a note', async () => {
    const { shop, film, customer } = await aShop()
    const mug = await someGoods(service, shop, 5)
    await shop.post('/api/shipping_methods.json', { shipping_method: { title: 'Parcel' } })
    await aDiscountCode(service, shop, { code: 'SPRING' })
    const input = {
      customer_token: customer.token,
      line_items: [{ product_id: film.product_id }, { product_id: mug.product_id, quantity: 2 }],
      discount_codes: [{ code: 'SPRING' }],
      free_reason: ' Broken in transit ',
    }
    const calculation = (await calculate(shop, input)).body.order_calculation
    assert.deepEqual([calculation.total_price, calculation.line_items.length], [0, 2])
    const made = await order(shop, input)
    assert.equal(made.status, 201, made.text)
    const { id, total_price, financial_status, discount_codes, total_tax } = made.body.order
    assert.deepEqual([total_price, total_tax, financial_status, discount_codes], [0, 0, 'paid', []])
    const { notes } = (await shop.get(`/api/orders/${id}/notes.json`)).body
    assert.deepEqual(
      notes.map(({ text }: { text: string }) => text),
      ['Broken in transit'],
    )
    assert.equal((await shop.get(`/api/products/${mug.id}.json`)).body.product.items_in_stock, 3)
    assert.equal(await mayPlay(shop, customer), true)
  })

  test('cannot be something of another company, nor a bill', async () => {
    const { shop, film, customer } = await aShop()
    const mirror = await aMirroredFilm(service, shop)
    const input = { customer_token: customer.token, free_reason: 'A present' }
    const lines = [{ product_id: film.product_id }, { product_id: mirror.product_id }]
    const others = await order(shop, { ...input, line_items: lines })
    assert.deepEqual([others.status, Object.keys(others.body.errors)], [422, ['line_items[1].product_id']])
    for (const product_id of [` ${mirror.product_id.toLowerCase()} `, `${mirror.id}`, `000${mirror.id}`]) {
      const answer = await order(shop, { ...input, line_items: [{ product_id }] })
      assert.deepEqual(
        [answer.status, Object.keys(answer.body.errors)],
        [422, ['line_items[0].product_id']],
        product_id,
      )
    }
    const bill = await order(shop, { ...input, line_items: lines.slice(0, 1), on_account: true })
    assert.deepEqual([bill.status, Object.keys(bill.body.errors)], [422, ['free_reason']])
    const blank = await order(shop, { ...input, line_items: lines.slice(0, 1), free_reason: '  ' })
    assert.equal(blank.body.order.total_price, 1190, 'without a reason nothing is given away')
  })
})

// Collections that were made before this was refused may still include a mirrored product.
test('a gift cannot be a collection that includes something of another company', async () => {
  const { shop, film, customer } = await aShop()
  const mirror = await aMirroredFilm(service, shop)
  const box = await aProduct(shop, {
    title: 'Box',
    product_type: 8,
    published: true,
    price_license_binding: film.price_license_binding,
    included_products: [{ product_id: film.product_id }],
  })
  const line_items = [{ product_id: box.product_id }]
  const give = () => order(shop, { customer_token: customer.token, free_reason: 'A present', line_items })
  assert.equal((await give()).status, 201)
  const included = [{ id: 1, product_id: mirror.product_id }]
  await service.db
    .updateTable('products')
    .set({ included: JSON.stringify(included) })
    .where('company_id', '=', shop.companyId)
    .where('id', '=', box.id)
    .execute()
  const answer = await give()
  assert.deepEqual([answer.status, Object.keys(answer.body.errors)], [422, ['line_items[0].product_id']])
})

describe('an order that a user makes', () => {
  test('needs no password for somebody new, and goes on record', async () => {
    const { shop, film } = await aShop()
    const page = await ownerPage(service, shop)
    const input = {
      customer: { email: 'new@example.com', first_name: 'Nora', last_name: 'Neu' },
      line_items: [{ product_id: film.product_id }],
    }
    assert.equal((await order(shop, input)).status, 422, 'an app needs one')
    const made = await page.post('/orders.json', { order: input })
    assert.equal(made.status, 201, made.text)
    assert.equal(made.body.order.customer.first_name, 'Nora')
    const { timeline } = (await page.get(`/orders/${made.body.order.id}/timeline.json`)).body
    assert.deepEqual([timeline[0].kind, timeline[0].by], ['placed', 'user'])
    const disabled = { ...input, customer: { email: 'not an address' } }
    const wrong = await page.post('/orders.json', { order: disabled })
    assert.deepEqual([wrong.status, Object.keys(wrong.body.errors)], [422, ['customer.email']])
  })
})

describe('the calculation of an order', () => {
  test('is what the order costs then, and writes nothing', async () => {
    const { shop, film, customer } = await aShop()
    const mug = await someGoods(service, shop, 1)
    await aDiscountCode(service, shop, { code: 'SPRING' })
    const input = {
      customer_token: customer.token,
      line_items: [{ product_id: film.product_id }, { product_id: mug.product_id }],
      discount_codes: [{ code: 'SPRING' }],
    }
    const { order_calculation: told } = (await calculate(shop, input)).body
    assert.equal((await shop.get('/api/orders/count.json')).body.count, 0)
    const { order: made } = (await order(shop, input)).body
    for (const name of ['currency', 'total_price', 'total_tax', 'total_discounts', 'total_line_items_price'])
      assert.equal(told[name], made[name], name)
  })

  test('names what is wrong at its field, and knows nobody of other companies', async () => {
    const { shop, film } = await aShop()
    const other = await aBuyer(await service.openShop(), 'FR')
    const lines = [{ product_id: film.product_id }]
    const wrong = await calculate(shop, { line_items: [...lines, { product_id: 'nothing' }] })
    assert.deepEqual([wrong.status, Object.keys(wrong.body.errors)], [422, ['line_items[1].product_id']])
    const [own, foreign] = [
      await calculate(shop, { line_items: lines }),
      await calculate(shop, { line_items: lines, customer_token: other.token }),
    ]
    assert.deepEqual(foreign.body, own.body)
  })
})
