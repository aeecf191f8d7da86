import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'

const CONTEXT = new URL('./test-context.ts', import.meta.url).href

/** Each of these tests tells something of a test after it has waited, when only the context knows which test runs. */
const CODE = `
  await import(${JSON.stringify(CONTEXT)})
  const { after, before, describe, test } = await import('node:test')
  const { setTimeout: sleep } = await import('node:timers/promises')
  describe('a suite', async () => {
    await sleep(1)
    before(() => console.log('its hook'))
    test('waits', async (t) => {
      await sleep(1)
      after(() => console.log('its own end'))
      await t.test('a part', () => sleep(1))
    })
    test('throws in a timer', async () => {
      setTimeout(() => { throw new Error('from a timer') }, 1)
      await new Promise(() => setInterval(() => {}, 1000).unref())
    })
    test('rejects', async () => {
      await sleep(1)
      Promise.reject(new Error('nobody waits'))
      await new Promise(() => setInterval(() => {}, 1000).unref())
    })
    test('throws too late', () => {
      setTimeout(() => { throw new Error('too late') }, 1)
    })
    test('comes last', () => sleep(50))
  })
`

// If the context got lost, tests would belong to no suite, and their errors to no test.
test('finds the test that runs', async () => {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const { code, out } = await new Promise<{ code: unknown; out: string }>((resolve) => {
    const args = ['--test-reporter=tap', '--input-type=module', '--eval', CODE]
    execFile(process.execPath, args, { env }, (error, stdout) => resolve({ code: error?.code, out: stdout }))
  })
  const lines = out.split('\n')
  const results = lines.filter((line) => /^ *(not )?ok |^its |^ +error: |^# Error/.test(line))
  assert.deepEqual(
    results.map((line) => line.replace(/ at \S+| which .*| and would .*/g, '')),
    [
      'its hook',
      'its own end',
      '        ok 1 - a part',
      '    ok 1 - waits',
      '    not ok 2 - throws in a timer',
      "      error: 'from a timer'",
      '    not ok 3 - rejects',
      "      error: 'nobody waits'",
      '    ok 4 - throws too late',
      '    ok 5 - comes last',
      'not ok 1 - a suite',
      "  error: '2 subtests failed'",
      '# Error: Test "throws too late" generated asynchronous activity after the test ended. This activity created the error "Error: too late"',
    ],
  )
  assert.equal(code, 1)
})
