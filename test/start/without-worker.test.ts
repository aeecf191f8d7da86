import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { aCustomer } from '#test/customers.ts'
import { type Shop, useService } from '#test/harness.ts'
import { aFilm } from '#test/orders.ts'
import { sell } from '#test/sales.ts'
import { start, temporaryFolder, until } from './program.ts'

const service = useService()
const ORDERS = 3000

let shop: Shop

/** The changes of orders that are still to be added up, which every count has to go through. */
const waiting = async () => (await service.db.selectFrom('order_changes').select('id').execute()).length
const count = async () => (await shop.get('/api/orders/count.json')).body.count

describe('a service without a worker', () => {
  before(async () => {
    shop = await service.openShop()
    await sell(shop, [{ product: await aFilm(service, shop, 1000) }], { customer: await aCustomer(shop) })
  })

  test('adds up the changes of orders when very many wait, and leaves few to the worker', async () => {
    const columns = sql.raw(`order_id, amount, utc_day, financial_status, fulfillment_status, day, source_name,
      operating_system, country_code, referrer, record, products`)
    await sql`insert into order_changes (company_id, ${columns})
      select company_id, ${columns} from order_changes cross join generate_series(2, ${ORDERS}::int)
      where company_id = ${shop.companyId}`.execute(service.db)
    assert.equal(await count(), ORDERS)
    const settings = { LICET_DATA: await temporaryFolder(), DATABASE_URL: service.database.url, LICET_DEMO: 'off' }
    const program = start(['serve', '--no-worker', '--json'], settings)
    await program.says(/"address":"([^"]+)"/)
    await until('the changes are added up', async () => (await waiting()) === 0)
    assert.equal(await count(), ORDERS)
    program.kill('SIGTERM')
    assert.equal((await program.ended).code, 0)

    await sell(shop, [{ product: await aFilm(service, shop, 1000) }])
    const again = start(['serve', '--no-worker', '--json'], settings)
    await again.says(/"address":"([^"]+)"/)
    again.kill('SIGTERM')
    assert.equal((await again.ended).code, 0)
    assert.ok((await waiting()) > 0)
  })
})
