import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { invalidateLicense } from '#catalog/licenses/commands.ts'
import { invalidatePrice } from '#catalog/prices/commands.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { aCategory, aLicense, anOffer, aPrice, aProduct, BUY, putIntoLostTheme, type Wire } from '#test/factories.ts'
import { useService } from '#test/harness.ts'

const service = useService()
const [THEME, OTHER_THEME] = [1, 77]
const [FILM, GOODS] = [1, 6]

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
    license_id: fc.constantFrom(BUY, license.id, oldLicense.id),
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
  const made: { film: Wire; themes: number[] }[] = []
  for (const [index, body] of fc.sample(product, { numRuns: 150, seed: 7 }).entries()) {
    const goods = body.price_license_binding.slice(0, 1).map((binding) => ({ ...binding, license_id: null }))
    const bindings = body.product_type === GOODS ? goods : body.price_license_binding
    const themes = body.themes.filter(({ theme_id }) => theme_id !== OTHER_THEME)
    const film = await aProduct(owner, { ...body, title: `Film ${index}`, price_license_binding: bindings, themes })
    if (themes.length < body.themes.length) await putIntoLostTheme(service, owner, film.id, OTHER_THEME)
    made.push({ film, themes: body.themes.map(({ theme_id }) => theme_id) })
  }
  await inTransaction(service.db, async (tx) => {
    await invalidatePrice(tx, owner, String(oldPrice.id), service.clock.now())
    await invalidateLicense(tx, owner, String(oldLicense.id), service.clock.now())
  })
  const enabled = new Set([open.id, other.id])
  const isComplete = ({ license_id, price_id }: Wire, type: number) =>
    price_id === price.id &&
    (license_id === BUY || license_id === license.id || (license_id === null && type === GOODS))
  /** A second implementation of the conditions of an offer, from the bodies that were sent. */
  const conditionsOf = (film: Wire, themes: number[], categoryIds: number[] | null) => {
    const named = film.categories.filter(
      ({ category_id }: Wire) => categoryIds === null || categoryIds.includes(category_id),
    )
    return {
      published: film.published,
      complete:
        film.price_license_binding.length > 0 &&
        film.price_license_binding.every((binding: Wire) => isComplete(binding, film.product_type)),
      'in the theme': themes.length === 0 || themes.some((id) => id !== OTHER_THEME),
      'in no group': film.groups.length === 0,
      'in a category':
        named.some(({ category_id }: Wire) => enabled.has(category_id)) ||
        (categoryIds === null && film.categories.length === 0),
    }
  }
  const decisive = new Set<string>()
  for (const categoryIds of [null, [open.id], [closed.id], [open.id, other.id]]) {
    const marketId = await anOffer(service, owner, { category_ids: categoryIds })
    const expected = made.filter(({ film, themes }) => {
      const unmet = Object.entries(conditionsOf(film, themes, categoryIds)).filter(([, isMet]) => !isMet)
      if (unmet.length === 1) decisive.add(unmet[0]![0])
      return unmet.length === 0
    })
    const { products } = (await owner.get(`/api/marketplace/${marketId}.json?fields=id`)).body
    assert.deepEqual(
      products.map(({ id }: Wire) => id),
      expected.map(({ film }) => film.id),
    )
    const entries = (await owner.get('/api/marketplace.json')).body.marketplace
    assert.equal(entries.find(({ market_id }: Wire) => market_id === marketId).product_count, expected.length)
    if (categoryIds === null)
      assert.ok(expected.length > 5 && expected.length < made.length - 5, String(expected.length))
  }
  // Each condition has to exclude a product on its own, or the sample was too small.
  assert.deepEqual([...decisive].sort(), ['complete', 'in a category', 'in no group', 'in the theme', 'published'])
})
