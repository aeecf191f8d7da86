import { randomBytes } from 'node:crypto'
import pg from 'pg'
import type { Connection } from '#platform/db/database.ts'

/** How test files reach the server that the setup has started. */
export type TestServer = { connectionString: string } | { host: string; user: string }

export const TEMPLATE = 'licet_template'

function testServer(): TestServer {
  const text = process.env.LICET_TEST_SERVER
  if (text === undefined) throw new Error('Run tests with "npm test", or add --test-global-setup=test/setup.ts.')
  return JSON.parse(text) as TestServer
}

function connectionTo(server: TestServer, database: string): Connection {
  if (!('connectionString' in server)) return { ...server, database }
  const url = new URL(server.connectionString)
  url.pathname = `/${database}`
  return { connectionString: url.href }
}

let admin: pg.Pool | undefined

/** One connection for all files of the process, because connecting takes as long as the work. */
async function administer(text: string): Promise<void> {
  admin ??= new pg.Pool({
    ...connectionTo(testServer(), 'postgres'),
    max: 1,
    idleTimeoutMillis: 0,
    allowExitOnIdle: true,
  })
  await admin.query(text)
}

export type TestDatabase = { connection: Connection; url: string; drop(): Promise<void> }

/** A database for one test file: a clone of the migrated template, or an empty one. */
export async function createDatabase(from: 'template' | 'empty' = 'template'): Promise<TestDatabase> {
  const name = `licet_test_${randomBytes(6).toString('hex')}`
  const template = from === 'template' ? TEMPLATE : 'template1'
  // Copying files is faster than writing every page to the log first, which is the default.
  await administer(`create database ${name} template ${template} strategy file_copy`)
  const connection = connectionTo(testServer(), name)
  const url =
    'connectionString' in connection
      ? connection.connectionString
      : `postgres://${connection.user}@localhost/${name}?host=${encodeURIComponent(connection.host)}`
  return { connection, url, drop: () => administer(`drop database if exists ${name} with (force)`) }
}
