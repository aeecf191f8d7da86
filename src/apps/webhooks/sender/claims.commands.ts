import { type RawBuilder, sql } from 'kysely'
import { readTraces } from '#history/events/queries.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import type { Columns, Filled } from '#platform/db/expressions.ts'
import { prepare, prepareFamily } from '#platform/db/prepared.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { isTracing } from '#platform/tracing/trace.ts'
import type { DeliveryState } from '../deliveries/state.ts'
import { secondsAfter } from '../rules.ts'
import type { SealedSecrets } from '../state.ts'

/**
 * A round of attempts ends long before: it begins none after ROUND_MS, and each takes half a minute at most. A worker
 * that dies returns its webhooks when this is over.
 */
export const LEASE_SECONDS = 60
export const ROUND_MS = 10_000

/** A webhook that this worker alone sends to, until the lease is over. */
export type Claimed = SealedSecrets & {
  company_id: number
  id: number
  /** Webhooks of an app with the same address have the same; a number too large for JavaScript. */
  receiver: string
  app_id: number
  topic: string
  address: string
  failures: number
  queued: number
  leased_until: Date
}

export type ClaimOptions = {
  now: Date
  limit: number
  /** Whether to take webhooks that are failing, or those that work: they have slots of their own. */
  isFailing: boolean
  perCompanyMax: number
  /** Companies that have as many requests under way as they may have. */
  fullCompanies: readonly number[]
  /** Absent: those of all companies. */
  only?: number | undefined
}

/** Candidates beyond these are looked at next time. */
const CANDIDATES_MAX = 1000

type Claiming = {
  now: Date
  until: Date
  limit: number
  isFailing: boolean
  cap: number
  full: number[]
  only?: number | undefined
}

/**
 * `is true` keeps the planner from the index of what is due: with statistics from a quiet time it would walk through all of
 * it for each chosen webhook, which took seconds once thousands were due.
 */
const claimDue = prepareFamily((tx: Tx, { now, until, limit, isFailing, cap, full, only }: Claiming) => {
  const isDue = sql`webhooks.due_at <= ${now} and webhooks.is_active
    and ${isFailing ? sql`webhooks.failures > 0` : sql`webhooks.failures = 0`}`
  return sql<
    Columns<'webhooks', 'company_id' | 'id' | 'app_id' | 'topic' | 'address' | 'failures' | 'queued'> &
      Filled<'webhooks', 'leased_until'> &
      Columns<'apps', 'sealed_secret' | 'previous_sealed_secret' | 'previous_secret_until'> &
      Pick<Claimed, 'receiver'>
  >`with candidate as materialized (
      select webhooks.company_id, webhooks.receiver, webhooks.due_at from webhooks
      left join webhook_blocks as block
        on block.company_id = webhooks.company_id and block.app_id = webhooks.app_id and block.blocked_until > ${now}
      where ${isDue} and block.app_id is null and webhooks.company_id <> all(${full}::bigint[])
        ${only === undefined ? sql`` : sql`and webhooks.company_id = ${only}`}
        and not exists (select from webhooks as other where other.company_id = webhooks.company_id
          and other.receiver = webhooks.receiver and other.leased_until > ${now})
      order by webhooks.due_at limit ${CANDIDATES_MAX}
    ), placed as (
      select company_id, receiver, min(due_at) as due_at,
        row_number() over (partition by company_id order by min(due_at)) as place
      from candidate group by company_id, receiver
    ), chosen as materialized (
      select company_id, receiver from placed where place <= ${cap} order by due_at limit ${limit}
    ), locked as materialized (
      select webhooks.company_id, webhooks.id from chosen
      join webhooks on webhooks.company_id = chosen.company_id and webhooks.receiver = chosen.receiver
      where (${isDue}) is true order by webhooks.id for no key update of webhooks
    )
    update webhooks set leased_until = ${until}
    from locked, apps
    where webhooks.company_id = locked.company_id and webhooks.id = locked.id and apps.id = webhooks.app_id
    returning webhooks.company_id, webhooks.id, webhooks.receiver::text, webhooks.app_id, webhooks.topic,
      webhooks.address, webhooks.failures, webhooks.queued, webhooks.leased_until, apps.sealed_secret,
      apps.previous_sealed_secret, apps.previous_secret_until`.compile(tx)
})

export type DueKinds = { hasWorking: boolean; hasFailing: boolean }

const selectDueKinds = prepare((db: Db, now: Date) => {
  const isAnyDue = (kind: RawBuilder<unknown>) => sql`coalesce((select true from webhooks
    where due_at <= ${now} and is_active and ${kind} and (leased_until is null or leased_until <= ${now})
    order by due_at limit 1), false)`
  return sql<DueKinds>`select ${isAnyDue(sql`failures = 0`)} as "hasWorking",
    ${isAnyDue(sql`failures > 0`)} as "hasFailing"`.compile(db)
})

/** Says which claims are worth their lock. A webhook may still be found to be blocked, or another worker's. */
export async function findDueKinds(db: Db, now: Date): Promise<DueKinds> {
  const [kinds] = await selectDueKinds(db, now)
  return kinds ?? { hasWorking: false, hasFailing: false }
}

/** Any number that no other advisory lock of the service uses. */
const CLAIM_LOCK = 7_265_002

const lockClaims = prepare((tx: Tx, key: number) => sql`select pg_advisory_xact_lock(${key}::bigint)`.compile(tx))

/**
 * Takes webhooks that have something to send, those that waited longest first. All webhooks of a receiver are taken
 * together, and by one worker at a time, because events of a resource arrive in order, whatever their topics.
 */
export function claimWebhooks(
  db: Db,
  { now, limit, isFailing, perCompanyMax, fullCompanies, only }: ClaimOptions,
): Promise<Claimed[]> {
  const until = secondsAfter(now, LEASE_SECONDS)
  const claiming = { now, until, limit, isFailing, cap: perCompanyMax, full: [...fullCompanies], only }
  return inTransaction(db, async (tx) => {
    const [, , claimed] = await Promise.all([
      lockClaims(tx, CLAIM_LOCK),
      // A plan that was made while the table was small would read all of it.
      sql`set local enable_seqscan = off`.execute(tx),
      claimDue(tx, claiming),
    ])
    return claimed
  })
}

/** A round that has this much less time is not worth another statement. */
const LATE_MS = 2000

/**
 * Begins the leases anew where reading took long. A round that begins when its time is over sends nothing, and if every
 * reading takes so long, nothing is ever sent. Webhooks that were lost meanwhile are left out.
 */
export async function renewLateLeases(
  db: Db,
  claimed: readonly Claimed[],
  claimedAt: Date,
  now: Date,
): Promise<readonly Claimed[]> {
  if (now.getTime() - claimedAt.getTime() < LATE_MS) return claimed
  const until = secondsAfter(now, LEASE_SECONDS)
  const { rows } = await sql<Columns<'webhooks', 'id'>>`with claimed as materialized (
      select * from unnest(${claimed.map(({ company_id }) => company_id)}::bigint[],
        ${claimed.map(({ id }) => id)}::bigint[], ${claimed.map(({ leased_until }) => leased_until)}::timestamptz[])
        as claimed (company_id, id, leased_until)
    ), locked as materialized (
      select webhooks.company_id, webhooks.id from webhooks
      join claimed on claimed.company_id = webhooks.company_id and claimed.id = webhooks.id
      where webhooks.leased_until = claimed.leased_until
      order by webhooks.id for no key update of webhooks
    )
    update webhooks set leased_until = ${until} from locked
    where webhooks.company_id = locked.company_id and webhooks.id = locked.id
    returning webhooks.id`.execute(db)
  const renewed = new Set(rows.map(({ id }) => id))
  return claimed.filter(({ id }) => renewed.has(id)).map((webhook) => ({ ...webhook, leased_until: until }))
}

/** Those of the claimed webhooks that were paused, deleted or given another address meanwhile. */
export async function findLost(db: Db, claimed: readonly Claimed[]): Promise<Set<number>> {
  const { rows } = await sql<Columns<'webhooks', 'id'>>`select claimed.id from unnest(
      ${claimed.map(({ company_id }) => company_id)}::bigint[], ${claimed.map(({ id }) => id)}::bigint[],
      ${claimed.map(({ leased_until }) => leased_until)}::timestamptz[]) as claimed (company_id, id, leased_until)
    where not exists (select from webhooks where webhooks.company_id = claimed.company_id and webhooks.id = claimed.id
      and webhooks.leased_until = claimed.leased_until)`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

export type DueDelivery = Pick<
  DeliveryState,
  'company_id' | 'webhook_id' | 'id' | 'message_id' | 'topic' | 'producer' | 'data' | 'failures'
> & {
  resource: string
  /** The trace of its event, as a W3C `traceparent`; absent where nobody wants traces. */
  traceParent?: string | undefined
}

/**
 * Scalar sub-queries and limits keep the planner from making joins of them: with statistics from a time when the tables were
 * small it would compare all with all, and reading a backlog took longer than a round may last.
 */
const selectDue = prepare((tx: Tx, companies: number[], webhooks: number[], now: Date, limit: number) =>
  sql<DueDelivery>`select due.* from unnest(${companies}::bigint[], ${webhooks}::bigint[]) as webhook (company_id, id), lateral (
      select company_id, webhook_id, id, message_id, topic, producer, data, failures, resource from deliveries
      where deliveries.company_id = webhook.company_id and deliveries.webhook_id = webhook.id
        and deliveries.state = 'pending' and (deliveries.due_at is null or deliveries.due_at <= ${now})
        and (
          select true from deliveries as earlier
          where earlier.company_id = deliveries.company_id and earlier.receiver = deliveries.receiver
            and earlier.resource = deliveries.resource and earlier.id < deliveries.id and earlier.state = 'pending'
            and earlier.due_at is not null and (
              select is_active from webhooks as other
              where other.company_id = earlier.company_id and other.id = earlier.webhook_id)
          limit 1) is null
        and (
          select true from webhooks as failing
          where failing.company_id = deliveries.company_id and failing.receiver = deliveries.receiver
            and failing.failures > 0 and failing.is_active and failing.id <> deliveries.webhook_id and (
              select true from deliveries as earlier
              where earlier.company_id = deliveries.company_id and earlier.receiver = deliveries.receiver
                and earlier.resource = deliveries.resource and earlier.id < deliveries.id and earlier.state = 'pending'
                and earlier.webhook_id = failing.id
              limit 1)
          limit 1) is null
      order by deliveries.failures, deliveries.id limit ${limit}) as due`.compile(tx),
)

/** The message of an event is named after its position. */
const EVENT = /^evt_(\d{1,15})$/

async function withTraces(db: Db, deliveries: readonly DueDelivery[]): Promise<readonly DueDelivery[]> {
  const positionOf = ({ message_id }: DueDelivery) => Number(EVENT.exec(message_id)?.[1] ?? 0)
  const traces = await readTraces(
    db,
    deliveries.map((delivery) => ({ company_id: delivery.company_id, position: positionOf(delivery) })),
  )
  return deliveries.map((delivery) => ({ ...delivery, traceParent: traces.get(positionOf(delivery)) }))
}

/**
 * The next deliveries of claimed webhooks. One that failed before comes after those that have not been tried, so that a
 * receiver that cannot take one event still gets the others. Behind it wait the later events of its resource, also those of
 * other topics that go to the same receiver.
 */
export async function readDue(
  db: Db,
  claimed: readonly Claimed[],
  now: Date,
  limit: number,
): Promise<Map<number, DueDelivery[]>> {
  const rows = await inTransaction(db, async (tx) => {
    const [, , due] = await Promise.all([
      // The index of what is pending has the right order, also where the planner believes that sorting few rows is cheaper.
      sql`set local enable_sort = off`.execute(tx),
      sql`set local enable_seqscan = off`.execute(tx),
      selectDue(
        tx,
        claimed.map(({ company_id }) => company_id),
        claimed.map(({ id }) => id),
        now,
        limit,
      ),
    ])
    return due
  })
  const due = isTracing() ? await withTraces(db, rows) : rows
  return Map.groupBy(due, ({ webhook_id }) => webhook_id)
}
