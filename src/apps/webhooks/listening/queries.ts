import type { Db } from '#platform/db/database.ts'
import type { SealedSecrets } from '../state.ts'

/** The secrets that an app signs with. */
export function getSealedSecrets(db: Db, appId: number): Promise<SealedSecrets> {
  return db
    .selectFrom('apps')
    .select(['sealed_secret', 'previous_sealed_secret', 'previous_secret_until'])
    .where('id', '=', appId)
    .executeTakeFirstOrThrow()
}
