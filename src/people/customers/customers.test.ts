import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { aCustomer, anEmail, CUSTOMER_PASSWORD, readCustomer } from '#test/customers.ts'
import { type Shop, useService } from '#test/harness.ts'

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

function create(shop: Shop, attributes: object) {
  return shop.post('/api/customers.json', {
    customer: { email: anEmail(), password: CUSTOMER_PASSWORD, ...attributes },
  })
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

async function idsOf(shop: Shop, path: string): Promise<number[]> {
  const answer = await shop.get(path)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.customers.map(({ id }: { id: number }) => id)
}

describe('POST /api/customers.json', () => {
  test('creates a customer with every field, and returns it', async () => {
    const shop = await service.openShop()
    const email = anEmail()
    const body = {
      email,
      password: CUSTOMER_PASSWORD,
      password_confirmation: CUSTOMER_PASSWORD,
      first_name: 'Jané',
      last_name: 'Roe',
      language: 'DE',
      note: 'Calls <b>often</b>',
      addresses: [ADDRESS, { city: 'Hamburg' }],
    }
    const answer = await create(shop, body)
    assert.equal(answer.status, 201, answer.text)
    const { id, token, created_at, updated_at, addresses, default_address, ...rest } = answer.body.customer
    assert.match(token, /^[A-Z]{16}$/)
    assert.match(created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/)
    assert.equal(updated_at, created_at)
    assert.deepEqual(rest, {
      email,
      first_name: 'Jané',
      last_name: 'Roe',
      language: 'de',
      orders_count: 0,
      total_spent: 0,
      last_order_id: 0,
      last_order_name: '',
      note: 'Calls <b>often</b>',
      state: 'enabled',
      verified_email: false,
    })
    const [first, second] = addresses
    const derived = {
      id: first.id,
      name: 'Jané Roe',
      country: 'Germany',
      country_name: 'Germany',
      token,
      default: true,
    }
    assert.deepEqual(first, { ...ADDRESS, ...derived })
    assert.deepEqual([second.city, second.default, second.token], ['Hamburg', false, token])
    assert.deepEqual(default_address, first)
    assert.deepEqual(await readCustomer(shop, id), answer.body.customer)
    const data = { type: 'customer', id: String(id), token }
    assert.deepEqual(await eventsOf(shop), [{ topic: 'customer/create', data }])
  })

  test('needs an email address and a password, and nothing else', async () => {
    const shop = await service.openShop()
    const customer = await aCustomer(shop)
    const { first_name, last_name, language, default_address, addresses } = customer
    const blank = { first_name: '', last_name: '', language: 'en', default_address: null, addresses: [] }
    assert.deepEqual({ first_name, last_name, language, default_address, addresses }, blank)
    const nothing = await shop.post('/api/customers.json', { customer: {} })
    assert.equal(nothing.status, 422)
    assert.deepEqual(Object.keys(nothing.body.errors).sort(), ['email', 'password'])
    assert.equal((await shop.post('/api/customers.json', { email: anEmail() })).status, 400)
  })

  test('uses the language of the company if the body has none', async () => {
    const shop = await service.openShop()
    await shop.put(`/api/companies/${shop.companyId}.json`, { company: { language: 'de' } })
    assert.equal((await aCustomer(shop)).language, 'de')
  })

  test('refuses invalid values, and names the field', async () => {
    const shop = await service.openShop()
    const refused: [object, string][] = [
      [{ email: 'nobody' }, 'email'],
      [{ email: 'Jane <jane@example.com>' }, 'email'],
      [{ email: `${'x'.repeat(90)}@example.com` }, 'email'],
      [{ email: ['a@example.com', 'b@example.com'] }, 'email'],
      [{ password: 'short' }, 'password'],
      [{ password: 'x'.repeat(65) }, 'password'],
      [{ password: null }, 'password'],
      [{ password_confirmation: 'another password' }, 'password_confirmation'],
      [{ first_name: 'x'.repeat(101) }, 'first_name'],
      [{ last_name: 'a\0b' }, 'last_name'],
      [{ note: '\ud800' }, 'note'],
      [{ note: 'x'.repeat(5001) }, 'note'],
      [{ language: 'deu' }, 'language'],
      [{ language: true }, 'language'],
      [{ addresses: {} }, 'addresses'],
      [{ addresses: Array(101).fill({}) }, 'addresses'],
      [{ addresses: [{}, { country: 'Atlantis' }] }, 'addresses[1].country'],
      [{ addresses: [{ zip: 'x'.repeat(51) }] }, 'addresses[0].zip'],
      [{ addresses: [{ city: { name: 'Berlin' } }] }, 'addresses[0].city'],
      [{ addresses: [{ name: 'x'.repeat(150) }] }, 'addresses[0].name'],
      [{ addresses: [{ city: 'a\0b' }] }, 'addresses[0].city'],
    ]
    for (const [attributes, field] of refused) {
      const answer = await create(shop, attributes)
      assert.equal(answer.status, 422, `${JSON.stringify(attributes).slice(0, 100)}: ${answer.text}`)
      assert.ok(field in answer.body.errors, `${field}: ${answer.text}`)
    }
    assert.deepEqual((await shop.get('/api/customers/count.json')).body, { count: 0 })
    assert.equal((await shop.get('/api/customers.json')).body.customers.length, 0)
  })

  test('ignores read-only and unknown fields', async () => {
    const shop = await service.openShop()
    const sent = { id: 7, token: 'A'.repeat(16), state: 'disabled', verified_email: true, orders_count: 9 }
    const more = { total_spent: 5, last_order_id: 3, created_at: 'then', default_address: { city: 'Rome' }, odd: 1 }
    const customer = await aCustomer(shop, { ...sent, ...more })
    assert.notEqual(customer.token, sent.token)
    assert.deepEqual([customer.state, customer.verified_email, customer.orders_count], ['enabled', false, 0])
    assert.deepEqual([customer.total_spent, customer.last_order_id, customer.addresses], [0, 0, []])
  })

  test('refuses a customer that the company has already, in any case', async () => {
    const shop = await service.openShop()
    const { email } = await aCustomer(shop)
    const answer = await create(shop, { email: email.toUpperCase() })
    assert.equal(answer.status, 422)
    assert.deepEqual(answer.body.errors, { email: ['is the address of a customer already'] })
    assert.deepEqual((await shop.get('/api/customers/count.json')).body, { count: 1 })
  })

  test('creates one customer for one Idempotency-Key', async () => {
    const shop = await service.openShop()
    const customer = { email: anEmail(), password: CUSTOMER_PASSWORD }
    const first = await shop.post('/api/customers.json', { customer }, { 'idempotency-key': 'once' })
    assert.equal(first.status, 201, first.text)
    for (let times = 0; times < 8; times += 1) {
      const again = await shop.post('/api/customers.json', { customer }, { 'idempotency-key': 'once' })
      assert.deepEqual([again.status, again.text], [201, first.text])
      assert.equal(again.headers.get('idempotent-replayed'), 'true')
    }
  })
})

describe('GET /api/customers/{token}.json', () => {
  test('finds a customer by token in any case and by id, and nothing else', async () => {
    const shop = await service.openShop()
    const customer = await aCustomer(shop)
    for (const ref of [customer.token, customer.token.toLowerCase(), customer.id])
      assert.deepEqual(await readCustomer(shop, ref), customer)
    const refs = ['1', '0', '-1', '999999999999999999999', 'ABCDEFGHIJKLMNOP', 'x', '%00', encodeURIComponent('ä')]
    for (const ref of refs) {
      const answer = await shop.get(`/api/customers/${ref === '1' ? customer.id + 1000 : ref}.json`)
      assert.deepEqual([answer.status, answer.body.code], [404, 'not_found'], ref)
    }
  })

  test('returns only the requested fields', async () => {
    const shop = await service.openShop()
    const { token } = await aCustomer(shop)
    const { body } = await shop.get(`/api/customers/${token}.json?fields=token,note`)
    assert.deepEqual(body, { customer: { token, note: '' } })
  })
})

describe('GET /api/customers.json', () => {
  test('lists the customers of the company by id, in pages if requested', async () => {
    const shop = await service.openShop()
    const stranger = await service.openShop()
    const ids: number[] = []
    for (let count = 0; count < 5; count += 1) {
      ids.push((await aCustomer(shop)).id)
      if (count < 2) await aCustomer(stranger)
    }
    assert.deepEqual(await idsOf(shop, '/api/customers.json'), ids)
    const page = await shop.get('/api/customers.json?limit=2&fields=id')
    assert.deepEqual(page.body.customers, [{ id: ids[0] }, { id: ids[1] }])
    const [, next = ''] = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '') ?? []
    assert.deepEqual(await idsOf(shop, next.replace(service.url, '')), ids.slice(2, 4))
    assert.deepEqual(await idsOf(shop, '/api/customers.json?page=3&limit=2'), ids.slice(4))
    assert.deepEqual(await idsOf(shop, `/api/customers.json?since_id=${ids[2]}`), ids.slice(3))
    assert.deepEqual((await shop.get('/api/customers/count.json')).body, { count: 5 })
    assert.deepEqual((await shop.get(`/api/customers/count.json?since_id=${ids[2]}`)).body, { count: 2 })
    assert.equal((await stranger.get('/api/customers.json')).body.customers.length, 2)
  })

  test('filters by the time of the last change', async () => {
    const shop = await service.openShop()
    const first = await aCustomer(shop)
    const second = await aCustomer(shop)
    service.clock.advance(60)
    const put = await shop.put(`/api/customers/${second.token}.json`, { customer: { note: 'Changed' } })
    const since = put.body.customer.updated_at
    assert.ok(since > second.updated_at)
    assert.deepEqual(await idsOf(shop, `/api/customers.json?updated_at_min=${since}`), [second.id])
    assert.deepEqual(await idsOf(shop, `/api/customers.json?updated_at_min=${first.updated_at}Z`), [
      first.id,
      second.id,
    ])
    assert.deepEqual((await shop.get(`/api/customers/count.json?updated_at_min=${since}`)).body, { count: 1 })
    assert.equal((await shop.get('/api/customers.json?updated_at_min=yesterday')).status, 422)
  })
})

describe('GET /api/customers/search.json', () => {
  const search = (query: string) => `/api/customers/search.json?query=${encodeURIComponent(query)}`

  test('finds only own customers, by email address, token and names, in any case', async () => {
    const shop = await service.openShop()
    const stranger = await service.openShop()
    const jane = await aCustomer(shop, { first_name: 'Jané', last_name: 'van der Roe' })
    const june = await aCustomer(shop, { first_name: 'June', last_name: 'VAN DER ROE' })
    const asked: [string, number[]][] = [
      [`email:${jane.email.toLowerCase()}`, [jane.id]],
      [` email : ${jane.email.toUpperCase()} `, [jane.id]],
      [`token:${june.token.toLowerCase()}`, [june.id]],
      ['first_name:JANÉ', [jane.id]],
      ['last_name:Van Der Roe', [jane.id, june.id]],
      ['last_name:Roe', []],
      [`email:${anEmail()}`, []],
    ]
    for (const [query, ids] of asked) {
      assert.deepEqual(await idsOf(shop, search(query)), ids, query)
      assert.deepEqual(await idsOf(stranger, search(query)), [], query)
    }
    assert.deepEqual(await idsOf(shop, `${search('last_name:van der roe')}&limit=1&page=2`), [june.id])
  })

  test('refuses an invalid search', async () => {
    const shop = await service.openShop()
    for (const query of ['', 'jane', 'email:', 'password:x', 'note:x', 'constructor:x', 'email:a\0b', ':'])
      assert.equal((await shop.get(search(query))).status, 422, query)
    assert.equal((await shop.get('/api/customers/search.json')).status, 422)
  })
})

describe('the scope', () => {
  test('is customers', async () => {
    const shop = await service.openShop()
    const { token } = await aCustomer(shop)
    const other = await shop.withScopes('orders', 'products', 'users')
    for (const path of ['', '/count', '/search', `/${token}`, `/${token}/addresses`])
      assert.equal((await other.get(`/api/customers${path}.json`)).status, 403, path)
  })
})
