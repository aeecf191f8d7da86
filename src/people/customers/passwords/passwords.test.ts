import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { verifyPassword } from '#platform/identity/crypto.ts'
import { aCustomer, anEmail, CUSTOMER_PASSWORD, readCustomer, shareCustomer } from '#test/customers.ts'
import { type Answer, type Shop, useService } from '#test/harness.ts'
import { aFilm, anOrder } from '#test/orders.ts'
import { COMPANY_CHECKS } from './rules.ts'

const service = useService()
// Waits of a second would be over before the next request on a slow machine.
before(() => service.clock.stop())

function check(shop: Shop, email: string, password: string, more = ''): Promise<Answer> {
  return shop.get(`/api/customers.json?${new URLSearchParams({ email, password })}${more}`)
}

const create = (shop: Shop, customer: object) => shop.post('/api/customers.json', { customer })

const put = (shop: Shop, ref: string | number, customer: object) => shop.put(`/api/customers/${ref}.json`, { customer })

async function nameOf(shop: Shop): Promise<string> {
  return (await shop.get('/api/companies.json')).body.company.company_name
}

async function passwordHash(token: string): Promise<string | null | undefined> {
  const row = await service.db
    .selectFrom('customers')
    .select('password_hash')
    .where('token', '=', token)
    .executeTakeFirst()
  return row?.password_hash
}

async function setOrders(shop: Shop, id: number, orders_count: number): Promise<void> {
  await service.db
    .updateTable('customer_relations')
    .set({ orders_count })
    .where('company_id', '=', shop.companyId)
    .where('customer_id', '=', id)
    .execute()
}

describe('GET /api/customers.json with email and password', () => {
  test('returns the customer if both match, in any case of the address', async () => {
    const shop = await service.openShop()
    const customer = await aCustomer(shop, { note: 'Ours', addresses: [{ city: 'Rome' }] })
    const answer = await check(shop, customer.email.toUpperCase(), CUSTOMER_PASSWORD)
    assert.deepEqual([answer.status, answer.body], [200, { customer }])
    assert.equal(answer.headers.get('cache-control'), 'no-store')
    const cut = await check(shop, customer.email, CUSTOMER_PASSWORD, '&fields=token')
    assert.deepEqual(cut.body, { customer: { token: customer.token } })
  })

  test('returns {} for an unknown customer', async () => {
    const shop = await service.openShop()
    for (const email of [anEmail(), 'nobody', '%', 'a\0b'])
      assert.deepEqual((await check(shop, email, CUSTOMER_PASSWORD)).text, '{}', email)
  })

  test('reports a wrong password, with the companies that have sold to the customer and no others', async () => {
    const [shop, other, stranger] = [await service.openShop(), await service.openShop(), await service.openShop()]
    const customer = await aCustomer(shop)
    await shareCustomer(other, customer)
    const wrong = { error: 'Customer found but password does not match.', error_code: -1 }
    const answer = await check(stranger, customer.email, 'another password')
    assert.deepEqual([answer.status, answer.body], [200, { ...wrong, companies: [] }])
    await setOrders(other, customer.id, 2)
    assert.deepEqual((await check(shop, customer.email, `${CUSTOMER_PASSWORD} `)).body, {
      ...wrong,
      companies: [await nameOf(other)],
    })
  })

  test('names the companies with orders that count', async () => {
    const [shop, other, third] = [await service.openShop(), await service.openShop(), await service.openShop()]
    const customer = await aCustomer(shop)
    await shareCustomer(other, customer)
    await shareCustomer(third, customer)
    const companies = async () => (await check(third, customer.email, 'another password')).body.companies
    const film = await aFilm(service, other)
    const { id } = await anOrder(other, customer, [film])
    assert.deepEqual(await companies(), [await nameOf(other)])
    await anOrder(shop, customer, [await aFilm(service, shop)])
    assert.deepEqual(await companies(), [await nameOf(shop), await nameOf(other)])
    assert.equal((await other.delete(`/api/orders/${id}.json`)).status, 200)
    assert.deepEqual(await companies(), [await nameOf(shop)])
  })

  test('shows only the account of a customer whom the company does not know yet', async () => {
    const shop = await service.openShop()
    const stranger = await service.openShop()
    const customer = await aCustomer(shop, {
      note: 'Ours',
      first_name: 'Jane',
      last_name: 'Roe',
      addresses: [{ city: 'Rome' }],
    })
    await setOrders(shop, customer.id, 3)
    const { body } = await check(stranger, customer.email, CUSTOMER_PASSWORD)
    const blank = { first_name: '', last_name: '', note: '', orders_count: 0, addresses: [], default_address: null }
    assert.deepEqual(body, { customer: { ...customer, ...blank } })
    assert.equal((await stranger.get(`/api/customers/${customer.token}.json`)).status, 404)
    assert.deepEqual((await stranger.get('/api/customers.json')).body, { customers: [] })
  })

  test('needs both', async () => {
    const shop = await service.openShop()
    for (const query of ['email=a@example.com', 'password=x', 'email=&password=x', 'email=a@example.com&password='])
      assert.equal((await shop.get(`/api/customers.json?${query}`)).status, 422, query)
  })

  test('no password matches a customer without a password', async () => {
    const shop = await service.openShop()
    const { token, email } = await aCustomer(shop)
    await service.db.updateTable('customers').set({ password_hash: null }).where('token', '=', token).execute()
    for (const password of ['null', CUSTOMER_PASSWORD, ' '])
      assert.equal((await check(shop, email, password)).body.error_code, -1)
  })

  test('leaves no password and no address in the log', async () => {
    const shop = await service.openShop()
    const { email } = await aCustomer(shop)
    await check(shop, email, 'wrong password to look for')
    const log = service.log.join('')
    assert.ok(log.includes('/api/customers.json?email='))
    for (const text of ['wrong+password', 'wrong password', email, encodeURIComponent(email), CUSTOMER_PASSWORD])
      assert.ok(!log.includes(text), text)
  })
})

describe('the limits of checks', () => {
  /** The statuses of several checks in sequence. */
  async function statuses(shop: Shop, times: number, email: () => string, password = 'wrong password') {
    const seen: Answer[] = []
    for (let count = 0; count < times; count += 1) seen.push(await check(shop, email(), password))
    return seen.map(({ status }) => status)
  }

  /** Checks wrong passwords for an address until the next check has to wait for half a minute. */
  async function exhaust(shop: Shop, email: string): Promise<void> {
    for (let count = 0; count < 10; count += 1) {
      service.clock.advance(32)
      assert.equal((await check(shop, email, `wrong password ${count}`)).status, 200)
    }
  }

  /** Makes a company wait, as it does after many wrong passwords for many customers. */
  async function block(shop: Shop, window: number): Promise<void> {
    const waits = {
      failures: COMPANY_CHECKS.free + 5,
      failed_at: service.clock.now(),
      blocked_until: new Date(service.clock.now().getTime() + 60_000),
    }
    await service.db
      .insertInto('attempt_limits')
      .values({ key: `customers of ${shop.companyId} ${window}`, ...waits })
      .onConflict((conflict) => conflict.column('key').doUpdateSet(waits))
      .execute()
  }

  /** Moves the clock to the middle of a window, so that it does not end during the test, and returns its number. */
  function intoWindow(): number {
    const seconds = Math.floor(service.clock.now().getTime() / 1000)
    service.clock.advance(600 - (seconds % 600) + 10)
    return Math.floor(service.clock.now().getTime() / 600_000)
  }

  // Clients look every buyer up before they place an order.
  test('do not count an unknown address', async () => {
    const shop = await service.openShop()
    const nobody = anEmail()
    for (let count = 0; count < 12; count += 1)
      assert.equal((await check(shop, nobody, `wrong password ${count}`)).text, '{}')
    assert.equal((await create(shop, { email: nobody, password: CUSTOMER_PASSWORD })).status, 201)
  })

  // Some clients send a fixed password to find out whether an address is known.
  test('do not count the same wrong password again', async () => {
    const shop = await service.openShop()
    const { email } = await aCustomer(shop)
    assert.deepEqual(await statuses(shop, 12, () => email), Array(12).fill(200))
    assert.equal((await check(shop, email, 'another wrong one')).status, 200)
    assert.deepEqual(await statuses(shop, 12, () => email.toUpperCase()), Array(12).fill(200))
    assert.equal((await check(shop, email, CUSTOMER_PASSWORD)).status, 200)
  })

  test('count different wrong passwords, and then hold up the right one too', async () => {
    const shop = await service.openShop()
    const { email } = await aCustomer(shop)
    await exhaust(shop, email)
    const refused = await check(shop, email, 'x')
    assert.deepEqual([refused.status, refused.body.code], [429, 'rate_limited'])
    assert.match(refused.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
    assert.equal((await check(shop, email, CUSTOMER_PASSWORD)).status, 429)
    service.clock.advance(900)
    assert.equal((await check(shop, email, CUSTOMER_PASSWORD)).status, 200)
  })

  // Otherwise any company could lock the customers of all others out.
  test('apply to an address for one company only', async () => {
    const shop = await service.openShop()
    const other = await service.openShop()
    const { email } = await aCustomer(shop)
    await exhaust(other, email.toUpperCase())
    assert.equal((await check(other, email, CUSTOMER_PASSWORD)).status, 429)
    assert.equal((await create(other, { email, password: CUSTOMER_PASSWORD })).status, 429)
    assert.equal((await check(shop, email, CUSTOMER_PASSWORD)).status, 200)
  })

  test('never refuse an order of a new customer, or one that needs no password', async () => {
    const shop = await service.openShop()
    const { email, token } = await aCustomer(shop)
    const film = await aFilm(service, shop)
    await block(shop, intoWindow())
    const line_items = [{ product_id: film.product_id }]
    const order = (customer: object) => shop.post('/api/orders.json', { order: { line_items, ...customer } })
    const created = [
      await order({ customer: { email: anEmail(), password: CUSTOMER_PASSWORD } }),
      await order({ customer: { email } }),
      await order({ customer_token: token }),
    ]
    for (const { status, text } of created) assert.equal(status, 201, text)
    assert.equal((await order({ customer: { email, password: CUSTOMER_PASSWORD } })).status, 429)
  })

  test('apply to a company for all addresses, and leave others and other requests alone', async () => {
    const shop = await service.openShop()
    const other = await service.openShop()
    const window = intoWindow()
    const { email, token } = await aCustomer(shop)
    const { token: theirs } = await aCustomer(other)
    const third = await aCustomer(other)
    await block(shop, window)
    assert.equal((await check(shop, email, CUSTOMER_PASSWORD)).status, 429)
    assert.equal((await create(shop, { email: third.email, password: CUSTOMER_PASSWORD })).status, 429)
    assert.equal((await create(shop, { email: anEmail(), password: CUSTOMER_PASSWORD })).status, 201)
    const taken = await put(shop, token, { email: anEmail() })
    assert.deepEqual([taken.status, taken.headers.has('retry-after')], [429, true])
    assert.equal((await put(shop, token, { email, note: 'No question' })).status, 200)
    assert.equal((await shop.get('/api/customers.json')).status, 200)
    assert.deepEqual(await statuses(other, 2, anEmail), [200, 200])
    assert.equal((await put(other, theirs, { email: anEmail() })).status, 200)
    service.clock.advance(601)
    assert.equal((await check(shop, email, CUSTOMER_PASSWORD)).status, 200)
  })

  test('count what a POST and a PUT reveal about an address, but not what was right', async () => {
    const shop = await service.openShop()
    const other = await service.openShop()
    const window = intoWindow()
    const failures = async () => {
      const key = `customers of ${other.companyId} ${window}`
      const row = await service.db.selectFrom('attempt_limits').selectAll().where('key', '=', key).executeTakeFirst()
      return row?.failures ?? 0
    }
    const { email } = await aCustomer(shop)
    const own = await aCustomer(other)
    assert.equal(await failures(), 0)
    assert.equal((await create(other, { email, password: 'another password' })).status, 422)
    assert.equal(await failures(), 1)
    assert.equal((await put(other, own.token, { email })).status, 422)
    assert.equal(await failures(), 2)
    assert.equal((await put(other, own.token, { email: anEmail() })).status, 200)
    assert.equal((await create(other, { email, password: CUSTOMER_PASSWORD })).status, 201)
    assert.equal((await check(other, email, CUSTOMER_PASSWORD)).status, 200)
    assert.equal(await failures(), 2)
    assert.equal((await check(other, anEmail(), CUSTOMER_PASSWORD)).text, '{}')
    assert.equal(await failures(), 2, 'an unknown address does not count')
    assert.equal((await check(other, email, 'another password')).status, 200)
    assert.equal(await failures(), 3, 'the right password cleared what was tried before')
    assert.equal((await check(other, email, 'another password')).status, 200)
    assert.equal(await failures(), 3, 'nor does the same password again')
  })
})

describe('a customer of another company', () => {
  test('becomes known with the right password, as the company describes it', async () => {
    const shop = await service.openShop()
    const other = await service.openShop()
    const customer = await aCustomer(shop, { first_name: 'Jane', note: 'Ours', addresses: [{ city: 'Rome' }] })
    service.clock.advance(5)
    const addresses = [{ city: 'Rome' }, { city: 'Oslo', default: true }]
    const body = { email: customer.email.toUpperCase(), password: CUSTOMER_PASSWORD, addresses }
    const answer = await create(other, { ...body, first_name: 'Janet', last_name: 'Roe', language: 'fr', note: 'New' })
    assert.equal(answer.status, 201, answer.text)
    const { id, token, email, first_name, last_name, language, note, created_at } = answer.body.customer
    assert.deepEqual([id, token, email], [customer.id, customer.token, customer.email])
    assert.deepEqual([first_name, last_name, language, note], ['Janet', 'Roe', 'en', 'New'])
    assert.ok(created_at > customer.created_at)
    const seen = answer.body.customer.addresses.map((entry: Record<string, unknown>) => [entry.city, entry.default])
    assert.deepEqual(seen, [
      ['Rome', false],
      ['Oslo', true],
    ])
    assert.deepEqual(await readCustomer(shop, customer.token), customer)
    const topics = async ({ companyId }: Shop) =>
      (
        await service.db
          .selectFrom('events')
          .select('topic')
          .where('company_id', '=', companyId)
          .orderBy('id')
          .execute()
      ).map(({ topic }) => topic)
    assert.deepEqual(await topics(shop), ['customer/create'])
    assert.deepEqual(await topics(other), ['customer/create'])
  })

  test('stays unknown with a wrong password, and the answer reveals no more than a check', async () => {
    const shop = await service.openShop()
    const other = await service.openShop()
    const customer = await aCustomer(shop, { last_name: 'Secretive' })
    const answer = await create(other, { email: customer.email, password: 'another password' })
    assert.equal(answer.status, 422)
    assert.deepEqual(answer.body.errors, {
      password: ['is not the one of the customer with this email address'],
    })
    assert.ok(!answer.text.includes('Secretive'))
    assert.deepEqual((await other.get('/api/customers/count.json')).body, { count: 0 })
  })
})

describe('a change of email address or password', () => {
  test('is allowed to the only company that knows the customer', async () => {
    const shop = await service.openShop()
    const other = await service.openShop()
    const { token, email } = await aCustomer(shop)
    const changed = 'a new password, 123'
    const both = { password: changed, password_confirmation: changed }
    assert.equal((await put(shop, token, both)).status, 200)
    assert.equal((await check(shop, email, CUSTOMER_PASSWORD)).body.error_code, -1)
    assert.equal((await check(shop, email, changed)).body.customer.token, token)
    await aCustomer(other, { email, password: changed })
    const before = await passwordHash(token)
    for (const [customer, what] of [
      [{ email: anEmail() }, 'email address'],
      [both, 'password'],
    ] as const) {
      const answer = await put(shop, token, { ...customer, first_name: 'Taken over' })
      assert.equal(answer.status, 409)
      assert.equal(answer.body.code, 'conflict')
      assert.match(answer.body.error, new RegExp(`only the customer can change the ${what}\\.$`))
    }
    const seen = await readCustomer(other, token)
    assert.deepEqual([seen.email, seen.first_name], [email, ''])
    assert.equal(await passwordHash(token), before)
    // A client may send back what it read, and change other fields.
    assert.equal((await put(shop, token, { ...seen, email: email.toLowerCase(), first_name: 'Jane' })).status, 200)
    await other.delete(`/api/customers/${token}.json`)
    assert.equal((await put(shop, token, { email: anEmail() })).status, 200)
  })

  test('requires a valid password', async () => {
    const shop = await service.openShop()
    const { token } = await aCustomer(shop)
    const before = await passwordHash(token)
    const refused: [object, string][] = [
      [{ password: '' }, 'password'],
      [{ password: 'short' }, 'password'],
      [{ password: '🎬'.repeat(65) }, 'password'],
      [{ password: 'long enough', password_confirmation: 'long enough!' }, 'password_confirmation'],
      [{ password_confirmation: 'long enough' }, 'password'],
    ]
    for (const [body, field] of refused) {
      const answer = await put(shop, token, body)
      assert.equal(answer.status, 422, JSON.stringify(body))
      assert.deepEqual(Object.keys(answer.body.errors), [field])
    }
    assert.equal(await passwordHash(token), before)
    const longest = '🎬'.repeat(64)
    assert.equal((await put(shop, token, { password: longest })).status, 200)
    assert.ok(await verifyPassword(longest, await passwordHash(token)))
    assert.match((await passwordHash(token)) ?? '', /^\$argon2id\$/)
  })

  // Kept answers store a fast hash of the request; it has a key, because a password could be guessed from a plain one.
  test('counts for the key of a request, and is stored in no fast hash that a reader of the database could use', async () => {
    const shop = await service.openShop()
    const customer = { email: anEmail(), password: CUSTOMER_PASSWORD }
    const post = (changed: object) =>
      shop.post('/api/customers.json', { customer: { ...customer, ...changed } }, { 'idempotency-key': 'trace' })
    const made = await post({})
    assert.equal(made.status, 201)
    assert.equal((await post({})).text, made.text)
    assert.equal((await post({ password: 'another password' })).status, 422)
    assert.equal((await post({ note: 'Another customer' })).status, 422)
  })

  test('resets the verification of the address', async () => {
    const shop = await service.openShop()
    const { token } = await aCustomer(shop)
    await service.db.updateTable('customers').set({ verified_email: true }).where('token', '=', token).execute()
    assert.equal((await put(shop, token, { note: 'x' })).body.customer.verified_email, true)
    assert.equal((await put(shop, token, { email: anEmail() })).body.customer.verified_email, false)
  })
})
