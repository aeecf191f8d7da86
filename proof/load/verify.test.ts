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
    onStage(
      await startDatabase(),
      { films: 1, customers: 1, rare: 2 },
      async ({ requests, ledger, settle, store, shop }) => {
        const has = (way: string, product_id: string | undefined, fate: string) =>
          ledger.orders.some((order) => order.way === way && order.product_id === product_id && order.fate === fate)
        const [film] = shop.films
        const hasAll = () =>
          has('api', film?.product_id, 'done') &&
          has('api', shop.goods.product_id, 'done') &&
          has('api', shop.rare.product_id, 'refused')
        while (!hasAll()) await requests.send('order')
        const isPaid = (isOfGoods: boolean) =>
          ledger.orders.some(({ charge, pieces }) => charge !== undefined && pieces > 0 === isOfGoods)
        while (!isPaid(true) || !isPaid(false)) await requests.send('checkout')
        assert.deepEqual(
          ledger.orders.filter(({ fate, product_id }) => fate !== 'done' && product_id !== shop.rare.product_id),
          [],
        )
        assert.deepEqual(await settle(), [])

        const { db } = store
        const ofCompany = sql`where company_id = ${shop.companyId}`
        await sql`delete from entitlement_uses ${ofCompany}`.execute(db)
        await sql`delete from entitlements ${ofCompany}`.execute(db)
        await sql`update payments set status = 'failed' ${ofCompany}`.execute(db)
        await sql`delete from events ${ofCompany} and topic = 'order/create'`.execute(db)
        await sql`update invoices set sequence_number = sequence_number + 1 ${ofCompany} and sequence_number = (
        select max(sequence_number) from invoices ${ofCompany})`.execute(db)
        await sql`update products set items_in_stock = items_in_stock - 1 ${ofCompany} and product_type = 6`.execute(db)
        await sql`update customer_relations set orders_count = orders_count + 1 ${ofCompany}`.execute(db)
        const lost = { mark: 'load-lost', way: 'api', fate: 'done', product_id: '', pieces: 0 } as const
        ledger.orders.push(lost)
        const sold = ledger.orders.find(({ fate }) => fate === 'done')
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
          'charges at the gateway',
          'numbers of invoices, one after the other from 1',
          'stock',
          'stock of the rare thing',
          'uses',
          'orders in the numbers of customers',
        ])
          assert.ok(found.includes(what), `${what} is missing in ${found.join(', ')}`)
      },
    ),
  )
})
