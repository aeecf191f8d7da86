import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { countryDetails } from '#identity/addresses/countries.facts.ts'
import { type Db, openDatabase } from '#platform/db/database.ts'
import { migrate, migrationNames } from '#platform/db/migrations/migrate.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { asciiJson } from '#platform/wire/times.ts'
import { upgrade } from '#program/boot/store.ts'
import { rebuild } from '#program/rebuild.ts'
import type { Wire } from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'
import { createDatabase } from '#test/server.ts'
import { createCompany } from './commands.ts'
import { presentCompany, presentForPartner } from './present.ts'
import { getCompanyDocument, lockCompanyById } from './queries.ts'

const service = useService()
const pathOf = ({ companyId }: Shop) => `/api/companies/${companyId}.json`

async function stored(db: Db, id: number) {
  return db.selectFrom('companies').select(['document', 'partner_document']).where('id', '=', id).executeTakeFirst()
}

async function assertPresentedFresh(db: Db, id: number): Promise<void> {
  const company = await inTransaction(db, (tx) => lockCompanyById(tx, id))
  assert.deepEqual(await stored(db, id), {
    document: asciiJson(presentCompany(company, countryDetails(company.country_code))),
    partner_document: asciiJson(presentForPartner(company)),
  })
}

const text = (lengthMax: number) =>
  fc
    .oneof(fc.constantFrom('', 'Füm 🎬', '"\\'), fc.string({ maxLength: lengthMax / 4, unit: 'grapheme' }))
    .filter((value) => !value.includes('\0') && value.isWellFormed() && [...value].length <= lengthMax)

const body = fc.record(
  {
    company_name: text(100).filter((value) => value !== ''),
    company_additional_name: text(100),
    first_name: text(100),
    last_name: text(100),
    email: fc.constantFrom('a@example.com', 'B@example.com'),
    phone: text(50),
    moblile_phone: text(50),
    street: text(100),
    zip: text(50),
    city: text(100),
    province: text(100),
    province_code: text(50),
    language: fc.constantFrom('en', 'de'),
    creditcard_number: fc.constantFrom('', '************1111', '************4444'),
    creditcard_expiration: text(50),
    affiliates_active: fc.boolean(),
    api_active: fc.boolean(),
    inventory_management_active: fc.boolean(),
    managed_users_active: fc.boolean(),
    show_recommended_products_player: fc.boolean(),
    partner_model: fc.nat(),
    stop_selling_at_stock_level_below: fc.nat(),
    warn_at_stock_level_below: fc.nat(),
  },
  { requiredKeys: [] },
)

const CARDS: Record<string, string> = { '************1111': '4111111111111111', '************4444': '5555555555554444' }

/** Cards are sent in full and read masked. */
function asSent(change: Wire): Wire {
  const card = change.creditcard_number
  return card === undefined ? change : { ...change, creditcard_number: CARDS[card] ?? card }
}

describe('the stored document of a company', () => {
  test('contains the change, keeps the rest, and equals the presented row', async () => {
    const partner = await service.openShop()
    const shop = await service.openShop({ partnerId: partner.companyId })
    let company = (await shop.get(pathOf(shop))).body.company
    await fc.assert(
      fc.asyncProperty(body, fc.boolean(), async (change, byPartner) => {
        const caller = byPartner ? partner : shop
        const answer = await caller.put(pathOf(shop), { company: asSent(change) })
        assert.equal(answer.status, 200, answer.text)
        const after = (await shop.get(pathOf(shop))).body.company
        const needed = ['company_name', 'first_name', 'last_name', 'email', 'street', 'zip', 'city']
        const valid = needed.every((name) => after[name].trim() !== '')
        assert.deepEqual(after, {
          ...company,
          ...change,
          valid,
          updated_at: after.updated_at,
          shop_status: { ...company.shop_status, 'Incomplete company data': !valid },
        })
        await assertPresentedFresh(service.db, shop.companyId)
        company = after
      }),
      { numRuns: 30 },
    )
  })

  test('is repaired by a rebuild', async () => {
    const shop = await service.openShop()
    const before = await shop.get(pathOf(shop))
    const damage = { document: '{}', partner_document: '{}' }
    await service.db.updateTable('companies').set(damage).where('id', '=', shop.companyId).execute()
    const damaged = await service.call('GET', pathOf(shop), { token: shop.token, isDamaged: true })
    assert.notEqual(damaged.text, before.text)
    const done = await rebuild(service.db)
    assert.ok(Number(done.companies) > 0)
    assert.equal((await shop.get(pathOf(shop))).text, before.text)
    await assertPresentedFresh(service.db, shop.companyId)
  })

  test('is written when an older database is migrated', async () => {
    const database = await createDatabase('empty')
    const { db, close } = openDatabase(database.connection, { poolMax: 2 })
    try {
      await migrate(db, '0006_pictures')
      await sql`insert into companies (company_name, email, country_code, created_at, updated_at)
        select 'Bücher ' || number, number || '@example.com', (array['FR', 'XX'])[number], '2024-01-02', '2024-01-03'
        from generate_series(1, 2) as number`.execute(db)
      assert.deepEqual(
        await upgrade(db),
        (await migrationNames()).filter((name) => name > '0006_pictures'),
      )
      const [first, second] = [
        JSON.parse(await getCompanyDocument(db, 1000, '1000')),
        JSON.parse(await getCompanyDocument(db, 1001, '1001')),
      ]
      assert.deepEqual([first.company_name, first.country, first.country_details.VAT], ['Bücher 1', 'France', 20])
      assert.deepEqual([first.creation_date, first.updated_at], ['2024-01-02T00:00:00', '2024-01-03T00:00:00'])
      assert.equal(second.country, 'XX')
      for (const { external_access_token } of [first, second]) assert.match(external_access_token, /^[0-9a-f]{64}$/)
      assert.notEqual(first.external_access_token, second.external_access_token)
      for (const id of [1000, 1001]) await assertPresentedFresh(db, id)
      assert.deepEqual(await upgrade(db), [])
      const opened = { company_name: 'New', email: 'n@example.com', country_code: 'DE', currency: 'EUR' }
      const { id } = await inTransaction(db, (tx) => createCompany(tx, opened, new Date()))
      assert.equal(id, 1002)
    } finally {
      await close()
      await database.drop()
    }
  })
})
