import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isAllowed, licenseMistakes } from './check-licenses.ts'

/** The packages whose metadata is known to be wrong have to be there. */
const KNOWN = { name: 'combine-errors' }

test('one of several licenses is enough, and all of those that hold together are needed', () => {
  for (const allowed of ['MIT', '(MIT OR GPL-3.0)', '(MIT AND Zlib)', 'AFL-2.1 OR BSD-3-Clause'])
    assert.ok(isAllowed(allowed), allowed)
  for (const refused of ['GPL-3.0', 'AGPL-3.0-only', 'MIT AND GPL-3.0', 'SEE LICENSE IN LICENSE', 'UNLICENSED', ''])
    assert.ok(!isAllowed(refused), refused)
})

test('a package without an allowed license is named', () => {
  assert.deepEqual(licenseMistakes([KNOWN, { name: 'a', license: 'MIT' }, { name: 'b', license: { type: 'ISC' } }]), [])
  assert.deepEqual(licenseMistakes([KNOWN, { name: 'a', license: 'GPL-3.0' }, { name: 'b' }]), [
    'a: its license, GPL-3.0, is not on the list',
    'b: its license, none, is not on the list',
  ])
})

test('a check that sees no package fails, and so does an entry for a package that is gone', () => {
  assert.deepEqual(licenseMistakes([]), ['saw no package: run npm ci'])
  assert.match(licenseMistakes([{ name: 'a', license: 'MIT' }]).join(), /combine-errors is not installed/)
})
