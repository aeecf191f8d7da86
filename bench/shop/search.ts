import { openDatabase } from '#platform/db/database.ts'
import { SEARCH_START, searchCards } from '#storefront/catalog/search.ts'
import { median } from '../measure.ts'
import { databaseHost, makeDataFolder, seed, startService, withDatabase } from '../processes.ts'
import { aimLine } from '../report.ts'

const PRODUCTS = 100_000
const ORDERS = 100
const WARM_UP = 5
const SEARCHES = 15

/** Common words and rare ones, parts of words, several words, and words that no product has. */
const WORDS = [
  ...['the', 'of', 'golden', 'observatory', 'photographs', 'zzzz'],
  ...['a', 'o', 're', '12'],
  ...['the golden', 'river lisbon', 'a golden', 'silent river of turku', 'the silent river of turku and the orchard'],
]

/** The median of the milliseconds from the first statement of a search to the last row of its page, over one connection. */
export type Search = { words: string; found: number; ms: number }

/** Measures the search of a large shop, on a database of its own. */
export async function measureSearch(): Promise<Search[]> {
  console.log(`Filling a shop with ${PRODUCTS} products …`)
  const folder = await makeDataFolder()
  const { companyId } = await startService(folder, ['--no-worker'])
  await seed(folder, PRODUCTS, ORDERS)
  const host = await databaseHost(folder)
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
    for (let number = 0; number < WARM_UP + SEARCHES; number += 1) {
      const started = performance.now()
      const cards = await searchCards(db, { companyId, themeId, words, place: SEARCH_START }, new Date())
      times.push(performance.now() - started)
      found = cards.length
    }
    searches.push({ words, found, ms: median(times.slice(WARM_UP)) })
  }
  await close()
  return searches
}

const MS_MAX = 20

export function searchLines(searches: readonly Search[]): string[] {
  const slowest = searches.toSorted((a, b) => b.ms - a.ms)[0]
  if (slowest === undefined) throw new Error('nothing was searched')
  return [
    `Search over ${PRODUCTS} products, ms: ${searches.map(({ words, ms }) => `“${words}” ${ms.toFixed(1)}`).join(', ')}`,
    aimLine(`the slowest of them, “${slowest.words}”`, slowest.ms, ' ms', MS_MAX, 1),
  ]
}
