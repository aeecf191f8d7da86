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

test('a task whose caller goes while it waits never runs, and the others keep their order', async () => {
  const semaphore = createSemaphore(1, 2)
  let end = () => {}
  const first = semaphore(() => new Promise<void>((resolve) => (end = resolve)))
  const leaving = new AbortController()
  const ran: string[] = []
  const gone = semaphore(async () => void ran.push('gone'), leaving.signal)
  const next = semaphore(async () => void ran.push('next'), new AbortController().signal)
  leaving.abort(new Error('left'))
  await assert.rejects(gone, /left/)
  await assert.rejects(
    semaphore(async () => void ran.push('gone'), leaving.signal),
    /left/,
  )
  // There is room in the queue again.
  const last = semaphore(async () => void ran.push('last'))
  end()
  await Promise.all([first, next, last])
  assert.deepEqual(ran, ['next', 'last'])
})

test('a task that runs is not stopped when its caller goes', async () => {
  const semaphore = createSemaphore(1)
  const leaving = new AbortController()
  let end = () => {}
  const running = semaphore(() => new Promise<void>((resolve) => (end = resolve)), leaving.signal)
  leaving.abort()
  end()
  await running
})
