import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { proveRenewals } from '#test/crash/renewals.ts'
import { createDatabase } from '#test/server.ts'
import { temporaryFolder } from './program.ts'

describe('subscriptions that are renewed while the worker is killed', () => {
  // `npm run proof -- renewals` does the same with 20 kills.
  test('are charged once, with one order, one invoice and one event for each period', async () => {
    const database = await createDatabase()
    const report = await proveRenewals({
      databaseUrl: database.url,
      dataFolder: await temporaryFolder(),
      kills: 3,
      random: Math.random,
    })
    await database.drop()
    assert.deepEqual([report.kills, report.charges], [3, report.renewed])
  })
})
