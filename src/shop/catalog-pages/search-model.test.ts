import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createProducts } from '#catalog/products/commands.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { aPrice, BUY } from '#test/factories.ts'
import { useService } from '#test/harness.ts'
import { PAGE_SIZE } from './queries.ts'
import { SEARCH_START, type SearchPlace, searchCards } from './search.queries.ts'

const service = useService()

/** From words that nearly every product has to words that almost none has. */
const WORDS = ['the', 'river', 'rivers', 'golden', 'lisbon', 'ärger', '映画']

/** More than a search looks through by itself, so that both of its ways are tested. */
const PRODUCTS = 1900
/** The place, counted from the newest, at which a search leaves off and reads an index instead. */
const EDGE = 1500
const RAREST = 'turku'

type Made = { title: string[]; description: string[]; isShown: boolean }

/** The same number makes the same products. */
function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}

const some = (next: () => number, often: number) =>
  WORDS.filter((_, place) => next() < often / 3 ** (place - (place > 3 ? 1 : 0)))

function make(seed: number): Made[] {
  const next = random(seed)
  return Array.from({ length: PRODUCTS }, (_, place) => {
    const rare = Math.abs(PRODUCTS - place - EDGE) < 5 ? [RAREST] : []
    const isTitle = next() < 0.5
    return {
      title: [...some(next, 0.5), ...(isTitle ? rare : [])],
      description: [...some(next, 0.9), ...(isTitle ? [] : rare)],
      isShown: next() < 0.8,
    }
  })
}

/** What a search should find: each word has to be there, the last one at least as the beginning of one. */
function isIn(words: readonly string[], wanted: readonly string[]): boolean {
  const last = wanted.at(-1) ?? ''
  return wanted.slice(0, -1).every((word) => words.includes(word)) && words.some((word) => word.startsWith(last))
}

test('the pages of a search have every product once, titles first, the newest first', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.nat(1_000_000),
      fc.array(fc.array(fc.constantFrom(...WORDS, 'riv', 'g'), { minLength: 1, maxLength: 3 }), { minLength: 8 }),
      async (seed, searches) => {
        const shop = await service.openShop()
        const price = await aPrice(service, shop)
        const bindings = [{ license_id: BUY, price_id: price.id }]
        const made = make(seed)
        const inputs = made.map(({ title, description, isShown }) => ({
          input: {
            product_type: 1,
            title: 'X',
            published: true,
            locales: [{ language_id: 'en', title: title.join(' '), description: description.join(' ') }],
            // Without a price, no shop shows it.
            price_license_binding: isShown ? bindings : [],
          },
          now: new Date(),
        }))
        await inTransaction(service.db, (tx) => createProducts(tx, shop.companyId, inputs))
        const rows = await service.db
          .selectFrom('products')
          .select('id')
          .where('company_id', '=', shop.companyId)
          .orderBy('id')
          .execute()
        const products = made.map((product, place) => ({ ...product, id: rows[place]?.id ?? 0 })).reverse()
        for (const wanted of [[RAREST], ['the', RAREST], ...searches]) {
          const shown = products.filter(({ isShown }) => isShown)
          const titles = shown.filter(({ title }) => isIn(title, wanted))
          const texts = shown.filter(
            ({ title, description }) => !isIn(title, wanted) && isIn([...title, ...description], wanted),
          )
          const expected = [...titles, ...texts].map(({ id }) => id)
          assert.deepEqual(await walk(shop.companyId, wanted.join(' '), expected.length), expected, wanted.join(' '))
        }
      },
    ),
    { numRuns: 3 },
  )
})

/** All pages of a search, one after the other. */
async function walk(companyId: number, words: string, count: number): Promise<number[]> {
  const found: number[] = []
  let place: SearchPlace | undefined = SEARCH_START
  while (place !== undefined) {
    const cards = await searchCards(service.db, { companyId, themeId: 1, words, place }, new Date())
    const page = cards.slice(0, PAGE_SIZE)
    found.push(...page.map(({ id }) => id))
    assert.ok(found.length <= count, `“${words}” finds too much`)
    const [part, before] = page.at(-1)?.place.split('-') ?? []
    place =
      cards.length > PAGE_SIZE ? { part: part === 'texts' ? 'texts' : 'titles', before: Number(before) } : undefined
  }
  return found
}
