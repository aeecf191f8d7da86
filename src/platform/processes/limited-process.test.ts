import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import {
  createLimitedProcess,
  createLimitedProcesses,
  type LimitedProcess,
  type LimitedProcessOptions,
  ProcessEnded,
} from './limited-process.ts'

const SCRIPT = `
import { answerRequests } from '${join(import.meta.dirname, 'limited-process.ts')}'
const held = []
let running = 0
let runningMax = 0
answerRequests(async ({ work }) => {
  running += 1
  runningMax = Math.max(runningMax, running)
  await new Promise((resolve) => setImmediate(resolve))
  running -= 1
  if (work === 'fail') throw new Error('no such work')
  if (work === 'crash') process.abort()
  if (work === 'hang') await new Promise(() => setInterval(() => {}, 1000))
  if (work === 'fill') for (;;) held.push(Buffer.alloc(64 * 1024 * 1024, 1))
  if (work === 'environment') return Object.keys(process.env)
  return { pid: process.pid, runningMax }
})
`
/** Asks while no more files can be opened, and afterwards. */
const FULL = `
import { closeSync, openSync } from 'node:fs'
import { createLimitedProcess } from '${join(import.meta.dirname, 'limited-process.ts')}'
const { ask } = createLimitedProcess({ script: process.argv[2], memoryMb: 1024, timeoutMs: 20000, idleMs: 60000 })
const tell = () => ask(async () => ({ work: 'nothing' })).then(() => 'works', ({ code }) => code).then(console.log)
const files = []
try {
  for (;;) files.push(openSync('/dev/null'))
} catch {}
await tell()
await tell()
for (const file of files) closeSync(file)
await tell()
`
type Asked = { work: string }
type Answered = { pid: number; runningMax: number }

let folder: string
let options: LimitedProcessOptions
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'licet-limited-'))
  options = { script: join(folder, 'script.mjs'), memoryMb: 1024, timeoutMs: 20_000, idleMs: 60_000 }
  await writeFile(options.script, SCRIPT)
})
after(() => rm(folder, { recursive: true }))

const open = (changed: Partial<LimitedProcessOptions> = {}): LimitedProcess<Asked, Answered> =>
  createLimitedProcess({ ...options, ...changed })
const asking = (work: string) => async () => ({ work })

describe('a process with limits', () => {
  test('takes one request at a time, and stays for the next', async () => {
    const { ask } = open()
    const answers = await Promise.all(Array.from({ length: 5 }, () => ask(asking('nothing'))))
    assert.equal(new Set(answers.map(({ pid }) => pid)).size, 1)
    assert.notEqual(answers[0]?.pid, process.pid)
    assert.deepEqual([...new Set(answers.map(({ runningMax }) => runningMax))], [1])
  })

  test('passes on an error of its work, and works on', async () => {
    const { ask } = open()
    const { pid } = await ask(asking('nothing'))
    await assert.rejects(ask(asking('fail')), { message: 'no such work' })
    assert.equal((await ask(asking('nothing'))).pid, pid)
  })

  for (const [work, timedOut, changed] of [
    ['crash', false, {}],
    ['hang', true, { timeoutMs: 1500 }],
  ] as const) {
    test(`ends if its work would ${work}, and the next request gets a new one`, async () => {
      const { ask } = open(changed)
      await assert.rejects(ask(asking(work)), (error) => error instanceof ProcessEnded && error.timedOut === timedOut)
      assert.ok((await ask(asking('nothing'))).pid > 0)
    })
  }

  test('is tried anew after it could not be started', async () => {
    const { ask } = open({ timeoutMs: 5000 })
    const { PATH } = process.env
    process.env.PATH = folder
    try {
      for (const _attempt of [1, 2]) await assert.rejects(ask(asking('nothing')), { code: 'ENOENT' })
    } finally {
      process.env.PATH = PATH
    }
    assert.ok((await ask(asking('nothing'))).pid > 0)
  })

  test('that cannot be started for want of open files fails alone', async () => {
    const script = join(folder, 'full.mjs')
    await writeFile(script, FULL)
    const limited = ['-c', 'ulimit -n 60; exec "$@"', 'sh', process.execPath, script, options.script]
    const { stdout } = await promisify(execFile)('sh', limited)
    assert.deepEqual(stdout.trim().split('\n'), ['EMFILE', 'EMFILE', 'works'])
  })

  test('finishes its work when the processes of a terminal are told to stop', async () => {
    const { ask } = open()
    const { pid } = await ask(asking('nothing'))
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.kill(pid, signal)
    assert.equal((await ask(asking('nothing'))).pid, pid)
  })

  test('gets no more memory than its limit', async () => {
    const { ask } = open()
    await assert.rejects(ask(asking('fill')), /allocat|ended before it answered/)
  })

  test('gets no environment, which may hold secrets', async () => {
    process.env.LICET_SECRET_OF_TEST = 'secret'
    const { ask } = createLimitedProcess<Asked, string[]>(options)
    const names = await ask(asking('environment'))
    delete process.env.LICET_SECRET_OF_TEST
    assert.ok(!names.includes('LICET_SECRET_OF_TEST'))
  })

  test('ends when nothing was asked for a while', async () => {
    const { ask } = open({ idleMs: 1 })
    const { pid } = await ask(asking('nothing'))
    await until(() => !isRunning(pid))
    assert.notEqual((await ask(asking('nothing'))).pid, pid)
  })
})

describe('several processes with limits', () => {
  test('work side by side, and refuse what would wait too long', async () => {
    const { ask } = createLimitedProcesses<Asked, Answered>(2, { ...options, timeoutMs: 3000 }, 1)
    const hanging = assert.rejects(ask(asking('hang')), ProcessEnded)
    const quick = await ask(asking('nothing'))
    assert.equal((await ask(asking('nothing'))).pid, quick.pid)
    const [busy, waiting] = [ask(asking('nothing')), ask(asking('nothing'))]
    await assert.rejects(ask(asking('nothing')), { reason: 'service_busy' })
    await Promise.all([busy, waiting, hanging])
  })
})

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

async function until(holds: () => boolean): Promise<void> {
  const end = Date.now() + 10_000
  while (!holds()) {
    if (Date.now() > end) throw new Error('it did not happen within 10 seconds')
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
