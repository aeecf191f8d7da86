import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { openDatabase } from '#platform/db/database.ts'
import { migrate } from '#platform/db/migrations/migrate.ts'
import { createDatabase } from '#test/server.ts'

test('an upgrade ends the grants of users who were disabled before, and of no others', async () => {
  const database = await createDatabase('empty')
  const { db, close } = openDatabase(database.connection, { poolMax: 2 })
  try {
    await migrate(db, '0032')
    await sql`insert into companies (company_name, email, created_at, updated_at)
      values ('Books', 'a@example.com', now(), now())`.execute(db)
    for (const [email, state, token] of [
      ['in@example.com', 'enabled', 'A'.repeat(16)],
      ['out@example.com', 'disabled', 'B'.repeat(16)],
    ] as const)
      await sql`insert into users (company_id, email, state, token, created_at, updated_at)
        values (1000, ${email}, ${state}, ${token}, now(), now())`.execute(db)
    await sql`insert into apps (company_id, client_id, secret_hash, name, created_at, updated_at)
      values (1000, 'client', 'x', 'Shelf', now(), now())`.execute(db)
    await sql`insert into grants (company_id, app_id, user_id, scopes, created_at)
      select 1000, apps.id, users.id, '{products}', now() from users, apps order by users.id`.execute(db)
    await sql`insert into access_tokens (token_hash, company_id, grant_id, scopes, issued_at, expires_at)
      select id::text::bytea, 1000, id, '{products}', now(), now() + interval '1 hour' from grants`.execute(db)
    await migrate(db)
    const { rows } = await sql<{ email: string; revoked: boolean; tokens: number }>`
      select users.email, revoked_at is not null as revoked,
        (select count(*)::int from access_tokens where grant_id = grants.id) as tokens
      from grants join users on users.id = grants.user_id order by users.email`.execute(db)
    assert.deepEqual(rows, [
      { email: 'in@example.com', revoked: false, tokens: 1 },
      { email: 'out@example.com', revoked: true, tokens: 0 },
    ])
  } finally {
    await close()
    await database.drop()
  }
})
