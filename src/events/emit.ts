import type { Tx } from '#platform/db/database.ts'
import type { Topic, Topics } from './topics.ts'

/** Records events in the caller's transaction: they exist if and only if the writes they tell of exist. */
export async function emit<Name extends Topic>(
  tx: Tx,
  companyId: number,
  topic: Name,
  now: Date,
  data: Topics[Name][],
): Promise<void> {
  if (data.length === 0) return
  await tx
    .insertInto('events')
    .values(data.map((entry) => ({ company_id: companyId, topic, data: JSON.stringify(entry), created_at: now })))
    .execute()
}
