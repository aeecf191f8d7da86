import { sql } from 'kysely'
import type { Measures } from '../../log/measures.ts'
import type { Db } from '../database.ts'

/** The size of the database, and the connections of all programs that use its server. */
export const databaseMeasures: Measures = {
  gauges: {
    licet_database_bytes: { help: 'Size of the database on the disk of its server.' },
    licet_database_server_connections: { help: 'Connections to the server of the database, of all programs.' },
    licet_database_server_connections_max: { help: 'How many connections the server of the database takes.' },
  },
  async read(db: Db) {
    const { rows } = await sql<{ bytes: number; used: number; most: number }>`select
        pg_database_size(current_database()) as bytes,
        (select count(*) from pg_stat_activity where backend_type = 'client backend') as used,
        current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as most`.execute(
      db,
    )
    const [{ bytes, used, most } = { bytes: 0, used: 0, most: 0 }] = rows
    return [
      { name: 'licet_database_bytes', value: bytes },
      { name: 'licet_database_server_connections', value: used },
      { name: 'licet_database_server_connections_max', value: most },
    ]
  },
}
