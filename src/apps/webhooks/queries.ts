import { type RawBuilder, sql } from 'kysely'
import { findTopic } from '#history/events/topics.facts.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { condition } from '#platform/db/expressions.ts'
import { prepareList, type RowList } from '#platform/db/pages.ts'
import { prepare } from '#platform/db/prepared.ts'
import { webhookNotFound } from './errors.ts'
import type { InactiveReason, WebhookOwner, WebhookState } from './state.ts'

const WEBHOOK = [
  'webhooks.company_id',
  'webhooks.id',
  'webhooks.app_id',
  'webhooks.topic',
  'webhooks.address',
  'webhooks.is_active',
  'webhooks.inactive_reason',
  'webhooks.failures',
  'webhooks.first_failed_at',
  'webhooks.due_at',
  'webhooks.created_at',
  'webhooks.updated_at',
] as const

/** The topic of the rows that carry data change sync, which is no subscription of the app's own making. */
export const SYNC_TOPIC = 'data_change_sync'

/** Every read of webhooks starts here, so none can forget the company. */
function webhooksOf(db: Db, companyId: number) {
  return db.selectFrom('webhooks').where('webhooks.company_id', '=', companyId)
}

function wholeWebhooksOf(db: Db, companyId: number) {
  return webhooksOf(db, companyId).select(WEBHOOK).$narrowType<{ inactive_reason: InactiveReason | null }>()
}

type Given = { company: number; app?: number | undefined; topic?: string | undefined }

const listed = prepareList((db: Db, { company, app, topic }: Given) => {
  let rows = wholeWebhooksOf(db, company)
  if (app !== undefined) rows = rows.where('webhooks.app_id', '=', app)
  return topic === undefined
    ? rows.where('webhooks.topic', '<>', sql.lit(SYNC_TOPIC))
    : rows.where('webhooks.topic', '=', topic)
})

/** The webhooks of an owner, or those with one topic. Data change sync is left out unless it is the topic. */
export function listWebhooks(db: Db, { companyId, appId }: WebhookOwner, topic = ''): RowList<WebhookState> {
  return listed(db, { company: companyId, app: appId, topic: (findTopic(topic) ?? topic) || undefined })
}

const byId = prepare((db: Db, companyId: number, id: number) =>
  wholeWebhooksOf(db, companyId).where('webhooks.id', '=', id).compile(),
)

/** A webhook; another company's or another app's is not found. */
export async function getWebhook(db: Db, { companyId, appId }: WebhookOwner, ref: string): Promise<WebhookState> {
  const [webhook] = /^\d{1,15}$/.test(ref) ? await byId(db, companyId, Number(ref)) : []
  if (webhook === undefined || (appId !== undefined && webhook.app_id !== appId)) throw webhookNotFound(ref)
  return webhook
}

const inTrouble = prepare((db: Db, companyId: number) =>
  webhooksOf(db, companyId)
    .where(condition`(not webhooks.is_active and webhooks.inactive_reason in ('failing', 'gone')
      or webhooks.is_active and webhooks.failures > 0)`)
    .select(['webhooks.id', 'webhooks.address', 'webhooks.is_active', 'webhooks.first_failed_at'])
    .orderBy('webhooks.id', 'desc')
    .compile(),
)

/** The webhooks that fail, and those that were deactivated for it, the latest first. */
export function readFailingWebhooks(db: Db, companyId: number) {
  return inTrouble(db, companyId)
}

/** getWebhook that locks the row until the transaction ends: do this before deciding on a change. */
export async function lockWebhook(tx: Tx, { companyId, appId }: WebhookOwner, ref: string): Promise<WebhookState> {
  if (!/^\d{1,15}$/.test(ref)) throw webhookNotFound(ref)
  const webhook = await wholeWebhooksOf(tx, companyId)
    .where('webhooks.id', '=', Number(ref))
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (webhook === undefined || (appId !== undefined && webhook.app_id !== appId)) throw webhookNotFound(ref)
  return webhook
}

/** The webhook of an app with this topic and address, locked until the transaction ends. */
export function lockSameWebhook(
  tx: Tx,
  companyId: number,
  { app_id, topic, address }: Pick<WebhookState, 'app_id' | 'topic' | 'address'>,
): Promise<WebhookState | undefined> {
  return wholeWebhooksOf(tx, companyId)
    .where('webhooks.app_id', '=', app_id)
    .where('webhooks.topic', '=', topic)
    .where(sql<string>`md5(webhooks.address)`, '=', sql<string>`md5(${address}::text)`)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

/** Counts the webhooks of an app at a company, up to a limit. */
export async function countWebhooks(db: Db, companyId: number, appId: number, limit: number): Promise<number> {
  const rows = await webhooksOf(db, companyId)
    .select('webhooks.id')
    .where('webhooks.app_id', '=', appId)
    .limit(limit)
    .execute()
  return rows.length
}

/** The webhooks that ended with the permission of an app which is installed again, locked until the transaction ends. */
export function lockUninstalled(tx: Tx, companyId: number, appId: number): Promise<WebhookState[]> {
  return wholeWebhooksOf(tx, companyId)
    .where('webhooks.app_id', '=', appId)
    .where('webhooks.inactive_reason', '=', 'uninstalled')
    .where(
      condition`exists (select from grants where grants.company_id = ${companyId} and grants.app_id = ${appId}
        and grants.customer_id is null and grants.revoked_at is null)`,
    )
    .orderBy('webhooks.id')
    .forNoKeyUpdate()
    .execute()
}

/** The webhooks that carry data change sync to an app through a company, locked until the transaction ends. */
export function lockSyncWebhooks(tx: Tx, companyId: number, appId: number): Promise<WebhookState[]> {
  return wholeWebhooksOf(tx, companyId)
    .where('webhooks.app_id', '=', appId)
    .where('webhooks.topic', '=', SYNC_TOPIC)
    .orderBy('webhooks.id')
    .forNoKeyUpdate()
    .execute()
}

/** The receiver of a webhook: its app and address. */
export function receiverOf({ app_id, address }: Pick<WebhookState, 'app_id' | 'address'>): RawBuilder<number> {
  return sql<number>`hashtextextended(${address}::text, ${app_id}::bigint)`
}
