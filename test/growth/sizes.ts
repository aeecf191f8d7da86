/** A table, or an index of one. */
export type Relation = {
  name: string
  /** Its file, in the folder of the server. */
  path: string
  /** Of which table it is an index; null for a table. */
  table: string | null
  /** How it is indexed, such as `btree`; null for a table. */
  method: string | null
  predicate: string | null
  /** The first column of an index; null if it begins with an expression. */
  leading: string | null
  /** Has its table one row for each company? */
  onePerCompany: boolean
}

export type Column = {
  table: string
  name: string
  type: string
  isRequired: boolean
  isUnique: boolean
  /** The conditions of the partial indexes of its table. */
  predicates: string[]
}

export type Size = { rows: number; pages: number }

const COMPANIES = 1000
const ROWS = 50_000_000
/** Rows of a page: about 270 bytes each, and 40 in an index. */
const ROWS_PER_PAGE = 30
const ENTRIES_PER_PAGE = 200
/** An index by blocks has an entry for so many pages of its table. */
const PAGES_PER_ENTRY = 128

/** A table with more rows than this may not be read from one end to the other while somebody waits. */
export const FEW_ROWS = 10_000

/** Tables of the installation, which do not grow with its companies. */
const OF_THE_INSTALLATION: Readonly<Record<string, number>> = {
  companies: COMPANIES,
  company_deletions: COMPANIES,
  test_clocks: COMPANIES,
  installation: 1,
  currency_rates: 200,
  currency_rate_refresh: 1,
  backup_runs: 100,
  scheduled_backups: 400,
  signing_keys: 10,
  status_days: 1000,
  // Those who are blocked at the moment, and what is under way.
  webhook_blocks: COMPANIES,
  content_uploads: COMPANIES,
  // A list of the operator outside of the database is written from all of it.
  erasures: 10_000,
  kysely_migration: 200,
  kysely_migration_lock: 1,
}

/** Every other table is as large as the largest, because nobody knows which of them grows most on somebody's platform. */
function rowsOf({ name, table, onePerCompany }: Relation): number {
  return OF_THE_INSTALLATION[table ?? name] ?? (onePerCompany ? COMPANIES : ROWS)
}

/** The part of the rows that a partial index has: of all companies it is for a queue, within one for a list. */
function partOf({ predicate, leading }: Relation): number {
  if (predicate === null) return 1
  return leading === 'company_id' ? 0.1 : QUEUED
}

const QUEUED = 0.0001

export function sizeOf(relation: Relation): Size {
  const rows = rowsOf(relation)
  const pages = Math.ceil(rows / ROWS_PER_PAGE)
  if (relation.table === null) return { rows, pages }
  const entries = relation.method === 'brin' ? Math.ceil(pages / PAGES_PER_ENTRY) : Math.ceil(rows * partOf(relation))
  return { rows: Math.ceil(rows * partOf(relation)), pages: Math.max(Math.ceil(entries / ENTRIES_PER_PAGE), 2) }
}

const KINDS =
  /(?:^|_)(?:kind|status|state|type|topic|language|currency|country_code|country|gateway|role|mode|action|resource|source_name)$/

/** How many different values a column has: a number, or a negative part of the rows. */
export function distinctOf({ name, type, isUnique }: Column, rows: number): number {
  if (name === 'company_id') return Math.min(COMPANIES, rows)
  if (isUnique) return -1
  if (type === 'bool') return 2
  if (KINDS.test(name)) return 20
  if (type === 'date') return 3650
  if (type === 'timestamptz') return -0.5
  if (['int8', 'text', 'bytea', 'uuid'].includes(type)) return -0.1
  return 100
}

/** The part of a boolean column that is true, where an index has only the few that are so, or that are not. */
export function trueIn({ name, type, predicates }: Column): number | undefined {
  if (type !== 'bool') return undefined
  const parts = predicates.flatMap((predicate) => predicate.replace(/^\(|\)$/g, '').split(' AND '))
  if (parts.some((part) => part === name || part === `(${name})`)) return QUEUED
  return parts.some((part) => part.includes(`NOT ${name}`)) ? 1 - QUEUED : undefined
}

/** How many values of a column are null. What is in a queue until it is done is seldom so. */
export function nullsOf({ name, isRequired, predicates }: Column): number {
  if (isRequired) return 0
  // A job that has failed is the exception; one that waits is not.
  if (name === 'failed_at') return 1 - QUEUED
  const says = (what: string) =>
    predicates.some((predicate) => predicate.includes(`(${name} ${what})`) || predicate === `${name} ${what}`)
  if (says('IS NULL')) return QUEUED
  if (says('IS NOT NULL')) return 1 - QUEUED
  return 0.5
}
