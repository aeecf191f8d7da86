import type { Db } from '#platform/db/database.ts'
import { prepareList, type RowList } from '#platform/db/pages.ts'
import type { UseState } from './state.ts'

/** Every read of uses starts here, so none can forget the company and the entitlement. */
function usesOf(db: Db, companyId: number, entitlementId: number) {
  return db
    .selectFrom('entitlement_uses')
    .where('entitlement_uses.company_id', '=', companyId)
    .where('entitlement_uses.entitlement_id', '=', entitlementId)
    .selectAll()
    .$narrowType<Pick<UseState, 'kind' | 'action' | 'code'>>()
}

const listed = prepareList((db: Db, { companyId, id }: { companyId: number; id: number }) => usesOf(db, companyId, id))

/** The uses and refusals of an entitlement, oldest first. */
export function listUses(db: Db, companyId: number, entitlementId: number): RowList<UseState> {
  return listed(db, { companyId, id: entitlementId })
}

/** The latest uses and refusals, newest first. */
export function readLatestUses(db: Db, companyId: number, entitlementId: number, limit: number): Promise<UseState[]> {
  return usesOf(db, companyId, entitlementId).orderBy('entitlement_uses.id', 'desc').limit(limit).execute()
}
