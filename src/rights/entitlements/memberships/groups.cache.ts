import { LRUCache } from 'lru-cache'
import { GENERAL } from '#catalog/licenses/rules.ts'
import { createKnownChanges } from '#history/events/shop-changes.cache.ts'
import type { Db } from '#platform/db/database.ts'
import type { Notices } from '#platform/db/notices/notices.ts'
import type { StoredGroup } from '../rules.ts'
import { type GroupFacts, readGroupFacts } from './queries.ts'

/** What another process has changed while nobody was listening counts after this time. */
const MAX_AGE_MS = 1000
const GROUPS_MAX = 10_000

type Kept = { facts: Promise<StoredGroup | undefined>; since: number }

/**
 * Remembers for checks what groups say of all their members: whether they open anything, and under which terms. Players of all
 * members ask for the same again and again. Changes of this process count at once. What is used is decided without this.
 */
export function keepGroups(db: Db, notices: Pick<Notices, 'onAtOnce'>): GroupFacts {
  const changes = createKnownChanges(notices)
  const groups = new LRUCache<string, Kept>({ max: GROUPS_MAX, ttl: MAX_AGE_MS })
  return (companyId, groupId) => {
    const key = `${companyId} ${groupId}`
    const known = groups.get(key)
    if (known !== undefined && changes.noneSince(known.since, [companyId, GENERAL])) return known.facts
    const kept: Kept = { facts: readGroupFacts(db, companyId, groupId), since: changes.last() }
    groups.set(key, kept)
    kept.facts.catch(() => groups.get(key) === kept && groups.delete(key))
    return kept.facts
  }
}
