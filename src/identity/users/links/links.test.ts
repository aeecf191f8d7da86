import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Tx } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { tokenHash } from '#platform/identity/crypto.ts'
import { type Shop, useService } from '#test/harness.ts'
import { createLink, deleteOldLinks, endLinks, useLink } from './commands.ts'
import { findLink } from './queries.ts'
import type { LinkKind } from './rules.ts'

const service = useService()
const NOW = new Date('2026-03-01T12:00:00Z')
const later = (seconds: number) => new Date(NOW.getTime() + seconds * 1000)

const write = <Result>(work: (tx: Tx) => Promise<Result>) => inTransaction(service.db, work)
const ownerOf = ({ companyId, userId }: Shop) => ({ companyId, userId })
const make = (shop: Shop, kind: 'invitation' | 'reset', now = NOW) =>
  write((tx) => createLink(tx, { kind, ...ownerOf(shop) }, now))
const makeFirst = (now = NOW) =>
  write((tx) => createLink(tx, { kind: 'first run', companyId: null, userId: null }, now))
const find = (kind: LinkKind, token: string, now = NOW) => findLink(service.db, kind, token, now)
const use = (kind: LinkKind, token: string, now = NOW) => write((tx) => useLink(tx, kind, token, now))

describe('a link', () => {
  test('leads to its user, and is stored as a hash', async () => {
    const shop = await service.openShop()
    const token = await make(shop, 'reset')
    assert.match(token, /^[\w-]{43}$/)
    assert.deepEqual(await find('reset', token), ownerOf(shop))
    const row = await service.db
      .selectFrom('one_time_links')
      .selectAll()
      .where('company_id', '=', shop.companyId)
      .executeTakeFirstOrThrow()
    assert.deepEqual(row.token_hash, tokenHash(token))
    assert.deepEqual([row.kind, row.created_at, row.used_at], ['reset', NOW, null])
  })

  test('works for its kind only', async () => {
    const shop = await service.openShop()
    const token = await make(shop, 'reset')
    for (const kind of ['invitation', 'first run'] as const) {
      assert.equal(await find(kind, token), undefined)
      assert.equal(await use(kind, token), undefined)
    }
    assert.deepEqual(await use('reset', token), ownerOf(shop))
  })

  test('can be found repeatedly, and used once', async () => {
    const shop = await service.openShop()
    const token = await make(shop, 'invitation')
    for (let tries = 0; tries < 3; tries += 1) assert.deepEqual(await find('invitation', token), ownerOf(shop))
    assert.deepEqual(await use('invitation', token), ownerOf(shop))
    assert.equal(await find('invitation', token), undefined)
    assert.equal(await use('invitation', token), undefined)
  })

  test('is used by one of twenty requests at once', async () => {
    const shop = await service.openShop()
    const token = await make(shop, 'reset')
    const results = await Promise.all(Array.from({ length: 20 }, () => use('reset', token)))
    assert.deepEqual(
      results.filter((owner) => owner !== undefined),
      [ownerOf(shop)],
    )
  })

  test('stays unused if its transaction is rolled back', async () => {
    const shop = await service.openShop()
    const token = await make(shop, 'reset')
    const failing = write(async (tx) => {
      assert.ok(await useLink(tx, 'reset', token, NOW))
      throw new Error('killed in the middle')
    })
    await assert.rejects(failing, /killed in the middle/)
    assert.deepEqual(await use('reset', token), ownerOf(shop))
  })

  test('expires: after an hour for a reset, after a week for the others', async () => {
    const shop = await service.openShop()
    const [hour, week] = [3600, 7 * 86_400]
    const cases: [LinkKind, string, number][] = [
      ['reset', await make(shop, 'reset'), hour],
      ['invitation', await make(shop, 'invitation'), week],
      ['first run', await makeFirst(), week],
    ]
    for (const [kind, token, seconds] of cases) {
      assert.equal(await find(kind, token, later(seconds)), undefined, kind)
      assert.equal(await use(kind, token, later(seconds)), undefined, kind)
      assert.ok(await find(kind, token, later(seconds - 1)), kind)
      assert.ok(await use(kind, token, later(seconds - 1)), kind)
    }
  })

  test('ends with the next one of its kind for the same user, and with no other', async () => {
    const [shop, other] = [await service.openShop(), await service.openShop()]
    const [first, invitation, others] = [
      await make(shop, 'reset'),
      await make(shop, 'invitation'),
      await make(other, 'reset'),
    ]
    const second = await make(shop, 'reset')
    assert.equal(await find('reset', first), undefined)
    assert.equal(await use('reset', first), undefined)
    assert.ok(await find('reset', second))
    assert.ok(await find('invitation', invitation))
    assert.ok(await find('reset', others))
  })

  test('is the only one of its kind when several are created at once', async () => {
    const shop = await service.openShop()
    const makers = { reset: () => make(shop, 'reset'), 'first run': () => makeFirst() }
    for (const kind of ['reset', 'first run'] as const) {
      const tokens = await Promise.all(Array.from({ length: 10 }, makers[kind]))
      const found = await Promise.all(tokens.map((token) => find(kind, token)))
      assert.equal(found.filter((owner) => owner !== undefined).length, 1, kind)
    }
  })

  test('of the first run has no owner, and ends no link that has one', async () => {
    const shop = await service.openShop()
    const reset = await make(shop, 'reset')
    const [first, second] = [await makeFirst(), await makeFirst()]
    assert.equal(await find('first run', first), undefined)
    assert.deepEqual(await use('first run', second), { companyId: null, userId: null })
    assert.ok(await find('reset', reset))
  })

  test('can be ended by kind or with all others of its user', async () => {
    const [shop, other] = [await service.openShop(), await service.openShop()]
    const [reset, invitation, others] = [
      await make(shop, 'reset'),
      await make(shop, 'invitation'),
      await make(other, 'reset'),
    ]
    await write((tx) => endLinks(tx, ownerOf(shop), 'reset'))
    assert.equal(await find('reset', reset), undefined)
    assert.ok(await find('invitation', invitation))
    await write((tx) => endLinks(tx, ownerOf(shop)))
    assert.equal(await find('invitation', invitation), undefined)
    assert.ok(await find('reset', others))
  })

  test('is deleted when it has expired, and not before', async () => {
    const [shop, other] = [await service.openShop(), await service.openShop()]
    await make(shop, 'reset')
    const fresh = await make(other, 'reset', later(60))
    await write((tx) => deleteOldLinks(tx, later(3600)))
    const rows = await service.db
      .selectFrom('one_time_links')
      .select('company_id')
      .where('kind', '=', 'reset')
      .execute()
    assert.ok(!rows.some(({ company_id }) => company_id === shop.companyId))
    assert.ok(await find('reset', fresh, later(3600)))
  })
})
