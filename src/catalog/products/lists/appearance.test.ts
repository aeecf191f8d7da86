import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { invalidateLicense } from '#catalog/licenses/commands.ts'
import { invalidatePrice } from '#catalog/prices/commands.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { wireTime } from '#platform/wire/times.ts'
import { aCategory, aLicense, aPrice, BUY } from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'
import { createProducts } from '../commands.ts'
import { productsOf, readProductKeys } from '../queries.ts'
import type { HiddenReason } from '../state.ts'
import { appearsIn, readHiddenReasons } from './appearance.queries.ts'

const now = new Date('2026-06-10T12:00:00Z')
const earlier = new Date('2026-06-10T11:59:59Z')
const later = new Date('2026-06-10T12:00:01Z')
const [THEME, OTHER_THEME, ALL] = [1, 2, -1]
const [FILM, GOODS] = [1, 6]
const SAMPLES = 400

type Term = 'good' | 'old' | null

/** What decides whether a product appears, in words of the test. */
type Showable = {
  product_type: number
  published: boolean
  valid: boolean
  published_at: Date | null
  pre_sales: boolean
  bindings: { license: Term; price: Term }[]
  themes: number[]
  groups: { start_at: Date | null; end_at: Date | null }[]
  categories: ('enabled' | 'disabled')[]
}

const film: Showable = {
  product_type: FILM,
  published: true,
  valid: true,
  published_at: now,
  pre_sales: false,
  bindings: [{ license: 'good', price: 'good' }],
  themes: [],
  groups: [],
  categories: [],
}

const whole = { license: 'good', price: 'good' } as const

const CASES: [string, Partial<Showable>, HiddenReason | null][] = [
  ['whole and published', {}, null],
  ['hidden', { published: false }, 'not published'],
  ['taken out of use', { valid: false }, 'no longer valid'],
  ['released a second ago', { published_at: earlier }, null],
  ['without a time of release', { published_at: null }, null],
  ['released in a second', { published_at: later }, 'not released yet'],
  ['released in a second, on pre-sale', { published_at: later, pre_sales: true }, null],
  ['on pre-sale, hidden', { published_at: later, pre_sales: true, published: false }, 'not published'],
  ['on pre-sale, without a price', { published_at: later, pre_sales: true, bindings: [] }, null],
  ['once on pre-sale, released without a price', { pre_sales: true, bindings: [] }, 'no license and price'],
  ['never released on pre-sale', { published_at: null, pre_sales: true, bindings: [] }, 'no license and price'],
  ['without bindings', { bindings: [] }, 'no license and price'],
  ['without a price', { bindings: [{ license: 'good', price: null }] }, 'a price is missing'],
  ['without a license', { bindings: [{ license: null, price: 'good' }] }, 'a license is missing'],
  ['with a license out of use', { bindings: [{ license: 'old', price: 'good' }] }, 'a license is no longer valid'],
  ['with a price out of use', { bindings: [{ license: 'good', price: 'old' }] }, 'a price is no longer valid'],
  ['with a price for one of its licenses', { bindings: [whole, { ...whole, price: null }] }, 'a price is missing'],
  ['goods with a price', { product_type: GOODS, bindings: [{ license: null, price: 'good' }] }, null],
  ['goods without one', { product_type: GOODS, bindings: [{ license: null, price: null }] }, 'a price is missing'],
  ['goods without bindings', { product_type: GOODS, bindings: [] }, 'no license and price'],
  ['in all themes', { themes: [ALL] }, null],
  ['in this theme and another', { themes: [OTHER_THEME, THEME] }, null],
  ['in another theme', { themes: [OTHER_THEME] }, 'not in this theme'],
  ['in a group without bounds', { groups: [{ start_at: null, end_at: null }] }, null],
  ['in a group from now on', { groups: [{ start_at: now, end_at: null }] }, null],
  ['in a group from a second on', { groups: [{ start_at: later, end_at: null }] }, 'outside the time of its groups'],
  ['in a group until now', { groups: [{ start_at: null, end_at: now }] }, 'outside the time of its groups'],
  ['in a group for a second more', { groups: [{ start_at: null, end_at: later }] }, null],
  [
    'in two groups, one of them now',
    {
      groups: [
        { start_at: null, end_at: earlier },
        { start_at: earlier, end_at: later },
      ],
    },
    null,
  ],
  ['in an enabled category', { categories: ['enabled'] }, null],
  ['in a disabled category', { categories: ['disabled'] }, 'its categories are disabled'],
  ['in a disabled and an enabled category', { categories: ['disabled', 'enabled'] }, null],
]

/** A second implementation of every condition: true of everything that appears. */
function conditionsOf(product: Showable): boolean[] {
  const preSale = product.pre_sales && product.published_at === later
  const complete = product.bindings.filter(
    ({ license, price }) =>
      price === 'good' && (license === 'good' || (license === null && product.product_type === GOODS)),
  )
  const started = product.groups.filter(({ start_at }) => start_at !== later)
  return [
    product.published && product.valid,
    product.published_at !== later || product.pre_sales,
    preSale || (complete.length > 0 && complete.length === product.bindings.length),
    product.themes.length === 0 || product.themes.some((id) => id !== OTHER_THEME),
    product.groups.length === 0 || started.some(({ end_at }) => end_at === null || end_at === later),
    product.categories.length === 0 || product.categories.includes('enabled'),
  ]
}

describe('a product appears in the shop', () => {
  const service = useService()
  const samples = fc.sample(arbitraryProduct(), { numRuns: SAMPLES, seed: 7 })
  const products = [...CASES.map(([, change]) => ({ ...film, ...change })), ...samples]
  let reasons: (HiddenReason | null | undefined)[]
  let onPages: Set<number>
  let keys: number[]

  before(async () => {
    const shop = await service.openShop()
    keys = await makeAll(shop)
    const shown = await productsOf(service.db, shop.companyId)
      .select('products.id')
      .where(appearsIn(THEME, now))
      .execute()
    onPages = new Set(shown.map(({ id }) => id))
    const found = await readHiddenReasons(service.db, shop.companyId, keys, THEME, now)
    reasons = keys.map((key) => found.get(key))
  })

  async function makeAll(shop: Shop): Promise<number[]> {
    const { companyId } = shop
    const [oldLicense, price, oldPrice] = [
      await aLicense(service, shop),
      await aPrice(service, shop),
      await aPrice(service, shop),
    ]
    const [enabled, disabled] = [await aCategory(shop), await aCategory(shop, { enabled: false })]
    const idOf = (term: Term, good: number, old: number) => (term === null ? null : term === 'good' ? good : old)
    const time = (date: Date | null) => (date === null ? null : wireTime(date))
    const inputs = products.map((product) => ({
      title: 'Film',
      product_type: product.product_type,
      published: product.published,
      published_at: time(product.published_at),
      pre_sales: product.pre_sales,
      price_license_binding: [],
      groups: product.groups.map(({ start_at, end_at }, index) => ({
        group_id: `c${index + 1}`,
        start_at: time(start_at),
        end_at: time(end_at),
      })),
      categories: product.categories.map((state) => ({ category_id: (state === 'enabled' ? enabled : disabled).id })),
    }))
    await inTransaction(service.db, async (tx) => {
      await createProducts(
        tx,
        companyId,
        inputs.map((input) => ({ input, now: earlier })),
      )
      await invalidateLicense(tx, shop, String(oldLicense.id), now)
      await invalidatePrice(tx, shop, String(oldPrice.id), now)
    })
    const keys = await readProductKeys(service.db, companyId, 0, products.length + 1)
    const bindings = products.flatMap(({ bindings }, index) =>
      bindings.map(({ license, price: cost }, position) => ({
        company_id: companyId,
        id: index * 10 + position + 1,
        product_key: keys[index],
        position,
        license_id: idOf(license, BUY, oldLicense.id),
        price_id: idOf(cost, price.id, oldPrice.id),
      })),
    )
    const themes = products.flatMap(({ themes }, index) =>
      themes.map((theme_id, position) => ({
        company_id: companyId,
        id: index * 10 + position + 1,
        product_key: keys[index],
        theme_id,
        created_at: earlier,
      })),
    )
    // Bodies refuse some of these, and the marketplace or an older program can still leave them behind.
    await sql`insert into product_themes
      select * from json_populate_recordset(null::product_themes, ${JSON.stringify(themes)}::json)`.execute(service.db)
    await sql`insert into product_bindings
      select * from json_populate_recordset(null::product_bindings, ${JSON.stringify(bindings)}::json)`.execute(
      service.db,
    )
    const invalid = keys.filter((_, index) => products[index]?.valid === false)
    await sql`update products set valid = false
      where company_id = ${companyId} and id = any(${invalid}::bigint[])`.execute(service.db)
    return keys
  }

  for (const [index, [name, , expected]] of CASES.entries())
    test(`${expected === null ? 'yes' : 'no'}: ${name}`, () => assert.equal(reasons[index], expected))

  test('if and only if every condition is met', () => {
    const appears = products.map((_, index) => reasons[index] === null)
    for (const [index, product] of products.entries())
      assert.equal(appears[index], conditionsOf(product).every(Boolean), JSON.stringify(product))
    const share = appears.filter(Boolean).length
    assert.ok(share > 20 && share < products.length - 20, `${share} of ${products.length} appear`)
  })

  test('and on its pages if and only if there is no reason to hide it', () => {
    for (const [index, key] of keys.entries())
      assert.equal(onPages.has(key), reasons[index] === null, JSON.stringify(products[index]))
  })

  test('a hidden one is reported as not published, before any other reason', () => {
    const hidden = products.flatMap(({ published }, index) => (published ? [] : [reasons[index]]))
    assert.ok(hidden.length > 20)
    assert.deepEqual(new Set(hidden), new Set(['not published']))
  })
})

/** Most samples are whole in most respects, so that many appear and each condition decides on some. */
function arbitraryProduct(): fc.Arbitrary<Showable> {
  const time = fc.constantFrom(null, earlier, now, later)
  // A group that ends before it starts is refused.
  const group = fc
    .record({ start_at: time, end_at: time })
    .filter(({ start_at, end_at }) => start_at === null || end_at === null || start_at < end_at)
  const term = fc.constantFrom<Term>('good', 'good', 'good', 'old', null)
  const few = <Entry>(entry: fc.Arbitrary<Entry>) => fc.array(entry, { maxLength: 2 })
  const mostly = <Value>(value: Value, other: fc.Arbitrary<Value>) =>
    fc.oneof({ arbitrary: fc.constant(value), weight: 3 }, other)
  return fc.record({
    product_type: fc.constantFrom(FILM, GOODS),
    published: mostly(true, fc.boolean()),
    valid: mostly(true, fc.boolean()),
    published_at: time,
    pre_sales: fc.boolean(),
    bindings: mostly([whole], few(fc.record({ license: term, price: term }))) as fc.Arbitrary<Showable['bindings']>,
    themes: mostly([], fc.subarray([ALL, THEME, OTHER_THEME])),
    groups: mostly([], few(group)),
    categories: mostly([], fc.subarray(['enabled', 'disabled'])),
  })
}
