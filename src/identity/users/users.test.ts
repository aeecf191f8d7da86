import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { assertBlames, type Wire } from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'
import { anInvitedUser, aUser, auditOf, readUser } from '#test/users.ts'

const service = useService()

const ALL = {
  request_products: 1,
  request_keyfile: 1,
  request_rescue_code: 1,
  request_beta_code: 1,
  create_users: 1,
  web_access: 1,
  accounting: 1,
  unlock: 1,
  RepAccounting: 1,
}

const pathOf = ({ userId }: Shop) => `/api/users/${userId}.json`
const idsOf = (list: { id: number }[]) => list.map(({ id }) => id)

async function put(shop: Shop, user: object): Promise<Wire> {
  const answer = await shop.put(pathOf(shop), { user })
  assert.equal(answer.status, 200, answer.text)
  assert.deepEqual(await readUser(shop, shop.userId), answer.body.user)
  return answer.body.user
}

const TEXTS = { first_name: 'Jäne 📚', last_name: '<b>Roe</b>', note: 'Knows\nthe "shop"', language: 'de' }

const ADDRESS = {
  first_name: 'Jane',
  last_name: 'Roe',
  company: 'Books & Co',
  address1: 'Main Street 1',
  address2: 'Back door',
  city: 'Köln',
  zip: '50667',
  province: 'Nordrhein-Westfalen',
  province_code: 'NW',
  country_code: 'DE',
  phone: '+49 221 5550100',
  language: 'de',
  password_option: '2',
}

describe('a user', () => {
  test('shows every field of the API', async () => {
    const shop = await service.openShop()
    const { email, token, created_at, updated_at, ...rest } = await readUser(shop, shop.userId)
    assert.match(email, /^\w+@example\.com$/)
    assert.match(token, /^[A-Z]{16}$/)
    assert.match(created_at, /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/)
    assert.equal(updated_at, created_at)
    assert.deepEqual(rest, {
      id: shop.userId,
      company_id: shop.companyId,
      first_name: '',
      last_name: '',
      language: 'en',
      note: '',
      state: 'enabled',
      time_zone: 0,
      valid: true,
      verified_email: false,
      default_address: null,
      permissions: ALL,
    })
  })

  test('is found by its id and by its token in any case, and can be reduced to fields', async () => {
    const shop = await service.openShop()
    const user = await readUser(shop, shop.userId)
    assert.deepEqual(await readUser(shop, user.token), user)
    assert.deepEqual(await readUser(shop, user.token.toLowerCase()), user)
    const { body } = await shop.get(`/api/users/${user.token}.json?fields=id,permissions,nothing`)
    assert.deepEqual(body, { user: { id: shop.userId, permissions: ALL } })
  })

  test('answers 304 until it changes', async () => {
    const shop = await service.openShop()
    const etag = (await shop.get(pathOf(shop))).headers.get('etag') ?? ''
    const again = () => shop.get(pathOf(shop), undefined, { 'if-none-match': etag })
    assert.equal((await again()).status, 304)
    await put(shop, { note: 'New' })
    assert.equal((await again()).status, 200)
  })

  test('is 404 if it is unknown or of another company, by id and by token', async () => {
    const [shop, stranger] = [await service.openShop(), await service.openShop()]
    const { token } = await readUser(stranger, stranger.userId)
    const none = ['A'.repeat(16), 'A'.repeat(17), 0, -1, '1.5', '%00', '9223372036854775808', `${shop.userId}x`]
    for (const ref of [token, token.toLowerCase(), stranger.userId, ...none]) {
      const path = `/api/users/${ref}.json`
      for (const answer of [await shop.get(path), await shop.put(path, { user: { note: 'X' } })])
        assert.deepEqual([answer.status, answer.body.code], [404, 'not_found'], path)
    }
    assert.equal((await readUser(stranger, token)).note, '')
  })
})

describe('PUT /api/users/{token}.json', () => {
  test('changes each field alone and leaves every other as it was', async () => {
    const shop = await service.openShop()
    let before = await readUser(shop, shop.userId)
    for (const [name, value] of Object.entries({ ...TEXTS, time_zone: -840 })) {
      const after = await put(shop, { [name]: value })
      assert.deepEqual(after, { ...before, [name]: value, updated_at: after.updated_at })
      assert.notDeepEqual(after[name], before[name], name)
      before = after
    }
    for (const flag of Object.keys(ALL).filter((name) => name !== 'create_users' && name !== 'web_access')) {
      const after = await put(shop, { permissions: { [flag]: 0 } })
      assert.deepEqual(after.permissions, { ...before.permissions, [flag]: 0 })
      before = after
    }
  })

  test('changes only the time when a whole user is sent back, and writes no audit entry', async () => {
    const shop = await service.openShop()
    const before = await put(shop, { ...TEXTS, time_zone: 330, default_address: ADDRESS })
    const told = (await auditOf(service, shop)).length
    service.clock.advance(5)
    const after = await put(shop, before)
    assert.ok(after.updated_at > before.updated_at)
    assert.deepEqual(after, { ...before, updated_at: after.updated_at })
    assert.equal((await auditOf(service, shop)).length, told)
  })

  test('empties a text, leaves it alone by null, and accepts numbers as text', async () => {
    const shop = await service.openShop()
    await put(shop, TEXTS)
    const emptied = await put(shop, { first_name: '', last_name: null, note: '' })
    assert.deepEqual([emptied.first_name, emptied.last_name, emptied.note], ['', TEXTS.last_name, ''])
    const permissions = { accounting: '0', unlock: 0, web_access: null }
    const after = await put(shop, { time_zone: '120', language: 'FR', first_name: 7, permissions })
    assert.deepEqual([after.time_zone, after.language, after.first_name], [120, 'fr', '7'])
    assert.deepEqual(after.permissions, { ...ALL, accounting: 0, unlock: 0 })
  })

  test('ignores read-only and unknown fields', async () => {
    const shop = await service.openShop()
    const before = await readUser(shop, shop.userId)
    const after = await put(shop, {
      id: 1,
      company_id: 1,
      token: 'A'.repeat(16),
      created_at: '2001-01-01T00:00:00',
      updated_at: '2001-01-01T00:00:00',
      valid: false,
      verified_email: true,
      password: 'a new password',
      password_hash: 'x',
      document: '{}',
      colour: 'red',
      permissions: { everything: 1 },
    })
    assert.deepEqual({ ...after, updated_at: before.updated_at }, before)
  })

  const WRONG: [string, object][] = [
    ['first_name', { first_name: 'x'.repeat(101) }],
    ['last_name', { last_name: 'x'.repeat(101) }],
    ['note', { note: 'x'.repeat(5001) }],
    ['first_name', { first_name: 'x\0' }],
    ['note', { note: '\ud800' }],
    ['last_name', { last_name: {} }],
    ['language', { language: 'english' }],
    ['language', { language: '' }],
    ['time_zone', { time_zone: 841 }],
    ['time_zone', { time_zone: -841 }],
    ['time_zone', { time_zone: 1.5 }],
    ['time_zone', { time_zone: 'noon' }],
    ['state', { state: 'deleted' }],
    ['state', { state: '' }],
    ['email', { email: 'jane' }],
    ['email', { email: '' }],
    ['permissions', { permissions: 'all' }],
    ['permissions', { permissions: '' }],
    ['permissions.accounting', { permissions: { accounting: true } }],
    ['permissions.accounting', { permissions: { accounting: 2 } }],
    ['permissions.accounting', { permissions: { accounting: 'yes' } }],
    ['default_address', { default_address: 'here' }],
    ['default_address', { default_address: [] }],
    ['default_address.city', { default_address: { city: 'x'.repeat(101) } }],
    ['default_address.address1', { default_address: { address1: 'x'.repeat(101) } }],
    ['default_address.company', { default_address: { company: 'x'.repeat(101) } }],
    ['default_address.zip', { default_address: { zip: 'x'.repeat(51) } }],
    ['default_address.phone', { default_address: { phone: 'x'.repeat(51) } }],
    ['default_address.city', { default_address: { city: 'x\0' } }],
    ['default_address.language', { default_address: { language: 'german' } }],
    ['default_address.country_code', { default_address: { country_code: 'XX' } }],
    ['default_address.country', { default_address: { country: 'Atlantis' } }],
  ]
  for (const [index, [path, wrong]] of WRONG.entries()) {
    test(`refuses a body for its ${path} (case ${index + 1}), and changes nothing`, async () => {
      const shop = await service.openShop()
      const before = await readUser(shop, shop.userId)
      assertBlames(await shop.put(pathOf(shop), { user: { note: 'New', ...wrong } }), [path])
      assert.deepEqual(await readUser(shop, shop.userId), before)
    })
  }

  test('accepts texts of the maximum length', async () => {
    const shop = await service.openShop()
    const [long, short] = ['ü'.repeat(100), '📚'.repeat(50)]
    const address = { city: long, zip: short, phone: short }
    const after = await put(shop, { first_name: long, note: 'ü'.repeat(5000), default_address: address })
    assert.deepEqual([after.first_name, after.note.length], [long, 5000])
    assert.deepEqual([after.default_address.city, after.default_address.zip], [long, short])
  })

  test('is 400 without its wrapper', async () => {
    const shop = await service.openShop()
    for (const body of [{ note: 'X' }, [], 'null', { user: null }, { user: [] }, '']) {
      const answer = await shop.put(pathOf(shop), body, { 'content-type': 'application/json' })
      assert.deepEqual([answer.status, answer.body.code], [400, 'malformed'])
    }
  })

  test('loses no change when different fields are changed at once', async () => {
    const shop = await service.openShop()
    const flags = ['accounting', 'unlock', 'RepAccounting'].map((flag) => ({ permissions: { [flag]: 0 } }))
    const changes = [...Object.entries(TEXTS).map(([name, value]) => ({ [name]: value })), ...flags]
    const answers = await Promise.all(changes.map((user) => shop.put(pathOf(shop), { user })))
    for (const { status, text } of answers) assert.equal(status, 200, text)
    const after = await readUser(shop, shop.userId)
    for (const [name, value] of Object.entries(TEXTS)) assert.equal(after[name], value, name)
    assert.deepEqual(after.permissions, { ...ALL, accounting: 0, unlock: 0, RepAccounting: 0 })
  })

  test('writes an audit entry with the changes, the user and the address', async () => {
    const shop = await service.openShop()
    const { email } = await readUser(shop, shop.userId)
    const headers = { 'x-request-id': 'change-7' }
    await shop.put(pathOf(shop), { user: { first_name: 'J', note: 'N', permissions: { unlock: 0 } } }, headers)
    const entries = await auditOf(service, shop)
    assert.deepEqual(
      entries.map(({ action, subject }) => [action, subject]),
      [
        ['user changed', `${email}: first_name, note`],
        ['permissions changed', `${email}: unlock 0`],
      ],
    )
    for (const { user_id, app_id, address, request_id } of entries)
      assert.deepEqual([user_id, app_id, address, request_id], [shop.userId, shop.appId, '127.0.0.1', 'change-7'])
  })
})

describe('default_address', () => {
  test('has every field of an address, and password_option', async () => {
    const shop = await service.openShop()
    const { default_address, token } = await put(shop, { default_address: ADDRESS })
    const { id, ...rest } = default_address
    assert.ok(Number.isSafeInteger(id) && id > 0)
    const derived = { name: 'Jane Roe', country: 'Germany', country_name: 'Germany', token, default: true }
    assert.deepEqual(rest, { ...ADDRESS, ...derived })
  })

  test('keeps its id and the fields that a body does not name, and is removed by null', async () => {
    const shop = await service.openShop()
    const first = (await put(shop, { default_address: ADDRESS })).default_address
    const second = (await put(shop, { default_address: { city: 'Bonn', address2: '', zip: null, id: 1, token: 'x' } }))
      .default_address
    assert.deepEqual(second, { ...first, city: 'Bonn', address2: '' })
    assert.equal((await put(shop, { note: 'x' })).default_address.city, 'Bonn')
    assert.equal((await put(shop, { default_address: null })).default_address, null)
    const third = (await put(shop, { default_address: {} })).default_address
    assert.notEqual(third.id, first.id)
    assert.deepEqual([third.name, third.city, third.country, third.country_code], ['', '', '', ''])
  })

  test('accepts its country by code or name, whichever was changed', async () => {
    const shop = await service.openShop()
    const read = async (default_address: object) => {
      const { country, country_name, country_code } = (await put(shop, { default_address })).default_address
      assert.equal(country, country_name)
      return [country_code, country]
    }
    assert.deepEqual(await read({ country: 'US' }), ['US', 'United States'])
    assert.deepEqual(await read({ country_name: 'germany' }), ['DE', 'Germany'])
    assert.deepEqual(await read({ country_code: 'fr', country: 'Germany', country_name: 'Germany' }), ['FR', 'France'])
    assert.deepEqual(await read({ country_code: 'FR', country: 'Italy', country_name: 'France' }), ['IT', 'Italy'])
    assert.deepEqual(await read({ country_code: 'IT', country: 'Italy', country_name: 'Spain' }), ['ES', 'Spain'])
    assert.deepEqual(await read({ city: 'Rom' }), ['ES', 'Spain'])
    assert.deepEqual(await read({ country_code: '', country: 'Spain' }), ['', ''])
    assert.deepEqual(await read({ country_code: 'AT' }), ['AT', 'Austria'])
    assert.deepEqual(await read({ country: null }), ['AT', 'Austria'])
    assert.deepEqual(await read({ country: '' }), ['', ''])
  })
})

describe('GET /api/users.json', () => {
  test('lists only the users of the company, with pages and fields', async () => {
    const [shop, stranger] = [await service.openShop(), await service.openShop()]
    await anInvitedUser(stranger)
    const users = [await readUser(shop, shop.userId), await anInvitedUser(shop), await aUser(service, shop)]
    assert.deepEqual((await shop.get('/api/users.json')).body, { users })
    assert.deepEqual((await shop.get('/api/users.json?limit=1&page=2')).body.users, [users[1]])
    const first = await shop.get('/api/users.json?limit=2&updated_at_min=2001-01-01&fields=id')
    assert.deepEqual(first.body.users, [{ id: users[0].id }, { id: users[1].id }])
    const [, url = ''] = /^<([^>]+)>; rel="next"$/.exec(first.headers.get('link') ?? '') ?? []
    assert.match(url, /updated_at_min=2001-01-01/)
    assert.deepEqual((await shop.get(url.slice(service.url.length))).body.users, [{ id: users[2].id }])
    assert.deepEqual(idsOf((await shop.get(`/api/users.json?since_id=${users[1].id}`)).body.users), [users[2].id])
  })

  test('filters by the time of the last change, and so does the count', async () => {
    const shop = await service.openShop()
    const [one, two] = [await anInvitedUser(shop), await anInvitedUser(shop)]
    service.clock.advance(100)
    const { updated_at } = (await shop.put(`/api/users/${two.token}.json`, { user: { note: 'x' } })).body.user
    service.clock.advance(10)
    await shop.put(`/api/users/${one.token}.json`, { user: { note: 'x' } })
    const asked = `updated_at_min=${updated_at}`
    assert.deepEqual(idsOf((await shop.get(`/api/users.json?${asked}`)).body.users), [one.id, two.id])
    const count = async (query: string) => (await shop.get(`/api/users/count.json${query}`)).body
    assert.deepEqual(await count(''), { count: 3 })
    assert.deepEqual(await count(`?${asked}`), { count: 2 })
    assert.deepEqual(await count(`?${asked}&since_id=${one.id}`), { count: 1 })
    assert.deepEqual(await count(`?since_id=${shop.userId}`), { count: 2 })
    for (const path of ['/api/users.json', '/api/users/count.json'])
      assertBlames(await shop.get(`${path}?updated_at_min=yesterday`), ['updated_at_min'])
  })
})

describe('GET /api/users/search.json', () => {
  test('finds the user with an email address in any case, in the own company only', async () => {
    const [shop, stranger] = [await service.openShop(), await service.openShop()]
    const user = await anInvitedUser(shop)
    const search = async (who: Shop, query: string) =>
      (await who.get(`/api/users/search.json?query=${encodeURIComponent(query)}`)).body
    for (const email of [user.email, user.email.toUpperCase(), user.email.toLowerCase(), ` ${user.email} `])
      assert.deepEqual(await search(shop, `email:${email}`), { users: [user] })
    assert.deepEqual(await search(shop, `email:x${user.email}`), { users: [] })
    assert.deepEqual(await search(stranger, `email:${user.email}`), { users: [] })
    const { body } = await shop.get(`/api/users/search.json?query=email:${user.email}&fields=id`)
    assert.deepEqual(body, { users: [{ id: user.id }] })
  })

  test('refuses any other search', async () => {
    const shop = await service.openShop()
    for (const query of ['', '?query=', '?query=jane', '?query=email:', '?query=note:x'])
      assertBlames(await shop.get(`/api/users/search.json${query}`), ['query'])
  })
})

describe('the scope', () => {
  test('is users or companies', async () => {
    const shop = await service.openShop()
    const others = await shop.withScopes('products', 'customers', 'statistics')
    const paths = ['/api/users.json', '/api/users/count.json', '/api/users/search.json?query=email:a@b', pathOf(shop)]
    for (const scope of ['users', 'companies'] as const) {
      const alone = await shop.withScopes(scope)
      for (const path of paths) assert.equal((await alone.get(path)).status, 200, path)
      await anInvitedUser(alone)
      assert.equal((await alone.put(pathOf(shop), { user: { note: scope } })).status, 200)
    }
    const refused = [
      ...(await Promise.all(paths.map((path) => others.get(path)))),
      await others.post('/api/users.json', { user: { email: 'nobody@example.com' } }),
      await others.put(pathOf(shop), { user: { note: 'x' } }),
    ]
    for (const { status, body } of refused) {
      assert.deepEqual([status, body.code], [403, 'insufficient_scope'])
      assert.match(body.error, /the scope users or companies/)
    }
  })
})
