import { readRates } from '#catalog/currency-rates/queries.ts'
import type { Db } from '#platform/db/database.ts'
import { type Card, cardOf } from '#shop/catalog-pages/cards.present.ts'
import { readListedCards } from '#shop/catalog-pages/queries.ts'
import type { ShopVisit } from '#shop/site/state.ts'

/** How many products a customer can save; the page shows all of them. */
export const WISHES_MAX = 100

type Wisher = { companyId: number; customerId: number }

/** Every read of wishes starts here, so none can forget the company. */
function wishesOf(db: Db, { companyId, customerId }: Wisher) {
  return db.selectFrom('wishes').where('wishes.company_id', '=', companyId).where('wishes.customer_id', '=', customerId)
}

/** The products that a customer has saved, the last first. Those that the shop does not show are left out. */
export async function readWishCards(db: Db, wisher: Wisher, visit: ShopVisit, now: Date): Promise<Card[]> {
  const { company_id: companyId, theme_id: themeId } = visit.shop
  const [ids, rates] = await Promise.all([readWishes(db, wisher), readRates(db)])
  const rows = ids.length === 0 ? [] : await readListedCards(db, { companyId, themeId, ids }, now)
  return rows.map((row) => cardOf(row, { ...visit, rates, now }))
}

export type SavedProduct = { product_id: string; title: string; created_at: Date }

/** The products that a customer has saved, also those that no shop shows, the first first. */
export function readSavedProducts(db: Db, wisher: Wisher): Promise<SavedProduct[]> {
  return wishesOf(db, wisher)
    .innerJoin('products', (on) =>
      on.onRef('products.company_id', '=', 'wishes.company_id').onRef('products.id', '=', 'wishes.product_key'),
    )
    .select(['products.product_id', 'products.title', 'wishes.created_at'])
    .orderBy('wishes.created_at')
    .orderBy('wishes.product_key')
    .limit(WISHES_MAX)
    .execute()
}

async function readWishes(db: Db, wisher: Wisher): Promise<number[]> {
  const rows = await wishesOf(db, wisher)
    .select('product_key')
    .orderBy('created_at', 'desc')
    .orderBy('product_key', 'desc')
    .limit(WISHES_MAX)
    .execute()
  return rows.map(({ product_key }) => product_key)
}
