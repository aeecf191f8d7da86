import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { type FileTimes, readTimes } from './times.ts'
import { LIMITS, type Limits } from './watchdog.ts'

const CONTEXT = new URL('./test-context.ts', import.meta.url).href
const WORKER = new URL('./worker.ts', import.meta.url).href

/** Long enough for a file that works to get a twentieth of a processor, whatever else the machine does. */
const STILL_MS = 3000

const HANGS = `
  import { after, test } from 'node:test'
  after(() => console.log('its hook ran'))
  test('waits for nothing', () => new Promise(() => setInterval(() => {}, 1000).unref()))
`
/** It waits longer than a file may stand still, for programs that work half of the time. */
const WORKS = `
  import { spawn } from 'node:child_process'
  import { test } from 'node:test'
  import { setTimeout as sleep } from 'node:timers/promises'
  const work = 'setInterval(() => { const until = Date.now() + 20; while (Date.now() < until); }, 40)'
  test('is slow', async () => {
    const programs = [1, 2].map(() => spawn(process.execPath, ['--eval', work]))
    await sleep(${STILL_MS * 2})
    for (const program of programs) program.kill()
  })
`
const LOOPS = `
  import { test } from 'node:test'
  test('loops for ever', () => { for (;;); })
`
/** It uses its processor time in a program. */
const COSTS = `
  import { spawnSync } from 'node:child_process'
  import { test } from 'node:test'
  test('is right', () => spawnSync(process.execPath, ['--eval', 'while (process.cpuUsage().user < 1_500_000);']))
`
const PASSES = `
  import { test } from 'node:test'
  test('is right', () => {})
`
const FAILS_AT_ITS_END = `
  import { after, test } from 'node:test'
  test('is right', () => {})
  after(() => { throw new Error('its service does not stop') })
`

let folder: string

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'licet-worker-'))
})

after(() => rm(folder, { recursive: true, force: true }))

type Run = { code: unknown; signal: unknown; lines: string[]; err: string; times: FileTimes[] }

/** Runs test files as a worker of `npm test` does, with limits of their own. */
async function work(name: string, files: Record<string, string>, limits: Partial<Limits> = {}): Promise<Run> {
  const root = join(folder, name)
  const claims = join(folder, `${name}-claims`)
  for (const each of [root, claims]) await mkdir(each)
  for (const [file, code] of Object.entries(files)) await writeFile(join(root, file), code)
  const options = { root, limits: { ...LIMITS, ...limits } }
  const code = `
    await import(${JSON.stringify(CONTEXT)})
    const { work } = await import(${JSON.stringify(WORKER)})
    await work(${JSON.stringify(Object.keys(files))}, ${JSON.stringify(options)})
  `
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  return new Promise((resolve) => {
    const args = ['--test-reporter=tap', '--input-type=module', '--eval', code]
    execFile(process.execPath, args, { env: { ...env, LICET_TEST_CLAIMS: claims } }, (error, out, err) => {
      const lines = out.split('\n').filter((line) => /^ *(not )?ok |^its |^ +error: /.test(line))
      resolve({ code: error?.code, signal: error?.signal, lines, err, times: readTimes(claims) })
    })
  })
}

describe('a test file', () => {
  test('fails if it stands still, but not if it is slow, and the next one runs', async () => {
    const limits = { stillMs: STILL_MS, stillCpuMs: 150, lookEveryMs: 1000 }
    const { code, lines, err, times } = await work('still', { 'hangs.mjs': HANGS, 'works.mjs': WORKS }, limits)
    const sentence = 'hangs.mjs stands still: no test has ended for 3 s, and it did not use a processor.'
    assert.deepEqual(lines, [
      'its hook ran',
      '    not ok 1 - waits for nothing',
      "      error: 'test did not finish before its parent and was cancelled'",
      'not ok 1 - hangs.mjs',
      `  error: '${sentence}'`,
      '    ok 1 - is slow',
      'ok 2 - works.mjs',
    ])
    assert.equal(err.trim(), sentence)
    assert.equal(code, 1)
    assert.deepEqual(times.map(({ file }) => file).sort(), ['hangs.mjs', 'works.mjs'])
    const slow = times.find(({ file }) => file === 'works.mjs')
    assert.ok(slow !== undefined && slow.wallMs >= STILL_MS * 2)
    if (process.platform === 'linux') assert.ok(slow.cpuMs > 150, 'the time of its programs counts')
  })

  test('is killed if it loops for ever', async () => {
    const { signal, err } = await work('loop', { 'loops.mjs': LOOPS }, { cpuMs: 2000, graceMs: 200, lookEveryMs: 100 })
    assert.equal(signal, 'SIGKILL')
    assert.equal(err.trim(), 'loops.mjs has used 2 s of processor time and did not end. It could not be stopped.')
  })

  test('fails if it has used too much of a processor, and the next one does not', async () => {
    const files = { 'costs.mjs': COSTS, 'passes.mjs': PASSES }
    const { code, lines } = await work('cost', files, { fileCpuMs: 100 })
    const [inFile, file, cost, sentence = '', ...others] = lines
    assert.deepEqual([inFile, file], ['    ok 1 - is right', 'ok 1 - costs.mjs'])
    assert.equal(cost, 'not ok 2 - costs.mjs is cheap enough')
    assert.match(sentence, /costs\.mjs used \d+\.\d s of processor time, and a file may use \d+\.\d s on this machine/)
    assert.deepEqual(others, ['    ok 1 - is right', 'ok 3 - passes.mjs'])
    assert.equal(code, 1)
  })

  test('that fails at its end, or cannot be loaded, keeps no other from running', async () => {
    const files = { 'end.mjs': FAILS_AT_ITS_END, 'broken.mjs': 'no code', 'passes.mjs': PASSES }
    const { code, lines, err } = await work('hooks', files)
    assert.deepEqual(lines, [
      '    ok 1 - is right',
      'not ok 1 - end.mjs',
      "  error: 'its service does not stop'",
      'not ok 2 - broken.mjs',
      `  error: "Unexpected identifier 'code'"`,
      '    ok 1 - is right',
      'ok 3 - passes.mjs',
    ])
    assert.equal(err, '')
    assert.equal(code, 1)
  })
})
