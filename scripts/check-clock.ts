import type { Node } from 'oxc-parser'
import { calledName, inOneLine, parse, readSources, type Source, templateText, type Violation, walk } from './source.ts'

/** What knows no company, and what the operator does by hand. */
const OF_THE_MACHINE = /^src\/(platform|program\/(boot|command-line))\//

/** The time in a statement is that of the database. Leases may go by it, and what adds to it what a sandbox is ahead. */
const TIME_IN_SQL = /\b(now\s*\(\s*\)|current_timestamp|current_date|localtimestamp|clock_timestamp\s*\(\s*\))/i
const IS_MEANT = /\b(leased_until|test_clocks)\b/

const MESSAGE =
  'is the time of the machine: a company has its own, from now(companyId) or clock.of(companyId); clock.now() is for what is no company’s business'

function timeIn(node: Node): string | undefined {
  if (node.type === 'NewExpression' && node.callee.type === 'Identifier' && node.callee.name === 'Date')
    return node.arguments.length === 0 ? 'new Date()' : undefined
  if (node.type === 'CallExpression' && node.callee.type === 'MemberExpression') {
    const { object } = node.callee
    return object.type === 'Identifier' && object.name === 'Date' && calledName(node)?.name === 'now'
      ? 'Date.now()'
      : undefined
  }
  if (node.type !== 'TaggedTemplateExpression') return undefined
  const text = templateText(node.quasi)
  return TIME_IN_SQL.test(text) && !IS_MEANT.test(text) ? 'a time in SQL' : undefined
}

/** Finds the time of the machine where that of a company is meant. Fails when it saw no source at all. */
export function checkClock(sources: readonly Source[]): Violation[] {
  const concerned = sources.filter(({ path }) => !OF_THE_MACHINE.test(path) && !/\.test\.ts$/.test(path))
  if (concerned.length === 0) throw new Error('the check of the clock saw no source')
  return concerned.flatMap((source) => {
    const { program, lineOf } = parse(source)
    const found: Violation[] = []
    walk(program, (node) => {
      const time = timeIn(node)
      if (time !== undefined) found.push({ path: source.path, line: lineOf(node), message: `${time} ${MESSAGE}` })
    })
    return found
  })
}

/** Migrations up to this one may name the time of the machine: what they define was replaced, or goes by it on purpose. */
const BASELINE = 145

const FUNCTION = /create\s+(?:or\s+replace\s+)?function\s[\s\S]*?\bas\s+(\$\w*\$)([\s\S]*?)\1/gi

/** Finds functions of the database that decide by the time of the machine, and do not look at how far a sandbox is ahead. */
export function checkFunctions(migrations: readonly Source[]): Violation[] {
  if (migrations.length === 0) throw new Error('the check of the clock saw no migration')
  return migrations
    .filter(({ path }) => Number(/(\d+)_[^/]*$/.exec(path)?.[1] ?? Number.NaN) > BASELINE)
    .flatMap(({ path, text }) =>
      [...text.matchAll(FUNCTION)].flatMap(({ 2: body = '', index }) => {
        const code = body.replaceAll(/--.*$/gm, '')
        if (!TIME_IN_SQL.test(code) || IS_MEANT.test(code)) return []
        return [{ path, line: text.slice(0, index).split('\n').length, message: `a time in a function ${MESSAGE}` }]
      }),
    )
}

export async function checkClockOfProject(): Promise<string[]> {
  const [sources, migrations] = await Promise.all([readSources(['src/**/*.ts']), readSources(['migrations/*.sql'])])
  return [...checkClock(sources), ...checkFunctions(migrations)].map(inOneLine)
}
