import { readdir, readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { inTransaction } from '#platform/db/transaction.ts'
import { type ProofDatabase, startDatabase } from './database.ts'
import { type Finding, figure, holds, type Part, type Scale } from './findings.ts'
import { onStage, type Stage } from './load/run.ts'
import { isShed, startTraffic } from './load/traffic.ts'
import { untilReady } from './load/until-ready.ts'
import { workerFor } from './load/worker.ts'

/** How long faults last that are not over at once, and how much comes meanwhile. */
type Times = {
  perSecond: number
  pauseMs: [number, number]
  goneMs: number
  frozenMs: number
  lockedMs: number
  clients: number
}

const LONG: Times = {
  perSecond: 20,
  pauseMs: [200, 2000],
  goneMs: 60_000,
  frozenMs: 10_000,
  lockedMs: 8000,
  clients: 200,
}
const SHORT: Times = { perSecond: 10, pauseMs: [100, 600], goneMs: 1500, frozenMs: 1500, lockedMs: 1500, clients: 10 }

/** Its short form is proof/faults.test.ts. */
export const faults: Part = {
  title: 'Faults under load',
  about: `While the mix of a working shop comes, the service, the worker and the database are killed at random moments, in turn. Then the
database is stopped for a while and started again, it is frozen with all of its processes as by a disk that stands still, all connections
for changes wait for a lock, and clients send half of an order or a byte a second. At the end, the ledgers of the load and of the
gateway are compared with what is stored. An answer that was lost leaves open whether the order exists, but not whether it exists twice or in part.`,
  async prove(scale) {
    const database = await startDatabase()
    const size = scale.isShort ? { films: 2, customers: 2, rare: 3 } : { films: 5, customers: 10, rare: 100 }
    const options = { ...size, pressesMax: 3, worker: workerFor(scale) }
    return onStage(database, options, (stage) => prove(stage, database, scale))
  },
}

async function prove(stage: Stage, database: ProofDatabase, scale: Scale): Promise<Finding[]> {
  const { rounds, isShort, onProgress } = scale
  const times = isShort ? SHORT : LONG
  const traffic = startTraffic(stage.requests, times.perSecond)
  const victims = {
    service: () => stage.serve.killAndRestart(),
    worker: () => stage.worker.killAndRestart(),
    database: async () => void process.kill(await database.pid(), 'SIGKILL'),
  }
  const kills = isShort ? 1 : rounds
  for (let round = 1; round <= kills; round += 1) {
    for (const kill of Object.values(victims)) {
      const [least, most] = times.pauseMs
      await sleep(least + Math.random() * (most - least))
      await kill()
      await untilReady(stage)
    }
    onProgress(`${round} rounds of kills, ${stage.ledger.orders.length} orders asked for`)
  }
  await database.stop()
  await sleep(times.goneMs)
  await database.start()
  await untilReady(stage)
  onProgress('The database was gone and is back.')
  await freeze(await database.pid(), times.frozenMs)
  await untilReady(stage)
  onProgress('The database was frozen and goes on.')
  await holdOrders(stage, times.lockedMs)
  onProgress('All changes had to wait.')
  await tear(await stage.address(), stage.shop.token, times.clients)
  await traffic.stop()
  const mistakes = await stage.settle()
  for (const { what, found, expected } of mistakes)
    onProgress(`${what}: ${JSON.stringify(found)} instead of ${JSON.stringify(expected)}`)
  const { orders } = stage.ledger
  const ofStatus = (status: number | undefined) => traffic.answered.filter((answer) => answer.status === status).length
  return [
    figure('Kills of the service, of the worker and of the database, each', kills, ''),
    figure('Requests', traffic.answered.length, ''),
    figure('Without an answer', ofStatus(undefined), 'requests'),
    figure('Refused with 503 or 429', traffic.answered.filter(isShed).length, 'requests'),
    figure('Answered with 500', ofStatus(500), 'requests'),
    figure('Orders asked for', orders.length, ''),
    figure('Orders answered with success', orders.filter(({ fate }) => fate === 'done').length, ''),
    figure('Orders of which nobody was told what became', orders.filter(({ fate }) => fate === 'unknown').length, ''),
    holds('Everything that is stored is as the ledger says', mistakes.length === 0),
  ]
}

const AGAIN_MS = 50
async function childrenOf(parent: number): Promise<number[]> {
  const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 0)
  const parents = await Promise.all(
    pids.map(async (pid) => {
      const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
      return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
    }),
  )
  return pids.filter((_pid, index) => parents[index] === parent)
}

/** Nothing is answered and no connection breaks, as when a disk stands still. */
async function freeze(server: number, ms: number): Promise<void> {
  process.kill(server, 'SIGSTOP')
  const stopped = [server]
  try {
    for (const pid of await childrenOf(server)) {
      process.kill(pid, 'SIGSTOP')
      stopped.push(pid)
    }
    await sleep(ms)
  } finally {
    for (const pid of stopped.toReversed()) process.kill(pid, 'SIGCONT')
  }
}

/** Every order waits for a lock, with the connection that it has. */
async function holdOrders({ store }: Stage, ms: number): Promise<void> {
  await inTransaction(store.db, async (tx) => {
    await sql`lock table orders in exclusive mode`.execute(tx)
    await sleep(ms)
  })
}

const SLOW_MS = 1000
const SLOW_BYTES = 3

/** Clients that end in the middle of an order, and others that send it a byte a second and then end. */
async function tear(address: string, token: string, count: number): Promise<void> {
  const { hostname, port } = new URL(address)
  const body = JSON.stringify({ order: { po_number: 'torn', line_items: [] } })
  const head = `POST /api/orders.json HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`
  const client = async (isSlow: boolean) => {
    const socket = connect(Number(port), hostname)
    socket.on('error', () => {})
    socket.write(isSlow ? head : head + body.slice(0, body.length / 2))
    for (let byte = 0; isSlow && byte < SLOW_BYTES; byte += 1) {
      socket.write(body.charAt(byte))
      await sleep(SLOW_MS)
    }
    await sleep(AGAIN_MS)
    socket.destroy()
  }
  await Promise.all(Array.from({ length: count }, (_each, index) => client(index % 2 === 0)))
}
