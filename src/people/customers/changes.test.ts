import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { aCustomer, anEmail, CUSTOMER_PASSWORD, readCustomer, shareCustomer } from '#test/customers.ts'
import { type Shop, useService } from '#test/harness.ts'
import { aFilm, anOrder } from '#test/orders.ts'

const service = useService()

const ADDRESS = {
  first_name: 'Jané',
  last_name: 'Roe',
  company: 'Roe & Co',
  address1: 'Main Street 1',
  address2: 'Back yard',
  city: 'Berlin',
  zip: '10115',
  province: 'Berlin',
  province_code: 'BE',
  country_code: 'DE',
  phone: '+49 30 1',
  language: 'de',
}

/** The events of a company, oldest first. */
async function eventsOf(shop: Shop) {
  return service.db
    .selectFrom('events')
    .select(['topic', 'data'])
    .where('company_id', '=', shop.companyId)
    .where('topic', 'like', 'customer/%')
    .orderBy('id')
    .execute()
}

describe('PUT /api/customers/{token}.json', () => {
  const put = (shop: Shop, ref: string | number, customer: object) =>
    shop.put(`/api/customers/${ref}.json`, { customer })

  test('changes the named fields and leaves the rest', async () => {
    const shop = await service.openShop()
    const before = await aCustomer(shop, { first_name: 'Jane', last_name: 'Roe', note: 'N', addresses: [ADDRESS] })
    service.clock.advance(5)
    const answer = await put(shop, before.token, { first_name: '', last_name: null, language: 'FR' })
    assert.equal(answer.status, 200, answer.text)
    const { updated_at, ...after } = answer.body.customer
    const { updated_at: earlier, ...rest } = before
    assert.deepEqual(after, { ...rest, first_name: '', language: 'fr' })
    assert.ok(updated_at > earlier)
    const moved = anEmail()
    assert.equal((await put(shop, before.id, { email: moved })).body.customer.email, moved)
    assert.deepEqual(
      (await eventsOf(shop)).map(({ topic }) => topic),
      ['customer/create', 'customer/update', 'customer/update'],
    )
  })

  test('changes nothing when a whole customer is sent back', async () => {
    const shop = await service.openShop()
    const before = await aCustomer(shop, { first_name: 'Jane', addresses: [ADDRESS, { city: 'Rome' }] })
    const answer = await put(shop, before.token, { ...before, password: null, password_confirmation: null })
    assert.deepEqual(answer.body.customer, { ...before, updated_at: answer.body.customer.updated_at })
  })

  test('replaces the addresses, and keeps known ids', async () => {
    const shop = await service.openShop()
    const { token, addresses } = await aCustomer(shop, { addresses: [ADDRESS, { city: 'Rome' }, { city: 'Oslo' }] })
    const [, rome, oslo] = addresses
    const kept = [
      { id: 0, city: 'Bern', default: true },
      { id: oslo.id, zip: '0150' },
      { ...rome, city: 'Roma' },
    ]
    const after = (await put(shop, token, { addresses: kept })).body.customer
    const seen = after.addresses.map(({ id, city, zip, ...rest }: Record<string, unknown>) => [
      id,
      city,
      zip,
      rest.default,
    ])
    const bern = after.addresses[2].id
    assert.deepEqual(seen, [
      [rome.id, 'Roma', '', false],
      [oslo.id, 'Oslo', '0150', false],
      [bern, 'Bern', '', true],
    ])
    assert.ok(bern > oslo.id)
    assert.equal(after.default_address.id, bern)
    const twice = await put(shop, token, { addresses: [{ id: rome.id }, { id: rome.id }] })
    assert.deepEqual([twice.status, twice.body.errors], [422, { 'addresses[1].id': ['is there twice'] }])
    const none = (await put(shop, token, { addresses: [] })).body.customer
    assert.deepEqual([none.addresses, none.default_address], [[], null])
  })

  test('keeps the spelling of an email address, and refuses that of another customer', async () => {
    const shop = await service.openShop()
    const stranger = await service.openShop()
    const { token, email } = await aCustomer(shop)
    const other = await aCustomer(stranger)
    assert.equal((await put(shop, token, { email: email.toLowerCase() })).body.customer.email, email)
    const answer = await put(shop, token, { email: other.email.toLowerCase() })
    assert.deepEqual([answer.status, answer.body.errors], [422, { email: ['is the address of a customer already'] }])
    assert.equal((await readCustomer(shop, token)).email, email)
    assert.equal((await put(shop, token, { email: 'nobody' })).status, 422)
    assert.equal((await put(shop, token, { email: '' })).status, 422)
    assert.equal((await put(shop, token, { email: null })).body.customer.email, email)
  })

  test('changes only the note of the own company, and emits only its event', async () => {
    const shop = await service.openShop()
    const other = await service.openShop()
    const customer = await aCustomer(shop, { note: 'Ours' })
    const theirs = await shareCustomer(other, customer, { note: 'Theirs' })
    service.clock.advance(5)
    await put(shop, customer.token, { note: 'Still ours' })
    assert.deepEqual(await readCustomer(other, customer.token), theirs)
    assert.equal((await readCustomer(shop, customer.token)).note, 'Still ours')
    assert.deepEqual(
      (await eventsOf(other)).map(({ topic }) => topic),
      ['customer/create'],
    )
  })

  test('shows a change of the account to every company that knows it, and emits their events', async () => {
    const shops = await Promise.all([service.openShop(), service.openShop(), service.openShop()])
    const customer = await aCustomer(shops[0]!, { note: 'Note 0' })
    await shareCustomer(shops[1]!, customer, { note: 'Note 1' })
    await shareCustomer(shops[2]!, customer, { note: 'Note 2' })
    const stranger = await service.openShop()
    await aCustomer(stranger)
    service.clock.advance(5)
    const answer = await put(shops[1]!, customer.token, { language: 'fr', last_name: 'Married', note: 'New 1' })
    for (const [index, shop] of shops.entries()) {
      const { language, last_name, note, updated_at } = await readCustomer(shop, customer.token)
      assert.equal(language, 'fr')
      assert.deepEqual([last_name, note], index === 1 ? ['Married', 'New 1'] : ['', `Note ${index}`])
      assert.equal(updated_at, answer.body.customer.updated_at)
      const [last] = (await eventsOf(shop)).slice(-1)
      const data = { type: 'customer', id: String(customer.id), token: customer.token }
      assert.deepEqual(last, { topic: 'customer/update', data })
    }
    assert.equal((await eventsOf(stranger)).length, 1)
  })

  test('is 404 for a customer that another company knows', async () => {
    const shop = await service.openShop()
    const stranger = await service.openShop()
    const { token } = await aCustomer(shop)
    for (const body of [{ note: 'x' }, { email: anEmail() }, { password: CUSTOMER_PASSWORD }])
      assert.equal((await put(stranger, token, body)).status, 404)
  })
})

describe('DELETE /api/customers/{token}.json', () => {
  const remove = (shop: Shop, ref: string | number) => shop.delete(`/api/customers/${ref}.json`)

  test('erases a customer whom only this company knew, with all data about them', async () => {
    const shop = await service.openShop()
    const email = anEmail()
    const customer = { email, password: CUSTOMER_PASSWORD, last_name: 'Unforgettable', addresses: [ADDRESS] }
    const made = await shop.post('/api/customers.json', { customer }, { 'idempotency-key': 'erased' })
    const { token, id } = made.body.customer
    await anOrder(shop, { token }, [await aFilm(service, shop)])
    await service.runJobs()
    const mails = () => sql`select id from mails where recipient = ${email}`.execute(service.db)
    assert.equal((await mails()).rows.length, 1)
    const answer = await remove(shop, token)
    await service.runJobs()
    assert.equal((await mails()).rows.length, 0)
    assert.deepEqual([answer.status, answer.body], [200, {}])
    assert.equal((await shop.get(`/api/customers/${token}.json`)).status, 404)
    assert.equal((await remove(shop, token)).status, 404)
    assert.deepEqual((await shop.get('/api/customers/count.json')).body, { count: 0 })
    const { rows } = await sql`select
      (select count(*) from customers where id = ${id}) accounts,
      (select count(*) from customer_relations where customer_id = ${id}) relations,
      (select count(*) from idempotency_keys where body like '%' || ${token} || '%') answers,
      (select count(*) from events where data::text ilike '%unforgettable%' or data::text ilike '%' || ${email} || '%')
        events`.execute(service.db)
    assert.deepEqual(rows, [{ accounts: 0, relations: 0, answers: 0, events: 0 }])
    assert.ok(!service.log.join('').includes(CUSTOMER_PASSWORD))
  })

  test('ends only the relation of this company if others know the customer', async () => {
    const shop = await service.openShop()
    const other = await service.openShop()
    const customer = await aCustomer(shop, { note: 'Ours', addresses: [ADDRESS] })
    await shareCustomer(other, customer)
    const seen = await readCustomer(other, customer.token)
    assert.equal((await remove(shop, customer.id)).status, 200)
    assert.equal((await shop.get(`/api/customers/${customer.token}.json`)).status, 404)
    assert.deepEqual((await shop.get('/api/customers.json')).body, { customers: [] })
    assert.deepEqual(await readCustomer(other, customer.token), seen)
    const again = await shareCustomer(shop, customer)
    assert.deepEqual([again.token, again.note], [customer.token, ''])
  })
})
