import { Readable } from 'node:stream'
import type { Db } from '#platform/db/database.ts'
import { createSemaphore } from '#platform/processes/semaphore.ts'
import { categoryPath, productPath } from '#shop/site/paths.rules.ts'
import { inOrder, textIn } from '#shop/site/rules.ts'
import { readSitemapCategories, readSitemapProducts, type SitemapRow } from './queries.ts'

/** A sitemap must not have more addresses (sitemaps.org). */
const ADDRESSES_MAX = 50_000
const BATCH = 500
const CATEGORIES_MAX = 10_000

/**
 * Anybody may ask for sitemaps, and none costs as much: of those that are asked for at once, one piece is made at a time, so that
 * they take turns with other requests.
 */
const inTurn = createSemaphore(1)

type Site = { companyId: number; themeId: number; origin: string; pages: readonly string[]; now: Date }

/**
 * The pages of a shop for search engines, piece by piece, so that memory does not grow with the shop. The first read comes
 * before the answer begins: a database that is away is still an error of the whole answer then.
 */
export async function sitemapOf(db: Db, site: Site): Promise<Readable> {
  const categories = await inTurn(() => readSitemapCategories(db, site.companyId, CATEGORIES_MAX))
  return Readable.from(piecesOf(db, site, categories))
}

async function* piecesOf(
  db: Db,
  { companyId, themeId, origin, pages, now }: Site,
  categories: readonly SitemapRow[],
): AsyncGenerator<string> {
  yield '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
  yield ['/', ...pages].map((path) => `<url><loc>${origin}${path}</loc></url>\n`).join('')
  yield categories.map((row) => entry(row, `${origin}${categoryPath(row.id, titleOf(row))}`)).join('')
  let left = ADDRESSES_MAX - categories.length - 1 - pages.length
  let after = 0
  while (left > 0) {
    const max = Math.min(BATCH, left)
    const { products, text } = await inTurn(async () => {
      const products = await readSitemapProducts(db, { companyId, themeId, after, max }, now)
      const text = products.map((row) => entry(row, `${origin}${productPath(row.id, titleOf(row))}`)).join('')
      return { products, text }
    })
    yield text
    left -= products.length
    after = products.at(-1)?.id ?? after
    if (products.length < max) break
  }
  yield '</urlset>\n'
}

/** The addresses contain letters, digits and hyphens only, so there is nothing to escape. */
function entry({ updated_at }: SitemapRow, address: string): string {
  return `<url><loc>${address}</loc><lastmod>${updated_at.toISOString().slice(0, 10)}</lastmod></url>\n`
}

function titleOf({ title, locales }: SitemapRow): string {
  return textIn(inOrder(locales, []), 'title')?.text ?? title
}
