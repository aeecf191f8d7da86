import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { deleteOldSessions } from '#identity/users/sessions/commands.ts'
import { statementCount } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { adminPage } from '#test/admin.ts'
import { PASSWORD, type Shop, useService } from '#test/harness.ts'
import { aMember, codeAt, isIn, ownerOf, signedIn, signOut, tryToSignIn, turnOnSecondFactor } from '#test/people.ts'
import { type Visitor, visit } from '#test/visitor.ts'

const service = useService()
const HOUR = 3600
const DAY = 24 * HOUR

const rowsOf = ({ companyId }: Shop) =>
  service.db.selectFrom('sessions').selectAll().where('company_id', '=', companyId).orderBy('created_at').execute()

/** Browsers in which the owner of a shop is signed in. */
async function scene(browsers: number) {
  const shop = await service.openShop()
  const visitors: Visitor[] = []
  for (let each = 0; each < browsers; each += 1) visitors.push(await signedIn(service, shop))
  for (const visitor of visitors) assert.ok(await isIn(visitor))
  return { shop, visitors, owner: await ownerOf(service, shop) }
}

describe('a session ends', () => {
  test('after twelve hours without use', async () => {
    const { visitors } = await scene(2)
    const [idle, used] = visitors as [Visitor, Visitor]
    service.clock.advance(6 * HOUR)
    assert.ok(await isIn(used))
    service.clock.advance(6 * HOUR - 5)
    assert.ok(await isIn(used))
    service.clock.advance(6)
    assert.ok(await isIn(used))
    const answer = await idle.get('/admin')
    assert.equal(answer.location, '/sign-in?return_to=%2Fadmin')
    service.clock.advance(12 * HOUR - 60)
    assert.ok(await isIn(used))
  })

  test('after thirty days, even if it is in use', async () => {
    const { visitors, shop } = await scene(1)
    const [visitor] = visitors as [Visitor]
    const before = (await rowsOf(shop))[0]!.created_at.getTime()
    for (let hours = 11; hours < 30 * 24; hours += 11) {
      service.clock.advance(11 * HOUR)
      assert.ok(await isIn(visitor), `after ${hours} hours`)
    }
    const [row] = await rowsOf(shop)
    assert.equal(row!.expires_at.getTime(), before + 30 * DAY * 1000)
    service.clock.advance((row!.expires_at.getTime() - service.clock.now().getTime()) / 1000 - 10)
    assert.ok(await isIn(visitor))
    service.clock.advance(11)
    assert.ok(!(await isIn(visitor)))
  })

  test('at sign-out, and the others continue', async () => {
    const { visitors } = await scene(2)
    const [one, other] = visitors as [Visitor, Visitor]
    const token = one.cookies.get('licet_session')!
    const answer = await signOut(one)
    assert.equal(answer.location, '/sign-in?told=out')
    assert.equal(one.cookies.has('licet_session'), false)
    one.cookies.set('licet_session', token)
    assert.ok(!(await isIn(one)), 'a kept cookie opens nothing')
    assert.ok(await isIn(other))
  })

  test('in all browsers when its user requests it, and the browsers are forgotten', async () => {
    const { visitors, shop } = await scene(3)
    const stranger = (await scene(1)).visitors[0]!
    const [one] = visitors as [Visitor]
    const member = await aMember(service, shop)
    const token = one.cookies.get('licet_session')!
    const answer = await adminPage(service, one).delete('/sessions.json?including_this=1')
    assert.equal(answer.status, 200)
    assert.match(answer.headers.getSetCookie().join(), /^licet_session=; Max-Age=0/)
    one.cookies.set('licet_session', token)
    for (const visitor of visitors) assert.ok(!(await isIn(visitor)))
    for (const visitor of [stranger, member.visitor]) assert.ok(await isIn(visitor))
    const browsers = await service.db
      .selectFrom('known_browsers')
      .select('user_id')
      .where('company_id', '=', shop.companyId)
      .execute()
    assert.deepEqual(browsers, [{ user_id: member.id }])
  })

  test('in all other browsers when the password is changed', async () => {
    const { visitors } = await scene(3)
    const [one, ...others] = visitors as [Visitor, Visitor, Visitor]
    const password = { current_password: PASSWORD, password: 'another one' }
    assert.equal((await adminPage(service, one).put('/password.json', { password })).status, 200)
    assert.ok(await isIn(one))
    for (const visitor of others) assert.ok(!(await isIn(visitor)))
  })

  test('everywhere else when its user requests it, and goes on here', async () => {
    const { visitors } = await scene(3)
    const [one, ...others] = visitors as [Visitor, Visitor, Visitor]
    const { sessions } = (await adminPage(service, one).get('/sessions.json')).body
    assert.deepEqual(sessions.map(({ current }: { current: boolean }) => current).sort(), [false, false, true])
    assert.equal((await adminPage(service, one).delete('/sessions.json')).status, 200)
    assert.ok(await isIn(one))
    for (const visitor of others) assert.ok(!(await isIn(visitor)))
  })

  test('in this browser when the admin interface signs out', async () => {
    const { visitors } = await scene(2)
    const [one, other] = visitors as [Visitor, Visitor]
    const answer = await adminPage(service, one).delete('/session.json')
    assert.deepEqual([answer.status, answer.body], [200, {}])
    assert.match(answer.headers.getSetCookie().join(), /^licet_session=; Max-Age=0/)
    assert.ok(!(await isIn(one)))
    assert.ok(await isIn(other))
  })

  test('when its user is disabled, at once, and does not come back', async () => {
    const { shop } = await scene(1)
    const member = await aMember(service, shop)
    assert.ok(await isIn(member.visitor))
    await shop.put(`/api/users/${member.id}.json`, { user: { state: 'disabled' } })
    assert.ok(!(await isIn(member.visitor)))
    await shop.put(`/api/users/${member.id}.json`, { user: { state: 'enabled' } })
    assert.ok(!(await isIn(member.visitor)))
    const again = visit(service.url)
    assert.equal((await tryToSignIn(again, member)).location, '/admin')
    await service.db.updateTable('users').set({ state: 'disabled' }).where('id', '=', member.id).execute()
    assert.ok(!(await isIn(again)), 'the session of a disabled user works')
  })

  test('ten minutes after its start without the second factor', async () => {
    const { visitors, owner } = await scene(1)
    const { secret } = await turnOnSecondFactor(service, visitors[0]!)
    const visitor = visit(service.url)
    await tryToSignIn(visitor, owner)
    service.clock.advance(590)
    assert.equal((await visitor.get('/sign-in/second-factor')).status, 200, 'looking at the page does not prolong it')
    service.clock.advance(11)
    const answer = await visitor.submit('/sign-in/second-factor', { code: codeAt(secret, service.clock.now()) })
    assert.equal(answer.status, 403)
    assert.equal((await visitor.get('/sign-in/second-factor')).location, '/sign-in')
  })
})

describe('the record of sessions', () => {
  test('is deleted when a session has ended, and not before', async () => {
    const { shop, visitors } = await scene(2)
    service.clock.advance(11 * HOUR)
    assert.ok(await isIn(visitors[1]!))
    service.clock.advance(2 * HOUR)
    await inTransaction(service.db, (tx) => deleteOldSessions(tx, service.clock.now()))
    assert.equal((await rowsOf(shop)).length, 1)
    assert.ok(await isIn(visitors[1]!))
    const browsers = () =>
      service.db.selectFrom('known_browsers').select('seen_at').where('company_id', '=', shop.companyId).execute()
    assert.equal((await browsers()).length, 2)
    service.clock.advance(364 * DAY)
    await inTransaction(service.db, (tx) => deleteOldSessions(tx, service.clock.now()))
    assert.equal((await browsers()).length, 2)
    service.clock.advance(2 * DAY)
    await inTransaction(service.db, (tx) => deleteOldSessions(tx, service.clock.now()))
    assert.equal((await browsers()).length, 0)
  })

  test('has one known browser for each, which the next sign-in there renews', async () => {
    const { shop, visitors, owner } = await scene(1)
    const [visitor] = visitors as [Visitor]
    const browsers = () =>
      service.db.selectFrom('known_browsers').selectAll().where('company_id', '=', shop.companyId).execute()
    const [before] = await browsers()
    const token = visitor.cookies.get('licet_browser')
    service.clock.advance(DAY)
    const answer = await tryToSignIn(visitor, owner)
    assert.equal(visitor.cookies.get('licet_browser'), token)
    assert.match(answer.headers.getSetCookie().join('\n'), /licet_browser=[^\n]*Max-Age=31536000/)
    const after = await browsers()
    assert.equal(after.length, 1)
    assert.ok(after[0]!.seen_at.getTime() >= before!.seen_at.getTime() + DAY * 1000)
  })

  test('shows the user the browser and the address', async () => {
    const shop = await service.openShop()
    const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0'
    const visitor = await signedIn(service, shop, { 'user-agent': firefox })
    await signedIn(service, shop, { 'user-agent': '<script>alert(1)</script>' })
    const { body } = await adminPage(service, visitor).get('/sessions.json')
    const shown = body.sessions.map(({ browser, system, address, current }: Record<string, unknown>) => ({
      browser,
      system,
      address,
      current,
    }))
    assert.deepEqual(
      shown.sort((one: { current: boolean }) => (one.current ? -1 : 1)),
      [
        { browser: 'Firefox', system: 'Linux', address: '127.0.0.1', current: true },
        { browser: null, system: null, address: '127.0.0.1', current: false },
      ],
    )
  })
})

describe('viewing pages', () => {
  test('writes the last use at most every five minutes, also for requests at once', async () => {
    const { shop, visitors } = await scene(1)
    const [visitor] = visitors as [Visitor]
    await sql`create table touches (at timestamptz)`.execute(service.db)
    await sql`create function note_touch() returns trigger language plpgsql as
      $$ begin insert into touches values (new.seen_at); return new; end $$`.execute(service.db)
    await sql`create trigger note_touch after update on sessions for each row execute function note_touch()`.execute(
      service.db,
    )
    const touches = async () => (await sql`select at from touches`.execute(service.db)).rows.length
    service.clock.advance(290)
    assert.ok(await isIn(visitor))
    assert.equal(await touches(), 0)
    service.clock.advance(20)
    await Promise.all(Array.from({ length: 8 }, () => isIn(visitor)))
    assert.equal(await touches(), 1)
    for (let times = 0; times < 3; times += 1) assert.ok(await isIn(visitor))
    assert.equal(await touches(), 1)
    assert.ok((await rowsOf(shop))[0]!.seen_at.getTime() > service.clock.now().getTime() - 60_000)
  })

  // The minimum of several runs: the first may use a connection without prepared statements.
  async function statementsOf(visitor: Visitor, path: string): Promise<number> {
    const counts: number[] = []
    for (let tries = 0; tries < 3; tries += 1) {
      const before = statementCount()
      assert.equal((await visitor.get(path)).status, 200, path)
      counts.push(statementCount() - before)
    }
    return Math.min(...counts)
  }

  test('costs few statements', async () => {
    const { visitors } = await scene(1)
    const [visitor] = visitors as [Visitor]
    const stranger = visit(service.url)
    const css = /href="(\/assets\/[^"]+)"/.exec((await stranger.get('/sign-in')).text)?.[1] ?? ''
    const costs: [Visitor, string, number][] = [
      [stranger, '/sign-in', 0],
      [stranger, '/reset', 0],
      [stranger, css, 0],
      [visitor, css, 0],
      [visitor, '/admin', 1],
      [visitor, '/admin/api/session.json', 5],
      [visitor, '/admin/api/sessions.json', 2],
      [visitor, '/admin/api/second_factor.json', 3],
      // How many customers use each app is counted on its own.
      [visitor, '/admin/api/app_permissions.json', 3],
    ]
    for (const [who, path, cost] of costs) assert.equal(await statementsOf(who, path), cost, path)
  })
})
