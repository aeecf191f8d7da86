import assert from 'node:assert/strict'
import { createDecipheriv, createHash, createHmac } from 'node:crypto'
import { describe, test } from 'node:test'
import { calculateJwkThumbprint, exportJWK, generateKeyPair, SignJWT } from 'jose'
import { Webhook } from 'standardwebhooks'
import {
  createLoginToken,
  type LicenseFile,
  type LicenseFileOptions,
  verifyDataChange,
  verifyLicenseFile,
  verifyWebhook,
  WebhookVerificationError,
} from '#client/licet.ts'
import { sealLoginToken } from '#client/login-token.ts'
import type { VerificationFailure } from '#client/webhooks.ts'
import { EXAMPLES } from '#history/events/topics.facts.ts'

const SECRET = 'the secret of an app'
const NOW = new Date('2026-03-04T09:30:00Z')

/** The payload of the specification, with the hash of its text. */
const PAIRS = 'company_id1202producershopscopeorder/createtypeorderid267227'
const PAYLOAD = { company_id: 1202, producer: 'shop', scope: 'order/create', data: { type: 'order', id: '267227' } }

const hashWith = (secret: string, pairs: string) => createHash('sha256').update(`${secret}${pairs}`).digest('hex')

/** A request as the service sends it; the library of Standard Webhooks signs it. */
function request({
  body = JSON.stringify({ ...PAYLOAD, hash: hashWith(SECRET, PAIRS) }),
  id = 'evt_1042',
  at = NOW,
  secrets = [SECRET],
} = {}) {
  const signatures = secrets.map((secret) => new Webhook(secret, { format: 'raw' }).sign(id, at, body))
  return {
    body,
    headers: {
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': signatures.join(' '),
    },
  }
}

const options = { now: NOW }

function refusedWith(reason: VerificationFailure) {
  return (error: unknown) => error instanceof WebhookVerificationError && error.reason === reason
}

describe('verifyWebhook', () => {
  test('returns the event that the service has sent', async () => {
    const { body, headers } = request()
    const event = await verifyWebhook(body, headers, SECRET, options)
    assert.equal(event.scope, 'order/create')
    // The topic tells which data an event has.
    if (event.scope === 'order/create') assert.equal(event.data.id, '267227')
    const topics: Record<typeof event.scope, object> = EXAMPLES
    assert.ok(event.scope in topics)
  })

  test('takes bytes, and headers as Fetch and Node have them', async () => {
    const { body, headers } = request()
    await verifyWebhook(new TextEncoder().encode(body), new Headers(headers), SECRET, options)
    await verifyWebhook(Buffer.from(body), { 'Webhook-Id': ['evt_1042'], ...headers }, SECRET, options)
  })

  test('agrees with the library of Standard Webhooks on what is signed', async () => {
    const body = JSON.stringify({ ...PAYLOAD, hash: hashWith(SECRET, PAIRS) })
    const at = new Date()
    const timestamp = Math.floor(at.getTime() / 1000)
    const mac = createHmac('sha256', SECRET).update(`evt_1.${timestamp}.${body}`).digest('base64')
    const headers = {
      'webhook-id': 'evt_1',
      'webhook-timestamp': String(timestamp),
      'webhook-signature': `v1,${mac}`,
    }
    await verifyWebhook(body, headers, SECRET)
    new Webhook(SECRET, { format: 'raw' }).verify(body, headers)
  })

  test('accepts the old and the new secret while a secret is rotated', async () => {
    const { body, headers } = request({ secrets: [SECRET, 'the old secret'] })
    await verifyWebhook(body, headers, SECRET, options)
    await verifyWebhook(body, headers, 'the old secret', options)
    await assert.rejects(verifyWebhook(body, headers, 'a third', options), refusedWith('signature_differs'))
  })

  test('knows other versions of signatures only as not its own', async () => {
    const { body, headers } = request()
    const list = `v1a,AAAA v2,BBBB v1,%%% ${headers['webhook-signature']}`
    const { 'webhook-signature': _, ...rest } = headers
    await verifyWebhook(body, { ...rest, 'webhook-signature': list }, SECRET, options)
    await assert.rejects(
      verifyWebhook(body, { ...rest, 'webhook-signature': 'v1a,AAAA v2,BBBB' }, SECRET, options),
      refusedWith('signature_differs'),
    )
  })

  const seconds = (count: number) => new Date(NOW.getTime() + count * 1000)
  const refused: [string, ReturnType<typeof request>, VerificationFailure][] = [
    ['another body', { ...request(), body: request().body.replace('1202', '1203') }, 'signature_differs'],
    ['another secret', request({ secrets: ['another'] }), 'signature_differs'],
    ['another id', { ...request(), headers: { ...request().headers, 'webhook-id': 'evt_1' } }, 'signature_differs'],
    ['a request of five minutes ago', request({ at: seconds(-301) }), 'timestamp_too_old'],
    ['a request of the future', request({ at: seconds(301) }), 'timestamp_too_new'],
    [
      'a time in words',
      { ...request(), headers: { ...request().headers, 'webhook-timestamp': 'now' } },
      'timestamp_invalid',
    ],
    ['no signature', { ...request(), headers: { ...request().headers, 'webhook-signature': '' } }, 'header_missing'],
    ['another hash', request({ body: JSON.stringify({ ...PAYLOAD, hash: hashWith('x', PAIRS) }) }), 'hash_differs'],
    ['no hash', request({ body: JSON.stringify(PAYLOAD) }), 'hash_differs'],
    ['a text', request({ body: '"order/create"' }), 'not_json'],
    ['no JSON', request({ body: 'company_id=1202' }), 'not_json'],
  ]
  for (const [name, { body, headers }, reason] of refused)
    test(`refuses ${name}`, () => assert.rejects(verifyWebhook(body, headers, SECRET, options), refusedWith(reason)))

  for (const distance of [-300, 300])
    test(`accepts a clock that is ${distance} seconds away`, async () => {
      const { body, headers } = request({ at: seconds(distance) })
      await verifyWebhook(body, headers, SECRET, options)
    })

  test('has a twin for data changes', async () => {
    const change = {
      customer_token: 'TNFEQBBVTEDXLUPN',
      email: 'jane@example.com',
      new_email: 'roe@example.com',
      password_changed: false,
      changed_at: '2026-03-04T09:30:00',
    }
    const pairs =
      'customer_tokenTNFEQBBVTEDXLUPNemailjane@example.comnew_emailroe@example.compassword_changedfalsechanged_at2026-03-04T09:30:00'
    const { body, headers } = request({ body: JSON.stringify({ ...change, hash: hashWith(SECRET, pairs) }) })
    assert.equal((await verifyDataChange(body, headers, SECRET, options)).new_email, 'roe@example.com')
  })
})

describe('createLoginToken', () => {
  const secret = 'multipass secret from company'

  test('gives the token of the specification, byte by byte', async () => {
    const json =
      '{"token":"TNFEQBBVTEDXLUPN","return_to":"https:\\/\\/shop.example.com\\/?embedded=1","created_at":"2024-06-10T09:30:00+00:00"}'
    assert.equal(
      await sealLoginToken(
        secret,
        json,
        Uint8Array.from({ length: 16 }, (_, index) => index),
      ),
      'AAECAwQFBgcICQoLDA0OD6QVvZMTxs-C3ngCYRRC6uNw0813EEisOMmF2rRzf2tjwHPJxzLw_qmY-ZgRclQE-CF-Kf4AWAq62MW1Z46DV3tOoyIPRQxPfvTP2keImNArulNDFYEOAvwad7QSowJR5s-joNUffnYEYyvNjE5A2C-cj19abP2SZlhZBLRG_fSZDE9GGoOcFjiv2CryfwEMBfMhaEBbySE9v3rJs4mG50Q=',
    )
  })

  /** The claims of a token, opened as the service opens it. */
  function open(token: string): Record<string, unknown> {
    const keys = createHash('sha256').update(secret).digest()
    const bytes = Buffer.from(token, 'base64url')
    const [sealed, signature] = [bytes.subarray(0, -32), bytes.subarray(-32)]
    assert.deepEqual(createHmac('sha256', keys.subarray(16)).update(sealed).digest(), signature)
    const decipher = createDecipheriv('aes-128-cbc', keys.subarray(0, 16), sealed.subarray(0, 16))
    return JSON.parse(Buffer.concat([decipher.update(sealed.subarray(16)), decipher.final()]).toString())
  }

  test('contains the claims and the time, under an IV of its own', async () => {
    const claims = { email: 'jürgen@example.com', password: 'a long password', remote_ip: '192.0.2.1' }
    const [first, second] = await Promise.all([createLoginToken(secret, claims), createLoginToken(secret, claims)])
    assert.notEqual(first.slice(0, 20), second.slice(0, 20))
    const { created_at, ...rest } = open(first)
    assert.deepEqual(rest, claims)
    assert.ok(Math.abs(Date.parse(String(created_at)) - Date.now()) < 60_000)
  })

  test('keeps the time that it is given', async () => {
    const claims = { customer_token: 'TNFEQBBVTEDXLUPN', created_at: '2024-06-10T09:30:00+00:00' }
    assert.deepEqual(open(await createLoginToken(secret, claims)), claims)
  })
})

describe('verifyLicenseFile', () => {
  const DAY = 86_400
  const issuedAt = NOW.getTime() / 1000
  const later = (seconds: number) => new Date(NOW.getTime() + seconds * 1000)

  async function createKey() {
    const { publicKey, privateKey } = await generateKeyPair('EdDSA')
    const jwk = await exportJWK(publicKey)
    return { privateKey, jwk: { ...jwk, kid: await calculateJwkThumbprint(jwk), alg: 'EdDSA', use: 'sig' } }
  }
  const keys = Promise.all([createKey(), createKey()])

  const LICENSE: LicenseFile['license'] = {
    title: 'Rental',
    drm: 1,
    actions: { play: true, export: false, burn: false, print: true },
    pages_per_print: 5,
    delete_on_clock_rollback: 0,
    disable_on_clock_rollback: 1,
    protection: { play_prot_level_digital: 200 },
  }

  async function sign({ license = {}, header = {}, ...claims }: Record<string, unknown> = {}) {
    const [{ privateKey, jwk }] = await keys
    const times = { iat: issuedAt, nbf: issuedAt, exp: issuedAt + 30 * DAY }
    const file = { sub: 'TNFEQBBVTEDXLUPN', device: 'd-1', license: { ...LICENSE, ...(license as object) } }
    return new SignJWT({ ...times, ...file, ...claims })
      .setProtectedHeader({ alg: 'EdDSA', typ: 'license+jwt', kid: jwk.kid, ...(header as object) })
      .sign(privateKey)
  }

  async function check(jws: string, given: LicenseFileOptions = {}) {
    const [{ jwk }] = await keys
    return verifyLicenseFile(jws, { jwks: { keys: [jwk] }, device: 'd-1', now: later(DAY), ...given })
  }

  async function assertRefused(reason: string, jws: string, given?: LicenseFileOptions, isFinal = false) {
    const { lastSeen: _lastSeen, ...decision } = await check(jws, given)
    assert.deepEqual(decision, { allowed: false, reason, isFinal })
  }

  test('allows what the file allows, and returns its content and the time to store', async () => {
    const decision = await check(await sign())
    assert.ok(decision.allowed)
    assert.deepEqual(decision.license.license, LICENSE)
    assert.equal(decision.lastSeen, issuedAt + DAY)
    assert.equal((await check(await sign(), { action: 'print', pages: 5 })).allowed, true)
    assert.equal((await check(await sign({ device: null }))).allowed, true)
  })

  test('tells each refusal by its code', async () => {
    const jws = await sign()
    await assertRefused('expired', jws, { now: later(30 * DAY) })
    assert.equal((await check(jws, { now: later(30 * DAY - 1) })).allowed, true)
    await assertRefused('not_yet_valid', jws, { now: later(-301) })
    assert.equal((await check(jws, { now: later(-300) })).allowed, true)
    await assertRefused('wrong_device', jws, { device: 'd-2' }, true)
    await assertRefused('play_not_allowed', await sign({ license: { actions: { ...LICENSE.actions, play: false } } }))
    await assertRefused('export_not_allowed', jws, { action: 'export' })
    await assertRefused('too_many_pages', jws, { action: 'print', pages: 6 })
  })

  test('refuses a file that was altered', async () => {
    const [head, body = '', signature] = (await sign()).split('.')
    const claims = JSON.parse(Buffer.from(body, 'base64url').toString())
    const longer = Buffer.from(JSON.stringify({ ...claims, exp: claims.exp + DAY })).toString('base64url')
    await assertRefused('altered', `${head}.${longer}.${signature}`, {}, true)
    const [, { jwk: other }] = await keys
    const [{ jwk }] = await keys
    await assertRefused('altered', await sign(), { jwks: { keys: [{ ...other, kid: jwk.kid }] } }, true)
  })

  test('refuses what is no license file, whoever has signed it', async () => {
    const [head, body, signature] = (await sign()).split('.')
    const none = Buffer.from('{"alg":"none","typ":"license+jwt"}').toString('base64url')
    const others = ['', '..', 'a.b.c', `${none}.${body}.`, `${head}.${body}`, `${head}.${body}.${signature}.x`]
    for (const jws of [...others, 'x'.repeat(1_000_000), await sign({ header: { typ: 'other+jwt' } })])
      await assertRefused('malformed', jws, {}, true)
  })

  test('reads the keys of the service if the key is not among the stored ones', async () => {
    const [{ jwk }, { jwk: other }] = await keys
    const jws = await sign()
    const jwks = { keys: [other] }
    await assertRefused('unknown_key', jws, { jwks })
    assert.equal((await check(jws, { jwks, fetchJwks: async () => ({ keys: [other, jwk] }) })).allowed, true)
    await assertRefused('unknown_key', jws, { jwks, fetchJwks: () => Promise.reject(new Error('offline')) })
    const withStored = await check(jws, { fetchJwks: () => assert.fail('the key is there') })
    assert.equal(withStored.allowed, true)
  })

  test('notices a clock that was set back, if the license minds', async () => {
    const { lastSeen } = await check(await sign())
    const now = later(DAY - 301)
    const setBack = await check(await sign(), { lastSeen, now })
    // What was seen is not forgotten, so that the next check refuses too.
    assert.deepEqual(setBack, { allowed: false, reason: 'clock_set_back', isFinal: false, lastSeen })
    assert.equal((await check(await sign(), { lastSeen, now: later(DAY - 300) })).allowed, true)
    await assertRefused(
      'clock_set_back',
      await sign({ license: { delete_on_clock_rollback: 1 } }),
      { lastSeen, now },
      true,
    )
    for (const license of [{ disable_on_clock_rollback: 0 }, { drm: 0 }])
      assert.equal((await check(await sign({ license }), { lastSeen, now })).allowed, true)
  })

  // Apps read these values from places that may be damaged, and JavaScript compares NaN and texts without an error.
  test('allows nothing without a time, and never returns one that cannot be stored', async () => {
    const jws = await sign({ license: { disable_on_clock_rollback: 0 } })
    const unreadable: unknown[] = [Number.NaN, Number.POSITIVE_INFINITY, 'never', String(issuedAt), {}]
    for (const lastSeen of unreadable) {
      const decision = await check(jws, { lastSeen: lastSeen as number })
      assert.deepEqual(decision, {
        allowed: false,
        reason: 'clock_invalid',
        isFinal: false,
        lastSeen: issuedAt + DAY,
      })
    }
    const stored = { lastSeen: issuedAt + DAY }
    const withoutTime = { allowed: false, reason: 'clock_invalid', isFinal: false }
    assert.deepEqual(await check(jws, { ...stored, now: new Date(Number.NaN) }), { ...withoutTime, ...stored })
    const nothing = { now: new Date(Number.NaN), lastSeen: Number.NaN }
    assert.deepEqual(await check(jws, nothing), { ...withoutTime, lastSeen: 0 })
    await assertRefused('malformed', 'a.b.c', nothing, true)
  })

  test('knows no key in a set that is damaged', async () => {
    const jws = await sign()
    for (const text of ['{}', '{"keys":null}', '{"keys":{}}', '{"keys":[null,1,"x"]}', '[]', 'null', '"x"']) {
      const jwks = JSON.parse(text)
      await assertRefused('unknown_key', jws, { jwks })
      await assertRefused('unknown_key', jws, { jwks: { keys: [] }, fetchJwks: async () => jwks })
    }
  })
})
