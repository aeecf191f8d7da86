import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { Transform, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { sql } from 'kysely'
import pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import type { Connection, Db } from './database.ts'

/** Every copy of the tables has this lock in shared mode while it is made. */
const COPY_LOCK = 5_493_175
/** The fastest level: the copy must not take longer than it has to, and disks are cheap. */
const GZIP_LEVEL = 1

/** The copy of a table: `rows` and `sha256` are those of its text before compression. */
export type TableCopy = { name: string; columns: string[]; rows: number; sha256: string }
export type SequenceCopy = { name: string; last_value: string; is_called: boolean }
export type DatabaseCopy = { migrations: string[]; tables: TableCopy[]; sequences: SequenceCopy[] }

const fileOf = (folder: string, { name }: Pick<TableCopy, 'name'>) => join(folder, `${name}.copy.gz`)

/** A connection without pipelining, which COPY cannot use, and without a limit on its time. */
async function connect(connection: Connection): Promise<pg.Client> {
  const client = new pg.Client({
    ...connection,
    application_name: 'licet copy',
    options: '-c timezone=UTC -c statement_timeout=0 -c idle_in_transaction_session_timeout=0',
  })
  await client.connect()
  return client
}

/** Is a copy being made? Files that rows of the copy refer to must not be deleted meanwhile. */
export async function isBeingCopied(db: Db): Promise<boolean> {
  const { rows } = await sql`select 1 from pg_locks where locktype = 'advisory' and objid = ${COPY_LOCK} and granted
    and database = (select oid from pg_database where datname = current_database())`.execute(db)
  return rows.length > 0
}

/**
 * Copies all tables to a folder, as they were at one moment, while others go on writing. `meanwhile` runs after that
 * moment and before the copy ends.
 */
export async function copyTables(
  connection: Connection,
  folder: string,
  { meanwhile, onTable }: { meanwhile: () => Promise<void>; onTable: (done: number, total: number) => void },
): Promise<DatabaseCopy> {
  const client = await connect(connection)
  try {
    // Taken before the snapshot, so that a deletion of files that does not see it belongs to rows that are gone.
    await client.query(`select pg_advisory_lock_shared(${COPY_LOCK})`)
    await client.query('begin isolation level repeatable read read only')
    const found = await readTables(client)
    const migrations = await client.query<{ name: string }>('select name from kysely_migration order by name')
    await meanwhile()
    const tables: TableCopy[] = []
    for (const table of found) {
      onTable(tables.length, found.length)
      tables.push({ ...table, ...(await copyTable(client, table, folder)) })
    }
    // Sequences are no part of a snapshot. Read last, they are past every id in the tables.
    const sequences = await readSequences(client)
    onTable(found.length, found.length)
    return { migrations: migrations.rows.map(({ name }) => name), tables, sequences }
  } finally {
    await client.end()
  }
}

async function readTables(client: pg.Client): Promise<{ name: string; columns: string[] }[]> {
  const { rows } = await client.query(`select relname as name,
      array_agg(attname::text order by attnum) filter (where attgenerated = '') as columns
    from pg_class
    join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped
    where relnamespace = current_schema()::regnamespace and relkind = 'r' and relname not like 'kysely\\_%'
    group by relname order by relname`)
  return rows
}

async function readSequences(client: pg.Client): Promise<SequenceCopy[]> {
  const { rows } = await client.query<{ name: string }>(`select relname as name from pg_class
    where relnamespace = current_schema()::regnamespace and relkind = 'S' order by relname`)
  const sequences: SequenceCopy[] = []
  for (const { name } of rows) {
    const { rows: values } = await client.query(`select last_value, is_called from ${pg.escapeIdentifier(name)}`)
    sequences.push({ name, ...values[0] })
  }
  return sequences
}

/** What goes through is also hashed. */
function hashing(hash: ReturnType<typeof createHash>): Transform {
  return new Transform({
    transform(chunk, _encoding, done) {
      hash.update(chunk)
      done(null, chunk)
    },
  })
}

const columnsOf = ({ name, columns }: Pick<TableCopy, 'name' | 'columns'>) =>
  `${pg.escapeIdentifier(name)} (${columns.map(pg.escapeIdentifier).join(', ')})`

async function copyTable(
  client: pg.Client,
  table: Pick<TableCopy, 'name' | 'columns'>,
  folder: string,
): Promise<Pick<TableCopy, 'rows' | 'sha256'>> {
  const source = client.query(copyTo(`copy ${columnsOf(table)} to stdout`))
  const hash = createHash('sha256')
  const file = createWriteStream(fileOf(folder, table), { mode: 0o600, flush: true })
  await pipeline(source, hashing(hash), createGzip({ level: GZIP_LEVEL }), file)
  return { rows: source.rowCount, sha256: hash.digest('hex') }
}

/** The copies whose files are missing or damaged. */
export async function findDamagedCopies(folder: string, { tables }: DatabaseCopy): Promise<string[]> {
  const damaged: string[] = []
  for (const table of tables) {
    const hash = createHash('sha256')
    const into = new Writable({
      write(chunk, _encoding, done) {
        hash.update(chunk)
        done()
      },
    })
    const isRead = await read(folder, table, into).then(
      () => true,
      () => false,
    )
    if (!isRead || hash.digest('hex') !== table.sha256) damaged.push(table.name)
  }
  return damaged
}

async function read(folder: string, table: TableCopy, into: Writable): Promise<void> {
  await pipeline(createReadStream(fileOf(folder, table)), createGunzip(), into)
}

/** Is there no table in the database? */
export async function isWithoutTables(db: Db): Promise<boolean> {
  const { rows } = await sql`select 1 from pg_class
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'S') limit 1`.execute(db)
  return rows.length === 0
}

/** Removes every table and sequence. Functions stay: migrations create or replace them. */
export async function dropTables(db: Db): Promise<void> {
  for (const [kind, what] of [
    ['r', 'table'],
    // Those that belong to a column have gone with their table.
    ['S', 'sequence'],
  ]) {
    const { rows } = await sql<{ names: string | null }>`select string_agg(quote_ident(relname), ', ') as names
      from pg_class where relnamespace = current_schema()::regnamespace and relkind = ${kind}`.execute(db)
    const names = rows[0]?.names
    if (names) await sql.raw(`drop ${what} ${names} cascade`).execute(db)
  }
}

/** Fills the tables from their copies, all of them or none. The schema must be the one that the copies were made of. */
export async function loadTables(
  connection: Connection,
  folder: string,
  copy: DatabaseCopy,
  onTable: (done: number, total: number) => void,
): Promise<void> {
  const client = await connect(connection)
  try {
    await client.query('begin')
    // Migrations may have added rows, which are among the copies.
    await client.query(`truncate ${copy.tables.map(({ name }) => pg.escapeIdentifier(name)).join(', ')}`)
    const ordered = await referredFirst(client, copy.tables)
    for (const [done, table] of ordered.entries()) {
      onTable(done, ordered.length)
      const target = client.query(copyFrom(`copy ${columnsOf(table)} from stdin`))
      await read(folder, table, target)
      if (target.rowCount !== table.rows)
        throw new Error(`${table.name} has ${target.rowCount} rows instead of ${table.rows}`)
    }
    for (const { name, last_value, is_called } of copy.sequences)
      await client.query('select setval($1, $2, $3)', [pg.escapeIdentifier(name), last_value, is_called])
    await client.query('commit')
    onTable(ordered.length, ordered.length)
    await client.query('analyze')
  } finally {
    await client.end()
  }
}

/**
 * The tables so that each comes after those that it refers to. An owner of a database who is no superuser cannot turn
 * the check of references off.
 */
async function referredFirst(client: pg.Client, tables: readonly TableCopy[]): Promise<TableCopy[]> {
  const { rows } = await client.query<{
    name: string
    other: string
  }>(`select tables.relname as name, others.relname as other
    from pg_constraint
    join pg_class as tables on tables.oid = conrelid
    join pg_class as others on others.oid = confrelid
    where contype = 'f' and conrelid <> confrelid and tables.relnamespace = current_schema()::regnamespace`)
  const ordered = new Set<TableCopy>()
  while (ordered.size < tables.length) {
    const waiting = new Set(tables.filter((table) => !ordered.has(table)).map(({ name }) => name))
    const ready = tables.filter(
      (table) => waiting.has(table.name) && !rows.some(({ name, other }) => name === table.name && waiting.has(other)),
    )
    if (ready.length === 0) throw new Error(`these tables refer to each other: ${[...waiting].join(', ')}`)
    for (const table of ready) ordered.add(table)
  }
  return [...ordered]
}
