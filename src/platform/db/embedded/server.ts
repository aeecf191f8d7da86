import { spawn, spawnSync } from 'node:child_process'
import { closeSync, existsSync, fchmodSync, openSync } from 'node:fs'
import { readFile, rm, rmdir, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Account } from './account.ts'
import { EmbeddedError, isAlive, SERVER_ENV, SUPERUSER } from './cluster.ts'

export { SUPERUSER }

const START_SECONDS = 60
const STOP_SECONDS = 30
const LOG_MODE = 0o600
/** PostgreSQL does not start without room for a segment of its write-ahead log. */
const ROOM_BYTES = 16 * 1_048_576
/**
 * Every process that uses the server has this lock in shared mode; a process that gets it exclusively may stop the
 * server.
 */
const LEASE_LOCK = 5_493_174

/** Where a server lives: its program, its data, the folder of its socket, the account that it runs under. */
export type Place = {
  native: string
  cluster: string
  host: string
  account: Account
  connectionsMax: number
  /** Makes the folder of the socket: the process that stopped the last server has removed it. */
  makeHost(): Promise<unknown>
}

/** A connection that marks the server as in use while it is open; PostgreSQL closes it when the process is killed. */
export type Lease = { client: pg.Client; host: string }

/** Connects to the server on this cluster, whichever process started it; starts one if none runs. */
export async function holdServer(place: Place): Promise<Lease> {
  const deadline = performance.now() + START_SECONDS * 1000
  let child: Child | undefined
  while (performance.now() < deadline) {
    const lock = await readLock(place.cluster)
    const host = lock?.host || place.host
    const client = await lease(host)
    if (client !== undefined) return { client, host }
    if (child === undefined || child.ended !== undefined) {
      const other = lock !== undefined && (await isServer(lock.pid, place.cluster))
      if (!other) {
        if (child?.ended !== undefined) await throwUnlessPassing(place.cluster, child.ended)
        if (lock !== undefined) await dropStaleLock(place.cluster, lock.pid)
        await place.makeHost()
        child = launch(place)
      }
    }
    await sleep(15)
  }
  throw new EmbeddedError(
    `The embedded PostgreSQL did not answer within ${START_SECONDS} seconds: ${lastError(await readLog(place.cluster))}`,
  )
}

/** Waits while another process stops the server, and is then disconnected like every other client. */
async function lease(host: string): Promise<pg.Client | undefined> {
  if (!existsSync(join(host, '.s.PGSQL.5432'))) return undefined
  const client = new pg.Client({ host, user: SUPERUSER, database: 'postgres', application_name: 'licet lease' })
  // Without a listener a broken connection would end the process; another event reports the end itself.
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query(`select pg_advisory_lock_shared(${LEASE_LOCK})`)
    return client
  } catch {
    // A connection that was never made, or is broken, has nothing to end.
    await client.end().catch(() => {})
    return undefined
  }
}

type Child = { ended: string | undefined }

function launch({ native, cluster, host, account, connectionsMax }: Place): Child {
  const log = openSync(logFile(cluster), 'a', LOG_MODE)
  // A log from before has the mode that it was made with.
  fchmodSync(log, LOG_MODE)
  const settings = [
    'listen_addresses=',
    `unix_socket_directories=${host}`,
    'unix_socket_permissions=0700',
    // Errors of statements are answered to us. In the server's log they would leave rows, with email addresses in them.
    'log_min_messages=fatal',
    'log_min_error_statement=panic',
    'log_error_verbosity=terse',
    'log_parameter_max_length_on_error=0',
    `max_connections=${connectionsMax}`,
    'wal_level=minimal',
    'max_wal_senders=0',
    // After a checkpoint, the first change of each page writes all of it. The vacuum of a large table then writes 20 MB a
    // second, for which commits have to wait.
    'checkpoint_timeout=15min',
    'autovacuum_vacuum_cost_delay=10ms',
    'jit=off',
    'timezone=UTC',
    'log_timezone=UTC',
  ]
  const args = ['-D', cluster, ...settings.flatMap((setting) => ['-c', setting])]
  // A process group of its own: Ctrl-C reaches us, and the server goes on until the last request is answered.
  const server = spawn(join(native, 'bin/postgres'), args, {
    ...account,
    cwd: '/',
    env: SERVER_ENV,
    detached: true,
    stdio: ['ignore', log, log],
  })
  closeSync(log)
  server.unref()
  const child: Child = { ended: undefined }
  server.on('error', (error) => {
    child.ended = error.message
  })
  server.on('exit', () => {
    child.ended ??= ''
  })
  return child
}

/**
 * Failures that pass by themselves: the last processes of a server that ends or was killed, or another start that was
 * faster.
 */
async function throwUnlessPassing(cluster: string, message: string): Promise<void> {
  const reason = message || lastError(await readLog(cluster))
  // A full disk may leave no room for the reason in the log either.
  const { bavail, bsize } = await statfs(cluster)
  if (bavail * bsize < ROOM_BYTES || reason.includes('No space left on device'))
    throw new EmbeddedError(`The embedded PostgreSQL did not start: the disk of ${cluster} is full.`)
  if (!/lock file|shared memory block|database system is|terminating connection/.test(reason))
    throw new EmbeddedError(`The embedded PostgreSQL did not start: ${reason}`)
}

/** After a crash the number in the lock file may belong to any other process by now, which PostgreSQL cannot know. */
async function dropStaleLock(cluster: string, pid: number): Promise<void> {
  if (isAlive(pid) && (await readLock(cluster))?.pid === pid) await rm(join(cluster, 'postmaster.pid'), { force: true })
}

/** Is this process a PostgreSQL on this cluster? */
async function isServer(pid: number, cluster: string): Promise<boolean> {
  if (!isAlive(pid)) return false
  const command =
    process.platform === 'linux'
      ? await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
      : spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout
  return command.includes(cluster)
}

type Lock = { pid: number; host: string }

async function readLock(cluster: string): Promise<Lock | undefined> {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  const lines = text.split('\n')
  const pid = Number(lines[0])
  // A lock file is empty for a moment when it is made, and the number 0 would mean ourselves.
  return Number.isInteger(pid) && pid > 0 ? { pid, host: lines[4] ?? '' } : undefined
}

const logFile = (cluster: string) => join(cluster, '..', 'postgres.log')

function readLog(cluster: string): Promise<string> {
  return readFile(logFile(cluster), 'utf8').catch(() => '')
}

/** The last thing that the server's log calls fatal, without time and hints around it. */
function lastError(log: string): string {
  const lines = log.trim().split('\n')
  const fatal = lines.findLast((line) => /FATAL:|PANIC:|could not/.test(line)) ?? lines.at(-1) ?? ''
  return fatal.replace(/^.*?(FATAL|PANIC): +/, '')
}

/** Stops the server if no other process uses it, and disconnects either way. */
export async function stopServer(place: Place, { client, host }: Lease): Promise<void> {
  try {
    await client.query(`select pg_advisory_unlock_shared(${LEASE_LOCK})`)
    const { rows } = await client.query(`select pg_try_advisory_lock(${LEASE_LOCK}) as alone`)
    if (rows[0].alone) await shutDown(place.cluster, host)
  } catch {
    // The connection is gone, and the server with it.
  }
  // The server may have closed it already.
  await client.end().catch(() => {})
}

async function shutDown(cluster: string, host: string): Promise<void> {
  const lock = await readLock(cluster)
  if (lock === undefined) return
  // SIGINT is PostgreSQL's fast shutdown: it ends sessions, writes a checkpoint and leaves nothing to recover.
  process.kill(lock.pid, 'SIGINT')
  const deadline = performance.now() + STOP_SECONDS * 1000
  while (performance.now() < deadline && (await isServer(lock.pid, cluster))) await sleep(10)
  // The next server makes the folder of the socket again, or uses the one that is left.
  await rmdir(host).catch(() => {})
}
