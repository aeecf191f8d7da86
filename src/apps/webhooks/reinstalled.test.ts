import assert from 'node:assert/strict'
import { test } from 'node:test'
import { revokeGrants } from '#identity/grants/commands.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { aProduct } from '#test/factories.ts'
import { useService } from '#test/harness.ts'
import { useReceiver } from '#test/receiver.ts'
import { aWebhook, readWebhook } from '#test/webhooks.ts'

const service = useService()
const receiver = useReceiver()

test('a delivery that waits when its app is removed is sent when the app is installed again', async () => {
  const shop = await service.openShop()
  const { id } = await aWebhook(shop, receiver.url('/again'))
  const paused = await aWebhook(shop, receiver.url('/paused'))
  await shop.put(`/api/webhooks/${paused.id}.json`, { webhook: { is_active: false } })
  const removed = () =>
    inTransaction(service.db, (tx) => revokeGrants(tx, shop.companyId, { appId: shop.appId }, service.clock.now()))
  const { answer } = receiver
  receiver.answer = (_event, response) => void response.writeHead(503).end()
  const product = await aProduct(shop)
  await service.runJobs()
  receiver.answer = answer
  const tried = receiver.at('/again').length
  assert.equal(tried, 1)
  await removed()
  await service.runJobs()
  assert.equal(receiver.at('/again').length, tried, 'nothing is sent to an app that was removed')
  const back = await shop.withScopes('webhooks', 'products')
  await service.runJobs()
  assert.deepEqual(
    [(await readWebhook(back, id)).is_active, (await readWebhook(back, paused.id)).inactive_reason],
    [true, 'paused'],
  )
  assert.deepEqual(
    receiver.at('/again').map(({ body }) => body.data.id),
    [String(product.id), String(product.id)],
  )
  const next = await aProduct(back)
  await service.runJobs()
  assert.equal(receiver.at('/again').at(-1)?.body.data.id, String(next.id))
  assert.equal(receiver.at('/paused').length, 0)
})
