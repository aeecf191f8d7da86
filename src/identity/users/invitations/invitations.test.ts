import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { assertBlames } from '#test/factories.ts'
import { useService } from '#test/harness.ts'
import { accept, anAddress, anInvitedUser, aUser, auditOf, invitationTo, mailsTo, readUser } from '#test/users.ts'

const service = useService()
const DAY_SECONDS = 86_400

const NONE = {
  request_products: 0,
  request_keyfile: 0,
  request_rescue_code: 0,
  request_beta_code: 0,
  create_users: 0,
  web_access: 1,
  accounting: 0,
  unlock: 0,
  RepAccounting: 0,
}

describe('POST /api/users.json', () => {
  test('creates a user who is disabled until the invitation is accepted', async () => {
    const shop = await service.openShop()
    const email = anAddress()
    const answer = await shop.post('/api/users.json', { user: { email } })
    assert.equal(answer.status, 201, answer.text)
    const { id, token, created_at, updated_at, ...rest } = answer.body.user
    assert.ok(id > shop.userId)
    assert.match(token, /^[A-Z]{16}$/)
    assert.equal(updated_at, created_at)
    assert.deepEqual(rest, {
      company_id: shop.companyId,
      email,
      first_name: '',
      last_name: '',
      language: 'en',
      note: '',
      state: 'disabled',
      time_zone: 0,
      valid: false,
      verified_email: false,
      default_address: null,
      permissions: NONE,
    })
    assert.deepEqual(await readUser(shop, token), answer.body.user)
    assert.deepEqual((await shop.get('/api/users/count.json')).body, { count: 2 })
  })

  test('accepts every field that can be set, but not those of the invited user', async () => {
    const shop = await service.openShop()
    const details = { first_name: 'Jane', last_name: 'Roe', language: 'DE', note: 'New', time_zone: 60 }
    const user = await anInvitedUser(shop, {
      ...details,
      permissions: { accounting: 1, web_access: 0 },
      default_address: { city: 'Köln', country: 'DE' },
      state: 'enabled',
      valid: true,
      verified_email: true,
      password: 'a password',
      token: 'A'.repeat(16),
    })
    for (const [name, value] of Object.entries({ ...details, language: 'de' })) assert.equal(user[name], value, name)
    assert.deepEqual(user.permissions, { ...NONE, accounting: 1, web_access: 0 })
    assert.deepEqual([user.default_address.city, user.default_address.country_code], ['Köln', 'DE'])
    assert.equal(user.default_address.token, user.token)
    assert.deepEqual([user.state, user.valid, user.verified_email], ['disabled', false, false])
    assert.notEqual(user.token, 'A'.repeat(16))
  })

  const WRONG: [string, object][] = [
    ['email', {}],
    ['email', { email: null }],
    ['email', { email: '' }],
    ['email', { email: 'jane' }],
    ['email', { email: '@example.com' }],
    ['email', { email: 'jane@' }],
    ['email', { email: 'jane@a@example.com' }],
    ['email', { email: 'jane roe@example.com' }],
    ['email', { email: 'jane@example.com\nBcc: all@example.com' }],
    ['email', { email: 'all,jane@example.com' }],
    ['email', { email: 'Jane<jane@example.com>' }],
    ['email', { email: '"jane"@example.com' }],
    ['email', { email: 'jane\u0001@example.com' }],
    ['email', { email: `${'x'.repeat(65)}@example.com` }],
    ['email', { email: `x@${'example.'.repeat(12)}com` }],
    ['email', { email: 'ja\ud800ne@example.com' }],
    ['first_name', { email: 'jane.wrong@example.com', first_name: 'x'.repeat(101) }],
    ['time_zone', { email: 'jane.wrong@example.com', time_zone: 10_000 }],
    ['permissions.create_users', { email: 'jane.wrong@example.com', permissions: { create_users: -1 } }],
    ['default_address.country', { email: 'jane.wrong@example.com', default_address: { country: 'Nowhere' } }],
  ]
  for (const [index, [path, user]] of WRONG.entries()) {
    test(`refuses a body for its ${path} (case ${index + 1}), and sends nothing`, async () => {
      const shop = await service.openShop()
      assertBlames(await shop.post('/api/users.json', { user }), [path])
      assert.deepEqual((await shop.get('/api/users/count.json')).body, { count: 1 })
      assert.deepEqual(await auditOf(service, shop), [])
      const { rows } = await sql`select from mails where company_id = ${shop.companyId}`.execute(service.db)
      assert.equal(rows.length, 0)
    })
  }

  test('refuses the address of a user of the company, in any case', async () => {
    const shop = await service.openShop()
    const { email } = await anInvitedUser(shop)
    for (const taken of [email, email.toUpperCase(), (await readUser(shop, shop.userId)).email]) {
      const answer = await shop.post('/api/users.json', { user: { email: taken } })
      assertBlames(answer, ['email'])
      assert.equal(answer.body.error, 'Email is the address of a user already.')
    }
    assert.equal((await mailsTo(service, email)).length, 1)
    assert.deepEqual((await shop.get('/api/users/count.json')).body, { count: 2 })
  })

  test('gives an address to one of many requests of a company at once', async () => {
    const shops = await Promise.all([service.openShop(), service.openShop()])
    const email = anAddress()
    const spellings = Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? email : email.toLowerCase()))
    const answers = await Promise.all(
      spellings.flatMap((address) => shops.map((shop) => shop.post('/api/users.json', { user: { email: address } }))),
    )
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 201, ...Array(18).fill(422)])
    const counts = await Promise.all(shops.map((shop) => shop.get('/api/users/count.json')))
    assert.deepEqual(
      counts.map(({ body }) => body.count),
      [2, 2],
    )
    const { rows } = await sql`select from mails where lower(recipient) = lower(${email})`.execute(service.db)
    assert.equal(rows.length, 2)
  })

  test('invites once for one Idempotency-Key', async () => {
    const shop = await service.openShop()
    const email = anAddress()
    const send = () => shop.post('/api/users.json', { user: { email } }, { 'idempotency-key': 'one' })
    const answers = await Promise.all([send(), send(), send()])
    assert.deepEqual(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size, 1)
    assert.equal((await mailsTo(service, email)).length, 1)
  })

  test('is 400 without its wrapper', async () => {
    const shop = await service.openShop()
    for (const body of [{ email: 'a@example.com' }, { user: null }, [], '']) {
      const answer = await shop.post('/api/users.json', body, { 'content-type': 'application/json' })
      assert.deepEqual([answer.status, answer.body.code], [400, 'malformed'])
    }
  })
})

describe('an invitation', () => {
  test('is a mail with a link, queued with the user and recorded in the audit log', async () => {
    const shop = await service.openShop()
    await shop.put(`/api/companies/${shop.companyId}.json`, { company: { company_name: 'Books & <Co>' } })
    await shop.put(`/api/users/${shop.userId}.json`, { user: { first_name: 'Jane', last_name: 'Roe' } })
    const { email } = await anInvitedUser(shop)
    const [mail, ...others] = await mailsTo(service, email)
    assert.ok(mail)
    assert.equal(others.length, 0)
    assert.deepEqual([mail.company_id, mail.carries_secret, mail.sent_at], [shop.companyId, true, null])
    assert.equal(mail.subject, 'Invitation to run Books & <Co>')
    const link = `${service.url}/invitation/${await invitationTo(service, email)}`
    assert.match(mail.text ?? '', /^Jane Roe invites you to run the shop of Books & <Co>\./m)
    assert.ok(mail.html?.includes(`href="${link}"`))
    assert.ok(mail.html?.includes('Books &#38; &#60;Co&#62;'))
    const entry = (await auditOf(service, shop)).at(-1)
    assert.deepEqual([entry?.action, entry?.subject], ['user invited', email])
    assert.deepEqual([entry?.user_id, entry?.app_id, entry?.address], [shop.userId, shop.appId, '127.0.0.1'])
    const jobs = await service.db.selectFrom('jobs').select('data').where('company_id', '=', shop.companyId).execute()
    assert.deepEqual(jobs, [{ data: { id: mail.id } }])
  })

  test('stores its token in the mail only', async () => {
    const shop = await service.openShop()
    const { email } = await anInvitedUser(shop)
    const token = await invitationTo(service, email)
    const { rows: tables } = await sql<{ name: string }>`
      select table_name as name from information_schema.tables where table_schema = 'public'`.execute(service.db)
    const found: string[] = []
    for (const { name } of tables) {
      const { rows } = await sql<{ text: string | null }>`
        select string_agg(row_to_json(entry)::text, '') as text from ${sql.table(name)} as entry`.execute(service.db)
      if ((rows[0]?.text ?? '').includes(token)) found.push(name)
    }
    assert.deepEqual(found, ['mails'])
    assert.ok(!service.log.join('').includes(token))
  })

  test('is sent again until it is accepted, and the link before it stops working', async () => {
    const shop = await service.openShop()
    const user = await anInvitedUser(shop)
    const before = await invitationTo(service, user.email)
    const path = `/api/users/${user.token}/send_invitation.json`
    const answer = await shop.post(path, {})
    assert.deepEqual([answer.status, answer.body.user], [200, user])
    const latest = await invitationTo(service, user.email)
    assert.notEqual(latest, before)
    assert.equal(await accept(service, before), undefined)
    assert.ok(await accept(service, latest))
    const refused = await shop.post(path, {})
    assert.deepEqual([refused.status, refused.body.reason], [409, 'invitation_accepted'])
  })

  test('works once: the user is enabled, valid and verified', async () => {
    const shop = await service.openShop()
    const invited = await anInvitedUser(shop, { first_name: 'Jane', note: 'x' })
    const link = await invitationTo(service, invited.email)
    service.clock.advance(60)
    const user = await accept(service, link, { lastName: 'Röe' })
    assert.deepEqual([user?.id, user?.company_id, user?.email], [invited.id, shop.companyId, invited.email])
    const after = await readUser(shop, invited.id)
    const { updated_at } = after
    assert.ok(updated_at > invited.updated_at)
    const enabled = { state: 'enabled', valid: true, verified_email: true }
    assert.deepEqual(after, { ...invited, ...enabled, last_name: 'Röe', updated_at })
    const entry = (await auditOf(service, shop)).at(-1)
    assert.deepEqual(
      [entry?.action, entry?.subject, entry?.user_id],
      ['invitation accepted', invited.email, invited.id],
    )
    assert.deepEqual([entry?.address, entry?.request_id], ['192.0.2.7', 'r-1'])
    assert.equal(await accept(service, link), undefined)
    assert.deepEqual(await readUser(shop, invited.id), after)
  })

  test('is accepted by one of many requests at once', async () => {
    const shop = await service.openShop()
    const { email } = await anInvitedUser(shop)
    const link = await invitationTo(service, email)
    const results = await Promise.all(Array.from({ length: 20 }, () => accept(service, link)))
    assert.equal(results.filter((user) => user !== undefined).length, 1)
    const accepted = (await auditOf(service, shop)).filter(({ action }) => action === 'invitation accepted')
    assert.equal(accepted.length, 1)
  })

  test('ends after seven days', async () => {
    const shop = await service.openShop()
    const [one, two] = [await anInvitedUser(shop), await anInvitedUser(shop)]
    const [first, second] = [await invitationTo(service, one.email), await invitationTo(service, two.email)]
    service.clock.advance(7 * DAY_SECONDS - 10)
    assert.ok(await accept(service, first))
    service.clock.advance(20)
    assert.equal(await accept(service, second), undefined)
  })

  test('cannot be accepted with an unknown link', async () => {
    for (const token of ['', 'x', 'A'.repeat(43), '\0', 'ü']) assert.equal(await accept(service, token), undefined)
  })
})

describe('the email address', () => {
  test('can be changed while the invitation is pending: a new one goes out, and the old link ends', async () => {
    const shop = await service.openShop()
    const { token, email: old } = await anInvitedUser(shop)
    const oldLink = await invitationTo(service, old)
    const email = anAddress()
    const answer = await shop.put(`/api/users/${token}.json`, { user: { email } })
    assert.deepEqual([answer.status, answer.body.user.email, answer.body.user.valid], [200, email, false])
    assert.equal(await accept(service, oldLink), undefined)
    assert.deepEqual(
      (await auditOf(service, shop)).slice(-2).map(({ action, subject }) => [action, subject]),
      [
        ['user changed', `${old}: email`],
        ['user invited', email],
      ],
    )
    assert.equal((await mailsTo(service, old)).length, 1)
    assert.ok(await accept(service, await invitationTo(service, email)))
  })

  test('is the same in any case: nothing changes and nothing is sent', async () => {
    const shop = await service.openShop()
    const { token, email } = await anInvitedUser(shop)
    for (const spelling of [email, email.toUpperCase(), email.toLowerCase()]) {
      const answer = await shop.put(`/api/users/${token}.json`, { user: { email: spelling } })
      assert.deepEqual([answer.status, answer.body.user.email], [200, email])
    }
    assert.equal((await mailsTo(service, email)).length, 1)
    assert.ok(await accept(service, await invitationTo(service, email)))
    assert.equal((await shop.put(`/api/users/${token}.json`, { user: { email: email.toUpperCase() } })).status, 200)
  })

  // The recipient of a reset mail can take over the account.
  test('is fixed once the invitation was accepted, for enabled and disabled users', async () => {
    const shop = await service.openShop()
    const user = await aUser(service, shop)
    for (const state of ['enabled', 'disabled']) {
      await shop.put(`/api/users/${user.token}.json`, { user: { state } })
      const before = await readUser(shop, user.token)
      const answer = await shop.put(`/api/users/${user.token}.json`, { user: { email: anAddress(), note: 'new' } })
      assert.deepEqual([answer.status, answer.body.code], [409, 'conflict'])
      assert.equal(
        answer.body.error,
        `The email address of ${user.email} can't be changed any more, because the invitation was accepted.`,
      )
      assert.deepEqual(await readUser(shop, user.token), before)
    }
  })

  test('cannot become that of another user, even at the same time', async () => {
    const shop = await service.openShop()
    const [one, two] = [await anInvitedUser(shop), await anInvitedUser(shop)]
    const change = (token: string, email: string) => shop.put(`/api/users/${token}.json`, { user: { email } })
    assertBlames(await change(one.token, two.email.toUpperCase()), ['email'])
    assert.ok(await accept(service, await invitationTo(service, one.email)), 'the old link still works')
    const others = await Promise.all(Array.from({ length: 5 }, () => anInvitedUser(shop)))
    const email = anAddress()
    const answers = await Promise.all(others.map(({ token }) => change(token, email)))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 422, 422, 422, 422])
    assert.equal((await mailsTo(service, email)).length, 1)
  })

  test('changes before the acceptance or not at all when both come at once', async () => {
    const shop = await service.openShop()
    for (let round = 0; round < 10; round += 1) {
      const { token, email: old } = await anInvitedUser(shop)
      const link = await invitationTo(service, old)
      const [answer, user] = await Promise.all([
        shop.put(`/api/users/${token}.json`, { user: { email: anAddress() } }),
        accept(service, link),
      ])
      assert.deepEqual([answer.status, user !== undefined], user === undefined ? [200, false] : [409, true])
      const { valid, email } = await readUser(shop, token)
      assert.deepEqual([valid, email === old], [user !== undefined, user !== undefined])
    }
  })
})
