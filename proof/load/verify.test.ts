import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { cleanUp, inScope } from '#bench/processes.ts'
import { startDatabase } from '../database.ts'
import { onStage } from './run.ts'

after(cleanUp)

// A ledger that finds nothing might also not look.
test('what is lost, doubled or wrong is found', async () => {
  await inScope(async () =>
    onStage(await startDatabase(), { films: 1, customers: 1 }, async ({ requests, ledger, settle, store, shop }) => {
      await requests.send('checkout')
      const isAsked = (isOfGoods: boolean) =>
        ledger.orders.some(({ way, pieces }) => way === 'api' && pieces > 0 === isOfGoods)
      while (!isAsked(true) || !isAsked(false)) await requests.send('order')
      assert.deepEqual(
        ledger.orders.map(({ fate }) => fate).filter((fate) => fate !== 'done'),
        [],
      )
      assert.deepEqual(await settle(), [])

      const { db } = store
      const ofCompany = sql`where company_id = ${shop.companyId}`
      await sql`delete from entitlement_uses ${ofCompany}`.execute(db)
      await sql`delete from entitlements ${ofCompany}`.execute(db)
      await sql`update payments set status = 'failed' ${ofCompany}`.execute(db)
      await sql`delete from events ${ofCompany} and topic = 'order/create'`.execute(db)
      await sql`update products set items_in_stock = items_in_stock - 1 ${ofCompany} and id = ${shop.goods.id}`.execute(
        db,
      )
      await sql`update customer_relations set orders_count = orders_count + 1 ${ofCompany}`.execute(db)
      ledger.orders.push({ mark: 'load-lost', way: 'api', fate: 'done', pieces: 0 })
      const [sold] = ledger.orders
      assert.ok(sold)
      sold.fate = 'refused'
      ledger.uses.done += 1

      const found = (await settle()).map(({ what }) => what.replace(/load-\d+(@[\w.]+)?/, '…'))
      for (const what of [
        'order load-lost, which was answered with success',
        'order …, which was refused',
        'entitlements of …',
        'events of …',
        'payments of …',
        'stock',
        'uses',
        'orders in the numbers of customers',
      ])
        assert.ok(found.includes(what), `${what} is missing in ${found.join(', ')}`)
    }),
  )
})
