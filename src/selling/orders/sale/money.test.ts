import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { readRates } from '#catalog/currency-rates/queries.ts'
import { convertCents } from '#catalog/currency-rates/rules.ts'
import { readCustomer } from '#test/customers.ts'
import { aLicense, aPrice, aProduct, BUY, type Wire } from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'
import { aBuyer, aDiscountCode, aFilm, anOrder, aShippingMethod, order, setCompany, someGoods } from '#test/orders.ts'

const service = useService()

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0)

/** Every total of an order has to be the sum of its parts. */
function assertAddsUp(made: Wire): void {
  if (made.currency === 'JPY') assert.equal(made.total_price % 100, 0, 'there is no half a yen')
  const nets = made.line_items.map(({ tax_lines }: Wire) => tax_lines[0].price)
  const shipping = made.shipping_lines.map(({ price }: Wire) => price)
  const shippingNets = made.shipping_lines.flatMap(({ tax_lines }: Wire) => tax_lines.map(({ price }: Wire) => price))
  assert.equal(made.subtotal_price, sum([...nets, ...shippingNets]))
  assert.equal(made.total_price, made.subtotal_price + made.total_tax)
  assert.equal(made.subtotal_price, sum(made.tax_lines.map(({ price }: Wire) => price)))
  assert.equal(made.total_discounts, sum(made.discount_codes.map(({ amount }: Wire) => amount)))
  assert.equal(made.total_discounts, sum(made.line_items.map(({ total_discount }: Wire) => total_discount)))
  assert.equal(made.total_price, made.total_line_items_price - made.total_discounts + sum(shipping))
}

/** A product that is sold for a price model, under a license. */
async function aSold(shop: Shop, price: object, license: object | undefined = undefined): Promise<Wire> {
  const { id: price_id } = await aPrice(service, shop, price)
  const license_id = license === undefined ? BUY : (await aLicense(service, shop, license)).id
  return aProduct(shop, { published: true, price_license_binding: [{ license_id, price_id }] })
}

describe('the price of an order', () => {
  const model = {
    countries: [
      { country_code: 'US', price: 1500 },
      { country_code: 'CH', price: 1300 },
    ],
    currencies: [
      { currency: 'eur', price: 1190 },
      { currency: 'gbp', price: 900 },
    ],
  }

  test('is that of the country, then of the currency, then converted', async () => {
    const shop = await service.openShop()
    const film = await aSold(shop, model)
    const rates = await readRates(service.db)
    const cases: [country: string, currency: string | undefined, cents: number | undefined, paidIn: string][] = [
      ['US', undefined, 1500, 'USD'],
      ['CH', undefined, 1300, 'CHF'],
      ['DE', undefined, 1190, 'EUR'],
      ['GB', undefined, 1190, 'EUR'],
      ['GB', 'gbp', 900, 'GBP'],
      ['US', 'USD', 1500, 'USD'],
      ['US', 'EUR', convertCents(1500, 'USD', 'EUR', rates), 'EUR'],
      ['DE', 'JPY', convertCents(1190, 'EUR', 'JPY', rates), 'JPY'],
      ['SE', 'SEK', convertCents(1190, 'EUR', 'SEK', rates), 'SEK'],
    ]
    for (const [country, currency, cents, paidIn] of cases) {
      const made = await anOrder(shop, await aBuyer(shop, country), [film], { currency })
      assert.deepEqual([made.total_price, made.currency], [cents, paidIn], `${country} ${currency}`)
      assertAddsUp(made)
    }
  })

  test('is in the currency of the company where lines have several', async () => {
    const shop = await service.openShop()
    const rates = await readRates(service.db)
    const [film, other] = [
      await aSold(shop, model),
      await aSold(shop, { currencies: [{ currency: 'eur', price: 500 }] }),
    ]
    const made = await anOrder(shop, await aBuyer(shop, 'US'), [film, other])
    assert.deepEqual([made.currency, made.total_price], ['EUR', 500 + convertCents(1500, 'USD', 'EUR', rates)!])
  })

  test('is never what the body says', async () => {
    const shop = await service.openShop()
    const film = await aFilm(service, shop, 1190)
    const { token } = await aBuyer(shop)
    const answer = await order(shop, {
      customer_token: token,
      total_price: 1,
      subtotal_price: 1,
      total_tax: 0,
      taxes_included: false,
      financial_status: 'refunded',
      line_items: [{ product_id: film.product_id, price: 1, total_discount: 1189, taxable: false }],
      tax_lines: [],
    })
    assert.deepEqual([answer.body.order.total_price, answer.body.order.financial_status], [1190, 'paid'])
  })

  test('counts for the customer in the currency of the company', async () => {
    const shop = await service.openShop()
    const rates = await readRates(service.db)
    const film = await aSold(shop, model)
    const buyer = await aBuyer(shop, 'US')
    await anOrder(shop, buyer, [film])
    assert.equal((await readCustomer(shop, buyer.token)).total_spent, convertCents(1500, 'USD', 'EUR', rates))
  })
})

describe('the tax of an order', () => {
  test('follows what is sold, to whom, by whom', async () => {
    const shop = await service.openShop()
    const [film, mug] = [await aFilm(service, shop, 10_000), await someGoods(service, shop)]
    const cases: [Wire, country: string, rate: number][] = [
      [film, 'DE', 0.19],
      [film, 'FR', 0.2],
      [film, 'HU', 0.27],
      [film, 'US', 0],
      [mug, 'DE', 0.19],
      [mug, 'FR', 0.19],
      [mug, 'CH', 0],
    ]
    for (const [product, country, rate] of cases) {
      const made = await anOrder(shop, await aBuyer(shop, country), [product])
      assert.equal(made.tax_lines[0].rate, rate, `${product.title} ${country}`)
      assert.equal(made.line_items[0].taxable, rate > 0)
      assertAddsUp(made)
    }
  })

  test('on goods follows where they are sent', async () => {
    const shop = await service.openShop()
    const mug = await someGoods(service, shop)
    const made = await anOrder(shop, await aBuyer(shop, 'DE'), [mug], {
      shipping_address: { city: 'Zürich', country: 'CH' },
    })
    assert.deepEqual([made.tax_lines, made.shipping_address.city], [[{ price: 2380, rate: 0 }], 'Zürich'])
  })

  test('comes on top of net prices', async () => {
    const shop = await service.openShop()
    const net = await aSold(shop, { currencies: [{ currency: 'eur', price: 1000 }] }, { tax_handling: 1 })
    const made = await anOrder(shop, await aBuyer(shop), [net])
    assert.deepEqual([made.taxes_included, made.subtotal_price, made.total_price], [false, 1000, 1190])
    assert.equal(made.line_items[0].price, 1000)
    await setCompany(service, shop, { tax_options: 2 })
    const b2b = await anOrder(shop, await aBuyer(shop), [await aFilm(service, shop, 1000)])
    assert.deepEqual([b2b.taxes_included, b2b.subtotal_price, b2b.total_tax], [false, 1000, 190])
  })
})

describe('discount codes', () => {
  test('take off a percentage or an amount, one after the other', async () => {
    const shop = await service.openShop()
    const film = await aFilm(service, shop, 2000)
    await aDiscountCode(service, shop, { code: 'Spring', amount: 25 })
    await aDiscountCode(service, shop, { code: 'FIVE', type: 'fixed_amount', amount: 500 })
    const buyer = await aBuyer(shop)
    const made = await anOrder(shop, buyer, [film, film], { discount_codes: [{ code: ' spring ' }, { code: 'five' }] })
    assert.deepEqual(
      made.discount_codes.map(({ code, type, amount }: Wire) => [code, type, amount]),
      [
        ['Spring', 'percentage', 1000],
        ['FIVE', 'fixed_amount', 500],
      ],
    )
    assert.deepEqual([made.total_line_items_price, made.total_discounts, made.total_price], [4000, 1500, 2500])
    assertAddsUp(made)
    const twice = await anOrder(shop, buyer, [film], { discount_codes: [{ code: 'SPRING' }, { code: 'spring' }] })
    assert.equal(twice.total_discounts, 500, 'a code counts once')
  })

  test('are good in their time only', async () => {
    const shop = await service.openShop()
    const film = await aFilm(service, shop)
    const { token } = await aBuyer(shop)
    await aDiscountCode(service, shop, { code: 'LATER', starts_at: '2099-01-01' })
    await aDiscountCode(service, shop, { code: 'OVER', ends_at: '2020-01-01' })
    await aDiscountCode(service, await service.openShop(), { code: 'THEIRS' })
    const refused = async (code: string) =>
      (
        await order(shop, {
          customer_token: token,
          line_items: [{ product_id: film.product_id }],
          discount_codes: [{ code }],
        })
      ).body.errors
    const path = 'discount_codes[0].code'
    assert.deepEqual(await refused('later'), { [path]: ['is not good yet'] })
    assert.deepEqual(await refused('OVER'), { [path]: ['is no longer good'] })
    assert.deepEqual(await refused('THEIRS'), { [path]: ['is not a discount code of the shop'] })
    assert.deepEqual(await refused(''), { [path]: ['is not a discount code of the shop'] })
  })

  test('are used as often as they may be, and no more, however many ask at once', async () => {
    const shop = await service.openShop()
    const film = await aFilm(service, shop)
    await aDiscountCode(service, shop, { usage_limit: 3 })
    const buyers = await Promise.all(Array.from({ length: 10 }, () => aBuyer(shop)))
    const answers = await Promise.all(
      buyers.map(({ token }) =>
        order(shop, {
          customer_token: token,
          line_items: [{ product_id: film.product_id }],
          discount_codes: [{ code: 'SPRING' }],
        }),
      ),
    )
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 201, 201, ...Array(7).fill(422)])
    const made = answers.find(({ status }) => status === 201)
    assert.equal((await shop.delete(`/api/orders/${made?.body.order.id}.json`)).status, 200)
    // A cancelled order gives its use back, a test takes none.
    await anOrder(shop, buyers[0], [film], { discount_codes: [{ code: 'SPRING' }], test: true })
    await anOrder(shop, buyers[0], [film], { discount_codes: [{ code: 'SPRING' }] })
  })

  test('in cents are the currency of the company', async () => {
    const shop = await service.openShop()
    const rates = await readRates(service.db)
    await aDiscountCode(service, shop, { type: 'fixed_amount', amount: 500 })
    const film = await aFilm(service, shop, 5000)
    const made = await anOrder(shop, await aBuyer(shop), [film], {
      currency: 'USD',
      discount_codes: [{ code: 'SPRING' }],
    })
    assert.equal(made.total_discounts, convertCents(500, 'EUR', 'USD', rates))
  })
})

describe('shipping', () => {
  test('costs what the first way that leads there costs, or the one that is named', async () => {
    const shop = await service.openShop()
    const mug = await someGoods(service, shop)
    const price = async (cents: number) =>
      (await aPrice(service, shop, { currencies: [{ currency: 'eur', price: cents }] })).id
    await aShippingMethod(service, shop, { title: 'Home', price_id: await price(595), countries: ['de'] })
    await aShippingMethod(service, shop, { title: 'Abroad', price_id: await price(1190), countries: ['DE', 'FR'] })
    const german = await aBuyer(shop, 'DE')
    const made = await anOrder(shop, german, [mug])
    assert.deepEqual(made.shipping_lines, [{ title: 'Home', price: 595, tax_lines: [{ price: 500, rate: 0.19 }] }])
    assert.deepEqual([made.total_line_items_price, made.total_price, made.total_tax], [2380, 2975, 475])
    assertAddsUp(made)
    const named = await anOrder(shop, german, [mug], { shipping_lines: [{ title: 'abroad', price: 1 }] })
    assert.deepEqual([named.shipping_lines[0].title, named.shipping_lines[0].price], ['Abroad', 1190])
    const french = await anOrder(shop, await aBuyer(shop, 'FR'), [mug])
    assert.equal(french.shipping_lines[0].title, 'Abroad')
    const american = await aBuyer(shop, 'US')
    const refused = await order(shop, { customer_token: american.token, line_items: [{ product_id: mug.product_id }] })
    assert.deepEqual(refused.body.errors, { shipping_address: ['is where the shop does not ship'] })
  })

  test('costs nothing if nothing is shipped, or if the method has no price', async () => {
    const shop = await service.openShop()
    const buyer = await aBuyer(shop)
    const mug = await someGoods(service, shop)
    assert.deepEqual((await anOrder(shop, buyer, [mug])).shipping_lines, [])
    await aShippingMethod(service, shop)
    assert.deepEqual((await anOrder(shop, buyer, [mug])).shipping_lines, [
      { title: 'Standard', price: 0, tax_lines: [{ price: 0, rate: 0.19 }] },
    ])
    assert.deepEqual((await anOrder(shop, buyer, [await aFilm(service, shop)])).shipping_lines, [])
  })
})

describe('the VAT id of a business customer', () => {
  test('takes the tax off a sale to another country of the Union', async () => {
    const shop = await service.openShop()
    const [film, mug] = [await aFilm(service, shop), await someGoods(service, shop)]
    const austrian = await aBuyer(shop, 'AT')
    const made = await anOrder(shop, austrian, [film, mug], { vat_id: ' atu 6289-5905 ' })
    assert.deepEqual([made.vat_id, made.reverse_charge, made.total_tax], ['ATU62895905', true, 0])
    // The prices of the shop are with tax: 20 % in Austria for the film, 19 % at home for the mug.
    assert.deepEqual(
      made.line_items.map(({ tax_lines }: Wire) => tax_lines),
      [[{ price: 992, rate: 0 }], [{ price: 2000, rate: 0 }]],
    )
    assertAddsUp(made)
  })

  test('changes no tax at home, elsewhere, or for a customer who is elsewhere', async () => {
    const shop = await service.openShop()
    const film = await aFilm(service, shop)
    for (const [country, vat_id] of [
      ['DE', 'DE136695976'],
      ['FR', 'ATU62895905'],
      ['US', 'ATU62895905'],
    ] as const) {
      const buyer = await aBuyer(shop, country)
      const [plain, made] = [await anOrder(shop, buyer, [film]), await anOrder(shop, buyer, [film], { vat_id })]
      assert.deepEqual([made.vat_id, made.reverse_charge, made.total_tax], [vat_id, false, plain.total_tax], country)
      assert.equal(plain.vat_id, undefined)
    }
  })

  test('is refused with a wrong form or check digit', async () => {
    const shop = await service.openShop()
    const film = await aFilm(service, shop)
    const { token } = await aBuyer(shop, 'AT')
    for (const vat_id of ['ATU62895906', 'AT62895905', 'CHE123456788', 'x']) {
      const line_items = [{ product_id: film.product_id }]
      const answer = await order(shop, { customer_token: token, line_items, vat_id })
      assert.deepEqual(
        [answer.status, answer.body.reason, Object.keys(answer.body.errors)],
        [422, 'vat_id_invalid', ['vat_id']],
      )
    }
  })
})

test('the totals of an order add up for any purchase', async () => {
  const shop = await service.openShop()
  const products = await Promise.all([1, 99, 333, 1190, 999_999].map((cents) => aFilm(service, shop, cents)))
  const net = await aSold(shop, { currencies: [{ currency: 'eur', price: 777 }] }, { tax_handling: 1 })
  const mug = await someGoods(service, shop)
  const classes = await Promise.all(
    ['reduced', 'e-book', 'zero'].map((tax_class) => someGoods(service, shop, undefined, { tax_class })),
  )
  await aShippingMethod(service, shop, {
    price_id: (await aPrice(service, shop, { currencies: [{ currency: 'eur', price: 499 }] })).id,
  })
  await aDiscountCode(service, shop, { code: 'P', amount: 33.33 })
  await aDiscountCode(service, shop, { code: 'F', type: 'fixed_amount', amount: 1234 })
  const buyers = await Promise.all(['DE', 'FI', 'US'].map((country) => aBuyer(shop, country)))
  const line = fc.record({
    product: fc.constantFrom(...products, net, mug, ...classes),
    quantity: fc.integer({ min: 1, max: 40 }),
  })
  await fc.assert(
    fc.asyncProperty(
      fc.array(line, { minLength: 1, maxLength: 5 }),
      fc.subarray(['P', 'F']),
      fc.constantFrom(...buyers),
      fc.constantFrom(undefined, 'USD', 'JPY'),
      async (lines, codes, buyer, currency) => {
        const bought = lines.map(({ product, quantity }) => ({ product_id: product.product_id, quantity }))
        const discount_codes = codes.map((code) => ({ code }))
        assertAddsUp(await anOrder(shop, buyer, bought, { discount_codes, currency }))
      },
    ),
    { numRuns: 30 },
  )
})
