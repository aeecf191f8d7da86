import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { calculate, slowness } from './slowness.ts'

/** Uses this much of a processor, whatever the machine. */
function use(ms: number): void {
  const before = process.threadCpuUsage()
  for (;;) {
    const { user, system } = process.threadCpuUsage(before)
    if (user + system >= ms * 1000) return
  }
}

describe('how slow a machine is', () => {
  // Another calculation takes another time: measure it on the same machine as the limits.
  test('is measured by a calculation that stays the same', () => {
    assert.equal(calculate(), '799049acd2dfd482fe90f15558899e828afd408066861ff8b2b1d9dc3806ff09')
  })

  test('grows with the processor time that the calculation takes', () => {
    const factor = slowness(() => use(20), 10)
    assert.ok(factor >= 2 && factor < 3, `${factor}`)
  })

  test('is never less than 1, so that no file may use less on a fast machine', () => {
    assert.equal(
      slowness(() => {}, 10),
      1,
    )
  })
})
