import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { allowable, isClientId, withheld } from './rules.ts'
import type { Scope } from './scopes.facts.ts'

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

test('a scope is withheld because the app is not registered for it, or because the user may not grant it', () => {
  const requested: Scope[] = ['products', 'orders', 'users', 'companies']
  assert.deepEqual(withheld(requested, [], true), { unregistered: [], forManagers: [] })
  assert.deepEqual(withheld(requested, ['orders', 'users'], false), {
    unregistered: ['products', 'companies'],
    forManagers: ['users'],
  })
})

test('a client id has letters, digits, dots, colons, hyphens and underscores, and begins with a letter or a digit', () => {
  for (const id of ['a', '7', 'WooCommerce_1.0-x', 'DEV:7f3a', 'a:b:c', 'x'.repeat(100)]) assert.ok(isClientId(id), id)
  for (const id of ['', 'x'.repeat(101), 'a b', 'a/b', 'a%20', 'ä', 'a\n', '-x', '--help', '.x', '_x'])
    assert.ok(!isClientId(id), id)
  assert.ok(!isClientId(':a'))
})
