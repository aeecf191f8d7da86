import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ACCOUNT, countAttempt, type Limit, networkOf, waitSeconds } from './rules.ts'

const NOW = new Date('2026-01-01T00:00:00Z')
const later = (seconds: number) => new Date(NOW.getTime() + seconds * 1000)
const NEVER: Limit = { failures: 0, failedAt: new Date(0), blockedUntil: new Date(0) }

describe('the wait after failed attempts', () => {
  test('is nothing at first, doubles, and stops growing', () => {
    const waits = [1, 4, 5, 6, 7, 8, 14, 15, 16, 1000].map((failures) => waitSeconds(failures, ACCOUNT))
    assert.deepEqual(waits, [0, 0, 1, 2, 4, 8, 512, 900, 900, 900])
  })

  test('lets nobody try before it is over', () => {
    const blocked = { failures: 7, failedAt: NOW, blockedUntil: later(4) }
    assert.equal(countAttempt(blocked, ACCOUNT, later(3)), undefined)
    assert.equal(countAttempt(blocked, ACCOUNT, later(4))?.failures, 8)
  })

  test('starts anew when the failures are long ago', () => {
    const old = { failures: 50, failedAt: NOW, blockedUntil: later(900) }
    assert.deepEqual(countAttempt(old, ACCOUNT, later(ACCOUNT.forgetSeconds + 1)), {
      failures: 1,
      failedAt: later(ACCOUNT.forgetSeconds + 1),
      blockedUntil: later(ACCOUNT.forgetSeconds + 1),
    })
    assert.equal(countAttempt(NEVER, ACCOUNT, NOW)?.failures, 1)
  })

  // A guesser who never stops gets fewer than a hundred tries a day at one account.
  test('leaves a guesser few tries a day', () => {
    let limit = NEVER
    let tries = 0
    for (let second = 0; second < 86_400; second += 1) {
      const next = countAttempt(limit, ACCOUNT, later(second))
      if (next === undefined) continue
      limit = next
      tries += 1
    }
    assert.ok(tries > 90 && tries < 120, String(tries))
  })
})

test('the network of an address is itself, or the /64 of IPv6', () => {
  assert.equal(networkOf('192.0.2.7'), '192.0.2.7')
  assert.equal(networkOf('::ffff:192.0.2.7'), '192.0.2.7')
  assert.equal(networkOf('2001:db8:0:12::1'), '2001:db8:0:12::/64')
  assert.equal(networkOf('2001:0db8:0000:0012:aaaa:bbbb:cccc:dddd'), '2001:db8:0:12::/64')
  assert.equal(networkOf('::1'), '0:0:0:0::/64')
  assert.equal(networkOf('fe80::1'), 'fe80:0:0:0::/64')
})
