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

async function administer(text: string): Promise<void> {
  const client = new pg.Client(connectionTo(testServer(), 'postgres'))
  await client.connect()
  try {
    await client.query(text)
  } finally {
    await client.end()
  }
}

export type TestDatabase = { connection: Connection; url: string; drop(): Promise<void> }

/** A database for one test file: a clone of the migrated template, or an empty one. */
export async function createDatabase(from: 'template' | 'empty' = 'template'): Promise<TestDatabase> {
  const name = `licet_test_${randomBytes(6).toString('hex')}`
  await administer(from === 'template' ? `create database ${name} template ${TEMPLATE}` : `create database ${name}`)
  const connection = connectionTo(testServer(), name)
  const url =
    'connectionString' in connection
      ? connection.connectionString
      : `postgres://${connection.user}@localhost/${name}?host=${encodeURIComponent(connection.host)}`
  return { connection, url, drop: () => administer(`drop database if exists ${name} with (force)`) }
}
