import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readRange } from './ranges.rules.ts'

const CASES: [range: string, status: number, start: number, end: number][] = [
  ['bytes=0-0', 206, 0, 0],
  ['bytes=100-199', 206, 100, 199],
  ['bytes=9000-', 206, 9000, 9999],
  ['bytes=-500', 206, 9500, 9999],
  ['bytes=-20000', 206, 0, 9999],
  ['bytes=9990-20000', 206, 9990, 9999],
  ['BYTES=5-6', 206, 5, 6],
  ['bytes=10000-', 416, 0, 0],
  ['bytes=-0', 416, 0, 0],
  ['bytes=5-4', 200, 0, 9999],
  ['bytes=0-1,5-6', 200, 0, 9999],
  ['bytes=', 200, 0, 9999],
  ['bytes=-', 200, 0, 9999],
  ['bytes=a-b', 200, 0, 9999],
  ['lines=0-1', 200, 0, 9999],
  [`bytes=0-${'9'.repeat(400)}`, 200, 0, 9999],
  ['bytes=99999999999999999999-', 200, 0, 9999],
]

describe('a range of 10,000 bytes', () => {
  for (const [range, status, start, end] of CASES)
    test(`${range.slice(0, 40)} is answered with ${status}`, () => {
      const asked = readRange({ range }, 10_000, '"etag"', new Date(0))
      if (status === 416) return assert.deepEqual(asked, { kind: 'unsatisfiable' })
      assert.deepEqual(asked, status === 200 ? { kind: 'whole' } : { kind: 'part', range: { start, end } })
    })
})
