import pg from 'pg'
import { type Connection, type DatabaseHandle, type DatabaseOptions, openDatabase, SESSION } from '../database.ts'

/** A pooler that cannot be used as it is set up; the message says what to change. */
export class PoolerError extends Error {}

const PROBE = 'licet_probe'

/**
 * Opens a database through a pooler such as PgBouncer, which gives every transaction another session. Statements are
 * named only if the pooler keeps track of names: otherwise the session of another client has the name, or has it not.
 */
export async function openPooled(connection: Connection, options: DatabaseOptions): Promise<DatabaseHandle> {
  const client = new pg.Client({ ...connection, application_name: 'licet', connectionTimeoutMillis: 10_000 })
  await client.connect()
  try {
    await checkSession(client)
    return openDatabase(connection, { ...options, pooler: { namesStatements: await keepsNames(client) } })
  } finally {
    await client.end()
  }
}

/** The settings of a session have to come from the role, because they are not this client's to set. */
async function checkSession(client: pg.Client): Promise<void> {
  const names = Object.keys(SESSION)
  const { rows } = await client.query<{ name: string; isSet: boolean; role: string; base: string }>(
    `select name, current_setting(name)::text = given or (name like '%timeout' and
        current_setting(name)::interval = given::interval) as "isSet",
      quote_ident(current_user) as role, quote_ident(current_database()) as base
     from unnest($1::text[], $2::text[]) as wanted (name, given)`,
    [names, names.map((name) => SESSION[name])],
  )
  const missing = rows.filter(({ isSet }) => !isSet)
  const [first] = missing
  if (first === undefined) return
  const texts = missing.map(
    ({ name, role, base }) => `alter role ${role} in database ${base} set ${name} = '${SESSION[name]}';`,
  )
  throw new PoolerError(
    `A pooler does not pass the settings of a session on. Run ${texts.join(' ')} and then RECONNECT in the console of PgBouncer.`,
  )
}

/** Does the pooler replace the names of statements by its own? Those that do not pass them on as they are. */
async function keepsNames(client: pg.Client): Promise<boolean> {
  await client.query('begin')
  try {
    await client.query({ name: PROBE, text: 'select $1::int', values: [1] })
    const { rows } = await client.query('select 1 from pg_prepared_statements where name = $1', [PROBE])
    if (rows.length === 0) return true
    await client.query(`deallocate ${PROBE}`)
    return false
  } finally {
    await client.query('rollback')
  }
}
