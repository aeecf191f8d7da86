import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { test } from 'node:test'
import { asProblem } from './errors.ts'

test('a full disk is no defect: the client is told to try again later', {
  skip: process.platform !== 'linux' && 'only Linux has a device that is always full',
}, async () => {
  const error = await writeFile('/dev/full', 'bytes').catch((reason) => reason)
  const { status, reason, headers } = asProblem(error) ?? {}
  assert.deepEqual([status, reason, headers?.['retry-after']], [503, 'storage_full', '1'])
})
