import { sql } from 'kysely'
import { readArchiving } from '#platform/db/connections/archiving.ts'
import { type Db, openDatabase } from '#platform/db/database.ts'
import { readNumbers } from '#platform/db/numbers.ts'
import { isCaughtUp, positionOf } from '#platform/db/standby.ts'
import { withCauses } from '#platform/errors/error-summary.ts'
import type { Config } from '#platform/settings/config.ts'
import { bad, type Finding, fine, warning } from './finding.ts'

/** Signatures, links and leases compare times of both. */
const CLOCK_OFF_MAX_MS = 5000
/** Reads and notices have connections of their own. */
const OTHER_CONNECTIONS = 5

export async function checkServer(db: Db): Promise<Finding> {
  const [row] = await readNumbers(
    db,
    sql`select
      current_setting('server_version') as version, current_setting('server_encoding') as encoding,
      current_setting('server_encoding') <> 'UTF8' or lower(letter) <> letter as folds
      from (select convert_from('\\xc384'::bytea, 'UTF8') collate "default" as letter) as tried`,
  )
  const [version, encoding, folds] = [
    row?.word('version') ?? '',
    row?.word('encoding') ?? '',
    row?.word('folds') !== 'false',
  ]
  const detail = `PostgreSQL ${version}, ${encoding}`
  if (encoding !== 'UTF8')
    return bad(
      'Database',
      `${detail}, UTF8 is needed`,
      "Make a database with encoding 'UTF8' template template0, and restore a backup into it.",
    )
  if (!folds)
    return warning(
      'Database',
      `${detail}, with a locale that knows no letters beyond ASCII`,
      'Searches tell Ä from ä. Make a database with the locale C.UTF-8, and restore a backup into it.',
    )
  return fine('Database', detail)
}

export async function checkClock(db: Db, now: () => Date): Promise<Finding> {
  const before = now().getTime()
  const [row] = await readNumbers(db, sql`select extract(epoch from clock_timestamp())::float8 * 1000 as now`)
  const after = now().getTime()
  const time = row?.number('now') ?? before
  const offMs = time < before ? before - time : Math.max(0, time - after)
  if (offMs <= CLOCK_OFF_MAX_MS) return fine('Clock', 'agrees with that of the database')
  const seconds = Math.round(offMs / 1000)
  return bad(
    'Clock',
    `${seconds} seconds ${time < before ? 'ahead of' : 'behind'} that of the database`,
    'Let both machines set their clocks by NTP (timedatectl set-ntp true).',
  )
}

export async function checkConnections(db: Db, { databasePool }: Config): Promise<Finding> {
  const [row] = await readNumbers(
    db,
    sql`select
      current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as most,
      (select count(*) from pg_stat_activity where backend_type = 'client backend'
        and (datname is distinct from current_database() or application_name not like 'licet%')) as others`,
  )
  const [most, others] = [row?.number('most') ?? 0, row?.number('others') ?? 0]
  const needed = databasePool + OTHER_CONNECTIONS
  const processes = Math.floor((most - others) / needed)
  const detail = `the server takes ${most}, other programs use ${others}, a process of the service up to ${needed}`
  if (processes < 1)
    return bad('Connections', detail, 'Raise max_connections of PostgreSQL, or lower LICET_DATABASE_POOL.')
  return fine('Connections', `${detail}: enough for ${processes} ${processes === 1 ? 'process' : 'processes'}`)
}

/** Does the account that the service uses have what migrations need? */
export async function checkAccount(db: Db): Promise<Finding> {
  const [row] = await readNumbers(
    db,
    sql`select current_user as account, current_schema() as schema,
      has_schema_privilege(current_schema(), 'CREATE') as creates`,
  )
  const [account, schema] = [row?.word('account') ?? '', row?.word('schema') ?? '']
  const what = 'Account'
  if (row?.word('creates') === 'true') return fine(what, `${account} may change the schema ${schema}`)
  return bad(
    what,
    `${account} may not create tables in the schema ${schema}`,
    `The next upgrade fails. As the owner of the database: grant create on schema ${schema} to ${account}, or make ${account} its owner.`,
  )
}

/** Whether PostgreSQL puts away what it writes, for a restore to any point in time. */
export async function checkArchiving(db: Db): Promise<Finding[]> {
  const archiving = await readArchiving(db)
  if (archiving === undefined) return []
  const what = 'Archiving of WAL'
  if (!archiving.isFailing)
    return [fine(what, archiving.last === '' ? 'nothing yet' : `the latest of ${archiving.last} (UTC)`)]
  return [
    bad(
      what,
      `failed at ${archiving.lastFailure} (UTC), ${archiving.last === '' ? 'nothing was ever archived' : `the latest is of ${archiving.last} (UTC)`}`,
      'The log of PostgreSQL says why; with pgBackRest, run pgbackrest check. Until it works, no later moment can be restored, and the disk of the database fills.',
    ),
  ]
}

/** How long a standby may take to replay what the primary has. */
const STANDBY_MS = 3000

/** The standby on which statistics and exports are read. */
export async function checkStandby(db: Db, { databaseStandbyUrl }: Config): Promise<Finding[]> {
  if (databaseStandbyUrl === undefined) return []
  const what = 'Standby'
  const { host } = new URL(databaseStandbyUrl)
  const remedy = 'See its log, and pg_stat_replication on the primary. Meanwhile everything is read from the primary.'
  const standby = openDatabase({ connectionString: databaseStandbyUrl }, { poolMax: 1 })
  try {
    const isEqual = await isCaughtUp(standby.reads, await positionOf(db), STANDBY_MS)
    return [
      isEqual
        ? fine(what, `${host}, has all that the primary has`)
        : bad(what, `${host} is behind the primary`, remedy),
    ]
  } catch (error) {
    return [bad(what, `${host} can't be used: ${withCauses(error).split('\n')[0]}`, remedy)]
  } finally {
    await standby.close()
  }
}

type Counter = { table_name: string; column_name: string; sequence: string }

/** Sequences behind their tables, as after rows were copied by hand: the next order would be refused. */
export async function checkSequences(db: Db): Promise<Finding> {
  const { rows } =
    await sql<Counter>`select distinct pg_class.relname as table_name, pg_attribute.attname as column_name,
      pg_get_serial_sequence(pg_class.oid::regclass::text, pg_attribute.attname) as sequence
    from pg_attribute
    join pg_class on pg_class.oid = attrelid and relkind = 'r' and relnamespace = current_schema()::regnamespace
    join pg_index on indrelid = pg_class.oid and indkey[0] = attnum and indpred is null
    where attidentity <> ''`.execute(db)
  const behind: Counter[] = []
  for (const row of rows) if (await isBehind(db, row)) behind.push(row)
  const [first] = behind
  if (first === undefined) return fine('Counters', `${rows.length} sequences are ahead of their tables`)
  const names = behind.map(({ table_name }) => table_name).join(', ')
  const { sequence, column_name, table_name } = first
  return bad(
    'Counters',
    `sequences are behind the rows of ${names}`,
    `Stop the service and set each after the last row: select setval('${sequence}', (select max(${column_name}) from ${table_name})).`,
  )
}

async function isBehind(db: Db, { table_name, column_name, sequence }: Counter): Promise<boolean> {
  const { rows } = await sql<{
    behind: boolean
  }>`select coalesce((select max(${sql.ref(column_name)}) from ${sql.table(table_name)}), 0)
      > (select case when is_called then last_value else last_value - 1 end from ${sql.table(sequence.replace(/^.*\./, '').replaceAll('"', ''))})
    as behind`.execute(db)
  return rows[0]?.behind === true
}
