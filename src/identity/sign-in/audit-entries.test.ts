import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ACTIONS, type Action } from '#history/audit/actions.facts.ts'
import { recordChange } from '#history/audit/commands.ts'
import { createLink } from '#identity/users/links/commands.ts'
import { nowInSeconds } from '#platform/clock.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { COMMAND_LINE } from '#platform/identity/origin.ts'
import { adminPage } from '#test/admin.ts'
import { PASSWORD, type Shop, useService } from '#test/harness.ts'
import { codeAt, ownerOf, signOut, toNextStep, tryToSignIn, turnOnSecondFactor } from '#test/people.ts'
import { anAddress, anInvitedUser, invitationTo, mailsTo } from '#test/users.ts'
import { type Visitor, visit } from '#test/visitor.ts'

const service = useService({ trustProxy: ['127.0.0.1'] })
const empty = useService({ trustProxy: ['127.0.0.1'] })

const ADDRESS = '203.0.113.9'
const NAMES = { first_name: 'Jane', last_name: 'Roe' }
const NEW = { password: 'entirely fresh words', password_confirmation: 'entirely fresh words' }

/** The tests of oauth cover these actions. */
const CHANGES_OF_THE_SHOP =
  /^(discount code|shipping method|group|plan|subscription|tax rate|license|price|customer|sign-in link|company (?:changed|data|deleted|deletion)|backup|webhook|deliveries|test event|content|content file|device|software keys?|redemption (codes?|gift)|order|payment|invoice|mail|file imported|import undone|test clock) ?/
const APP_ACTIONS: Action[] = [
  'app created',
  'app changed',
  'app secret rotated',
  'app allowed',
  'app denied',
  'app permission removed',
  'access token made',
  'token exchanged',
  'token exchange refused',
  'token revoked',
]

/** The response to the action, and the expected user, company and subject of its audit entry. */
type Done = { headers: Headers; userId: number | null; companyId?: number | null; subject: string }
type Case = (shop: Shop) => Promise<Done>

const aVisitor = (url = service.url) => visit(url, { 'x-forwarded-for': ADDRESS })

async function inside(shop: Shop): Promise<Visitor> {
  const visitor = aVisitor()
  await tryToSignIn(visitor, await ownerOf(service, shop))
  return visitor
}

const call = (shop: Shop, method: string, path: string, body: object) =>
  service.call(method, path, { token: shop.token, body, headers: { 'x-forwarded-for': ADDRESS } })

/** A change by the pages of the service, from the browser of a visitor. */
const change = (visitor: Visitor, method: string, path: string, body?: object) =>
  adminPage(service, visitor).call(method, path, body, { origin: service.url, 'x-forwarded-for': ADDRESS })

const WITH_PASSWORD = { second_factor: { current_password: PASSWORD } }

async function resetPath(email: string): Promise<string> {
  await service.runJobs()
  return /(\/reset\/[\w-]+)\n/.exec((await mailsTo(service, email)).at(-1)?.text ?? '')?.[1] ?? ''
}

const CASES: Record<string, [Action, Case]> = {
  'a right password': [
    'signed in',
    async (shop) => {
      const { headers } = await tryToSignIn(aVisitor(), await ownerOf(service, shop))
      return { headers, userId: shop.userId, subject: 'with password' }
    },
  ],
  'a right code': [
    'signed in',
    async (shop) => {
      const { secret } = await turnOnSecondFactor(service, await inside(shop))
      service.clock.advance(30)
      const visitor = await inside(shop)
      await visitor.get('/sign-in/second-factor')
      const { headers } = await visitor.submit('/sign-in/second-factor', { code: codeAt(secret, service.clock.now()) })
      return { headers, userId: shop.userId, subject: 'with password and code' }
    },
  ],
  'a wrong password': [
    'sign-in refused',
    async (shop) => {
      const { email } = await ownerOf(service, shop)
      const { headers } = await tryToSignIn(aVisitor(), { email: email.toUpperCase(), password: 'wrong' })
      return { headers, userId: shop.userId, subject: email.toUpperCase() }
    },
  ],
  'an unknown address': [
    'sign-in refused',
    async () => {
      const { headers } = await tryToSignIn(aVisitor(), { email: 'nobody@example.com', password: 'wrong' })
      return { headers, userId: null, companyId: null, subject: 'nobody@example.com' }
    },
  ],
  'a password in the field of the address': [
    'sign-in refused',
    async () => {
      const { headers } = await tryToSignIn(aVisitor(), { email: 'hunter2 hunter2', password: 'wrong' })
      return { headers, userId: null, companyId: null, subject: 'no email address' }
    },
  ],
  'a wrong code': [
    'sign-in refused',
    async (shop) => {
      await turnOnSecondFactor(service, await inside(shop))
      const visitor = await inside(shop)
      await visitor.get('/sign-in/second-factor')
      const { headers } = await visitor.submit('/sign-in/second-factor', { code: 'wrong' })
      return { headers, userId: shop.userId, subject: 'wrong second factor' }
    },
  ],
  'signing out': [
    'signed out',
    async (shop) => {
      const visitor = await inside(shop)
      const { headers } = await signOut(visitor)
      return { headers, userId: shop.userId, subject: '' }
    },
  ],
  'signing out everywhere': [
    'signed out everywhere',
    async (shop) => {
      const visitor = await inside(shop)
      const { headers } = await change(visitor, 'DELETE', '/sessions.json?including_this=1')
      return { headers, userId: shop.userId, subject: '' }
    },
  ],
  'signing out everywhere else': [
    'signed out elsewhere',
    async (shop) => {
      const { headers } = await change(await inside(shop), 'DELETE', '/sessions.json')
      return { headers, userId: shop.userId, subject: '' }
    },
  ],
  'going on to a company that names the own one as its partner': [
    'company entered',
    async (shop) => {
      const { companyId } = await service.openShop({ partnerId: shop.companyId })
      const path = '/session/switch.json'
      const { headers } = await change(await inside(shop), 'POST', path, { session: { company_id: companyId } })
      const { company_name } = await service.db
        .selectFrom('companies')
        .select('company_name')
        .where('id', '=', shop.companyId)
        .executeTakeFirstOrThrow()
      return { headers, userId: shop.userId, companyId, subject: company_name }
    },
  ],
  'asking for a reset': [
    'password reset asked for',
    async (shop) => {
      const { email } = await ownerOf(service, shop)
      const visitor = aVisitor()
      await visitor.get('/reset')
      const { headers } = await visitor.submit('/reset', { email })
      await service.runJobs()
      return { headers, userId: shop.userId, subject: email }
    },
  ],
  'a reset': [
    'password reset',
    async (shop) => {
      const { email } = await ownerOf(service, shop)
      const visitor = aVisitor()
      await visitor.get('/reset')
      await visitor.submit('/reset', { email })
      const path = await resetPath(email)
      await visitor.get(path)
      const { headers } = await visitor.submit(path, NEW)
      return { headers, userId: shop.userId, subject: email }
    },
  ],
  'a new password': [
    'password changed',
    async (shop) => {
      const visitor = await inside(shop)
      const password = { current_password: PASSWORD, password: NEW.password }
      const { headers } = await change(visitor, 'PUT', '/password.json', { password })
      return { headers, userId: shop.userId, subject: '' }
    },
  ],
  'turning a second factor on': [
    'second factor turned on',
    async (shop) => {
      const visitor = await inside(shop)
      toNextStep(service)
      const { body } = await change(visitor, 'POST', '/second_factor.json', WITH_PASSWORD)
      const code = codeAt(body.second_factor.secret, service.clock.now())
      const { headers } = await change(visitor, 'POST', '/second_factor/turn_on.json', { second_factor: { code } })
      return { headers, userId: shop.userId, subject: '' }
    },
  ],
  'turning a second factor off': [
    'second factor turned off',
    async (shop) => {
      const visitor = await inside(shop)
      await turnOnSecondFactor(service, visitor)
      const { headers } = await change(visitor, 'POST', '/second_factor/turn_off.json', WITH_PASSWORD)
      return { headers, userId: shop.userId, subject: '' }
    },
  ],
  'new recovery codes': [
    'recovery codes made',
    async (shop) => {
      const visitor = await inside(shop)
      await turnOnSecondFactor(service, visitor)
      const { headers } = await change(visitor, 'POST', '/second_factor/recovery_codes.json', WITH_PASSWORD)
      return { headers, userId: shop.userId, subject: '' }
    },
  ],
  'an invitation': [
    'user invited',
    async (shop) => {
      const email = anAddress()
      const { headers } = await call(shop, 'POST', '/api/users.json', { user: { email } })
      return { headers, userId: shop.userId, subject: email }
    },
  ],
  'another name': [
    'user changed',
    async (shop) => {
      const { id, email } = await anInvitedUser(shop)
      const { headers } = await call(shop, 'PUT', `/api/users/${id}.json`, { user: { first_name: 'Other' } })
      return { headers, userId: shop.userId, subject: `${email}: first_name` }
    },
  ],
  'another permission': [
    'permissions changed',
    async (shop) => {
      const { id, email } = await anInvitedUser(shop)
      const user = { permissions: { accounting: 1 } }
      const { headers } = await call(shop, 'PUT', `/api/users/${id}.json`, { user })
      return { headers, userId: shop.userId, subject: `${email}: accounting 1` }
    },
  ],
  'accepting an invitation': [
    'invitation accepted',
    async (shop) => {
      const { id, email } = await anInvitedUser(shop)
      const path = `/invitation/${await invitationTo(service, email)}`
      const visitor = aVisitor()
      await visitor.get(path)
      const { headers } = await visitor.submit(path, { ...NAMES, ...NEW })
      return { headers, userId: id, subject: email }
    },
  ],
}

const entriesOf = (from: typeof service, id: string | null) =>
  from.db
    .selectFrom('audit_entries')
    .selectAll()
    .where('request_id', '=', id ?? '')
    .execute()

describe('each action writes an audit entry with its user, address and request', () => {
  for (const [what, [action, run]] of Object.entries(CASES)) {
    test(`${action}: ${what}`, async () => {
      const shop = await service.openShop()
      const { headers, userId, subject, companyId = shop.companyId } = await run(shop)
      const entries = await entriesOf(service, headers.get('x-request-id'))
      const entry = entries.find((each) => each.action === action)
      assert.deepEqual(
        { ...entry, id: 0, created_at: 0 },
        {
          id: 0,
          company_id: companyId,
          user_id: userId,
          app_id: entry?.app_id ?? null,
          action,
          subject,
          address: ADDRESS,
          request_id: headers.get('x-request-id'),
          created_at: 0,
        },
      )
      assert.ok([null, shop.appId].includes(entry?.app_id ?? null))
      const age = service.clock.now().getTime() - (entry?.created_at.getTime() ?? 0)
      assert.ok(age >= 0 && age < 60_000, `${age}`)
    })
  }

  test('first run: the link that the service prints', async () => {
    const token = await inTransaction(empty.db, (tx) =>
      createLink(tx, { kind: 'first run', companyId: null, userId: null }, nowInSeconds(empty.clock)),
    )
    const visitor = aVisitor(empty.url)
    await visitor.get(`/first-run/${token}`)
    const company = { company_name: 'Books', country: 'DE', email: 'jane@example.com' }
    const { headers } = await visitor.submit(`/first-run/${token}`, { ...company, ...NAMES, ...NEW })
    const entries = await entriesOf(empty, headers.get('x-request-id'))
    assert.deepEqual(
      entries.map(({ action, subject, address }) => [action, subject, address]),
      [
        ['first run', 'Books', ADDRESS],
        ['signed in', 'at the first run', ADDRESS],
      ],
    )
  })

  test('every action has a test', () => {
    const tested = new Set<Action>([...Object.values(CASES).map(([action]) => action), 'first run', ...APP_ACTIONS])
    // The walk over the endpoints for signed-in users has the changes of what a company sells, and of its webhooks. What the worker
    // imports is in the tests of imports, and deletions of companies, backups and moves of a clock are in theirs.
    const others = ACTIONS.filter((action) => CHANGES_OF_THE_SHOP.test(action))
    assert.equal(others.length, 73)
    assert.deepEqual([...tested, ...others].sort(), [...ACTIONS].sort())
  })
})

test('an entry of the command line says so, and has no user', async () => {
  const shop = await service.openShop()
  const author = { companyId: shop.companyId, origin: COMMAND_LINE }
  await inTransaction(service.db, (tx) =>
    recordChange(tx, author, 'tax rate created', 'CH 8.1 %', nowInSeconds(service.clock)),
  )
  const { body } = await adminPage(service, await inside(shop)).get('/audit_entries.json?action=tax rate created')
  const [entry] = body.audit_entries
  assert.deepEqual(
    [entry.subject, entry.address, entry.user_id, entry.user_email],
    ['CH 8.1 %', 'command line', null, null],
  )
})
