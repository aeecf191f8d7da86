import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Shop, useService } from '#test/harness.ts'
import { importerFor } from './imports.ts'

const service = useService()
const { licet, load } = importerFor(service)

async function all(shop: Shop, name: string): Promise<Record<string, unknown>[]> {
  const { status, body } = await shop.get(`/api/${name}.json?limit=250`)
  assert.equal(status, 200)
  return body[name]
}

describe('a shop as the API answers it', () => {
  test('is imported into another company, and a second time changes nothing', async () => {
    const [from, to] = [await service.openShop(), await service.openShop()]
    assert.equal((await licet('seed', '--company', String(from.companyId), '--products', '24')).code, 0)
    const names = ['licenses', 'prices', 'categories', 'products'] as const
    const file = JSON.stringify(
      Object.fromEntries(await Promise.all(names.map(async (name) => [name, await all(from, name)]))),
    )
    const first = await load(to.companyId, 'shop.json', file)
    assert.deepEqual(
      first.entries.filter(({ action }) => action === 'refused'),
      [],
    )
    assert.equal(first.code, 0)
    assert.deepEqual(
      [first.counts.licenses, first.counts.products],
      [
        [0, 0, 0],
        [24, 0, 0],
      ],
    )
    const before = await Promise.all(names.map((name) => all(to, name)))
    const second = await load(to.companyId, 'shop.json', file)
    assert.equal(second.code, 0)
    for (const name of names) assert.deepEqual(second.counts[name]?.slice(0, 2), [0, 0], name)
    assert.equal(second.counts.products?.[2], 24)
    assert.deepEqual(await Promise.all(names.map((name) => all(to, name))), before)

    // The same texts, terms and places as the original has.
    const [, , , ours = []] = before
    const theirs = await all(from, 'products')
    const essence = (products: Record<string, unknown>[]) =>
      products.map(({ product_id, title, product_type, published, weight }) => ({
        product_id,
        title,
        product_type,
        published,
        weight,
      }))
    assert.deepEqual(essence(ours), essence(theirs))
    const titlesIn = async (shop: Shop) =>
      (await all(shop, 'categories')).map(({ title, entries }) => [title, (entries as unknown[]).length])
    assert.deepEqual(await titlesIn(to), await titlesIn(from))
  })

  test('is imported into the company that it comes from without doubling anything', async () => {
    const shop = await service.openShop()
    assert.equal((await licet('seed', '--company', String(shop.companyId), '--products', '3')).code, 0)
    const [prices, categories, products] = await Promise.all(
      ['prices', 'categories', 'products'].map((name) => all(shop, name)),
    )
    const { counts } = await load(shop.companyId, 'own.json', JSON.stringify({ prices, categories, products }))
    for (const [name, numbers] of Object.entries(counts)) assert.deepEqual(numbers.slice(0, 2), [0, 0], name)
  })
})

describe('a second import', () => {
  const content = {
    licenses: [{ name: 'Ours', export_pdf_print: null, type: 0 }],
    prices: [{ id: 1, title: 'Shipping', currencies: [{ currency: 'eur', price: 490 }] }],
    categories: [{ title: 'Films' }],
    products: [
      { product_type: 6, title: 'Mug', weight: 200 },
      { product_type: 6, title: 'Mug', weight: 300 },
    ],
    discount_codes: [{ code: 'SPRING', type: 'percentage', amount: 10 }],
    shipping_methods: [{ title: 'Parcel', price_id: 1, countries: ['DE'] }],
    customers: [{ email: 'jane@example.com', first_name: 'Jane', addresses: [{ city: 'Rome', country: 'IT' }] }],
  }
  const lists = Object.keys(content)

  test('of the same file leaves everything as it is', async () => {
    const { companyId } = await service.openShop()
    const first = await load(companyId, 'again.json', JSON.stringify(content))
    assert.deepEqual(first.counts, {
      ...Object.fromEntries(lists.map((name) => [name, [1, 0, 0]])),
      products: [2, 0, 0],
    })
    const second = await load(companyId, 'again.json', JSON.stringify(content))
    assert.deepEqual(second.counts, {
      ...Object.fromEntries(lists.map((name) => [name, [0, 0, 1]])),
      products: [0, 0, 2],
    })
    assert.deepEqual(second.ids.products?.unchanged, first.ids.products?.created)
    const remembered = await service.db
      .selectFrom('import_keys')
      .select('kind')
      .distinct()
      .where('company_id', '=', companyId)
      .orderBy('kind')
      .execute()
    // The address of a customer must not outlive the customer.
    assert.deepEqual(
      remembered.map(({ kind }) => kind),
      ['categories', 'licenses', 'prices', 'products'],
    )
  })

  test('of a changed file changes what is there', async () => {
    const shop = await service.openShop()
    const first = await load(shop.companyId, 'changed.json', JSON.stringify(content))
    const changed = {
      licenses: [{ ...content.licenses[0], total_downloads: 3 }],
      prices: [{ ...content.prices[0], currencies: [{ currency: 'eur', price: 590 }] }],
      categories: [{ title: 'Films', comment: 'All of them' }],
      products: [content.products[0], { ...content.products[1], weight: 350 }],
      discount_codes: [{ ...content.discount_codes[0], amount: 15 }],
      shipping_methods: [{ ...content.shipping_methods[0], countries: ['DE', 'AT'] }],
      customers: [{ ...content.customers[0], first_name: 'Janet', password: 'is never changed' }],
    }
    const second = await load(shop.companyId, 'changed.json', JSON.stringify(changed))
    assert.deepEqual(second.counts, {
      ...Object.fromEntries(lists.map((name) => [name, [0, 1, 0]])),
      products: [0, 1, 1],
    })
    for (const name of lists.filter((name) => name !== 'products'))
      assert.deepEqual(second.ids[name]?.changed, first.ids[name]?.created, name)
    assert.deepEqual(
      (await all(shop, 'products')).map(({ title, weight }) => [title, weight]),
      [
        ['Mug', 200],
        ['Mug', 350],
      ],
    )
    assert.equal((await all(shop, 'customers'))[0]?.first_name, 'Janet')
    assert.equal((await all(shop, 'prices')).length, 1)
  })

  test('creates again what was deleted since', async () => {
    const shop = await service.openShop()
    const first = await load(shop.companyId, 'deleted.json', JSON.stringify(content))
    const [mug] = first.ids.products?.created ?? []
    const [film] = first.ids.categories?.created ?? []
    assert.equal((await shop.delete(`/api/products/${mug}.json`)).status, 200)
    assert.equal((await shop.delete(`/api/categories/${film}.json`)).status, 200)
    const second = await load(shop.companyId, 'deleted.json', JSON.stringify(content))
    assert.deepEqual(
      [second.counts.products, second.counts.categories],
      [
        [1, 0, 1],
        [1, 0, 0],
      ],
    )
    const third = await load(shop.companyId, 'deleted.json', JSON.stringify(content))
    assert.deepEqual(third.counts.products, [0, 0, 2])
  })

  test('into another company is the first one there', async () => {
    const { companyId } = await service.openShop()
    const { counts } = await load(companyId, 'again.json', JSON.stringify(content))
    assert.deepEqual(counts.products, [2, 0, 0])
  })
})
