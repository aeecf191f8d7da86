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

/** Runs code as a test file of its own, with lines for what its tests say. */
async function run(code: string): Promise<{ code: unknown; out: string }> {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  return new Promise((resolve) => {
    const args = ['--test-reporter=tap', '--input-type=module', '--eval', code]
    execFile(process.execPath, args, { env }, (error, stdout) => resolve({ code: error?.code ?? 0, out: stdout }))
  })
}

// If the context got lost, tests would belong to no suite, and their errors to no test.
test('finds the test that runs', async () => {
  const { code, out } = await run(CODE)
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

/** Promises have numbers of their own only while a hook is called for them. */
const NUMBERS = `
  const { executionAsyncId } = await import('node:async_hooks')
  const { test } = await import('node:test')
  test('counts promises', async () => {
    const numbers = new Set()
    for (let turn = 0; turn < 3; turn += 1) numbers.add((await null, executionAsyncId()))
    console.log('it has ' + numbers.size)
  })
`

// Without it: if Node needs no hook any more, nothing is left to replace, and test-context.ts can go.
test('keeps Node from calling a hook for every promise, which it does otherwise', async () => {
  for (const [context, count] of [
    [`await import(${JSON.stringify(CONTEXT)})`, 1],
    ['', 3],
  ] as const) {
    const { code, out } = await run(`${context}\n${NUMBERS}`)
    assert.equal(code, 0)
    assert.match(out, new RegExp(`^it has ${count}$`, 'm'))
  }
})

test('gives others the classes and functions of Node', async () => {
  const { code, out } = await run(`
    import hooks from 'node:async_hooks'
    const before = { ...hooks }
    await import(${JSON.stringify(CONTEXT)})
    const changed = Object.keys(before).filter((name) => hooks[name] !== before[name])
    console.log('it changed: ' + changed.join(' '))
  `)
  assert.equal(code, 0)
  assert.match(out, /^it changed: $/m)
})
