import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'

const RUN = fileURLToPath(new URL('run.ts', import.meta.url))

/** Runs `npm test -- …` as a contributor does. */
function run(...args: string[]): Promise<{ code: unknown; out: string; err: string }> {
  const { NODE_TEST_CONTEXT: _, LICET_TEST_WORKERS: __, LICET_TEST_WORDS: ___, ...env } = process.env
  return new Promise((resolve) => {
    execFile(process.execPath, [RUN, ...args], { env, cwd: '/' }, (error, out, err) =>
      resolve({ code: error?.code ?? 0, out, err }),
    )
  })
}

describe('npm test', () => {
  test('with words runs the files with one of them in their path, and prints their times', async () => {
    const { code, out, err } = await run('runner/times', 'runner/machine', '--test-reporter=tap')
    assert.deepEqual({ code, err }, { code: 0, err: '' })
    const files = [...out.matchAll(/^ok \d+ - (\S+\.test\.ts)$/gm)].map(([, file]) => file)
    assert.deepEqual(files.sort(), ['test/runner/machine.test.ts', 'test/runner/times.test.ts'])
    assert.match(out, /^ +\d+\.\d +\d+\.\d {2}all 2 files$/m)
  })

  test('names a word that no path has', async () => {
    const { code, out, err } = await run('orders', 'nowhere')
    assert.deepEqual({ code, out, err }, { code: 1, out: '', err: 'No test file has "nowhere" in its path.\n' })
  })
})
