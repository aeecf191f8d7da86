import './hashing.ts'
import { mkdirSync, statSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { join } from 'node:path'
import { after, afterEach, describe } from 'node:test'
import { fileURLToPath } from 'node:url'
import { processTimeMs } from './process-time.ts'
import { recordTimes } from './times.ts'
import { LIMITS, type Limits, startWatchdog, type Watchdog } from './watchdog.ts'

/** All test files, those that take longest first, so that no worker is left alone with one of them at the end. */
export const TEST_FILES = [
  'test/**/*.test.ts',
  'fuzz/**/*.test.ts',
  'bench/**/*.test.ts',
  'src/**/*.test.ts',
  'scripts/**/*.test.ts',
]

const ROOT = fileURLToPath(new URL('..', import.meta.url))
/** How long what is still open after the last file may stay open. */
const GRACE_MS = 20_000

/** What the tests of this module do otherwise. */
export type Options = { root?: string; patterns?: string[]; limits?: Limits }

/**
 * Runs test files one after another, until none is left that no worker has begun. Loading the service takes longer than
 * most files do, so a few processes run all of them, and each file still has a service and a database of its own.
 */
export async function work({ root = ROOT, patterns = TEST_FILES, limits = LIMITS }: Options = {}): Promise<void> {
  const found = await Promise.all(patterns.map((pattern) => Array.fromAsync(glob(pattern, { cwd: root }))))
  /** The longer a file, the longer it takes, as a rule. */
  const sizeOf = (file: string) => statSync(join(root, file)).size
  const files = found.flatMap((some) => some.toSorted((one, other) => sizeOf(other) - sizeOf(one)))
  if (files.length === 0) throw new Error('found no test file: it looked in the wrong place')
  process.on('exit', failUnfinished)
  const watchdog = startWatchdog(limits)
  let cpuMs = processTimeMs()
  for (const file of files) {
    const claim = claimOf(file)
    if (claim === undefined) continue
    unfinished = file
    const begunMs = performance.now()
    await runFile(file, join(root, file), watchdog, cpuMs)
    unfinished = undefined
    const nowCpuMs = processTimeMs()
    recordTimes(claim, { file, wallMs: performance.now() - begunMs, cpuMs: Math.max(nowCpuMs - cpuMs, 0) })
    cpuMs = nowCpuMs
  }
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
  const { promise, resolve } = Promise.withResolvers<void>()
  const stopping = new AbortController()
  watchdog.begin(file, cpuMs, (reason) => {
    console.error(reason)
    stopping.abort(new Error(reason))
  })
  describe(file, { signal: stopping.signal }, async () => {
    afterEach(() => watchdog.progress())
    try {
      await import(path)
    } finally {
      after(() => resolve())
    }
  })
  await promise
  watchdog.end()
}
