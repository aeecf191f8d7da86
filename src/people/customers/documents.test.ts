import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import type { Db } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { asciiJson } from '#platform/wire/times.ts'
import { rebuild } from '#program/rebuild.ts'
import { aCustomer, anEmail, CUSTOMER_PASSWORD, readCustomer, shareCustomer } from '#test/customers.ts'
import { useService } from '#test/harness.ts'
import { countCustomers } from './lists/queries.ts'
import { presentCustomer } from './present.ts'
import { lockAccount } from './queries.ts'

const service = useService()

/** Asserts that every company's document of the customer equals the presented rows. */
async function assertPresentedFresh(db: Db, id: number): Promise<void> {
  const known = await inTransaction(db, (tx) => lockAccount(tx, id))
  assert.ok(known)
  const stored = await db
    .selectFrom('customer_relations')
    .select(['company_id', 'document'])
    .where('customer_id', '=', id)
    .orderBy('company_id')
    .execute()
  const fresh = known.relations.map((relation) => ({
    company_id: relation.company_id,
    document: asciiJson(presentCustomer(known.account, relation)),
  }))
  assert.deepEqual(stored, fresh)
}

const text = (lengthMax: number) =>
  fc
    .oneof(fc.constantFrom('', 'Füm 🎬', '"\\'), fc.string({ maxLength: lengthMax / 4, unit: 'grapheme' }))
    .filter((value) => !value.includes('\0') && value.isWellFormed() && [...value].length <= lengthMax)

const address = fc.record(
  {
    first_name: text(100),
    last_name: text(100),
    company: text(100),
    address1: text(100),
    city: text(100),
    zip: text(50),
    province_code: text(50),
    country_code: fc.constantFrom('DE', 'US', ''),
    phone: text(50),
    language: fc.constantFrom('', 'de'),
    default: fc.boolean(),
  },
  { requiredKeys: [] },
)

const body = fc.record(
  {
    first_name: text(100),
    last_name: text(100),
    language: fc.constantFrom('en', 'de'),
    note: text(5000),
    addresses: fc.array(address, { maxLength: 4 }),
  },
  { requiredKeys: [] },
)

type Address = { id: number; default: boolean; [name: string]: unknown }

describe('the stored document', () => {
  test('equals the presented rows after any change by any company', async () => {
    const shops = [await service.openShop(), await service.openShop()]
    const change = fc.record({ who: fc.constantFrom(0, 1), customer: body, added: address, which: fc.nat(5) })
    const made = await aCustomer(shops[0]!)
    await shareCustomer(shops[1]!, made, { first_name: 'J.', addresses: [{ city: 'Rome' }] })
    await fc.assert(
      fc.asyncProperty(change, async ({ who, customer, added, which }) => {
        const [shop, other] = [shops[who]!, shops[1 - who]!]
        const path = `/api/customers/${made.token}`
        const theirs = await readCustomer(other, made.id)
        const answer = await shop.put(`${path}.json`, { customer })
        assert.equal(answer.status, 200, answer.text)
        await assertPresentedFresh(service.db, made.id)
        const after = answer.body.customer
        const { addresses: sent = after.addresses, ...plain } = customer
        assert.deepEqual({ ...after, ...plain }, after)
        assert.equal(after.addresses.length, sent.length)
        const seenByOther = await readCustomer(other, made.id)
        // The language belongs to the account, so its change is seen by both.
        if (theirs.language === after.language) assert.deepEqual(seenByOther, theirs)
        else assert.deepEqual(seenByOther, { ...theirs, language: after.language, updated_at: after.updated_at })

        const all: Address[] = (await shop.post(`${path}/addresses.json`, { address: added })).body.addresses
        const one = all[which % all.length]!
        const changed = await shop.put(`${path}/addresses/${one.id}.json`, { address: added })
        const { default: wanted, ...content } = added
        const { customer_address } = changed.body
        assert.deepEqual(customer_address, { ...customer_address, ...content, default: one.default || wanted === true })
        await assertPresentedFresh(service.db, made.id)
        assert.equal((await shop.delete(`${path}/addresses/${one.id}.json`)).status, 200)
        await assertPresentedFresh(service.db, made.id)
        const { addresses } = await readCustomer(shop, made.id)
        const defaults = addresses.filter((entry: Address) => entry.default)
        assert.equal(defaults.length, addresses.length === 0 ? 0 : 1)
        assert.deepEqual(await readCustomer(other, made.id), seenByOther)
      }),
      { numRuns: 12 },
    )
  })

  test('equals the presented rows of a customer created with any values', async () => {
    const shop = await service.openShop()
    await fc.assert(
      fc.asyncProperty(body, async (attributes) => {
        const customer = { email: anEmail(), password: CUSTOMER_PASSWORD, ...attributes }
        const answer = await shop.post('/api/customers.json', { customer })
        assert.equal(answer.status, 201, answer.text)
        await assertPresentedFresh(service.db, answer.body.customer.id)
        assert.deepEqual(await readCustomer(shop, answer.body.customer.token), answer.body.customer)
      }),
      { numRuns: 12 },
    )
  })

  test('is written again by rebuild, with the counter, and nothing else changes', async () => {
    const shop = await service.openShop()
    const other = await service.openShop()
    const customer = await aCustomer(shop, { first_name: 'Jané', addresses: [{ city: 'Rome' }] })
    await shareCustomer(other, customer)
    const before = await readCustomer(shop, customer.token)
    await sql`update customer_relations set document = '{}' where customer_id = ${customer.id}`.execute(service.db)
    await sql`update counters set amount = amount + 7 where company_id = ${shop.companyId}`.execute(service.db)
    service.clock.advance(60)
    const { customers } = await rebuild(service.db)
    const { rows } = await sql<{ count: number }>`select count(*) from customer_relations`.execute(service.db)
    assert.equal(customers, rows[0]?.count)
    await assertPresentedFresh(service.db, customer.id)
    assert.deepEqual(await readCustomer(shop, customer.token), before)
    assert.equal(await countCustomers(service.db, shop.companyId, {}), 1)
  })
})
