import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { until } from './start/program.ts'

const call = promisify(execFile)

/** Who may run it, and where it has its files. */
export type Keeper = { account: { uid: number; gid: number }; room: string }

/** Runs a program as the account of PostgreSQL; says what it has printed. */
export async function callAs(
  { account, room }: Keeper,
  file: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<string> {
  const options = { ...account, cwd: room, env: { PATH: process.env.PATH, ...env } }
  return (await call(file, args, options)).stdout.trim()
}

/** The file of deploy/pgbackrest for a PostgreSQL of a test, with its repository in a folder of the room. */
export async function deployedPgbackrest(
  room: string,
  { data, port, socket }: { data: string; port: number; socket: string },
): Promise<string> {
  return (await readFile('deploy/pgbackrest/pgbackrest.conf', 'utf8'))
    .replace('/var/lib/pgbackrest', join(room, 'repo'))
    .replace('/var/log/pgbackrest', join(room, 'log'))
    .replace('/var/lib/postgresql/15/main', data)
    .replace('CHANGE-ME', 'a passphrase for a test and for nothing else')
    .replace('pg1-port=5432', `pg1-port=${port}\npg1-socket-path=${socket}`)
}

/** A time after what is stored by now, and before what comes next: pgBackRest takes a backup that ended in an earlier second than its target. */
export async function timeBetween(ask: (text: string) => Promise<unknown>): Promise<string> {
  const time = String(await ask('select clock_timestamp()::text as value'))
  const isOver = `select (clock_timestamp() > '${time}'::timestamptz + interval '1 second')::text as value`
  await until('the next second', async () => (await ask(isOver)) === 'true')
  return time
}

/** The rows and the checksum of every table, of a backup in a folder. */
export async function tablesIn(folder: string): Promise<unknown> {
  return JSON.parse(await readFile(join(folder, 'backup.json'), 'utf8')).tables
}
