import { execFile } from 'node:child_process'
import { chmod, mkdtemp, rm, statfs } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'
import { openDatabase } from '#platform/db/database.ts'
import { type EmbeddedServer, startEmbedded } from '#platform/db/embedded/embedded.ts'
import { upgrade } from '#program/boot/store.ts'
import { provideChromium, wantsBrowser } from './chromium.ts'
import { findTestFiles } from './runner/files.ts'
import { connectionsFor, databaseBytesFor } from './runner/machine.ts'
import { readTimes, timesTable } from './runner/times.ts'
import { TEMPLATE, type TestServer } from './server.ts'

/** The folder in memory that Linux has. */
const MEMORY = '/dev/shm'

/**
 * Runs once before all test files: one real PostgreSQL, one migrated database that every test file clones.
 * LICET_TEST_DATABASE_URL runs the tests on another server, such as an older PostgreSQL.
 */
let server: EmbeddedServer | undefined
let folder: string | undefined
let claims: string | undefined

export async function globalSetup(): Promise<void> {
  const url = process.env.LICET_TEST_DATABASE_URL
  const files = await askedFiles()
  // Without `npm test`, Node runs one file for each core at once.
  const workers = Number(process.env.LICET_TEST_WORKERS ?? Math.min(availableParallelism(), files.length))
  if (url === undefined) {
    folder = await mkdtemp(join((await roomyMemory(databaseBytesFor(workers))) ?? tmpdir(), 'licet-test-'))
    // The server's own account has to get in when this runs as root.
    await chmod(folder, 0o755)
    server = await startEmbedded(folder, { connectionsMax: connectionsFor(workers) })
  }
  const connection: TestServer =
    server === undefined ? { connectionString: url ?? '' } : { host: server.host, user: server.user }
  const admin = new pg.Client({ ...connection, database: 'postgres' })
  await admin.connect()
  if (server !== undefined) {
    // Tests lose nothing worth keeping in a crash, and no database lives long enough to be vacuumed.
    for (const setting of ['fsync', 'synchronous_commit', 'full_page_writes', 'autovacuum'])
      await admin.query(`alter system set ${setting} = off`)
    await admin.query(`alter system set max_wal_size = '128MB'`)
    await admin.query('select pg_reload_conf()')
  }
  await admin.query(`drop database if exists ${TEMPLATE}`)
  await admin.query(`create database ${TEMPLATE}`)
  await admin.end()
  const template = openDatabase(databaseOf(connection, TEMPLATE), { poolMax: 1 })
  await upgrade(template.db)
  await template.close()
  process.env.LICET_TEST_SERVER = JSON.stringify(connection)
  claims = await mkdtemp(join(tmpdir(), 'licet-claims-'))
  process.env.LICET_TEST_CLAIMS = claims
  // Here and once, because files run side by side; and only for those who ask, because it may take minutes.
  if (!wantsBrowser(files)) return
  // A build that is older than its sources would be tested in their place.
  await promisify(execFile)(process.execPath, [fileURLToPath(new URL('../bin/admin-build.mjs', import.meta.url))])
  process.env.LICET_TEST_BROWSER = JSON.stringify(await provideChromium())
}

/**
 * A folder in memory, if the system has one with enough room. Each file makes and removes a database of a thousand files,
 * which costs a disk's file system more than PostgreSQL itself.
 */
async function roomyMemory(bytes: number): Promise<string | undefined> {
  const room = await statfs(MEMORY).catch(() => undefined)
  return room !== undefined && room.bavail * room.bsize >= bytes ? MEMORY : undefined
}

/** The files that the workers run between them, or those that were named. */
async function askedFiles(): Promise<string[]> {
  const words = process.env.LICET_TEST_WORDS
  return words === undefined ? process.argv.slice(1) : findTestFiles(JSON.parse(words))
}

function databaseOf(connection: TestServer, database: string) {
  if (!('connectionString' in connection)) return { ...connection, database }
  const url = new URL(connection.connectionString)
  url.pathname = `/${database}`
  return { connectionString: url.href }
}

export async function globalTeardown(): Promise<void> {
  await server?.stop()
  const times = claims === undefined ? [] : readTimes(claims)
  if (times.length > 0) console.log(timesTable(times))
  for (const each of [folder, claims]) if (each !== undefined) await rm(each, { recursive: true, force: true })
}
