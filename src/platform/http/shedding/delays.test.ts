import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createLoopDelay, createQueueDelay } from './delays.ts'

describe('the delay of the event loop', () => {
  const seen = (...at: number[]) => at.map(createLoopDelay(100, 0))

  test('is none after one long computation', () => {
    assert.deepEqual(seen(100, 200, 300, 5000, 5100, 5200, 5300), [0, 0, 0, 0, 0, 0, 0])
  })

  test('is the smallest of the last five', () => {
    assert.deepEqual(seen(500, 900, 1200, 1600, 2000, 2100), [0, 0, 0, 0, 200, 0])
  })
})

describe('the delay of queues', () => {
  function createQueues(count: number) {
    const numbers = Array.from({ length: count }, () => ({ entered: 0, left: 0 }))
    const delay = createQueueDelay(numbers.map((queue) => ({ entered: () => queue.entered, left: () => queue.left })))
    return { numbers, delay }
  }

  test('is none while a queue is empty whenever one looks, whatever went through it', () => {
    const {
      numbers: [queue],
      delay,
    } = createQueues(1)
    assert.ok(queue)
    for (const now of [0, 100, 200]) {
      queue.entered += 1000
      queue.left += 1000
      assert.equal(delay(now), 0)
    }
  })

  test('is how long what stood in it took to leave, and longer if it has not left', () => {
    const {
      numbers: [queue],
      delay,
    } = createQueues(1)
    assert.ok(queue)
    queue.entered = 10
    assert.equal(delay(0), 0)
    queue.entered = 20
    queue.left = 5
    assert.equal(delay(100), 100)
    queue.left = 10
    assert.equal(delay(300), 300)
    queue.left = 15
    assert.equal(delay(400), 300)
    assert.equal(delay(900), 600)
    queue.left = 20
    assert.equal(delay(1000), 0)
  })

  test('is that of the least busy', () => {
    const {
      numbers: [slow],
      delay,
    } = createQueues(2)
    assert.ok(slow)
    slow.entered = 10
    delay(0)
    assert.equal(delay(1000), 0)
  })

  test('ends when all have given up waiting', () => {
    const {
      numbers: [queue],
      delay,
    } = createQueues(1)
    assert.ok(queue)
    queue.entered = 10
    delay(0)
    assert.equal(delay(500), 500)
    // A connection was asked for ten times, and never given.
    queue.entered = 0
    assert.equal(delay(600), 0)
    queue.entered = 1
    assert.equal(delay(700), 0)
    assert.equal(delay(800), 100)
  })
})
