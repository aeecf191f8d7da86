import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { partsOf } from './rules.ts'

describe('the parts of a period', () => {
  const PERIOD = { from: '2026-01-07', to: '2026-02-20' }

  test('are the whole period if there are few rows, or none', () => {
    assert.deepEqual(partsOf(PERIOD, [], 10), [PERIOD])
    assert.deepEqual(partsOf(PERIOD, [{ start: '2026-01-09', rows: 10 }], 10), [PERIOD])
  })

  test('follow one another without gaps, and begin with a group', () => {
    const weeks = [
      { start: '2026-01-05', rows: 6 },
      { start: '2026-01-12', rows: 4 },
      { start: '2026-01-26', rows: 1 },
      { start: '2026-02-02', rows: 30 },
      { start: '2026-02-09', rows: 1 },
    ]
    assert.deepEqual(partsOf(PERIOD, weeks, 10), [
      { from: '2026-01-07', to: '2026-01-25' },
      { from: '2026-01-26', to: '2026-02-01' },
      { from: '2026-02-02', to: '2026-02-08' },
      { from: '2026-02-09', to: '2026-02-20' },
    ])
  })
})
