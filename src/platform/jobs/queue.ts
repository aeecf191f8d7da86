import { sql } from 'kysely'
import type { Db, Tx } from '../db/database.ts'
import { prepare } from '../db/prepared.ts'

/** A worker that dies returns what it had claimed by doing nothing: the lease runs out. */
export const LEASE_SECONDS = 120

export const JOBS_CHANNEL = 'licet_jobs'

export type Job = { id: number; companyId: number | null; kind: string; data: unknown; attempts: number }

const insertJob = prepare((tx: Tx, kind: string, companyId: number | null, data: string, now: Date) =>
  sql`insert into jobs (kind, company_id, data, due_at, created_at)
    values (${kind}, ${companyId}, ${data}, ${now}, ${now})`.compile(tx),
)

/**
 * enqueue without waking a worker, who looks again within a second anyway: PostgreSQL lets transactions that wake somebody
 * commit one after the other, which a busy shop would feel.
 */
export async function enqueueQuietly(
  tx: Tx,
  job: { kind: string; companyId: number | null; data: unknown },
  now: Date,
): Promise<void> {
  await insertJob(tx, job.kind, job.companyId, JSON.stringify(job.data), now)
}

/** Asks for work to be done after the caller's transaction, and only if it commits. */
export async function enqueue(
  tx: Tx,
  jobs: { kind: string; companyId: number | null; data: unknown }[],
  now: Date,
): Promise<void> {
  if (jobs.length === 0) return
  const rows = jobs.map((job) => ({
    kind: job.kind,
    company_id: job.companyId,
    data: JSON.stringify(job.data),
    due_at: now,
    created_at: now,
  }))
  await tx.insertInto('jobs').values(rows).execute()
  await sql`select pg_notify(${JOBS_CHANNEL}, '')`.execute(tx)
}

/** Takes due jobs for the length of a lease; no two workers get the same one. */
export async function claimJobs(db: Db, kinds: string[], now: Date, limit: number): Promise<Job[]> {
  const { rows } = await sql<{ id: number; company_id: number | null; kind: string; data: unknown; attempts: number }>`
    update jobs set due_at = ${now}::timestamptz + make_interval(secs => ${LEASE_SECONDS}), attempts = attempts + 1
    where id in (
      select id from jobs where failed_at is null and due_at <= ${now} and kind = any(${kinds})
      order by due_at, id limit ${limit} for update skip locked)
    returning id, company_id, kind, data, attempts`.execute(db)
  return rows.map((row) => ({
    id: row.id,
    companyId: row.company_id,
    kind: row.kind,
    data: row.data,
    attempts: row.attempts,
  }))
}

/** Which claim speaks: the one of a worker whose lease ran out has nothing to say about a job that another one does. */
type Claim = Pick<Job, 'id' | 'attempts'>

/** Answers whether the claim had anything to say. */
export async function finishJob(db: Db, { id, attempts }: Claim): Promise<boolean> {
  const { numAffectedRows } = await sql`delete from jobs where id = ${id} and attempts = ${attempts}`.execute(db)
  return numAffectedRows === 1n
}

/** Puts a job back for later. */
export async function postponeJob(db: Db, { id, attempts }: Claim, dueAt: Date, error: string): Promise<void> {
  await sql`update jobs set due_at = ${dueAt}, last_error = ${error} where id = ${id} and attempts = ${attempts}`.execute(
    db,
  )
}

/** Gives a job up; the row stays, so that somebody can see it. */
export async function failJob(db: Db, { id, attempts }: Claim, now: Date, error: string): Promise<void> {
  await sql`update jobs set failed_at = ${now}, last_error = ${error} where id = ${id} and attempts = ${attempts}`.execute(
    db,
  )
}
