import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import { nowInSeconds } from '#platform/clock.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { eventsOf } from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'
import { codeFrom, registerApp, signedIn, untilRefused } from '#test/people.ts'
import { rotateSecret } from '../apps.commands.ts'

const service = useService()
const BACK = 'https://app.example.com/back'

type Client = { client_id: string; client_secret: string; id: number }

async function codeFor(shop: Shop, app: Client, more: Record<string, string> = {}): Promise<string> {
  return codeFrom(await signedIn(service, shop), app, { redirect_uri: BACK, ...more })
}

/** A shop that has allowed an app. */
async function scene(more?: Record<string, string>) {
  const shop = await service.openShop()
  const app = await registerApp(service, shop, [BACK])
  return { shop, app, code: await codeFor(shop, app, more) }
}

const inQuery = (parameters: Record<string, string>) =>
  service.call('POST', `/token?${new URLSearchParams(parameters)}`)

const inForm = (parameters: Record<string, string>, headers: Record<string, string> = {}) =>
  service.call('POST', '/token', {
    body: new URLSearchParams(parameters).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  })

const refresh = (app: Client, token: string, more: Record<string, string> = {}) => ({
  grant_type: 'refresh_token',
  refresh_token: token,
  client_id: app.client_id,
  ...more,
})

const tokenInfo = async (token: string) => (await service.call('GET', '/api/tokeninfo', { token })).body

const audited = (companyId: number, action: string) =>
  service.db
    .selectFrom('audit_entries')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('action', '=', action)
    .execute()

describe('POST /token', () => {
  test('answers exactly the keys of the API, and each time under two names', async () => {
    const { app, code, shop } = await scene()
    const answer = await inQuery(refresh(app, code))
    assert.equal(answer.status, 200)
    const { body } = answer
    assert.deepEqual(Object.keys(body).sort(), [
      '.expires',
      '.issued',
      'access_token',
      'access_type',
      'as:client_id',
      'expires',
      'expires_in',
      'issued',
      'refresh_token',
      'scope',
      'token_type',
      'userName',
    ])
    assert.match(body.access_token, /^[A-Za-z0-9_-]+$/)
    assert.match(body.refresh_token, /^[A-Za-z0-9_-]+$/)
    assert.notEqual(body.refresh_token, code)
    assert.equal(body.access_type, 'offline')
    assert.equal(body['as:client_id'], app.client_id)
    assert.equal(body.expires_in, 1800)
    assert.equal(body.scope, 'products,orders')
    assert.equal(body.token_type, 'bearer')
    const { email } = await service.db
      .selectFrom('users')
      .select('email')
      .where('id', '=', shop.userId)
      .executeTakeFirstOrThrow()
    assert.equal(body.userName, email)
    assert.equal(body.issued, new Date(body.issued).toUTCString())
    assert.equal(Date.parse(body.expires) - Date.parse(body.issued), 1_800_000)
    assert.equal(body['.issued'], body.issued)
    assert.equal(body['.expires'], body.expires)
    assert.equal(answer.headers.get('cache-control'), 'no-store')
    assert.equal((await service.call('GET', '/api/products.json', { token: body.access_token })).status, 200)
    assert.equal((await service.call('GET', '/api/companies.json', { token: body.access_token })).status, 403)
    assert.equal((await audited(shop.companyId, 'token exchanged')).length, 1)
  })

  test('accepts its parameters in the query, in a form, or in both', async () => {
    const { app, code } = await scene()
    const first = await inForm(refresh(app, code))
    assert.equal(first.status, 200)
    const mixed = await service.call('POST', `/token?grant_type=refresh_token&client_id=${app.client_id}`, {
      body: `refresh_token=${first.body.refresh_token}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    assert.equal(mixed.status, 200)
  })

  test('returns a new refresh token each time, without end', async () => {
    const { app, code } = await scene()
    let token = code
    for (let round = 0; round < 5; round += 1) {
      const { status, body } = await inQuery(refresh(app, token))
      assert.equal(status, 200, `round ${round}`)
      assert.notEqual(body.refresh_token, token)
      token = body.refresh_token
      service.clock.advance(40 * 86_400)
    }
  })

  test('accepts authorization_code from standard clients', async () => {
    const { app, code } = await scene()
    const answer = await inForm({
      grant_type: 'authorization_code',
      code,
      client_id: app.client_id,
      redirect_uri: BACK,
    })
    assert.equal(answer.status, 200)
    const later = await inForm({
      grant_type: 'authorization_code',
      code: answer.body.refresh_token,
      client_id: app.client_id,
    })
    assert.equal(later.body.error, 'invalid_grant')
  })

  test('succeeds once for 50 exchanges of one token at once, and the grant stays', async () => {
    const { app, code, shop } = await scene()
    const answers = await Promise.all(Array.from({ length: 50 }, () => inQuery(refresh(app, code))))
    const good = answers.filter(({ status }) => status === 200)
    assert.equal(good.length, 1)
    for (const { status, body } of answers.filter((answer) => answer.status !== 200)) {
      assert.equal(status, 400)
      assert.equal(body.error, 'invalid_grant')
    }
    assert.equal((await tokenInfo(good[0]?.body.access_token)).issued_to, app.client_id)
    assert.equal((await inQuery(refresh(app, good[0]?.body.refresh_token))).status, 200)
    assert.ok((await audited(shop.companyId, 'token exchange refused')).length > 0)
  })

  // RFC 9700: the second request may come from the true owner or from a thief, which cannot be told apart.
  test('with a token that was used more than a minute ago revokes every token of its grant, and of no other', async () => {
    const { app, code, shop } = await scene()
    const other = (await inQuery(refresh(app, await codeFor(shop, app)))).body
    const first = (await inQuery(refresh(app, code))).body
    const second = (await inQuery(refresh(app, first.refresh_token))).body
    assert.equal((await tokenInfo(second.access_token)).issued_to, app.client_id)
    service.clock.advance(61)
    const replay = await inQuery(refresh(app, code))
    assert.equal(replay.status, 400)
    assert.equal(replay.body.error, 'invalid_grant')
    await untilRefused(service, first.access_token)
    await untilRefused(service, second.access_token)
    assert.equal((await inQuery(refresh(app, second.refresh_token))).body.error, 'invalid_grant')
    assert.equal((await tokenInfo(other.access_token)).issued_to, app.client_id)
  })

  test('with a token that was used before uninstalls an app that has no other grant', async () => {
    const { app, code, shop } = await scene()
    await inQuery(refresh(app, code))
    service.clock.advance(61)
    assert.equal((await inQuery(refresh(app, code))).status, 400)
    const data = { type: 'app', id: String(app.id) }
    assert.deepEqual(await eventsOf(service, shop), [{ topic: 'app/uninstalled', data }])
  })

  // Two pages of one client may renew at once.
  test('with a token that was used within the last minute is refused, and the grant stays', async () => {
    const { app, code } = await scene()
    const first = (await inQuery(refresh(app, code))).body
    for (const seconds of [0, 59]) {
      service.clock.advance(seconds)
      const replay = await inQuery(refresh(app, code))
      assert.deepEqual([replay.status, replay.body.error], [400, 'invalid_grant'])
    }
    assert.equal((await tokenInfo(first.access_token)).issued_to, app.client_id)
    assert.equal((await inQuery(refresh(app, first.refresh_token))).status, 200)
  })

  test('answers a repeated parameter and a wrong media type with invalid_request', async () => {
    const { app, code } = await scene()
    const all = new URLSearchParams(refresh(app, code)).toString()
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    const json = { 'content-type': 'application/json' }
    const wrong: [string, string, string | undefined, Record<string, string>][] = [
      ['twice in the query', `?${all}&refresh_token=${code}`, undefined, {}],
      ['twice in the form', '', `${all}&client_id=${app.client_id}`, form],
      ['in the query and in the form', `?client_id=${app.client_id}`, all, form],
      ['a parameter that is too long', `?${all}&client_secret=${'x'.repeat(1001)}`, undefined, {}],
      ['JSON', '', JSON.stringify(refresh(app, code)), json],
      ['text', '', all, { 'content-type': 'text/plain' }],
      ['an unknown type', `?${all}`, all, { 'content-type': 'application/x-thing' }],
      ['broken JSON', `?${all}`, '{', json],
    ]
    for (const path of ['/token', '/oauth2/revoke'])
      for (const [what, query, body, headers] of wrong) {
        const answer = await service.call('POST', `${path}${query}`, { body, headers })
        assert.deepEqual([answer.status, answer.body.error], [400, 'invalid_request'], `${path} ${what}`)
        assert.deepEqual(Object.keys(answer.body).sort(), ['error', 'error_description'], what)
        assert.equal(answer.headers.get('cache-control'), 'no-store', what)
      }
    // A client that sends all in the query may announce a body that is none.
    const first = await service.call('POST', `/token?${all}`, { body: '', headers: json })
    assert.equal(first.status, 200)
    const next = new URLSearchParams(refresh(app, first.body.refresh_token))
    assert.equal((await service.call('POST', `/token?${next}`, { body: {}, headers: json })).status, 200)
  })

  test('answers every mistake with an error of RFC 6749, and the token still works', async () => {
    const { app, code, shop } = await scene()
    const stranger = await registerApp(service, shop, [BACK])
    const cases: [string, Record<string, string>, number, string][] = [
      ['no grant type', { refresh_token: code, client_id: app.client_id }, 400, 'invalid_request'],
      ['another grant type', refresh(app, code, { grant_type: 'password' }), 400, 'unsupported_grant_type'],
      ['no token', { grant_type: 'refresh_token', client_id: app.client_id }, 400, 'invalid_request'],
      ['no client', { grant_type: 'refresh_token', refresh_token: code }, 400, 'invalid_request'],
      ['an unknown client', refresh(app, code, { client_id: 'nobody' }), 401, 'invalid_client'],
      ['a wrong secret', refresh(app, code, { client_secret: 'wrong' }), 401, 'invalid_client'],
      ['an unknown token', refresh(app, 'x'.repeat(43)), 400, 'invalid_grant'],
      ['another app', refresh(stranger, code), 400, 'invalid_grant'],
      [
        'another redirect URI',
        { grant_type: 'authorization_code', code, client_id: app.client_id, redirect_uri: `${BACK}2` },
        400,
        'invalid_grant',
      ],
    ]
    for (const [what, parameters, status, error] of cases) {
      for (const send of [inQuery, inForm]) {
        const answer = await send(parameters)
        assert.equal(answer.status, status, what)
        assert.equal(answer.body.error, error, what)
        assert.equal(typeof answer.body.error_description, 'string', what)
        assert.deepEqual(Object.keys(answer.body).sort(), ['error', 'error_description'], what)
        assert.equal(answer.headers.get('cache-control'), 'no-store', what)
      }
    }
    const twice = await service.call('POST', `/token?${new URLSearchParams(refresh(app, code))}&refresh_token=x`)
    assert.equal(twice.body.error, 'invalid_request')
    const both = await service.call('POST', `/token?refresh_token=x`, {
      body: new URLSearchParams(refresh(app, code)).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    assert.equal(both.body.error, 'invalid_request')
    const nonsense = await service.call('POST', '/token', {
      body: '{',
      headers: { 'content-type': 'application/json' },
    })
    assert.equal(nonsense.body.error, 'invalid_request')
    const plain = await service.call('POST', '/token', { body: 'x', headers: { 'content-type': 'text/plain' } })
    assert.deepEqual(
      [plain.status, plain.body],
      [
        400,
        {
          error: 'invalid_request',
          error_description: 'the body must be a form (application/x-www-form-urlencoded)',
        },
      ],
    )
    assert.equal((await inQuery(refresh(app, code))).status, 200)
  })

  test('accepts the secret in the body or in the header, and records a wrong one', async () => {
    const { app, code, shop } = await scene()
    const first = await inForm(refresh(app, code, { client_secret: app.client_secret }))
    assert.equal(first.status, 200)
    const basic = (secret: string) => ({
      authorization: `Basic ${Buffer.from(`${app.client_id}:${secret}`).toString('base64')}`,
    })
    const parameters = { grant_type: 'refresh_token', refresh_token: first.body.refresh_token }
    // By then the limit of this address has reset after other tests, so that this refusal is recorded.
    service.clock.advance(86_400)
    const wrong = await inForm(parameters, basic('wrong'))
    assert.equal(wrong.status, 401)
    assert.equal(wrong.headers.get('www-authenticate'), 'Basic realm="licet"')
    const [refused] = await audited(shop.companyId, 'token exchange refused')
    assert.deepEqual([refused?.app_id, refused?.subject], [app.id, 'Shelf: wrong secret'])
    assert.equal((await inForm(parameters, basic(app.client_secret))).status, 200)
  })

  test('accepts both secrets for a while after a rotation', async () => {
    const { app, code, shop } = await scene()
    const actor = { userId: null, origin: { address: 'test', requestId: '' } }
    const newSecret = await inTransaction(service.db, (tx) =>
      rotateSecret(tx, shop.companyId, app.client_id, 3600, service.vault, actor, nowInSeconds(service.clock)),
    )
    const old = await inForm(refresh(app, code, { client_secret: app.client_secret }))
    assert.equal(old.status, 200)
    const next = await inForm(refresh(app, old.body.refresh_token, { client_secret: newSecret }))
    assert.equal(next.status, 200)
    service.clock.advance(3601)
    const late = await inForm(refresh(app, next.body.refresh_token, { client_secret: app.client_secret }))
    assert.equal(late.status, 401)
    assert.equal((await inForm(refresh(app, next.body.refresh_token, { client_secret: newSecret }))).status, 200)
    assert.equal((await audited(shop.companyId, 'app secret rotated')).length, 1)
  })

  test('requires the code verifier if the prompt had a challenge (PKCE)', async () => {
    const verifier = randomBytes(32).toString('base64url')
    const challenge = createHash('sha256').update(verifier).digest('base64url')
    const { app, code } = await scene({ code_challenge: challenge, code_challenge_method: 'S256' })
    for (const wrong of [{}, { code_verifier: '' }, { code_verifier: 'x'.repeat(43) }, { code_verifier: challenge }]) {
      const answer = await inForm(refresh(app, code, wrong as Record<string, string>))
      assert.equal(answer.status, 400)
      assert.equal(answer.body.error, 'invalid_grant')
    }
    const right = await inForm(refresh(app, code, { code_verifier: verifier }))
    assert.equal(right.status, 200)
    assert.equal((await inForm(refresh(app, right.body.refresh_token))).status, 200)
  })

  test('stores only the hash of a token', async () => {
    const { app, code } = await scene()
    const { body } = await inQuery(refresh(app, code))
    const rows = JSON.stringify([
      await service.db.selectFrom('refresh_tokens').selectAll().execute(),
      await service.db.selectFrom('access_tokens').selectAll().execute(),
      await service.db.selectFrom('apps').selectAll().execute(),
      await service.db.selectFrom('audit_entries').selectAll().execute(),
    ])
    for (const secret of [code, body.access_token, body.refresh_token, app.client_secret])
      assert.ok(!rows.includes(secret))
    assert.ok(
      !service.log.some((line) => [code, body.access_token, body.refresh_token].some((each) => line.includes(each))),
    )
  })
})

describe('POST /oauth2/revoke', () => {
  const revoke = (parameters: Record<string, string>) =>
    service.call('POST', '/oauth2/revoke', {
      body: new URLSearchParams(parameters).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })

  test('of a refresh token revokes the grant, and uninstalls the app', async () => {
    const { app, code, shop } = await scene()
    const tokens = (await inQuery(refresh(app, code))).body
    assert.equal((await tokenInfo(tokens.access_token)).issued_to, app.client_id)
    const answer = await revoke({ token: tokens.refresh_token, client_id: app.client_id })
    assert.equal(answer.status, 200)
    assert.equal((await inQuery(refresh(app, tokens.refresh_token))).body.error, 'invalid_grant')
    const events = await service.db
      .selectFrom('events')
      .select(['topic', 'data'])
      .where('company_id', '=', shop.companyId)
      .where('topic', '=', 'app/uninstalled')
      .execute()
    assert.deepEqual(events, [{ topic: 'app/uninstalled', data: { type: 'app', id: String(app.id) } }])
    assert.equal((await audited(shop.companyId, 'token revoked')).length, 1)
  })

  test('of an access token revokes that token alone', async () => {
    const { app, code } = await scene()
    const tokens = (await inQuery(refresh(app, code))).body
    assert.equal((await revoke({ token: tokens.access_token, client_id: app.client_id })).status, 200)
    await untilRefused(service, tokens.access_token)
    assert.equal((await inQuery(refresh(app, tokens.refresh_token))).status, 200)
  })

  test('of an unknown token, or one of another app, changes nothing and reveals nothing', async () => {
    const { app, code, shop } = await scene()
    const other = await registerApp(service, shop, [BACK])
    const tokens = (await inQuery(refresh(app, code))).body
    for (const token of ['unknown', tokens.access_token, tokens.refresh_token])
      assert.equal((await revoke({ token, client_id: other.client_id })).status, 200)
    assert.equal((await tokenInfo(tokens.access_token)).issued_to, app.client_id)
    assert.equal((await inQuery(refresh(app, tokens.refresh_token))).status, 200)
    assert.equal((await revoke({ client_id: app.client_id })).body.error, 'invalid_request')
    assert.equal((await revoke({ token: 'x', client_id: 'nobody' })).status, 401)
  })
})
