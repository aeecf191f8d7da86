import { sql } from 'kysely'
import { recordChange } from '#audit/commands.ts'
import type { DispatchedEvent } from '#events/dispatch.ts'
import { topicUnknown } from '#events/errors.ts'
import { EXAMPLES, findTopic, TOPICS } from '#events/topics.ts'
import type { Author } from '#platform/caller.ts'
import { randomToken } from '#platform/crypto.ts'
import { announce } from '#platform/db/announcements.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { prepare } from '#platform/db/prepared.ts'
import { validationFailed } from '#platform/problem.ts'
import { asciiJson, readTime } from '#platform/wire.ts'
import type { Written } from '#platform/written.ts'
import { DELIVERIES_CHANNEL } from '../commands.ts'
import { replayUndecided } from '../errors.ts'
import { lockWebhook, SYNC_TOPIC } from '../queries.ts'
import type { WebhookOwner, WebhookState } from '../state.ts'
import { presentDelivery } from './present.ts'
import { getDelivery } from './queries.ts'
import type { ReplayInput, TestInput } from './schema.ts'
import type { DeliveryState } from './state.ts'

type NewDeliveries = {
  events: readonly DispatchedEvent[]
  now: Date
}

/**
 * An app gets its own events alone (`app/update`), and none of a company that has removed its permission, except the one
 * that says so. Webhooks are locked in the order of their ids, as by every statement that changes several of them.
 */
const insertDeliveries = prepare(
  (
    tx: Tx,
    companies: number[],
    ids: number[],
    positions: number[],
    topics: string[],
    data: string[],
    resources: string[],
    apps: (number | null)[],
    now: Date,
  ) =>
    sql<{ company_id: number }>`with event as materialized (
      select * from unnest(${companies}::bigint[], ${ids}::bigint[], ${positions}::bigint[], ${topics}::text[],
        ${data}::text[], ${resources}::text[], ${apps}::bigint[])
        as event (company_id, id, position, topic, data, resource, app_id)
    ), matched as materialized (
      select event.company_id, webhooks.id as webhook_id, event.position, event.topic, event.data, event.resource
      from event join webhooks on webhooks.company_id = event.company_id and webhooks.topic = event.topic
      where webhooks.since_event_id < event.id
        and (event.app_id is null or webhooks.app_id = event.app_id)
        and (event.topic = 'app/uninstalled' or exists (
          select from grants where grants.company_id = webhooks.company_id and grants.app_id = webhooks.app_id
            and grants.revoked_at is null))
    ), locked as materialized (
      select company_id, id from webhooks
      where (company_id, id) in (select company_id, webhook_id from matched) order by id for no key update
    ), added as (
      insert into deliveries (company_id, webhook_id, event_id, message_id, topic, producer, data, resource, state, created_at)
      select matched.company_id, matched.webhook_id, position, 'evt_' || position, topic, 'shop', data::json, resource,
        'pending', ${now}::timestamptz
      from matched join locked on locked.company_id = matched.company_id and locked.id = matched.webhook_id
      order by position
      returning company_id, webhook_id
    ), total as (
      select company_id, webhook_id, count(*) as added from added group by company_id, webhook_id
    )
    update webhooks set queued = queued + total.added,
      due_at = case when failures > 0 then coalesce(due_at, ${now}) else least(coalesce(due_at, ${now}), ${now}) end
    from total where webhooks.company_id = total.company_id and webhooks.id = total.webhook_id
    returning webhooks.company_id`.compile(tx),
)

/** Queues a delivery for every webhook that an event concerns; returns how many webhooks have something to do. */
export async function queueDeliveries(tx: Tx, { events, now }: NewDeliveries): Promise<number> {
  const rows = await insertDeliveries(
    tx,
    events.map(({ company_id }) => company_id),
    events.map(({ id }) => id),
    events.map(({ position }) => position),
    events.map(({ topic }) => topic),
    events.map(({ data }) => JSON.stringify(data)),
    events.map(({ data }) => `${data.type} ${data.id}`),
    events.map(({ data }) => (data.type === 'app' ? Number(data.id) : null)),
    now,
  )
  for (const event of events) if (event.topic === 'app/uninstalled') await endSubscriptions(tx, event, now)
  return rows.length
}

/**
 * PostgreSQL makes statistics of a new table within a minute. Until then it finds a delivery by an index that leads to all
 * deliveries of the webhook, so that a first burst of 20,000 events was sent at 150 a second.
 */
export async function analyzeFirstDeliveries(db: Db): Promise<void> {
  const { rows } = await sql`select from pg_class where oid = 'deliveries'::regclass and reltuples < 0`.execute(db)
  if (rows.length > 0) await sql`analyze deliveries`.execute(db)
}

/** An app without permission gets nothing more, except the event that says so. */
async function endSubscriptions(tx: Tx, { company_id, data }: DispatchedEvent, now: Date): Promise<void> {
  await sql`with ended as (
      update webhooks set is_active = false, inactive_reason = 'uninstalled', due_at = null, updated_at = ${now}
      where company_id = ${company_id} and app_id = ${Number(data.id)} and topic <> 'app/uninstalled'
        and not exists (select from grants where grants.company_id = ${company_id} and grants.app_id = ${Number(data.id)}
          and grants.revoked_at is null)
      returning id
    ) delete from deliveries using ended
      where deliveries.company_id = ${company_id} and deliveries.webhook_id = ended.id and deliveries.state = 'pending'`.execute(
    tx,
  )
}

/** Sends a delivery once more, whatever became of it. */
export async function replayDelivery(
  tx: Tx,
  author: Author,
  owner: WebhookOwner,
  webhookRef: string,
  ref: string,
  now: Date,
): Promise<Written<DeliveryState>> {
  const webhook = await lockWebhook(tx, owner, webhookRef)
  const { id } = await getDelivery(tx, webhook, ref)
  await sql`update deliveries set state = 'pending', failures = 0, due_at = null, done_at = null
    where company_id = ${webhook.company_id} and webhook_id = ${webhook.id} and id = ${id}`.execute(tx)
  await markDue(tx, webhook, now)
  await recordChange(tx, author, 'deliveries replayed', `delivery ${id} of webhook ${webhook.id}`, now)
  return written(await getDelivery(tx, webhook, ref), webhook)
}

/** Sends all failed deliveries once more, or all of a time range; returns how many. */
export async function replayDeliveries(
  tx: Tx,
  author: Author,
  owner: WebhookOwner,
  webhookRef: string,
  { state, from, to }: ReplayInput,
  now: Date,
): Promise<Written<number>> {
  if (state === undefined && from === undefined && to === undefined) throw replayUndecided()
  const webhook = await lockWebhook(tx, owner, webhookRef)
  const { numUpdatedRows } = await tx
    .updateTable('deliveries')
    .set({ state: 'pending', failures: 0, due_at: null, done_at: null })
    .where('company_id', '=', webhook.company_id)
    .where('webhook_id', '=', webhook.id)
    .where('state', '<>', sql.lit('pending'))
    .$if(state !== undefined, (rows) => rows.where('state', '=', sql.lit('failed')))
    .$if(from !== undefined, (rows) => rows.where('created_at', '>=', readTime(from) ?? now))
    .$if(to !== undefined, (rows) => rows.where('created_at', '<=', readTime(to) ?? now))
    .executeTakeFirst()
  const replayed = Number(numUpdatedRows)
  if (replayed > 0) await markDue(tx, webhook, now)
  await recordChange(tx, author, 'deliveries replayed', `${replayed} deliveries of webhook ${webhook.id}`, now)
  return { state: replayed, document: asciiJson({ replayed }) }
}

function testEvent(name: string): { topic: string; data: object } {
  if (name === SYNC_TOPIC) return { topic: SYNC_TOPIC, data: SYNC_EXAMPLE }
  const topic = findTopic(name)
  if (topic === undefined) throw validationFailed('topic', topicUnknown(TOPICS))
  return { topic, data: EXAMPLES[topic] }
}

const SYNC_EXAMPLE = {
  customer_token: 'TNFEQBBVTEDXLUPN',
  email: 'jane@example.com',
  new_email: 'jane.roe@example.com',
  password_changed: false,
  changed_at: '2024-06-10T09:30:00',
}

/** Sends a webhook a made-up event, which names `test` as its producer. */
export async function sendTest(
  tx: Tx,
  author: Author,
  owner: WebhookOwner,
  webhookRef: string,
  input: TestInput,
  now: Date,
): Promise<Written<DeliveryState>> {
  const webhook = await lockWebhook(tx, owner, webhookRef)
  const { topic, data } = testEvent(input.topic ?? webhook.topic)
  const { id } = await tx
    .insertInto('deliveries')
    .values({
      company_id: webhook.company_id,
      webhook_id: webhook.id,
      message_id: `test_${randomToken(12)}`,
      topic,
      producer: 'test',
      data: JSON.stringify(data),
      resource: 'test',
      state: 'pending',
      created_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await markDue(tx, webhook, now)
  await recordChange(tx, author, 'test event sent', `${topic} to webhook ${webhook.id}`, now)
  return written(await getDelivery(tx, webhook, String(id)), webhook)
}

/** A webhook that is failing keeps its schedule: what is added waits for its next attempt. */
export async function markDue(
  tx: Tx,
  { company_id, id }: Pick<WebhookState, 'company_id' | 'id'>,
  now: Date,
): Promise<void> {
  await sql`update webhooks set queued = queued + 1,
      due_at = case when failures > 0 then coalesce(due_at, ${now}) else least(coalesce(due_at, ${now}), ${now}) end
    where company_id = ${company_id} and id = ${id}`.execute(tx)
  announce(tx, DELIVERIES_CHANNEL)
}

function written(delivery: DeliveryState, webhook: WebhookState): Written<DeliveryState> {
  return { state: delivery, document: asciiJson(presentDelivery(delivery, webhook)) }
}

const KEPT_DAYS = 30
const BATCH = 10_000

/** Deletes the oldest deliveries that are past their time, a batch at a time; returns how many. */
export async function deleteOldDeliveries(tx: Tx, now: Date): Promise<number> {
  const oldest = new Date(now.getTime() - KEPT_DAYS * 86_400_000)
  const { numAffectedRows = 0n } = await sql`
    with old as materialized (
      select company_id, webhook_id, id from deliveries where created_at < ${oldest} limit ${BATCH} for update skip locked
    ) delete from deliveries using old
      where deliveries.company_id = old.company_id and deliveries.webhook_id = old.webhook_id and deliveries.id = old.id`.execute(
    tx,
  )
  return Number(numAffectedRows)
}
