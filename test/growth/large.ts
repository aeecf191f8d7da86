import { chownSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { createDatabase } from '../server.ts'
import { type Column, distinctOf, nullsOf, type Relation, type Size, sizeOf, trueIn } from './sizes.ts'

/** The pages of PostgreSQL, of which one file of a table has less than this. */
const PAGE_BYTES = 8192
const SEGMENT_BYTES = 1024 ** 3
const STATISTICS_VERSION = 180_000

/** A database with the tables of the service and nothing in them that the planner believes to be those of a large platform. */
export type Large = {
  client: pg.Client
  /** How many rows each table has, as the planner sees it. */
  rows: ReadonlyMap<string, number>
  /** Indexes of some rows of their table: reading all of one is what they are for. */
  partial: ReadonlySet<string>
  drop(): Promise<void>
}

/**
 * Makes it, in a second or two. The planner takes the size of a table from its files, and the number of rows in a page and the
 * values from its statistics. So the files get holes that take no space on the disk, and the statistics are written. Nothing may
 * be read from these tables. Undefined if the server is older than PostgreSQL 18 or on another machine.
 */
export async function openLarge(): Promise<Large | undefined> {
  const database = await createDatabase()
  const client = new pg.Client(database.connection)
  await client.connect()
  const drop = async () => {
    await client.end()
    await database.drop()
  }
  if (!(await canMakeLarge(client))) {
    await drop()
    return undefined
  }
  await client.query('set jit = off; set statement_timeout = 0')
  const relations = await readRelations(client)
  const sizes = new Map(relations.map((relation) => [relation.name, sizeOf(relation)]))
  await makeFilesLarge(client, relations, sizes)
  await writeStatistics(client, relations, sizes)
  const tables = relations.filter(({ table }) => table === null)
  return {
    client,
    rows: new Map(tables.map(({ name }) => [name, sizes.get(name)?.rows ?? 0])),
    partial: new Set(relations.flatMap(({ name, predicate }) => (predicate === null ? [] : [name]))),
    drop,
  }
}

/** Only this version can write statistics, and only files on this machine can get holes. */
async function canMakeLarge(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ version: number; folder: string }>(
    `select current_setting('server_version_num')::int as version, current_setting('data_directory') as folder`,
  )
  if ((rows[0]?.version ?? 0) < STATISTICS_VERSION) return false
  const file = await open(join(rows[0]?.folder ?? '', 'PG_VERSION'), 'r+').catch(() => undefined)
  await file?.close()
  return file !== undefined
}

async function readRelations(client: pg.Client): Promise<Relation[]> {
  const { rows } = await client.query<Relation>(`
    select relation.relname as name, pg_relation_filepath(relation.oid) as path, owner.relname as table,
      (select amname from pg_am where pg_am.oid = relation.relam and relation.relkind = 'i') as method,
      pg_get_expr(index.indpred, index.indrelid) as predicate,
      (select attname from pg_attribute where attrelid = index.indrelid and attnum = index.indkey[0]) as leading,
      exists (select from pg_index as key join pg_attribute as part on part.attrelid = key.indrelid and part.attnum = key.indkey[0]
        where key.indrelid = coalesce(index.indrelid, relation.oid) and key.indisunique and key.indnkeyatts = 1 and key.indpred is null
          and part.attname = 'company_id') as "onePerCompany"
    from pg_class as relation
    left join pg_index as index on index.indexrelid = relation.oid
    left join pg_class as owner on owner.oid = index.indrelid
    where relation.relnamespace = current_schema()::regnamespace and relation.relkind in ('r', 'i')`)
  if (rows.length < 200) throw new Error(`the schema has ${rows.length} tables and indexes only: nothing was looked at`)
  return rows
}

async function makeFilesLarge(client: pg.Client, relations: readonly Relation[], sizes: ReadonlyMap<string, Size>) {
  const { rows } = await client.query<{ folder: string }>(`select current_setting('data_directory') as folder`)
  const folder = rows[0]?.folder ?? ''
  for (const { name, path } of relations) makeLarge(join(folder, path), (sizes.get(name)?.pages ?? 0) * PAGE_BYTES)
}

/** A table is in several files, each with a gigabyte. They belong to the account of the server. */
function makeLarge(file: string, bytes: number): void {
  const { uid, gid, size } = statSync(file)
  for (let segment = 0; segment * SEGMENT_BYTES < bytes; segment += 1) {
    const path = segment === 0 ? file : `${file}.${segment}`
    const wanted = Math.min(SEGMENT_BYTES, bytes - segment * SEGMENT_BYTES)
    if (segment === 0 && size >= wanted) continue
    if (segment > 0) writeFileSync(path, '', { mode: 0o600 })
    truncateSync(path, wanted)
    chownSync(path, uid, gid)
  }
}

async function writeStatistics(client: pg.Client, relations: readonly Relation[], sizes: ReadonlyMap<string, Size>) {
  const counted = relations.map(({ name }) => ({ name, ...sizes.get(name) }))
  await client.query(
    `select pg_restore_relation_stats('schemaname', current_schema()::text, 'relname', name, 'relpages', pages,
        'reltuples', rows::real, 'relallvisible', pages)
      from json_to_recordset($1) as size (name text, pages int, rows real)`,
    [JSON.stringify(counted)],
  )
  const { rows: columns } = await client.query<Column>(`
    select relation.relname as table, attname as name, typname as type, attnotnull as "isRequired",
      exists (select from pg_index where indrelid = relation.oid and indisunique and indnkeyatts = 1 and indkey[0] = attnum)
        as "isUnique",
      array(select pg_get_expr(indpred, indrelid) from pg_index where indrelid = relation.oid and indpred is not null)
        as predicates
    from pg_attribute join pg_class as relation on relation.oid = attrelid join pg_type on pg_type.oid = atttypid
    where relation.relnamespace = current_schema()::regnamespace and relation.relkind = 'r' and attnum > 0
      and not attisdropped`)
  const known = columns.map((column) => ({
    ...column,
    distinct: distinctOf(column, sizes.get(column.table)?.rows ?? 0),
    nulls: nullsOf(column),
    ...frequenciesOf(trueIn(column)),
    // What is written in the order of time is stored so.
    correlation: /^(?:date|timestamptz)$/.test(column.type) || column.name === 'id' ? 0.9 : null,
  }))
  const { rows } = await client.query<{ written: number }>(
    `select count(*) filter (where is_written)::int as written
      from json_to_recordset($1) as known ("table" text, name text, nulls real, "distinct" real, common text,
          frequencies real[], correlation real),
        lateral pg_restore_attribute_stats('schemaname', current_schema()::text, 'relname', "table", 'attname', name,
          'inherited', false, 'version', current_setting('server_version_num')::int, 'null_frac', nulls, 'avg_width', 12,
          'n_distinct', "distinct", 'most_common_vals', common, 'most_common_freqs', frequencies, 'correlation',
          correlation) as is_written`,
    [JSON.stringify(known)],
  )
  if (rows[0]?.written !== known.length)
    throw new Error(`${rows[0]?.written} of ${known.length} columns have got statistics`)
}

/** As PostgreSQL keeps the most common values of a boolean column. */
function frequenciesOf(part: number | undefined): { common?: string; frequencies?: number[] } {
  return part === undefined ? {} : { common: '{t,f}', frequencies: [part, 1 - part] }
}
