import assert from 'node:assert/strict'
import { changeApp, rotateSecret } from '#apps/oauth/apps.commands.ts'
import { nowInSeconds } from '#platform/clock.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import type { Wire } from './factories.ts'
import type { Service, Shop } from './harness.ts'

/** Subscribes the app of a shop. */
export async function aWebhook(shop: Shop, address: string, topic = 'product/create'): Promise<Wire> {
  const answer = await shop.post('/api/webhooks.json', { webhook: { topic, address, format: 'json' } })
  assert.equal(answer.status, 200, answer.text)
  return answer.body.webhook
}

export async function readWebhook(shop: Shop, id: number): Promise<Wire> {
  const answer = await shop.get(`/api/webhooks/${id}.json`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.webhook
}

/** The deliveries of a webhook, oldest first. */
export async function deliveriesOf(shop: Shop, id: number, query = ''): Promise<Wire[]> {
  const answer = await shop.get(`/api/webhooks/${id}/deliveries.json${query}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.deliveries
}

const ACTOR = { userId: null, origin: { address: '192.0.2.1', requestId: 'test' } }

async function clientIdOf(service: Service, { appId }: Shop): Promise<string> {
  const app = await service.db.selectFrom('apps').select('client_id').where('id', '=', appId).executeTakeFirstOrThrow()
  return app.client_id
}

/** Gives the app of a shop a new secret and returns it. */
export async function newSecret(service: Service, shop: Shop, overlapSeconds = 0): Promise<string> {
  const clientId = await clientIdOf(service, shop)
  const now = nowInSeconds(service.clock)
  return inTransaction(service.db, (tx) =>
    rotateSecret(tx, shop.companyId, clientId, overlapSeconds, service.vault, ACTOR, now),
  )
}

/** Changes the app of a shop. */
export async function change(service: Service, shop: Shop, changes: Parameters<typeof changeApp>[3]): Promise<void> {
  const clientId = await clientIdOf(service, shop)
  const now = nowInSeconds(service.clock)
  await inTransaction(service.db, (tx) => changeApp(tx, shop.companyId, clientId, changes, ACTOR, now))
}
