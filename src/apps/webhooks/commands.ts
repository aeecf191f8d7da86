import { sql } from 'kysely'
import { findUsableApp } from '#apps/oauth/queries.ts'
import { recordChange } from '#history/audit/commands.ts'
import { createGrant } from '#identity/grants/commands.ts'
import type { Tx } from '#platform/db/database.ts'
import type { Columns, Row } from '#platform/db/expressions.ts'
import { takeIds } from '#platform/db/ids.ts'
import { announce } from '#platform/db/notices/announcements.ts'
import { fieldRequired } from '#platform/errors/faults.ts'
import { validationFailed } from '#platform/errors/problem.ts'
import { type Author, assertPermitted, type Caller } from '#platform/identity/caller.ts'
import type { Origin } from '#platform/identity/origin.ts'
import { asciiJson } from '#platform/wire/times.ts'
import type { Written } from '#platform/wire/written.ts'
import { appUnknown, syncWebhookFixed, tooManyWebhooks, webhookTaken } from './errors.ts'
import { presentWebhook } from './present.ts'
import { countWebhooks, lockSameWebhook, lockWebhook, receiverOf, SYNC_TOPIC } from './queries.ts'
import { ownerOf, readInput, readNewInput, type WebhookChoice, withoutPassword } from './rules.ts'
import type { NewWebhookInput, WebhookInput } from './schema.ts'
import type { WebhookOwner, WebhookState } from './state.ts'

/** ownerOf for a change. Users, who see the webhooks of every app, need a permission; an app needs none for its own. */
export function changerOf(caller: Caller): WebhookOwner {
  if (caller.kind === 'user') assertPermitted(caller, 'create_users')
  return ownerOf(caller)
}

/** Of one app at one company: enough for any receiver, and few enough to read through. */
export const WEBHOOKS_MAX = 10_000

/** The channel that wakes the workers: there is something to send, or no longer. */
export const DELIVERIES_CHANNEL = 'licet_deliveries'

const WEBHOOKS = 'webhooks'

/** Subscribes an app to a topic. The same subscription once more is the one that is there, active. */
async function createWebhook(
  tx: Tx,
  author: Author,
  appId: number,
  input: WebhookInput,
  now: Date,
): Promise<Written<WebhookState>> {
  const choice = readNewInput(input)
  await lockWebhooksOf(tx, appId)
  const same = await lockSameWebhook(tx, author.companyId, { ...choice, app_id: appId })
  if (same !== undefined) return written(same.is_active ? same : await activate(tx, same, now))
  if ((await countWebhooks(tx, author.companyId, appId, WEBHOOKS_MAX)) >= WEBHOOKS_MAX)
    throw tooManyWebhooks(WEBHOOKS_MAX)
  const webhook = await insertWebhook(tx, { companyId: author.companyId, appId }, choice, now)
  await recordChange(tx, author, 'webhook created', inWords(webhook), now)
  return written(webhook)
}

/** Subscribes the app that asks, or the one that a user names. An app of the company that nobody has let in yet is let in. */
export async function subscribe(
  tx: Tx,
  caller: Caller,
  origin: Origin,
  { app_id, ...input }: NewWebhookInput,
  now: Date,
): Promise<Written<WebhookState>> {
  const { companyId, userId } = caller
  const author = { companyId, userId, appId: caller.appId, origin }
  if (caller.kind !== 'user') return createWebhook(tx, author, caller.appId, input, now)
  assertPermitted(caller, 'create_users')
  if (app_id == null) throw validationFailed('app_id', fieldRequired())
  const app = await findUsableApp(tx, companyId, app_id)
  if (app === undefined) throw validationFailed('app_id', appUnknown())
  if (!app.is_installed) {
    await createGrant(tx, { companyId, appId: app_id, userId: caller.userId, scopes: ['webhooks'] }, now)
    await recordChange(tx, { ...author, appId: app_id }, 'app allowed', app.name, now)
  }
  return createWebhook(tx, author, app_id, input, now)
}

/** Adds a webhook. The caller has locked the webhooks of the app. */
export async function insertWebhook(
  tx: Tx,
  { companyId, appId }: { companyId: number; appId: number },
  choice: WebhookChoice,
  now: Date,
): Promise<WebhookState> {
  const { takeRowId } = await takeIds(tx, WEBHOOKS, 1, 0)
  const webhook: WebhookState = {
    ...choice,
    company_id: companyId,
    id: takeRowId(),
    app_id: appId,
    inactive_reason: choice.is_active ? null : 'paused',
    failures: 0,
    first_failed_at: null,
    due_at: null,
    created_at: now,
    updated_at: now,
  }
  await tx
    .insertInto('webhooks')
    .values({ ...webhook, ...(await readPlaceInLog(tx)) })
    .execute()
  return webhook
}

/** A transaction that is still open has drawn its ids among the last of them. */
const OPEN_EVENTS_MAX = 500

/**
 * A webhook gets the events of changes that are committed after it, never older ones. Ids are drawn before the commit, so
 * those up to the last one that cannot be seen yet are its own as well.
 */
async function readPlaceInLog(tx: Tx): Promise<{ since_event_id: number; unseen_event_ids: number[] }> {
  const { rows } = await sql<Columns<'webhooks', 'since_event_id'> & { unseen_event_ids: number[] }>`
    with last as materialized (select case when is_called then last_value else 0 end as id from events_id_seq)
    select last.id as since_event_id, array(
      select id from generate_series(greatest(1, last.id - ${OPEN_EVENTS_MAX}::int + 1), last.id) as drawn (id)
      where not exists (select from events where events.id = drawn.id))::float8[] as unseen_event_ids
    from last`.execute(tx)
  const [place] = rows
  if (place === undefined) throw new Error('a sequence has one row')
  return place
}

/** Webhooks of an app are created one after another, so that none is there twice and their number is exact. */
export async function lockWebhooksOf(tx: Tx, appId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('webhooks of an app', ${appId}))`.execute(tx)
}

/** Changes a webhook. Activating it, or giving it another address, sends what is waiting at once. */
export async function updateWebhook(
  tx: Tx,
  author: Author,
  owner: WebhookOwner,
  ref: string,
  input: WebhookInput,
  now: Date,
): Promise<Written<WebhookState>> {
  const before = await lockWebhook(tx, owner, ref)
  const isSync = before.topic === SYNC_TOPIC
  const after = { ...before, ...readInput(isSync ? withoutSyncTopic(input) : input) }
  const isMoved = after.address !== before.address || after.topic !== before.topic
  if (isMoved && isSync) throw syncWebhookFixed()
  if (!isMoved && after.is_active === before.is_active) return written(before)
  if (isMoved) await setChoice(tx, before, after, now)
  if (after.is_active) await activate(tx, after, now)
  else if (before.is_active) await pause(tx, after, now)
  announce(tx, DELIVERIES_CHANNEL)
  await recordChange(tx, author, 'webhook changed', inWords(after), now)
  return written(await lockWebhook(tx, owner, ref))
}

/** Clients send back whole objects that they have read. */
function withoutSyncTopic({ topic, scope, ...input }: WebhookInput): WebhookInput {
  return {
    ...input,
    ...(topic === undefined || topic === SYNC_TOPIC ? {} : { topic }),
    ...(scope === undefined || scope === SYNC_TOPIC ? {} : { scope }),
  }
}

async function setChoice(tx: Tx, webhook: WebhookState, after: WebhookChoice, now: Date): Promise<void> {
  await tx
    .updateTable('webhooks')
    .set({ topic: after.topic, address: after.address, ...NO_LEASE, updated_at: now })
    .where('company_id', '=', webhook.company_id)
    .where('id', '=', webhook.id)
    .execute()
    .catch((error: { code?: string }) => {
      throw error.code === '23505' ? validationFailed('address', webhookTaken()) : error
    })
  await followAddress(tx, { ...webhook, ...after })
}

/** What waits for a webhook goes to the address that it has now. */
export async function followAddress(tx: Tx, webhook: WebhookState): Promise<void> {
  await tx
    .updateTable('deliveries')
    .set({ receiver: receiverOf(webhook) })
    .where('company_id', '=', webhook.company_id)
    .where('webhook_id', '=', webhook.id)
    .where('state', '=', sql.lit('pending'))
    .execute()
}

/** Ends the lease of a worker that is sending just now: it begins no other request, and its failures count no more. */
const NO_LEASE = { leased_until: null } as const

async function pause(tx: Tx, { company_id, id }: WebhookState, now: Date): Promise<void> {
  await tx
    .updateTable('webhooks')
    .set({ ...NO_LEASE, is_active: false, inactive_reason: 'paused', updated_at: now })
    .where('company_id', '=', company_id)
    .where('id', '=', id)
    .execute()
}

/** Begins the retry schedule again, for the webhook and for all that waits for it, and lifts the block of its app. */
export async function activate(tx: Tx, webhook: WebhookState, now: Date): Promise<WebhookState> {
  const active = {
    is_active: true,
    inactive_reason: null,
    failures: 0,
    first_failed_at: null,
    due_at: now,
    updated_at: now,
  } as const
  const { company_id, id, app_id } = webhook
  await tx
    .updateTable('deliveries')
    .set({ failures: 0, due_at: null })
    .where('company_id', '=', company_id)
    .where('webhook_id', '=', id)
    .where('state', '=', sql.lit('pending'))
    .where('failures', '>', 0)
    .execute()
  await tx
    .updateTable('webhooks')
    .set((row) => ({ ...NO_LEASE, ...active, queued: sql<Row<'webhooks'>['queued']>`${row.ref('queued')} + 1` }))
    .where('company_id', '=', company_id)
    .where('id', '=', id)
    .execute()
  await tx.deleteFrom('webhook_blocks').where('company_id', '=', company_id).where('app_id', '=', app_id).execute()
  announce(tx, DELIVERIES_CHANNEL)
  return { ...webhook, ...active }
}

/** Ends a subscription. Its deliveries are no longer shown, and are deleted when they are 30 days old. */
export async function deleteWebhook(
  tx: Tx,
  author: Author,
  owner: WebhookOwner,
  ref: string,
  now: Date,
): Promise<void> {
  const webhook = await lockWebhook(tx, owner, ref)
  if (webhook.topic === SYNC_TOPIC) throw syncWebhookFixed()
  await tx.deleteFrom('webhooks').where('company_id', '=', webhook.company_id).where('id', '=', webhook.id).execute()
  announce(tx, DELIVERIES_CHANNEL)
  await recordChange(tx, author, 'webhook deleted', inWords(webhook), now)
}

function written(webhook: WebhookState): Written<WebhookState> {
  return { state: webhook, document: asciiJson(presentWebhook(webhook)) }
}

function inWords({ topic, address, is_active }: WebhookState): string {
  return `${topic} to ${withoutPassword(address)}${is_active ? '' : ' (not active)'}`
}
