import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { statementCount } from '#platform/db/database.ts'
import { aPrice, aProduct, BUY, readProduct, type Wire } from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'
import { aBuyer, aFilm, anOrder, aShippingMethod, order, someGoods } from '#test/orders.ts'
import { mirrorAll } from '#test/sales.ts'
import { aTerm, createTerm } from '#test/terms.ts'
import { splitShipping } from './pricing.rules.ts'
import { sum } from './totals.rules.ts'

const service = useService()

const inPercent = ({ rate, ...line }: Wire) => ({ ...line, rate: Math.round(rate * 100_000) / 1000 })
const percentsOf = ({ tax_lines }: Wire) => tax_lines.map((line: Wire) => inPercent(line).rate)

async function anEbook(shop: Shop, cents = 1070): Promise<Wire> {
  const { id: price_id } = await aPrice(service, shop, { currencies: [{ currency: 'eur', price: cents }] })
  return aProduct(shop, {
    product_type: 16,
    title: 'Novel',
    published: true,
    price_license_binding: [{ license_id: BUY, price_id }],
  })
}

/** A shipping method for so many cents. */
async function shipFor(shop: Shop, cents: number): Promise<void> {
  const price = await aPrice(service, shop, { currencies: [{ currency: 'eur', price: cents }] })
  await aShippingMethod(service, shop, { title: 'Parcel', price_id: price.id })
}

describe('the tax class of a product', () => {
  test('is that of its type, until somebody sets it', async () => {
    const shop = await service.openShop()
    const [film, book, mug] = [await aFilm(service, shop), await anEbook(shop), await someGoods(service, shop)]
    assert.deepEqual([film.tax_class, book.tax_class, mug.tax_class], ['standard', 'e-book', 'standard'])
    const changed = await shop.put(`/api/products/${mug.id}.json`, { product: { tax_class: 'reduced' } })
    assert.equal(changed.body.product.tax_class, 'reduced')
    assert.equal((await readProduct(shop, mug.id)).tax_class, 'reduced')
    const kept = await shop.put(`/api/products/${mug.id}.json`, { product: { title: 'Cup' } })
    assert.equal(kept.body.product.tax_class, 'reduced')
  })

  test('is refused if there is no such class', async () => {
    const shop = await service.openShop()
    const { id } = await aFilm(service, shop)
    for (const tax_class of ['luxury', '', 'Standard', 7, ['zero'], 'x'.repeat(10_000)]) {
      const answer = await shop.put(`/api/products/${id}.json`, { product: { tax_class } })
      assert.deepEqual([answer.status, Object.keys(answer.body.errors)], [422, ['tax_class']], String(tax_class))
    }
    assert.equal((await readProduct(shop, id)).tax_class, 'standard')
  })

  test('decides on the rate in the country of the customer', async () => {
    const shop = await service.openShop()
    const [film, book] = [await aFilm(service, shop), await anEbook(shop)]
    for (const [country, percents] of [
      ['DE', [19, 7]],
      ['AT', [20, 10]],
      ['FR', [20, 5.5]],
      ['CZ', [21, 0]],
      ['DK', [25]],
      ['US', [0]],
    ] as const) {
      const made = await anOrder(shop, await aBuyer(shop, country), [film, book])
      assert.deepEqual(percentsOf(made), percents, country)
    }
  })

  test('goes with a mirrored product, whose seller pays its tax and share', async () => {
    const [owner, seller] = [await service.openShop(), await service.openShop()]
    await anEbook(owner)
    const [mirror] = await mirrorAll(service, owner, seller, 50)
    assert.equal((await readProduct(seller, mirror!.id)).tax_class, 'e-book')
    const made = await anOrder(seller, await aBuyer(seller), [mirror!])
    assert.deepEqual([percentsOf(made), made.total_tax], [[7], 70])
    const { body } = await owner.get('/api/ledger_entries.json')
    assert.deepEqual(
      body.ledger_entries.map(({ amount }: Wire) => amount),
      [500],
    )
  })

  test('has a rate of the company, beside that of other classes', async () => {
    const shop = await service.openShop()
    const [film, book, buyer] = [await aFilm(service, shop), await anEbook(shop), await aBuyer(shop, 'FR')]
    const rate = await aTerm(shop, 'tax_rate', { country_code: 'FR', percent: 2.1, tax_class: 'e-book' })
    const standard = await aTerm(shop, 'tax_rate', { country_code: 'FR', percent: 18 })
    assert.deepEqual([rate.tax_class, standard.tax_class], ['e-book', 'standard'])
    assert.deepEqual(percentsOf(await anOrder(shop, buyer, [film, book])), [18, 2.1])
    const again = await createTerm(shop, 'tax_rate', { country_code: 'FR', percent: 3, tax_class: 'e-book' })
    assert.deepEqual([again.status, again.body.reason], [422, 'tax_rate_country_taken'])
    for (const tax_class of ['zero', 'luxury', 1]) {
      const wrong = await createTerm(shop, 'tax_rate', { country_code: 'AT', percent: 3, tax_class })
      assert.deepEqual([wrong.status, Object.keys(wrong.body.errors ?? {})], [422, ['tax_class']], String(tax_class))
    }
  })

  test('costs an order no statement', async () => {
    const shop = await service.openShop()
    const [film, book, buyer] = [await aFilm(service, shop), await anEbook(shop), await aBuyer(shop)]
    const statementsOf = async (products: Wire[]) => {
      const counts: number[] = []
      for (let tries = 0; tries < 3; tries += 1) {
        const start = statementCount()
        const line_items = products.map(({ product_id }) => ({ product_id }))
        assert.equal((await order(shop, { customer_token: buyer.token, line_items })).status, 201)
        counts.push(statementCount() - start)
      }
      return Math.min(...counts)
    }
    assert.equal(await statementsOf([film, book]), await statementsOf([film, film]))
  })
})

describe('an order of several classes', () => {
  test('has a tax line for each rate, and its shipping is divided between those of the goods', async () => {
    const shop = await service.openShop()
    await shipFor(shop, 500)
    const [mug, book] = [
      await someGoods(service, shop),
      await someGoods(service, shop, undefined, { tax_class: 'reduced' }),
    ]
    const ebook = await anEbook(shop)
    const made = await anOrder(shop, await aBuyer(shop), [
      { product_id: mug.product_id, quantity: 3 },
      { product_id: book.product_id, quantity: 1 },
      { product_id: ebook.product_id, quantity: 1 },
    ])
    const [shipping] = made.shipping_lines
    // Three of four parts of the goods are taxed at 19 %: 375 of 500 cents.
    assert.deepEqual(
      [shipping.price, shipping.tax_lines.map(inPercent)],
      [
        500,
        [
          { price: 315, rate: 19 },
          { price: 117, rate: 7 },
        ],
      ],
    )
    assert.deepEqual(made.tax_lines.map(inPercent), [
      { price: 6000 + 315, rate: 19 },
      { price: 2224 + 1000 + 117, rate: 7 },
    ])
    assert.equal(made.total_price, 4 * 2380 + 1070 + 500)
  })

  test('of a business abroad is charged without tax, with one line for shipping', async () => {
    const shop = await service.openShop()
    await shipFor(shop, 500)
    const [mug, book] = [
      await someGoods(service, shop),
      await someGoods(service, shop, undefined, { tax_class: 'reduced' }),
    ]
    const made = await anOrder(shop, await aBuyer(shop, 'AT'), [mug, book], { vat_id: 'ATU62895905' })
    assert.deepEqual([made.total_tax, made.tax_lines.length, made.shipping_lines[0].tax_lines.length], [0, 1, 1])
    assert.equal(made.total_price, 2000 + 2224 + 210 + 234)
  })
})

test('shipping is divided completely, whatever is shipped', () => {
  const worth = fc.dictionary(fc.constantFrom('0', '7000', '19000', '25500'), fc.integer({ min: 0, max: 1_000_000 }), {
    minKeys: 1,
  })
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 100_000 }), worth, fc.constantFrom(1, 100), (cents, byRate, step) => {
      const parts = splitShipping(
        cents * step,
        new Map(Object.entries(byRate).map(([rate, value]) => [Number(rate), value])),
        step,
      )
      assert.equal(sum(parts.map(({ unitCents }) => unitCents)), cents * step)
      assert.ok(parts.every(({ unitCents }) => unitCents >= 0 && unitCents % step === 0))
      assert.equal(new Set(parts.map(({ rate }) => rate)).size, parts.length)
      assert.ok(parts.length > 0)
    }),
  )
})
