import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { proveDelivery } from '#test/crash/proof.ts'
import { createDatabase } from '#test/server.ts'
import { temporaryFolder } from './program.ts'

describe('events, while processes are killed and the receiver fails', () => {
  // `npm run bench -- webhooks-proof` does the same at length: 200 kills and 10,000 changes.
  test('arrive for every change, in order per resource, and for nothing else', async () => {
    const database = await createDatabase()
    const report = await proveDelivery({
      databaseUrl: database.url,
      dataFolder: await temporaryFolder(),
      changes: 200,
      kills: 3,
      workers: 1,
      killEveryMs: [200, 900],
      failureRate: 0.01,
      random: Math.random,
    })
    await database.drop()
    assert.ok(report.changes >= 150 && report.kills === 3, JSON.stringify(report))
  })
})
