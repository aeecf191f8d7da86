import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { nowInSeconds } from '#platform/clock.ts'
import { BATCH_ROWS } from '#platform/db/batches.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { queueMail } from '#platform/mail/queue.ts'
import { aCustomer, CUSTOMER_PASSWORD } from '#test/customers.ts'
import type { Wire } from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'
import { aFilm, anOrder } from '#test/orders.ts'

const service = useService()

const remove = async (shop: Shop, { token }: Wire) =>
  assert.equal((await shop.delete(`/api/customers/${token}.json`)).status, 200)

/** Who has a film, and a mail about it. */
async function aBuyerOf(shop: Shop): Promise<Wire> {
  const customer = await aCustomer(shop)
  await anOrder(shop, customer, [await aFilm(service, shop)])
  await service.runJobs()
  return customer
}

async function subjectsTo({ email }: Wire): Promise<string[]> {
  const mails = await service.db.selectFrom('mails').select('subject').where('recipient', '=', email).execute()
  return mails.map(({ subject }) => subject)
}

describe('what is erased of a customer', () => {
  test('is erased after the answer, so that nobody who holds it keeps the company waiting', async () => {
    const shop = await service.openShop()
    const customer = await aBuyerOf(shop)
    await inTransaction(service.db, async (tx) => {
      const held = await sql`select id from mails where recipient = ${customer.email} for update`.execute(tx)
      assert.equal(held.rows.length, 1)
      await remove(shop, customer)
    })
    await service.runJobs()
    assert.deepEqual(await subjectsTo(customer), [])
  })

  test('is erased in batches, which go on where a worker was killed', async () => {
    const shop = await service.openShop()
    const customer = await aBuyerOf(shop)
    const [{ id }] = (await shop.get(`/api/customers/${customer.token}/content.json`)).body.content
    await sql`insert into entitlement_uses (company_id, entitlement_id, kind, action, code, device_id, country, app_id,
        created_at)
      select ${shop.companyId}, ${id}, 'use', 'play', 'allowed', 'tv', 'DE', 0, ${nowInSeconds(service.clock)}
      from generate_series(1, ${2 * BATCH_ROWS + 1}::int)`.execute(service.db)
    const count = async (condition = sql`true`) => {
      const { rows } = await sql<{ count: number }>`select count(*) from entitlement_uses
        where company_id = ${shop.companyId} and ${condition} group by xmin::text order by 1`.execute(service.db)
      return rows.map((row) => row.count)
    }
    const isWhole = sql`device_id is not null`
    // The worker is killed when it comes to its third transaction.
    await sql`create function kill() returns trigger language plpgsql as $$ begin
        if (select count(*) from entitlement_uses where device_id is null) >= ${sql.lit(2 * BATCH_ROWS)} then raise 'killed'; end if;
        return null;
      end $$`.execute(service.db)
    await sql`create trigger kill before update on entitlement_uses execute function kill()`.execute(service.db)
    await remove(shop, customer)
    await service.runJobs()
    assert.deepEqual(await count(isWhole), [1])
    await sql`drop trigger kill on entitlement_uses`.execute(service.db)
    service.clock.advance(60)
    await service.runJobs()
    assert.deepEqual(await count(isWhole), [])
    assert.deepEqual(await count(), [1, BATCH_ROWS, BATCH_ROWS])
  })

  test('is found among many others', async () => {
    const shop = await service.openShop()
    const customer = await aBuyerOf(shop)
    await sql`insert into mails (company_id, recipient, subject, carries_secret, created_at)
      select ${shop.companyId}, case number % 5000 when 0 then upper(${customer.email}) else 'other@example.com' end,
        'Many', false, ${nowInSeconds(service.clock)}
      from generate_series(1, ${2 * BATCH_ROWS + 1}::int) as number`.execute(service.db)
    await sql`insert into idempotency_keys (company_id, app_id, key, fingerprint, status, body, created_at)
      select ${shop.companyId}, number % 3, 'key ' || number, '', 200,
        case number % 500 when 0 then 'a ' || ${customer.token} || ' b' else 'other' end, ${nowInSeconds(service.clock)}
      from generate_series(1, 3000) as number`.execute(service.db)
    await remove(shop, customer)
    await service.runJobs()
    const { rows } = await sql`select
        (select count(*) from mails where company_id = ${shop.companyId} and lower(recipient) = lower(${customer.email})) as mails,
        (select count(*) from mails where company_id = ${shop.companyId}) as other_mails,
        (select count(*) from idempotency_keys where body like '%' || ${customer.token} || '%') as answers,
        (select count(*) from idempotency_keys where company_id = ${shop.companyId} and body = 'other') as other_answers`.execute(
      service.db,
    )
    assert.deepEqual(rows, [{ mails: 0, other_mails: 2 * BATCH_ROWS - 1, answers: 0, other_answers: 2994 }])
  })

  test('is nothing that was written afterwards, also to the same address', async () => {
    const shop = await service.openShop()
    const before = await aBuyerOf(shop)
    await remove(shop, before)
    service.clock.advance(1)
    const customer = { email: before.email, password: CUSTOMER_PASSWORD }
    const create = () => shop.post('/api/customers.json', { customer }, { 'idempotency-key': 'again' })
    assert.equal((await create()).status, 201)
    const mail = { companyId: shop.companyId, to: before.email, subject: 'Welcome back', text: '', html: '' }
    await inTransaction(service.db, (tx) => queueMail(tx, mail, service.clock.now()))
    await service.runJobs()
    assert.deepEqual(await subjectsTo(before), ['Welcome back'])
    const again = await create()
    assert.deepEqual([again.status, again.headers.get('idempotent-replayed')], [201, 'true'])
  })
})
