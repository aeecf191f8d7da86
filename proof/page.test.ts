import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { atLeast, atMost, figure, holds, type Part } from './findings.ts'
import { readOptions } from './options.ts'
import { proofPage } from './page.ts'

const part: Part = { title: 'Load', about: 'Requests at rising rates.', prove: async () => [] }
const findings = [
  atMost('Slope of memory', 0.2, 0.5, 'MB per minute'),
  atLeast('Orders kept', 99, 100, 'orders'),
  figure('Requests', 12345, ''),
  holds('Nobody | was refused', true),
]
const result = { at: '2026-11-01T10:00:00.000Z', commit: 'abc', machine: '2 cores', seconds: 90, findings }

describe('the page of the proof', () => {
  test('names what falls short first, and what has not run', () => {
    const page = proofPage({ load: part, faults: { ...part, title: 'Faults' } }, new Map([['load', result]]))
    assert.match(
      page,
      /falls short\n\n- Load: Orders kept: 99 orders \(at least 100 orders\)\.\n- Faults: has not run yet\./,
    )
    assert.match(page, /Ran on 2026-11-01, commit `abc`, 2 cores, 2 min\./)
    assert.match(page, /\| Slope of memory \| 0\.2 MB per minute \| at most 0\.5 MB per minute \| {2}\|/)
    assert.match(page, /\| Orders kept \| 99 orders \| at least 100 orders \| \*\*missed\*\* \|/)
    assert.match(page, /\| Requests \| 12,345 \|/)
    assert.match(page, /Nobody \\\| was refused \| yes/)
  })
})

describe('npm run proof', () => {
  test('runs all parts unless some are named', () => {
    assert.deepEqual(readOptions([], ['load', 'faults']).parts, ['load', 'faults'])
    assert.deepEqual(readOptions(['faults', '--rounds', '3'], ['load', 'faults']), {
      parts: ['faults'],
      isShort: false,
      minutes: 30,
      rounds: 3,
      percent: 100,
      from: undefined,
    })
  })

  test('says which parts there are, and what a number must be', () => {
    assert.throws(() => readOptions(['moon'], ['load']), /There is no part moon\.\n.*\[load\]/)
    assert.throws(() => readOptions(['--minutes', '0'], ['load']), /--minutes must be a whole number from 1 to 600/)
  })
})
