import { sql } from 'kysely'
import { getDeveloper } from '#apps/oauth/queries.ts'
import { getCorrespondent } from '#identity/companies/queries.ts'
import type { Clock, CompanyTime } from '#platform/clock.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import type { Columns } from '#platform/db/expressions.ts'
import { prepare } from '#platform/db/prepared.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { queueMail } from '#platform/mail/queue.ts'
import type { Attempt } from '../deliveries/state.ts'
import { deactivationMail } from '../mails.ts'
import { afterFailure, afterRound, BLOCK_SECONDS, type Schedule, secondsAfter, withoutPassword } from '../rules.ts'
import type { Claimed, DueDelivery } from './claims.commands.ts'

/** What became of a delivery. */
export type Result = { delivery: DueDelivery; attempt: Attempt }

/** Of the attempts of a delivery, so many are kept. */
const ATTEMPTS_MAX = 50

const markDelivered = prepare(
  (tx: Tx, companies: number[], webhooks: number[], ids: number[], attempts: string[], now: Date) =>
    sql`update deliveries set state = 'delivered', due_at = null, done_at = ${now}, attempts =
        case when jsonb_array_length(attempts) < ${ATTEMPTS_MAX} then attempts else attempts - 0 end || result.attempt::jsonb
      from unnest(${companies}::bigint[], ${webhooks}::bigint[], ${ids}::bigint[], ${attempts}::text[])
        as result (company_id, webhook_id, id, attempt)
      where deliveries.company_id = result.company_id and deliveries.webhook_id = result.webhook_id
        and deliveries.id = result.id`.compile(tx),
)

/** A round that ended without a failure. */
export type Release = { webhook: Claimed; isDrained: boolean; hasDelivered: boolean }

/** A delivery that waits behind another one is looked at again after so many seconds. */
const AGAIN_SECONDS = 5

/**
 * Gives webhooks back. One to which nothing was queued meanwhile has nothing to do, or only deliveries that wait: for their
 * own next attempt, or behind another one of their resource. A success ends the failures of a webhook.
 */
const releaseAll = prepare(
  (
    tx: Tx,
    companies: number[],
    ids: number[],
    leases: Date[],
    queued: number[],
    drained: number[],
    delivered: number[],
    now: Date,
    again: Date,
  ) =>
    sql<Columns<'webhooks', 'id'>>`with release as materialized (
        select * from unnest(${companies}::bigint[], ${ids}::bigint[], ${leases}::timestamptz[], ${queued}::bigint[],
          ${drained}::int[], ${delivered}::int[]) as release (company_id, id, lease, queued, drained, delivered)
      ), locked as materialized (
        select webhooks.company_id, webhooks.id from webhooks
        join release on release.company_id = webhooks.company_id and release.id = webhooks.id
        order by webhooks.id for no key update of webhooks
      ), released as (
      update webhooks set leased_until = null,
        failures = case when release.delivered = 1 then 0 else webhooks.failures end,
        first_failed_at = case when release.delivered = 1 then null else webhooks.first_failed_at end,
        due_at = case when release.drained = 0 or webhooks.queued <> release.queued then ${now} else (
          select case when min(deliveries.due_at) > ${now} then min(deliveries.due_at) else ${again} end from deliveries
          where deliveries.company_id = webhooks.company_id and deliveries.webhook_id = webhooks.id
            and deliveries.state = 'pending' having count(*) > 0) end
      from release join locked on locked.company_id = release.company_id and locked.id = release.id
      where webhooks.company_id = release.company_id and webhooks.id = release.id
        and webhooks.leased_until = release.lease
      returning webhooks.company_id, webhooks.id, webhooks.receiver, webhooks.due_at
      ) select id from released where due_at <= ${now} or exists (
        select from webhooks as other where other.company_id = released.company_id and other.receiver = released.receiver
          and other.id <> released.id and other.due_at <= ${now} and other.is_active)`.compile(tx),
)

/**
 * Records deliveries that were acknowledged, and gives back the webhooks whose rounds have ended, all at once. Returns those
 * whose receivers have more to get.
 */
export async function recordSuccesses(
  db: Db,
  delivered: readonly Result[],
  releases: readonly Release[],
  now: Date,
): Promise<Set<number>> {
  const due = await inTransaction(db, async (tx) => {
    // A plan that was made while the table was small would read all of it for every few results.
    const planned = sql`set local enable_seqscan = off`.execute(tx)
    const marked =
      delivered.length > 0 &&
      markDelivered(
        tx,
        delivered.map(({ delivery }) => delivery.company_id),
        delivered.map(({ delivery }) => delivery.webhook_id),
        delivered.map(({ delivery }) => delivery.id),
        delivered.map(({ attempt }) => JSON.stringify(attempt)),
        now,
      )
    const released =
      releases.length > 0 &&
      releaseAll(
        tx,
        releases.map(({ webhook }) => webhook.company_id),
        releases.map(({ webhook }) => webhook.id),
        releases.map(({ webhook }) => webhook.leased_until),
        releases.map(({ webhook }) => webhook.queued),
        releases.map(({ isDrained }) => (isDrained ? 1 : 0)),
        releases.map(({ hasDelivered }) => (hasDelivered ? 1 : 0)),
        now,
        secondsAfter(now, AGAIN_SECONDS),
      )
    const [rows] = await Promise.all([released, planned, marked])
    return rows || []
  })
  return new Set(due.map(({ id }) => id))
}

/** A round in which attempts failed. */
export type FailedRound = { webhook: Claimed; failed: readonly Result[]; delivered: number }

/**
 * Records failures, gives the webhook back until its next attempt, and blocks the app. A webhook that has failed for the
 * whole schedule is deactivated, and the developer gets a mail; what waits for it is kept.
 */
export async function recordFailures(tx: Tx, { webhook, failed, delivered }: FailedRound, clock: Clock): Promise<void> {
  const now = clock.now()
  const { rows } = await sql`select from webhooks where company_id = ${webhook.company_id} and id = ${webhook.id}
    and leased_until = ${webhook.leased_until} for no key update`.execute(tx)
  // It was paused, moved or deleted meanwhile, or the lease was over: the failures say nothing about what it is now.
  if (rows.length === 0) {
    for (const result of failed) await addAttempt(tx, result)
    return
  }
  const statuses = failed.map(({ attempt }) => attempt.status)
  const schedule = afterRound(webhook.failures, { delivered, statuses }, now)
  const postponed = failed.map((result) => postpone(tx, result, schedule, now))
  const isOver = schedule.kind === 'deactivate'
  const released = sql`update webhooks set leased_until = null, failures = ${schedule.failures},
      first_failed_at = ${schedule.failures === 1 ? now : sql`coalesce(first_failed_at, ${now})`},
      due_at = ${isOver ? null : schedule.at}, updated_at = case when ${isOver} then ${now} else updated_at end,
      is_active = is_active and not ${isOver}::boolean,
      inactive_reason = case when ${isOver} and is_active then ${isOver ? schedule.reason : null} else inactive_reason end
    where company_id = ${webhook.company_id} and id = ${webhook.id}`.execute(tx)
  const blocked = sql`insert into webhook_blocks (company_id, app_id, blocked_until)
    values (${webhook.company_id}, ${webhook.app_id}, ${secondsAfter(now, BLOCK_SECONDS)})
    on conflict (company_id, app_id) do update set blocked_until = excluded.blocked_until`.execute(tx)
  await Promise.all([...postponed, released, blocked])
  const last = failed.at(-1)
  if (isOver && last !== undefined) await tellDeveloper(tx, webhook, schedule.reason, last.attempt, clock.of)
}

/** A delivery has a schedule of its own, so that an event that a receiver cannot take does not keep the others back. */
async function postpone(tx: Tx, { delivery, attempt }: Result, schedule: Schedule, now: Date): Promise<void> {
  const verdict = afterFailure(delivery.failures + 1, now)
  const isGivenUp = verdict.kind === 'give-up' && schedule.kind === 'retry'
  await addAttempt(tx, { delivery, attempt })
  const { company_id, webhook_id, id } = delivery
  await sql`update deliveries set failures = failures + 1,
      state = ${isGivenUp ? 'failed' : 'pending'}, done_at = ${isGivenUp ? now : null},
      due_at = ${isGivenUp ? null : verdict.kind === 'retry' ? verdict.at : now}
    where company_id = ${company_id} and webhook_id = ${webhook_id} and id = ${id}`.execute(tx)
}

async function addAttempt(tx: Tx, { delivery: { company_id, webhook_id, id }, attempt }: Result): Promise<void> {
  await sql`update deliveries set
      attempts = case when jsonb_array_length(attempts) < ${ATTEMPTS_MAX} then attempts else attempts - 0 end
        || ${JSON.stringify(attempt)}::jsonb
    where company_id = ${company_id} and webhook_id = ${webhook_id} and id = ${id}`.execute(tx)
}

async function tellDeveloper(
  tx: Tx,
  webhook: Claimed,
  cause: 'failing' | 'gone',
  { reason }: Attempt,
  timeOf: CompanyTime,
): Promise<void> {
  const app = await getDeveloper(tx, webhook.app_id)
  const { company_name } = await getCorrespondent(tx, webhook.company_id)
  const owner = await getCorrespondent(tx, app.company_id)
  const to = app.developer_email || owner.email
  if (to === '') return
  const { id, topic } = webhook
  const address = withoutPassword(webhook.address)
  const details = { id, topic, address, appName: app.name, companyName: company_name, cause, reason: reason ?? '' }
  await queueMail(
    tx,
    { companyId: app.company_id, to, ...deactivationMail(owner.language, details) },
    timeOf(app.company_id),
  )
}
