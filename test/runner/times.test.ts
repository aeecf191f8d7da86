import assert from 'node:assert/strict'
import { test } from 'node:test'
import { timesTable } from './times.ts'

test('files that took long are listed with their times, the slowest first, and the sum of all', () => {
  const times = Array.from({ length: 12 }, (_, at) => ({ file: `${at}.test.ts`, wallMs: at * 1000, cpuMs: at * 500 }))
  const costly = { file: 'costly.test.ts', wallMs: 4000, cpuMs: 6000 }
  assert.deepEqual(
    timesTable([...times, costly])
      .split('\n')
      .slice(1),
    [
      '   wall     cpu  file',
      '   11.0     5.5  11.test.ts',
      '   10.0     5.0  10.test.ts',
      '    9.0     4.5  9.test.ts',
      '    8.0     4.0  8.test.ts',
      '    7.0     3.5  7.test.ts',
      '    6.0     3.0  6.test.ts',
      '    5.0     2.5  5.test.ts',
      '    4.0     6.0  costly.test.ts',
      '   10.0     5.0  5 shorter files',
      '   70.0    39.0  all 13 files',
    ],
  )
})
