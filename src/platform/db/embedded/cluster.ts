import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chown, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { errorCode } from '../../errors/error-code.ts'
import type { Account } from './account.ts'

const MAJOR = '18'

export const SUPERUSER = 'licet'

/** The embedded server cannot run; the message is one sentence for the operator. */
export class EmbeddedError extends Error {}

/** The server inherits none of our environment: no library path, no locale, no PG… settings. */
export const SERVER_ENV: NodeJS.ProcessEnv = { LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/bin:/bin' }

/**
 * Makes the cluster under another name first: a process that is killed meanwhile leaves nothing that looks finished.
 */
export async function initialise(native: string, cluster: string, account: Account): Promise<void> {
  const versionFile = join(cluster, 'PG_VERSION')
  if (existsSync(versionFile)) {
    const version = (await readFile(versionFile, 'utf8')).trim()
    if (version === MAJOR) return
    throw new EmbeddedError(
      `${cluster} holds data of PostgreSQL ${version}, and this program brings PostgreSQL ${MAJOR}: dump it with ${version} and restore it.`,
    )
  }
  await removeUnfinished(cluster)
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
    env: SERVER_ENV,
    encoding: 'utf8',
  })
  if (result.status !== 0) {
    await rm(unfinished, { recursive: true, force: true })
    throw new EmbeddedError(
      `The embedded PostgreSQL could not be set up: ${result.error?.message ?? result.stderr.trim().split('\n').at(-1)}`,
    )
  }
  await rename(unfinished, cluster).catch(async (error) => {
    ignoreExisting(error)
    await rm(unfinished, { recursive: true, force: true })
  })
}

/** Removes what killed processes left behind; a process that still runs keeps its folder. */
async function removeUnfinished(cluster: string): Promise<void> {
  const prefix = `${basename(cluster)}.`
  for (const name of await readdir(dirname(cluster))) {
    const pid = name.startsWith(prefix) ? Number(name.slice(prefix.length)) : Number.NaN
    if (Number.isInteger(pid) && (pid === process.pid || !isAlive(pid)))
      await rm(join(dirname(cluster), name), { recursive: true, force: true })
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return errorCode(error) === 'EPERM'
  }
}

export function ignoreAbsent(error: { code?: string }): undefined {
  if (error.code !== 'ENOENT') throw error
}

export function ignoreExisting(error: { code?: string }): void {
  if (error.code !== 'EEXIST' && error.code !== 'ENOTEMPTY') throw error
}
