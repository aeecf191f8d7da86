import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { describe, test } from 'node:test'
import { inGroups, isTypedRight, makeTypedCode, normalizeTypedCode } from './typed-codes.ts'

const codes = Array.from({ length: 200 }, () => makeTypedCode(16, (limit) => randomInt(limit)))

describe('a code that people type', () => {
  test('has no characters that look alike', () => {
    for (const code of codes) {
      assert.match(code, /^[A-HJKMNP-TV-Z2-9]{16}$/)
      assert.ok(isTypedRight(code), code)
    }
  })

  test('is not right with one wrong character, wherever it is', () => {
    for (const code of codes.slice(0, 20))
      for (const at of Array.from(code).keys())
        for (const other of 'ABCDEFGHJKMNPQRSTVWXYZ23456789')
          assert.equal(isTypedRight(code.slice(0, at) + other + code.slice(at + 1)), other === code[at])
  })

  test('is hardly ever right with two characters swapped', () => {
    const swapped = codes.flatMap((code) =>
      Array.from({ length: 15 }, (_, at) => {
        const other = `${code.slice(0, at)}${code[at + 1]}${code[at]}${code.slice(at + 2)}`
        return { isSame: other === code, isRight: isTypedRight(other) }
      }).filter(({ isSame }) => !isSame),
    )
    assert.ok(swapped.filter(({ isRight }) => isRight).length < swapped.length / 50)
  })

  test('is read in any case, with blanks and hyphens of any kind', () => {
    assert.equal(normalizeTypedCode(' abcd–efgh JKMN-pqrs\n'), 'ABCDEFGHJKMNPQRS')
    assert.equal(inGroups('ABCDEFGHJKMNPQRS', 4), 'ABCD-EFGH-JKMN-PQRS')
    for (const text of ['', 'A', 'ABCDEFGHIJKLMNOP', '0000000000000000']) assert.equal(isTypedRight(text), false, text)
  })
})
