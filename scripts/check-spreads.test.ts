import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkSpreads } from './check-spreads.ts'

const complaints = (text: string) => checkSpreads([{ path: 'src/a.ts', text }], 1)

test('a literal that is spread where it is written is refused', () => {
  assert.deepEqual(complaints('const a = {\n  b,\n  ...{ c, d },\n}'), [
    'src/a.ts:3 spreads an object that is written there',
  ])
  assert.deepEqual(complaints("const a = [...['b', 'c'], d]"), ['src/a.ts:1 spreads an array that is written there'])
  assert.deepEqual(complaints('call(...[b, c])'), ['src/a.ts:1 spreads an array that is written there'])
})

test('what is spread because it may be absent, or comes from elsewhere, is left alone', () => {
  assert.deepEqual(complaints('const a = { ...b, ...(c ? { d } : {}), ...(e && { f }) }'), [])
  assert.deepEqual(complaints('const a = [...b, ...(c ? [d] : [])]'), [])
})

test('a check that saw nothing fails', () => {
  assert.deepEqual(checkSpreads([{ path: 'src/a.ts', text: 'const a = { b }' }], 1), ['saw only 0 spreads'])
})
