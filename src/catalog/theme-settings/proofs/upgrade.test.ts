import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { type Db, openDatabase } from '#platform/db/database.ts'
import { migrate } from '#platform/db/migrations/migrate.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { createDatabase } from '#test/server.ts'
import { findShopByHost } from '../queries.ts'
import { settleDomain } from './commands.ts'

async function withDatabase(before: string, work: (db: Db) => Promise<void>): Promise<void> {
  const database = await createDatabase('empty')
  const { db, close } = openDatabase(database.connection, { poolMax: 2 })
  try {
    await migrate(db, before)
    await work(db)
  } finally {
    await close()
    await database.drop()
  }
}

const upgrade = async (db: Db) => migrate(db)

const NOBODY = { companies: [], themeSettings: [] }
const DAY_MS = 86_400_000

test('a domain from before there were proofs answers for a week after the first look', async () => {
  await withDatabase('0032', async (db) => {
    await sql`insert into companies (company_name, email, created_at, updated_at)
      values ('Books', 'a@example.com', now(), now())`.execute(db)
    await sql`insert into theme_settings (company_id, theme_id, locales, updated_at) values (1000, 1, '[]', now())`.execute(
      db,
    )
    await sql`insert into theme_setting_hosts (host, company_id, theme_setting_id, kind)
      values ('old.example.com', 1000, 1000, 'shop_domain'), ('1000', 1000, 1000, 'sub_domain')`.execute(db)
    await upgrade(db)
    // The program writes the texts of the pages after the migrations.
    await sql`update theme_settings set page_locales = '[]'`.execute(db)
    const first = new Date()
    const lookAfter = async (days: number) => {
      const now = new Date(first.getTime() + days * DAY_MS)
      await inTransaction(db, (tx) => settleDomain(tx, 'old.example.com', NOBODY, now))
      return (await findShopByHost(db, 'old.example.com', 'localhost'))?.company_id
    }
    assert.equal(await lookAfter(0), 1000)
    assert.equal(await lookAfter(6.9), 1000)
    assert.equal(await lookAfter(7.1), undefined)
    assert.equal((await findShopByHost(db, '1000.localhost', 'localhost'))?.company_id, 1000)
  })
})
