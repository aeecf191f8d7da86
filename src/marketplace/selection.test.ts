import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { invalidateLicense } from '#licenses/commands.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { invalidatePrice } from '#prices/commands.ts'
import { readShowables } from '#products/appearance/queries.ts'
import { appearsInShop } from '#products/appearance/rules.ts'
import { aCategory, aLicense, anOffer, aPrice, aProduct, BUY, putIntoLostTheme, type Wire } from '#test/factories.ts'
import { useService } from '#test/harness.ts'

const service = useService()
const [THEME, OTHER_THEME] = [1, 77]
const [FILM, GOODS] = [1, 6]

// Said a second time by the database, so that lists and counts need not read every product: it must be the same rule.
test('what is offered is what could appear in the shop of its owner, its release aside, and is in no group', async () => {
  const owner = await service.openShop()
  const [price, oldPrice] = [await aPrice(service, owner), await aPrice(service, owner)]
  const [license, oldLicense] = [await aLicense(service, owner), await aLicense(service, owner)]
  const [open, closed, other] = [
    await aCategory(owner),
    await aCategory(owner, { enabled: false }),
    await aCategory(owner),
  ]
  const list = <Entry>(entries: Entry[]) => fc.subarray(entries)
  const whole = fc.record({
    license_id: fc.constantFrom(BUY, license.id, license.id),
    price_id: fc.constant(price.id),
  })
  const any = fc.record({
    license_id: fc.constantFrom(BUY, license.id, oldLicense.id, null),
    price_id: fc.constantFrom(price.id, price.id, oldPrice.id, null),
  })
  const mostly = <Value>(value: Value, other: fc.Arbitrary<Value>) =>
    fc.oneof({ arbitrary: fc.constant(value), weight: 3 }, other)
  const product = fc.record({
    product_type: fc.constantFrom(FILM, FILM, GOODS),
    published: mostly(true, fc.boolean()),
    pre_sales: fc.boolean(),
    published_at: fc.constantFrom(null, '2024-01-01', '2099-01-01'),
    price_license_binding: fc.array(fc.oneof({ arbitrary: whole, weight: 3 }, any), { maxLength: 2 }),
    themes: mostly([], list([{ theme_id: -1 }, { theme_id: THEME }, { theme_id: OTHER_THEME }])),
    groups: mostly([], list([{ group_id: 'c1' }, { group_id: 's2', end_at: '2024-01-01' }])),
    categories: list([{ category_id: open.id }, { category_id: closed.id }, { category_id: other.id }]),
  })
  const made: { id: number; categories: Wire[]; groups: Wire[] }[] = []
  for (const [index, body] of fc.sample(product, { numRuns: 150, seed: 7 }).entries()) {
    const goods = body.price_license_binding.slice(0, 1).map((binding) => ({ ...binding, license_id: null }))
    const bindings = body.product_type === GOODS ? goods : body.price_license_binding
    const themes = body.themes.filter(({ theme_id }) => theme_id !== OTHER_THEME)
    const film = await aProduct(owner, { ...body, title: `Film ${index}`, price_license_binding: bindings, themes })
    if (themes.length < body.themes.length) await putIntoLostTheme(service, owner, film.id, OTHER_THEME)
    made.push(film)
  }
  await inTransaction(service.db, async (tx) => {
    await invalidatePrice(tx, owner, String(oldPrice.id), service.clock.now())
    await invalidateLicense(tx, owner, String(oldLicense.id), service.clock.now())
  })
  const showables = await readShowables(
    service.db,
    owner.companyId,
    made.map(({ id }) => id),
  )
  const reasons = new Set<string>()
  const enabled = new Set([open.id, other.id])
  for (const categoryIds of [null, [open.id], [closed.id], [open.id, other.id]]) {
    const marketId = await anOffer(service, owner, { category_ids: categoryIds })
    const expected = made.filter(({ id, categories, groups }) => {
      const named = categories.filter(({ category_id }) => categoryIds === null || categoryIds.includes(category_id))
      if (groups.length > 0 || (categoryIds !== null && named.length === 0)) return false
      const shown = {
        ...showables.get(id)!,
        published_at: null,
        categories: named.map(({ category_id }) => ({ enabled: enabled.has(category_id) })),
      }
      const appearance = appearsInShop(shown, THEME, service.clock.now())
      if (!appearance.appears) reasons.add(appearance.because)
      return appearance.appears
    })
    const { products } = (await owner.get(`/api/marketplace/${marketId}.json?fields=id`)).body
    assert.deepEqual(
      products.map(({ id }: Wire) => id),
      expected.map(({ id }) => id),
    )
    const entries = (await owner.get('/api/marketplace.json')).body.marketplace
    assert.equal(entries.find(({ market_id }: Wire) => market_id === marketId).product_count, expected.length)
    if (categoryIds === null)
      assert.ok(expected.length > 5 && expected.length < made.length - 5, String(expected.length))
  }
  // Every reason but those of time and of products that have ended was met, or the test has seen too little.
  assert.deepEqual([...reasons].sort(), [
    'a license is missing',
    'a license is no longer valid',
    'a price is missing',
    'a price is no longer valid',
    'its categories are disabled',
    'no license and price',
    'not in this theme',
    'not published',
  ])
})
