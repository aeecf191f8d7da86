import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { openDatabase } from '#platform/db/database.ts'
import { migrate } from '#platform/db/migrations/migrate.ts'
import { asciiJson } from '#platform/wire/times.ts'
import { createDatabase } from '#test/server.ts'
import { presentCustomer } from './present.ts'
import { getAddresses, readOwnRelations } from './queries.ts'
import type { AccountState } from './state.ts'

const TOKEN = 'A'.repeat(16)
const now = new Date('2026-01-02T03:04:05Z')

const account: AccountState = {
  id: 7,
  token: TOKEN,
  email: 'jane@example.com',
  password_hash: null,
  language: 'en',
  state: 'enabled',
  verified_email: false,
  created_at: now,
  updated_at: now,
}

const address = (id: number, city: string, isDefault: boolean) => ({
  id,
  first_name: 'Jané',
  last_name: 'Roe',
  company: '',
  address1: 'Main Street 1',
  address2: '',
  city,
  zip: '10115',
  province: '',
  province_code: '',
  country_code: 'DE',
  country: 'Germany',
  phone: '',
  language: '',
  default: isDefault,
})

test('an upgrade leaves every company the names, addresses and documents that it had', async () => {
  const database = await createDatabase('empty')
  const { db, close } = openDatabase(database.connection, { poolMax: 2 })
  try {
    await migrate(db, '0043_shipping_positions')
    const addresses = [address(11, 'Berlin', false), address(12, 'Bonn', true)]
    await sql`insert into companies (company_name, email, created_at, updated_at)
      values ('One', 'a@example.com', now(), now()), ('Two', 'b@example.com', now(), now())`.execute(db)
    await sql`insert into customers (id, token, email, first_name, last_name, language, state, verified_email, addresses,
        created_at, updated_at)
      values (7, ${TOKEN}, 'jane@example.com', 'Jané', 'Roe', 'en', 'enabled', false, ${JSON.stringify(addresses)}::json,
        ${now}, ${now})`.execute(db)
    const documents = new Map<number, string>()
    for (const [company_id, note] of [
      [1000, 'Ours'],
      [1001, 'Theirs'],
    ] as const) {
      const numbers = { orders_count: 2, total_spent: 300, last_order_id: 1000, last_order_name: '#1000' }
      const known = { company_id, customer_id: 7, note, ...numbers, created_at: now, updated_at: now }
      const document = asciiJson(
        presentCustomer(account, { ...known, first_name: 'Jané', last_name: 'Roe', addresses }),
      )
      documents.set(company_id, document)
      await sql`insert into customer_relations (company_id, customer_id, note, orders_count, total_spent, last_order_id,
          last_order_name, created_at, updated_at, document)
        values (${company_id}, 7, ${note}, 2, 300, 1000, '#1000', ${now}, ${now}, ${document})`.execute(db)
    }
    await migrate(db)
    for (const [company_id, document] of documents) {
      const { rows } = await sql<{ document: string }>`select document from customer_relations
        where company_id = ${company_id}`.execute(db)
      const [relation] = await readOwnRelations(db, company_id, [7])
      assert.ok(relation)
      assert.equal(rows[0]?.document, document)
      assert.equal(asciiJson(presentCustomer(account, relation)), document)
      assert.deepEqual(await getAddresses(db, company_id, TOKEN), { token: TOKEN, addresses })
    }
  } finally {
    await close()
    await database.drop()
  }
})
