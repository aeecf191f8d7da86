import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { appearsInShop, type Reason, type Showable } from './rules.ts'

const now = new Date('2026-06-10T12:00:00Z')
const earlier = new Date('2026-06-10T11:59:59Z')
const later = new Date('2026-06-10T12:00:01Z')
const [THEME, OTHER_THEME, ALL] = [1, 2, -1]
const [FILM, GOODS] = [1, 6]
const [good, bad] = [{ valid: true }, { valid: false }]

const film: Showable = {
  product_type: FILM,
  published: true,
  valid: true,
  published_at: now,
  pre_sales: false,
  bindings: [{ license: good, price: good }],
  themes: [],
  groups: [],
  categories: [],
}

const CASES: [string, Partial<Showable>, Reason | true][] = [
  ['whole and published', {}, true],
  ['hidden', { published: false }, 'not published'],
  ['taken out of use', { valid: false }, 'no longer valid'],
  ['released a second ago', { published_at: earlier }, true],
  ['released at no time that was said', { published_at: null }, true],
  ['released in a second', { published_at: later }, 'not released yet'],
  ['released in a second, on pre-sale', { published_at: later, pre_sales: true }, true],
  ['on pre-sale, hidden', { published_at: later, pre_sales: true, published: false }, 'not published'],
  ['on pre-sale, without a price', { published_at: later, pre_sales: true, bindings: [] }, true],
  ['once on pre-sale, released without a price', { pre_sales: true, bindings: [] }, 'no license and price'],
  ['never released on pre-sale', { published_at: null, pre_sales: true, bindings: [] }, 'no license and price'],
  ['without bindings', { bindings: [] }, 'no license and price'],
  ['without a price', { bindings: [{ license: good, price: null }] }, 'a price is missing'],
  ['without a license', { bindings: [{ license: null, price: good }] }, 'a license is missing'],
  ['with a license out of use', { bindings: [{ license: bad, price: good }] }, 'a license is no longer valid'],
  ['with a price out of use', { bindings: [{ license: good, price: bad }] }, 'a price is no longer valid'],
  [
    'with a price for one of its licenses',
    {
      bindings: [
        { license: good, price: good },
        { license: good, price: null },
      ],
    },
    'a price is missing',
  ],
  ['goods with a price', { product_type: GOODS, bindings: [{ license: null, price: good }] }, true],
  ['goods without one', { product_type: GOODS, bindings: [{ license: null, price: null }] }, 'a price is missing'],
  ['goods without bindings', { product_type: GOODS, bindings: [] }, 'no license and price'],
  ['in all themes', { themes: [{ theme_id: ALL }] }, true],
  ['in this theme and another', { themes: [{ theme_id: OTHER_THEME }, { theme_id: THEME }] }, true],
  ['in another theme', { themes: [{ theme_id: OTHER_THEME }] }, 'not in this theme'],
  ['in a group without bounds', { groups: [{ start_at: null, end_at: null }] }, true],
  ['in a group from now on', { groups: [{ start_at: now, end_at: null }] }, true],
  ['in a group from a second on', { groups: [{ start_at: later, end_at: null }] }, 'outside the time of its groups'],
  ['in a group until now', { groups: [{ start_at: null, end_at: now }] }, 'outside the time of its groups'],
  ['in a group for a second more', { groups: [{ start_at: null, end_at: later }] }, true],
  [
    'in two groups, one of them now',
    {
      groups: [
        { start_at: null, end_at: earlier },
        { start_at: earlier, end_at: later },
      ],
    },
    true,
  ],
  ['in an enabled category', { categories: [{ enabled: true }] }, true],
  ['in a disabled category', { categories: [{ enabled: false }] }, 'its categories are disabled'],
  ['in a disabled and an enabled category', { categories: [{ enabled: false }, { enabled: true }] }, true],
]

describe('a product appears in the shop', () => {
  for (const [name, change, expected] of CASES) {
    test(`${expected === true ? 'yes' : 'no'}: ${name}`, () =>
      assert.deepEqual(
        appearsInShop({ ...film, ...change }, THEME, now),
        expected === true ? { appears: true } : { appears: false, because: expected },
      ))
  }

  const time = fc.constantFrom(null, earlier, now, later)
  const term = fc.constantFrom(null, good, bad)
  const list = <Entry>(entry: fc.Arbitrary<Entry>) => fc.array(entry, { maxLength: 3 })
  const showable: fc.Arbitrary<Showable> = fc.record({
    product_type: fc.constantFrom(FILM, GOODS),
    published: fc.boolean(),
    valid: fc.boolean(),
    published_at: time,
    pre_sales: fc.boolean(),
    bindings: list(fc.record({ license: term, price: term })),
    themes: list(fc.record({ theme_id: fc.constantFrom(ALL, THEME, OTHER_THEME) })),
    groups: list(fc.record({ start_at: time, end_at: time })),
    categories: list(fc.record({ enabled: fc.boolean() })),
  })

  const appears = (product: Showable) => appearsInShop(product, THEME, now).appears
  /** Said a second time, from the other end: what has to be true of everything that appears. */
  const demands = (product: Showable): boolean[] => {
    const preSale = product.pre_sales && product.published_at === later
    const whole = product.bindings.filter(
      ({ license, price }) =>
        price === good && (license === good || (license === null && product.product_type === GOODS)),
    )
    const starts = product.groups.filter(({ start_at }) => start_at !== later)
    return [
      product.published && product.valid,
      product.published_at !== later || product.pre_sales,
      preSale || (whole.length > 0 && whole.length === product.bindings.length),
      product.themes.length === 0 || product.themes.some(({ theme_id }) => theme_id !== OTHER_THEME),
      product.groups.length === 0 || starts.some(({ end_at }) => end_at === null || end_at === later),
      product.categories.length === 0 || !product.categories.every(({ enabled }) => !enabled),
    ]
  }

  test('if and only if every demand is met', () => {
    fc.assert(
      fc.property(showable, (product) => assert.equal(appears(product), demands(product).every(Boolean))),
      { numRuns: 2000 },
    )
  })

  test('never because it was hidden, and hiding it is the only reason that is told', () => {
    fc.assert(
      fc.property(showable, (product) =>
        assert.deepEqual(appearsInShop({ ...product, published: false }, THEME, now), {
          appears: false,
          because: 'not published',
        }),
      ),
    )
  })
})
