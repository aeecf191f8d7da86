import { createCategory } from '#catalog/categories/commands.ts'
import { createPrice } from '#catalog/prices/commands.ts'
import { createProducts } from '#catalog/products/commands.ts'
import { VIDEO } from '#catalog/products/types.facts.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { awaitedLater } from '#platform/errors/awaited-later.ts'
import { SHOWPIECES, showpieceInput } from './catalog.ts'
import { IN_CLUB, makeClub, offerClub } from './club.ts'
import { CATEGORIES, DEMO_TYPES, makeProduct, type ShopIds } from './products.ts'
import { createRandom, type Random } from './random.ts'
import { PRICES } from './terms.ts'

/** The product that the examples of the API reference name. */
const EXAMPLE_PRODUCT_ID = '0001-26ED-EA4F-AA32'
const BATCH = 500
const BATCHES_AT_ONCE = 2
const FIRST_DAY = Date.UTC(2024, 0, 1)
const SPAN_SECONDS = 2 * 365 * 86_400

export type SeedOptions = {
  companyId: number
  products: number
  seed: number
  now: Date
  onProgress?: (done: number) => void
}

/** Seeds a shop with realistic products; the same seed makes the same shop. */
export async function seedShop(db: Db, { companyId, products, seed, now, onProgress }: SeedOptions): Promise<void> {
  const random = createRandom(seed)
  const shopIds = await inTransaction(db, (tx) => createShopIds(tx, companyId, now))
  const under = new Set<Promise<void>>()
  let stored = 0
  for (let from = 0; from < products; from += BATCH) {
    const batch = makeProducts(random, shopIds, from, Math.min(BATCH, products - from))
    // While PostgreSQL stores one batch, the next is made: each uses one core.
    if (under.size === BATCHES_AT_ONCE) await Promise.race(under)
    const storing = inTransaction(db, (tx) => createProducts(tx, companyId, batch)).then(() => {
      under.delete(storing)
      stored += batch.length
      onProgress?.(stored)
    })
    under.add(awaitedLater(storing))
  }
  await Promise.all(under)
}

/** Seeds a small shop inside the caller's transaction. */
export async function seedSmallShop(
  tx: Tx,
  { companyId, seed, now }: Omit<SeedOptions, 'onProgress' | 'products'>,
): Promise<void> {
  const shopIds = await createShopIds(tx, companyId, now)
  const random = createRandom(seed)
  const made = DEMO_TYPES.map((type, index) => ({
    // Whatever a newcomer sees in the reference can be bought.
    input: { ...makeProduct(random, index, shopIds, type), published: true },
    now: pastTime(random),
  }))
  const film = made.find(({ input }) => input.product_type === VIDEO)
  if (film !== undefined) film.input.product_id = EXAMPLE_PRODUCT_ID
  const clubId = await makeClub(tx, companyId, now)
  const showpieces = SHOWPIECES.map((piece) => ({
    input: {
      ...showpieceInput(piece, shopIds),
      ...(IN_CLUB.has(piece.cover) ? { groups: [{ group_id: clubId }] } : {}),
    },
    now,
  }))
  // Shelves begin with the oldest products, and the home page with the newest.
  await createProducts(tx, companyId, [...showpieces.slice(0, -1), ...made, ...showpieces.slice(-1)])
  await offerClub(tx, companyId, clubId, shopIds.priceIds, now)
}

function makeProducts(random: Random, shopIds: ShopIds, from: number, count: number) {
  return Array.from({ length: count }, (_, index) => ({
    input: makeProduct(random, from + index, shopIds),
    now: pastTime(random),
  }))
}

function pastTime(random: Random): Date {
  return new Date(FIRST_DAY + random.below(SPAN_SECONDS) * 1000)
}

async function createShopIds(tx: Tx, companyId: number, now: Date): Promise<ShopIds> {
  return { categoryIds: await makeCategories(tx, companyId, now), priceIds: await makePrices(tx, companyId, now) }
}

async function makePrices(tx: Tx, companyId: number, now: Date): Promise<Map<string, number>> {
  const ids = new Map<string, number>()
  for (const price of PRICES) {
    const { state } = await createPrice(tx, { companyId }, price, now)
    ids.set(price.title, state.id)
  }
  return ids
}

async function makeCategories(tx: Tx, companyId: number, now: Date): Promise<Map<string, number>> {
  const ids = new Map<string, number>()
  const add = async (name: { en: string; de: string }, parentId: number | null, position: number) => {
    const locales = [
      { language: 'en', title: name.en },
      { language: 'de', title: name.de },
    ]
    const input = { title: name.en, parent_id: parentId, position, locales }
    const { state } = await createCategory(tx, { companyId }, input, now)
    ids.set(name.en, state.id)
    return state.id
  }
  for (const [position, category] of CATEGORIES.entries()) {
    const parentId = await add(category, null, position)
    for (const [place, child] of category.below.entries()) await add(child, parentId, place)
  }
  return ids
}
