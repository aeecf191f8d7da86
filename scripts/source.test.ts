// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these texts are source code.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { closingAt, scan } from './source.ts'

const words = (text: string) => scan(text).map((token) => token.text)

test('comments are left out, and texts keep what looks like one', () => {
  assert.deepEqual(words("a // b\n/* c\n */ d 'e // f'"), ['a', 'd', 'e // f'])
})

test('a template is one token with empty holes, and what stands in the holes follows', () => {
  assert.deepEqual(words('sql`select ${a} from ${b(`x ${c}`)} end`; d'), [
    'sql',
    'select ${} from ${} end',
    'a',
    'b',
    '(',
    'x ${}',
    'c',
    ')',
    ';',
    'd',
  ])
})

test('a hole may hold braces and quotes', () => {
  assert.deepEqual(words("`${f({ a: '}' })}` b").slice(0, 1), ['${}'])
  assert.equal(words("`${f({ a: '}' })}` b").at(-1), 'b')
})

test('quotes and brackets inside a regular expression open nothing', () => {
  assert.deepEqual(words("x = /['(`]/g.test(y)"), ['x', '=', "/['(`]/g", '.', 'test', '(', 'y', ')'])
  assert.deepEqual(words("a / b / 'c'"), ['a', '/', 'b', '/', 'c'])
})

test('each token knows its line', () => {
  assert.deepEqual(
    scan('a\n\n`b\nc`\nd').map(({ line }) => line),
    [1, 3, 5],
  )
})

test('the closing bracket of a call is found past nested ones', () => {
  const tokens = scan("f(a, [b], { c: ')' }) g")
  assert.equal(tokens[closingAt(tokens, 1) + 1]?.text, 'g')
})
