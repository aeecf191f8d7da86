import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { partsOf, readRange } from './rules.ts'

describe('a range', () => {
  const TODAY = '2026-03-05'
  const days = (query: Parameters<typeof readRange>[0], today = TODAY) => {
    const { period, before } = readRange(query, today)
    return [period.from, period.to, period.group, before.from, before.to].join(' ')
  }

  test('is compared with as many days before', () => {
    assert.equal(days({ range: '7_days' }), '2026-02-27 2026-03-05 day 2026-02-20 2026-02-26')
    assert.equal(days({ range: '30_days' }), days({}))
    assert.equal(days({}), '2026-02-04 2026-03-05 day 2026-01-05 2026-02-03')
  })

  test('of 12 months begins with a month, and is compared with the same days of the year before', () => {
    assert.equal(days({ range: '12_months' }), '2025-04-01 2026-03-05 month 2024-04-01 2025-03-05')
    assert.equal(days({ range: '12_months' }, '2028-02-29'), '2027-03-01 2028-02-29 month 2026-03-01 2027-02-28')
  })

  test('gives way to dates, and has months where there are many days', () => {
    const own = { range: '7_days', StartDate: '2026-01-01', EndDate: '2026-01-10' } as const
    assert.equal(days(own), '2026-01-01 2026-01-10 day 2025-12-22 2025-12-31')
    assert.equal(days({ StartDate: '2025-12-01', EndDate: TODAY }), '2025-12-01 2026-03-05 month 2025-08-28 2025-11-30')
    assert.throws(() => days({ StartDate: TODAY, EndDate: '2026-01-01' }))
  })
})

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
