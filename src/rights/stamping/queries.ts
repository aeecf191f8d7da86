import type { Db } from '#platform/db/database.ts'
import { prepare } from '#platform/db/prepared.ts'
import type { Purchase, StampedFileState } from './state.ts'

/** Every read of stamped files starts here, so none can forget the company. */
function stampedFilesOf(db: Db, companyId: number) {
  return db.selectFrom('stamped_files').where('stamped_files.company_id', '=', companyId)
}

type Typed = Pick<StampedFileState, 'state' | 'stamp'>

export function findStampedFile(db: Db, companyId: number, id: number): Promise<StampedFileState | undefined> {
  return stampedFilesOf(db, companyId)
    .selectAll()
    .$narrowType<Typed>()
    .where('stamped_files.id', '=', id)
    .executeTakeFirst()
}

const copyOfPurchase = prepare((db: Db, companyId: number, entitlementId: number, fileId: number) =>
  stampedFilesOf(db, companyId)
    .selectAll()
    .$narrowType<Typed>()
    .where('stamped_files.entitlement_id', '=', entitlementId)
    .where('stamped_files.file_id', '=', fileId)
    .compile(),
)

/** The copy of a file for a purchase. */
export async function findCopy(
  db: Db,
  { company_id, entitlement_id, file_id }: Purchase,
): Promise<StampedFileState | undefined> {
  const [copy] = await copyOfPurchase(db, company_id, entitlement_id, file_id)
  return copy
}

/** The copies that could not be made, newest first. */
export function listFailures(db: Db, companyId: number, limit: number): Promise<StampedFileState[]> {
  return stampedFilesOf(db, companyId)
    .selectAll()
    .$narrowType<Typed>()
    .where('stamped_files.state', '=', 'failed')
    .orderBy('stamped_files.id', 'desc')
    .limit(limit)
    .execute()
}
