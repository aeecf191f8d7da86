import { readFile } from 'node:fs/promises'
import { closingAt, inOneLine, ROOT, readSources, type Source, scan, type Token, type Violation } from './source.ts'
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

/** The name of what is declared at the left margin above each line: the formatter puts nothing else there. */
function declarations(text: string): (line: number) => string {
  let name = ''
  const names = text.split('\n').map((line) => {
    name = /^(?:export )?(?:default )?(?:async )?(?:function\*?|const|let|class) (\w+)/.exec(line)?.[1] ?? name
    return name
  })
  return (line) => names[line - 1] ?? ''
}

function isCompanyColumn(token: Token | undefined): boolean {
  return token?.kind === 'text' && /(^|\.)company_id$/.test(token.text)
}

/** Does `.where('company_id', '=', …)` or `.onRef('a.company_id', '=', …)` stand among these tokens? */
function comparesCompany(tokens: Token[]): boolean {
  return tokens.some(
    (token, at) =>
      isCompanyColumn(token) && tokens[at + 1]?.text === ',' && /^(=|in)$/.test(tokens[at + 2]?.text ?? ''),
  )
}

/** What stands at the outermost level of a call's arguments, up to the first comma: the table. */
function tablesNamed(tokens: Token[], open: number, close: number): string[] {
  const first = tokens[open + 1]
  if (first?.kind === 'text') return [first.text.split(' ')[0] ?? '']
  if (first?.text === '[')
    return tokens
      .slice(open + 2, close)
      .filter(({ kind }) => kind === 'text')
      .map(({ text }) => text.split(' ')[0] ?? '')
  return [COMPUTED]
}

function mentionsInBuilder(tokens: Token[], at: number): { verb: string; table: string; scoped: boolean }[] {
  const token = tokens[at]
  if (token?.kind !== 'word' || !QUERIES.test(token.text) || tokens[at + 1]?.text !== '(') return []
  const verb = token.text
  const close = closingAt(tokens, at + 1)
  const scoped = verb.includes('Join') ? comparesCompany(tokens.slice(at, close)) : hasOwnCondition(tokens, close)
  // The first argument of deleteBatch is the transaction.
  const before = verb === 'deleteBatch' ? at + 3 : at + 1
  return tablesNamed(tokens, before, close).map((table) => ({ verb, table, scoped }))
}

/**
 * Does the chain of calls after a query's start say `.where('company_id', '=', …)` itself? A condition in a sub-query
 * is not enough.
 */
function hasOwnCondition(tokens: Token[], start: number): boolean {
  let at = start
  while (tokens[at + 1]?.text === '.' && tokens[at + 2]?.kind === 'word') {
    const open = tokens.findIndex(({ text }, index) => index > at + 2 && text === '(')
    const isWhere = /^where(Ref)?$/.test(tokens[at + 2]?.text ?? '')
    if (isWhere && comparesCompany(tokens.slice(open + 1, open + 4))) return true
    at = closingAt(tokens, open)
  }
  return false
}

const TABLE_IN_SQL = /\b(from|join|update|into|using)\s+(?:only\s+)?(?:"?(\w+)"?|(\$\{\}))/gi
const COMPANY_IN_SQL = /company_id"?\s*(=|in\b)|=\s*(\w+\.)?company_id\b|insert\s+into\s+\w+\s*\([^)]*\bcompany_id\b/i
const LOOKS_LIKE_SQL = /^\s*(select|insert|update|delete|merge|with)\b/i

function mentionsInSql(tokens: Token[], at: number): { verb: string; table: string; scoped: boolean }[] {
  const token = tokens[at]
  if (token === undefined) return []
  const { kind, text } = token
  if (kind !== 'template' && !(kind === 'text' && LOOKS_LIKE_SQL.test(text))) return []
  if (kind === 'template' && !isTagged(tokens, at) && !LOOKS_LIKE_SQL.test(text)) return []
  // `on conflict … do update set`, `for update` and `for no key update` change no other table than the one named
  // before.
  const plain = text.replace(/\b(do|for|for no key)\s+update\b/gi, '')
  return [...plain.matchAll(TABLE_IN_SQL)].map(([, verb = '', table]) => ({
    verb: verb.toLowerCase(),
    table: table ?? COMPUTED,
    scoped: COMPANY_IN_SQL.test(plain),
  }))
}

/** Is the template sql`…` or sql<Row>`…`? */
function isTagged(tokens: Token[], at: number): boolean {
  if (tokens[at - 1]?.text !== '>') return tokens[at - 1]?.text === 'sql'
  for (let back = at - 1; back >= 0 && at - back < 200; back -= 1) {
    if (tokens[back]?.text === 'sql' && tokens[back + 1]?.text === '<') return true
  }
  return false
}

/** Every mention of a table of companies in one file. */
export function mentionsIn({ path, text }: Source, tables: Set<string>): Mention[] {
  const tokens = scan(text)
  const insideOf = declarations(text)
  return tokens.flatMap(({ line }, at) =>
    [...mentionsInBuilder(tokens, at), ...mentionsInSql(tokens, at)]
      .filter(({ table }) => table === COMPUTED || tables.has(table))
      .map((mention) => ({ path, line, inside: insideOf(line), ...mention })),
  )
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
