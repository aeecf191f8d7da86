import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { rebuild } from '#program/rebuild.ts'
import {
  aCategory,
  aPrice,
  aProduct,
  assertPresentedFresh,
  everything,
  readProduct,
  storedDocument,
  usePictureHost,
  type Wire,
} from '#test/factories.ts'
import { useService } from '#test/harness.ts'

const service = useService()
const host = usePictureHost()

type Body = Record<string, unknown>

const word = fc.oneof(
  fc.constantFrom('', 'Home', 'Füm 🎬', '<b>&amp;</b>'),
  fc.string({ maxLength: 12, unit: 'grapheme' }),
)
const text = word.filter((value) => !value.includes('\0') && value.isWellFormed())
const number = fc.integer({ min: 0, max: 2_000_000 })
const time = fc.constantFrom(null, '2024-06-10', '2031-01-01T12:00:00+02:00')
/** Which of the parts that are there an entry names: by place, so that it can be turned into an id later. */
const place = fc.option(fc.nat(3), { nil: undefined })
const list = (entry: fc.Arbitrary<Body>) => fc.array(entry, { maxLength: 4 })
const record = (model: Record<string, fc.Arbitrary<unknown>>) =>
  fc.record({ place, ...model }, { requiredKeys: [] }) as fc.Arbitrary<Body>
const distinct = (entries: fc.Arbitrary<Body[]>, key: string) =>
  entries.map((all) => [...new Map(all.map((entry) => [entry[key], entry])).values()])
const picture = fc.constantFrom('', '/a.png', '/b.png', '/c.png').map((path) => (path === '' ? '' : host.url(path)))

const body = (): fc.Arbitrary<Body> =>
  fc.record(
    {
      title: text.filter((value) => value !== ''),
      version: text,
      comment: text,
      published: fc.boolean(),
      published_at: time,
      pre_sales: fc.boolean(),
      supplier: fc.option(text),
      attribute_set_id: fc.option(number),
      runtime: fc.option(number),
      tagging: fc.option(
        fc.record(
          { isbn: fc.option(text), year: fc.option(fc.nat(9999)), age: fc.option(fc.nat(21)) },
          { requiredKeys: [] },
        ),
      ),
      tagging_genre: list(record({ value: text })),
      tagging_studios: list(record({ value: text })),
      tagging_people: list(record({ role: text, person: text })),
      tagging_script: list(record({ person: text })),
      tagging_director: list(record({ person: text })),
      chapters: list(record({ name: text, runtime: number })),
      price_license_binding: list(
        fc.record(
          {
            place,
            license_id: fc.integer({ min: 1, max: 9 }),
            price: fc.option(fc.nat(2)),
            hd: fc.option(fc.boolean()),
          },
          { requiredKeys: ['license_id'] },
        ),
      ),
      themes: distinct(list(fc.record({ theme_id: fc.constantFrom(-1, 1) })), 'theme_id'),
      groups: distinct(
        list(
          fc.record({ group_id: fc.constantFrom('c-1', 'c10', 'c9', 's2', 'p7'), end_at: time }) as fc.Arbitrary<Body>,
        ),
        'group_id',
      ),
      categories: distinct(list(fc.record({ category: fc.nat(2) })), 'category'),
      images: list(record({ src: picture })),
      locales: list(
        fc.record(
          {
            language_id: fc.constantFrom('en', 'de', 'FR'),
            title: text,
            description: text,
            seo_title: text,
            seo_keywords: text,
            src: fc.oneof(picture, fc.constant(null)),
            _destroy: fc.boolean(),
          },
          { requiredKeys: ['language_id'] },
        ) as fc.Arbitrary<Body>,
      ),
    },
    { requiredKeys: [] },
  )

/** Turns places into the ids of a product's parts and of categories, as a client would that has read them. */
function asSent(change: Body, product: Wire, categoryIds: number[], priceIds: number[]): Body {
  const lists = Object.entries(change).map(([name, value]) => {
    if (!Array.isArray(value)) return [name, value]
    const entries = value.map(({ place: at, category, price, ...entry }: Body) => ({
      ...(at === undefined || product?.[name][at as number] === undefined
        ? {}
        : { id: product[name][at as number].id }),
      ...(category === undefined ? {} : { category_id: categoryIds[category as number] }),
      ...(price === undefined ? {} : { price_id: price === null ? null : priceIds[price as number] }),
      ...entry,
    }))
    return [name, entries]
  })
  return Object.fromEntries(lists)
}

describe('the stored document of a product', () => {
  // Reads send only the document: if it differed from the rows, filters and reads would disagree.
  test('is what the presenter makes of the rows, after any sequence of changes', async () => {
    const shop = await service.openShop()
    const categoryIds = [await aCategory(shop), await aCategory(shop), await aCategory(shop)].map(({ id }) => id)
    const prices = await Promise.all([1, 2, 3].map(() => aPrice(service, shop)))
    const priceIds = prices.map(({ id }) => id)
    await fc.assert(
      fc.asyncProperty(fc.array(body(), { minLength: 1, maxLength: 5 }), async ([first = {}, ...changes]) => {
        let product = await aProduct(shop, asSent(first, undefined, categoryIds, priceIds))
        await assertPresentedFresh(service, shop, product.id)
        for (const change of changes) {
          const sent = asSent(change, product, categoryIds, priceIds)
          const answer = await shop.put(`/api/products/${product.id}.json`, { product: sent })
          // The same picture named twice is the one thing here that a product may be refused for.
          if (answer.status === 422) {
            assert.ok(
              Object.keys(answer.body.errors).every((path) => /^images\[\d\]\.id$/.test(path)),
              answer.text,
            )
            continue
          }
          assert.equal(answer.status, 200, answer.text)
          product = answer.body.product
          assert.deepEqual(await readProduct(shop, product.id), product)
          await assertPresentedFresh(service, shop, product.id)
          const again = await shop.put(`/api/products/${product.id}.json`, { product })
          assert.deepEqual({ ...again.body.product, updated_at: '' }, { ...product, updated_at: '' })
        }
      }),
      { numRuns: 20 },
    )
  })

  test('is the same again after pictures have come and a rebuild has gone over it', async () => {
    const shop = await service.openShop()
    const category = await aCategory(shop, { locales: [{ language: 'en', src: host.url('/c.png') }] })
    const price = await aPrice(service, shop)
    const { id } = await aProduct(shop, everything(1, [category.id], price.id, host.url('/a.png')))
    await service.runJobs()
    await assertPresentedFresh(service, shop, id)
    const [before, read] = [await storedDocument(service, shop, id), await shop.get('/api/categories.json')]
    service.clock.advance(5)
    await service.db
      .updateTable('products')
      .set({ mail_texts: null })
      .where('company_id', '=', shop.companyId)
      .execute()
    await rebuild(service.db)
    await assertPresentedFresh(service, shop, id)
    assert.equal(await storedDocument(service, shop, id), before)
    assert.equal((await shop.get('/api/categories.json')).text, read.text)
  })

  test('is repaired by a rebuild, and so are counters', async () => {
    const shop = await service.openShop()
    const category = await aCategory(shop)
    const product = await aProduct(shop)
    for (const table of ['products', 'categories'] as const)
      await service.db.updateTable(table).set({ document: '{}' }).where('company_id', '=', shop.companyId).execute()
    await service.db.updateTable('counters').set({ amount: 77 }).where('company_id', '=', shop.companyId).execute()
    const done = await rebuild(service.db)
    assert.ok(Number(done.products) > 0 && Number(done.categories) > 0)
    assert.deepEqual(await readProduct(shop, product.id), product)
    assert.deepEqual((await shop.get(`/api/categories/${category.id}.json`)).body.category, category)
    for (const name of ['products', 'categories'])
      assert.deepEqual((await shop.get(`/api/${name}/count.json`)).body, { count: 1 })
  })

  test('loses no change that is made while a rebuild runs', async () => {
    const shop = await service.openShop()
    const products = await Promise.all(Array.from({ length: 10 }, () => aProduct(shop)))
    const changes = products.map(({ id }) => shop.put(`/api/products/${id}.json`, { product: { title: 'New' } }))
    const [answers] = await Promise.all([Promise.all(changes), rebuild(service.db)])
    for (const { status, text: answer } of answers) assert.equal(status, 200, answer)
    for (const { id } of products) {
      assert.equal((await readProduct(shop, id)).title, 'New')
      await assertPresentedFresh(service, shop, id)
    }
  })
})
