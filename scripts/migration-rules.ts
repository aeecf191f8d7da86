import { loadModule, parseSync } from 'libpg-query'
import { contractSince, isConcurrent } from '#platform/db/migrations/names.ts'

/** A node of PostgreSQL's parse tree: its kind is the name of its only property. */
type Tree = Record<string, unknown>

/**
 * What is wrong with a statement: it `breaks` the version before, which still runs; it `blocks` requests on a large table for long;
 * or it is not `known` here.
 */
type Fault = { kind: 'breaks' | 'blocks' | 'known'; text: string }

const breaks = (text: string): Fault => ({ kind: 'breaks', text })
const blocks = (text: string): Fault => ({ kind: 'blocks', text })

/** The fixed forms of comments. */
const NOTHING_USES_IT = /^-- Contract: nothing uses it since (\d+\.\d+\.\d+)\.$/m
const FEW_ROWS = /^-- Few rows: ([a-z0-9_]+), (\S.*)\.$/gm

/** Statements that neither change nor lock what exists. Functions keep their arguments, or PostgreSQL refuses to replace them. */
const HARMLESS = new Set([
  'VariableSetStmt',
  'CreateSeqStmt',
  'CreateEnumStmt',
  'CompositeTypeStmt',
  'CreateDomainStmt',
  'CreateFunctionStmt',
  'ViewStmt',
  'CommentStmt',
  'InsertStmt',
  'SelectStmt',
])

/** What these parts of ALTER TABLE do to an existing table is over at once, and the version before does not notice. */
const HARMLESS_PARTS = new Set([
  'AT_DropNotNull',
  'AT_SetStatistics',
  'AT_SetOptions',
  'AT_SetRelOptions',
  'AT_ResetRelOptions',
  'AT_SetStorage',
])

export type Migration = { name: string; text: string }

/** The last migration of a release by its version; undefined: there is no such release. */
export type Releases = (version: string) => number | undefined

/** Has to be awaited once before `migrationFaults`. */
export const loadParser = loadModule

/**
 * What is wrong with a new migration. The version before has to run on its schema, and requests must not wait for it. `name` has no
 * ending.
 */
export function migrationFaults({ name, text }: Migration, releases: Releases): string[] {
  const statements = parse(text)
  if (typeof statements === 'string') return [`is no SQL that PostgreSQL understands: ${statements}`]
  if (statements.length === 0) return ['has no statement']
  const contract = contractFaults(name, text, releases)
  if (isConcurrent(name)) return [...contract, ...concurrentFaults(statements)]
  const context: Context = { made: new Set(), added: new Set(), fewRows: new Set() }
  for (const [, table = ''] of text.matchAll(FEW_ROWS)) context.fewRows.add(table)
  const faults = statements.flatMap((statement) => statementFaults(statement, context))
  const isContract = contractSince(name) !== undefined
  const left = faults.filter(({ kind }) => !(isContract && kind === 'breaks'))
  return [...contract, ...lockFaults(statements), ...left.map(({ text: fault }) => fault)]
}

function parse(text: string): Tree[] | string {
  try {
    const { stmts = [] } = parseSync(text) as { stmts?: { stmt: Tree }[] }
    return stmts.map(({ stmt }) => stmt)
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** The name says from which migration on programs can run, and the comment in which release that was. */
function contractFaults(name: string, text: string, releases: Releases): string[] {
  const since = contractSince(name)
  const version = NOTHING_USES_IT.exec(text)?.[1]
  if (since === undefined)
    return version === undefined ? [] : ['is a contract, so its name has to be like 0170_contract_0152_old_titles.sql']
  if (version === undefined) return ['is a contract, so it needs the line "-- Contract: nothing uses it since 0.3.0."']
  const last = releases(version)
  if (last === undefined) return [`names the release ${version}, which there is not`]
  return last === since ? [] : [`has ${since} in its name, but the last migration of ${version} is ${last}`]
}

/** A statement that waits for a lock lets all others wait that come after it. */
function lockFaults(statements: readonly Tree[]): string[] {
  const first = nodeOf(statements[0] ?? {}).node
  const isSet = first.name === 'lock_timeout' && first.is_local === true
  return isSet ? [] : ["has to begin with set local lock_timeout = '10s'"]
}

type Context = {
  /** The tables that the migration itself has made. */
  made: Set<string>
  /** The columns that it has added to others. */
  added: Set<string>
  /** The tables that have few rows, as a comment says. */
  fewRows: Set<string>
}

function statementFaults(statement: Tree, context: Context): Fault[] {
  const { kind, node } = nodeOf(statement)
  const table = nameOf(node.relation)
  const isOwn = context.made.has(table)
  switch (kind) {
    case 'CreateStmt':
      context.made.add(table)
      return []
    case 'CreateTableAsStmt':
      context.made.add(nameOf((node.into as Tree).rel))
      return []
    case 'AlterTableStmt':
      return isOwn ? [] : (node.cmds as Tree[]).flatMap((part) => partFaults(table, nodeOf(part).node, context))
    case 'IndexStmt':
      return isOwn || context.fewRows.has(table)
        ? []
        : [blocks(`${table}: an index locks the table while it is made; ${IN_A_FILE}`)]
    case 'CreateTrigStmt':
      return isOwn ? [] : [breaks(`${table}: a trigger changes what the version before does`)]
    case 'UpdateStmt':
    case 'DeleteStmt':
      return isOwn || context.fewRows.has(table)
        ? []
        : [
            blocks(
              `${table}: rows that exist are changed by the worker, in batches, or say "-- Few rows: ${table}, …."`,
            ),
          ]
    case 'DropStmt':
      return [breaks(`takes away ${dropped(node)}`)]
    case 'RenameStmt':
      return isOwn ? [] : [breaks(`renames ${nameOf(node.relation) || 'something'} or a part of it`)]
    default:
      return HARMLESS.has(kind)
        ? []
        : [{ kind: 'known', text: `has a ${kind}, of which the check does not know what it does` }]
  }
}

const IN_A_FILE = 'put it into a migration named like 0160_concurrently_orders_by_day.sql'

function partFaults(table: string, part: Tree, context: Context): Fault[] {
  const at = `${table}.${String(part.name ?? '')}`
  switch (part.subtype) {
    case 'AT_AddColumn':
      return columnFaults(table, nodeOf(part.def as Tree).node, context)
    case 'AT_AddConstraint':
      return constraintFaults(table, nodeOf(part.def as Tree).node, context)
    case 'AT_DropColumn':
      return [breaks(`takes away ${at}`)]
    case 'AT_DropConstraint':
      return [breaks(`takes away the constraint ${at}, by which the version before may know an error`)]
    case 'AT_AlterColumnType':
      return [breaks(`changes the type of ${at}`), blocks(`${table}: another type may rewrite the table`)]
    case 'AT_SetNotNull':
      return [breaks(`${at} must not be null any more`), blocks(`${table}: the whole table is read under a lock`)]
    case 'AT_ColumnDefault':
      return part.def === undefined ? [breaks(`takes away the default of ${at}`)] : []
    case 'AT_ValidateConstraint':
      return [blocks(`${table}: a constraint is validated ${IN_A_FILE.replace('put it into', 'in')}`)]
    default:
      return HARMLESS_PARTS.has(String(part.subtype))
        ? []
        : [
            {
              kind: 'known',
              text: `${table}: ${String(part.subtype)} is nothing of which the check knows what it does`,
            },
          ]
  }
}

function columnFaults(table: string, column: Tree, context: Context): Fault[] {
  const at = `${table}.${String(column.colname)}`
  context.added.add(String(column.colname))
  const rules = ((column.constraints as Tree[] | undefined) ?? []).map((rule) => nodeOf(rule).node)
  const ruleOf = (type: string) => rules.find(({ contype }) => contype === type)
  const faults: Fault[] = []
  const preset = ruleOf('CONSTR_DEFAULT')
  if (ruleOf('CONSTR_NOTNULL') !== undefined && preset === undefined)
    faults.push(breaks(`${at} must not be null and has no default, so the version before cannot add rows`))
  if (preset !== undefined && !isConstant(preset.raw_expr as Tree))
    faults.push(blocks(`${at} has a default that is worked out for every row, which rewrites the table`))
  for (const type of ['CONSTR_GENERATED', 'CONSTR_IDENTITY'])
    if (ruleOf(type) !== undefined) faults.push(blocks(`${at} is generated, which rewrites the table`))
  for (const rule of rules.filter(({ contype }) => isChecking(contype)))
    faults.push(...constraintFaults(table, rule, context))
  return faults
}

const isChecking = (type: unknown) =>
  ['CONSTR_CHECK', 'CONSTR_FOREIGN', 'CONSTR_UNIQUE', 'CONSTR_PRIMARY', 'CONSTR_EXCLUSION'].includes(String(type))

function constraintFaults(table: string, rule: Tree, { added, fewRows }: Context): Fault[] {
  if (rule.contype === 'CONSTR_CHECK' || rule.contype === 'CONSTR_FOREIGN') {
    const columns = columnsOf(rule)
    const isAboutOld = columns.length > 0 && !columns.some((column) => added.has(column))
    return [
      ...(isAboutOld
        ? [breaks(`${table}: a new rule about ${columns.join(', ')} may refuse what the version before writes`)]
        : []),
      ...(rule.skip_validation === true || fewRows.has(table)
        ? []
        : [
            blocks(
              `${table}: the whole table is read under a lock; add the constraint as "not valid", and validate it later`,
            ),
          ]),
    ]
  }
  if (rule.indexname !== undefined) return []
  return [
    blocks(`${table}: a unique constraint locks the table while its index is made; ${IN_A_FILE}, and use that index`),
  ]
}

/** In a migration outside of a transaction, every statement can be run again if the one after it fails. */
function concurrentFaults(statements: readonly Tree[]): string[] {
  const faults: string[] = []
  let dropped: string | undefined
  for (const statement of statements) {
    const { kind, node } = nodeOf(statement)
    const index = String(node.idxname ?? '')
    if (kind === 'IndexStmt') {
      if (node.concurrent !== true) faults.push(`${index} has to be created concurrently`)
      if (dropped !== index)
        faults.push(
          `${index} needs "drop index concurrently if exists ${index};" before it: what was interrupted leaves a broken one`,
        )
      dropped = undefined
    } else if (kind === 'DropStmt' && node.concurrent === true && node.missing_ok === true) dropped = indexOf(node)
    else if (!isValidation(kind, node))
      faults.push(`has a ${kind}, which belongs into a migration of its own, in a transaction`)
  }
  if (dropped !== undefined) faults.push(`takes away the index ${dropped} and does not create it again`)
  return faults
}

function isValidation(kind: string, node: Tree): boolean {
  const parts = kind === 'AlterTableStmt' ? (node.cmds as Tree[]).map((part) => nodeOf(part).node.subtype) : []
  return parts.length > 0 && parts.every((part) => part === 'AT_ValidateConstraint')
}

function nodeOf(tree: Tree): { kind: string; node: Tree } {
  const [[kind, node] = ['', {}]] = Object.entries(tree)
  return { kind, node: node as Tree }
}

function nameOf(relation: unknown): string {
  return String((relation as { relname?: string } | undefined)?.relname ?? '')
}

const indexOf = (node: Tree) => textsIn(node.objects).at(-1) ?? ''
const dropped = (node: Tree) =>
  `the ${String(node.removeType).replace('OBJECT_', '').toLowerCase()} ${textsIn(node.objects)[0] ?? ''}`.trim()

/** All texts below a node, such as the parts of a name. */
function textsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, part]) =>
    key === 'sval' && typeof part === 'string' ? [part] : textsIn(part),
  )
}

/** The columns that a constraint is about, as far as it names them. */
function columnsOf(rule: Tree): string[] {
  if (rule.fk_attrs !== undefined) return textsIn(rule.fk_attrs)
  const found: string[] = []
  const look = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    for (const [key, part] of Object.entries(value)) {
      if (key === 'ColumnRef') found.push(textsIn(part).at(-1) ?? '')
      else look(part)
    }
  }
  look(rule.raw_expr)
  return [...new Set(found)]
}

/** Is the value the same for all rows? Then PostgreSQL stores it once, beside the table. */
function isConstant(expression: Tree): boolean {
  const { kind, node } = nodeOf(expression)
  if (kind === 'A_Const' || kind === 'SQLValueFunction') return true
  if (kind === 'TypeCast') return isConstant(node.arg as Tree)
  if (kind === 'A_ArrayExpr') return ((node.elements as Tree[] | undefined) ?? []).every(isConstant)
  return kind === 'FuncCall' && textsIn(node.funcname).at(-1) === 'now'
}
