import { type RawBuilder, sql } from 'kysely'
import { deleteBatch } from '../db/batches.ts'
import type { Db, Tx } from '../db/database.ts'
import type { Columns, Row } from '../db/expressions.ts'
import { prepare, prepareFamily } from '../db/prepared.ts'
import { asOneStatement, prepareWrite } from '../db/writes.ts'
import { currentSpan, isTracing } from '../tracing/trace.ts'
import type { AnyKind, Job, JobKind, NewJob } from './kinds.ts'
import type { Lane } from './lanes.ts'

/** The jobs of a worker that dies are due again when their lease runs out. */
export const LEASE_SECONDS = 120

/** Less than the number of any company: claiming starts with the first. */
export const BEFORE_ALL = -1

/** The channel on which workers are notified of new jobs in a lane. */
export function channelOf({ name }: Lane): string {
  return `licet_jobs_${name}`
}

/** Jobs without a company share its place in a lane, as company 0. */
export function companyKey({ companyId }: Pick<Job, 'companyId'>): number {
  return companyId ?? 0
}

type NewRows = [
  kinds: string[],
  companies: (number | null)[],
  data: string[],
  now: Date,
  dueAt: Date,
  /** Those who wait for jobs are told on these. */
  channels: string[],
]

/** The times of a company become those of the machine, which the clock of a sandbox may be ahead of. */
const selectValues = (now: Date, dueAt: Date) => sql`select kind, company, data::json, ${dueAt}::timestamptz - ahead,
  ${dueAt}::timestamptz, ${now}::timestamptz - ahead`

const fromJobs = (kinds: string[], companies: (number | null)[], data: string[]) =>
  sql`from unnest(${kinds}::text[], ${companies}::bigint[], ${data}::text[]) as job (kind, company, data),
    lateral (select coalesce((select ahead_ms * interval '1 millisecond' from test_clocks
      where test_clocks.company_id = company), interval '0') as ahead) as clock`

const notify = (channels: string[]) =>
  sql`(select count(pg_notify(channel, '')) from unnest(${channels}::text[]) as channel)`

const insertJobs = prepareWrite(
  'insert',
  'jobs',
  (tx: Tx, ...[kinds, companies, data, now, dueAt, channels]: NewRows) =>
    sql`insert into jobs (kind, company_id, data, due_at, created_at, enqueued_at) ${selectValues(now, dueAt)} ${fromJobs(kinds, companies, data)}
    returning ${notify(channels)}`.compile(tx),
)

/** The same, for jobs that go on with a trace. */
const insertTracedJobs = prepareWrite(
  'insert',
  'jobs',
  (tx: Tx, trace: string, ...[kinds, companies, data, now, dueAt, channels]: NewRows) =>
    sql`insert into jobs (kind, company_id, data, due_at, created_at, enqueued_at, trace_parent) ${selectValues(now, dueAt)}, ${trace}::text
      ${fromJobs(kinds, companies, data)} returning ${notify(channels)}`.compile(tx),
)

/**
 * Adds jobs that run after the caller's transaction, and only if it commits. Their rows leave with the next statement, or with
 * the commit. `now` and `dueAt`, for those that are meant for later, are times of their companies; the time at which a job is due
 * is that of the machine, so that a claim compares all jobs with one time.
 */
export async function enqueue<Data, Company extends number | null>(
  tx: Tx,
  jobs: NewJob<Data, Company> | NewJob<Data, Company>[],
  now: Date,
  dueAt = now,
): Promise<void> {
  const all = Array.isArray(jobs) ? jobs : [jobs]
  if (all.length === 0) return
  const channels = new Set(all.filter(({ kind }) => kind.wakes).map(({ kind }) => channelOf(kind.lane)))
  const kinds = all.map(({ kind }) => kind.name)
  const companies = all.map(({ companyId }) => companyId)
  const rows: NewRows = [kinds, companies, all.map(({ data }) => JSON.stringify(data)), now, dueAt, [...channels]]
  const span = currentSpan()
  await asOneStatement(tx, () => [
    span === undefined ? insertJobs(tx, ...rows) : insertTracedJobs(tx, span.traceparent, ...rows),
  ])
}

export type ClaimOptions = {
  now: Date
  limit: number
  slotsPerCompany: number
  /** How many jobs the lane is doing already, by companyKey. */
  running: ReadonlyMap<number, number>
  /** The company whose turn was last; claiming goes on with the next one. */
  after: number
}

type Claiming = {
  kind: string
  now: Date
  limit: number
  cap: number
  busy: number[]
  counts: number[]
  after: number
  isTraced: boolean
}

/** Where nobody wants traces, none is read. */
const parentOf = (isTraced: boolean) => (isTraced ? sql`, jobs.trace_parent as "traceParent"` : sql``)

/** A worker does a job until then. It is due again at that time, should the worker die. */
const leased = (now: Date) => sql`due_at = ${now}::timestamptz + make_interval(secs => ${LEASE_SECONDS}),
  leased_until = ${now}::timestamptz + make_interval(secs => ${LEASE_SECONDS})`

/**
 * The rows are chosen in a materialized expression: a limit in a plain sub-query may be evaluated again for each row.
 */
const claimRows = prepareFamily((db: Db, { kind, now, limit, cap, busy, counts, after, isTraced }: Claiming) =>
  sql<Job>`with recursive company (id, last) as (
        select ${after}::bigint, 9223372036854775807
        union all
        select next.id, next.last from company, lateral (
          (select coalesce(company_id, 0) as id, company.last from jobs
            where kind = ${kind} and failed_at is null
              and coalesce(company_id, 0) > company.id and coalesce(company_id, 0) <= company.last
            order by coalesce(company_id, 0) limit 1)
          union all select ${BEFORE_ALL}, ${after}::bigint where company.last > ${after}::bigint
          limit 1) as next
      ), due as materialized (
        select job.id from (select id from company offset 1) as company, lateral (
          select id from jobs
          where kind = ${kind} and failed_at is null and coalesce(company_id, 0) = company.id and due_at <= ${now}
          order by due_at, id
          limit ${cap}::int - coalesce((select count from unnest(${busy}::bigint[], ${counts}::int[]) as busy (id, count)
            where busy.id = company.id), 0)
          for update skip locked) as job
        limit ${limit}
      )
      update jobs set ${leased(now)}, attempts = attempts + 1
      from due where jobs.id = due.id
      returning jobs.id, jobs.kind, jobs.company_id as "companyId", jobs.data, jobs.attempts${parentOf(isTraced)}`.compile(
    db,
  ),
)

/**
 * Takes due jobs of one kind for the length of a lease; no two workers get the same one. It goes from company to
 * company and takes the oldest jobs of each, as many as the company may have; past the last company it begins again
 * with the first, up to the one it started after. Its cost depends on the number of companies that it has to look at,
 * not of jobs.
 */
export async function claimJobs(
  db: Db,
  { name: kind }: AnyKind,
  { now, limit, slotsPerCompany: cap, running, after }: ClaimOptions,
): Promise<Job[]> {
  const [busy, counts] = [[...running.keys()], [...running.values()]]
  const rows = await claimRows(db, { kind, now, limit, cap, busy, counts, after, isTraced: isTracing() })
  return rows.sort((one, other) => one.id - other.id)
}

const selectWaitingKinds = prepare((db: Db, names: readonly string[]) =>
  sql<{ kind: string }>`select kind from unnest(${names}::text[]) as kind
    where exists (select from jobs where jobs.kind = kind.kind and jobs.failed_at is null)`.compile(db),
)

const claimOfCompany = prepare((db: Db, companyId: number, kinds: readonly string[], now: Date, limit: number) =>
  sql<Columns<'jobs', 'id' | 'kind' | 'data' | 'attempts'> & Pick<Job, 'companyId'>>`with due as materialized (
      select id from jobs where kind = any(${kinds}::text[]) and failed_at is null
        and company_id = ${companyId} and coalesce(company_id, 0) = ${companyId} and due_at <= ${now}
      order by due_at, id limit ${limit} for update skip locked)
    update jobs set ${leased(now)}, attempts = attempts + 1
    from due where jobs.id = due.id
    returning jobs.id, jobs.kind, jobs.company_id as "companyId", jobs.data, jobs.attempts`.compile(db),
)

/** Takes the oldest due jobs of one company, of whatever kind. */
export async function claimJobsOf(
  db: Db,
  companyId: number,
  kinds: readonly string[],
  now: Date,
  limit: number,
): Promise<Job[]> {
  const rows = await claimOfCompany(db, companyId, kinds, now, limit)
  return rows.sort((one, other) => one.id - other.id)
}

/** When the next job of a company is due, in the time of the machine: also one that is leased, when its lease ends. */
export async function findNextDue(db: Db, companyId: number, kinds: readonly string[]): Promise<Date | undefined> {
  const { rows } = await sql<{ at: Row<'jobs'>['due_at'] | null }>`select min(due_at) as at from jobs
    where kind = any(${[...kinds]}::text[]) and failed_at is null
      and company_id = ${companyId} and coalesce(company_id, 0) = ${companyId}`.execute(db)
  return rows[0]?.at ?? undefined
}

/**
 * Brings the jobs of a company nearer that wait, because its clock was moved. One that a worker is doing is due again when its lease
 * is over, and not sooner: nobody must do it a second time beside the first.
 */
export async function bringJobsNearer(
  tx: Tx,
  companyId: number,
  kinds: readonly string[],
  ms: number,
  now: Date,
): Promise<void> {
  await sql`update jobs set due_at = due_at - ${ms}::bigint * interval '1 millisecond'
    where kind = any(${[...kinds]}::text[]) and failed_at is null and (leased_until is null or leased_until <= ${now})
      and company_id = ${companyId} and coalesce(company_id, 0) = ${companyId}`.execute(tx)
}

/** Is a worker doing a job of a company? */
export async function isAnyLeased(db: Db, companyId: number, kinds: readonly string[], now: Date): Promise<boolean> {
  const { rows } = await sql<Columns<'jobs', 'id'>>`select id from jobs
    where kind = any(${[...kinds]}::text[]) and failed_at is null and leased_until > ${now}
      and company_id = ${companyId} and coalesce(company_id, 0) = ${companyId} limit 1`.execute(db)
  return rows.length > 0
}

/** Those of the kinds that have jobs, due or not: a cheap look at a queue that is mostly empty. */
export async function findWaitingKinds(db: Db, names: readonly string[]): Promise<Set<string>> {
  const rows = await selectWaitingKinds(db, names)
  return new Set(rows.map(({ kind }) => kind))
}

/** Identifies a claim: a worker whose lease ran out must not end or postpone a job that another one is doing. */
type Claim = Pick<Job, 'id' | 'attempts'>

/** Removes a job that is done; returns whether the claim was still valid. */
export async function finishJob(db: Db, { id, attempts }: Claim): Promise<boolean> {
  const { numAffectedRows } = await sql`delete from jobs where id = ${id} and attempts = ${attempts}`.execute(db)
  return numAffectedRows === 1n
}

/**
 * Takes the other waiting jobs of the same kind and company, so that one job does them all, and returns their data. A worker
 * that has claimed one of them finds that it is gone.
 */
export async function takeAlike<Data>(tx: Tx, { id, kind, companyId }: Job<Data, number>): Promise<Data[]> {
  const { rows } = await sql<{ data: Data }>`delete from jobs where company_id = ${companyId} and id in (
      select id from jobs where kind = ${kind} and company_id = ${companyId} and coalesce(company_id, 0) = ${companyId}
        and id <> ${id} and failed_at is null for update skip locked)
    returning data`.execute(tx)
  return rows.map(({ data }) => data)
}

const takeOldest = prepare((tx: Tx, kind: string, companyId: number, limit: number, now: Date) =>
  sql<Columns<'jobs', 'data'>>`delete from jobs where company_id = ${companyId} and id = any(array(
      select id from jobs where kind = ${kind} and coalesce(company_id, 0) = ${companyId} and failed_at is null
        and attempts = 0 and due_at <= ${now}
      order by due_at, id limit ${limit} for update skip locked))
    returning data`.compile(tx),
)

/** The same for the oldest of those that are due and that nobody has tried yet. */
export async function takeUntried<Data>(
  tx: Tx,
  { kind, companyId }: Job<Data, number>,
  limit: number,
  now: Date,
): Promise<Data[]> {
  const rows = await takeOldest(tx, kind, companyId, limit, now)
  return rows.map(({ data }) => data as Data)
}

/** Puts a job back for later. */
export async function postponeJob(db: Db, { id, attempts }: Claim, dueAt: Date, error: string): Promise<void> {
  await sql`update jobs set due_at = ${dueAt}, leased_until = null, last_error = ${error} where id = ${id} and attempts = ${attempts}`.execute(
    db,
  )
}

/** Claims a job for another lease, for work that may take longer than one. */
export async function renewLease(db: Db, { id, attempts }: Claim, now: Date): Promise<void> {
  await sql`update jobs set ${leased(now)}
    where id = ${id} and attempts = ${attempts}`.execute(db)
}

/** Deletes a company's jobs of a kind that were done in another way. */
export async function deleteJobsWith<Data>(
  tx: Tx,
  { name }: JobKind<Data>,
  companyId: number,
  field: keyof Data & string,
  value: string,
): Promise<void> {
  await sql`delete from jobs where kind = ${name} and company_id = ${companyId} and data ->> ${field} = ${value}`.execute(
    tx,
  )
}

/** Gives a job up; the row stays, so that the operator can see it. */
export async function failJob(db: Db, { id, attempts }: Claim, now: Date, error: string): Promise<void> {
  await sql`update jobs set failed_at = ${now}, last_error = ${error} where id = ${id} and attempts = ${attempts}`.execute(
    db,
  )
}

/**
 * Notes in a job that somebody is told of its failure, which a later try remembers. Returns false if the claim is no longer
 * valid, or if this job or another one of the same kind and data has the note already.
 */
export async function noteWarning(tx: Tx, { id, attempts, companyId }: Job<unknown, number>): Promise<boolean> {
  const { numAffectedRows } = await sql`update jobs set data = (data::jsonb || '{"is_warned": true}')::json
    where company_id = ${companyId} and id = ${id} and attempts = ${attempts} and not exists (select from jobs as other
      where other.company_id = ${companyId} and other.kind = jobs.kind
        and other.data::jsonb = jobs.data::jsonb || '{"is_warned": true}')`.execute(tx)
  return numAffectedRows === 1n
}

/** Tries the jobs of these kinds again that were given up before a time. */
export async function retryFailedJobs(tx: Tx, kinds: readonly AnyKind[], before: Date, now: Date): Promise<void> {
  const names = kinds.map(({ name }) => name)
  await sql`update jobs set failed_at = null, attempts = 0, due_at = ${now}, leased_until = null
    where kind = any(${names}) and failed_at < ${before}`.execute(tx)
}

/** How many jobs of a company were given up. */
export async function countFailedJobs(db: Db, companyId: number): Promise<number> {
  const { count } = await db
    .selectFrom('jobs')
    .where('company_id', '=', companyId)
    .where('failed_at', 'is not', null)
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** Removes the jobs of these kinds that were given up. */
export async function deleteFailedJobs(tx: Tx, kinds: readonly AnyKind[]): Promise<void> {
  const names = kinds.map(({ name }) => name)
  await sql`delete from jobs where kind = any(${names}) and failed_at is not null`.execute(tx)
}

/** Deletes a batch of jobs that were given up before a time, and returns how many. */
export function deleteOldFailures(tx: Tx, before: Date): Promise<number> {
  return deleteBatch(tx, 'jobs', 'failed_at', sql`failed_at < ${before}`)
}

/**
 * A sub-query for the ids that jobs of these kinds carry in their data, while they wait or are being done: those of a company, or
 * all of them.
 */
export function idsInJobs(
  kinds: readonly JobKind<{ id: number }, number | null>[],
  companyId?: number,
): RawBuilder<number> {
  const names = kinds.map(({ name }) => name)
  // As the index of the jobs that wait has it.
  const isAsked = companyId === undefined ? sql`` : sql`and coalesce(jobs.company_id, 0) = ${companyId}`
  return sql`(select (jobs.data->>'id')::bigint from jobs
    where jobs.kind = any(${names}) ${isAsked} and jobs.failed_at is null)`
}
