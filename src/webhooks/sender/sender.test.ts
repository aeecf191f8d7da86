import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { beforeEach, describe, test } from 'node:test'
import { aProduct } from '#test/factories.ts'
import { useService } from '#test/harness.ts'
import { useReceiver } from '#test/receiver.ts'
import { startSender } from '#test/senders.ts'
import { until } from '#test/start/program.ts'
import { aWebhook } from '#test/webhooks.ts'

const service = useService()
const receiver = useReceiver()

beforeEach(() => {
  receiver.received.length = 0
})

/** A company may have few requests under way here, and has more to send. */
const PLACES = {
  quickMax: 4,
  quickPerCompanyMax: 2,
  slowAfterMs: 60_000,
  slowMax: 0,
  perHostMax: 32,
  perHostAndCompanyMax: 24,
}
const [WEBHOOKS, PRODUCTS] = [2, 4]

/** Holds all answers for a path until they are let go. */
function holdAnswers(path: RegExp): () => void {
  const held: ServerResponse[] = []
  let isHolding = true
  receiver.answer = (event, response) => {
    if (isHolding && path.test(event.path)) held.push(response)
    else response.end()
  }
  return () => {
    isHolding = false
    for (const response of held) response.end()
  }
}

async function aBusyCompany() {
  const shop = await service.openShop()
  const webhooks = []
  for (let number = 0; number < WEBHOOKS; number += 1)
    webhooks.push(await aWebhook(shop, receiver.url(`/busy/${number}`), 'product/create'))
  const letGo = holdAnswers(/^\/busy/)
  for (let number = 0; number < PRODUCTS; number += 1) await aProduct(shop)
  return { shop, webhooks, letGo }
}

const busy = () => receiver.received.filter(({ path }) => path.startsWith('/busy')).length

describe('a company whose receivers are slow', () => {
  test('keeps no other company waiting', async () => {
    const other = await service.openShop()
    await aWebhook(other, receiver.url('/other'), 'product/create')
    const { letGo } = await aBusyCompany()
    const sender = startSender(service, PLACES)
    await until('all places of the company are taken', () => busy() === PLACES.quickPerCompanyMax)
    await aProduct(other)
    await until('the other company gets its event', () => receiver.at('/other').length === 1)
    assert.equal(busy(), PLACES.quickPerCompanyMax)
    letGo()
    await until('the rest follows', () => busy() === WEBHOOKS * PRODUCTS)
    await sender.stop()
  })

  test('gets nothing from a round that is over, however long its requests have waited for their places', async () => {
    const { shop, webhooks, letGo } = await aBusyCompany()
    const sender = startSender(service, PLACES)
    await until('all places of the company are taken', () => busy() === PLACES.quickPerCompanyMax)
    const setActive = (is_active: boolean) =>
      Promise.all(webhooks.map(({ id }) => shop.put(`/api/webhooks/${id}.json`, { webhook: { is_active } })))
    await setActive(false)
    service.clock.advance(11)
    letGo()
    await sender.stop()
    assert.equal(busy(), PLACES.quickPerCompanyMax)
    await setActive(true)
    await service.runJobs()
    assert.equal(busy(), WEBHOOKS * PRODUCTS)
  })
})
