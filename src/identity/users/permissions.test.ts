import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { inTransaction } from '#platform/db/transaction.ts'
import { tokenHash } from '#platform/identity/crypto.ts'
import { type Answer, type Shop, useService } from '#test/harness.ts'
import { untilRefused } from '#test/people.ts'
import { accept, anAddress, anInvitedUser, aUser, auditOf, invitationTo, mailsTo, readUser } from '#test/users.ts'
import { createLink } from './links/commands.ts'
import { findLink } from './links/queries.ts'

const service = useService()
const MANAGER = { permissions: { create_users: 1 } }

const pathOf = ({ token }: { token: string }) => `/api/users/${token}.json`

function assertForbidden(answer: Answer, sentence: RegExp): void {
  assert.deepEqual([answer.status, answer.body.code], [403, 'forbidden'], answer.text)
  assert.match(answer.body.error, sentence)
}

function assertConflict(answer: Answer, sentence: RegExp): void {
  assert.deepEqual([answer.status, answer.body.code], [409, 'conflict'], answer.text)
  assert.match(answer.body.error, sentence)
}

/** A shop, and the same shop with a token of a user without create_users. */
async function withHelper(): Promise<{ shop: Shop; helper: Shop; own: { token: string } }> {
  const shop = await service.openShop()
  const user = await aUser(service, shop)
  return { shop, helper: await shop.asUser(user.id), own: user }
}

describe('a user without create_users', () => {
  test('may not invite', async () => {
    const { shop, helper } = await withHelper()
    const email = anAddress()
    assertForbidden(await helper.post('/api/users.json', { user: { email } }), /needs the permission create_users/)
    assert.deepEqual((await shop.get('/api/users/count.json')).body, { count: 2 })
    assert.deepEqual(await mailsTo(service, email), [])
  })

  // Otherwise this would reveal which addresses have an account.
  test('learns nothing about addresses by trying to invite', async () => {
    const { shop, helper } = await withHelper()
    const { email } = await readUser(shop, shop.userId)
    assertForbidden(await helper.post('/api/users.json', { user: { email } }), /create_users/)
  })

  test('may not change state or permissions, of others or their own', async () => {
    const { shop, helper, own } = await withHelper()
    const other = await aUser(service, shop)
    const owner = await readUser(shop, shop.userId)
    for (const user of [
      { state: 'disabled' },
      { permissions: { accounting: 1 } },
      { permissions: { web_access: 0 } },
    ]) {
      for (const target of [other, own]) {
        const before = await readUser(shop, target.token)
        assertForbidden(await helper.put(pathOf(target), { user: { note: 'x', ...user } }), /create_users/)
        assert.deepEqual(await readUser(shop, target.token), before)
      }
    }
    assertForbidden(await helper.put(pathOf(own), { user: MANAGER }), /create_users/)
    assertForbidden(await helper.put(pathOf(owner), { user: { permissions: { create_users: 0 } } }), /create_users/)
  })

  // The new address would get the invitation that was meant for another person.
  test('may not send the invitation of another to a new address', async () => {
    const { shop, helper } = await withHelper()
    const invited = await anInvitedUser(shop, MANAGER)
    const email = anAddress()
    assertForbidden(await helper.put(pathOf(invited), { user: { email } }), /create_users/)
    assert.equal((await readUser(shop, invited.token)).email, invited.email)
    assert.deepEqual(await mailsTo(service, email), [])
  })

  test('may change the rest of the own account, and send back state and permissions as they are', async () => {
    const { shop, helper, own } = await withHelper()
    const before = await readUser(shop, own.token)
    const answer = await helper.put(pathOf(own), { user: { ...before, note: 'by a helper' } })
    assert.equal(answer.status, 200, answer.text)
    assert.deepEqual(answer.body.user, { ...before, note: 'by a helper', updated_at: answer.body.user.updated_at })
  })

  test('cannot change another user', async () => {
    const { shop, helper } = await withHelper()
    const other = await aUser(service, shop)
    assertForbidden(await helper.put(pathOf(other), { user: { note: 'by a helper' } }), /create_users/)
    assert.equal((await readUser(shop, other.token)).note, '')
  })
})

describe('a user who is disabled', () => {
  test('may not invite or change permissions, even with create_users', async () => {
    const shop = await service.openShop()
    const user = await aUser(service, shop, MANAGER)
    const manager = await shop.asUser(user.id)
    const other = await anInvitedUser(manager)
    assert.equal((await shop.put(pathOf(user), { user: { state: 'disabled' } })).status, 200)
    await untilRefused(service, manager.token)
    // The operator can issue a token for any user.
    const issued = await shop.asUser(user.id)
    assertForbidden(await issued.post('/api/users.json', { user: { email: anAddress() } }), /is disabled/)
    assertForbidden(await issued.put(pathOf(other), { user: { permissions: { unlock: 1 } } }), /is disabled/)
    assert.equal((await shop.put(pathOf(user), { user: { state: 'enabled' } })).status, 200)
    assert.equal((await issued.put(pathOf(other), { user: { permissions: { unlock: 1 } } })).status, 200)
  })

  test('has no session and no open link any more', async () => {
    const shop = await service.openShop()
    const [user, other] = [await aUser(service, shop), await aUser(service, shop)]
    const now = service.clock.now()
    const links: string[] = []
    for (const { id } of [user, other]) {
      const owner = { company_id: shop.companyId, user_id: id }
      const session = {
        second_factor_due: false,
        browser: '',
        address: '',
        created_at: now,
        seen_at: now,
        expires_at: now,
      }
      await service.db
        .insertInto('sessions')
        .values({ token_hash: tokenHash(`session ${id}`), ...owner, ...session })
        .execute()
      links.push(
        await inTransaction(service.db, (tx) =>
          createLink(tx, { kind: 'reset', companyId: shop.companyId, userId: id }, now),
        ),
      )
    }
    assert.equal((await shop.put(pathOf(user), { user: { state: 'disabled' } })).status, 200)
    const sessions = await service.db
      .selectFrom('sessions')
      .select('user_id')
      .where('company_id', '=', shop.companyId)
      .execute()
    assert.deepEqual(sessions, [{ user_id: other.id }])
    const [own = '', others = ''] = links
    assert.equal(await findLink(service.db, 'reset', own, now), undefined)
    assert.deepEqual(await findLink(service.db, 'reset', others, now), { companyId: shop.companyId, userId: other.id })
  })

  test('still exists, is valid, and can be enabled again', async () => {
    const shop = await service.openShop()
    const user = await aUser(service, shop)
    const { body } = await shop.put(pathOf(user), { user: { state: 'disabled' } })
    assert.deepEqual([body.user.state, body.user.valid], ['disabled', true])
    assert.equal((await shop.put(pathOf(user), { user: { state: 'enabled' } })).body.user.state, 'enabled')
    const subjects = (await auditOf(service, shop)).filter(({ action }) => action === 'permissions changed')
    assert.deepEqual(
      subjects.map(({ subject }) => subject),
      [`${user.email}: state disabled`, `${user.email}: state enabled`],
    )
  })
})

describe('a user who has not accepted the invitation', () => {
  test('cannot be enabled', async () => {
    const shop = await service.openShop()
    const user = await anInvitedUser(shop)
    assertConflict(
      await shop.put(pathOf(user), { user: { state: 'enabled', note: 'x' } }),
      /has not accepted the invitation yet/,
    )
    assert.deepEqual(await readUser(shop, user.token), user)
  })

  // Clients send back whole objects: the state that was read must not end the invitation.
  test('keeps the invitation when it is sent back as it was read', async () => {
    const shop = await service.openShop()
    const user = await anInvitedUser(shop)
    assert.equal((await shop.put(pathOf(user), { user: { ...user, first_name: 'J' } })).status, 200)
    assert.ok(await accept(service, await invitationTo(service, user.email)))
  })

  test('may be given permissions, which apply from the acceptance on', async () => {
    const shop = await service.openShop()
    const user = await anInvitedUser(shop)
    const invited = await shop.asUser(user.id)
    assert.equal((await shop.put(pathOf(user), { user: MANAGER })).status, 200)
    assertForbidden(await invited.post('/api/users.json', { user: { email: anAddress() } }), /is disabled/)
    await accept(service, await invitationTo(service, user.email))
    await anInvitedUser(invited)
  })
})

describe('the last enabled user with create_users', () => {
  const LOSSES = [{ state: 'disabled' }, { permissions: { create_users: 0 } }, { permissions: { web_access: 0 } }]

  test('keeps the permission and stays enabled', async () => {
    const shop = await service.openShop()
    const owner = await readUser(shop, shop.userId)
    await aUser(service, shop)
    await anInvitedUser(shop, MANAGER)
    const disabled = await aUser(service, shop, MANAGER)
    await shop.put(pathOf(disabled), { user: { state: 'disabled' } })
    for (const user of LOSSES) {
      assertConflict(await shop.put(pathOf(owner), { user: { note: 'x', ...user } }), /is the last enabled user/)
      assert.deepEqual(await readUser(shop, owner.token), owner)
    }
    await shop.put(pathOf(disabled), { user: { state: 'enabled' } })
    const { status } = await shop.put(pathOf(owner), { user: { permissions: { create_users: 0 } } })
    assert.equal(status, 200, 'now there is another one')
  })

  test('is not replaced by a user of another company', async () => {
    const partner = await service.openShop()
    const shop = await service.openShop({ partnerId: partner.companyId })
    const owner = await readUser(shop, shop.userId)
    const byPartner = await shop.asUser(partner.userId)
    for (const user of LOSSES) assertConflict(await byPartner.put(pathOf(owner), { user }), /is the last enabled user/)
  })

  test('remains when all of them are removed at once', async () => {
    for (const user of LOSSES) {
      const shop = await service.openShop()
      const managers = [await readUser(shop, shop.userId)]
      for (let count = 0; count < 5; count += 1) managers.push(await aUser(service, shop, MANAGER))
      // Each with its own token: a user who has lost the permission cannot take it from others any more.
      const answers = await Promise.all(
        managers.map(async (target, index) => {
          const actor = await shop.asUser(managers[(index + 1) % managers.length]!.id)
          return actor.put(pathOf(target), { user })
        }),
      )
      // A token ends with its user, so the answer of an actor who was just disabled may be 401.
      for (const { status, text } of answers) assert.ok([200, 401, 403, 409].includes(status), text)
      const users = await service.db.selectFrom('users').selectAll().where('company_id', '=', shop.companyId).execute()
      const left = users.filter(({ state, document }) => {
        const { create_users, web_access } = JSON.parse(document ?? '').permissions
        return state === 'enabled' && create_users === 1 && web_access === 1
      })
      assert.equal(left.length, managers.length - answers.filter(({ status }) => status === 200).length)
      assert.ok(left.length >= 1)
    }
  })

  test('remains when two remove each other at once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const shop = await service.openShop()
      const [one, two] = [await readUser(shop, shop.userId), await aUser(service, shop, MANAGER)]
      const other = await shop.asUser(two.id)
      const user = { state: 'disabled' }
      const answers = await Promise.all([shop.put(pathOf(two), { user }), other.put(pathOf(one), { user })])
      const [first, second = 0] = answers.map(({ status }) => status).sort()
      assert.equal(first, 200)
      assert.ok([401, 403].includes(second), `${second}`)
    }
  })

  test('remains when two give the permission up at once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const shop = await service.openShop()
      const [one, two] = [await readUser(shop, shop.userId), await aUser(service, shop, MANAGER)]
      const other = await shop.asUser(two.id)
      const user = { permissions: { create_users: 0 } }
      const answers = await Promise.all([shop.put(pathOf(one), { user }), other.put(pathOf(two), { user })])
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409])
    }
  })
})

describe('a user of the partner', () => {
  test('acts for an associated company with the permissions in their own company', async () => {
    const partner = await service.openShop()
    const associate = await service.openShop({ partnerId: partner.companyId })
    const byPartner = await associate.asUser(partner.userId)
    await partner.put(`/api/users/${partner.userId}.json`, { user: { first_name: 'Pat', last_name: 'Partner' } })
    const user = await anInvitedUser(byPartner)
    assert.equal(user.company_id, associate.companyId)
    assert.match((await mailsTo(service, user.email))[0]?.text ?? '', /^Pat Partner invites you/m)
    assert.equal((await byPartner.put(pathOf(user), { user: MANAGER })).status, 200)
    const entry = (await auditOf(service, associate)).find(({ action }) => action === 'user invited')
    assert.equal(entry?.user_id, partner.userId)

    const helper = await aUser(service, partner)
    const byHelper = await associate.asUser(helper.id)
    assertForbidden(await byHelper.post('/api/users.json', { user: { email: anAddress() } }), /create_users/)
    assertForbidden(await byHelper.put(pathOf(user), { user: { note: 'x' } }), /create_users/)
  })

  test('is not a user of the associated company', async () => {
    const partner = await service.openShop()
    const associate = await service.openShop({ partnerId: partner.companyId })
    const byPartner = await associate.asUser(partner.userId)
    assert.equal((await byPartner.get(`/api/users/${partner.userId}.json`)).status, 404)
    assert.equal((await partner.get(`/api/users/${associate.userId}.json`)).status, 404)
    const { users } = (await byPartner.get('/api/users.json')).body
    assert.deepEqual(
      users.map(({ id }: { id: number }) => id),
      [associate.userId],
    )
  })
})
