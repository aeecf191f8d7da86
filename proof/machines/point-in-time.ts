import { execFile } from 'node:child_process'
import { chown, mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual, promisify } from 'node:util'
import { makeDataFolder } from '#bench/processes.ts'
import { callAs, deployedPgbackrest, tablesIn, timeBetween } from '#test/pgbackrest.ts'
import { type Finding, figure, holds, type Scale } from '../findings.ts'
import type { Cluster, NodeName } from './cluster.ts'
import { waitFor } from './processes.ts'
import { runLicet, THIS_RELEASE } from './site.ts'
import type { Tools } from './tools.ts'

const PORT = 5432
const WAIT_MS = 120_000
const call = promisify(execFile)

/** The database of a cluster with what keeps each of its changes. */
type Kept = {
  patronictl(...args: string[]): Promise<unknown>
  pgbackrest(node: NodeName, ...args: string[]): Promise<unknown>
  /** The first value that a statement returns on a machine, asked through its socket. */
  ask(node: NodeName, text: string): Promise<string>
}

/**
 * Brings a cluster back to a time between a sale and a mistake, as "Any point in time" in docs/operating.md says. `settings` name a database
 * of the cluster.
 */
export async function provePointInTime(
  tools: Tools,
  cluster: Cluster,
  settings: NodeJS.ProcessEnv,
  { onProgress }: Scale,
): Promise<Finding[]> {
  const what = 'After a mistake, each row of the cluster is as it was before'
  if (tools.account === undefined) return [{ what, figure: 'not run: it needs the account root', isMet: true }]
  const folder = await makeDataFolder()
  const licet = (...args: string[]) =>
    runLicet(THIS_RELEASE, args, { ...settings, LICET_DATA: join(folder, 'data'), LICET_CURRENCY_RATES_URL: '' })
  const tables = async (name: string) => {
    await licet('backup', join(folder, name))
    return tablesIn(join(folder, name))
  }
  await licet('company', 'create', '--name', 'Books', '--email', 'a@example.com')
  await licet('seed', '--products', '5', '--orders', '10')
  const kept = await keep(tools, tools.account, cluster)
  const primary = await cluster.primary()
  const ask = (text: string) => kept.ask(primary, text)
  const started = performance.now()
  await kept.pgbackrest(primary, '--type=full', 'backup')
  onProgress(`a full backup took ${((performance.now() - started) / 1000).toFixed(0)} s`)
  await timeBetween(ask)
  await licet('seed', '--products', '2', '--orders', '5')
  const before = await tables('before')
  const time = await timeBetween(ask)
  await licet('seed', '--products', '1', '--orders', '1')
  await ask('select pg_switch_wal()')
  const waiting = `select count(*) from pg_ls_archive_statusdir() where name like '%.ready'`
  await waitFor('the mistake is in the archive', async () => (await ask(waiting)) === '0', WAIT_MS)

  const stopped = performance.now()
  await goBack(kept, cluster, primary, time)
  const seconds = (performance.now() - stopped) / 1000
  onProgress(`brought back to ${time} in ${seconds.toFixed(0)} s`)
  const isSame = isDeepStrictEqual(await tables('after'), before)
  await licet('seed', '--products', '1')
  await kept.pgbackrest(await cluster.primary(), '--type=full', 'backup')
  return [holds(what, isSame), figure('Until the cluster ran again at that time, with its standbys', seconds, 's')]
}

/** Has every machine keep the changes that it makes as the primary. */
async function keep(tools: Tools, account: NonNullable<Tools['account']>, cluster: Cluster): Promise<Kept> {
  const room = await makeDataFolder()
  await chown(room, account.uid, account.gid)
  for (const name of ['repo', 'log']) {
    await mkdir(join(room, name))
    await chown(join(room, name), account.uid, account.gid)
  }
  for (const node of cluster.nodes) {
    const { data, socket, pgbackrest } = cluster.filesOf(node)
    await writeFile(pgbackrest, await deployedPgbackrest(room, { data, port: PORT, socket }))
  }
  const as = (file: string, args: readonly string[], env?: NodeJS.ProcessEnv) =>
    callAs({ account, room }, file, args, env)
  const [first] = cluster.nodes
  const kept: Kept = {
    patronictl: (...args) => call('patronictl', ['-c', cluster.filesOf(first!).config, ...args]),
    pgbackrest: (node, ...args) =>
      as(tools.pgbackrest, ['--stanza=licet', ...args], { PGBACKREST_CONFIG: cluster.filesOf(node).pgbackrest }),
    ask: (node, text) => {
      const { socket } = cluster.filesOf(node)
      return as(join(tools.postgres, 'psql'), ['-h', socket, '-U', 'postgres', '-Atc', text])
    },
  }
  for (const node of cluster.nodes) await uncomment(cluster.filesOf(node).config, [/archive_/])
  await kept.patronictl('reload', 'licet', '--force')
  const allHaveRead = async () => (await cluster.members()).every(({ pending_restart: isDue }) => isDue === true)
  await waitFor('each machine has read the settings', allHaveRead, WAIT_MS)
  await kept.patronictl('restart', 'licet', '--force')
  await cluster.untilWhole(cluster.nodes.length - 1)
  const primary = await cluster.primary()
  await kept.pgbackrest(primary, 'stanza-create')
  await kept.pgbackrest(primary, 'check')
  return kept
}

/** Makes settings of lines that are comments as they are deployed. */
async function uncomment(file: string, wanted: readonly RegExp[]): Promise<void> {
  const lines = (await readFile(file, 'utf8')).split('\n')
  const changed = lines.map((line) =>
    /^ *# /.test(line) && wanted.some((each) => each.test(line)) ? line.replace('# ', '') : line,
  )
  await writeFile(file, changed.join('\n'))
}

/** Nothing but the machine that was the primary is brought back; the others copy it. */
async function goBack({ patronictl, ask }: Kept, cluster: Cluster, node: NodeName, time: string) {
  const others = cluster.nodes.filter((each) => each !== node)
  // The primary last, because another one would take its place.
  for (const each of [...others, node]) {
    await cluster.stop(each)
    await rename(cluster.filesOf(each).data, `${cluster.filesOf(each).data}-before`)
  }
  const { config } = cluster.filesOf(node)
  await uncomment(config, [/method: pgbackrest/, / pgbackrest:/, /--target=/, /keep_existing/, /no_params/])
  await writeFile(config, (await readFile(config, 'utf8')).replace(/--target='.*?'/, `--target='${time}'`))
  const removal = patronictl('remove', 'licet') as ReturnType<typeof call>
  removal.child.stdin?.end('licet\nYes I am aware\n')
  await removal
  await cluster.start(node)
  await cluster.untilWhole(0)
  await waitFor('it is writable', async () => (await ask(node, 'select pg_is_in_recovery()')) === 'f', WAIT_MS)
  for (const each of others) await cluster.start(each)
  await cluster.untilWhole(others.length)
}
