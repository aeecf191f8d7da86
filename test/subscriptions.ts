import assert from 'node:assert/strict'
import { enqueueDue } from '#selling/subscriptions/charges/charge.worker.ts'
import { aCustomer } from './customers.ts'
import { aPrice, type Wire } from './factories.ts'
import type { Call, Service, Shop } from './harness.ts'
import { offer, workOf } from './payments.ts'

/** A shop whose access does not end when the clock goes on for months. */
function lasting(service: Service, shop: Shop): Shop {
  let current = shop
  let issued = service.clock.now().getTime()
  const fresh = async () => {
    const now = service.clock.now().getTime()
    if (now - issued > 60_000) {
      current = await shop.withScopes('orders', 'products', 'customers', 'companies')
      issued = now
    }
    return current
  }
  const lastingly =
    (method: 'get' | 'post' | 'put' | 'delete'): Call =>
    async (...call) =>
      (await fresh())[method](...call)
  return { ...shop, get: lastingly('get'), post: lastingly('post'), put: lastingly('put'), delete: lastingly('delete') }
}

export type Club = { shop: Shop; plan: Wire; customer: Wire }

/** A shop that takes test cards, with a club for 7.90 a month and a customer. */
export async function aClub(service: Service, attributes: object = {}, opened?: Shop): Promise<Club> {
  const shop = lasting(service, opened ?? (await service.openShop()))
  await offer(service, shop, { test: { enabled: true } })
  const price = await aPrice(service, shop, { currencies: [{ price: 790, currency: 'EUR' }] })
  const { body } = await shop.post('/api/groups.json', { group: { kind: 'subscription', title: 'Kino Club' } })
  const monthly = { group_id: body.group.id, title: 'Monthly', price_id: price.id, interval: 'month', ...attributes }
  const answer = await shop.post('/api/plans.json', { plan: monthly })
  assert.equal(answer.status, 201, answer.text)
  return { shop, plan: answer.body.plan, customer: await aCustomer(shop) }
}

export async function signUp(shop: Shop, subscription: object): Promise<Wire> {
  const answer = await shop.post('/api/subscriptions.json', { subscription })
  assert.equal(answer.status, 201, answer.text)
  return answer.body.subscription
}

/** Moves the clock to some seconds after a time, if it is not later already, and does what is due then. */
export async function advanceTo(service: Service, time: string, seconds = 0): Promise<void> {
  const ahead = Date.parse(time) + seconds * 1000 - service.clock.now().getTime()
  if (ahead > 0) service.clock.advance(Math.ceil(ahead / 1000))
  await enqueueDue(workOf(service))
  await service.runJobs()
}

export async function read(shop: Shop, { id }: { id: number }): Promise<Wire> {
  return (await shop.get(`/api/subscriptions/${id}.json`)).body.subscription
}

export async function statusOf(shop: Shop, subscription: { id: number }): Promise<string> {
  return (await read(shop, subscription)).status
}

/** Newest first. */
export async function periodsOf(shop: Shop, { id }: { id: number }): Promise<Wire[]> {
  return (await shop.get(`/api/subscriptions/${id}/periods.json`)).body.periods.reverse()
}

/** Newest first. */
export async function timelineOf(shop: Shop, { id }: { id: number }): Promise<string[]> {
  const { timeline } = (await shop.get(`/api/subscriptions/${id}/timeline.json`)).body
  return timeline.map(({ kind }: Wire) => kind).reverse()
}

export async function subscriberOf(shop: Shop, { token }: { token: string }): Promise<Wire | undefined> {
  return (await shop.get(`/api/subscribers.json?customer_token=${token}`)).body.subscribers[0]
}
