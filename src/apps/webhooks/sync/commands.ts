import { sql } from 'kysely'
import { BATCH_ROWS } from '#platform/db/batches.ts'
import type { Tx } from '#platform/db/database.ts'
import { randomToken } from '#platform/identity/crypto.ts'
import { wireTime } from '#platform/wire/times.ts'
import { activate, followAddress, insertWebhook, lockWebhooksOf } from '../commands.ts'
import { markDue } from '../deliveries/commands.ts'
import { lockSyncWebhooks, receiverOf, SYNC_TOPIC } from '../queries.ts'
import type { WebhookState } from '../state.ts'
import { findSyncUrl, listSyncedApps, type SyncedApp } from './queries.ts'

/** A change that a customer made on a page of the service. */
export type DataChange = {
  customerToken: string
  /** The companies that know the customer. */
  companyIds: readonly number[]
  email: string
  /** The same as `email` if only the password changed. */
  newEmail: string
  passwordChanged: boolean
}

/** Tells every app with a sync URL of the change, in the transaction of the change. A password is never part of it. */
export async function queueDataChange(tx: Tx, change: DataChange, now: Date): Promise<void> {
  const data = JSON.stringify({
    customer_token: change.customerToken,
    email: change.email,
    new_email: change.newEmail,
    password_changed: change.passwordChanged,
    changed_at: wireTime(now),
  })
  for (const app of await listSyncedApps(tx, change.companyIds)) {
    const webhook = await prepareWebhook(tx, app, now)
    await tx
      .insertInto('deliveries')
      .values({
        company_id: webhook.company_id,
        webhook_id: webhook.id,
        receiver: receiverOf(webhook),
        message_id: `sync_${randomToken(12)}`,
        topic: SYNC_TOPIC,
        producer: 'shop',
        data,
        resource: resourceOf(change.customerToken),
        state: 'pending',
        created_at: now,
      })
      .execute()
    await markDue(tx, webhook, now)
  }
}

/** Deliveries about one customer are sent in order, and found when the customer is erased. */
function resourceOf(customerToken: string): string {
  return `customer ${customerToken}`
}

/** The webhook of an app that carries its data change sync. It is created when it is first needed. */
async function prepareWebhook(tx: Tx, { id, company_id, url }: SyncedApp, now: Date): Promise<WebhookState> {
  await lockWebhooksOf(tx, id)
  const [webhook] = await lockSyncWebhooks(tx, company_id, id)
  if (webhook === undefined)
    return insertWebhook(
      tx,
      { companyId: company_id, appId: id },
      { topic: SYNC_TOPIC, address: url, is_active: true },
      now,
    )
  if (webhook.address !== url) return move(tx, webhook, url, now)
  // The app was uninstalled and has come back.
  return webhook.inactive_reason === 'uninstalled' ? activate(tx, webhook, now) : webhook
}

async function move(tx: Tx, webhook: WebhookState, address: string, now: Date): Promise<WebhookState> {
  await tx
    .updateTable('webhooks')
    .set({ address })
    .where('company_id', '=', webhook.company_id)
    .where('id', '=', webhook.id)
    .execute()
  const moved = { ...webhook, address }
  await followAddress(tx, moved)
  return webhook.inactive_reason === 'paused' ? moved : activate(tx, moved, now)
}

/** Follows the sync URL of an app that has changed. Without one, what was waiting is deleted too. */
export async function followSyncUrl(tx: Tx, companyId: number, appId: number, now: Date): Promise<void> {
  const webhooks = await lockSyncWebhooks(tx, companyId, appId)
  if (webhooks.length === 0) return
  const url = await findSyncUrl(tx, appId)
  for (const webhook of webhooks) {
    if (url === null) await remove(tx, webhook)
    else if (webhook.address !== url) await move(tx, webhook, url, now)
  }
}

async function remove(tx: Tx, { company_id, id }: WebhookState): Promise<void> {
  await tx.deleteFrom('deliveries').where('company_id', '=', company_id).where('webhook_id', '=', id).execute()
  await tx.deleteFrom('webhooks').where('company_id', '=', company_id).where('id', '=', id).execute()
}

/**
 * Deletes a batch of what a company's webhooks have sent and have still to send about changes, until a time, of a customer who is
 * erased there. Returns how many they were. By their key, because a delivery that was just sent has moved to another place.
 */
export async function deleteDataChanges(
  tx: Tx,
  companyId: number,
  customerToken: string,
  changedUntil: Date,
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`with chosen as materialized (
      select deliveries.webhook_id, deliveries.id from webhooks
      join deliveries on deliveries.company_id = ${companyId} and deliveries.webhook_id = webhooks.id
      where webhooks.company_id = ${companyId} and webhooks.topic = ${SYNC_TOPIC}
        and deliveries.resource = ${resourceOf(customerToken)} and deliveries.created_at <= ${changedUntil}
      limit ${BATCH_ROWS}
    )
    delete from deliveries where company_id = ${companyId}
      and webhook_id = any(array(select distinct chosen.webhook_id from chosen))
      and id = any(array(select chosen.id from chosen))`.execute(tx)
  return Number(numAffectedRows)
}
