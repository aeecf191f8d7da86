import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLink } from '#identity/users/links/commands.ts'
import { nowInSeconds } from '#platform/clock.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { adminPage } from '#test/admin.ts'
import { PASSWORD, useService } from '#test/harness.ts'
import { aMember, codeAt, ownerOf, tryToSignIn, turnOnSecondFactor } from '#test/people.ts'
import { anInvitedUser, invitationTo, mailsTo } from '#test/users.ts'
import { type PageAnswer, visit } from '#test/visitor.ts'

const service = useService()

const NEW = 'entirely fresh words'
const TYPED = { password: NEW, password_confirmation: NEW }

/** Everything that must not be in a log, by its kind. */
const secrets = new Map<string, string>([
  [PASSWORD, 'a password'],
  [NEW, 'a new password'],
  ['wrong words', 'a wrong password'],
])

/** A browser whose cookies and CSRF tokens are noted as it gets them. */
function aVisitor() {
  const visitor = visit(service.url)
  const note = <Args extends unknown[]>(send: (...args: Args) => Promise<PageAnswer>) => {
    return async (...args: Args) => {
      const answer = await send(...args)
      for (const [name, value] of visitor.cookies) if (value !== '') secrets.set(value, `the cookie ${name}`)
      for (const [, token = ''] of answer.text.matchAll(/name="_csrf" value="([^"]+)"/g))
        secrets.set(token, 'a CSRF token')
      return answer
    }
  }
  visitor.get = note(visitor.get)
  visitor.post = note(visitor.post)
  return visitor
}

async function followLink(path: string, fields: Record<string, string>): Promise<void> {
  secrets.set(path.split('/').at(-1) ?? '', `the link ${path.split('/')[1]}`)
  const visitor = aVisitor()
  await visitor.get(path)
  await visitor.submit(path, { ...fields, password: '1234567' })
  await visitor.submit(path, fields)
  await visitor.get(path)
  for (const odd of [
    `${path}/`,
    `${path}/more`,
    `${path}?x=1`,
    path.toUpperCase().replace(/[^/]+$/, path.split('/').at(-1) ?? ''),
  ])
    await visitor.get(odd)
  await service.call('HEAD', path)
  await service.call('DELETE', path)
  await service.call('POST', path, { body: TYPED })
}

test('no line of the log, at any level, contains a secret', async () => {
  const first = await inTransaction(service.db, (tx) =>
    createLink(tx, { kind: 'first run', companyId: null, userId: null }, nowInSeconds(service.clock)),
  )
  const names = { first_name: 'Jane', last_name: 'Roe' }
  const company = { company_name: 'Books', country: 'DE', email: 'jane@example.com' }
  await followLink(`/first-run/${first}`, { ...company, ...names, ...TYPED })

  const shop = await service.openShop()
  const owner = await ownerOf(service, shop)
  const visitor = aVisitor()
  await tryToSignIn(visitor, { ...owner, password: 'wrong words' })
  await tryToSignIn(visitor, owner)
  for (const current_password of ['wrong words', PASSWORD])
    await adminPage(service, visitor).put('/password.json', { password: { current_password, password: NEW } })

  const { secret, recoveryCodes } = await turnOnSecondFactor(service, visitor, NEW)
  for (const code of recoveryCodes) secrets.set(code, 'a recovery code')
  secrets.set(secret, 'the secret of a second factor')
  service.clock.advance(30)
  for (const code of ['654321', recoveryCodes[0] ?? '', codeAt(secret, service.clock.now())]) {
    if (/^\d{6}$/.test(code)) secrets.set(`"${code}"`, 'a code')
    const half = aVisitor()
    await tryToSignIn(half, { ...owner, password: NEW })
    await half.get('/sign-in/second-factor')
    await half.submit('/sign-in/second-factor', { code })
    await half.post('/sign-in/second-factor', { code })
    await half.get(`/sign-in/second-factor?code=${code}&password=${encodeURIComponent(NEW)}`)
  }

  const asking = aVisitor()
  await asking.get('/reset')
  await asking.submit('/reset', { email: owner.email })
  await service.runJobs()
  await followLink(
    /(\/reset\/[\w-]+)\n/.exec((await mailsTo(service, owner.email)).at(-1)?.text ?? '')?.[1] ?? '',
    TYPED,
  )
  const { email } = await anInvitedUser(shop)
  await followLink(`/invitation/${await invitationTo(service, email)}`, { ...names, ...TYPED })
  await aMember(service, shop, NEW)
  await visitor.get('/admin')
  await visitor.get(`/account/apps?access_token=${'x'.repeat(43)}`)
  await service.runJobs()

  assert.ok(service.log.length > 60, `${service.log.length} lines`)
  assert.ok(service.log.some((line) => line.includes('/reset/…')))
  const kinds = new Set(secrets.values())
  assert.ok(kinds.size >= 12, [...kinds].join(', '))
  for (const line of service.log) {
    for (const [text, what] of secrets) {
      assert.ok(text.length > 5, what)
      for (const spelling of [text, encodeURIComponent(text), JSON.stringify(text).slice(1, -1)])
        assert.ok(!line.includes(spelling), `${what} is in the log: ${line}`)
    }
    assert.ok(!/[?&]code=\d/.test(line), line)
  }
})
