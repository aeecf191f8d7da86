import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { aSale, contentOf, pass } from '#test/entitlements.ts'
import type { Wire } from '#test/factories.ts'
import { useService } from '#test/harness.ts'
import { aBuyer, anOrder } from '#test/orders.ts'
import { mirrorAll, refund } from '#test/sales.ts'
import { aProgramOf, buyAgain, importKeys, keyOf, requestOf, someKeys } from '#test/software-keys.ts'
import { mailsTo } from '#test/users.ts'

const service = useService()
const DAY = 86_400

// On a slow machine, a wait of a second would be over before the next attempt.
before(() => service.clock.stop())

const aProgram = (...chosen: [terms?: object, order?: object, product?: object]) => aProgramOf(service, ...chosen)

const call = (action: string, activation: object) =>
  service.call('POST', `/api/keys/${action}.json`, { body: { activation } })

async function asked(action: string, activation: object): Promise<Wire> {
  const answer = await call(action, activation)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

async function refusedWith(action: string, activation: object): Promise<string> {
  const answer = await call(action, activation)
  assert.notEqual(answer.status, 200)
  return answer.body.reason
}

describe('GET /api/entitlements/{id}/key.json', () => {
  test('gives a generated key once, and shows seats and activations', async () => {
    const { shop, id } = await aProgram({ total_concurrent_devices: 3 })
    const [first, ...others] = await Promise.all(Array.from({ length: 5 }, () => keyOf(shop, id)))
    for (const other of others) assert.deepEqual(other, first)
    assert.match(first.key, /^[A-HJKMNP-TV-Z2-9]{5}(-[A-HJKMNP-TV-Z2-9]{5}){4}$/)
    assert.deepEqual(
      { ...first, key: '', created_at: '' },
      { key: '', state: 'active', seats: 3, seats_used: 0, activations: [], created_at: '' },
    )
    const { activation } = await asked('activate', { key: first.key.toLowerCase(), fingerprint: 'pc', name: 'Office' })
    const { seats_used, activations } = await keyOf(shop, id)
    assert.deepEqual([seats_used, activations], [1, [activation]])
    assert.deepEqual([activation.fingerprint, activation.name], ['pc', 'Office'])
  })

  test('serves the customer alone, and no other company', async () => {
    const { shop, customer, id } = await aProgram()
    const { key } = await keyOf(shop, id)
    assert.equal((await keyOf(await shop.asCustomer(customer.id), id)).key, key)
    const other = await aBuyer(shop)
    const path = `/api/entitlements/${id}/key.json`
    assert.equal((await (await shop.asCustomer(other.id)).get(path)).status, 404)
    const stranger = await service.openShop()
    assert.equal((await stranger.get(path)).status, 404)
    assert.equal((await stranger.post(`/api/entitlements/${id}/key/rotate.json`)).status, 404)
    const headers = { authorization: `Bearer ${shop.token}` }
    assert.equal((await fetch(`${service.url}${path}`, { method: 'HEAD', headers })).status, 405)
    const film = await aSale(service)
    const answer = await film.shop.get(`/api/entitlements/${film.content[0].id}/key.json`)
    assert.deepEqual([answer.status, answer.body.reason], [404, 'entitlement_without_key'])
  })

  test('gives no key before the order is confirmed, or after it is refunded', async () => {
    const { shop, program, order, id } = await aProgram({}, { confirmed: false })
    await importKeys(shop, program, someKeys(2))
    assert.deepEqual([(await keyOf(shop, id)).key, (await keyOf(shop, id)).state], [null, 'waiting'])
    assert.equal((await shop.put(`/api/orders/${order.id}.json`, { order: { confirmed: true } })).status, 200)
    assert.equal((await keyOf(shop, id)).state, 'active')
    const unread = await aProgram()
    await refund(unread.shop, unread.order.id)
    assert.deepEqual(
      [(await keyOf(unread.shop, unread.id)).key, (await keyOf(unread.shop, unread.id)).state],
      [null, 'revoked'],
    )
  })
})

describe('POST /api/keys/activate.json', () => {
  test('gives the last seat to one of a hundred devices', async () => {
    const { shop, id } = await aProgram({ total_concurrent_devices: 2 })
    const { key } = await keyOf(shop, id)
    assert.equal((await asked('activate', { key, fingerprint: 'first' })).decision.allowed, true)
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) => call('activate', { key, fingerprint: `pc-${index}` })),
    )
    const codes = answers.map(({ body }) => body.decision?.code)
    assert.equal(codes.filter((code) => code === 'allowed').length, 1)
    assert.equal(codes.filter((code) => code === 'device_limit').length, 99)
    assert.equal((await keyOf(shop, id)).activations.length, 2)
  })

  test('takes no second seat on the same device, and is counted by users', async () => {
    const { shop, id } = await aProgram({ total_concurrent_devices: 1 })
    const { key } = await keyOf(shop, id)
    const first = await asked('activate', { key, fingerprint: 'pc', name: 'Office' })
    service.clock.advance(3600)
    const again = await asked('activate', { key: ` ${key.replaceAll('-', ' ')} `, fingerprint: 'pc' })
    assert.deepEqual(again, first)
    const { decision, activation } = await asked('activate', { key, fingerprint: 'other' })
    assert.deepEqual([decision.allowed, decision.code, activation], [false, 'device_limit', null])
    assert.match(decision.reason, /\w/)
    const later = await pass(service, shop, 0)
    const { uses } = (await later.get(`/api/entitlements/${id}/uses.json`)).body
    assert.deepEqual(
      uses.map((use: Wire) => [use.device, use.code]),
      [
        ['pc', 'allowed'],
        ['other', 'device_limit'],
      ],
    )
  })

  test('keeps the seat for good, until the program or the customer gives it back', async () => {
    const { shop, customer, id } = await aProgram({ total_concurrent_devices: 1 })
    const { key } = await keyOf(shop, id)
    await asked('activate', { key, fingerprint: 'pc', name: 'Office' })
    const later = await pass(service, shop, 400 * DAY)
    assert.equal((await asked('activate', { key, fingerprint: 'laptop' })).decision.code, 'device_limit')
    const back = await asked('deactivate', { key, fingerprint: 'pc' })
    assert.deepEqual([back.decision.allowed, back.activation], [true, null])
    assert.equal((await asked('activate', { key, fingerprint: 'laptop' })).decision.allowed, true)
    const { devices } = (await later.get(`/api/customers/${customer.token}/devices.json`)).body
    assert.deepEqual(devices.map(({ device_id, name }: Wire) => [device_id, name]).sort(), [
      ['laptop', ''],
      ['pc', 'Office'],
    ])
    const laptop = devices.find((device: Wire) => device.device_id === 'laptop')
    assert.equal((await later.delete(`/api/customers/${customer.token}/devices/${laptop.id}.json`)).status, 200)
    assert.deepEqual((await keyOf(later, id)).activations, [])
    assert.equal((await asked('validate', { key, fingerprint: 'laptop' })).decision.code, 'not_activated')
  })

  test('refuses as the rights engine does: after a refund and after the end', async () => {
    const { shop, order, id } = await aProgram({ total_concurrent_devices: 1 })
    const { key } = await keyOf(shop, id)
    await asked('activate', { key, fingerprint: 'pc' })
    await refund(shop, order.id)
    for (const action of ['activate', 'validate', 'deactivate'])
      assert.equal((await asked(action, { key, fingerprint: 'pc' })).decision.code, 'refunded', action)
    assert.equal((await keyOf(shop, id)).state, 'revoked')
    const rotated = await shop.post(`/api/entitlements/${id}/key/rotate.json`)
    assert.deepEqual([rotated.status, rotated.body.reason], [409, 'software_key_not_replaceable'])
    const rented = await aProgram({ expire_after_acquisition: 24 })
    const { key: rentedKey } = await keyOf(rented.shop, rented.id)
    await asked('activate', { key: rentedKey, fingerprint: 'pc' })
    service.clock.advance(2 * DAY)
    assert.equal((await asked('validate', { key: rentedKey, fingerprint: 'pc' })).decision.code, 'expired')
  })

  test('does not know keys that were never given, and slows down who guesses', async () => {
    const { shop, program, id } = await aProgram()
    const [given = '', free = ''] = someKeys(2)
    await importKeys(shop, program, [given, free])
    assert.equal((await keyOf(shop, id)).key, given)
    assert.equal(await refusedWith('activate', { key: free, fingerprint: 'pc' }), 'software_key_unknown')
    assert.equal(await refusedWith('activate', { key: ' - ', fingerprint: 'pc' }), 'software_key_empty')
    assert.equal(await refusedWith('activate', { key: given }), 'fingerprint_missing')
    let reason = ''
    for (let guess = 0; guess < 40 && reason !== 'too_many_software_keys'; guess += 1)
      reason = await refusedWith('validate', { key: `guess ${guess}`, fingerprint: 'pc' })
    assert.equal(reason, 'too_many_software_keys')
    const blocked = await call('validate', { key: given, fingerprint: 'pc' })
    assert.equal(blocked.status, 429)
    assert.ok(Number(blocked.headers.get('retry-after')) > 0)
    service.clock.advance(DAY)
    assert.equal((await asked('validate', { key: given, fingerprint: 'pc' })).decision.allowed, true)
  })

  test('slows down a key whose activations are refused again and again', async () => {
    const { shop, id } = await aProgram({ total_concurrent_devices: 1 })
    const { key } = await keyOf(shop, id)
    await asked('activate', { key, fingerprint: 'pc' })
    let last = 200
    for (let attempt = 0; attempt < 110 && last === 200; attempt += 1)
      last = (await call('activate', { key, fingerprint: 'other' })).status
    assert.equal(last, 429)
    const other = await aProgram()
    const { key: free } = await keyOf(other.shop, other.id)
    assert.equal((await asked('activate', { key: free, fingerprint: 'pc' })).decision.allowed, true)
  })
})

describe('POST /api/keys/validate.json', () => {
  test('counts nothing, and needs an activation where seats are limited', async () => {
    const { shop, id } = await aProgram({ total_concurrent_devices: 1, expire_after_first_use: 24 })
    const { key } = await keyOf(shop, id)
    const unused = await asked('validate', { key, fingerprint: 'pc' })
    assert.deepEqual([unused.decision.allowed, unused.decision.code, unused.activation], [false, 'not_activated', null])
    assert.equal(unused.decision.reason, 'The software is not activated on this device.')
    assert.equal((await shop.get(`/api/entitlements/${id}.json`)).body.entitlement.first_used_at, null)
    const { activation } = await asked('activate', { key, fingerprint: 'pc' })
    const valid = await asked('validate', { key, fingerprint: 'pc' })
    assert.deepEqual([valid.decision.allowed, valid.activation], [true, activation])
    assert.equal((await asked('validate', { key, fingerprint: 'other' })).decision.code, 'not_activated')
  })

  test('needs no activation without a limit', async () => {
    const { shop, id } = await aProgram({ drm: 0 })
    const { key, seats } = await keyOf(shop, id)
    assert.equal(seats, null)
    const { decision, activation } = await asked('validate', { key, fingerprint: 'pc' })
    assert.deepEqual([decision.allowed, activation], [true, null])
    await asked('activate', { key, fingerprint: 'pc' })
    assert.equal((await asked('validate', { key, fingerprint: 'pc' })).activation.fingerprint, 'pc')
    assert.equal((await keyOf(shop, id)).seats_used, 1)
  })
})

describe('an activation without a connection', () => {
  test('is signed for the device and the request, and ends with the entitlement', async () => {
    const { shop, program, id } = await aProgram({ total_concurrent_devices: 1, expire_after_first_use: 48 })
    const { key } = await keyOf(shop, id)
    const request = requestOf({ fingerprint: 'pc', nonce: 'n-1', name: 'Lab' })
    const { activation, license, decision } = await asked('activate', { key, request })
    assert.deepEqual([decision.allowed, activation.name], [true, 'Lab'])
    const { createLocalJWKSet, jwtVerify } = await import('jose')
    const keys = createLocalJWKSet((await service.call('GET', '/.well-known/jwks.json')).body)
    const options = { typ: 'activation+jwt', currentDate: service.clock.now() }
    const { payload, protectedHeader } = await jwtVerify(license.jws, keys, options)
    assert.equal(protectedHeader.kid, license.kid)
    const { fingerprint, nonce, product_id, entitlement_id, key_hash, iat = 0, exp = 0 } = payload
    assert.deepEqual([fingerprint, nonce, product_id, entitlement_id], ['pc', 'n-1', program.product_id, id])
    assert.equal(exp - iat, 2 * DAY)
    const { hash } = await import('node:crypto')
    assert.equal(key_hash, hash('sha256', key.replaceAll('-', ''), 'base64url'))
    const other = await asked('activate', { key, request: requestOf({ fingerprint: 'other', nonce: 'n-2' }) })
    assert.deepEqual([other.decision.code, other.license], ['device_limit', null])
  })

  test('lasts a year where the entitlement has no end', async () => {
    const { shop, id } = await aProgram()
    const { key } = await keyOf(shop, id)
    const { license } = await asked('activate', { key, request: requestOf({ fingerprint: 'pc', nonce: 'n' }) })
    const { exp, iat } = JSON.parse(Buffer.from(license.jws.split('.')[1], 'base64url').toString())
    assert.equal(exp - iat, 365 * DAY)
  })

  test('needs the whole request', async () => {
    const { shop, id } = await aProgram()
    const { key } = await keyOf(shop, id)
    const whole = requestOf({ fingerprint: 'pc', nonce: 'n' })
    for (const request of [
      whole.slice(0, -4),
      'null',
      requestOf({ fingerprint: 'pc' }),
      requestOf({ fingerprint: 1, nonce: 'n' }),
    ])
      assert.equal(await refusedWith('activate', { key, request }), 'activation_request_invalid', request)
  })
})

describe('POST /api/entitlements/{id}/key/rotate.json', () => {
  test('ends the old key and its activations at once', async () => {
    const { shop, id } = await aProgram({ total_concurrent_devices: 1 })
    const { key: old } = await keyOf(shop, id)
    await asked('activate', { key: old, fingerprint: 'pc' })
    const answer = await shop.post(`/api/entitlements/${id}/key/rotate.json`)
    assert.equal(answer.status, 200, answer.text)
    const { key, seats_used, activations } = answer.body.software_key
    assert.notEqual(key, old)
    assert.deepEqual([seats_used, activations], [0, []])
    for (const action of ['activate', 'validate', 'deactivate'])
      assert.equal(await refusedWith(action, { key: old, fingerprint: 'pc' }), 'software_key_replaced', action)
    assert.equal((await asked('activate', { key, fingerprint: 'laptop' })).decision.allowed, true)
    assert.equal((await keyOf(shop, id)).key, key)
  })
})

describe('an imported list of keys', () => {
  test('is given in order, and never mixed with generated keys', async () => {
    const { shop, program, id } = await aProgram()
    const [one = '', two = ''] = someKeys(2)
    assert.deepEqual(await importKeys(shop, program, [one, two, one.toLowerCase()]), {
      imported: 2,
      duplicates: [one.toLowerCase()],
      left: 2,
      given: 0,
    })
    assert.equal((await importKeys(shop, program, [two])).imported, 0)
    assert.equal((await keyOf(shop, id)).key, one)
    const second = await buyAgain(shop, program)
    const third = await buyAgain(shop, program)
    assert.equal((await keyOf(shop, second.id)).key, two)
    const waiting = await keyOf(shop, third.id)
    assert.deepEqual([waiting.key, waiting.state, waiting.created_at], [null, 'waiting', null])
    const { body } = await shop.get(`/api/products/${program.product_id}/keys/count.json`)
    assert.deepEqual(body.software_keys, { left: 0, given: 2 })
    assert.equal((await asked('activate', { key: two, fingerprint: 'pc' })).decision.allowed, true)
  })

  test('serves those who wait in their order, when it is refilled', async () => {
    const { shop, program, id } = await aProgram()
    const [only = ''] = someKeys(1)
    await importKeys(shop, program, [only])
    await keyOf(shop, id)
    const waiting = [await buyAgain(shop, program), await buyAgain(shop, program), await buyAgain(shop, program)]
    const [first, second, third] = waiting
    for (const one of waiting) assert.equal((await keyOf(shop, one.id)).state, 'waiting')
    const fresh = someKeys(2)
    await importKeys(shop, program, fresh)
    // The one who came last asks first, and does not overtake the others.
    assert.equal((await keyOf(shop, third?.id ?? 0)).state, 'waiting')
    await service.runJobs()
    const given = await service.db
      .selectFrom('software_keys')
      .select(['entitlement_id', 'key'])
      .where('key', 'in', fresh)
      .orderBy('id')
      .execute()
    assert.deepEqual(
      given.map(({ entitlement_id, key }) => [entitlement_id, key]),
      [
        [first?.id, fresh[0]],
        [second?.id, fresh[1]],
      ],
    )
    await importKeys(shop, program, someKeys(1))
    assert.equal((await keyOf(shop, third?.id ?? 0)).state, 'active')
  })

  test('gives the last key once to many who ask at the same time', async () => {
    const { shop, program, id } = await aProgram()
    const others = [await buyAgain(shop, program), await buyAgain(shop, program), await buyAgain(shop, program)]
    await importKeys(shop, program, someKeys(1))
    const states = await Promise.all([id, ...others.map((other) => other.id)].map((each) => keyOf(shop, each)))
    assert.deepEqual(states.map(({ state }) => state).sort(), ['active', 'waiting', 'waiting', 'waiting'])
  })

  test('warns its owner once when it runs low, and once when it is empty', async () => {
    const { shop, program, id } = await aProgram({}, {}, { title: 'Paint & Co' })
    const email = (await shop.get(`/api/users/${shop.userId}.json`)).body.user.email
    await service.db.updateTable('companies').set({ email, language: 'en' }).where('id', '=', shop.companyId).execute()
    const subjects = async () => {
      await service.runJobs()
      return (await mailsTo(service, email)).map(({ subject }) => subject).filter((subject) => subject.includes('keys'))
    }
    await importKeys(shop, program, someKeys(11))
    await keyOf(shop, id)
    assert.deepEqual(await subjects(), [])
    const customer = await aBuyer(shop)
    await anOrder(shop, customer, [{ product_id: program.product_id, quantity: 10 }])
    const owned = await contentOf(shop, customer)
    for (const { id: each } of owned.slice(0, 9)) await keyOf(shop, each)
    assert.deepEqual(await subjects(), ['Few keys left: Paint & Co'])
    for (const { id: each } of owned) await keyOf(shop, each)
    await keyOf(shop, (await buyAgain(shop, program)).id)
    assert.deepEqual(await subjects(), ['Few keys left: Paint & Co', 'No keys left: Paint & Co'])
  })

  test('of the owner serves the shops that mirror the product', async () => {
    const { shop: owner, program } = await aProgram({ total_concurrent_devices: 1 })
    const [key = ''] = someKeys(1)
    await importKeys(owner, program, [key])
    const seller = await service.openShop()
    const mirrors = await mirrorAll(service, owner, seller)
    const mirror = mirrors.find(({ title }: Wire) => title === program.title)
    const { id } = await buyAgain(seller, mirror)
    assert.equal((await keyOf(seller, id)).key, key)
    assert.equal((await asked('activate', { key, fingerprint: 'pc' })).decision.allowed, true)
    const refused = await seller.post(`/api/products/${mirror.id}/keys.json`, { keys: ['X'] })
    assert.deepEqual([refused.status, refused.body.reason], [403, 'product_is_mirrored'])
  })

  test('takes ten thousand long keys at once, and only for software of the company', async () => {
    const { shop, program } = await aProgram()
    const keys = someKeys(10_000).map((key) => key.padEnd(200, 'X'))
    assert.equal((await importKeys(shop, program, keys)).imported, 10_000)
    const path = `/api/products/${program.id}/keys.json`
    assert.equal((await shop.post(path, { keys: [...someKeys(10_001)] })).status, 422)
    assert.equal((await shop.post(path, { keys: ['x'.repeat(201)] })).status, 422)
    assert.equal((await shop.post(path, { keys: ['--'] })).body.reason, 'software_key_empty')
    const stranger = await service.openShop()
    assert.equal((await stranger.post(path, { keys: ['X'] })).status, 404)
    // What another company has imported is a duplicate: the key alone has to say whose it is.
    const other = await aProgram()
    assert.deepEqual((await importKeys(other.shop, other.program, [keys[0] ?? ''])).duplicates, [keys[0]])
    const film = await aSale(service)
    const answer = await film.shop.post(`/api/products/${film.film.id}/keys.json`, { keys: ['X'] })
    assert.deepEqual([answer.status, answer.body.reason], [409, 'product_without_keys'])
    const count = await film.shop.get(`/api/products/${film.film.id}/keys/count.json`)
    assert.deepEqual([count.status, count.body.reason], [409, 'product_without_keys'])
  })
})

test('what a company forgets of a customer includes the activations', async () => {
  const { shop, customer, id } = await aProgram({ total_concurrent_devices: 1 })
  const { key } = await keyOf(shop, id)
  await asked('activate', { key, fingerprint: 'pc', name: "Jane's PC" })
  assert.equal((await shop.delete(`/api/customers/${customer.token}.json`)).status, 200)
  const rows = await service.db
    .selectFrom('software_activations')
    .selectAll()
    .where('company_id', '=', shop.companyId)
    .execute()
  assert.deepEqual(rows, [])
})
