import { sql } from 'kysely'
import { emit } from '#events/emit.ts'
import type { Tx } from '#platform/db/database.ts'
import type { FieldReport } from '#platform/problem.ts'
import { eventData } from '../commands.ts'
import { noteChanges } from '../mirrors/commands.ts'
import { lockStock, type StockRow } from './queries.ts'
import { levelAfter, objectionToTaking, type Taking, withStock } from './rules.ts'

export type { Taking } from './rules.ts'

/** What is left of stocks after a sale, by the key of the product, for those that are managed. */
export type Taken = { managed: Set<string>; low: StockRow[] }

export const keyOf = ({ company_id, id }: { company_id: number; id: number }) => `${company_id} ${id}`

/**
 * Takes goods out of their stocks, which are held until the transaction ends: two buyers can't get the last one. Those
 * of a mirrored product come out of its owner's. Reports what is not there, and answers the stocks that have become low.
 */
export async function takeStock(tx: Tx, takings: readonly Taking[], report: FieldReport, now: Date): Promise<Taken> {
  const rows = await lockStock(tx, takings)
  const managed = new Map(rows.map((row) => [keyOf(row), row]))
  for (const [key, row] of managed) {
    const ofRow = takings.filter((taking) => keyOf(taking) === key)
    const objection = objectionToTaking(row, ofRow)
    if (objection !== undefined) report.add(`line_items[${ofRow.at(-1)!.line}].quantity`, objection)
  }
  report.throwIfAny()
  const after = rows.map((row) => ({
    row,
    left: levelAfter(
      row,
      takings.filter((taking) => keyOf(taking) === keyOf(row)),
    ),
  }))
  await saveStock(tx, after, now)
  const low = after.filter(({ row, left }) => isCrossing(row, left)).map(({ row, left }) => ({ ...row, stock: left }))
  return { managed: new Set(managed.keys()), low }
}

/** Below which level the owner wants to be warned: once, when it is crossed. */
function isCrossing({ warn_below, stock }: StockRow, left: number): boolean {
  return stock >= warn_below && left < warn_below
}

/** Puts goods back into their stocks. A product that is gone, or whose stock is no longer managed, has none. */
export async function putBack(tx: Tx, takings: readonly Taking[], now: Date): Promise<void> {
  const back = takings
    .filter(({ quantity }) => quantity > 0)
    .map((taking) => ({ ...taking, quantity: -taking.quantity }))
  const rows = await lockStock(tx, back)
  const after = rows.map((row) => ({
    row,
    left: levelAfter(
      row,
      back.filter((taking) => keyOf(taking) === keyOf(row)),
    ),
  }))
  await saveStock(tx, after, now)
}

async function saveStock(tx: Tx, after: { row: StockRow; left: number }[], now: Date): Promise<void> {
  const changed = after.filter(({ row, left }) => row.stock !== left)
  if (changed.length === 0) return
  const fresh = JSON.stringify(
    changed.map(({ row, left }) => ({
      company_id: row.company_id,
      id: row.id,
      items_in_stock: left,
      document: withStock(row.document, left, now),
    })),
  )
  await sql`update products set items_in_stock = fresh.items_in_stock, document = fresh.document, updated_at = ${now}
    from json_to_recordset(${fresh}::json)
      as fresh (company_id bigint, id bigint, items_in_stock integer, document text)
    where products.company_id = fresh.company_id and products.id = fresh.id`.execute(tx)
  for (const [companyId, ofCompany] of Map.groupBy(changed, ({ row }) => row.company_id)) {
    const rows = ofCompany.map(({ row }) => row)
    await noteChanges(
      tx,
      companyId,
      rows.map(({ id }) => id),
      now,
    )
    await emit(tx, companyId, 'product/update', now, rows.map(eventData))
  }
}
