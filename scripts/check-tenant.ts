import { readFile } from 'node:fs/promises'
import type { CallExpression, Node } from 'oxc-parser'
import {
  calledName,
  inOneLine,
  parse,
  ROOT,
  readSources,
  type Source,
  templateText,
  textOf,
  type Violation,
  walk,
} from './source.ts'
import { EXCEPTIONS, type Exception } from './tenant-exceptions.ts'

/** The tables with a column company_id, from the types that are generated from the schema. */
export function tenantTables(types: string): Set<string> {
  const withCompany = [...types.matchAll(/^export interface (\w+) \{\n([\s\S]*?)^\}/gm)]
    .filter(([, name, body]) => name !== 'DB' && /^ {2}company_id:/m.test(body ?? ''))
    .map(([, name]) => name)
  const database = /^export interface DB \{\n([\s\S]*?)^\}/m.exec(types)?.[1] ?? ''
  return new Set(
    [...database.matchAll(/^ {2}(\w+): (\w+);$/gm)]
      .filter(([, , type]) => withCompany.includes(type))
      .map(([, table]) => table ?? ''),
  )
}

/** A mention of a table that has to be restricted to a company. */
export type Mention = { path: string; line: number; inside: string; verb: string; table: string; scoped: boolean }

const COMPUTED = '(computed)'
const QUERIES =
  /^(selectFrom|updateTable|deleteFrom|deleteBatch|mergeInto|replaceInto|(inner|left|right|full|cross)Join(Lateral)?)$/

/** The name that the outermost statement around a node declares. */
function declaredBy(statement: Node | undefined): string {
  if (statement?.type === 'ExportNamedDeclaration' || statement?.type === 'ExportDefaultDeclaration')
    return declaredBy(statement.declaration ?? undefined)
  if (statement?.type === 'FunctionDeclaration' || statement?.type === 'ClassDeclaration')
    return statement.id?.name ?? ''
  const id = statement?.type === 'VariableDeclaration' ? statement.declarations[0]?.id : undefined
  return id?.type === 'Identifier' ? id.name : ''
}

/** Are these the arguments of `where('company_id', '=', …)` or `onRef('a.company_id', '=', …)`? */
function compareCompany([column, operator]: readonly Node[]): boolean {
  return /(^|\.)company_id$/.test(textOf(column) ?? '') && /^(=|in)$/.test(textOf(operator) ?? '')
}

/** Does a condition of a join compare the company? What was joined before is not a part of it. */
function joinsByCompany(join: CallExpression): boolean {
  let found = false
  for (const argument of join.arguments)
    walk(argument, (node) => {
      if (node.type === 'CallExpression' && compareCompany(node.arguments)) found = true
    })
  return found
}

/** The tables that an argument names, without their aliases. */
function tablesNamed(argument: Node | null | undefined): string[] {
  if (argument?.type === 'ArrayExpression') return argument.elements.flatMap(tablesNamed)
  return [textOf(argument)?.split(' ')[0] ?? COMPUTED]
}

type FoundTable = Pick<Mention, 'verb' | 'table' | 'scoped'> & { start: number }

function mentionsInBuilder(node: Node, around: readonly Node[]): FoundTable[] {
  const called = node.type === 'CallExpression' ? calledName(node) : undefined
  if (node.type !== 'CallExpression' || called === undefined || !QUERIES.test(called.name)) return []
  const { name: verb, start } = called
  const scoped = verb.includes('Join') ? joinsByCompany(node) : hasOwnCondition(node, around)
  // The first argument of deleteBatch is the transaction.
  const argument = node.arguments[verb === 'deleteBatch' ? 1 : 0]
  return tablesNamed(argument).map((table) => ({ verb, table, scoped, start }))
}

/**
 * Does the chain of calls after a query's start say `.where('company_id', '=', …)` itself? A condition in a sub-query
 * is not enough.
 */
function hasOwnCondition(query: Node, around: readonly Node[]): boolean {
  let inner = query
  for (const outer of around.toReversed()) {
    if (outer.type === 'CallExpression' && outer.callee === inner) {
      if (/^where(Ref)?$/.test(calledName(outer)?.name ?? '') && compareCompany(outer.arguments)) return true
    } else if (outer.type !== 'MemberExpression' || outer.object !== inner) return false
    inner = outer
  }
  return false
}

const TABLE_IN_SQL = /\b(from|join|update|into|using)\s+(?:only\s+)?(?:"?(\w+)"?|(\$\{\}))/gi
const COMPANY_IN_SQL = /company_id"?\s*(=|in\b)|=\s*(\w+\.)?company_id\b|insert\s+into\s+\w+\s*\([^)]*\bcompany_id\b/i
const LOOKS_LIKE_SQL = /^\s*(select|insert|update|delete|merge|with)\b/i

/** The tags of templates that are SQL. */
const TAGS: ReadonlySet<string> = new Set(['sql', 'condition'])

/** The SQL that a node is: sql`…`, or a text that begins like a statement. */
function sqlOf(node: Node, around: Node | undefined): string | undefined {
  if (node.type !== 'TemplateLiteral') {
    const text = textOf(node)
    return text !== undefined && LOOKS_LIKE_SQL.test(text) ? text : undefined
  }
  const tag = around?.type === 'TaggedTemplateExpression' && around.quasi === node ? around.tag : undefined
  const text = templateText(node)
  return (tag?.type === 'Identifier' && TAGS.has(tag.name)) || LOOKS_LIKE_SQL.test(text) ? text : undefined
}

function mentionsInSql(node: Node, around: Node | undefined): FoundTable[] {
  const text = sqlOf(node, around)
  if (text === undefined) return []
  // `on conflict … do update set`, `for update` and `for no key update` change no other table than the one named
  // before.
  const plain = text.replace(/\b(do|for|for no key)\s+update\b/gi, '')
  return [...plain.matchAll(TABLE_IN_SQL)].map(([, verb = '', table]) => ({
    verb: verb.toLowerCase(),
    table: table ?? COMPUTED,
    scoped: COMPANY_IN_SQL.test(plain),
    start: node.start,
  }))
}

/** Every mention of a table of companies in one file. */
export function mentionsIn(source: Source, tables: Set<string>): Mention[] {
  const { program, lineOf } = parse(source)
  const mentions: Mention[] = []
  walk(program, (node, around) => {
    const inside = declaredBy(around[1])
    for (const { start, ...mention } of [...mentionsInBuilder(node, around), ...mentionsInSql(node, around.at(-1))])
      if (mention.table === COMPUTED || tables.has(mention.table))
        mentions.push({ path: source.path, line: lineOf({ start }), inside, ...mention })
  })
  return mentions
}

function isExcepted(mention: Mention, exceptions: readonly Exception[]): boolean {
  return exceptions.some(
    ({ path, inside, table }) => path === mention.path && inside === mention.inside && table === mention.table,
  )
}

/** Where reads of a table start: the function such as `productsOf(db, companyId)` that has the company in it. */
function findStarts(mentions: Mention[]): Map<string, Mention> {
  const starts = mentions.filter(({ verb, inside, scoped }) => verb === 'selectFrom' && /\wOf$/.test(inside) && scoped)
  return new Map(starts.map((mention) => [mention.table, mention]))
}

function judge(mention: Mention, starts: Map<string, Mention>): string | undefined {
  if (!mention.scoped) return `${mention.verb} ${mention.table} has no company_id`
  const start = starts.get(mention.table)
  const elsewhere = start !== undefined && (start.path !== mention.path || start.inside !== mention.inside)
  return mention.verb === 'selectFrom' && elsewhere
    ? `selectFrom('${mention.table}') belongs in ${start.inside} (${start.path}) alone: start from it`
    : undefined
}

/** All complaints, one per line. */
export function checkTenant(sources: Source[], types: string, exceptions: readonly Exception[] = EXCEPTIONS): string[] {
  const tables = tenantTables(types)
  const mentions = sources.flatMap((source) => mentionsIn(source, tables))
  if (tables.size === 0 || mentions.length === 0) return ['saw no statement: it looked in the wrong place']
  const starts = findStarts(mentions)
  const wrong = mentions.flatMap((mention): Violation[] => {
    const message = isExcepted(mention, exceptions) ? undefined : judge(mention, starts)
    return message === undefined ? [] : [{ path: mention.path, line: mention.line, message }]
  })
  const stale = exceptions.filter(
    (exception) =>
      !mentions.some((mention) => isExcepted(mention, [exception]) && judge(mention, starts) !== undefined),
  )
  return [
    ...wrong.map(inOneLine),
    ...stale.map(({ path, inside, table }) => `${path} ${inside} needs no exception for ${table} any more`),
  ]
}

export async function checkTenantOfProject(): Promise<string[]> {
  const sources = (await readSources(['src/**/*.ts'])).filter(({ path }) => !/\.(test|gen)\.ts$/.test(path))
  return checkTenant(sources, await readFile(`${ROOT}src/platform/db/types.gen.ts`, 'utf8'))
}
