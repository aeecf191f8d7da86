import { sql } from 'kysely'
import type { Tx } from '#platform/db/database.ts'
import type { Row } from '#platform/db/expressions.ts'
import { entitlementsOf, type Owned, owned, whole } from './queries.ts'

/** A piece of a line, and the part of a collection that it may be. */
export type Piece = { id: number; piece: number }

/**
 * Pieces that differ in their ids and numbers alone, such as those of an order that nobody has used. An order may have
 * thousands, and they are read, decided on, presented and sent to the database as one.
 */
export type Alike = Owned & { pieces: readonly Piece[] }

/** What can differ between pieces of one content in one line. The terms are copied once, and never change. */
const CHANGING = [
  'entitlements.line_id',
  'entitlements.content_company_id',
  'entitlements.content_key',
  'entitlements.customer_id',
  'entitlements.acquired_at',
  'entitlements.released_at',
  'entitlements.awaits_release',
  'entitlements.first_used_at',
  'entitlements.revoked',
  'entitlements.revoked_at',
  'entitlements.on_hold',
  'entitlements.suspended',
  'entitlements.updated_at',
] as const

/** Compared by its digest, because sorting thousands of objects costs ten times as much. */
const usage = sql`md5(entitlements.usage::text)::uuid`

/** Locks all entitlements of an order, in the order of their ids as everybody does. */
export async function lockAlike(tx: Tx, companyId: number, orderId: number): Promise<Alike[]> {
  const ofOrder = entitlementsOf(tx, companyId).where('entitlements.order_id', '=', orderId)
  // The rows are read with a second statement, which sees what those have written who held a lock until now.
  await ofOrder.select('entitlements.id').orderBy('entitlements.id').forNoKeyUpdate().execute()
  const groups = ofOrder
    .select([
      sql<number[]>`array_agg(entitlements.id::float8)`.as('ids'),
      sql<number[]>`array_agg(entitlements.piece)`.as('numbers'),
      sql<Row<'entitlements'>['id']>`min(entitlements.id)`.as('first_id'),
    ])
    .groupBy([...CHANGING, usage])
    .as('groups')
  const rows = await whole(entitlementsOf(tx, companyId))
    .innerJoin(groups, 'groups.first_id', 'entitlements.id')
    .select(['groups.ids', 'groups.numbers'])
    .orderBy('entitlements.id')
    .execute()
  return rows.map(({ ids, numbers, ...row }) => ({
    ...owned(row),
    pieces: ids.map((id, index) => ({ id, piece: numbers[index] ?? 0 })),
  }))
}
