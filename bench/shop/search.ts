import { openDatabase } from '#platform/db/database.ts'
import { SEARCH_START, searchCards } from '#shop/catalog-pages/search.queries.ts'
import type { Figure } from '../figures.ts'
import { familyCpu, familyCpuMs } from '../machine.ts'
import { median } from '../measure.ts'
import { aimLine } from '../report.ts'
import { type Filled, startFilled, withDatabase } from '../services.ts'

const PRODUCTS = 100_000
const ORDERS = 100
const WARM_UP = 5
const SEARCHES = 15

/** A word that no product has. */
const NOWHERE = 'zzzz'

/** Common words and rare ones, parts of words, several words, and words that no product has. */
const WORDS = [
  'the',
  'of',
  'golden',
  'observatory',
  'photographs',
  NOWHERE,
  'a',
  'o',
  're',
  '12',
  'the golden',
  'river lisbon',
  'a golden',
  'silent river of turku',
  'the silent river of turku and the orchard',
]

/**
 * The median of the milliseconds from the first statement of a search to the last row of its page, over one connection, and
 * the CPU time of PostgreSQL.
 */
export type Search = { words: string; found: number; ms: number; databaseMs: number }

/** Measures the search of a large shop, on a database of its own; in a smoke run, of the one that is there. */
export async function measureSearch(smoke: boolean, small: Filled): Promise<Search[]> {
  const filling = { products: PRODUCTS, orders: ORDERS, flags: ['--no-worker'] } as const
  const { service, host, postmaster } = smoke ? small : await startFilled(filling, smoke)
  const { companyId } = service
  const [warmUp, searchesEach] = smoke ? [0, 1] : [WARM_UP, SEARCHES]
  const themeId = await withDatabase(host, async (client) => {
    await client.query('vacuum analyze')
    const text = 'select theme_id::int from theme_settings where company_id = $1 order by id limit 1'
    return (await client.query<{ theme_id: number }>(text, [companyId])).rows[0]?.theme_id ?? 0
  })
  console.log('Measuring the search …')
  const { db, close } = openDatabase({ host, user: 'licet', database: 'licet' }, { poolMax: 1 })
  const searches: Search[] = []
  for (const words of WORDS) {
    const times: number[] = []
    let found = 0
    let before = familyCpu(postmaster)
    for (let number = 0; number < warmUp + searchesEach; number += 1) {
      if (number === warmUp) before = familyCpu(postmaster)
      const started = performance.now()
      const cards = await searchCards(db, { companyId, themeId, words, place: SEARCH_START }, new Date())
      times.push(performance.now() - started)
      found = cards.length
    }
    const databaseMs = familyCpuMs(before, familyCpu(postmaster)) / searchesEach
    searches.push({ words, found, ms: median(times.slice(warmUp)), databaseMs })
    // A small shop has not all words, but it has the first.
    if (words === NOWHERE ? found > 0 : words === WORDS[0] && found === 0)
      throw new Error(`the search for “${words}” found ${found} products`)
  }
  await close()
  return searches
}

const MS_MAX = 20

/** The mean of all words. */
export function searchFigure(searches: readonly Search[]): Figure {
  const databaseMs = searches.reduce((sum, search) => sum + search.databaseMs, 0) / searches.length
  return { name: 'search', compared: searches.length, databaseMs }
}

export function searchLines(searches: readonly Search[]): string[] {
  const slowest = searches.toSorted((a, b) => b.ms - a.ms)[0]
  if (slowest === undefined) throw new Error('nothing was searched')
  return [
    `Search over ${PRODUCTS} products, ms: ${searches.map(({ words, ms }) => `“${words}” ${ms.toFixed(1)}`).join(', ')}`,
    aimLine(`the slowest of them, “${slowest.words}”`, slowest.ms, ' ms', MS_MAX, 1),
  ]
}
