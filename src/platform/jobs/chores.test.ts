import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { useJobs } from '#test/jobs.ts'

const { loopOf } = useJobs()

describe('chores', () => {
  test('are done when the loop starts, but for those that have time', async () => {
    const done: string[] = []
    const chores = {
      later: { everySeconds: 3600, firstAfterSeconds: 3600, run: async () => void done.push('later') },
      soon: { everySeconds: 3600, firstAfterSeconds: 0.01, run: async () => void done.push('soon') },
      now: { everySeconds: 0.01, run: async () => void done.push('now') },
    }
    const loop = loopOf([], { chores })
    loop.start()
    while (!done.includes('soon') || done.length < 4) await new Promise((resolve) => setImmediate(resolve))
    // A stop waits for no chore that has not begun.
    await loop.stop()
    assert.equal(done[0], 'now')
    assert.ok(!done.includes('later'))
    assert.equal(done.filter((name) => name === 'soon').length, 1)
  })

  test('that fail are done again', async () => {
    let runs = 0
    const twice = Promise.withResolvers<void>()
    const run = async () => {
      runs += 1
      if (runs === 2) twice.resolve()
      throw new Error('no')
    }
    const loop = loopOf([], { chores: { failing: { everySeconds: 0.01, run } } })
    loop.start()
    await twice.promise
    await loop.stop()
    assert.ok(runs >= 2)
  })
})
