import { sql } from 'kysely'
import { emit } from '#history/events/emit.commands.ts'
import { shopChanged } from '#history/events/shop-changes.cache.ts'
import type { Tx } from '#platform/db/database.ts'
import { prepareWrite } from '#platform/db/writes.ts'
import { FieldReport } from '#platform/errors/problem.ts'
import { asciiJson, wireTime } from '#platform/wire/times.ts'
import { updateMirrors } from '../mirrors/commands.ts'
import { findMirrored } from '../mirrors/queries.ts'
import { eventData } from '../rows.commands.ts'
import { lockStock, type StockRow } from './queries.ts'
import { changesPages, crossesWarningLevel, levelAfter, objectionToChange, type StockChange } from './rules.ts'

export type { StockRow } from './queries.ts'
export type { StockChange } from './rules.ts'

/** A stock that changes, and what is left of it. */
export type NewLevel = { row: StockRow; left: number }

/**
 * Which products have managed stock, by key, which stocks change, and which fall below their warning level. The caller stores
 * the changes (saveStock) and tells apps of them, together with whatever else it writes.
 */
export type Taken = { managed: ReadonlySet<string>; levels: NewLevel[]; low: StockRow[] }

export const keyOf = ({ company_id, id }: { company_id: number; id: number }) => `${company_id} ${id}`

/**
 * Takes goods out of stock, which stays locked until the transaction ends: two buyers cannot get the last item. Everybody else who
 * buys one waits meanwhile, so nothing is read for it after the lock.
 */
export async function takeStock(tx: Tx, changes: readonly StockChange[], now: Date): Promise<Taken> {
  const rows = await lockForChange(tx, changes, now)
  const report = new FieldReport()
  for (const row of rows) {
    const ofRow = changesOf(row, changes)
    const objection = objectionToChange(row, ofRow)
    if (objection !== undefined) report.add(`line_items[${ofRow.at(-1)?.line}].quantity`, objection)
  }
  report.throwIfAny()
  const levels = levelsAfter(rows, changes)
  const low = levels.filter(({ row, left }) => crossesWarningLevel(row, left))
  return { managed: new Set(rows.map(keyOf)), levels, low: low.map(({ row, left }) => ({ ...row, stock: left })) }
}

/**
 * Puts goods back into stock, and returns the stocks that have changed. A product that was deleted, or is no longer managed,
 * has no stock to put them into.
 */
export async function returnStock(tx: Tx, changes: readonly StockChange[], now: Date): Promise<NewLevel[]> {
  const back = changes
    .filter(({ quantity }) => quantity > 0)
    .map((change) => ({ ...change, quantity: -change.quantity }))
  if (back.length === 0) return []
  const levels = levelsAfter(await lockForChange(tx, back, now), back)
  await saveStock(tx, levels, now)
  return levels
}

/** Locks the stocks. The mirrors of a product have its stock in them, too; whoever begins to mirror it now waits for the lock. */
async function lockForChange(tx: Tx, changes: readonly StockChange[], now: Date): Promise<StockRow[]> {
  const [rows, mirrored] = await Promise.all([lockStock(tx, changes), findMirrored(tx, changes)])
  for (const [ownerId, keys] of mirrored) await updateMirrors(tx, ownerId, keys, now)
  return rows
}

function levelsAfter(rows: readonly StockRow[], changes: readonly StockChange[]): NewLevel[] {
  return rows
    .map((row) => ({ row, left: levelAfter(row, changesOf(row, changes)) }))
    .filter(({ row, left }) => row.stock !== left)
}

/** Tells apps of products whose stock has changed: those of the owner, who may be another company than the seller. */
export async function tellOfStock(tx: Tx, levels: readonly NewLevel[], now: Date): Promise<void> {
  const byOwner = Map.groupBy(
    levels.map(({ row }) => row),
    ({ company_id }) => company_id,
  )
  await Promise.all([...byOwner].map(([id, rows]) => emit(tx, id, 'product/update', now, rows.map(eventData))))
}

function changesOf(row: StockRow, changes: readonly StockChange[]): StockChange[] {
  return changes.filter((change) => keyOf(change) === keyOf(row))
}

const updateStocks = prepareWrite(
  'update',
  'products',
  (tx: Tx, companies: number[], keys: number[], stocks: number[], documents: string[], now: Date) =>
    sql`update products set items_in_stock = fresh.stock, document = fresh.document, updated_at = ${now}::timestamptz
      from unnest(${companies}::bigint[], ${keys}::bigint[], ${stocks}::int[], ${documents}::text[])
        as fresh (company_id, id, stock, document)
      where products.company_id = fresh.company_id and products.id = fresh.id`.compile(tx),
)

/** Stores what is left, and drops the pages that show it. */
export async function saveStock(tx: Tx, levels: readonly NewLevel[], now: Date): Promise<void> {
  if (levels.length === 0) return
  const shown = levels.filter(({ row, left }) => changesPages(row, left))
  for (const companyId of new Set(shown.map(({ row }) => row.company_id))) shopChanged(tx, companyId)
  const rows = levels.map(({ row }) => row)
  await updateStocks(
    tx,
    rows.map(({ company_id }) => company_id),
    rows.map(({ id }) => id),
    levels.map(({ left }) => left),
    levels.map((level) => documentAfter(level, now)),
    now,
  )
}

/** Everything else in the document is as it was, so it is not read for this. */
function documentAfter({ row, left }: NewLevel, now: Date): string {
  return asciiJson({ ...JSON.parse(row.document), items_in_stock: left, updated_at: wireTime(now) })
}
