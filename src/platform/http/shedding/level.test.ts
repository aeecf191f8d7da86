import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createLevel, type Level } from './level.ts'

const LATE = 500
const ON_TIME = 0
const TARGET = 250

function adjusted(level: Level, delayMs: number, times: number): Level {
  for (let time = 0; time < times; time += 1) level.adjust(delayMs, 100)
  return level
}

function refusedOf(level: Level, priority: 'low' | 'normal' | 'high', requests = 100): number {
  return Array.from({ length: requests }, () => level.refuses(priority)).filter(Boolean).length
}

describe('the level of refusals', () => {
  test('is nothing while work is on time', () => {
    const level = adjusted(createLevel(TARGET), TARGET - 1, 1000)
    assert.equal(level.now(), 0)
    assert.equal(refusedOf(level, 'low'), 0)
  })

  test('takes more and more of what has a low priority, and only then of the next', () => {
    const level = createLevel(TARGET)
    const refused = () => [refusedOf(level, 'low'), refusedOf(level, 'normal'), refusedOf(level, 'high')]
    adjusted(level, LATE, 5)
    assert.deepEqual(refused(), [25, 0, 0])
    adjusted(level, LATE, 20)
    assert.deepEqual(refused(), [100, 25, 0])
    adjusted(level, LATE, 100)
    assert.deepEqual(refused(), [100, 100, 100])
  })

  test('stays between the delay at which it rises and half of it, and falls below', () => {
    const level = adjusted(createLevel(TARGET), LATE, 10)
    const before = level.now()
    assert.equal(adjusted(level, TARGET - 1, 50).now(), before)
    assert.equal(adjusted(level, ON_TIME, 1000).now(), 0)
  })

  test('does not leap after the process has stood still', () => {
    const level = createLevel(TARGET)
    level.adjust(60_000, 60_000)
    assert.ok(level.now() <= 0.25, String(level.now()))
  })
})
