import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { allowable } from './rules.ts'
import type { Scope } from './scopes.ts'

describe('the scopes that a user can grant an app', () => {
  const requested: Scope[] = ['products', 'orders', 'users']

  test('are those that the app is registered for', () => {
    assert.deepEqual(allowable(requested, ['orders', 'themes'], true), ['orders'])
    assert.deepEqual(allowable(requested, ['themes'], true), [])
  })

  test('are any if the app is registered without scopes', () => {
    assert.deepEqual(allowable(requested, [], true), requested)
  })

  test('include admin scopes only for a user who may manage users', () => {
    assert.deepEqual(allowable(requested, [], false), ['products', 'orders'])
    assert.deepEqual(allowable(['users', 'companies'], ['users', 'companies'], false), [])
  })
})
