import { sql } from 'kysely'
import type { Tx } from '#platform/db/database.ts'
import { runPrepared } from '#platform/db/prepared.ts'
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
  const texts = data.map((entry) => JSON.stringify(entry))
  await runPrepared(tx, 'emit', [companyId, topic, texts, now], (company, name, entries, time) =>
    sql`insert into events (company_id, topic, data, created_at)
      select ${company}::bigint, ${name}::text, entry::json, ${time}::timestamptz
      from unnest(${entries}::text[]) as entry`.compile(tx),
  )
}
