import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { adminPage } from '#test/admin.ts'
import { useService } from '#test/harness.ts'
import { watchHashing } from '#test/hashing.ts'
import { tryToSignIn } from '#test/people.ts'
import { anInvitedUser, auditOf, invitationTo, readUser } from '#test/users.ts'
import { formsOf, visit } from '#test/visitor.ts'

const service = useService()
const hashing = watchHashing()

const PASSWORD = 'entirely fresh words'
const TYPED = { first_name: 'Jane', last_name: 'Roe', password: PASSWORD, password_confirmation: PASSWORD }

async function scene(attributes: object = {}) {
  const shop = await service.openShop()
  const user = await anInvitedUser(shop, attributes)
  return { shop, user, path: `/invitation/${await invitationTo(service, user.email)}` }
}

describe('an invitation', () => {
  test('names the company and the address, and offers the names that were given', async () => {
    const { shop, user, path } = await scene({ first_name: 'J<b>', last_name: '"Röe' })
    const { company_name } = await service.db
      .selectFrom('companies')
      .select('company_name')
      .where('id', '=', shop.companyId)
      .executeTakeFirstOrThrow()
    const page = await visit(service.url).get(path)
    assert.equal(page.status, 200)
    for (const words of [company_name, user.email]) assert.ok(page.text.includes(words), words)
    assert.ok(!page.text.includes('<b>'))
    const form = formsOf(page.text).find(({ action }) => action === path)
    assert.equal(form?.fields.first_name?.replace('&lt;', '<').replace('&gt;', '>'), 'J<b>')
  })

  test('gives the new user a password, a name and a session', async () => {
    const { shop, user, path } = await scene()
    const visitor = visit(service.url)
    await visitor.get(path)
    const answer = await visitor.submit(path, { ...TYPED, first_name: ' Jane ' })
    assert.equal(answer.location, '/admin')
    assert.equal((await visitor.follow(answer)).status, 200)
    assert.equal((await adminPage(service, visitor).get('/session.json')).body.session.user.email, user.email)
    const { first_name, last_name, state, valid, verified_email } = await readUser(shop, user.id)
    assert.deepEqual([first_name, last_name, state, valid, verified_email], ['Jane', 'Roe', 'enabled', true, true])
    const entries = (await auditOf(service, shop)).slice(-2)
    assert.deepEqual(
      entries.map(({ action, user_id, request_id }) => [action, user_id, request_id]),
      ['invitation accepted', 'signed in'].map((action) => [action, user.id, answer.headers.get('x-request-id')]),
    )
    const signed = await tryToSignIn(visit(service.url), { email: user.email.toUpperCase(), password: PASSWORD })
    assert.equal(signed.location, '/admin')
  })

  test('does not work once it was accepted or renewed, and hashes nothing then', async () => {
    const { shop, path } = await scene()
    const [early, late] = [visit(service.url), visit(service.url)]
    await early.get(path)
    await late.get(path)
    assert.equal((await early.submit(path, TYPED)).location, '/admin')
    const before = hashing.count()
    const answer = await late.submit(path, {
      ...TYPED,
      password: 'the second one',
      password_confirmation: 'the second one',
    })
    assert.equal(answer.status, 410)
    assert.ok(!answer.text.includes('<form'))
    assert.equal(late.cookies.has('licet_session'), false)
    const pages = [await late.get(path), await late.get(`/invitation/${'x'.repeat(43)}`)]
    assert.deepEqual(
      pages.map(({ status }) => status),
      [410, 410],
    )
    assert.equal(pages[0]?.text, pages[1]?.text)
    assert.equal(hashing.count(), before)
    const other = await anInvitedUser(shop)
    const first = `/invitation/${await invitationTo(service, other.email)}`
    await shop.put(`/api/users/${other.id}.json`, { user: { email: `new.${other.email}` } })
    assert.equal((await visit(service.url).get(first)).status, 410)
    const second = `/invitation/${await invitationTo(service, `new.${other.email}`)}`
    assert.equal((await visit(service.url).get(second)).status, 200)
    service.clock.advance(7 * 86_400 + 1)
    assert.equal((await visit(service.url).get(second)).status, 410)
  })

  test('keeps wrong values in the form, but not the password', async () => {
    const { path } = await scene()
    const visitor = visit(service.url)
    const wrong: [string, Record<string, string>][] = [
      ['first_name', { first_name: '' }],
      ['last_name', { last_name: '   ' }],
      ['first_name', { first_name: 'x'.repeat(101) }],
      ['first_name', { first_name: 'a\0b' }],
      ['password', { password: '1234567', password_confirmation: '1234567' }],
      ['password_confirmation', { password_confirmation: `${PASSWORD}.` }],
    ]
    const before = hashing.count()
    for (const [field, typed] of wrong) {
      await visitor.get(path)
      const all = { ...TYPED, ...typed }
      const answer = await visitor.submit(path, all)
      assert.equal(answer.status, 422, JSON.stringify(typed))
      assert.match(answer.text, new RegExp(`id="${field}"[^>]*aria-invalid="true"`))
      const form = formsOf(answer.text).find(({ action }) => action === path)
      if (field.startsWith('password'))
        assert.deepEqual([form?.fields.first_name, form?.fields.last_name], ['Jane', 'Roe'])
      assert.deepEqual([form?.fields.password, form?.fields.password_confirmation], ['', ''])
      assert.ok(!answer.text.includes(all.password))
    }
    assert.equal(hashing.count(), before)
    assert.equal((await visitor.submit(path, TYPED)).location, '/admin')
  })

  test('is accepted by one of many requests at once', async () => {
    const { shop, path } = await scene()
    const visitors = Array.from({ length: 8 }, () => visit(service.url))
    await Promise.all(visitors.map((visitor) => visitor.get(path)))
    const answers = await Promise.all(visitors.map((visitor) => visitor.submit(path, TYPED)))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [303, ...Array(7).fill(410)])
    const sessions = await service.db
      .selectFrom('sessions')
      .select('user_id')
      .where('company_id', '=', shop.companyId)
      .execute()
    assert.equal(sessions.length, 1)
  })

  // A browser in which another user is signed in belongs to the new user from now on.
  test('replaces the session of another user', async () => {
    const [one, other] = [await scene(), await scene()]
    const visitor = visit(service.url)
    for (const { path, user } of [one, other]) {
      await visitor.get(path)
      await visitor.submit(path, TYPED)
      assert.equal((await adminPage(service, visitor).get('/session.json')).body.session.user.email, user.email)
    }
  })
})
