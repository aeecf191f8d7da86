import { sql } from 'kysely'
import { lockNewEvents, type NewEvent, placeEvents } from '#history/events/dispatch.commands.ts'
import type { Tx } from '#platform/db/database.ts'
import type { Columns } from '#platform/db/expressions.ts'
import { prepare } from '#platform/db/prepared.ts'
import { activate } from '../commands.ts'
import { lockUninstalled } from '../queries.ts'
import { followSyncUrl } from '../sync/commands.ts'

/** Events of one transaction: enough to make its cost small, few enough for a short one. */
const EVENTS_MAX = 1000
const EVENTS_PER_COMPANY_MAX = 200
/** An event with many webhooks makes many deliveries. A company gets so many in a transaction, after its first event. */
const DELIVERIES_PER_COMPANY_MAX = 2000

export type Dispatched = {
  events: number
  deliveries: number
  /** Are any of the deliveries for active webhooks that work, and for active ones that are failing? */
  hasWorking: boolean
  hasFailing: boolean
  /** The company after which the next transaction goes on; 0: with the first. */
  lastCompany: number
  /** Were events left for the next transaction? */
  mayHaveMore: boolean
}

const NOTHING = { events: 0, deliveries: 0, hasWorking: false, hasFailing: false, lastCompany: 0 }

/** Turns the next events into deliveries for the webhooks that they concern. Companies take turns. */
export async function dispatchEvents(tx: Tx, afterCompany: number, now: Date): Promise<Dispatched> {
  const read = { afterCompany, perCompany: EVENTS_PER_COMPANY_MAX, limit: EVENTS_MAX }
  const events = await lockNewEvents(tx, read)
  // Those of companies up to the one that it began after may be left.
  if (events.length === 0) return { ...NOTHING, mayHaveMore: afterCompany > 0 }
  const chosen = choose(events, await lockSubscribers(tx, events))
  const positions = await placeEvents(
    tx,
    chosen.map(({ event }) => event.id),
  )
  const deliveries = await insertDeliveries(tx, chosen, positions, now)
  for (const { event } of chosen) await follow(tx, event, now)
  const lastCompany = events.length < EVENTS_MAX ? 0 : (events.at(-1)?.company_id ?? 0)
  const concerned = chosen.flatMap(({ subscribers }) => subscribers.filter(({ is_active }) => is_active))
  return {
    events: chosen.length,
    deliveries,
    hasWorking: concerned.some(({ failures }) => failures === 0),
    hasFailing: concerned.some(({ failures }) => failures > 0),
    lastCompany,
    mayHaveMore: afterCompany > 0 || lastCompany > 0 || chosen.length < events.length || hasFullCompany(events),
  }
}

/** Has a company so many events that not all were read? */
function hasFullCompany(events: readonly NewEvent[]): boolean {
  const companies = Map.groupBy(events, ({ company_id }) => company_id)
  return companies.values().some(({ length }) => length >= EVENTS_PER_COMPANY_MAX)
}

type Subscriber = {
  company_id: number
  id: number
  app_id: number
  topic: string
  receiver: string
  since_event_id: number
  unseen_event_ids: number[] | null
  failures: number
  is_active: boolean
  is_installed: boolean
}

const selectSubscribers = prepare((tx: Tx, companies: number[], topics: string[]) =>
  sql<
    Columns<'webhooks', 'company_id' | 'id' | 'app_id' | 'topic' | 'since_event_id' | 'failures' | 'is_active'> &
      Pick<Subscriber, 'receiver' | 'unseen_event_ids' | 'is_installed'>
  >`select webhooks.company_id, webhooks.id, webhooks.app_id, webhooks.topic, webhooks.receiver::text,
      webhooks.since_event_id, webhooks.unseen_event_ids::float8[], webhooks.failures,
      webhooks.is_active, exists (
        select from grants where grants.company_id = webhooks.company_id and grants.app_id = webhooks.app_id
          and grants.customer_id is null and grants.revoked_at is null) as is_installed
    from unnest(${companies}::bigint[], ${topics}::text[]) as concerned (company_id, topic)
    join webhooks on webhooks.company_id = concerned.company_id and webhooks.topic = concerned.topic
    order by webhooks.id for no key update of webhooks`.compile(tx),
)

const keyOf = ({ company_id, topic }: { company_id: number; topic: string }) => `${company_id} ${topic}`

/** Webhooks are locked in the order of their ids, as by every statement that changes several of them. */
async function lockSubscribers(tx: Tx, events: readonly NewEvent[]): Promise<Map<string, Subscriber[]>> {
  const concerned = [...new Map(events.map((event) => [keyOf(event), event])).values()]
  const rows = await selectSubscribers(
    tx,
    concerned.map(({ company_id }) => company_id),
    concerned.map(({ topic }) => topic),
  )
  return Map.groupBy(rows, keyOf)
}

type Chosen = { event: NewEvent; subscribers: Subscriber[] }

/** The events that fit into this transaction. A company that has its share waits for the next one. */
function choose(events: readonly NewEvent[], subscribers: ReadonlyMap<string, Subscriber[]>): Chosen[] {
  const shares = new Map<number, number>()
  return events.flatMap((event) => {
    const share = shares.get(event.company_id) ?? 0
    if (share > DELIVERIES_PER_COMPANY_MAX) return []
    const concerned = (subscribers.get(keyOf(event)) ?? []).filter((webhook) => isConcerned(webhook, event))
    const isFull = share > 0 && share + concerned.length > DELIVERIES_PER_COMPANY_MAX
    shares.set(event.company_id, isFull ? Number.POSITIVE_INFINITY : share + concerned.length)
    return isFull ? [] : [{ event, subscribers: concerned }]
  })
}

/**
 * A webhook gets the events of changes that were committed after it. An app gets its own events alone (`app/update`), and
 * none of a company that has removed its permission, except the one that says so.
 */
function isConcerned(webhook: Subscriber, { id, topic, data }: NewEvent): boolean {
  const { since_event_id, unseen_event_ids, app_id, is_installed } = webhook
  if (since_event_id >= id && unseen_event_ids?.includes(id) !== true) return false
  if (data.type === 'app' && data.id !== String(app_id)) return false
  return is_installed || topic === 'app/uninstalled'
}

const insertRows = prepare(
  (
    tx: Tx,
    companies: number[],
    webhooks: number[],
    receivers: string[],
    positions: number[],
    topics: string[],
    data: string[],
    resources: string[],
    now: Date,
  ) =>
    sql`insert into deliveries
        (company_id, webhook_id, receiver, event_id, message_id, topic, producer, data, resource, state, created_at)
      select company_id, webhook_id, receiver, position, 'evt_' || position, topic, 'shop', data::json, resource, 'pending',
        ${now}::timestamptz
      from unnest(${companies}::bigint[], ${webhooks}::bigint[], ${receivers}::bigint[], ${positions}::bigint[],
        ${topics}::text[], ${data}::text[], ${resources}::text[])
        as delivery (company_id, webhook_id, receiver, position, topic, data, resource)
      order by position`.compile(tx),
)

const addToQueues = prepare((tx: Tx, companies: number[], ids: number[], counts: number[], now: Date) =>
  sql`update webhooks set queued = queued + added.count,
      due_at = case when failures > 0 then coalesce(due_at, ${now}) else least(coalesce(due_at, ${now}), ${now}) end
    from unnest(${companies}::bigint[], ${ids}::bigint[], ${counts}::bigint[]) as added (company_id, id, count)
    where webhooks.company_id = added.company_id and webhooks.id = added.id`.compile(tx),
)

async function insertDeliveries(
  tx: Tx,
  chosen: readonly Chosen[],
  positions: ReadonlyMap<number, number>,
  now: Date,
): Promise<number> {
  const rows = chosen.flatMap(({ event, subscribers }) => {
    const position = positions.get(event.id)
    // It was older than 30 days, and has been deleted meanwhile.
    if (position === undefined) return []
    const content = { position, topic: event.topic, data: JSON.stringify(event.data) }
    const resource = `${event.data.type} ${event.data.id}`
    return subscribers.map((webhook) => ({ ...content, resource, webhook }))
  })
  if (rows.length === 0) return 0
  const queues = [...Map.groupBy(rows, ({ webhook }) => webhook)]
  await Promise.all([
    insertRows(
      tx,
      rows.map(({ webhook }) => webhook.company_id),
      rows.map(({ webhook }) => webhook.id),
      rows.map(({ webhook }) => webhook.receiver),
      rows.map(({ position }) => position),
      rows.map(({ topic }) => topic),
      rows.map(({ data }) => data),
      rows.map(({ resource }) => resource),
      now,
    ),
    addToQueues(
      tx,
      queues.map(([webhook]) => webhook.company_id),
      queues.map(([webhook]) => webhook.id),
      queues.map(([, added]) => added.length),
      now,
    ),
  ])
  return rows.length
}

/** Some events concern the webhooks themselves. */
async function follow(tx: Tx, event: NewEvent, now: Date): Promise<void> {
  if (event.topic === 'app/update') {
    await followSyncUrl(tx, event.company_id, Number(event.data.id), now)
    await renewSubscriptions(tx, event, now)
  }
  if (event.topic === 'app/uninstalled') await endSubscriptions(tx, event, now)
}

/** An app without permission gets nothing more, except the event that says so. What waits is kept until it comes back. */
async function endSubscriptions(tx: Tx, { company_id, data }: NewEvent, now: Date): Promise<void> {
  await sql`update webhooks set is_active = false, inactive_reason = 'uninstalled', due_at = null, leased_until = null,
      updated_at = ${now}
    where company_id = ${company_id} and app_id = ${Number(data.id)} and topic <> 'app/uninstalled' and is_active
      and not exists (select from grants where grants.company_id = ${company_id} and grants.app_id = ${Number(data.id)}
        and grants.customer_id is null and grants.revoked_at is null)`.execute(tx)
}

/** An app that is installed again gets what has waited for it. Webhooks that were paused before stay paused. */
async function renewSubscriptions(tx: Tx, { company_id, data }: NewEvent, now: Date): Promise<void> {
  for (const webhook of await lockUninstalled(tx, company_id, Number(data.id))) await activate(tx, webhook, now)
}
