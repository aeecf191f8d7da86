import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { nowInSeconds } from '#platform/clock.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { useService } from '#test/harness.ts'
import { anInvitedUser, readUser } from '#test/users.ts'
import { setPassword } from './commands.ts'
import { createLink } from './links/commands.ts'
import { findLink } from './links/queries.ts'
import { findUser, findUserByEmail } from './queries.ts'

const service = useService()

describe('the user who signs in', () => {
  test('is found by email address in any case, or by id, in any company', async () => {
    const shop = await service.openShop()
    const user = await anInvitedUser(shop, { first_name: 'Jane', last_name: 'Roe' })
    for (const found of [
      await findUserByEmail(service.db, user.email),
      await findUserByEmail(service.db, user.email.toUpperCase()),
      await findUserByEmail(service.db, user.email.toLowerCase()),
      await findUser(service.db, user.id),
    ]) {
      assert.deepEqual([found?.company_id, found?.id, found?.email], [shop.companyId, user.id, user.email])
      assert.deepEqual([found?.first_name, found?.last_name], ['Jane', 'Roe'])
      assert.deepEqual([found?.password_hash, found?.state], [null, 'disabled'])
    }
    const owner = await findUser(service.db, shop.userId)
    assert.match(owner?.password_hash ?? '', /^\$argon2id\$/)
  })

  test('is not found by an unknown address', async () => {
    for (const email of ['', 'nobody@example.com', '\0', '%', '_'])
      assert.equal(await findUserByEmail(service.db, email), undefined)
    assert.equal(await findUser(service.db, 1), undefined)
  })
})

describe('a new password', () => {
  test('is stored, is in no answer, and ends links that would set another', async () => {
    const [shop, other] = [await service.openShop(), await service.openShop()]
    const now = nowInSeconds(service.clock)
    const link = ({ companyId, userId }: { companyId: number; userId: number }) =>
      inTransaction(service.db, (tx) => createLink(tx, { kind: 'reset', companyId, userId }, now))
    const [own, others] = [await link(shop), await link(other)]
    const before = await readUser(shop, shop.userId)
    service.clock.advance(60)
    const changed = nowInSeconds(service.clock)
    const user = { company_id: shop.companyId, id: shop.userId }
    await inTransaction(service.db, (tx) => setPassword(tx, user, 'the new hash', changed))
    assert.equal((await findUser(service.db, shop.userId))?.password_hash, 'the new hash')
    const after = await shop.get(`/api/users/${shop.userId}.json`)
    assert.ok(!after.text.includes('hash'))
    assert.deepEqual(after.body.user, { ...before, updated_at: changed.toISOString().slice(0, 19) })
    assert.equal(await findLink(service.db, 'reset', own, changed), undefined)
    assert.ok(await findLink(service.db, 'reset', others, changed))
    assert.notEqual((await findUser(service.db, other.userId))?.password_hash, 'the new hash')
  })
})
