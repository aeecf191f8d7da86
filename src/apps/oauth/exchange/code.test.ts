import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { nowInSeconds } from '#platform/clock.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { useService } from '#test/harness.ts'
import { codeFrom, registerApp, signedIn } from '#test/people.ts'
import { endUnusedCodes } from './commands.ts'

const service = useService()
before(() => service.clock.stop())

const BACK = 'https://app.example.com/back'

async function aCode(more: Record<string, string> = {}) {
  const shop = await service.openShop()
  const app = await registerApp(service, shop, [BACK])
  const code = await codeFrom(await signedIn(service, shop), app, { redirect_uri: BACK, ...more })
  const asStandard = (parameters: Record<string, string>) =>
    exchange({ grant_type: 'authorization_code', code, client_id: app.client_id, ...parameters })
  const asRefresh = (parameters: Record<string, string> = {}) =>
    exchange({ grant_type: 'refresh_token', refresh_token: code, client_id: app.client_id, ...parameters })
  return { shop, app, code, asStandard, asRefresh }
}

const exchange = (parameters: Record<string, string>) =>
  service.call('POST', '/token', {
    body: new URLSearchParams(parameters).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })

async function assertRefused(answer: ReturnType<typeof exchange>): Promise<void> {
  const { status, body } = await answer
  assert.deepEqual([status, body.error], [400, 'invalid_grant'])
}

const runChore = () => inTransaction(service.db, (tx) => endUnusedCodes(tx, nowInSeconds(service.clock)))

describe('the code of the redirect', () => {
  // RFC 9700, 4.8.2: otherwise an attacker strips the challenge from the prompt, and the client does not notice.
  test('is refused with a verifier if the prompt had no challenge, in both flows', async () => {
    const { asStandard, asRefresh } = await aCode()
    const verifier = randomBytes(32).toString('base64url')
    await assertRefused(asStandard({ redirect_uri: BACK, code_verifier: verifier }))
    await assertRefused(asRefresh({ code_verifier: verifier }))
    assert.equal((await asStandard({ redirect_uri: BACK, code_verifier: '' })).status, 200)
  })

  test('needs the verifier if the prompt had a challenge, in both flows', async () => {
    const verifier = randomBytes(32).toString('base64url')
    const code_challenge = createHash('sha256').update(verifier).digest('base64url')
    const { asStandard, asRefresh } = await aCode({ code_challenge, code_challenge_method: 'S256' })
    await assertRefused(asStandard({ redirect_uri: BACK }))
    await assertRefused(asRefresh())
    assert.equal((await asRefresh({ code_verifier: verifier })).status, 200)
  })

  // RFC 6749, 4.1.3. The flow of the API sends no redirect URI.
  test('needs its redirect URI in the standard flow, and none in the flow of the API', async () => {
    const { asStandard, asRefresh } = await aCode()
    await assertRefused(asStandard({}))
    await assertRefused(asStandard({ redirect_uri: '' }))
    await assertRefused(asStandard({ redirect_uri: `${BACK}/` }))
    await assertRefused(asRefresh({ redirect_uri: `${BACK}/` }))
    assert.equal((await asRefresh()).status, 200)
    const other = await aCode()
    assert.equal((await other.asStandard({ redirect_uri: BACK })).status, 200)
  })

  test('works for ten minutes; the refresh tokens after it do not expire', async () => {
    const late = await aCode()
    const inTime = await aCode()
    service.clock.advance(599)
    const { status, body } = await inTime.asRefresh()
    assert.equal(status, 200)
    service.clock.advance(1)
    await assertRefused(late.asRefresh())
    await assertRefused(late.asStandard({ redirect_uri: BACK }))
    service.clock.advance(400 * 86_400)
    const { client_id } = inTime.app
    const later = { grant_type: 'refresh_token', refresh_token: body.refresh_token, client_id }
    assert.equal((await exchange(later)).status, 200)
  })

  test('ends its grant when nobody exchanged it, and uninstalls the app', async () => {
    const lapsed = await aCode()
    const used = await aCode()
    assert.equal((await used.asRefresh()).status, 200)
    const rowsOf = ({ app }: typeof lapsed) =>
      service.db.selectFrom('grants').select('revoked_at').where('app_id', '=', app.id).execute()
    service.clock.advance(590)
    await runChore()
    assert.deepEqual(await rowsOf(lapsed), [{ revoked_at: null }])
    service.clock.advance(20)
    await runChore()
    assert.notDeepEqual(await rowsOf(lapsed), [{ revoked_at: null }])
    assert.deepEqual(await rowsOf(used), [{ revoked_at: null }])
    const events = await service.db
      .selectFrom('events')
      .select('company_id')
      .where('topic', '=', 'app/uninstalled')
      .where('company_id', 'in', [lapsed.shop.companyId, used.shop.companyId])
      .execute()
    assert.deepEqual(events, [{ company_id: lapsed.shop.companyId }])
    await assertRefused(lapsed.asRefresh())
  })
})
