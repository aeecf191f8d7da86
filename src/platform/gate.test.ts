import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createGate } from './gate.ts'

test('a gate lets so many through at once, the others in the order in which they came', async () => {
  const gate = createGate(2)
  const started: number[] = []
  let [inside, insideMax] = [0, 0]
  const works = Array.from({ length: 10 }, (_, index) =>
    gate(async () => {
      started.push(index)
      inside += 1
      insideMax = Math.max(insideMax, inside)
      await new Promise(setImmediate)
      inside -= 1
      return index
    }),
  )
  assert.deepEqual(await Promise.all(works), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
  assert.deepEqual(started, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
  assert.equal(insideMax, 2)
})

test('a work that fails gives its place to the next', async () => {
  const gate = createGate(1)
  const failing = gate(() => Promise.reject(new Error('no')))
  const next = gate(async () => 'through')
  await assert.rejects(failing, /no/)
  assert.equal(await next, 'through')
})
