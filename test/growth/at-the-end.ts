import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openLarge } from './large.ts'
import { scansIn } from './plans.ts'
import { takeSeen } from './seen.ts'

/** Explains what the service has sent in all the test files of a process, but for what another one has explained. */
export async function explainSeen(): Promise<void> {
  await test('no statement that the tests have seen reads all of a large table', async (t) => {
    const statements = takeSeen()
    const large = await openLarge()
    if (large === undefined) return t.skip('it needs PostgreSQL 18 on this machine')
    t.after(large.drop)
    const { found } = await scansIn(large, statements)
    assert.deepEqual(found, [])
  })
}
