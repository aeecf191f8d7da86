import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { adminPage } from '#test/admin.ts'
import { useService } from '#test/harness.ts'
import { isIn, ownerOf, signedIn, signOut, tryToSignIn, turnOnSecondFactor } from '#test/people.ts'
import { secondFactorsOf } from '#test/second-factors.ts'
import { auditOf } from '#test/users.ts'
import { csrfTokenOn, visit } from '#test/visitor.ts'

const service = useService({ trustProxy: ['127.0.0.1'] })
before(() => service.clock.stop())
const { scene, halfIn, tryCode, codeNow } = secondFactorsOf(service)

const STEP = '/sign-in/second-factor'

describe('signing in with a second factor', () => {
  test('accepts the code of the device, with spaces in it, and gives the browser another session', async () => {
    const { shop, secret } = await scene()
    const visitor = await halfIn(shop)
    const half = visitor.cookies.get('licet_session')
    const code = codeNow(secret)
    const answer = await visitor.submit(STEP, {
      code: `${code.slice(0, 3)} ${code.slice(3)} `,
      return_to: '/admin/settings/apps',
    })
    assert.equal(answer.location, '/admin/settings/apps')
    assert.ok(visitor.cookies.has('licet_browser'))
    assert.notEqual(visitor.cookies.get('licet_session'), half)
    assert.ok(await isIn(visitor))
    const thief = visit(service.url)
    thief.cookies.set('licet_session', half ?? '')
    assert.ok(!(await isIn(thief)))
    assert.equal((await thief.get(STEP)).location, '/sign-in')
    const entry = (await auditOf(service, shop)).at(-1)
    assert.deepEqual([entry?.action, entry?.subject], ['signed in', 'with password and code'])
  })

  test('accepts each code once, and no earlier one', async () => {
    const { shop, secret } = await scene()
    const code = codeNow(secret)
    assert.equal((await tryCode(shop, code)).location, '/admin')
    assert.equal((await tryCode(shop, code)).status, 422)
    assert.equal((await tryCode(shop, codeNow(secret, -30))).status, 422)
    service.clock.advance(30)
    assert.equal((await tryCode(shop, code)).status, 422)
    assert.equal((await tryCode(shop, codeNow(secret))).location, '/admin')
  })

  test('does not accept the code that turned it on', async () => {
    const shop = await service.openShop()
    const { secret } = await turnOnSecondFactor(service, await signedIn(service, shop))
    assert.equal((await tryCode(shop, codeNow(secret))).status, 422)
  })

  test('accepts the codes beside the current one, because clocks differ, and none further off', async () => {
    for (const [seconds, isRight] of [
      [-60, false],
      [-30, true],
      [0, true],
      [30, true],
      [60, false],
    ] as const) {
      const { shop, secret } = await scene()
      const answer = await tryCode(shop, codeNow(secret, seconds))
      assert.equal(answer.location === '/admin', isRight, `${seconds} seconds off: ${answer.status}`)
    }
  })

  test('succeeds for one of many requests at once with one code', async () => {
    const { shop, secret } = await scene()
    const visitors = []
    for (let each = 0; each < 5; each += 1) visitors.push(await halfIn(shop))
    const code = codeNow(secret)
    const answers = await Promise.all(visitors.map((visitor) => visitor.submit(STEP, { code })))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [303, 422, 422, 422, 422])
  })

  test('succeeds for one of two requests at once with one first step and a code each', async () => {
    const { shop, secret } = await scene()
    const visitor = await halfIn(shop)
    const _csrf = csrfTokenOn(await visitor.get(STEP))
    const codes = [codeNow(secret, -30), codeNow(secret), codeNow(secret, 30)]
    const answers = await Promise.all(codes.map((code) => visitor.post(STEP, { _csrf, code })))
    assert.equal(answers.filter(({ location }) => location === '/admin').length, 1)
    const entries = (await auditOf(service, shop)).filter(({ subject }) => subject === 'with password and code')
    assert.equal(entries.length, 1)
  })

  test('accepts each recovery code once, in any spelling', async () => {
    const { shop, visitor, recoveryCodes } = await scene()
    const [one = '', two = '', three = ''] = recoveryCodes
    const typed = [one, two.replaceAll('-', ''), ` ${three.toUpperCase().replaceAll('-', ' ')} `]
    for (const code of typed) assert.equal((await tryCode(shop, code)).location, '/admin', code)
    for (const code of typed) assert.equal((await tryCode(shop, code)).status, 422, code)
    const entry = (await auditOf(service, shop)).find(({ subject }) => subject.endsWith('recovery code'))
    assert.equal(entry?.subject, 'with password and recovery code')
    const { body } = await adminPage(service, visitor).get('/second_factor.json')
    assert.deepEqual(body.second_factor, { enabled: true, recovery_codes: 7 })
  })

  test('succeeds for one of many requests at once with one recovery code', async () => {
    const { shop, recoveryCodes } = await scene()
    const visitors = []
    for (let each = 0; each < 5; each += 1) visitors.push(await halfIn(shop))
    const answers = await Promise.all(visitors.map((visitor) => visitor.submit(STEP, { code: recoveryCodes[0] ?? '' })))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [303, 422, 422, 422, 422])
  })

  test("accepts no other user's codes, and nothing that is not a code", async () => {
    const [own, other] = [await scene(), await scene()]
    const codes = [
      other.recoveryCodes[0] ?? '',
      codeNow(other.secret),
      '',
      '-',
      'null',
      '0',
      '１２３４５６',
      'x'.repeat(9000),
    ]
    for (const code of codes) {
      assert.equal((await tryCode(own.shop, code)).status, 422, code.slice(0, 20))
      // Cleared, so that the limit does not refuse the next one.
      service.clock.advance(86_401)
    }
  })

  test('records a wrong code and keeps the first step', async () => {
    const { shop, secret } = await scene()
    const visitor = await halfIn(shop)
    assert.equal((await visitor.submit(STEP, { code: '000000' })).status, 422)
    const entry = (await auditOf(service, shop)).at(-1)
    assert.deepEqual([entry?.action, entry?.subject], ['sign-in refused', 'wrong second factor'])
    assert.equal((await visitor.submit(STEP, { code: codeNow(secret) })).location, '/admin')
  })

  test('makes wrong codes wait after five, from any network', async () => {
    const { shop, secret, recoveryCodes } = await scene()
    for (let tries = 0; tries < 5; tries += 1) assert.equal((await tryCode(shop, '000000')).status, 422)
    for (const code of ['000000', codeNow(secret), recoveryCodes[0] ?? '']) {
      const answer = await tryCode(shop, code)
      assert.equal(answer.status, 429)
      assert.equal(answer.headers.get('retry-after'), '1')
      assert.match(answer.text, /action="\/sign-in\/second-factor"/)
    }
    service.clock.advance(1)
    assert.equal((await tryCode(shop, codeNow(secret))).location, '/admin')
    service.clock.advance(30)
    assert.equal((await tryCode(shop, '000000')).status, 422, 'the right one has cleared the count')
  })

  // Otherwise a person who knows the password could keep the owner out by typing wrong codes.
  test('does not make the owner wait in a known browser', async () => {
    const { shop, visitor, secret } = await scene()
    await signOut(visitor)
    for (let tries = 0; tries < 6; tries += 1) await tryCode(shop, '000000')
    await tryToSignIn(visitor, await ownerOf(service, shop))
    await visitor.get(STEP)
    assert.equal((await visitor.submit(STEP, { code: codeNow(secret) })).location, '/admin')
    const known = await service.db
      .selectFrom('known_browsers')
      .select('user_id')
      .where('company_id', '=', shop.companyId)
      .execute()
    assert.equal(known.length, 1)
  })

  test('redirects users without the first step, and users who are signed in', async () => {
    const { visitor } = await scene()
    for (const each of [visitor, visit(service.url)]) assert.equal((await each.get(STEP)).location, '/sign-in')
  })
})
