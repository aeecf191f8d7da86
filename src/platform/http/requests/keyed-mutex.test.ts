import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createKeyedMutex } from './keyed-mutex.ts'

describe('requests with one key', () => {
  test('pass one after the other, in the order they came, and a failure lets the next one in', async () => {
    const withKey = createKeyedMutex()
    const seen: string[] = []
    const work =
      (name: string, fails = false) =>
      async () => {
        seen.push(`${name} begins`)
        await new Promise((resolve) => setImmediate(resolve))
        seen.push(`${name} ends`)
        if (fails) throw new Error(name)
        return name
      }
    const results = await Promise.allSettled([
      withKey('key', work('a')),
      withKey('key', work('b', true)),
      withKey('key', work('c')),
    ])
    assert.deepEqual(seen, ['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends'])
    assert.deepEqual(
      results.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled'],
    )
  })

  test('do not wait for those with another key', async () => {
    const withKey = createKeyedMutex()
    const first = Promise.withResolvers<void>()
    const held = withKey('one', () => first.promise)
    assert.equal(await withKey('two', async () => 'done'), 'done')
    first.resolve()
    await held
  })

  test('are told when the one before takes too long, and it goes on', async () => {
    const withKey = createKeyedMutex(5)
    const first = Promise.withResolvers<string>()
    const held = withKey('key', () => first.promise)
    await assert.rejects(
      withKey('key', async () => 'never'),
      { status: 409 },
    )
    first.resolve('done')
    assert.equal(await held, 'done')
    assert.equal(await withKey('key', async () => 'later'), 'later')
  })
})
