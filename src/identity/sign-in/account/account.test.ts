import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { adminPage } from '#test/admin.ts'
import { type Answer, PASSWORD, useService } from '#test/harness.ts'
import { watchHashing } from '#test/hashing.ts'
import { aMember, isIn, ownerOf, signedIn, tryToSignIn } from '#test/people.ts'
import { auditOf, mailsTo } from '#test/users.ts'
import { type Visitor, visit } from '#test/visitor.ts'

const service = useService()
const hashing = watchHashing()
before(() => service.clock.stop())

const NEW = 'entirely fresh words'

const change = (visitor: Visitor, typed: Record<string, unknown> = {}): Promise<Answer> =>
  adminPage(service, visitor).put('/password.json', {
    password: { current_password: PASSWORD, password: NEW, ...typed },
  })

describe('changing the password', () => {
  test('replaces the old one, informs the owner, and writes an audit entry', async () => {
    const shop = await service.openShop()
    const visitor = await signedIn(service, shop)
    const owner = await ownerOf(service, shop)
    const answer = await change(visitor)
    assert.deepEqual([answer.status, answer.body], [200, {}])
    assert.ok(await isIn(visitor), 'this session goes on')
    assert.equal((await tryToSignIn(visit(service.url), owner)).status, 422)
    assert.equal((await tryToSignIn(visit(service.url), { ...owner, password: NEW })).location, '/admin')
    const mails = await mailsTo(service, owner.email)
    assert.equal(mails.length, 1)
    assert.match(mails[0]?.subject ?? '', /was changed/)
    assert.ok(!mails[0]?.text?.includes(NEW))
    const entry = (await auditOf(service, shop)).find(({ action }) => action === 'password changed')
    assert.deepEqual([entry?.user_id, entry?.request_id], [shop.userId, answer.headers.get('x-request-id')])
  })

  test('requires the current one, and a valid new one', async () => {
    const shop = await service.openShop()
    const visitor = await signedIn(service, shop)
    const hashOf = async () =>
      (await service.db.selectFrom('users').select('password_hash').where('id', '=', shop.userId).execute())[0]
    const kept = await hashOf()
    const wrong: [Record<string, unknown>, string][] = [
      [{ current_password: 'wrong' }, 'current_password'],
      [{ current_password: '' }, 'current_password'],
      [{ password: '1234567' }, 'password'],
      [{ password: 'x'.repeat(65) }, 'password'],
      [{ password: null }, 'password.password'],
      [{ password: 'x'.repeat(2000) }, 'password.password'],
      [{ current_password: 12 }, 'password.current_password'],
    ]
    for (const [typed, field] of wrong) {
      const answer = await change(visitor, typed)
      assert.equal(answer.status, 422, JSON.stringify(typed))
      assert.ok(
        Object.keys(answer.body.errors).some((name) => field.endsWith(name)),
        answer.text,
      )
      for (const text of [PASSWORD, NEW]) assert.ok(!answer.text.includes(text))
    }
    assert.deepEqual(await hashOf(), kept)
    assert.equal((await mailsTo(service, (await ownerOf(service, shop)).email)).length, 0)
  })

  // A person at an unlocked browser has no more attempts than others.
  test('limits guesses at the current one', async () => {
    const shop = await service.openShop()
    const visitor = await signedIn(service, shop)
    for (let tries = 0; tries < 5; tries += 1)
      assert.equal((await change(visitor, { current_password: 'wrong' })).body.reason, 'current_password_wrong')
    const before = hashing.count()
    const waiting = await change(visitor)
    assert.deepEqual(
      [waiting.status, waiting.body.reason, waiting.headers.get('retry-after')],
      [429, 'too_many_passwords', '1'],
    )
    assert.equal(hashing.count(), before)
    assert.equal((await tryToSignIn(visit(service.url), await ownerOf(service, shop))).location, '/admin')
    service.clock.advance(1)
    assert.equal((await change(visitor)).status, 200)
    assert.equal(
      (await change(visitor, { current_password: 'wrong' })).status,
      422,
      'the right one has cleared the count',
    )
  })

  test('succeeds once for many requests at once', async () => {
    const shop = await service.openShop()
    const visitors = await Promise.all(Array.from({ length: 4 }, () => signedIn(service, shop)))
    const answers = await Promise.all(
      visitors.map((visitor, index) => change(visitor, { password: `${NEW} ${index}` })),
    )
    const winners = answers.filter(({ status }) => status === 200)
    assert.equal(winners.length, 1, `${answers.map(({ status }) => status)}`)
    const password = `${NEW} ${answers.indexOf(winners[0]!)}`
    const { email } = await ownerOf(service, shop)
    assert.equal((await tryToSignIn(visit(service.url), { email, password })).location, '/admin')
  })
})

describe('the own user', () => {
  test('is read and changed by its owner, and by nobody else', async () => {
    const shop = await service.openShop()
    const member = await aMember(service, shop)
    const page = adminPage(service, member.visitor)
    const { user } = (await page.get('/user.json')).body
    assert.deepEqual([user.id, user.email], [member.id, member.email])
    const changed = await page.put('/user.json', { user: { first_name: 'Ida', language: 'de' } })
    assert.deepEqual([changed.body.user.first_name, changed.body.user.language], ['Ida', 'de'])
    const kept = await page.put('/user.json', {
      user: { permissions: { create_users: 1 }, state: 'disabled', email: 'other@example.com', note: 'x' },
    })
    assert.deepEqual(
      [kept.body.user.permissions.create_users, kept.body.user.state, kept.body.user.email, kept.body.user.note],
      [0, 'enabled', member.email, ''],
    )
  })

  test('is not overwritten by who has read an older one', async () => {
    const shop = await service.openShop()
    const page = adminPage(service, await signedIn(service, shop))
    const etag = (await page.get('/user.json')).headers.get('etag') ?? ''
    await page.put('/user.json', { user: { first_name: 'Ida' } })
    const headers = { origin: service.url, 'if-match': etag }
    const late = await page.call('PUT', '/user.json', { user: { first_name: 'Eve' } }, headers)
    assert.equal(late.status, 412)
  })
})

test('a user without web_access looks after their sign-in, and nothing else', async () => {
  const shop = await service.openShop()
  const member = await aMember(service, shop)
  await shop.put(`/api/users/${member.id}.json`, { user: { permissions: { web_access: 0 } } })
  const page = adminPage(service, member.visitor)
  for (const path of ['/session.json', '/user.json', '/sessions.json', '/second_factor.json'])
    assert.equal((await page.get(path)).status, 200, path)
  const password = { current_password: member.password, password: NEW }
  assert.equal((await page.put('/password.json', { password })).status, 200)
  for (const path of ['/app_permissions.json', '/company.json', '/products.json', '/audit_entries.json'])
    assert.equal((await page.get(path)).body.reason, 'permission_missing', path)
  const elsewhere = { session: { company_id: shop.companyId } }
  assert.equal((await page.post('/session/switch.json', elsewhere)).status, 403)
})

test('the addresses of the pages that were here lead to the settings', async () => {
  const visitor = visit(service.url)
  for (const [from, to] of Object.entries({
    '/account': '/admin/settings',
    '/account/second-factor': '/admin/settings/security',
    '/account/apps': '/admin/apps',
    '/account/activity': '/admin/settings/activity',
  }))
    assert.equal((await visitor.get(from)).location, to)
})
