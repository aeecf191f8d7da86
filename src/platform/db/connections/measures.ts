import { sql } from 'kysely'
import type { Measures } from '../../log/measures.ts'
import type { Db } from '../database.ts'
import { readNumbers } from '../numbers.ts'
import { readArchiving } from './archiving.ts'

/** The size of the database, the connections of all programs that use its server, and whether it archives what it should. */
export const databaseMeasures: Measures = {
  gauges: {
    licet_database_bytes: { help: 'Size of the database on the disk of its server.' },
    licet_database_server_connections: { help: 'Connections to the server of the database, of all programs.' },
    licet_database_server_connections_max: { help: 'How many connections the server of the database takes.' },
    licet_database_archiving_failing: {
      help: 'Whether the latest try of the server to archive its WAL has failed: 1 or 0. Absent if it archives none.',
    },
  },
  async read(db: Db) {
    const [row] = await readNumbers(
      db,
      sql`select
        pg_database_size(current_database()) as bytes,
        (select count(*) from pg_stat_activity where backend_type = 'client backend') as used,
        current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as most`,
    )
    const archiving = await readArchiving(db)
    const of = (name: string) => row?.number(name) ?? 0
    return [
      { name: 'licet_database_bytes', value: of('bytes') },
      { name: 'licet_database_server_connections', value: of('used') },
      { name: 'licet_database_server_connections_max', value: of('most') },
      ...(archiving === undefined
        ? []
        : [{ name: 'licet_database_archiving_failing', value: archiving.isFailing ? 1 : 0 }]),
    ]
  },
}
