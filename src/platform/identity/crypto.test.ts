import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { watchHashing } from '#test/hashing.ts'
import { hashPassword, randomCapitals, randomToken, sameBytes, tokenHash, verifyPassword } from './crypto.ts'

const hashing = watchHashing()

describe('a password', () => {
  test('is kept as an argon2id hash that is another every time and opens for it alone', async () => {
    for (const password of ['correct horse', '', 'ü'.repeat(64), '📚', ' spaces ', 'a\0b']) {
      const [one, other] = [await hashPassword(password), await hashPassword(password)]
      assert.match(one, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
      assert.notEqual(one, other)
      assert.equal(await verifyPassword(password, one), true)
      assert.equal(await verifyPassword(`${password}x`, one), false)
    }
  })

  test('that was kept with other parameters still opens', async () => {
    // One of the test vectors of the reference implementation.
    const elsewhere = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc'
    assert.equal(await verifyPassword('password', elsewhere), true)
    assert.equal(await verifyPassword('passwort', elsewhere), false)
  })

  test('of nobody is never right, and takes as much work', async () => {
    for (const nobody of [null, undefined]) {
      const before = hashing.count()
      assert.equal(await verifyPassword('', nobody), false)
      assert.equal(hashing.count() - before, 1)
    }
  })

  test('is not checked against what is no hash', async () => {
    for (const text of ['', 'a hash', '$argon2i$v=19$m=1,t=1,p=1$c29t$c29t'])
      await assert.rejects(verifyPassword('x', text), /PHC/)
  })
})

test('tokens cannot be guessed, stand in an address as they are, and are kept as a hash', () => {
  const tokens = Array.from({ length: 1000 }, () => randomToken())
  assert.equal(new Set(tokens).size, 1000)
  for (const token of tokens) assert.match(token, /^[A-Za-z0-9_-]{43}$/)
  assert.equal(tokenHash('abc').toString('hex'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  assert.match(randomCapitals(16), /^[A-Z]{16}$/)
})

test('bytes are the same if they are the same', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 8 }), fc.uint8Array({ maxLength: 8 }), (one, other) => {
      assert.equal(sameBytes(Buffer.from(one), Buffer.from(other)), Buffer.compare(one, other) === 0)
      assert.equal(sameBytes(Buffer.from(one), Buffer.from(one)), true)
    }),
  )
})
