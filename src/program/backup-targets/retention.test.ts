import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lastTime, outdated } from './retention.rules.ts'

const DAY_MS = 86_400_000
const backups = (count: number, hours = 24) =>
  Array.from({ length: count }, (_, number) => {
    const createdAt = new Date(Date.UTC(2026, 10, 19, 3) - number * hours * 3_600_000)
    return { name: createdAt.toISOString().slice(0, 16), createdAt }
  })

test('the last of each of the latest days, weeks and months is kept', () => {
  const all = backups(120)
  const gone = new Set(outdated(all, { daily: 7, weekly: 4, monthly: 3 }))
  const kept = all.map(({ name }) => name.slice(0, 10)).filter((_, index) => !gone.has(all[index]!.name))
  assert.deepEqual(kept, [
    '2026-11-19',
    '2026-11-18',
    '2026-11-17',
    '2026-11-16',
    '2026-11-15',
    '2026-11-14',
    '2026-11-13',
    // The Sundays of two more weeks, and the last days of two more months.
    '2026-11-08',
    '2026-11-01',
    '2026-10-31',
    '2026-09-30',
  ])
})

test('of several backups of a day the last is kept, and the newest whatever happens', () => {
  const all = backups(4, 6)
  assert.deepEqual(outdated(all, { daily: 1, weekly: 0, monthly: 0 }).length, 3)
  assert.deepEqual(outdated(all.slice(0, 1), { daily: 1, weekly: 0, monthly: 0 }), [])
  assert.deepEqual(outdated([], { daily: 1, weekly: 1, monthly: 1 }), [])
})

test('a backup is due at the times of the day, also if nobody was there at one', () => {
  const at = (text: string) => lastTime([180, 900], new Date(text))?.toISOString()
  assert.equal(at('2026-11-19T02:59:59Z'), '2026-11-18T15:00:00.000Z')
  assert.equal(at('2026-11-19T03:00:00Z'), '2026-11-19T03:00:00.000Z')
  assert.equal(at('2026-11-19T23:00:00Z'), '2026-11-19T15:00:00.000Z')
  assert.equal(lastTime([], new Date(DAY_MS)), undefined)
})
