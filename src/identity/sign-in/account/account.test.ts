import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { PASSWORD, useService } from '#test/harness.ts'
import { watchHashing } from '#test/hashing.ts'
import { ownerOf, signedIn, tryToSignIn } from '#test/people.ts'
import { auditOf, mailsTo } from '#test/users.ts'
import { type Visitor, visit } from '#test/visitor.ts'

const service = useService()
const hashing = watchHashing()
before(() => service.clock.stop())

const NEW = 'entirely fresh words'

async function change(visitor: Visitor, typed: Record<string, string> = {}) {
  await visitor.get('/account')
  const all = { change: 'password', current_password: PASSWORD, password: NEW, password_confirmation: NEW, ...typed }
  return visitor.submit('/account', all)
}

describe('changing the password', () => {
  test('replaces the old one, informs the owner, and writes an audit entry', async () => {
    const shop = await service.openShop()
    const visitor = await signedIn(service, shop)
    const session = visitor.cookies.get('licet_session')
    const owner = await ownerOf(service, shop)
    const answer = await change(visitor)
    assert.equal(answer.location, '/account?told=password')
    assert.match((await visitor.follow(answer)).text, /role="status"/)
    assert.equal(visitor.cookies.get('licet_session'), session)
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
    const { password_hash } = await service.db
      .selectFrom('users')
      .select('password_hash')
      .where('id', '=', shop.userId)
      .executeTakeFirstOrThrow()
    const wrong: Record<string, string>[] = [
      { current_password: 'wrong' },
      { current_password: '' },
      { password: '1234567', password_confirmation: '1234567' },
      { password: 'x'.repeat(65), password_confirmation: 'x'.repeat(65) },
      { password_confirmation: `${NEW}.` },
      { change: 'something else', current_password: 'wrong' },
    ]
    for (const typed of wrong) {
      const answer = await change(visitor, typed)
      assert.equal(answer.status, 422, JSON.stringify(typed))
      assert.match(answer.text, /aria-invalid="true"/)
      for (const text of [PASSWORD, NEW]) assert.ok(!answer.text.includes(text))
    }
    const after = await service.db
      .selectFrom('users')
      .select('password_hash')
      .where('id', '=', shop.userId)
      .executeTakeFirstOrThrow()
    assert.equal(after.password_hash, password_hash)
    assert.equal((await mailsTo(service, (await ownerOf(service, shop)).email)).length, 0)
  })

  // A person at an unlocked browser has no more attempts than others.
  test('limits guesses at the current one', async () => {
    const shop = await service.openShop()
    const visitor = await signedIn(service, shop)
    for (let tries = 0; tries < 5; tries += 1)
      assert.equal((await change(visitor, { current_password: 'wrong' })).status, 422)
    const before = hashing.count()
    const waiting = await change(visitor)
    assert.deepEqual([waiting.status, waiting.headers.get('retry-after')], [429, '1'])
    assert.match(waiting.text, /aria-invalid="true"/)
    assert.equal(hashing.count(), before)
    assert.equal((await tryToSignIn(visit(service.url), await ownerOf(service, shop))).location, '/admin')
    service.clock.advance(1)
    assert.equal((await change(visitor)).location, '/account?told=password')
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
      visitors.map((visitor, index) =>
        change(visitor, { password: `${NEW} ${index}`, password_confirmation: `${NEW} ${index}` }),
      ),
    )
    const winners = answers.filter(({ location }) => location === '/account?told=password')
    assert.equal(winners.length, 1, `${answers.map(({ status, location }) => `${status} ${location}`)}`)
    const password = `${NEW} ${answers.indexOf(winners[0]!)}`
    const { email } = await ownerOf(service, shop)
    assert.equal((await tryToSignIn(visit(service.url), { email, password })).location, '/admin')
  })
})

test('the account page shows the signed-in user only', async () => {
  const [shop, other] = [await service.openShop(), await service.openShop()]
  const visitor = await signedIn(service, shop)
  await signedIn(service, other, { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0) Firefox/1.0' })
  const { text } = await visitor.get('/account')
  const { company_name } = await service.db
    .selectFrom('companies')
    .select('company_name')
    .where('id', '=', shop.companyId)
    .executeTakeFirstOrThrow()
  for (const own of [(await ownerOf(service, shop)).email, company_name]) assert.ok(text.includes(own), own)
  for (const foreign of [(await ownerOf(service, other)).email, 'Firefox on Windows'])
    assert.ok(!text.includes(foreign), foreign)
})
