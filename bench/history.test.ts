import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, test } from 'node:test'
import { changeOf, formatLine, HEAD, type Line, lastOf, lineOf, parseHistory, shown } from './history.ts'

const AT = { date: '2026-11-17', commit: '0123456', machine: 'x64 Some processor' }
const line = (figures: Partial<Line>): Line => ({ ...AT, case: 'main/create', ...figures })

describe('a line of the history', () => {
  test('is read as it was written, with empty cells for what a case does not have', () => {
    const figure = { name: 'idle', compared: 1, ratio: 0.31234, memoryMb: 180.4 }
    const written = formatLine(lineOf(figure, { ...AT, section: 'start' }))
    assert.equal(written, '2026-11-17,0123456,start/idle,0.312,,,,,180,x64 Some processor')
    assert.deepEqual(parseHistory(`${HEAD}\n${written}\n`), [
      { ...AT, case: 'start/idle', ratio: 0.312, memory_mb: 180 },
    ])
  })

  test('has no ratio to a time that was too short to be measured', () => {
    const figure = {
      name: 'one',
      compared: 1,
      ratio: 0.5,
      cpuRatio: Number.NaN,
      databaseRatio: Number.POSITIVE_INFINITY,
    }
    assert.deepEqual(lineOf(figure, { ...AT, section: 'main' }), { ...AT, case: 'main/one', ratio: 0.5 })
  })

  test('cannot contain a comma', () => {
    assert.throws(() => formatLine(line({ case: 'count, refunded' })), /count, refunded/)
  })
})

describe('the history', () => {
  test('is refused if its head or one of its lines is broken', () => {
    assert.throws(() => parseHistory('date,commit\n'), /begins with/)
    assert.throws(() => parseHistory(''), /begins with/)
    for (const broken of ['2026-11-17,0123456,main/one,1', '2026-11-17,a,main/one,x,,,,,,', 'today,a,main/one,1,,,,,,'])
      assert.throws(() => parseHistory(`${HEAD}\n${broken}\n`), /line 2 of the history/)
  })

  test('knows the last line of a case on the same kind of machine', () => {
    const elsewhere = line({ commit: 'd', machine: 'arm64 Another' })
    const lines = [line({ commit: 'a' }), line({ commit: 'b' }), line({ commit: 'c', case: 'main/one' }), elsewhere]
    assert.equal(lastOf(lines, line({}))?.commit, 'b')
    assert.equal(lastOf(lines, elsewhere)?.commit, 'd')
    assert.equal(lastOf(lines, line({ case: 'main/list' })), undefined)
    assert.equal(lastOf(lines, line({ machine: 'arm64 A third' })), undefined)
  })

  test('in the repository can be read', async () => {
    parseHistory(await readFile(new URL('history.csv', import.meta.url), 'utf8'))
  })
})

describe('a case against its last line', () => {
  const against = (before: Partial<Line>, now: Partial<Line>) => changeOf(line({ commit: 'abc', ...before }), line(now))

  test('is worse if it lost more than a tenth of its CPU ratio', () => {
    const change = against({ ratio: 0.5, cpu_ratio: 0.5 }, { ratio: 0.5, cpu_ratio: 0.44 })
    assert.deepEqual(change, {
      text: 'main/create: ratio 0.5 → 0.5 (+0 %), CPU ratio 0.5 → 0.44 (−12 %) since abc (2026-11-17) WORSE',
      isWorse: true,
    })
    assert.ok(shown(change).includes('WORSE'))
  })

  test('is not worse if it lost a tenth, or if only the speed by the clock changed', () => {
    assert.equal(against({ cpu_ratio: 0.5 }, { cpu_ratio: 0.45 }).isWorse, false)
    assert.equal(against({ cpu_ratio: 0.5 }, { cpu_ratio: 0.9 }).isWorse, false)
    assert.equal(against({ ratio: 0.9, cpu_ratio: 0.5 }, { ratio: 0.2, cpu_ratio: 0.5 }).isWorse, false)
  })

  test('is worse if it takes more than a tenth more memory', () => {
    assert.equal(against({ memory_mb: 130 }, { memory_mb: 144 }).isWorse, true)
    assert.equal(against({ memory_mb: 130 }, { memory_mb: 143 }).isWorse, false)
    assert.equal(against({ memory_mb: 180 }, { memory_mb: 130 }).isWorse, false)
  })

  test('is compared with nothing the first time, and without a figure that one of the two does not have', () => {
    const first = changeOf(undefined, line({ cpu_ratio: 0.5 }))
    assert.deepEqual(first, {
      text: 'main/create: cpu_ratio 0.5, for the first time on such a machine',
      isWorse: false,
    })
    assert.equal(against({ ratio: 1 }, { ratio: 1, cpu_ratio: 0.1 }).isWorse, false)
  })
})
