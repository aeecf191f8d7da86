import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { type Db, openDatabase } from '#platform/db/database.ts'
import { migrate, migrationNames } from '#platform/db/migrations/migrate.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { asciiJson } from '#platform/wire/times.ts'
import { upgrade } from '#program/boot/store.ts'
import { rebuild } from '#program/rebuild.ts'
import type { Wire } from '#test/factories.ts'
import { useService } from '#test/harness.ts'
import { createDatabase } from '#test/server.ts'
import { anInvitedUser, aUser, readUser } from '#test/users.ts'
import { createUser } from './commands.ts'
import { presentUser } from './present.ts'
import { countUsers, findUser, getUserDocument } from './queries.ts'

const service = useService()

async function stored(db: Db, id: number): Promise<string | null> {
  const { document } = await db.selectFrom('users').select('document').where('id', '=', id).executeTakeFirstOrThrow()
  return document
}

async function assertPresentedFresh(db: Db, id: number): Promise<void> {
  const user = await findUser(db, id)
  assert.ok(user)
  assert.equal(await stored(db, id), asciiJson(presentUser(user)))
}

const text = (lengthMax: number) =>
  fc
    .oneof(fc.constantFrom('', 'Füm 🎬', '"\\'), fc.string({ maxLength: lengthMax / 4, unit: 'grapheme' }))
    .filter((value) => !value.includes('\0') && value.isWellFormed() && [...value].length <= lengthMax)

const bit = fc.constantFrom(0, 1)
const flags = fc.record(
  {
    request_products: bit,
    request_keyfile: bit,
    request_rescue_code: bit,
    request_beta_code: bit,
    create_users: bit,
    web_access: bit,
    accounting: bit,
    unlock: bit,
    RepAccounting: bit,
  },
  { requiredKeys: [] },
)

const COUNTRIES: Record<string, string> = { DE: 'Germany', US: 'United States', '': '' }
const address = fc.record(
  {
    first_name: text(100),
    last_name: text(100),
    company: text(100),
    address1: text(100),
    address2: text(100),
    city: text(100),
    zip: text(50),
    province: text(100),
    province_code: text(50),
    country_code: fc.constantFrom(...Object.keys(COUNTRIES)),
    phone: text(50),
    language: fc.constantFrom('', 'de'),
    password_option: text(100),
  },
  { requiredKeys: [] },
)

const body = fc.record(
  {
    first_name: text(100),
    last_name: text(100),
    language: fc.constantFrom('en', 'de'),
    note: text(5000),
    time_zone: fc.integer({ min: -840, max: 840 }),
    state: fc.constantFrom('enabled', 'disabled'),
    permissions: flags,
    default_address: fc.option(address),
  },
  { requiredKeys: [] },
)

const BLANK = {
  first_name: '',
  last_name: '',
  company: '',
  address1: '',
  address2: '',
  city: '',
  zip: '',
  province: '',
  province_code: '',
  country_code: '',
  phone: '',
  language: '',
  password_option: '',
}

/** The address after the change; a new one gets its id from the service. */
function expectedAddress(before: Wire, change: Wire, after: Wire): Wire {
  if (change === undefined) return before
  if (change === null) return null
  const merged = { ...BLANK, ...before, ...change }
  const country = COUNTRIES[merged.country_code]
  const name = `${merged.first_name} ${merged.last_name}`.trim()
  const identity = { id: before?.id ?? after.default_address.id, token: after.token, default: true }
  return { ...merged, ...identity, name, country, country_name: country }
}

describe('the stored document of a user', () => {
  test('contains the change, keeps the rest, and equals the presented row', async () => {
    const shop = await service.openShop()
    let user = await aUser(service, shop)
    await fc.assert(
      fc.asyncProperty(body, async (change: Wire) => {
        const answer = await shop.put(`/api/users/${user.token}.json`, { user: change })
        assert.equal(answer.status, 200, answer.text)
        const after = await readUser(shop, user.id)
        assert.deepEqual(after, answer.body.user)
        assert.deepEqual(after, {
          ...user,
          ...change,
          updated_at: after.updated_at,
          permissions: { ...user.permissions, ...change.permissions },
          default_address: expectedAddress(user.default_address, change.default_address, after),
        })
        await assertPresentedFresh(service.db, user.id)
        user = after
      }),
      { numRuns: 40 },
    )
  })

  test('is repaired by a rebuild, and so is the counter', async () => {
    const shop = await service.openShop()
    const user = await anInvitedUser(shop)
    const before = await shop.get('/api/users.json')
    await service.db.updateTable('users').set({ document: '{}' }).where('id', '=', user.id).execute()
    await sql`update counters set amount = 99 where company_id = ${shop.companyId} and resource = 'users'`.execute(
      service.db,
    )
    const damaged = await service.call('GET', '/api/users.json', { token: shop.token, isDamaged: true })
    assert.notEqual(damaged.text, before.text)
    const done = await rebuild(service.db)
    assert.ok(Number(done.users) >= 2)
    assert.equal((await shop.get('/api/users.json')).text, before.text)
    assert.deepEqual((await shop.get('/api/users/count.json')).body, { count: 2 })
  })

  test('is written, and the user counted, when an older database is migrated', async () => {
    const database = await createDatabase('empty')
    const { db, close } = openDatabase(database.connection, { poolMax: 2 })
    try {
      await migrate(db, '0007_company_details')
      await sql`insert into companies (company_name, email, country_code, external_access_token, created_at, updated_at)
        values ('Bücher', 'b@example.com', 'DE', 'x', '2024-01-02', '2024-01-03')`.execute(db)
      await sql`insert into users (company_id, email, password_hash, created_at, updated_at)
        select 1000, number || '@Example.com', 'hash', '2024-01-02', '2024-01-03' from generate_series(1, 3) as number`.execute(
        db,
      )
      assert.deepEqual(
        await upgrade(db),
        (await migrationNames()).filter((name) => name > '0007_company_details'),
      )
      const users = await Promise.all(
        [1000, 1001, 1002].map(async (id) => JSON.parse(await getUserDocument(db, 1000, `${id}`))),
      )
      assert.deepEqual(
        users.map(({ email, state, valid }) => [email, state, valid]),
        [1, 2, 3].map((number) => [`${number}@Example.com`, 'enabled', true]),
      )
      assert.equal(new Set(users.map(({ token }) => token)).size, 3)
      for (const { id, token, permissions, created_at, updated_at } of users) {
        assert.match(token, /^[A-Z]{16}$/)
        assert.deepEqual([created_at, updated_at], ['2024-01-02T00:00:00', '2024-01-03T00:00:00'])
        assert.deepEqual(Object.values(permissions), Array(9).fill(1))
        await assertPresentedFresh(db, id)
      }
      assert.equal(await countUsers(db, 1000, {}), 3)
      assert.deepEqual(await upgrade(db), [])
      assert.equal(await countUsers(db, 1000, {}), 3)
      const { id } = await inTransaction(db, (tx) =>
        createUser(tx, { companyId: 1000, email: 'new@example.com', passwordHash: null, first_name: 'N' }, new Date()),
      )
      assert.equal(id, 1003)
      assert.equal(await countUsers(db, 1000, {}), 4)
      assert.equal(JSON.parse(await getUserDocument(db, 1000, '1003')).first_name, 'N')
    } finally {
      await close()
      await database.drop()
    }
  })
})
