import { test } from 'node:test'
import { findPgbouncer } from '#test/pgbouncer.ts'
import { expectToSell } from './pooled.ts'

test('behind the PgBouncer of the system the service sells and hears of changes', async (context) => {
  const found = await findPgbouncer()
  if ('missing' in found) return context.skip(found.missing)
  await expectToSell(found.path, {})
})
