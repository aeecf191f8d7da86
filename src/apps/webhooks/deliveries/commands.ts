import { sql } from 'kysely'
import { recordChange } from '#history/audit/commands.ts'
import { topicUnknown } from '#history/events/errors.ts'
import { EXAMPLES, findTopic, TOPICS } from '#history/events/topics.facts.ts'
import type { Tx } from '#platform/db/database.ts'
import { announce } from '#platform/db/notices/announcements.ts'
import { endBeforeStart } from '#platform/errors/faults.ts'
import { validationFailed } from '#platform/errors/problem.ts'
import type { Author } from '#platform/identity/caller.ts'
import { randomToken } from '#platform/identity/crypto.ts'
import { asciiJson, readTime } from '#platform/wire/times.ts'
import type { Written } from '#platform/wire/written.ts'
import { DELIVERIES_CHANNEL } from '../commands.ts'
import { replayUndecided } from '../errors.ts'
import { lockWebhook, receiverOf, SYNC_TOPIC } from '../queries.ts'
import type { WebhookOwner, WebhookState } from '../state.ts'
import { presentDelivery } from './present.ts'
import { getDelivery } from './queries.ts'
import type { ReplayInput, TestInput } from './schema.ts'
import type { DeliveryState } from './state.ts'

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
  const [start, end] = [readTime(from), readTime(to)]
  if (start !== undefined && end !== undefined && end < start)
    throw validationFailed('to', endBeforeStart('must not be before from'))
  const webhook = await lockWebhook(tx, owner, webhookRef)
  const { numUpdatedRows } = await tx
    .updateTable('deliveries')
    .set({ state: 'pending', failures: 0, due_at: null, done_at: null })
    .where('company_id', '=', webhook.company_id)
    .where('webhook_id', '=', webhook.id)
    .where('state', '<>', sql.lit('pending'))
    .$if(state !== undefined, (rows) => rows.where('state', '=', sql.lit('failed')))
    .$if(start !== undefined, (rows) => rows.where('created_at', '>=', start ?? now))
    .$if(end !== undefined, (rows) => rows.where('created_at', '<=', end ?? now))
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
      receiver: receiverOf(webhook),
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
  // By their place, because the planner would read the whole table to find 10,000 of a million by their keys. With two bounds,
  // it takes the rows for few, also when it does not know the times, and finds them by the index.
  const { numAffectedRows = 0n } = await sql`delete from deliveries where ctid = any(array(
    select ctid from deliveries where created_at >= ${new Date(0)} and created_at < ${oldest}
    limit ${BATCH} for update skip locked))`.execute(tx)
  return Number(numAffectedRows)
}
