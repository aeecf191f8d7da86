// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts below are source code.
import type { Node } from 'oxc-parser'
import { analyse } from 'scslre'
import {
  calledName,
  inOneLine,
  parse,
  readSources,
  type Source,
  templateText,
  textOf,
  type Violation,
  walk,
} from './source.ts'

/**
 * A regular expression that backtracks takes seconds for a text that somebody writes on purpose, and nothing else
 * happens in the process meanwhile. This finds those whose time grows faster than the text: regular expressions, the
 * `pattern` of schemas, and constants called `…PATTERN`.
 */
export type Expression = { path: string; line: number; source: string; flags: string }

export type Exception = { path: string; source: string; because: string }

const SEPARATED = 'every round begins with a character that no round contains, so there is one way to divide a text'

/** Expressions that are linear although the check cannot tell. */
const EXCEPTIONS: readonly Exception[] = [
  {
    path: 'src/platform/files/files.ts',
    source: '^[A-Za-z0-9_-][A-Za-z0-9._-]*(?:\\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$',
    because: SEPARATED,
  },
  { path: 'src/catalog/products/schema.ts', source: '^[0-9A-Fa-f -]+(,[0-9A-Fa-f -]+)*$', because: SEPARATED },
  {
    path: 'src/platform/text/accepted-languages.ts',
    source: '^\\s*([a-z]{1,8}(?:-[a-z0-9]{1,8})*)\\s*(?:;\\s*q=([\\d.]+)\\s*)?$',
    because: SEPARATED,
  },
]

/** Calls of `new RegExp` whose text is put together when the program runs. */
const COMPOSED: readonly Exception[] = [
  {
    path: 'src/platform/http/request-log.ts',
    source: '^(?:${})',
    because: 'the parts are the literal segments of our own routes, between slashes',
  },
  {
    path: 'src/program/command-line/company/users.ts',
    source: '^\\\\P{Cc}{0,${}}$',
    because: 'one class with a fixed number of repetitions',
  },
  {
    path: 'src/program/command-line/administration.ts',
    source: '^(?=.{1,${}}$)${}',
    because: 'the lookahead has a fixed number of repetitions, and the rest is EMAIL_PATTERN',
  },
]

const FEWEST = 100

function isPatternName(node: Node): boolean {
  return node.type === 'Identifier' && (node.name === 'pattern' || node.name.endsWith('PATTERN'))
}

/** What a node gives to something that is called `pattern` or `…PATTERN`, or to RegExp. */
function patternIn(node: Node, around: Node | undefined): Node | null | undefined {
  if (node.type === 'NewExpression' || node.type === 'CallExpression')
    return calledName(node)?.name === 'RegExp' ? node.arguments[0] : undefined
  if (node.type === 'Property' || node.type === 'PropertyDefinition')
    return around?.type !== 'ObjectPattern' && isPatternName(node.key) ? node.value : undefined
  if (node.type === 'VariableDeclarator') return isPatternName(node.id) ? node.init : undefined
  if (node.type === 'AssignmentPattern' || node.type === 'AssignmentExpression')
    return isPatternName(node.left) ? node.right : undefined
  return undefined
}

/** The text of a pattern that is written in one piece. */
function wholeText(node: Node): string | undefined {
  if (node.type === 'TSAsExpression' || node.type === 'TSSatisfiesExpression') return wholeText(node.expression)
  if (node.type !== 'TemplateLiteral') return textOf(node)
  return node.expressions.length === 0 ? (node.quasis[0]?.value.cooked ?? undefined) : undefined
}

/** The regular expressions of a file, and those that are put together, which cannot be read. */
export function findExpressions(source: Source): { found: Expression[]; composed: Expression[] } {
  const { path, text } = source
  const { program, lineOf } = parse(source)
  const found: Expression[] = []
  const composed: Expression[] = []
  walk(program, (node, around) => {
    if (node.type === 'Literal' && 'regex' in node)
      found.push({ path, line: lineOf(node), source: node.regex.pattern, flags: node.regex.flags })
    const pattern = patternIn(node, around.at(-1))
    if (!pattern || isPatternName(pattern) || (pattern.type === 'Literal' && 'regex' in pattern)) return
    const whole = wholeText(pattern)
    if (whole !== undefined) found.push({ path, line: lineOf(pattern), source: whole, flags: 'u' })
    else {
      const written =
        pattern.type === 'TemplateLiteral' ? templateText(pattern) : text.slice(pattern.start, pattern.end)
      composed.push({ path, line: lineOf(pattern), source: written, flags: '' })
    }
  })
  return { found, composed }
}

const BACKREFERENCE = /\\[1-9]|\\k</
/** A lookbehind with a repetition inside: it reads back from every position. */
const LONG_LOOKBEHIND = /\(\?<[=!][^()]*(?:[*+]|,\})/
const ESCAPE_OR_CLASS = /\\.|\[(?:[^\]\\]|\\.)*\]/g
/** A repeated group can often divide a text in many ways, which the analysis finds in simple cases only. */
const REPEATED_GROUP = /\)(?:[*+]|\{\d+,\})/

/** Says why an expression may be slow; undefined if its time grows with the text and no faster. */
export function slownessOf({ source, flags }: Pick<Expression, 'source' | 'flags'>): string | undefined {
  if (BACKREFERENCE.test(source)) return 'has a backreference, which cannot be checked'
  if (LONG_LOOKBEHIND.test(source)) return 'has a lookbehind with a repetition'
  if (REPEATED_GROUP.test(source.replace(ESCAPE_OR_CLASS, '.'))) return 'repeats a group'
  const { reports } = analyse({ source, flags })
  return reports.length === 0 ? undefined : 'backtracks: its time grows faster than the text'
}

export function checkRegexes(
  sources: Source[],
  {
    exceptions = EXCEPTIONS,
    composedAllowed = COMPOSED,
    fewest = FEWEST,
  }: { exceptions?: readonly Exception[]; composedAllowed?: readonly Exception[]; fewest?: number } = {},
): string[] {
  const all = sources.map(findExpressions)
  const found = all.flatMap((one) => one.found)
  const composed = all.flatMap((one) => one.composed)
  if (found.length < fewest) return [`saw only ${found.length} regular expressions: it looked in the wrong place`]
  const isListed = (list: readonly Exception[], { path, source }: Expression) =>
    list.some((exception) => exception.path === path && exception.source === source)
  const slow = found.flatMap((expression): Violation[] => {
    const why = slownessOf(expression)
    if (why === undefined || isListed(exceptions, expression)) return []
    return [{ ...expression, message: `/${expression.source}/ ${why}: use plain string functions` }]
  })
  const unreadable = composed
    .filter((expression) => !isListed(composedAllowed, expression))
    .map((expression): Violation => ({ ...expression, message: 'puts a RegExp together: list it with a reason' }))
  const stale = [
    ...exceptions.filter((exception) => !found.some((expression) => isListed([exception], expression))),
    ...composedAllowed.filter((exception) => !composed.some((expression) => isListed([exception], expression))),
  ].map(({ path, source }) => `${path} needs no exception for /${source}/ any more`)
  return [...[...slow, ...unreadable].map(inOneLine), ...stale]
}

/** Tests read texts of their own, and may use any expression. */
export async function checkRegexesOfProject(): Promise<string[]> {
  return checkRegexes(
    (await readSources(['{src,client/src,pdf-text/src}/**/*.ts'])).filter(
      ({ path }) => !/\.(test|gen)\.ts$/.test(path),
    ),
  )
}
