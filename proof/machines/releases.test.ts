import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkOutEarlier } from './releases.ts'

test('a commit that is not here is said, and nothing is checked out', async () => {
  const earlier = await checkOutEarlier('0'.repeat(40))
  assert.deepEqual(earlier, { missing: `there is no commit ${'0'.repeat(40)}` })
})
