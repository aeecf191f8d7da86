import { sql } from 'kysely'
import type { Db, Tx } from '#platform/db/database.ts'
import type { Row } from '#platform/db/expressions.ts'

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
