import '../hashing.ts'
import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, test } from 'node:test'
import { ROOT } from './files.ts'
import { processTimeMs } from './process-time.ts'
import { slowness } from './slowness.ts'
import { recordTimes } from './times.ts'
import { LIMITS, type Limits, startWatchdog, type Watchdog } from './watchdog.ts'

/** How long what is still open after the last file may stay open. */
const GRACE_MS = 20_000

/** What the tests of this module do otherwise, and a test of everything that the files have done. */
export type Options = { root?: string; limits?: Limits; atTheEnd?: () => Promise<void> }

/**
 * Runs test files one after another, until none is left that no worker has begun. Loading the service takes longer than
 * most files do, so a few processes run all of them, and each file still has a service and a database of its own.
 */
export async function work(
  files: readonly string[],
  { root = ROOT, limits = LIMITS, atTheEnd }: Options = {},
): Promise<void> {
  if (files.length === 0) throw new Error('found no test file: it looked in the wrong place')
  process.on('exit', failUnfinished)
  const slownessBefore = slowness()
  const watchdog = startWatchdog(limits)
  // If nothing else keeps the process alive, Node counts the tests, and does not count those of later files.
  const staying = setInterval(() => {}, 60_000)
  let begunCpuMs = processTimeMs()
  for (const file of files) {
    const claim = claimOf(file)
    if (claim === undefined) continue
    unfinished = file
    const begunMs = performance.now()
    await runFile(file, join(root, file), watchdog, begunCpuMs)
    const nowCpuMs = processTimeMs()
    const cpuMs = Math.max(nowCpuMs - begunCpuMs, 0)
    recordTimes(claim, { file, wallMs: performance.now() - begunMs, cpuMs })
    if (cpuMs > limits.fileCpuMs * slownessBefore) await failCostly(file, cpuMs, slownessBefore, limits)
    unfinished = undefined
    begunCpuMs = processTimeMs()
  }
  await atTheEnd?.()
  clearInterval(staying)
  // Runs only if something keeps the process alive, such as a server of a test that failed before it closed it.
  setTimeout(() => {
    console.error(`All files have run, but the process cannot end: ${process.getActiveResourcesInfo().join(', ')}.`)
    process.exit(1)
  }, GRACE_MS).unref()
}

let unfinished: string | undefined

/** A test that ends the process, or that nothing can ever continue, must not pass for one that has run. */
function failUnfinished(): void {
  if (unfinished === undefined) return
  console.error(`The process ended before ${unfinished} did.`)
  process.exitCode = 1
}

/** The first worker to make a folder with the name of the file runs it; the folder is returned to that worker only. */
function claimOf(file: string): string | undefined {
  const claims = process.env.LICET_TEST_CLAIMS
  if (claims === undefined) throw new Error('Run tests with "npm test", or add --test-global-setup=test/setup.ts.')
  return mkdirSync(join(claims, file.replaceAll('/', '+')), { recursive: true })
}

/** Within a suite, so that the hooks of the file are those of the suite: what it starts ends with it. */
async function runFile(file: string, path: string, watchdog: Watchdog, cpuMs: number): Promise<void> {
  const stopping = new AbortController()
  watchdog.begin(file, cpuMs, (reason) => {
    console.error(reason)
    stopping.abort(new Error(reason))
  })
  // The promise ends with the last hook, or with one that fails.
  await describe(file, { signal: stopping.signal }, async () => {
    afterEach(() => watchdog.progress())
    await import(path)
  })
  watchdog.end()
}

/** The machine may have become slower meanwhile, because others use it too, so its speed is measured again. */
async function failCostly(file: string, cpuMs: number, slownessBefore: number, limits: Limits): Promise<void> {
  const limitMs = limits.fileCpuMs * Math.max(slownessBefore, slowness())
  if (cpuMs <= limitMs) return
  const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
  await test(`${file} is cheap enough`, () =>
    assert.fail(
      `${file} used ${seconds(cpuMs)} of processor time, and a file may use ${seconds(limitMs)} on this machine: divide it, or make it cheaper.`,
    ))
}
