import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { findPgbouncer } from '#test/pgbouncer.ts'
import { pooledDatabase } from './pooled.ts'
import { run, temporaryFolder } from './program.ts'

describe('behind PgBouncer in transaction mode', () => {
  const refusals = [
    { name: 'without a direct connection', settings: {}, direct: false, ready: true },
    {
      name: 'that drops the settings of a connection',
      settings: { ignore_startup_parameters: 'options,extra_float_digits' },
      direct: false,
      ready: true,
    },
    { name: 'whose role lacks the settings', settings: {}, direct: true, ready: false },
  ]
  for (const { name, settings, direct, ready } of refusals)
    test(`the service refuses one ${name} in one sentence`, async (context) => {
      const found = await findPgbouncer()
      if ('missing' in found) return context.skip(found.missing)
      const { url, directUrl } = await pooledDatabase(found.path, settings, ready)
      const { code, out, err } = await run(['serve'], {
        LICET_DATA: await temporaryFolder(),
        DATABASE_URL: url,
        ...(direct ? { DATABASE_DIRECT_URL: directUrl } : {}),
      })
      assert.deepEqual([code, out], [1, ''])
      assert.match(
        err,
        direct ? /^[^\n]*alter role [^\n]*statement_timeout[^\n]*\n$/ : /^[^\n]*DATABASE_DIRECT_URL[^\n]*\n$/,
      )
    })
})
