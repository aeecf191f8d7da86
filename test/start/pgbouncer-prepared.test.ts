import { test } from 'node:test'
import { buildPgbouncer } from '#test/pgbouncer.ts'
import { expectToSell } from './pooled.ts'

test('behind a PgBouncer that knows prepared statements the service sells and hears of changes', async (context) => {
  const found = await buildPgbouncer()
  if ('missing' in found) return context.skip(found.missing)
  await expectToSell(found.path, { max_prepared_statements: 200 })
})
