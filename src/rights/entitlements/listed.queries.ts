import type { Db } from '#platform/db/database.ts'
import { storedDocument, wholeDocument } from './present.ts'
import { type ListedEntitlement, readEntitlements } from './queries.ts'

/**
 * The documents of a page. Those that are out of date, or in another language than the one that is wanted, are presented now; few
 * are, so they are read on their own.
 */
export async function documentsOf(
  db: Db,
  companyId: number,
  rows: readonly ListedEntitlement[],
  now: Date,
  wanted?: string,
): Promise<string[]> {
  const stale = rows.flatMap(({ id, document }) => (document === null ? [id] : []))
  const fresh = stale.length === 0 ? [] : await readEntitlements(db, companyId, stale)
  const presented = new Map(
    fresh.map(({ entitlement, language }) => [entitlement.id, storedDocument(entitlement, wanted ?? language, now)]),
  )
  return rows.flatMap((row) => {
    const document = row.document ?? presented.get(row.id)
    return document === undefined ? [] : [wholeDocument(row, document)]
  })
}
