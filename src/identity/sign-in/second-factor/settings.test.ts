import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { createVault } from '#platform/identity/vault.ts'
import { PASSWORD, type Shop, useService } from '#test/harness.ts'
import {
  ownerOf,
  recoveryCodesOn,
  secretOn,
  signedIn,
  toNextStep,
  tryToSignIn,
  turnOnSecondFactor,
} from '#test/people.ts'
import { secondFactorsOf } from '#test/second-factors.ts'
import { auditOf, mailsTo } from '#test/users.ts'
import { csrfTokenOn, visit } from '#test/visitor.ts'

const service = useService({ trustProxy: ['127.0.0.1'] })
before(() => service.clock.stop())
const { scene, tryCode, codeNow, factorOf, codesOf } = secondFactorsOf(service)

const SETTINGS = '/account/second-factor'
const STEP = '/sign-in/second-factor'

const actions = async (shop: Shop) => (await auditOf(service, shop)).map(({ action }) => action)

describe('setting up a second factor', () => {
  test('requires the password, shows a secret, and is inactive until a code was right', async () => {
    const shop = await service.openShop()
    const visitor = await signedIn(service, shop)
    await visitor.get(SETTINGS)
    assert.equal((await visitor.submit(SETTINGS, { current_password: 'wrong' })).status, 422)
    assert.equal(await factorOf(shop), undefined)
    await visitor.get(SETTINGS)
    const page = await visitor.submit(SETTINGS, { current_password: PASSWORD })
    const secret = secretOn(page)
    assert.match(page.text, /class="qr"[^<]*<svg/)
    assert.equal((await tryToSignIn(visit(service.url), await ownerOf(service, shop))).location, '/admin')
    for (const code of ['000000', '', 'abcdef', codeNow(secret, 90), codeNow(secret, -90)]) {
      const again = await visitor.submit(SETTINGS, { code })
      assert.equal(again.status, 422, code)
      assert.equal(secretOn(again), secret)
    }
    assert.equal((await factorOf(shop))?.confirmed_at, null)
    assert.equal((await codesOf(shop)).length, 0)
    const code = codeNow(secret)
    const done = await visitor.submit(SETTINGS, { code: ` ${code.slice(0, 3)} ${code.slice(3)}` })
    assert.equal(done.status, 200)
    assert.equal(new Set(recoveryCodesOn(done)).size, 10)
    assert.deepEqual((await actions(shop)).slice(-2), ['second factor turned on', 'recovery codes made'])
  })

  test('shows secret and recovery codes once', async () => {
    const { visitor, secret, recoveryCodes } = await scene()
    const page = await visitor.get(SETTINGS)
    for (const shown of [secret, secret.slice(0, 4), ...recoveryCodes]) assert.ok(!page.text.includes(shown))
    assert.match(page.text, /\b10\b/)
  })

  test('starts again with another secret, and the previous one does not work', async () => {
    const shop = await service.openShop()
    const visitor = await signedIn(service, shop)
    const secrets = []
    for (let tries = 0; tries < 2; tries += 1) {
      await visitor.get(SETTINGS)
      secrets.push(secretOn(await visitor.submit(SETTINGS, { current_password: PASSWORD })))
    }
    const [first = '', second = ''] = secrets
    assert.notEqual(first, second)
    assert.equal((await visitor.submit(SETTINGS, { code: codeNow(first) })).status, 422)
    assert.equal((await visitor.submit(SETTINGS, { code: codeNow(second) })).status, 200)
  })

  test('succeeds once for two confirmations at once', async () => {
    const shop = await service.openShop()
    const visitor = await signedIn(service, shop)
    await visitor.get(SETTINGS)
    const page = await visitor.submit(SETTINGS, { current_password: PASSWORD })
    const code = codeNow(secretOn(page))
    const _csrf = csrfTokenOn(page)
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => visitor.post(SETTINGS, { _csrf, change: 'confirm', code })),
    )
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 303, 303, 303, 303])
    assert.equal((await codesOf(shop)).length, 10)
    assert.equal((await actions(shop)).filter((action) => action === 'second factor turned on').length, 1)
  })

  test('cannot be done again while it is on', async () => {
    const { shop, visitor, secret } = await scene()
    const sealed = (await factorOf(shop))?.sealed_secret
    await visitor.get(SETTINGS)
    const page = await visitor.submit(SETTINGS, { change: 'prepare', current_password: PASSWORD })
    assert.ok(!page.text.includes('class="qr"'))
    assert.deepEqual((await factorOf(shop))?.sealed_secret, sealed)
    assert.equal((await tryCode(shop, codeNow(secret))).location, '/admin')
  })

  test('is the only way to recovery codes', async () => {
    const shop = await service.openShop()
    const visitor = await signedIn(service, shop)
    for (const [change, step] of [
      ['', ''],
      ['change', 'renew'],
      ['x', 'x'],
    ] as const) {
      await visitor.get(SETTINGS)
      const answer = await visitor.submit(SETTINGS, { change, step, current_password: PASSWORD })
      assert.equal(answer.location, SETTINGS)
    }
    await visitor.get(SETTINGS)
    await visitor.submit(SETTINGS, { step: 'off', change: 'change', current_password: PASSWORD })
    assert.equal((await codesOf(shop)).length, 0)
    assert.ok(!(await actions(shop)).some((action) => /recovery|second factor/.test(action)))
  })
})

describe('changing a second factor', () => {
  test('requires the password, with the usual limit of attempts', async () => {
    const { shop, visitor } = await scene()
    for (const step of ['off', 'renew', 'off', 'renew', 'off']) {
      await visitor.get(SETTINGS)
      assert.equal((await visitor.submit(SETTINGS, { step, current_password: 'wrong' })).status, 422)
    }
    await visitor.get(SETTINGS)
    const waiting = await visitor.submit(SETTINGS, { step: 'off', current_password: PASSWORD })
    assert.deepEqual([waiting.status, waiting.headers.get('retry-after')], [429, '1'])
    assert.ok((await factorOf(shop))?.confirmed_at)
    service.clock.advance(1)
    await visitor.get(SETTINGS)
    assert.equal((await visitor.submit(SETTINGS, { step: 'off', current_password: PASSWORD })).status, 200)
    assert.equal(await factorOf(shop), undefined)
    assert.equal((await codesOf(shop)).length, 0)
    assert.equal((await actions(shop)).at(-1), 'second factor turned off')
    assert.equal((await tryToSignIn(visit(service.url), await ownerOf(service, shop))).location, '/admin')
  })

  test('returns new recovery codes and ends the old ones', async () => {
    const { shop, visitor, recoveryCodes } = await scene()
    await visitor.get(SETTINGS)
    const page = await visitor.submit(SETTINGS, { step: 'renew', current_password: PASSWORD })
    const renewed = recoveryCodesOn(page)
    assert.equal(renewed.length, 10)
    assert.ok(!renewed.some((code) => recoveryCodes.includes(code)))
    assert.equal((await actions(shop)).at(-1), 'recovery codes made')
    assert.equal((await tryCode(shop, recoveryCodes[0] ?? '')).status, 422)
    assert.equal((await tryCode(shop, renewed[0] ?? '')).location, '/admin')
  })

  test('is refused for an unknown action', async () => {
    const { shop, visitor } = await scene()
    const before = [await factorOf(shop), await codesOf(shop)]
    for (const step of ['', 'x', 'OFF']) {
      await visitor.get(SETTINGS)
      assert.equal((await visitor.submit(SETTINGS, { step, current_password: PASSWORD })).location, SETTINGS)
    }
    assert.deepEqual([await factorOf(shop), await codesOf(shop)], before)
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
    assert.equal((await visitor.get(SETTINGS)).status, 200)
    assert.equal((await visitor.submit(SETTINGS, { step: 'off', current_password: PASSWORD })).status, 200)
    const again = await turnOnSecondFactor(service, visitor)
    service.clock.advance(30)
    assert.equal((await tryCode(shop, codeNow(again.secret))).location, '/admin')
  })

  test('that was sealed with another key before it was confirmed can be created again', async () => {
    const shop = await service.openShop()
    const visitor = await signedIn(service, shop)
    await visitor.get(SETTINGS)
    const secret = secretOn(await visitor.submit(SETTINGS, { current_password: PASSWORD }))
    const sealed_secret = createVault('the secret of another installation').seal('second factors', secret)
    await service.db
      .updateTable('second_factors')
      .set({ sealed_secret })
      .where('company_id', '=', shop.companyId)
      .execute()
    assert.equal((await visitor.submit(SETTINGS, { code: codeNow(secret) })).location, SETTINGS)
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
