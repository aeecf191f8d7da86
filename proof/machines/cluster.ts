import { chown, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { childrenOf } from '#bench/machine.ts'
import { atCleanUp, makeDataFolder } from '#bench/processes.ts'
import { type Program, startProgram, statusOf, waitFor } from './processes.ts'
import type { Tools } from './tools.ts'

/** The names in deploy/patroni, and the ends of their addresses. */
const ADDRESSES = { one: 11, two: 12, three: 13 } as const
export type NodeName = keyof typeof ADDRESSES

const DEPLOYED = new URL('../../deploy/patroni/', import.meta.url)
/** The passwords that operators choose. */
const [SUPERUSER, REPLICATION, REST] = ['CHANGE-ME-AS-WELL', 'CHANGE-ME-FINALLY', 'CHANGE-ME-TOO'] as const
const SECRETS = { [SUPERUSER]: 'of the superuser', [REPLICATION]: 'of the standbys', [REST]: 'of the operator' }
const READY_MS = 120_000
const HASTY = Object.entries({ ttl: 6, loop_wait: 1, retry_timeout: 2 })

/** Where a machine has the configurations of Patroni and pgBackRest, its database and the socket of PostgreSQL. */
export type NodeFiles = { config: string; pgbackrest: string; data: string; socket: string }

export type Member = { name: string; role: string; state: string; pending_restart?: boolean }

/** PostgreSQL on several machines, kept by Patroni and etcd, behind HAProxy. Each machine is an address of the loopback network. */
export type Cluster = {
  readonly nodes: readonly NodeName[]
  /** Where a database is, through HAProxy. It is created if it is not there. */
  settingsOf(database: string): Promise<{ DATABASE_URL: string; DATABASE_STANDBY_URL: string }>
  /** What Patroni says of its members. */
  members(): Promise<Member[]>
  primary(): Promise<NodeName>
  /** The standby that confirms the commits of the primary. */
  confirming(): Promise<NodeName>
  filesOf(node: NodeName): NodeFiles
  /** Asks Patroni to end, and PostgreSQL with it. */
  stop(node: NodeName): Promise<void>
  /** Ends all that runs on a machine, as a power cut does, etcd included if it has one. */
  kill(node: NodeName): Promise<void>
  /** Ends PostgreSQL alone with SIGKILL, while its Patroni goes on. */
  crash(node: NodeName): Promise<void>
  start(node: NodeName): Promise<void>
  /** Makes a standby the primary as `patronictl switchover` does; resolves when that is done. */
  switchOver(): Promise<void>
  /** Waits until there is a primary and so many standbys that follow, one of which confirms commits. */
  untilWhole(standbys: number): Promise<void>
}

type Options = {
  nodes: readonly NodeName[]
  /** The machines with etcd. */
  voters: readonly NodeName[]
  /** Does it notice a loss sooner than an operator should want it to? Only Patroni up to 3.0 takes such times. */
  isHasty: boolean
}

/** Starts a cluster from the files in deploy/patroni. */
export async function startCluster(tools: Tools, { nodes, voters, isHasty }: Options): Promise<Cluster> {
  const folder = await makeDataFolder()
  // A network of its own for each run, so that two of them on one machine do not meet.
  const network = `127.${1 + Math.floor(Math.random() * 250)}.${Math.floor(Math.random() * 250)}.`
  const addressOf = (node: NodeName) => `${network}${ADDRESSES[node]}`
  const deployed = async (file: string) =>
    (await readFile(new URL(file, DEPLOYED), 'utf8')).replaceAll('10.0.0.', network)
  const running = new Map<NodeName, { patroni?: Program; etcd?: Program }>(nodes.map((node) => [node, {}]))
  for (const node of voters) if (!running.has(node)) running.set(node, {})
  const filesOf = (node: NodeName): NodeFiles => {
    const inRoom = (name: string) => join(folder, node, name)
    return {
      config: inRoom('patroni.yml'),
      pgbackrest: inRoom('pgbackrest.conf'),
      data: inRoom('data'),
      socket: inRoom('socket'),
    }
  }
  atCleanUp(async () => {
    for (const node of running.keys()) await kill(node)
  })

  async function prepare(node: NodeName): Promise<void> {
    const room = join(folder, node)
    const { config, data, socket } = filesOf(node)
    await mkdir(socket, { recursive: true })
    let text = (await deployed('patroni.yml'))
      .replace('name: one', `name: ${node}`)
      .replaceAll(/((?:listen|connect_address): )[\d.]+/g, `$1${addressOf(node)}`)
      .replace('/var/lib/postgresql/15/licet', data)
      .replace('/usr/lib/postgresql/15/bin', tools.postgres)
      .replace('/var/lib/postgresql/patroni.pgpass', join(room, 'pgpass'))
      .replace('/var/run/postgresql', socket)
    // Connections between addresses of the loopback network come from 127.0.0.1.
    text = text.replaceAll(`${network}0/24`, '127.0.0.0/8')
    // During a restore, Patroni accepts no connections but its own, which here have another address than the one it expects.
    text = text
      .replace('\npostgresql:\n', '\npostgresql:\n  use_unix_socket: true\n')
      .replace('local all all peer', 'local all all trust')
    for (const [password, chosen] of Object.entries(SECRETS)) text = text.replace(password, chosen)
    // Each of the three is a machine of its own, so that they find each other at these addresses alone.
    text = text.replace(/ {4}- [\d.]+:2379\n/g, (line) =>
      voters.some((voter) => line.includes(`${addressOf(voter)}:`)) ? line : '',
    )
    if (isHasty)
      for (const [time, seconds] of HASTY) text = text.replace(new RegExp(`${time}: \\d+`), `${time}: ${seconds}`)
    await writeFile(config, text)
    const { account } = tools
    if (account !== undefined) for (const path of [room, socket, config]) await chown(path, account.uid, account.gid)
  }

  async function startEtcd(node: NodeName): Promise<Program> {
    const lines = (await deployed('etcd.env')).split('\n').filter((line) => /^\w+=/.test(line))
    const all: Record<string, string> = Object.fromEntries(lines.map((line) => line.split(/=(.*)/s).slice(0, 2)))
    const own = Object.fromEntries(
      Object.entries(all).map(([name, value]) => [
        name,
        name.endsWith('_URLS') ? value.replace(addressOf('one'), addressOf(node)) : value,
      ]),
    )
    const members = String(all.ETCD_INITIAL_CLUSTER).split(',')
    const env = {
      ...own,
      ETCD_NAME: node,
      ETCD_DATA_DIR: join(folder, `etcd-${node}`),
      ETCD_INITIAL_CLUSTER: members
        .filter((member) => voters.some((voter) => member.startsWith(`${voter}=`)))
        .join(','),
    }
    return startProgram(tools.etcd, [], { env })
  }

  function startPatroni(node: NodeName): Program {
    const { config, pgbackrest } = filesOf(node)
    return startProgram(tools.patroni, [config], {
      cwd: join(folder, node),
      account: tools.account,
      // PostgreSQL calls pgBackRest, which would look in /etc.
      env: { HOME: join(folder, node), PGBACKREST_CONFIG: pgbackrest },
    })
  }

  async function start(node: NodeName): Promise<void> {
    const machine = running.get(node) ?? {}
    running.set(node, machine)
    if (voters.includes(node) && machine.etcd?.isRunning() !== true) machine.etcd = await startEtcd(node)
    if (nodes.includes(node)) machine.patroni = startPatroni(node)
  }

  async function crash(node: NodeName): Promise<void> {
    const postmaster = Number.parseInt(
      await readFile(join(filesOf(node).data, 'postmaster.pid'), 'utf8').catch(() => ''),
      10,
    )
    if (!(postmaster > 0)) return
    for (const pid of [postmaster, ...childrenOf(postmaster)]) {
      try {
        process.kill(pid, 'SIGKILL')
      } catch {
        // It has ended meanwhile.
      }
    }
  }

  async function kill(node: NodeName): Promise<void> {
    const machine = running.get(node)
    // Patroni as well, because it would start the server again.
    const ends = [machine?.patroni?.kill(), machine?.etcd?.kill()]
    await crash(node)
    await Promise.all(ends)
  }

  async function stop(node: NodeName): Promise<void> {
    await running.get(node)?.patroni?.stop()
  }

  async function members(): Promise<Member[]> {
    for (const node of nodes) {
      const answer = await fetch(`http://${addressOf(node)}:8008/cluster`, { signal: AbortSignal.timeout(2000) }).catch(
        () => undefined,
      )
      if (answer?.ok === true) return ((await answer.json()) as { members: Member[] }).members
    }
    return []
  }

  async function primary(): Promise<NodeName> {
    for (const node of nodes) if ((await statusOf(`http://${addressOf(node)}:8008/primary`)) === 200) return node
    throw new Error('no machine is the primary')
  }

  async function confirming(): Promise<NodeName> {
    const all = await members()
    const found = nodes.find((node) => all.some(({ name, role }) => name === node && role === 'sync_standby'))
    if (found === undefined) throw new Error(`no standby confirms commits: ${JSON.stringify(all)}`)
    return found
  }

  async function switchOver(): Promise<void> {
    const leader = await primary()
    const authorization = `Basic ${Buffer.from(`patroni:${SECRETS[REST]}`).toString('base64')}`
    const answer = await fetch(`http://${addressOf(leader)}:8008/switchover`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ leader }),
    })
    if (answer.status !== 200) throw new Error(`the switchover is refused: ${await answer.text()}`)
  }

  async function untilWhole(standbys: number): Promise<void> {
    const isWhole = async () => {
      const all = await members()
      const alive = all.filter(({ state }) => state === 'running' || state === 'streaming')
      const followers = alive.filter(({ role }) => role !== 'leader')
      const hasConfirming = standbys === 0 || followers.some(({ role }) => role === 'sync_standby')
      return alive.some(({ role }) => role === 'leader') && followers.length >= standbys && hasConfirming
    }
    await waitFor('the cluster is whole', isWhole, READY_MS).catch(async (error) => {
      const said = [...running].map(([node, { patroni }]) => `${node}: ${patroni?.said().slice(-1500)}`)
      throw new Error(`${error.message}: ${JSON.stringify(await members())}\n${said.join('\n')}`)
    })
  }

  async function administer(text: string): Promise<number> {
    const client = new pg.Client({
      host: `${network}10`,
      port: 5000,
      user: 'postgres',
      password: SECRETS[SUPERUSER],
      database: 'postgres',
    })
    await client.connect()
    try {
      return (await client.query(text)).rowCount ?? 0
    } finally {
      await client.end()
    }
  }

  async function settingsOf(database: string) {
    if ((await administer(`select 1 from pg_roles where rolname = 'licet'`)) === 0)
      await administer(`create role licet login password 'secret'`)
    if ((await administer(`select 1 from pg_database where datname = '${database}'`)) === 0)
      await administer(`create database ${database} owner licet`)
    const urlAt = (port: number) => `postgres://licet:secret@${network}10:${port}/${database}`
    return { DATABASE_URL: urlAt(5000), DATABASE_STANDBY_URL: urlAt(5001) }
  }

  async function startProxy(): Promise<void> {
    const file = join(folder, 'haproxy.cfg')
    await writeFile(file, (await deployed('haproxy.cfg')).replaceAll('bind 127.0.0.1:', `bind ${network}10:`))
    startProgram(tools.haproxy, ['-db', '-f', file])
  }

  for (const node of nodes) await prepare(node)
  await Promise.all(voters.map(async (node) => (running.get(node)!.etcd = await startEtcd(node))))
  const isHealthy = async (node: NodeName) => (await statusOf(`http://${addressOf(node)}:2379/health`)) === 200
  await waitFor('etcd is healthy', async () => (await Promise.all(voters.map(isHealthy))).every(Boolean), READY_MS)
  // The first one makes the database, the others copy it.
  const [first, ...others] = nodes
  await start(first!)
  await untilWhole(0)
  for (const node of others) await start(node)
  await startProxy()
  await untilWhole(others.length)
  const cluster: Cluster = {
    nodes,
    settingsOf,
    members,
    primary,
    confirming,
    filesOf,
    stop,
    kill,
    crash,
    start,
    switchOver,
    untilWhole,
  }
  await waitFor(
    'HAProxy leads to the primary',
    () =>
      administer('select 1').then(
        (n) => n === 1,
        () => false,
      ),
    READY_MS,
  )
  return cluster
}
