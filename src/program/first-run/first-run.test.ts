import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createLink } from '#identity/users/links/commands.ts'
import { nowInSeconds } from '#platform/clock.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { type Service, useService } from '#test/harness.ts'
import { watchHashing } from '#test/hashing.ts'
import { untilWaiting } from '#test/in-line.ts'
import { tryToSignIn } from '#test/people.ts'
import { snapshot } from '#test/snapshot.ts'
import { formsOf, visit } from '#test/visitor.ts'
import { openCompany } from './open-company.ts'

const service = useService()
const crowded = useService()
const busy = useService()
const hashing = watchHashing()

const PASSWORD = 'entirely fresh words'
const TYPED = {
  company_name: ' Books & Co ',
  country: 'DE',
  currency: '',
  email: ' Jane@Example.com ',
  password: PASSWORD,
  password_confirmation: PASSWORD,
}

async function aLink({ db, clock }: Service): Promise<string> {
  const token = await inTransaction(db, (tx) =>
    createLink(tx, { kind: 'first run', companyId: null, userId: null }, nowInSeconds(clock)),
  )
  return `/first-run/${token}`
}

const companies = ({ db }: Service) => db.selectFrom('companies').select(['id', 'company_name', 'currency']).execute()

// The tests run in order: each builds on the one before.
describe('the first run', () => {
  test('is announced at the bare address while there is no company', async () => {
    const page = await visit(service.url).get('/')
    assert.equal(page.status, 200)
    assert.ok(!page.text.includes('<form'))
    assert.ok(!page.text.includes('/first-run/'), 'the link is only for the terminal of the service')
  })

  test('requires the link, and the latest one', async () => {
    const first = await aLink(service)
    const second = await aLink(service)
    const never = await visit(service.url).get(`/first-run/${'x'.repeat(43)}`)
    const older = await visit(service.url).get(first)
    assert.deepEqual([never.status, older.status], [410, 410])
    assert.equal(never.text, older.text)
    assert.equal((await visit(service.url).get(second)).status, 200)
    service.clock.advance(7 * 86_400 + 1)
    assert.equal((await visit(service.url).get(second)).status, 410)
  })

  test('requires the CSRF token of its page', async () => {
    const path = await aLink(service)
    const visitor = visit(service.url)
    await visitor.get(path)
    const before = await snapshot(service.db)
    for (const _csrf of ['', 'x-y-z']) assert.equal((await visitor.post(path, { ...TYPED, _csrf })).status, 403)
    assert.deepEqual(await snapshot(service.db), before)
  })

  test('keeps wrong values in the form, but not the password', async () => {
    const path = await aLink(service)
    const visitor = visit(service.url)
    const wrong: Record<string, string>[] = [
      { company_name: ' ' },
      { company_name: 'x'.repeat(101) },
      { country: 'XX' },
      { country: '' },
      { country: '__proto__' },
      { email: 'nobody' },
      { email: 'a,b@example.com' },
      { company_name: 'a\0b' },
      { currency: 'XXX' },
      { currency: 'eur' },
      { currency: '__proto__' },
      { password: '1234567', password_confirmation: '1234567' },
      { password_confirmation: 'something else' },
    ]
    const before = hashing.count()
    for (const typed of wrong) {
      await visitor.get(path)
      const answer = await visitor.submit(path, { ...TYPED, ...typed })
      assert.equal(answer.status, 422, JSON.stringify(typed))
      const form = formsOf(answer.text).find(({ action }) => action === path)
      assert.deepEqual([form?.fields.password, form?.fields.password_confirmation], ['', ''])
      if (typed.company_name === undefined) assert.match(form?.fields.company_name ?? '', /Books (&|&amp;) Co/)
      if (typed.country === undefined) assert.match(answer.text, /value="DE" selected/)
    }
    assert.equal(hashing.count(), before)
    assert.deepEqual(await companies(service), [])
  })

  test('creates the company with its user, who is signed in and has all permissions', async () => {
    const path = await aLink(service)
    const visitor = visit(service.url, { 'accept-language': 'it-IT,it;q=0.9' })
    const asked = await visitor.get(path)
    assert.match(asked.text, /<h1>Configuri il suo negozio<\/h1>/)
    assert.match(asked.text, /<option value="DE">Germania<\/option>/)
    assert.match(asked.text, /<option value="CHF">franco svizzero \(CHF\)<\/option>/i)
    const answer = await visitor.submit(path, TYPED)
    assert.equal(answer.location, '/admin')
    assert.equal((await visitor.follow(answer)).status, 200)
    const [company] = await companies(service)
    assert.deepEqual([company?.company_name, company?.currency], ['Books & Co', 'EUR'])
    const user = await service.db.selectFrom('users').selectAll().executeTakeFirstOrThrow()
    assert.deepEqual([user.email, user.first_name, user.last_name, user.state], ['Jane@Example.com', '', '', 'enabled'])
    const shop = await service.db.selectFrom('companies').select('language').executeTakeFirstOrThrow()
    assert.deepEqual([user.language, shop.language], ['it', 'it'], 'the language in which the owner filled in the form')
    const permissions = Object.values(user.permissions as Record<string, number>)
    assert.deepEqual(permissions, Array(9).fill(1))
    const entries = await service.db.selectFrom('audit_entries').selectAll().orderBy('id').execute()
    assert.deepEqual(
      entries.map(({ action, subject, request_id, address }) => [action, subject, request_id, address]),
      [
        ['first run', 'Books & Co', answer.headers.get('x-request-id'), '127.0.0.1'],
        ['signed in', 'at the first run', answer.headers.get('x-request-id'), '127.0.0.1'],
      ],
    )
    // Going back leads home.
    assert.equal((await visitor.get(path)).location, '/admin')
    const signed = await tryToSignIn(visit(service.url), { email: 'jane@example.com', password: PASSWORD })
    assert.equal(signed.location, '/admin')
  })

  test('ends then: no link works, and the bare address leads to the account', async () => {
    const path = await aLink(service)
    const visitor = visit(service.url)
    assert.equal((await visitor.get(path)).status, 410)
    await visitor.get('/sign-in')
    const before = hashing.count()
    const token = formsOf((await visitor.get('/sign-in')).text)[0]?.fields._csrf ?? ''
    assert.equal((await visitor.post(path, { ...TYPED, _csrf: token })).status, 410)
    assert.equal(hashing.count(), before)
    assert.equal((await visitor.get('/')).location, '/admin')
    assert.equal((await companies(service)).length, 1)
  })

  test('waits for a company that is being created on the command line', async () => {
    const path = await aLink(busy)
    const visitor = visit(busy.url)
    await visitor.get(path)
    const company = { company_name: 'First', email: 'a@example.com', country_code: 'DE', currency: 'EUR' }
    const [answer] = await inTransaction(busy.db, async (tx) => {
      await openCompany(tx, company, { email: 'a@example.com', passwordHash: null }, nowInSeconds(busy.clock))
      const submitted = visitor.submit(path, TYPED)
      await untilWaiting(busy, 1)
      return [submitted]
    })
    assert.equal((await answer)?.status, 410)
    assert.deepEqual(
      (await companies(busy)).map(({ company_name }) => company_name),
      ['First'],
    )
  })

  test('takes another currency than that of the country, and creates one company for many requests at once', async () => {
    const path = await aLink(crowded)
    const visitors = Array.from({ length: 6 }, () => visit(crowded.url))
    await Promise.all(visitors.map((visitor) => visitor.get(path)))
    const answers = await Promise.all(
      visitors.map((visitor, index) =>
        visitor.submit(path, { ...TYPED, currency: 'CHF', email: `owner${index}@example.com` }),
      ),
    )
    assert.deepEqual(answers.map(({ status }) => status).sort(), [303, ...Array(5).fill(410)])
    assert.deepEqual(
      (await companies(crowded)).map(({ currency }) => currency),
      ['CHF'],
    )
    assert.equal((await crowded.db.selectFrom('users').select('id').execute()).length, 1)
  })
})
