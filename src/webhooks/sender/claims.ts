import { sql } from 'kysely'
import type { Db } from '#platform/db/database.ts'
import { prepare, prepareFamily } from '#platform/db/prepared.ts'
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
}

const claimDue = prepareFamily((db: Db, { now, until, limit, isFailing, cap, full }: Claiming) => {
  const failing = isFailing ? sql`webhooks.failures > 0` : sql`webhooks.failures = 0`
  const free = sql`(webhooks.leased_until is null or webhooks.leased_until <= ${now}) and webhooks.is_active`
  return sql<Claimed>`with candidate as materialized (
      select webhooks.company_id, webhooks.id, webhooks.due_at from webhooks
      left join webhook_blocks as block
        on block.company_id = webhooks.company_id and block.app_id = webhooks.app_id and block.blocked_until > ${now}
      where webhooks.due_at <= ${now} and ${free} and ${failing} and block.app_id is null
        and webhooks.company_id <> all(${full}::bigint[])
      order by webhooks.due_at limit ${CANDIDATES_MAX}
    ), chosen as materialized (
      select company_id, id from (
        select *, row_number() over (partition by company_id order by due_at) as place from candidate) as placed
      where place <= ${cap} order by due_at limit ${limit}
    ), locked as materialized (
      select webhooks.company_id, webhooks.id from webhooks
      join chosen on chosen.company_id = webhooks.company_id and chosen.id = webhooks.id
      where webhooks.due_at <= ${now} and ${free} for no key update of webhooks skip locked
    )
    update webhooks set leased_until = ${until}
    from locked, apps
    where webhooks.company_id = locked.company_id and webhooks.id = locked.id and apps.id = webhooks.app_id
    returning webhooks.company_id, webhooks.id, webhooks.app_id, webhooks.topic, webhooks.address, webhooks.failures,
      webhooks.queued, webhooks.leased_until, apps.sealed_secret, apps.previous_sealed_secret,
      apps.previous_secret_until`.compile(db)
})

/** Takes webhooks that have something to send; no two workers get the same one. Those that waited longest come first. */
export function claimWebhooks(
  db: Db,
  { now, limit, isFailing, perCompanyMax, fullCompanies }: ClaimOptions,
): Promise<Claimed[]> {
  const until = secondsAfter(now, LEASE_SECONDS)
  return claimDue(db, { now, until, limit, isFailing, cap: perCompanyMax, full: [...fullCompanies] })
}

export type DueDelivery = Pick<
  DeliveryState,
  'company_id' | 'webhook_id' | 'id' | 'message_id' | 'topic' | 'producer' | 'data' | 'failures'
> & { resource: string }

const selectDue = prepare((db: Db, companies: number[], webhooks: number[], now: Date, limit: number) =>
  sql<DueDelivery>`select due.* from unnest(${companies}::bigint[], ${webhooks}::bigint[]) as webhook (company_id, id), lateral (
      select company_id, webhook_id, id, message_id, topic, producer, data, failures, resource from deliveries
      where deliveries.company_id = webhook.company_id and deliveries.webhook_id = webhook.id
        and deliveries.state = 'pending' and (deliveries.due_at is null or deliveries.due_at <= ${now})
        and not exists (
          select from deliveries as earlier
          where earlier.webhook_id = deliveries.webhook_id and earlier.resource = deliveries.resource
            and earlier.id < deliveries.id and earlier.state = 'pending' and earlier.due_at is not null)
      order by deliveries.failures, deliveries.id limit ${limit}) as due`.compile(db),
)

/**
 * The next deliveries of claimed webhooks. One that failed before comes after those that have not been tried, so that a
 * receiver that cannot take one event still gets the others. Behind it wait the later events of its resource.
 */
export async function readDue(
  db: Db,
  claimed: readonly Claimed[],
  now: Date,
  limit: number,
): Promise<Map<number, DueDelivery[]>> {
  const rows = await selectDue(
    db,
    claimed.map(({ company_id }) => company_id),
    claimed.map(({ id }) => id),
    now,
    limit,
  )
  return Map.groupBy(rows, ({ webhook_id }) => webhook_id)
}
