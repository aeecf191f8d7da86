import { sql } from 'kysely'
import type { Db, Tx } from '#platform/db/database.ts'
import type { Row } from '#platform/db/expressions.ts'
import { SKEW_SECONDS } from '#platform/jobs/waits.ts'
import { BLOCK_SECONDS, RETRY_SECONDS } from '../rules.ts'
import { LEASE_SECONDS } from './claims.commands.ts'

/**
 * When a webhook of a company is due, by the time of the machine. An app that is blocked waits for the end of it; one that has nothing
 * to send waits for nothing.
 */
export async function findNextDue(db: Db, companyId: number): Promise<Date | undefined> {
  const { rows } = await sql<{
    at: Row<'webhooks'>['due_at']
  }>`select min(greatest(webhooks.due_at, block.blocked_until,
      case when webhooks.leased_until > webhooks.due_at then webhooks.leased_until end)) as at from webhooks
    left join webhook_blocks as block on block.company_id = webhooks.company_id and block.app_id = webhooks.app_id
    where webhooks.company_id = ${companyId} and webhooks.is_active and webhooks.due_at is not null`.execute(db)
  return rows[0]?.at ?? undefined
}

/** Brings the next attempts of a company nearer, because its clock was moved. */
export async function bringAttemptsNearer(tx: Tx, companyId: number, ms: number): Promise<void> {
  const nearer = sql`${ms}::bigint * interval '1 millisecond'`
  await sql`update webhooks set due_at = due_at - ${nearer}
    where company_id = ${companyId} and due_at is not null`.execute(tx)
  await sql`update webhook_blocks set blocked_until = blocked_until - ${nearer}
    where company_id = ${companyId}`.execute(tx)
  await sql`update deliveries set due_at = due_at - ${nearer}
    where company_id = ${companyId} and state = 'pending' and due_at is not null`.execute(tx)
}

/**
 * Ends waits that are longer than any can be: for a lease, for the end of a block, or for the next attempt after so many. They begin
 * while the clock of a machine is ahead, and would last until that time has come once it has gone back. A webhook that works waits
 * for what is queued for it alone.
 */
export async function shortenWaits(tx: Tx, now: Date): Promise<void> {
  const later = (seconds: number) => sql`${now}::timestamptz + make_interval(secs => ${seconds})`
  const skew = sql`make_interval(secs => ${SKEW_SECONDS})`
  const afterFailures = sql`${now}::timestamptz + make_interval(secs => coalesce((${[...RETRY_SECONDS]}::int[])[failures], 0))`
  await sql`update webhook_blocks set blocked_until = ${later(BLOCK_SECONDS)}
    where blocked_until > ${later(BLOCK_SECONDS)} + ${skew}`.execute(tx)
  await sql`update deliveries set due_at = ${afterFailures}
    where state = 'pending' and due_at > ${afterFailures} + ${skew}`.execute(tx)
  await sql`update webhooks set leased_until = ${later(LEASE_SECONDS)}
    where due_at is not null and is_active and leased_until > ${later(LEASE_SECONDS)} + ${skew}`.execute(tx)
  await sql`with late as materialized (
      select company_id, id, case when failures > 0 then ${afterFailures} else coalesce((
        select min(deliveries.due_at) from deliveries
        where deliveries.company_id = webhooks.company_id and deliveries.webhook_id = webhooks.id
          and deliveries.state = 'pending' and deliveries.due_at > ${now}), ${now}::timestamptz) end as due_at
      from webhooks where due_at > ${now}::timestamptz + ${skew} and is_active
    )
    update webhooks set due_at = late.due_at from late
    where webhooks.company_id = late.company_id and webhooks.id = late.id and webhooks.due_at > late.due_at + ${skew}`.execute(
    tx,
  )
}
