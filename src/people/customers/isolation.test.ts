import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { aCustomer, readCustomer, shareCustomer } from '#test/customers.ts'
import type { Wire } from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'
import { aFilm, anOrder, someGoods } from '#test/orders.ts'

const service = useService()

const OURS = { first_name: 'Jane', last_name: 'Roe', address1: 'Main Street 1', city: 'Berlin', country: 'DE' }
const THEIRS = { first_name: 'J.', last_name: 'Roe-Smith', address1: 'Rue 1', city: 'Lyon', country: 'FR' }

/** Everything that a company can read about its customers and what they bought, and the events that it got. */
async function viewOf(shop: Shop, since: string): Promise<unknown> {
  const paths = [
    '/customers.json',
    `/customers.json?updated_at_min=${since}`,
    '/customers/count.json',
    '/customers/search.json?query=first_name:J.',
    '/customers/search.json?query=first_name:Changed',
    '/customers/search.json?query=last_name:Roe-Smith',
    '/orders.json',
    '/fulfillments.json',
  ]
  const answers = await Promise.all(paths.map(async (path) => (await shop.get(`/api${path}`)).body))
  const events = await service.db
    .selectFrom('events')
    .select(['topic', 'data'])
    .where('company_id', '=', shop.companyId)
    .orderBy('id')
    .execute()
  return { answers, events }
}

/** The parts of an order that depend on where the customer lives. */
const terms = ({ tax_lines, total_price, shipping_address }: Wire) => ({
  tax_lines,
  total_price,
  shipping_address,
})

describe('a customer whom two companies know', () => {
  test('is changed by one of them without any effect on the other', async () => {
    const [shop, other] = [await service.openShop(), await service.openShop()]
    const customer = await aCustomer(shop, { ...OURS, note: 'Ours', addresses: [OURS] })
    await shareCustomer(other, customer, { ...THEIRS, note: 'Theirs', addresses: [THEIRS] })
    const goods = [await aFilm(service, other), await someGoods(service, other)]
    const first = await anOrder(other, customer, goods)
    assert.deepEqual([first.shipping_address.city, first.tax_lines[0].rate], ['Lyon', 0.2])
    service.clock.advance(60)
    const since = new Date(service.clock.now().getTime() - 1000).toISOString().slice(0, 19)
    const before = await viewOf(other, since)

    const path = `/api/customers/${customer.token}`
    const addresses = [{ city: 'Wien', country: 'AT', default: true }]
    const changes = [
      await shop.put(`${path}.json`, { customer: { first_name: 'Changed', last_name: 'Changed', note: 'New' } }),
      await shop.put(`${path}.json`, { customer: { addresses } }),
      await shop.post(`${path}/addresses.json`, { address: { city: 'Oslo', country: 'NO', default: true } }),
    ]
    const [wien, oslo] = changes[2]!.body.addresses
    changes.push(
      await shop.put(`${path}/addresses/${wien.id}.json`, { address: { city: 'Graz' } }),
      await shop.put(`${path}/addresses/${wien.id}/default.json`),
      await shop.delete(`${path}/addresses/${oslo.id}.json`),
    )
    for (const { status, text } of changes) assert.ok(status < 300, text)

    assert.deepEqual(await viewOf(other, since), before)
    assert.deepEqual(terms(await anOrder(other, customer, goods)), terms(first))
    const seen = await readCustomer(shop, customer.token)
    assert.deepEqual(
      [seen.first_name, seen.note, seen.default_address.city, seen.orders_count],
      ['Changed', 'New', 'Graz', 0],
    )
  })

  test('has addresses that only the company that stored them can read, change or delete', async () => {
    const [shop, other] = [await service.openShop(), await service.openShop()]
    const customer = await aCustomer(shop, { addresses: [OURS] })
    await shareCustomer(other, customer)
    const path = `/api/customers/${customer.token}/addresses/${customer.addresses[0].id}`
    for (const answer of [
      await other.get(`${path}.json`),
      await other.put(`${path}.json`, { address: { city: 'Rome' } }),
      await other.put(`${path}/default.json`),
      await other.delete(`${path}.json`),
    ])
      assert.deepEqual([answer.status, answer.body.reason], [404, 'address_not_found'])
    assert.deepEqual((await readCustomer(shop, customer.token)).addresses, customer.addresses)
  })

  // Every company that knows a customer sees and can change a new column of the account: decide before you add one here.
  test('shares only the account', async () => {
    const { id } = await aCustomer(await service.openShop())
    const row = await service.db.selectFrom('customers').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    assert.deepEqual(Object.keys(row).sort(), [
      'created_at',
      'email',
      'id',
      'language',
      'password_hash',
      'state',
      'token',
      'updated_at',
      'verified_email',
    ])
  })

  test('starts at a company with what that company has sent, and nothing of the other', async () => {
    const [shop, other] = [await service.openShop(), await service.openShop()]
    const customer = await aCustomer(shop, { ...OURS, note: 'Ours', addresses: [OURS] })
    const { first_name, last_name, note, addresses, default_address, token } = await shareCustomer(other, customer)
    assert.deepEqual([first_name, last_name, note, addresses, default_address], ['', '', '', [], null])
    assert.equal(token, customer.token)
    const third = await shareCustomer(await service.openShop(), customer, { first_name: 'J.', addresses: [THEIRS] })
    assert.deepEqual(
      [third.first_name, third.last_name, third.addresses.map(({ city }: Wire) => city)],
      ['J.', '', ['Lyon']],
    )
  })
})
