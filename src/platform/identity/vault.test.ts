import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createVault } from './vault.ts'

const vault = createVault('a secret that is long enough to be one')

test('what is sealed can be read again, and looks different every time', () => {
  const [one, other] = [vault.seal('test', 'Grüße'), vault.seal('test', 'Grüße')]
  assert.equal(vault.open('test', one), 'Grüße')
  assert.equal(vault.open('test', other), 'Grüße')
  assert.notDeepEqual(one, other)
  assert.ok(!one.includes('Gr'))
})

test('a changed byte, another purpose and another secret open nothing', () => {
  const sealed = vault.seal('test', 'secret')
  for (let at = 0; at < sealed.length; at += 1) {
    const changed = Buffer.from(sealed)
    changed[at] = (changed[at] ?? 0) ^ 1
    assert.throws(() => vault.open('test', changed), `byte ${at}`)
  }
  assert.throws(() => vault.open('other', sealed))
  assert.throws(() => createVault('another secret that is long enough').open('test', sealed))
})
