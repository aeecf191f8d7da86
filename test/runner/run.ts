import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { findTestFiles, ROOT, unknownWords } from './files.ts'
import { thisMachine, workersFor } from './machine.ts'

/**
 * Runs test files: `npm test -- orders payments --test-name-pattern=refund`. Words choose files by their path, and options
 * are those of `node --test`.
 */
const isOption = (arg: string) => arg.startsWith('-')
const args = process.argv.slice(2)
const words = args.filter((arg) => !isOption(arg))
const unknown = await unknownWords(words)
if (unknown.length > 0) {
  console.error(`No test file has ${unknown.map((word) => `"${word}"`).join(' or ')} in its path.`)
  process.exit(1)
}

const files = await findTestFiles(words)
const connectionsMax = await connectionsOf(process.env.LICET_TEST_DATABASE_URL)
const count = Math.min(workersFor({ ...thisMachine(), connectionsMax }), files.length)

// Node gives each file that it is told of a process of its own, and tells two files by their names.
const folder = await mkdtemp(join(tmpdir(), 'licet-workers-'))
const main = new URL('worker-main.ts', import.meta.url).href
const workers = Array.from({ length: count }, (_, index) => join(folder, `worker-${index + 1}.mjs`))
for (const worker of workers) await writeFile(worker, `import ${JSON.stringify(main)}\n`)

const child = spawn(
  process.execPath,
  [
    '--max-semi-space-size=32',
    '--test',
    `--test-concurrency=${count}`,
    '--test-global-setup=test/setup.ts',
    ...args.filter(isOption),
    ...workers,
  ],
  {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...process.env, LICET_TEST_WORKERS: String(count), LICET_TEST_WORDS: JSON.stringify(words) },
  },
)
// A terminal sends its signals to the child as well; others are passed on. The child ends its workers and its server.
process.on('SIGINT', () => {})
for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal))
child.once('close', async (code) => {
  await rm(folder, { recursive: true, force: true })
  process.exit(code ?? 1)
})

/** How many connections the tests may have to a PostgreSQL that is not their own. */
async function connectionsOf(url: string | undefined): Promise<number | undefined> {
  if (url === undefined) return undefined
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query(`select current_setting('max_connections')::int as connections`)
  await client.end()
  return rows[0].connections
}
