import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { ROOT } from './source.ts'

const run = promisify(execFile)
const check = (...names: string[]) => run(process.execPath, ['scripts/check.ts', ...names], { cwd: ROOT })

test('a check runs alone when it is named', async () => {
  const { stdout } = await check('links')
  assert.match(stdout, /^ok {3}links .*\nAll checks passed\.\n$/)
})

test('a name that no check has is a mistake, not a check that passes', async () => {
  await assert.rejects(check('nonsense'), /No check is called nonsense\./)
})
