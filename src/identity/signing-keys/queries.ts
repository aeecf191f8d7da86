import type { Db } from '#platform/db/database.ts'
import { isPublished, placeKeys } from './rules.ts'
import type { PlacedKey } from './state.ts'

const COLUMNS = ['kid', 'public_key', 'created_at', 'signs_from', 'files_end_at', 'signed_for_good'] as const

/** All keys from the oldest to the newest. */
export async function listSigningKeys(db: Db, now: Date): Promise<PlacedKey[]> {
  const keys = await db
    .selectFrom('signing_keys')
    .select(COLUMNS)
    .orderBy('signs_from')
    .orderBy('created_at')
    .orderBy('kid')
    .execute()
  return placeKeys(keys, now)
}

/** The keys with which a valid file may be signed, including the one that signs next. */
export async function listPublishedKeys(db: Db, now: Date): Promise<PlacedKey[]> {
  const keys = await listSigningKeys(db, now)
  return keys.filter((key) => isPublished(key, now))
}
