import type { Db } from '#platform/db/database.ts'
import { prepare } from '#platform/db/prepared.ts'

const sealedKey = prepare((db: Db, companyId: number, subject: string) =>
  db
    .selectFrom('content_keys')
    .select('content_keys.sealed')
    .where('content_keys.company_id', '=', companyId)
    .where('content_keys.subject', '=', subject)
    .compile(),
)

/** The sealed key of something; undefined if it has none yet. */
export async function findSealedKey(db: Db, companyId: number, subject: string): Promise<Buffer | undefined> {
  const [row] = await sealedKey(db, companyId, subject)
  return row?.sealed
}
