import { sql } from 'kysely'
import type { Measures } from '../../log/measures.ts'
import type { Db } from '../database.ts'
import { readNumbers } from '../numbers.ts'

/** The size of the database, and the connections of all programs that use its server. */
export const databaseMeasures: Measures = {
  gauges: {
    licet_database_bytes: { help: 'Size of the database on the disk of its server.' },
    licet_database_server_connections: { help: 'Connections to the server of the database, of all programs.' },
    licet_database_server_connections_max: { help: 'How many connections the server of the database takes.' },
  },
  async read(db: Db) {
    const [row] = await readNumbers(
      db,
      sql`select
        pg_database_size(current_database()) as bytes,
        (select count(*) from pg_stat_activity where backend_type = 'client backend') as used,
        current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as most`,
    )
    const of = (name: string) => row?.number(name) ?? 0
    return [
      { name: 'licet_database_bytes', value: of('bytes') },
      { name: 'licet_database_server_connections', value: of('used') },
      { name: 'licet_database_server_connections_max', value: of('most') },
    ]
  },
}
