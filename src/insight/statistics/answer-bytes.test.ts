import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { answerBytes } from './answer-bytes.files.ts'

const KIND = { key: 'usage_statistics', columns: ['date', 'name', 'plays'] }

const SLICE = 1000

function aReport(count: number) {
  const records = Array.from({ length: count }, (_, plays) => ({ date: '2026-01-01', name: `Müller ${plays}`, plays }))
  const slices = Array.from({ length: Math.ceil(count / SLICE) }, (_, at) =>
    records.slice(at * SLICE, (at + 1) * SLICE),
  )
  const totals = { plays: count }
  return { records, totals, report: { slices, totals: () => totals } }
}

/** How often other work got its turn before a task was done. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0
  let isDone = false
  const count = () => {
    if (isDone) return
    turns += 1
    setImmediate(count)
  }
  setImmediate(count)
  await work()
  isDone = true
  return turns
}

describe('the answer of a report', () => {
  const MANY = 100_000

  for (const isFile of [false, true]) {
    test(`with many records lets other requests in between, as ${isFile ? 'CSV' : 'JSON'}`, async () => {
      const { report } = aReport(MANY)
      const turns = await turnsDuring(() => answerBytes(KIND, report, isFile))
      assert.ok(turns >= 50, `${turns} turns`)
    })
  }

  for (const count of [0, 1, 1000, 1001, 2500])
    test(`with ${count} records has all of them, and the sums`, async () => {
      const { records, totals, report } = aReport(count)
      const json = await answerBytes(KIND, report, false)
      assert.match(json.toString(), /^[ -~]*$/)
      assert.equal(JSON.stringify(JSON.parse(json.toString())), JSON.stringify({ usage_statistics: records, totals }))
      const lines = (await answerBytes(KIND, report, true)).toString().split('\r\n')
      assert.deepEqual(lines, ['date,name,plays', ...records.map((record) => Object.values(record).join()), ''])
    })
})
