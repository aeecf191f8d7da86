import assert from 'node:assert/strict'
import { createDecipheriv, createHash, createHmac } from 'node:crypto'
import { describe, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { createLoginToken, verifyDataChange, verifyWebhook, WebhookVerificationError } from '#client/licet.ts'
import { sealLoginToken } from '#client/login-token.ts'
import type { VerificationFailure } from '#client/webhooks.ts'
import { EXAMPLES } from '#events/topics.ts'

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
