import './hashing.ts'
import { mkdirSync, statSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { join } from 'node:path'
import { after, describe } from 'node:test'
import { fileURLToPath } from 'node:url'

/** All test files, those that take longest first, so that no worker is left alone with one of them at the end. */
export const TEST_FILES = [
  'test/**/*.test.ts',
  'fuzz/**/*.test.ts',
  'bench/**/*.test.ts',
  'src/**/*.test.ts',
  'scripts/**/*.test.ts',
]

const ROOT = fileURLToPath(new URL('..', import.meta.url))
/** The slowest file takes a minute and a half on two busy cores. */
const FILE_MS = 240_000
/** How long hooks of a file that ran out of time may take, and what is still open after the last file. */
const GRACE_MS = 20_000

/**
 * Runs test files one after another, until none is left that no worker has begun. Loading the service takes longer than
 * most files do, so a few processes run all of them, and each file still has a service and a database of its own.
 */
export async function work(): Promise<void> {
  const found = await Promise.all(TEST_FILES.map((pattern) => Array.fromAsync(glob(pattern, { cwd: ROOT }))))
  const files = found.flatMap((some) => some.toSorted((one, other) => sizeOf(other) - sizeOf(one)))
  if (files.length === 0) throw new Error('found no test file: it looked in the wrong place')
  process.on('exit', failUnfinished)
  for (const file of files) {
    if (!claim(file)) continue
    unfinished = file
    const watchdog = setTimeout(giveUp, FILE_MS + GRACE_MS, `${file} did not end within ${FILE_MS / 1000} s.`)
    await runFile(file)
    clearTimeout(watchdog)
    unfinished = undefined
  }
  // Runs only if something keeps the process alive, such as a server of a test that failed before it closed it.
  setTimeout(() => {
    giveUp(`All files have run, but the process cannot end: ${process.getActiveResourcesInfo().join(', ')}.`)
  }, GRACE_MS).unref()
}

/** The longer a file, the longer it takes, as a rule. */
function sizeOf(file: string): number {
  return statSync(join(ROOT, file)).size
}

/** Fails the run, which would otherwise wait for ever. */
function giveUp(reason: string): void {
  console.error(reason)
  process.exit(1)
}

let unfinished: string | undefined

/** A test that ends the process, or that nothing can ever continue, must not pass for one that has run. */
function failUnfinished(): void {
  if (unfinished === undefined) return
  console.error(`The process ended before ${unfinished} did.`)
  process.exitCode = 1
}

/** The first worker to make a folder with the name of the file runs it. */
function claim(file: string): boolean {
  const claims = process.env.LICET_TEST_CLAIMS
  if (claims === undefined) throw new Error('Run tests with "npm test", or add --test-global-setup=test/setup.ts.')
  return mkdirSync(join(claims, file.replaceAll('/', '+')), { recursive: true }) !== undefined
}

/** Within a suite, so that the hooks of the file are those of the suite: what it starts ends with it. */
async function runFile(file: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  describe(file, { timeout: FILE_MS }, async () => {
    try {
      await import(join(ROOT, file))
    } finally {
      after(() => resolve())
    }
  })
  await promise
}
