import { execFile, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, chown, mkdir, mkdtemp, rename, rm, stat, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'
import { apt, onPath } from './chromium.ts'
import { freePort } from './deployed-nginx.ts'
import type { TestDatabase } from './server.ts'

/** A PgBouncer of this machine, or why there is none. */
export type Found = { path: string } | { missing: string }

/** The package of the system; as root it is installed. Debian 12 has a version that knows no prepared statements. */
export async function findPgbouncer(): Promise<Found> {
  const find = () => onPath('pgbouncer', { PATH: `${process.env.PATH}:/usr/sbin` })
  if (find() === undefined && process.getuid?.() === 0) {
    await apt('update')
    await apt('install', '--no-install-recommends', 'pgbouncer')
  }
  const path = find()
  return path === undefined ? { missing: 'there is no pgbouncer on this machine' } : { path }
}

/** The source of the package in Debian 13, whose version knows prepared statements. */
const SOURCE = {
  name: 'pgbouncer-1.24.1',
  url: 'http://deb.debian.org/debian/pool/main/p/pgbouncer/pgbouncer_1.24.1.orig.tar.gz',
  sha256: 'da72a3aba13072876d055a3e58dd4aba4a5de4ed6148e73033185245598fd3e0',
}
const CACHE = fileURLToPath(new URL('../node_modules/.cache/pgbouncer/', import.meta.url))

/** Builds the newer version once; as root, libevent is installed for it. */
export async function buildPgbouncer(): Promise<Found> {
  const path = join(CACHE, SOURCE.name)
  if (existsSync(path)) return { path }
  const folder = await mkdtemp(join(tmpdir(), 'licet-pgbouncer-source-'))
  try {
    if (process.getuid?.() === 0)
      await apt('install', '--no-install-recommends', 'libevent-dev', 'gcc', 'make', 'pkg-config')
    const archive = Buffer.from(await (await fetch(SOURCE.url)).arrayBuffer())
    if (createHash('sha256').update(archive).digest('hex') !== SOURCE.sha256)
      throw new Error('its source is another one')
    await writeFile(join(folder, 'source.tar.gz'), archive)
    await promisify(execFile)('tar', ['xzf', 'source.tar.gz'], { cwd: folder })
    const cwd = join(folder, SOURCE.name)
    // To optimise it would take longer than all that the tests do with it.
    await promisify(execFile)('./configure', ['--without-cares', '--without-openssl', 'CFLAGS=-O0'], { cwd })
    await promisify(execFile)('make', ['pgbouncer'], { cwd, maxBuffer: 2 ** 26 })
    await mkdir(CACHE, { recursive: true })
    await promisify(execFile)('cp', [join(cwd, 'pgbouncer'), `${path}.${process.pid}`])
    await rename(`${path}.${process.pid}`, path)
    return { path }
  } catch (error) {
    return { missing: `pgbouncer cannot be built: ${error instanceof Error ? error.message.split('\n', 1)[0] : error}` }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Starts PgBouncer in transaction mode, with fewer connections than the service has, so that they change hands. */
export async function startPgbouncer(
  program: string,
  database: TestDatabase,
  settings: Record<string, string | number> = {},
): Promise<{ url: string; stop(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'licet-pgbouncer-'))
  const port = await freePort()
  const server = new pg.Client(database.connection)
  const file = join(folder, 'pgbouncer.ini')
  const all = {
    listen_addr: '127.0.0.1',
    listen_port: port,
    unix_socket_dir: '',
    auth_type: 'any',
    pool_mode: 'transaction',
    default_pool_size: 3,
    max_client_conn: 200,
    logfile: join(folder, 'log'),
    pidfile: join(folder, 'pid'),
    ...settings,
  }
  const lines = Object.entries(all).map(([name, value]) => `${name} = ${value}`)
  const place = `host=${server.host} port=${server.port} user=${server.user} dbname=${server.database}`
  await writeFile(file, `[databases]\nlicet = ${place}\n[pgbouncer]\n${lines.join('\n')}\n`)
  // It does not run as root, and its account needs to enter the folder of the server's socket.
  const { uid, gid } = server.host.startsWith('/') ? await stat(server.host) : { uid: 65534, gid: 65534 }
  const isRoot = process.getuid?.() === 0
  if (isRoot) await Promise.all([chown(folder, uid, gid), chown(file, uid, gid)])
  await chmod(folder, 0o755)
  const child = spawn(program, [file], { stdio: 'ignore', cwd: dirname(file), ...(isRoot ? { uid, gid } : {}) })
  const ended = once(child, 'exit')
  for (let tries = 0; !(await isListening(port)); tries += 1) {
    if (tries === 200) throw new Error('pgbouncer did not start')
    await sleep(50)
  }
  return {
    url: `postgres://licet@127.0.0.1:${port}/licet`,
    async stop() {
      child.kill('SIGKILL')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}
