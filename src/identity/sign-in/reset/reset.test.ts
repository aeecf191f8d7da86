import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { statementCount } from '#platform/db/database.ts'
import { adminPage } from '#test/admin.ts'
import { PASSWORD, type Shop, useService } from '#test/harness.ts'
import { watchHashing } from '#test/hashing.ts'
import { inLine } from '#test/in-line.ts'
import { aMember, isIn, ownerOf, signedIn, tryToSignIn } from '#test/people.ts'
import { anInvitedUser, auditOf, mailsTo } from '#test/users.ts'
import { type PageAnswer, type Visitor, visit } from '#test/visitor.ts'

const service = useService({ trustProxy: ['127.0.0.1'] })
const hashing = watchHashing()
// A wait of one second would be over if the next second began in the middle of a test.
before(() => service.clock.stop())

const NEW = 'entirely fresh words'
const TYPED = { password: NEW, password_confirmation: NEW }

let addresses = 0
const aVisitor = () => {
  addresses += 1
  return visit(service.url, { 'x-forwarded-for': `198.51.100.${addresses}` })
}

async function ask(email: string, visitor = aVisitor()): Promise<PageAnswer> {
  await visitor.get('/reset')
  return visitor.submit('/reset', { email })
}

/** The path of the link in the last mail to an address. */
async function pathTo(email: string): Promise<string> {
  await service.runJobs()
  const mail = (await mailsTo(service, email)).at(-1)
  const [, path] = /(\/reset\/[\w-]{43})\n/.exec(mail?.text ?? '') ?? []
  assert.ok(path, mail?.text ?? 'no mail')
  return path
}

async function aLink(shop: Shop): Promise<string> {
  const { email } = await ownerOf(service, shop)
  assert.equal((await ask(email)).status, 200)
  return pathTo(email)
}

async function setWith(path: string, typed = TYPED, visitor = aVisitor()): Promise<PageAnswer> {
  await visitor.get(path)
  return visitor.submit(path, typed)
}

const changePassword = (visitor: Visitor, password = NEW) =>
  adminPage(service, visitor).put('/password.json', { password: { current_password: PASSWORD, password } })
const lastEntry = async (shop: Shop) => (await auditOf(service, shop)).at(-1)
const jobs = () => service.db.selectFrom('jobs').selectAll().where('kind', '=', 'send reset link').execute()

/** An answer without its id, its CSRF token, and the address that was typed. */
function comparable({ status, headers, text }: PageAnswer, email: string) {
  const kept = [...headers].filter(([name]) => !['date', 'x-request-id', 'content-length', 'set-cookie'].includes(name))
  return { status, headers: kept, text: text.replaceAll(email, 'EMAIL') }
}

describe('requesting a new password', () => {
  test('answers the same, after the same statements, for known and unknown users', async () => {
    const shop = await service.openShop()
    const owner = await ownerOf(service, shop)
    const invited = await anInvitedUser(shop)
    const disabled = await aMember(service, shop)
    await shop.put(`/api/users/${disabled.id}.json`, { user: { state: 'disabled' } })
    await service.runJobs()
    const answers = []
    await ask('to-warm-up@example.com')
    for (const email of [owner.email, 'nobody@example.com', invited.email, disabled.email]) {
      const visitor = aVisitor()
      await visitor.get('/reset')
      const before = statementCount()
      const answer = await visitor.submit('/reset', { email })
      answers.push({ ...comparable(answer, email), statements: statementCount() - before })
    }
    assert.equal(answers[0]?.status, 200)
    assert.ok((answers[0]?.statements ?? 0) > 3)
    for (const answer of answers) assert.deepEqual(answer, answers[0])
    assert.equal((await jobs()).length, 5)
    await service.runJobs()
    assert.equal((await mailsTo(service, owner.email)).length, 1)
    assert.equal((await mailsTo(service, 'nobody@example.com')).length, 0)
    assert.equal((await mailsTo(service, invited.email)).length, 1, 'the invitation')
    assert.equal((await mailsTo(service, disabled.email)).length, 1, 'the invitation')
  })

  test('sends one mail with a link, to the address as the user has it, and writes an audit entry', async () => {
    const shop = await service.openShop()
    const { email } = await ownerOf(service, shop)
    const answer = await ask(` ${email.toUpperCase()} `)
    assert.equal(answer.status, 200)
    assert.equal((await mailsTo(service, email)).length, 0, 'a job sends it')
    await service.runJobs()
    await service.runJobs()
    const mails = await mailsTo(service, email)
    assert.equal(mails.length, 1)
    assert.equal(mails[0]?.carries_secret, true)
    const entry = await lastEntry(shop)
    assert.deepEqual(
      [entry?.action, entry?.subject, entry?.user_id, entry?.request_id],
      ['password reset asked for', email, shop.userId, answer.headers.get('x-request-id')],
    )
  })

  test('shows an invalid address again, and sends nothing', async () => {
    const before = (await jobs()).length
    for (const email of ['', 'nobody', 'a@b@c', 'a\0@b', `${'x'.repeat(200)}@example.com`]) {
      const answer = await ask(email)
      assert.equal(answer.status, 422, email)
      if (email === 'nobody') assert.match(answer.text, /value="nobody"/)
    }
    assert.equal((await jobs()).length, before)
  })

  test('waits after three mails to one address, known or not, but not for other addresses', async () => {
    const { email } = await ownerOf(service, await service.openShop())
    for (const address of [email, 'somebody@example.com']) {
      for (let times = 0; times < 3; times += 1) assert.equal((await ask(address)).status, 200)
      const answer = await ask(address.toUpperCase())
      assert.equal(answer.status, 429)
      assert.equal(answer.headers.get('retry-after'), '1')
      assert.equal((await ask(`other.${address}`)).status, 200)
    }
    await service.runJobs()
    assert.equal((await mailsTo(service, email)).length, 3)
  })
})

describe('the link of a reset', () => {
  test('sets the password, once, and redirects to sign-in', async () => {
    const shop = await service.openShop()
    const owner = await ownerOf(service, shop)
    const path = await aLink(shop)
    const visitor = aVisitor()
    const page = await visitor.get(path)
    assert.equal(page.status, 200)
    assert.match(page.text, /name="password_confirmation"/)
    const answer = await visitor.submit(path, TYPED)
    assert.equal(answer.location, '/sign-in?told=reset')
    assert.equal((await tryToSignIn(aVisitor(), owner)).status, 422)
    assert.equal((await tryToSignIn(aVisitor(), { ...owner, password: NEW })).location, '/admin')
    const again = await visitor.get(path)
    assert.equal(again.status, 410)
    assert.ok(!again.text.includes('<form'))
    assert.equal((await visitor.post(path, TYPED)).status, 403)
  })

  test('ends all sessions, forgets the browsers, and informs the owner', async () => {
    const shop = await service.openShop()
    const { email } = await ownerOf(service, shop)
    const visitors = [await signedIn(service, shop), await signedIn(service, shop)]
    const member = await aMember(service, shop)
    const path = await aLink(shop)
    // Also in the browser that sets the password, if a user is signed in there.
    const answer = await setWith(path, TYPED, visitors[0])
    assert.equal(visitors[0]?.cookies.has('licet_session'), false)
    for (const visitor of visitors) assert.ok(!(await isIn(visitor)))
    assert.ok(await isIn(member.visitor))
    const known = await service.db
      .selectFrom('known_browsers')
      .select('user_id')
      .where('company_id', '=', shop.companyId)
      .execute()
    assert.deepEqual(known, [{ user_id: member.id }])
    const mail = (await mailsTo(service, email)).at(-1)
    assert.match(mail?.subject ?? '', /was changed/)
    assert.equal(mail?.carries_secret, false)
    const entry = await lastEntry(shop)
    assert.deepEqual(
      [entry?.action, entry?.subject, entry?.user_id, entry?.request_id, entry?.address],
      ['password reset', email, shop.userId, answer.headers.get('x-request-id'), '127.0.0.1'],
    )
  })

  test('ends after an hour, with the next one, with a change of the password, and with its user', async () => {
    const shop = await service.openShop()
    const first = await aLink(shop)
    const second = await aLink(shop)
    assert.equal((await aVisitor().get(first)).status, 410)
    service.clock.advance(3590)
    assert.equal((await aVisitor().get(second)).status, 200)
    service.clock.advance(11)
    assert.equal((await aVisitor().get(second)).status, 410)

    const third = await aLink(shop)
    const owner = await signedIn(service, shop)
    await changePassword(owner)
    assert.equal((await aVisitor().get(third)).status, 410)

    const other = await service.openShop()
    const member = await aMember(service, other)
    await ask(member.email)
    const fourth = await pathTo(member.email)
    await other.put(`/api/users/${member.id}.json`, { user: { state: 'disabled' } })
    assert.equal((await aVisitor().get(fourth)).status, 410)
  })

  test('is answered like an unknown one when it no longer works, and hashes nothing then', async () => {
    const shop = await service.openShop()
    const path = await aLink(shop)
    const visitor = aVisitor()
    await visitor.get(path)
    assert.equal((await setWith(path)).location, '/sign-in?told=reset')
    const before = hashing.count()
    const late = await visitor.submit(path, TYPED)
    assert.equal(late.status, 410)
    const never = await aVisitor().get(`/reset/${'x'.repeat(43)}`)
    assert.deepEqual(comparable(await aVisitor().get(path), path), comparable(never, path))
    for (const odd of ['x', '%00', '..%2f..', 'x'.repeat(1900)])
      assert.equal((await aVisitor().get(`/reset/${odd}`)).status, 410, odd)
    assert.equal(hashing.count(), before)
  })

  test('shows the form again for a password that is too short, too long or typed in two ways', async () => {
    const path = await aLink(await service.openShop())
    const before = hashing.count()
    for (const [password, password_confirmation] of [
      ['1234567', '1234567'],
      ['x'.repeat(65), 'x'.repeat(65)],
      ['📚'.repeat(7), '📚'.repeat(7)],
      [NEW, `${NEW}.`],
      ['', ''],
    ] as const) {
      const answer = await setWith(path, { password, password_confirmation })
      assert.equal(answer.status, 422, password)
      assert.match(answer.text, /aria-invalid="true"/)
      if (password.length > 1) assert.ok(!answer.text.includes(password))
    }
    assert.equal(hashing.count(), before)
    const long = '📚'.repeat(64)
    assert.equal((await setWith(path, { password: long, password_confirmation: long })).location, '/sign-in?told=reset')
  })

  test('is used by one of twenty requests at once', async () => {
    const shop = await service.openShop()
    const path = await aLink(shop)
    const visitors = Array.from({ length: 20 }, aVisitor)
    await Promise.all(visitors.map((visitor) => visitor.get(path)))
    const answers = await Promise.all(
      visitors.map((visitor, index) => {
        const password = `password ${index}`
        return visitor.submit(path, { password, password_confirmation: password })
      }),
    )
    const statuses = answers.map(({ status }) => status)
    assert.equal(statuses.filter((status) => status === 303).length, 1, `${statuses}`)
    assert.equal(statuses.filter((status) => status === 410).length, 19, `${statuses}`)
    const winner = `password ${statuses.indexOf(303)}`
    const { email } = await ownerOf(service, shop)
    assert.equal((await tryToSignIn(aVisitor(), { email, password: winner })).location, '/admin')
    const entries = (await auditOf(service, shop)).filter(({ action }) => action === 'password reset')
    assert.equal(entries.length, 1)
  })
})

// A person who uses the old password while the owner sets a new one must not be signed in afterwards.
describe('a reset wins over what is under way with the old password', () => {
  async function scene() {
    const shop = await service.openShop()
    const path = await aLink(shop)
    const owner = aVisitor()
    await owner.get(path)
    return { shop, reset: () => owner.submit(path, TYPED) }
  }

  async function assertOwnerOnly(shop: Shop): Promise<void> {
    const { email } = await ownerOf(service, shop)
    const sessions = await service.db
      .selectFrom('sessions')
      .select('user_id')
      .where('company_id', '=', shop.companyId)
      .execute()
    assert.deepEqual(sessions, [])
    assert.equal((await tryToSignIn(aVisitor(), { email, password: NEW })).location, '/admin')
  }

  test('a sign-in', async () => {
    const { shop, reset } = await scene()
    const intruder = aVisitor()
    await intruder.get('/sign-in')
    const owner = await ownerOf(service, shop)
    const [done, entry] = await inLine(service, shop, [reset, () => intruder.submit('/sign-in', owner)])
    assert.equal(done?.location, '/sign-in?told=reset')
    assert.equal(entry?.status, 422)
    assert.equal(intruder.cookies.has('licet_session'), false)
    assert.equal((await lastEntry(shop))?.action, 'sign-in refused')
    await assertOwnerOnly(shop)
  })

  test('a change of the password', async () => {
    const { shop, reset } = await scene()
    const intruder = await signedIn(service, shop)
    const mine = async () => (await changePassword(intruder, 'mine now')).body.reason
    const line = await inLine(service, shop, [async () => (await reset()).location, mine])
    assert.deepEqual(line, ['/sign-in?told=reset', 'session_ended'])
    await assertOwnerOnly(shop)
  })

  test('setting up a second factor', async () => {
    const { shop, reset } = await scene()
    const intruder = await signedIn(service, shop)
    const body = { second_factor: { current_password: PASSWORD } }
    const prepare = async () => (await adminPage(service, intruder).post('/second_factor.json', body)).body.reason
    const line = await inLine(service, shop, [async () => (await reset()).location, prepare])
    assert.deepEqual(line, ['/sign-in?told=reset', 'session_ended'])
    await assertOwnerOnly(shop)
  })

  test('and so does disabling a user', async () => {
    const shop = await service.openShop()
    const member = await aMember(service, shop)
    const visitor = aVisitor()
    await visitor.get('/sign-in')
    const disable = async () => {
      const { status } = await shop.put(`/api/users/${member.id}.json`, { user: { state: 'disabled' } })
      return String(status)
    }
    const enter = async () => String((await visitor.submit('/sign-in', member as never)).status)
    const line = await inLine(service, { companyId: shop.companyId, userId: member.id }, [disable, enter])
    assert.deepEqual(line, ['200', '422'])
    assert.equal(visitor.cookies.has('licet_session'), false)
  })

  test('and two changes of one password do not deadlock', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { shop, reset } = await scene()
      const owner = await signedIn(service, shop)
      const [one, other] = await Promise.all([reset(), changePassword(owner)])
      assert.ok([303, 410].includes(one.status), one.text)
      assert.ok([200, 401, 422].includes(other.status), other.text)
      const { email } = await ownerOf(service, shop)
      assert.equal((await tryToSignIn(aVisitor(), { email, password: NEW })).location, '/admin')
    }
  })
})
