import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nameOf, passwordFault, readPermissions } from './rules.ts'

test('a password has 8 to 64 characters, counted as code points', () => {
  for (const good of ['12345678', ' spaces ', 'ü'.repeat(64), '📚'.repeat(8), '📚'.repeat(64)])
    assert.equal(passwordFault(good), undefined, good)
  for (const short of ['', '1234567', '📚'.repeat(7)])
    assert.equal(passwordFault(short)?.message, 'is too short (the minimum is 8 characters)', short)
  for (const long of ['x'.repeat(65), '📚'.repeat(65)])
    assert.equal(passwordFault(long)?.message, 'is too long (the maximum is 64 characters)', long)
})

test('a permission needs the flag 1', () => {
  const stored = { create_users: 1, accounting: 2, unlock: true, web_access: '1', colour: 1 }
  const permissions = readPermissions(stored as never)
  assert.deepEqual(Object.keys(permissions).length, 9)
  assert.deepEqual(
    Object.entries(permissions).filter(([, set]) => set === 1),
    [['create_users', 1]],
  )
})

test('a user is called by name, or by address without a name', () => {
  const email = 'jane@example.com'
  assert.equal(nameOf({ first_name: 'Jane', last_name: 'Roe', email }), 'Jane Roe')
  assert.equal(nameOf({ first_name: '', last_name: 'Roe', email }), 'Roe')
  assert.equal(nameOf({ first_name: ' ', last_name: '', email }), email)
})
