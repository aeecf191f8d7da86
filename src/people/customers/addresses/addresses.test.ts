import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { aCustomer, readCustomer, shareCustomer } from '#test/customers.ts'
import type { Wire } from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'

const service = useService()

const ADDRESS = {
  first_name: 'Jané',
  last_name: 'Roe',
  company: 'Roe & Co',
  address1: 'Main Street 1',
  address2: 'Back yard',
  city: 'Austin',
  zip: '73301',
  province: 'Texas',
  province_code: 'TX',
  country_code: 'US',
  phone: '+1 512',
  language: 'EN',
}

const pathTo = (token: string, rest = '') => `/api/customers/${token}/addresses${rest}.json`

async function add(shop: Shop, token: string, address: object): Promise<Wire[]> {
  const answer = await shop.post(pathTo(token), { address })
  assert.equal(answer.status, 201, answer.text)
  return answer.body.addresses
}

/** Cities in the order of the list, the default with a star; the customer's document says the same. */
async function cities(shop: Shop, token: string): Promise<string[]> {
  const { addresses } = (await shop.get(pathTo(token))).body
  const customer = await readCustomer(shop, token)
  assert.deepEqual(customer.addresses, addresses)
  assert.deepEqual(customer.default_address, addresses.find((address: Wire) => address.default) ?? null)
  return addresses.map((address: Wire) => `${address.city}${address.default ? '*' : ''}`)
}

describe('POST /api/customers/{token}/addresses.json', () => {
  test('adds an address with every field, and returns all addresses', async () => {
    const shop = await service.openShop()
    const { token } = await aCustomer(shop)
    const [first, ...none] = await add(shop, token, ADDRESS)
    assert.deepEqual(none, [])
    const country = { country: 'United States', country_name: 'United States' }
    const derived = { id: first.id, name: 'Jané Roe', ...country, language: 'en', token, default: true }
    assert.deepEqual(first, { ...ADDRESS, ...derived })
    const both = await add(shop, token.toLowerCase(), { city: 'Rome' })
    assert.deepEqual([both[0], both[1].city, both[1].default], [first, 'Rome', false])
    assert.deepEqual((await shop.get(pathTo(token))).body, { addresses: both })
    assert.deepEqual((await shop.get(pathTo(token, `/${first.id}`))).body, { customer_address: first })
    assert.deepEqual((await shop.get(`${pathTo(token, `/${first.id}`)}?fields=city`)).body, {
      customer_address: { city: 'Austin' },
    })
  })

  test('reads a country by its name, and splits a full name', async () => {
    const shop = await service.openShop()
    const { token } = await aCustomer(shop)
    const names: [object, [string, string]][] = [
      [{ name: ' Jane van der Roe ' }, ['Jane van der', 'Roe']],
      [{ name: 'Cher' }, ['', 'Cher']],
      [{ name: 'Ignored Name', last_name: 'Kept' }, ['', 'Kept']],
    ]
    for (const [address, expected] of names) {
      const { first_name, last_name } = (await add(shop, token, address)).at(-1)
      assert.deepEqual([first_name, last_name], expected)
    }
    for (const spelling of [{ country: 'germany' }, { country_name: 'Germany' }, { country_code: 'de' }])
      assert.equal((await add(shop, token, spelling)).at(-1).country_code, 'DE')
  })

  test('makes the new address the default if requested', async () => {
    const shop = await service.openShop()
    const { token } = await aCustomer(shop)
    await add(shop, token, { city: 'Rome', default: false })
    assert.deepEqual(await cities(shop, token), ['Rome*'])
    await add(shop, token, { city: 'Oslo', default: 'true' })
    assert.deepEqual(await cities(shop, token), ['Rome', 'Oslo*'])
  })

  test('refuses invalid addresses, and one too many', async () => {
    const shop = await service.openShop()
    const { token } = await aCustomer(shop, { addresses: Array(100).fill({ city: 'Rome' }) })
    const refused: [object, string][] = [
      [{ city: 'x'.repeat(101) }, 'city'],
      [{ country: 'Atlantis' }, 'country'],
      [{ phone: '\0' }, 'phone'],
      [{ language: 'english' }, 'language'],
      [{ default: 'perhaps' }, 'default'],
      [{ city: 'Oslo' }, 'addresses'],
    ]
    for (const [address, field] of refused) {
      const answer = await shop.post(pathTo(token), { address })
      assert.equal(answer.status, 422, answer.text)
      assert.ok(field in answer.body.errors, answer.text)
    }
    assert.equal((await shop.post(pathTo(token), { city: 'Oslo' })).status, 400)
    assert.equal((await shop.get(pathTo(token))).body.addresses.length, 100)
  })

  test('adds the address once for one Idempotency-Key', async () => {
    const shop = await service.openShop()
    const { token } = await aCustomer(shop)
    for (let times = 0; times < 3; times += 1)
      await shop.post(pathTo(token), { address: { city: 'Rome' } }, { 'idempotency-key': 'address' })
    assert.deepEqual(await cities(shop, token), ['Rome*'])
  })
})

describe('GET /api/customers/{token}/addresses.json', () => {
  test('returns pages if requested', async () => {
    const shop = await service.openShop()
    const { token, addresses } = await aCustomer(shop, { addresses: [{ city: 'A' }, { city: 'B' }, { city: 'C' }] })
    const page = await shop.get(`${pathTo(token)}?limit=2&fields=city`)
    assert.deepEqual(page.body, { addresses: [{ city: 'A' }, { city: 'B' }] })
    const [, next = ''] = /<([^>]+)>/.exec(page.headers.get('link') ?? '') ?? []
    assert.deepEqual((await shop.get(next.replace(service.url, ''))).body, { addresses: [{ city: 'C' }] })
    assert.deepEqual((await shop.get(`${pathTo(token)}?since_id=${addresses[1].id}`)).body.addresses, [addresses[2]])
    assert.equal((await shop.get(`${pathTo(token)}?limit=0`)).status, 422)
  })
})

describe('PUT /api/customers/{token}/addresses/{token}.json', () => {
  test('changes the named fields, and emits an event to the company alone', async () => {
    const shop = await service.openShop()
    const other = await service.openShop()
    const customer = await aCustomer(shop, { addresses: [ADDRESS, { city: 'Rome' }] })
    const theirs = await shareCustomer(other, customer)
    const [first] = customer.addresses
    service.clock.advance(5)
    const sent = {
      ...first,
      city: 'Houston',
      phone: '',
      zip: null,
      country_code: 'CA',
      name: 'Jané Roe',
      id: 9,
      token: 'x',
    }
    const answer = await shop.put(pathTo(customer.token, `/${first.id}`), { address: sent })
    assert.equal(answer.status, 200, answer.text)
    const country = { country_code: 'CA', country: 'Canada', country_name: 'Canada' }
    const after = { ...first, city: 'Houston', phone: '', ...country }
    assert.deepEqual(answer.body, { customer_address: after })
    const seen = await readCustomer(shop, customer.token)
    assert.deepEqual(seen.default_address, after)
    assert.ok(seen.updated_at > customer.updated_at)
    assert.deepEqual(await readCustomer(other, customer.token), theirs)
    const topicsOf = async ({ companyId }: Shop) => {
      const events = await service.db.selectFrom('events').select('topic').where('company_id', '=', companyId).execute()
      return events.map(({ topic }) => topic)
    }
    assert.deepEqual(await topicsOf(shop), ['customer/create', 'customer/update'])
    assert.deepEqual(await topicsOf(other), ['customer/create'])
  })

  test('can make the address the default, but not the contrary', async () => {
    const shop = await service.openShop()
    const { token, addresses } = await aCustomer(shop, { addresses: [{ city: 'A' }, { city: 'B' }] })
    await shop.put(pathTo(token, `/${addresses[0].id}`), { address: { default: false } })
    assert.deepEqual(await cities(shop, token), ['A*', 'B'])
    await shop.put(pathTo(token, `/${addresses[1].id}`), { address: { default: true } })
    assert.deepEqual(await cities(shop, token), ['A', 'B*'])
  })
})

describe('PUT /api/customers/{token}/addresses/{token}/default.json', () => {
  test('makes the address the default and returns it', async () => {
    const shop = await service.openShop()
    const { token, addresses } = await aCustomer(shop, { addresses: [{ city: 'A' }, { city: 'B' }] })
    const answer = await shop.put(pathTo(token, `/${addresses[1].id}/default`))
    assert.deepEqual([answer.status, answer.body], [200, { customer_address: { ...addresses[1], default: true } }])
    assert.deepEqual(await cities(shop, token), ['A', 'B*'])
    const again = await shop.put(pathTo(token, `/${addresses[1].id}/default`), { address: { city: 'Ignored' } })
    assert.deepEqual(again.body, answer.body)
  })
})

describe('DELETE /api/customers/{token}/addresses/{token}.json', () => {
  test('removes the address, and makes the oldest remaining one the default if it was the default', async () => {
    const shop = await service.openShop()
    const { token, addresses } = await aCustomer(shop, { addresses: [{ city: 'A' }, { city: 'B' }, { city: 'C' }] })
    const [a, b, c] = addresses
    await shop.put(pathTo(token, `/${c.id}/default`))
    const answer = await shop.delete(pathTo(token, `/${c.id}`))
    assert.deepEqual([answer.status, answer.body], [200, {}])
    assert.deepEqual(await cities(shop, token), ['A*', 'B'])
    await shop.delete(pathTo(token, `/${b.id}`))
    assert.deepEqual(await cities(shop, token), ['A*'])
    await shop.delete(pathTo(token, `/${a.id}`))
    assert.deepEqual(await cities(shop, token), [])
    assert.equal((await shop.delete(pathTo(token, `/${a.id}`))).status, 404)
  })
})

describe('an address', () => {
  test('is 404 under another customer, and for an id that is not a number', async () => {
    const shop = await service.openShop()
    const { addresses } = await aCustomer(shop, { addresses: [{ city: 'A' }] })
    const other = await aCustomer(shop, { addresses: [{ city: 'B' }] })
    for (const id of [addresses[0].id, 0, 'x', `0${other.addresses[0].id}`, '__proto__']) {
      for (const answer of [
        await shop.get(pathTo(other.token, `/${id}`)),
        await shop.put(pathTo(other.token, `/${id}`), { address: { city: 'Stolen' } }),
        await shop.put(pathTo(other.token, `/${id}/default`)),
        await shop.delete(pathTo(other.token, `/${id}`)),
      ])
        assert.deepEqual([answer.status, answer.body.code], [404, 'not_found'], String(id))
    }
    assert.deepEqual(await cities(shop, other.token), ['B*'])
  })

  // The rules in the code and in the database are written twice.
  test('is the only default after any writes', async () => {
    const shop = await service.openShop()
    const { id: customerId } = await aCustomer(shop, { addresses: [{ city: 'A' }, { city: 'B' }] })
    for (const flags of [
      [true, true],
      [false, false],
    ]) {
      const addresses = JSON.stringify(flags.map((isDefault, id) => ({ id, default: isDefault })))
      await assert.rejects(
        service.db.updateTable('customer_relations').set({ addresses }).where('customer_id', '=', customerId).execute(),
        /customer_relations_default_address/,
      )
    }
  })
})
