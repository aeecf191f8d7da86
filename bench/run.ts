import { execFileSync } from 'node:child_process'
import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Measured } from './figures.ts'
import { changeOf, formatLine, type Line, lastOf, lineOf, parseHistory, shown } from './history.ts'
import { kindOfMachine, OTHER_CORE, pin, stopPinning } from './machine.ts'
import { type Options, readOptions, type Section } from './options.ts'
import { cleanUp, inScope } from './processes.ts'
import { type Conditions, conditionLines, readConditions } from './report.ts'
import { DEFINITIONS, missingIn } from './sections.ts'
import { fillSmall } from './services.ts'

const RESULTS = join(import.meta.dirname, 'results')
/** What `npm ci` runs at its end. */
const INSTALLATION = join(import.meta.dirname, '../bin/bundle.mjs')
const HISTORY = join(import.meta.dirname, 'history.csv')

type Sections = Map<Section, Measured>

type Done = (section: Section, measured: Measured) => Promise<void>

/** `done` is called after each section: what was measured is not lost because a later section fails. */
async function bench(options: Options, done: Done): Promise<Sections> {
  if (options.smoke) {
    stopPinning()
    await fillSmall(process.env.LICET_BENCH_SHOP)
  } else {
    // As after an installation: the service starts from its bundle only while the sources are those of the bundle.
    execFileSync(process.execPath, [INSTALLATION])
  }
  pin(OTHER_CORE, process.pid)
  const sections: Sections = new Map()
  for (const name of options.sections) {
    if (options.sections.length > 1) console.log(`\n== ${name}`)
    const measured = await inScope(() => DEFINITIONS[name].measure(options))
    sections.set(name, measured)
    if (!options.smoke) console.log(['', ...measured.lines].join('\n'))
    await done(name, measured)
  }
  return sections
}

/** Says what was compared, and fails if a case is missing: a check must prove that it looked. */
function reportSmoke(sections: Sections): void {
  const missing = [...sections].flatMap(([section, measured]) => missingIn(section, measured))
  if (missing.length > 0) throw new Error(missing.join('\n'))
  for (const [section, { figures }] of sections)
    for (const { name, compared } of figures) console.log(`ok ${section}/${name} ${compared}`)
}

async function save(conditions: Conditions, sections: Sections): Promise<string> {
  await mkdir(RESULTS, { recursive: true })
  const file = join(RESULTS, `${conditions.at.replace(/[:.]/g, '-')}.json`)
  const measured = Object.fromEntries(
    [...sections].map(([name, { figures, details }]) => [name, { figures, ...details }]),
  )
  await writeFile(file, `${JSON.stringify({ ...conditions, ...measured }, null, 2)}\n`)
  return file
}

/** The commit that was measured, with a plus if something was changed since. */
function currentCommit(): string {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: import.meta.dirname, encoding: 'utf8' }).trim()
  const isChanged = git('status', '--porcelain', '--', ':/', ':!/bench/history.csv') !== ''
  return `${git('rev-parse', '--short=9', 'HEAD')}${isChanged ? '+' : ''}`
}

type Known = { commit: string; lines: Line[] }

/** Read before anything is measured: a mistake here should not cost half an hour. */
async function readHistory(): Promise<Known> {
  return { commit: currentCommit(), lines: parseHistory(await readFile(HISTORY, 'utf8')) }
}

async function keep({ at }: Conditions, { commit, lines: known }: Known, section: Section, measured: Measured) {
  const where = { date: at.slice(0, 10), commit, machine: kindOfMachine() }
  const lines = measured.figures.map((figure) => lineOf(figure, { ...where, section }))
  for (const line of lines) console.log(shown(changeOf(lastOf(known, line), line)))
  await appendFile(HISTORY, lines.map((line) => `${formatLine(line)}\n`).join(''))
}

let stopping = false
for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const) {
  process.once(signal, () => {
    stopping = true
    console.error('Stopping …')
    void cleanUp().finally(() => process.exit(code))
  })
}

try {
  const options = readOptions(process.argv.slice(2))
  const conditions = readConditions(options)
  const history = options.history ? await readHistory() : undefined
  if (!options.smoke) console.log(conditionLines(conditions).join('\n'))
  const sections = await bench(options, async (section, measured) => {
    if (history !== undefined) await keep(conditions, history, section, measured)
  })
  console.log()
  if (options.smoke) reportSmoke(sections)
  else console.log(`Written to ${await save(conditions, sections)}`)
} catch (error) {
  if (!stopping) console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
} finally {
  await cleanUp()
}
