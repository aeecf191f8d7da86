import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mayBecome, NOT_SHIPPED, SHIPPED } from './rules.ts'

test('what is shipped stays shipped', () => {
  const table = [NOT_SHIPPED, SHIPPED].flatMap((from) =>
    [NOT_SHIPPED, SHIPPED].map((to) => [from, to, mayBecome(from as 0 | 100, to as 0 | 100)]),
  )
  assert.deepEqual(table, [
    [0, 0, true],
    [0, 100, true],
    [100, 0, false],
    [100, 100, true],
  ])
})
