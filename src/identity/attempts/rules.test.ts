import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  ACCOUNT,
  ADDRESS,
  countAttempt,
  type Limit,
  longestWait,
  normalizeEmail,
  type Policy,
  waitSeconds,
} from './rules.ts'

const NOW = new Date('2026-01-01T00:00:00Z')
const later = (seconds: number) => new Date(NOW.getTime() + seconds * 1000)
const NEVER: Limit = { failures: 0, failedAt: new Date(0), blockedUntil: new Date(0) }

describe('the wait after failed attempts', () => {
  test('is nothing at first, doubles, and stops growing', () => {
    const waits = [1, 4, 5, 6, 7, 8, 14, 15, 16, 1000].map((failures) => waitSeconds(failures, ACCOUNT))
    assert.deepEqual(waits, [0, 0, 1, 2, 4, 8, 512, 900, 900, 900])
  })

  test('allows no attempt before it is over', () => {
    const blocked = { failures: 7, failedAt: NOW, blockedUntil: later(4) }
    assert.equal(countAttempt(blocked, ACCOUNT, later(3)), undefined)
    assert.equal(countAttempt(blocked, ACCOUNT, later(4))?.failures, 8)
  })

  test('starts again when the failures are long ago', () => {
    const old = { failures: 50, failedAt: NOW, blockedUntil: later(900) }
    assert.deepEqual(countAttempt(old, ACCOUNT, later(ACCOUNT.forgetSeconds + 1)), {
      failures: 1,
      failedAt: later(ACCOUNT.forgetSeconds + 1),
      blockedUntil: new Date(0),
    })
    assert.equal(countAttempt(NEVER, ACCOUNT, NOW)?.failures, 1)
  })

  // The request that read the clock first may be counted last.
  test('is nothing for a free attempt that is counted after a later one', () => {
    const first = countAttempt(NEVER, ACCOUNT, later(1))
    assert.equal(countAttempt(first!, ACCOUNT, NOW)?.failures, 2)
  })

  // A guesser who never stops gets about a hundred attempts a day at one account.
  test('leaves a guesser few attempts a day', () => {
    assert.ok(triesIn(ACCOUNT, 86_400) > 90 && triesIn(ACCOUNT, 86_400) < 120, `${triesIn(ACCOUNT, 86_400)}`)
    assert.ok(triesIn(ADDRESS, 86_400) < 200, `${triesIn(ADDRESS, 86_400)}`)
  })

  test('never affects an office where people mistype a few times an hour, day after day', () => {
    let limit = NEVER
    for (let hour = 0; hour < 24 * 365; hour += 1) {
      for (let minute = 0; minute < 4; minute += 1) {
        const next: Limit | undefined = countAttempt(limit, ADDRESS, later(hour * 3600 + minute * 60))
        assert.ok(next, `hour ${hour}`)
        limit = next
      }
    }
    assert.equal(waitSeconds(limit.failures, ADDRESS), 0)
  })

  test('does not shrink because a clock goes back', () => {
    const limit = { failures: 10, failedAt: later(60), blockedUntil: NOW }
    assert.equal(countAttempt(limit, ACCOUNT, NOW)?.failures, 11)
  })

  test('is given in whole seconds, up to the latest block', () => {
    assert.equal(longestWait([], NOW), 0)
    assert.equal(longestWait([new Date(0), NOW], NOW), 0)
    assert.equal(longestWait([later(0.2), later(-5)], NOW), 1)
    assert.equal(longestWait([later(3), later(900), later(1)], NOW), 900)
  })
})

test('an address has one key, for all spellings that a collation may treat as the same', () => {
  for (const same of [
    ['jane@example.com', 'JANE@EXAMPLE.COM', ' Jane@Example.com\t'],
    ['info@x', 'İnfo@x', 'ınfo@x', 'INFO@x'],
    ['ΑΣ@x', 'ας@x', 'ασ@x'],
    ['jané@x', 'JANÉ@x', 'jane\u0301@x'],
  ])
    assert.equal(new Set(same.map(normalizeEmail)).size, 1, same.join(' '))
  assert.notEqual(normalizeEmail('a@x'), normalizeEmail('b@x'))
})

function triesIn(policy: Policy, seconds: number): number {
  let limit = NEVER
  let tries = 0
  for (let second = 0; second < seconds; second += 1) {
    const next = countAttempt(limit, policy, later(second))
    if (next === undefined) continue
    limit = next
    tries += 1
  }
  return tries
}
