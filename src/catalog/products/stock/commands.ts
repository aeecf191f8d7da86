import { sql } from 'kysely'
import { emit } from '#history/events/emit.commands.ts'
import { shopChanged } from '#history/events/shop-changes.cache.ts'
import type { Tx } from '#platform/db/database.ts'
import { FieldReport } from '#platform/errors/problem.ts'
import { updateMirrors } from '../mirrors/commands.ts'
import { readProducts } from '../queries.ts'
import { documentOf, eventData } from '../rows.commands.ts'
import { lockStock, type StockRow } from './queries.ts'
import { changesPages, crossesWarningLevel, levelAfter, objectionToChange, type StockChange } from './rules.ts'

export type { StockRow } from './queries.ts'
export type { StockChange } from './rules.ts'

/**
 * Which products have managed stock, by key, which stocks have changed, and which have just fallen below their warning
 * level. The caller tells apps of the changes, together with whatever else it writes.
 */
export type Taken = { managed: ReadonlySet<string>; changed: StockRow[]; low: StockRow[] }

export const keyOf = ({ company_id, id }: { company_id: number; id: number }) => `${company_id} ${id}`

type NewLevel = { row: StockRow; left: number }

/** Takes goods out of stock, which stays locked until the transaction ends: two buyers cannot get the last item. */
export async function takeStock(tx: Tx, changes: readonly StockChange[], now: Date): Promise<Taken> {
  const rows = await lockStock(tx, changes)
  const report = new FieldReport()
  for (const row of rows) {
    const ofRow = changesOf(row, changes)
    const objection = objectionToChange(row, ofRow)
    if (objection !== undefined) report.add(`line_items[${ofRow.at(-1)?.line}].quantity`, objection)
  }
  report.throwIfAny()
  const levels = rows.map((row) => ({ row, left: levelAfter(row, changesOf(row, changes)) }))
  const changed = await saveStock(tx, levels, now)
  const low = levels.filter(({ row, left }) => crossesWarningLevel(row, left))
  return { managed: new Set(rows.map(keyOf)), changed, low: low.map(({ row, left }) => ({ ...row, stock: left })) }
}

/**
 * Puts goods back into stock, and returns the stocks that have changed. A product that was deleted, or is no longer managed,
 * has no stock to put them into.
 */
export async function returnStock(tx: Tx, changes: readonly StockChange[], now: Date): Promise<StockRow[]> {
  const back = changes
    .filter(({ quantity }) => quantity > 0)
    .map((change) => ({ ...change, quantity: -change.quantity }))
  if (back.length === 0) return []
  const rows = await lockStock(tx, back)
  return saveStock(
    tx,
    rows.map((row) => ({ row, left: levelAfter(row, changesOf(row, back)) })),
    now,
  )
}

/** Tells apps of products whose stock has changed: those of the owner, who may be another company than the seller. */
export async function tellOfStock(tx: Tx, changed: readonly StockRow[], now: Date): Promise<void> {
  const byOwner = Map.groupBy(changed, ({ company_id }) => company_id)
  await Promise.all([...byOwner].map(([id, rows]) => emit(tx, id, 'product/update', now, rows.map(eventData))))
}

function changesOf(row: StockRow, changes: readonly StockChange[]): StockChange[] {
  return changes.filter((change) => keyOf(change) === keyOf(row))
}

async function saveStock(tx: Tx, levels: readonly NewLevel[], now: Date): Promise<StockRow[]> {
  const changed = levels.filter(({ row, left }) => row.stock !== left)
  for (const [companyId, ofCompany] of Map.groupBy(changed, ({ row }) => row.company_id)) {
    if (ofCompany.some(({ row, left }) => changesPages(row, left))) shopChanged(tx, companyId)
    const leftOf = new Map(ofCompany.map(({ row, left }) => [row.id, left]))
    const products = (await readProducts(tx, companyId, [...leftOf.keys()])).map((product) => ({
      ...product,
      items_in_stock: leftOf.get(product.id) ?? product.items_in_stock,
      updated_at: now,
    }))
    const keys = products.map(({ id }) => id)
    const stocks = products.map(({ items_in_stock }) => items_in_stock)
    await Promise.all([
      sql`update products set items_in_stock = fresh.stock, document = fresh.document, updated_at = ${now}
        from unnest(${keys}::bigint[], ${stocks}::int[], ${products.map(documentOf)}::text[])
          as fresh (id, stock, document)
        where products.company_id = ${companyId} and products.id = fresh.id`.execute(tx),
      updateMirrors(tx, companyId, keys, now),
    ])
  }
  return changed.map(({ row }) => row)
}
