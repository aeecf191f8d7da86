import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSemaphore } from './semaphore.ts'

test('a semaphore runs so many tasks at once, the others in the order in which they came', async () => {
  const semaphore = createSemaphore(2)
  const started: number[] = []
  let [running, runningMax] = [0, 0]
  const tasks = Array.from({ length: 10 }, (_, index) =>
    semaphore(async () => {
      started.push(index)
      running += 1
      runningMax = Math.max(runningMax, running)
      await new Promise(setImmediate)
      running -= 1
      return index
    }),
  )
  assert.deepEqual(await Promise.all(tasks), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
  assert.deepEqual(started, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
  assert.equal(runningMax, 2)
})

test('a task that fails gives its place to the next', async () => {
  const semaphore = createSemaphore(1)
  const failing = semaphore(() => Promise.reject(new Error('no')))
  const next = semaphore(async () => 'through')
  await assert.rejects(failing, /no/)
  assert.equal(await next, 'through')
})
