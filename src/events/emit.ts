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

/** Tells several companies of one change of what they all know. */
export async function emitToEach<Name extends Topic>(
  tx: Tx,
  companyIds: number[],
  topic: Name,
  now: Date,
  data: Topics[Name],
): Promise<void> {
  const values = [companyIds, topic, JSON.stringify(data), now]
  await runPrepared(tx, 'emit to each', values, (companies, name, entry, time) =>
    sql`insert into events (company_id, topic, data, created_at)
      select company, ${name}::text, ${entry}::json, ${time}::timestamptz
      from unnest(${companies}::bigint[]) as company`.compile(tx),
  )
}
