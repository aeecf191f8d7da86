import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { openDatabase } from '#platform/db/database.ts'
import { migrate, migrationNames } from '#platform/db/migrations/migrate.ts'
import { useService } from '#test/harness.ts'
import { aBuyer, aFilm, anOrder } from '#test/orders.ts'
import { cancel, refund } from '#test/sales.ts'
import { createDatabase } from '#test/server.ts'
import { listRedemptionCodes } from './queries.ts'
import { readCode, stateOf } from './rules.ts'

const service = useService()

test('an upgrade lets the codes of earlier orders be redeemed, as often as they are still good', async () => {
  const shop = await service.openShop()
  const film = await aFilm(service, shop)
  const line = { product_id: film.product_id, quantity: 3 }
  const sold = (lines: (typeof line)[]) =>
    aBuyer(shop).then((buyer) => anOrder(shop, buyer, lines, { generate_codes: true }))
  const [kept, refunded, cancelled] = [await sold([line]), await sold([line]), await sold([line])]
  const refund_line_items = [{ line_item_id: refunded.line_items[0].id, quantity: 2 }]
  await refund(shop, refunded.id, { refund_line_items })
  await cancel(shop, cancelled.id)
  const old = 'ABCD-EFGH-IJKL-MNOU'
  await sql`update order_lines set code = ${old} where order_id = ${kept.id}`.execute(service.db)

  const names = await migrationNames()
  const before = names[names.findIndex((name) => name.endsWith('_redemption_codes')) - 1] ?? ''
  const database = await createDatabase('empty')
  const { db, close } = openDatabase(database.connection, { poolMax: 2 })
  try {
    await migrate(db, before)
    for (const [table, key] of [
      ['companies', 'id'],
      ['orders', 'company_id'],
      ['order_lines', 'company_id'],
    ] as const) {
      const { rows } = await sql`select * from ${sql.table(table)} where ${sql.ref(key)} = ${shop.companyId}`.execute(
        service.db,
      )
      await sql`insert into ${sql.table(table)} overriding system value
        select * from json_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows)}::json)`.execute(db)
    }
    await migrate(db)
    const codes = await listRedemptionCodes(db, shop.companyId)({ after: 0, limit: 10, offset: 0 })
    const now = service.clock.now()
    assert.deepEqual(
      codes.map((code) => [code.order_id, code.uses_max, code.uses_ended, stateOf(code, now)]),
      [
        [kept.id, 3, 0, 'active'],
        [refunded.id, 3, 2, 'active'],
        [cancelled.id, 3, 3, 'revoked'],
      ],
    )
    assert.equal(codes[0]?.code, old)
    assert.equal(readCode('abcdefghijklmnou'), old.replaceAll('-', ''))
    assert.equal(codes[0]?.terms.valid, 1)
    assert.deepEqual(
      codes[0]?.contents.map(({ product_id, released_at }) => [product_id, released_at]),
      [[film.product_id, null]],
    )
  } finally {
    await close()
    await database.drop()
  }
})
