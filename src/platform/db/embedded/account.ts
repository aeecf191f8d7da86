import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** The account that the server runs under; undefined is our own. PostgreSQL refuses to run as root. */
export type Account = { uid: number; gid: number } | undefined

const NAME = 'licet'

function lookUp(name: string): Account {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith(`${name}:`))
  const [, , uid, gid] = line?.split(':') ?? []
  return uid === undefined ? undefined : { uid: Number(uid), gid: Number(gid) }
}

/** As root, the service's own account, made at the first start; where none can be made, the machine's `nobody`. */
export function serverAccount(): Account {
  if (process.getuid?.() !== 0) return undefined
  const existing = lookUp(NAME)
  if (existing !== undefined) return existing
  spawnSync('useradd', ['--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin', NAME])
  if (lookUp(NAME) === undefined) spawnSync('adduser', ['-S', '-D', '-H', NAME])
  return lookUp(NAME) ?? lookUp('nobody')
}

/** May the account enter this folder? The system decides, because it also knows access lists and mounts. */
export function canEnter(account: { uid: number; gid: number }, folder: string): boolean {
  return spawnSync('/bin/sh', ['-c', 'cd "$0"', folder], { ...account, cwd: '/', stdio: 'ignore' }).status === 0
}
