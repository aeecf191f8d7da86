import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { createVault } from '#platform/identity/vault.ts'
import { adminPage } from '#test/admin.ts'
import { PASSWORD, type Shop, useService } from '#test/harness.ts'
import { ownerOf, signedIn, toNextStep, tryToSignIn, turnOnSecondFactor } from '#test/people.ts'
import { secondFactorsOf } from '#test/second-factors.ts'
import { auditOf, mailsTo } from '#test/users.ts'
import { type Visitor, visit } from '#test/visitor.ts'

const service = useService({ trustProxy: ['127.0.0.1'] })
before(() => service.clock.stop())
const { scene, tryCode, codeNow, factorOf, codesOf } = secondFactorsOf(service)

const FACTOR = '/second_factor.json'
const STEP = '/sign-in/second-factor'

const actions = async (shop: Shop) => (await auditOf(service, shop)).map(({ action }) => action)

const withPassword = (current_password = PASSWORD) => ({ second_factor: { current_password } })
const prepare = (visitor: Visitor, password?: string) =>
  adminPage(service, visitor).post(FACTOR, withPassword(password))
const confirm = (visitor: Visitor, code: string) =>
  adminPage(service, visitor).post('/second_factor/turn_on.json', { second_factor: { code } })
const renew = (visitor: Visitor, password?: string) =>
  adminPage(service, visitor).post('/second_factor/recovery_codes.json', withPassword(password))
const turnOff = (visitor: Visitor, password?: string) =>
  adminPage(service, visitor).post('/second_factor/turn_off.json', withPassword(password))

describe('setting up a second factor', () => {
  test('requires the password, shows a secret, and is inactive until a code was right', async () => {
    const shop = await service.openShop()
    const visitor = await signedIn(service, shop)
    assert.equal((await prepare(visitor, 'wrong')).body.reason, 'current_password_wrong')
    assert.equal(await factorOf(shop), undefined)
    const { status, body, headers } = await prepare(visitor)
    assert.equal(status, 201)
    assert.equal(headers.get('cache-control'), 'private, no-store')
    const { secret, qr_code } = body.second_factor
    assert.match(qr_code, /^<svg/)
    assert.equal((await tryToSignIn(visit(service.url), await ownerOf(service, shop))).location, '/admin')
    for (const code of ['000000', '', 'abcdef', codeNow(secret, 90), codeNow(secret, -90)])
      assert.equal((await confirm(visitor, code)).body.reason, 'second_factor_code_wrong', code)
    assert.equal((await factorOf(shop))?.confirmed_at, null)
    assert.equal((await codesOf(shop)).length, 0)
    const code = codeNow(secret)
    const done = await confirm(visitor, ` ${code.slice(0, 3)} ${code.slice(3)}`)
    assert.equal(done.status, 200)
    assert.equal(new Set(done.body.recovery_codes).size, 10)
    assert.deepEqual((await actions(shop)).slice(-2), ['second factor turned on', 'recovery codes made'])
  })

  test('shows secret and recovery codes once', async () => {
    const { visitor, secret, recoveryCodes } = await scene()
    const { text, body } = await adminPage(service, visitor).get(FACTOR)
    for (const shown of [secret, secret.slice(0, 4), ...recoveryCodes]) assert.ok(!text.includes(shown))
    assert.deepEqual(body.second_factor, { enabled: true, recovery_codes: 10 })
  })

  test('starts again with another secret, and the previous one does not work', async () => {
    const visitor = await signedIn(service, await service.openShop())
    const [first, second] = [await prepare(visitor), await prepare(visitor)].map(
      ({ body }) => body.second_factor.secret as string,
    )
    assert.notEqual(first, second)
    assert.equal((await confirm(visitor, codeNow(first ?? ''))).status, 422)
    assert.equal((await confirm(visitor, codeNow(second ?? ''))).status, 200)
  })

  test('succeeds once for two confirmations at once', async () => {
    const shop = await service.openShop()
    const visitor = await signedIn(service, shop)
    const code = codeNow((await prepare(visitor)).body.second_factor.secret)
    const answers = await Promise.all(Array.from({ length: 5 }, () => confirm(visitor, code)))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409, 409, 409])
    assert.equal((await codesOf(shop)).length, 10)
    assert.equal((await actions(shop)).filter((action) => action === 'second factor turned on').length, 1)
  })

  test('cannot be done again while it is on', async () => {
    const { shop, visitor, secret } = await scene()
    const sealed = (await factorOf(shop))?.sealed_secret
    assert.equal((await prepare(visitor)).body.reason, 'second_factor_on')
    assert.deepEqual((await factorOf(shop))?.sealed_secret, sealed)
    assert.equal((await tryCode(shop, codeNow(secret))).location, '/admin')
  })

  test('is the only way to recovery codes', async () => {
    const shop = await service.openShop()
    const visitor = await signedIn(service, shop)
    assert.equal((await renew(visitor)).body.reason, 'second_factor_off')
    assert.equal((await confirm(visitor, '000000')).body.reason, 'second_factor_off')
    assert.equal((await turnOff(visitor)).status, 200)
    assert.equal((await codesOf(shop)).length, 0)
    assert.ok(!(await actions(shop)).some((action) => /recovery|second factor/.test(action)))
  })
})

describe('changing a second factor', () => {
  test('requires the password, with the usual limit of attempts', async () => {
    const { shop, visitor } = await scene()
    for (const change of [turnOff, renew, turnOff, renew, prepare])
      assert.equal((await change(visitor, 'wrong')).status, 422)
    const waiting = await turnOff(visitor)
    assert.deepEqual([waiting.status, waiting.headers.get('retry-after')], [429, '1'])
    assert.ok((await factorOf(shop))?.confirmed_at)
    service.clock.advance(1)
    assert.equal((await turnOff(visitor)).status, 200)
    assert.equal(await factorOf(shop), undefined)
    assert.equal((await codesOf(shop)).length, 0)
    assert.equal((await actions(shop)).at(-1), 'second factor turned off')
    assert.equal((await tryToSignIn(visit(service.url), await ownerOf(service, shop))).location, '/admin')
  })

  test('returns new recovery codes and ends the old ones', async () => {
    const { shop, visitor, recoveryCodes } = await scene()
    const { status, body } = await renew(visitor)
    const renewed: string[] = body.recovery_codes
    assert.deepEqual([status, renewed.length], [201, 10])
    assert.ok(!renewed.some((code) => recoveryCodes.includes(code)))
    assert.equal((await actions(shop)).at(-1), 'recovery codes made')
    assert.equal((await tryCode(shop, recoveryCodes[0] ?? '')).status, 422)
    assert.equal((await tryCode(shop, renewed[0] ?? '')).location, '/admin')
  })

  test('keeps no answer for an idempotency key: a secret is in no table', async () => {
    const { visitor } = await scene()
    const headers = { origin: service.url, 'idempotency-key': 'again' }
    const page = adminPage(service, visitor)
    const made = await page.call('POST', '/second_factor/recovery_codes.json', withPassword(), headers)
    assert.equal(made.status, 201)
    const kept = await sql`select t::text as row from idempotency_keys as t`.execute(service.db)
    assert.ok(!JSON.stringify(kept.rows).includes(made.body.recovery_codes[0]))
  })

  test('does not happen at a reset of the password', async () => {
    const { shop, secret } = await scene()
    const { email } = await ownerOf(service, shop)
    const visitor = visit(service.url)
    await visitor.get('/reset')
    await visitor.submit('/reset', { email })
    await service.runJobs()
    const [, path = ''] = /(\/reset\/[\w-]+)\n/.exec((await mailsTo(service, email)).at(-1)?.text ?? '') ?? []
    await visitor.get(path)
    await visitor.submit(path, { password: 'a new password', password_confirmation: 'a new password' })
    const answer = await tryToSignIn(visitor, { email, password: 'a new password' })
    assert.match(answer.location ?? '', /^\/sign-in\/second-factor/)
    await visitor.get(STEP)
    assert.equal((await visitor.submit(STEP, { code: codeNow(secret) })).location, '/admin')
  })
})

describe('the secret of a second factor', () => {
  test('is in no table, and neither is a recovery code', async () => {
    const { secret, recoveryCodes, shop } = await scene()
    const { rows } = await sql<{ name: string }>`
      select table_name as name from information_schema.tables
      where table_schema = 'public' and table_type = 'BASE TABLE'`.execute(service.db)
    assert.ok(rows.some(({ name }) => name === 'second_factors'))
    const [code = ''] = recoveryCodes
    const texts = [secret, secret.toLowerCase(), code, code.replaceAll('-', '')]
    // Bytes are shown as hexadecimal digits.
    const hidden = [...texts, ...texts.map((text) => Buffer.from(text).toString('hex')), base32(secret).toString('hex')]
    for (const { name } of rows) {
      const dump = JSON.stringify(
        (await sql`select t::text as row from ${sql.table(name)} as t`.execute(service.db)).rows,
      )
      for (const text of hidden) assert.ok(!dump.includes(text), `${name} holds ${text}`)
    }
    assert.ok((await factorOf(shop))?.sealed_secret)
  })

  test('that was sealed with another key is refused and logged, and recovery codes still work', async () => {
    const { shop, visitor, secret, recoveryCodes } = await scene()
    const sealed_secret = createVault('the secret of another installation').seal('second factors', secret)
    await service.db
      .updateTable('second_factors')
      .set({ sealed_secret })
      .where('company_id', '=', shop.companyId)
      .execute()
    const answer = await tryCode(shop, codeNow(secret))
    assert.equal(answer.status, 422)
    const id = answer.headers.get('x-request-id') ?? ''
    const line = service.log.map((each) => JSON.parse(each)).find((each) => each.reqId === id && each.level === 50)
    assert.equal(line?.user, shop.userId)
    assert.match(line?.msg ?? '', /another key/)
    assert.equal((await tryCode(shop, recoveryCodes[0] ?? '')).location, '/admin')
    assert.equal((await turnOff(visitor)).status, 200)
    const again = await turnOnSecondFactor(service, visitor)
    service.clock.advance(30)
    assert.equal((await tryCode(shop, codeNow(again.secret))).location, '/admin')
  })

  test('that was sealed with another key before it was confirmed can be created again', async () => {
    const shop = await service.openShop()
    const visitor = await signedIn(service, shop)
    const { secret } = (await prepare(visitor)).body.second_factor
    const sealed_secret = createVault('the secret of another installation').seal('second factors', secret)
    await service.db
      .updateTable('second_factors')
      .set({ sealed_secret })
      .where('company_id', '=', shop.companyId)
      .execute()
    assert.equal((await confirm(visitor, codeNow(secret))).body.reason, 'second_factor_off')
    toNextStep(service)
    await turnOnSecondFactor(service, visitor)
  })
})

/** The bytes that the letters of a secret stand for. */
function base32(text: string): Buffer {
  const bits = [...text].map((letter) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  )
  return Buffer.from((bits.join('').match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}
