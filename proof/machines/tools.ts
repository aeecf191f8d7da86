import { execFileSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { platform } from 'node:os'
import { onPath } from '#test/chromium.ts'

/** The programs that a cluster is made of, as Debian has them, and the account under which PostgreSQL runs. */
export type Tools = {
  etcd: string
  patroni: string
  haproxy: string
  nginx: string
  pgbackrest: string
  /** The folder with the programs of PostgreSQL, and what its `postgres --version` says. */
  postgres: string
  postgresVersion: string
  account: { uid: number; gid: number } | undefined
}

const PATH = `${process.env.PATH}:/usr/sbin`
const OLDEST_POSTGRES = 15
const PACKAGES = 'Debian packages postgresql, patroni, python3-etcd, etcd-server, haproxy, nginx-light and pgbackrest'

/** Finds the programs, or says in a sentence what is missing. */
export function findTools(): Tools | { missing: string } {
  if (platform() !== 'linux') return { missing: 'only Linux has the loopback addresses 127.0.0.11 and the like' }
  const [etcd, patroni, haproxy, nginx, pgbackrest] = ['etcd', 'patroni', 'haproxy', 'nginx', 'pgbackrest'].map(
    (name) => onPath(name, { PATH }),
  )
  const [postgres] = globSync('/usr/lib/postgresql/*/bin/postgres')
    .map((file) => file.replace(/\/postgres$/, ''))
    .filter((folder) => versionIn(folder) >= OLDEST_POSTGRES)
    .toSorted((one, other) => versionIn(other) - versionIn(one))
  if (!etcd || !patroni || !haproxy || !nginx || !pgbackrest || !postgres)
    return { missing: `it needs the ${PACKAGES}` }
  const postgresVersion = execFileSync(`${postgres}/postgres`, ['--version'], { encoding: 'utf8' }).trim()
  return { etcd, patroni, haproxy, nginx, pgbackrest, postgres, postgresVersion, account: findAccount() }
}

const versionIn = (folder: string) => Number(/postgresql\/(\d+)/.exec(folder)?.[1])

/** PostgreSQL refuses to run as root. */
function findAccount(): Tools['account'] {
  if (process.getuid?.() !== 0) return undefined
  const id = (option: string) => Number(execFileSync('id', [option, 'postgres'], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}
