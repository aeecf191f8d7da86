import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { withdrawOffer } from '#catalog/marketplace/commands.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { aLicense, aPrice, aProduct, BUY, RENT, type Wire } from '#test/factories.ts'
import { useService } from '#test/harness.ts'
import { aBuyer, aFilm, order, setCompany, someGoods, traces } from '#test/orders.ts'
import { mirrorAll } from '#test/sales.ts'

const service = useService()

describe('an order that is not possible', () => {
  test('is refused with all that is wrong with it, and leaves nothing behind', async () => {
    const shop = await service.openShop()
    const stranger = await service.openShop()
    const { token } = await aBuyer(shop)
    const film = await aFilm(service, shop)
    const hidden = await aFilm(service, shop, 1190, { published: false })
    const priceless = await aProduct(shop, { published: true })
    const theirs = await aFilm(service, stranger)
    const onlyFrance = await aLicense(service, shop, { restriction_country: [{ country_id: 'FR' }] })
    const { id: price_id } = await aPrice(service, shop)
    const several = await aProduct(shop, {
      published: true,
      price_license_binding: [BUY, RENT].map((license_id) => ({ license_id, price_id })),
    })
    const french = await aProduct(shop, {
      published: true,
      price_license_binding: [{ license_id: onlyFrance.id, price_id }],
    })
    const mug = await someGoods(service, shop, 2)
    const before = await traces(service, shop)
    const line = (product: Wire, more: object = {}) => ({ line_items: [{ product_id: product.product_id, ...more }] })
    const refusals: [object, Record<string, string[]> | string, string][] = [
      [{}, 'line_items', 'field_required'],
      [{ line_items: [] }, 'line_items', 'too_few_entries'],
      [{ line_items: 'x' }, 'line_items', 'field_wrong_type'],
      [{ line_items: [{}] }, 'line_items[0].product_id', 'field_required'],
      [line({ product_id: '0000-0000-0000-0000' }), 'line_items[0].product_id', 'product_unknown'],
      [line({ product_id: 'x\0' }), 'line_items[0].product_id', 'field_not_storable'],
      [line(theirs), 'line_items[0].product_id', 'product_unknown'],
      [line(hidden), 'line_items[0].product_id', 'product_not_published'],
      [line(priceless), 'line_items[0].product_id', 'product_without_price'],
      [line(film, { license_id: RENT }), 'line_items[0].license_id', 'license_not_bound'],
      [line(several), 'line_items[0].license_id', 'license_required'],
      [line(several, { license_id: 0 }), 'line_items[0].license_id', 'license_required'],
      [line(french), 'line_items[0].license_id', 'country_not_allowed'],
      [{ ...line(film), discount_codes: [{ code: 'a\0b' }] }, 'discount_codes[0].code', 'field_not_storable'],
      [line({ product_id: 'x-\0' }), 'line_items[0].product_id', 'field_not_storable'],
      [line(film, { quantity: 0 }), 'line_items[0].quantity', 'field_out_of_range'],
      [line(film, { quantity: -1 }), 'line_items[0].quantity', 'field_out_of_range'],
      [line(film, { quantity: 1.5 }), 'line_items[0].quantity', 'field_wrong_type'],
      [line(film, { quantity: 10_001 }), 'line_items[0].quantity', 'field_out_of_range'],
      [line(film, { quantity: 1e300 }), 'line_items[0].quantity', 'field_out_of_range'],
      [
        line(mug, { quantity: 3 }),
        { 'line_items[0].quantity': ['is more than there is: 2 left in stock'] },
        'out_of_stock',
      ],
      [{ ...line(film), currency: 'XYZ' }, 'currency', 'currency_unknown'],
      [{ ...line(film), currency: 'KPW' }, 'currency', 'currency_not_convertible'],
      [{ ...line(film), discount_codes: [{ code: 'NONE' }] }, 'discount_codes[0].code', 'discount_code_unknown'],
      [{ ...line(film), theme_setting_id: 999_999 }, 'theme_setting_id', 'shop_unknown'],
      [{ ...line(mug), shipping_lines: [{ title: 'Rocket' }] }, 'shipping_lines[0].title', 'shipping_method_unknown'],
      [{ ...line(mug), shipping_address: { country: 'Atlantis' } }, 'shipping_address.country', 'country_unknown'],
      [{ ...line(film), order_number: 'x\0' }, 'order_number', 'field_not_storable'],
      [{ ...line(film), order_number: 'x'.repeat(101) }, 'order_number', 'field_too_long'],
      [{ ...line(film), customer_notification: 7 }, 'customer_notification', 'field_out_of_range'],
    ]
    for (const [attributes, expected, reason] of refusals) {
      const answer = await order(shop, { customer_token: token, ...attributes })
      assert.deepEqual(
        [answer.status, answer.body.reason],
        [422, reason],
        `${JSON.stringify(attributes)}: ${answer.text}`,
      )
      if (typeof expected === 'string') assert.deepEqual(Object.keys(answer.body.errors), [expected], answer.text)
      else assert.deepEqual(answer.body.errors, expected)
    }
    const many = await order(shop, {
      customer_token: token,
      line_items: [
        { product_id: 'x' },
        { product_id: film.product_id, license_id: RENT },
        { product_id: hidden.product_id },
      ],
      currency: 'XYZ',
    })
    assert.deepEqual(Object.keys(many.body.errors), [
      'currency',
      'line_items[0].product_id',
      'line_items[1].license_id',
      'line_items[2].product_id',
    ])
    assert.deepEqual(
      [many.body.reason, many.body.error],
      ['currency_unknown', 'Currency is not the code of a currency.'],
    )
    assert.equal((await shop.post('/api/orders.json', { line_items: [] })).status, 400)
    assert.deepEqual(await traces(service, shop), before)
  })

  test('is one of a mirrored product whose owner has left the marketplace', async () => {
    const [owner, shop] = [await service.openShop(), await service.openShop()]
    await aFilm(service, owner)
    const [mirror] = await mirrorAll(service, owner, shop)
    const { token } = await aBuyer(shop)
    const body = { customer_token: token, line_items: [{ product_id: mirror.product_id }] }
    assert.equal((await order(shop, body)).status, 201)
    // At once, and not when the mirror has followed.
    await inTransaction(service.db, (tx) => withdrawOffer(tx, owner, service.clock.now()))
    const answer = await order(shop, body)
    assert.deepEqual(
      [answer.status, answer.body.errors],
      [422, { 'line_items[0].product_id': ['is no longer offered'] }],
    )
  })

  test('is one of a company that takes none', async () => {
    const shop = await service.openShop()
    const { token } = await aBuyer(shop)
    const film = await aFilm(service, shop)
    for (const off of [{ api_active: false }, { api_active: true, company_disabled: true }]) {
      await setCompany(service, shop, off)
      const answer = await order(shop, { customer_token: token, line_items: [{ product_id: film.product_id }] })
      assert.deepEqual([answer.status, answer.body.code, answer.body.reason], [403, 'forbidden', 'orders_not_accepted'])
    }
  })
})
