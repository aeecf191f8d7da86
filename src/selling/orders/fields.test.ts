import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { anEmail, CUSTOMER_PASSWORD } from '#test/customers.ts'
import { aLicense, aPrice, aProduct, RENT } from '#test/factories.ts'
import { useService } from '#test/harness.ts'
import { aBuyer, aDiscountCode, aFilm, anOrder, order, someGoods } from '#test/orders.ts'

const service = useService()

describe('the fields that a refused order names', () => {
  test('are full paths from the order', async () => {
    const shop = await service.openShop()
    const own = await aBuyer(shop)
    const { token } = own
    const film = await aFilm(service, shop)
    const mug = await someGoods(service, shop, 1)
    const { id: price_id } = await aPrice(service, shop)
    const { id: license_id } = await aLicense(service, shop, { restriction_country: [{ country_id: 'FR' }] })
    const french = await aProduct(shop, { published: true, price_license_binding: [{ license_id, price_id }] })
    await aDiscountCode(service, shop, { code: 'OVER', ends_at: '2020-01-01T00:00:00' })
    const line_items = [{ product_id: film.product_id }]
    const second = (line: object) => ({ customer_token: token, line_items: [...line_items, line] })
    const fresh = (details: object) => ({
      customer: { email: anEmail(), password: CUSTOMER_PASSWORD, ...details },
      line_items,
    })
    const known = (details: object) => ({ customer: { token, ...details }, line_items })
    const cases: [object, string, string][] = [
      [{ customer: { token: 'ABCDEFGHIJKLMNOP' }, line_items }, 'customer.token', 'customer_token_unknown'],
      [{ customer_token: 'ABCDEFGHIJKLMNOP', line_items }, 'customer_token', 'customer_token_unknown'],
      [{ customer: { email: 'x' }, line_items }, 'customer.email', 'field_invalid'],
      [{ email: 'x', line_items }, 'email', 'field_invalid'],
      [{ email: anEmail(), line_items }, 'customer.password', 'customer_password_required'],
      [{ customer: { email: anEmail() }, line_items }, 'customer.password', 'customer_password_required'],
      [
        { customer: { email: own.email, password: 'another one' }, line_items },
        'customer.password',
        'customer_password_wrong',
      ],
      [{ email: own.email, password: 'another one', line_items }, 'password', 'customer_password_wrong'],
      [fresh({ password: 'short' }), 'customer.password', 'password_too_short'],
      [{ email: anEmail(), password: 'short', line_items }, 'password', 'password_too_short'],
      [fresh({ password_confirmation: 'other' }), 'customer.password_confirmation', 'password_confirmation_differs'],
      [fresh({ first_name: 'x\0' }), 'customer.first_name', 'field_not_storable'],
      [fresh({ note: '\ud800' }), 'customer.note', 'field_not_storable'],
      [fresh({ language: 'english' }), 'customer.language', 'field_invalid'],
      [fresh({ addresses: [{ country: 'Atlantis' }] }), 'customer.addresses[0].country', 'country_unknown'],
      [fresh({ addresses: [{}, { city: 'x\0' }] }), 'customer.addresses[1].city', 'field_not_storable'],
      [known({ addresses: [{ country: 'Atlantis' }] }), 'customer.addresses[0].country', 'country_unknown'],
      [known({ addresses: [{}, { country_code: 'XX' }] }), 'customer.addresses[1].country_code', 'country_unknown'],
      [known({ addresses: [{ zip: 'x'.repeat(51) }] }), 'customer.addresses[0].zip', 'field_too_long'],
      [known({ addresses: [{ name: 'x'.repeat(150) }] }), 'customer.addresses[0].name', 'field_too_long'],
      [known({ addresses: [{ city: 'x\0' }] }), 'customer.addresses[0].city', 'field_not_storable'],
      [known({ last_name: 'x\0' }), 'customer.last_name', 'field_not_storable'],
      [known({ first_name: 'x'.repeat(101) }), 'customer.first_name', 'field_too_long'],
      [second({ product_id: 'x' }), 'line_items[1].product_id', 'product_unknown'],
      [second({ product_id: film.product_id, quantity: 0 }), 'line_items[1].quantity', 'field_out_of_range'],
      [second({ product_id: mug.product_id, quantity: 2 }), 'line_items[1].quantity', 'out_of_stock'],
      [second({ product_id: film.product_id, license_id: RENT }), 'line_items[1].license_id', 'license_not_bound'],
      [second({ product_id: french.product_id }), 'line_items[1].license_id', 'country_not_allowed'],
      [{ ...known({}), discount_codes: [{ code: 'NONE' }] }, 'discount_codes[0].code', 'discount_code_unknown'],
      [{ ...known({}), discount_codes: [{ code: 'OVER' }] }, 'discount_codes[0].code', 'discount_code_expired'],
      [{ ...known({}), shipping_address: { zip: 'x'.repeat(51) } }, 'shipping_address.zip', 'field_too_long'],
      [{ ...known({}), shipping_address: { zip: 'x\0' } }, 'shipping_address.zip', 'field_not_storable'],
      [{ ...known({}), shipping_address: { country_code: 'XX' } }, 'shipping_address.country_code', 'country_unknown'],
      [{ ...known({}), shipping_address: { name: 'x'.repeat(150) } }, 'shipping_address.name', 'field_too_long'],
    ]
    for (const [body, field, reason] of cases) {
      const answer = await order(shop, body)
      assert.deepEqual(
        [answer.status, Object.keys(answer.body.errors ?? {}), answer.body.reason],
        [422, [field], reason],
        `${JSON.stringify(body).slice(0, 200)}: ${answer.text}`,
      )
    }
    const made = await anOrder(shop, own, [mug])
    for (const [shipping_address, field] of [
      [{ country: 'Atlantis' }, 'shipping_address.country'],
      [{ name: 'x'.repeat(150), city: 'Berlin' }, 'shipping_address.name'],
      [{ city: 'x\0' }, 'shipping_address.city'],
    ] as const) {
      const answer = await shop.put(`/api/orders/${made.id}.json`, { order: { shipping_address } })
      assert.deepEqual([answer.status, Object.keys(answer.body.errors)], [422, [field]], answer.text)
    }
  })

  test('are all of those at fault, of the customer and of the order', async () => {
    const shop = await service.openShop()
    const { token } = await aBuyer(shop)
    const answer = await order(shop, {
      customer: { token, addresses: [{ country: 'Atlantis' }] },
      line_items: [{ product_id: 'x' }],
      shipping_address: { country: 'Lemuria' },
    })
    assert.deepEqual(Object.keys(answer.body.errors).sort(), [
      'customer.addresses[0].country',
      'line_items[0].product_id',
      'shipping_address.country',
    ])
  })
})
