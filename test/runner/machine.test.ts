import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { connectionsFor, databaseBytesFor, type Machine, thisMachine, workersFor } from './machine.ts'

const GIB = 2 ** 30

describe('tests run in', () => {
  const cases: [string, Machine, number][] = [
    ['one worker for each core', { cores: 8, memoryBytes: 32 * GIB }, 8],
    ['two on a small machine', { cores: 2, memoryBytes: 4 * GIB }, 2],
    ['one on the smallest', { cores: 1, memoryBytes: GIB }, 1],
    ['no more than the memory has room for', { cores: 32, memoryBytes: 16 * GIB }, 10],
    ['no more than shorten the run', { cores: 32, memoryBytes: 128 * GIB }, 16],
    [
      'no more than another PostgreSQL has connections for',
      { cores: 32, memoryBytes: 128 * GIB, connectionsMax: 100 },
      2,
    ],
  ]
  for (const [name, machine, count] of cases) test(name, () => assert.equal(workersFor(machine), count))

  test('as many as this machine can take', () => {
    const { cores, memoryBytes } = thisMachine()
    assert.ok(cores >= 1 && Number.isInteger(cores))
    assert.ok(memoryBytes > GIB / 4 && Number.isSafeInteger(memoryBytes), `${memoryBytes}`)
  })
})

test('their PostgreSQL allows connections and has room for all of them', () => {
  assert.deepEqual([1, 2, 16].map(connectionsFor), [100, 100, 800])
  assert.deepEqual(
    [2, 16].map((workers) => databaseBytesFor(workers) / GIB),
    [1, 4.5],
  )
})
