import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type AdminPage, ownerPage } from '#test/admin.ts'
import { aPrice, aProduct, readProduct, type Wire } from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'
import { aTerm, auditOf } from '#test/terms.ts'
import { changeCents } from './rules.ts'
import { ROUNDINGS } from './schema.ts'

const service = useService()

test('an amount is changed by percent and rounded', () => {
  const cases = [
    [1000, 5, 'none', 'EUR', 1050],
    [999, 10, 'none', 'EUR', 1099],
    [1000, 12.5, 'none', 'EUR', 1125],
    [999, 10, '99', 'EUR', 1099],
    [1000, 3, '99', 'EUR', 999],
    [1000, 6, '95', 'EUR', 1095],
    [1000, 6, '90', 'EUR', 1090],
    [1000, 3, '49_or_99', 'EUR', 1049],
    [1000, 25, '49_or_99', 'EUR', 1249],
    [1000, 26, 'whole', 'EUR', 1300],
    [100, -99, 'whole', 'EUR', 100],
    [1, -50, 'none', 'EUR', 1],
    [5, -90, '99', 'EUR', 99],
    [0, 50, '99', 'EUR', 0],
    [150_000, 5, 'none', 'JPY', 157_500],
    [150_000, 5.55, '99', 'JPY', 158_300],
  ] as const
  for (const [cents, percent, rounding, currency, expected] of cases)
    assert.equal(changeCents(cents, percent * 100, rounding, currency), expected, `${cents} ${percent}% ${rounding}`)
})

test('whatever is changed stays a price, near the exact amount and with the ending that was asked for', () => {
  for (let cents = 1; cents < 30_000; cents += 37)
    for (const hundredths of [-9900, -3333, -1, 0, 500, 1999, 10_000])
      for (const rounding of ROUNDINGS) {
        const after = changeCents(cents, hundredths, rounding, 'EUR')
        const exact = (cents * (10_000 + hundredths)) / 10_000
        const say = `${cents} by ${hundredths} to ${rounding}: ${after}`
        assert.ok(Number.isInteger(after) && after > 0, say)
        assert.ok(exact < 100 || Math.abs(after - exact) <= 50.5, say)
        if (rounding === 'whole') assert.equal(after % 100, 0, say)
        if (/^\d\d$/.test(rounding)) assert.equal(after % 100, Number(rounding), say)
        if (rounding === '49_or_99') assert.ok([49, 99].includes(after % 100), say)
      }
})

const change = (page: AdminPage, input: object) => page.post('/price_changes.json', { price_change: input })
const preview = (page: AdminPage, input: object) => page.post('/price_changes/preview.json', { price_change: input })

async function amountsOf(shop: Shop, { id }: { id: number }): Promise<number[]> {
  const { price } = (await shop.get(`/api/prices/${id}.json`)).body
  return [...price.currencies, ...price.countries].map((each: Wire) => each.price)
}

describe('a change of prices by percent', () => {
  test('shows every amount before it changes, and then changes all of them and what shows them', async () => {
    const shop = await service.openShop()
    const page = await ownerPage(service, shop)
    const film = await aPrice(service, shop, {
      title: 'Film',
      currencies: [
        { currency: 'eur', price: 999 },
        { currency: 'jpy', price: 150_000 },
      ],
      countries: [{ country_code: 'CH', price: 1200 }],
    })
    const book = await aPrice(service, shop, { title: 'Book', currencies: [{ currency: 'eur', price: 2000 }] })
    const product = await aProduct(shop, { product_type: 6, price_license_binding: [{ price_id: book.id }] })
    const input = { percent: 10, rounding: '99', prices: [{ id: film.id }, { id: book.id }] }
    const shown = await preview(page, input)
    assert.equal(shown.status, 200, shown.text)
    const [first, second] = shown.body.price_changes
    assert.equal(first.title, 'Film')
    assert.deepEqual(first.currencies, [
      { currency: 'eur', before: 999, after: 1099 },
      { currency: 'jpy', before: 150_000, after: 165_000 },
    ])
    assert.deepEqual(first.countries, [{ country_code: 'CH', currency: 'chf', before: 1200, after: 1299 }])
    assert.deepEqual(await amountsOf(shop, book), [2000])
    assert.equal(second.etag, (await shop.get(`/api/prices/${book.id}.json`)).headers.get('etag'))

    const prices = [first, second].map(({ id, etag }) => ({ id, etag }))
    service.clock.advance(60)
    const changed = await change(page, { ...input, prices })
    assert.equal(changed.status, 200, changed.text)
    assert.deepEqual(await amountsOf(shop, film), [1099, 165_000, 1299])
    assert.deepEqual(await amountsOf(shop, book), [2199])
    assert.equal(
      changed.body.price_changes[1].etag,
      (await shop.get(`/api/prices/${book.id}.json`)).headers.get('etag'),
    )
    const entries = (await auditOf(service, shop)).filter(({ action }) => action === 'price changed')
    assert.deepEqual(
      entries.map(({ subject }) => subject),
      [`Film (${film.id})`, `Book (${book.id})`],
    )
    await service.runJobs()
    assert.notEqual((await readProduct(shop, product.id)).updated_at, product.updated_at)
  })

  test('is refused as a whole if somebody has changed one of them meanwhile', async () => {
    const shop = await service.openShop()
    const page = await ownerPage(service, shop)
    const [film, book] = [await aPrice(service, shop), await aPrice(service, shop, { title: 'Book' })]
    const input = { percent: 5, prices: [{ id: film.id }, { id: book.id }] }
    const { price_changes } = (await preview(page, input)).body
    const prices = price_changes.map(({ id, etag }: Wire) => ({ id, etag }))
    await page.put(`/prices/${book.id}.json`, { price: { currencies: [{ currency: 'eur', price: 5000 }] } })
    const refused = await change(page, { ...input, prices })
    assert.equal(refused.status, 422)
    assert.deepEqual(Object.keys(refused.body.errors), ['prices[1].etag'])
    assert.deepEqual(await amountsOf(shop, film), [999])
    assert.deepEqual(await amountsOf(shop, book), [5000])
  })

  test('refuses prices of others, prices that are named twice, and percentages that cannot be', async () => {
    const shop = await service.openShop()
    const page = await ownerPage(service, shop)
    const own = await aPrice(service, shop)
    const foreign = await aPrice(service, await service.openShop())
    const faultsOf = async (input: object) => {
      const answer = await change(page, { percent: 5, prices: [{ id: own.id }], ...input })
      assert.equal(answer.status, 422, answer.text)
      return Object.keys(answer.body.errors)
    }
    assert.deepEqual(await faultsOf({ prices: [{ id: own.id }, { id: foreign.id }] }), ['prices[1].id'])
    assert.deepEqual(await faultsOf({ prices: [{ id: own.id }, { id: own.id }] }), ['prices[1].id'])
    assert.deepEqual(await faultsOf({ percent: 0.125 }), ['percent'])
    assert.deepEqual(await faultsOf({ percent: -100 }), ['percent'])
    assert.deepEqual(await faultsOf({ rounding: '42' }), ['rounding'])
    const dear = await aPrice(service, shop, { currencies: [{ currency: 'eur', price: 9_999_999_999 }] })
    assert.deepEqual(await faultsOf({ prices: [{ id: dear.id }] }), ['prices[0].id'])
    assert.deepEqual(await amountsOf(shop, own), [999])
  })
})

describe('POST /api/price_amounts.json', () => {
  test('says what customers would pay, and what is converted', async () => {
    const shop = await service.openShop()
    const price = { currencies: [{ currency: 'eur', price: 1000 }], countries: [{ country_code: 'CH', price: 1200 }] }
    const answer = await shop.post('/api/price_amounts.json', {
      price,
      currencies: ['eur', 'usd', 'jpy'],
      countries: ['CH', 'DE', 'JP'],
    })
    assert.equal(answer.status, 200, answer.text)
    const amounts: Wire[] = answer.body.price_amounts
    assert.deepEqual(
      amounts.map(({ country_code, currency, converted }) => [country_code, currency, converted]),
      [
        [null, 'eur', false],
        [null, 'usd', true],
        [null, 'jpy', true],
        ['CH', 'chf', false],
        ['DE', 'eur', false],
        ['JP', 'jpy', true],
      ],
    )
    assert.equal(amounts[2].price % 100, 0)
    assert.equal(amounts[3].price, 1200)
    const none = await shop.post('/api/price_amounts.json', { price: {}, currencies: ['eur'] })
    assert.deepEqual([none.status, none.body.price_amounts], [200, []])
    const wrong = await shop.post('/api/price_amounts.json', { price: { currencies: [{ currency: 'xxq', price: 1 }] } })
    assert.deepEqual([wrong.status, Object.keys(wrong.body.errors)], [422, ['currencies[0].currency']])
  })
})

describe('what licenses and prices are used for', () => {
  test('is counted, and finds the products', async () => {
    const shop = await service.openShop()
    const price = await aPrice(service, shop)
    const before = await aPrice(service, shop, { title: 'Before' })
    const binding = { license_id: 1, price_id: price.id, compare_price_id: before.id }
    const film = await aProduct(shop, { price_license_binding: [binding] })
    await aProduct(shop)
    const heavy = await aPrice(service, shop, { title: 'Heavy' })
    const weight_rates = [{ weight_max: 1000, price_id: heavy.id }]
    await aTerm(shop, 'shipping_method', { title: 'Parcel', price_id: heavy.id, weight_rates })
    const prices = (await shop.get('/api/prices/uses.json')).body.price_uses
    assert.deepEqual(prices, [
      { id: price.id, products: 1, compared: 0, shipping_methods: 0, plans: 0 },
      { id: before.id, products: 0, compared: 1, shipping_methods: 0, plans: 0 },
      { id: heavy.id, products: 0, compared: 0, shipping_methods: 1, plans: 0 },
    ])
    assert.deepEqual((await shop.get('/api/licenses/uses.json')).body.license_uses, [{ id: 1, products: 1 }])
    for (const filter of ['license_id=1', `price_id=${price.id}`, `price_id=${before.id}`]) {
      const { products } = (await shop.get(`/api/products.json?${filter}`)).body
      assert.deepEqual(
        products.map(({ id }: Wire) => id),
        [film.id],
        filter,
      )
      assert.equal((await shop.get(`/api/products/count.json?${filter}`)).body.count, 1)
    }
    assert.equal((await shop.get('/api/products/count.json?license_id=2')).body.count, 0)
    const stranger = await service.openShop()
    assert.equal((await stranger.get(`/api/products/count.json?price_id=${price.id}`)).body.count, 0)
  })
})
