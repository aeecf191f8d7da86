import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { makeDataFolder } from '#bench/processes.ts'
import { isAlive } from '#platform/db/embedded/cluster.ts'
import { type ProofDatabase, startDatabase } from './database.ts'
import { mountSmallDisk, type SmallDisk, whyNotMountable } from './disk/small-disk.ts'
import { startUploads } from './disk/uploads.ts'
import { type Finding, figure, holds, type Part, type Scale } from './findings.ts'
import { onStage, type Stage } from './load/run.ts'
import { type Answered, startTraffic } from './load/traffic.ts'
import { untilReady } from './load/until-ready.ts'
import { workerFor } from './load/worker.ts'

type Times = { perSecond: number; fullMs: number; betweenMs: number }

const LONG: Times = { perSecond: 20, fullMs: 30_000, betweenMs: 15_000 }
const SHORT: Times = { perSecond: 8, fullMs: 1200, betweenMs: 500 }
const ROUNDS_MAX = 20
const DATABASE_MB = 400
const FILES_MB = 16

/** Its short form is proof/disk.test.ts. */
export const disk: Part = {
  title: 'Full disks under load',
  about: `PostgreSQL and the files of the service are on small file systems of their own. While the mix of a working shop comes and pictures are
uploaded, first the one with the files is filled to the last byte and cleared again, then that of the database. There, PostgreSQL also has to
begin a new segment of its write-ahead log, for which there is no room: it ends, and cannot start before there is. Nothing is restarted by
hand. At the end, the ledgers of the load and of the gateway are compared with what is stored, and every picture that was taken is fetched
again. Only root can mount file systems; elsewhere nothing of this is looked at.`,
  async prove(scale) {
    const folder = await makeDataFolder()
    const disks = await mountBoth(folder)
    if (disks === undefined)
      return [
        {
          what: 'Full disks',
          figure: `not looked at: ${whyNotMountable() ?? 'no file system could be mounted'}`,
          isMet: true,
        },
      ]
    const database = await startDatabase({
      folder: disks.database.folder,
      dataFolder: join(disks.files.folder, 'service'),
    })
    const size = scale.isShort ? { films: 2, customers: 2, rare: 3 } : { films: 5, customers: 10, rare: 100 }
    const options = { ...size, pressesMax: 3, worker: workerFor(scale) }
    return onStage(database, options, (stage) => prove(stage, disks, database, scale))
  },
}

type Disks = { database: SmallDisk; files: SmallDisk }

async function mountBoth(folder: string): Promise<Disks | undefined> {
  if (whyNotMountable() !== undefined) return undefined
  const database = await mountSmallDisk(join(folder, 'database'), DATABASE_MB)
  const files = await mountSmallDisk(join(folder, 'files'), FILES_MB)
  return database === undefined || files === undefined ? undefined : { database, files }
}

async function prove(stage: Stage, disks: Disks, database: ProofDatabase, scale: Scale): Promise<Finding[]> {
  const times = scale.isShort ? SHORT : LONG
  const rounds = scale.isShort ? 1 : Math.min(scale.rounds, ROUNDS_MAX)
  const traffic = startTraffic(stage.requests, times.perSecond)
  const orders = startTraffic(stage.requests, 2, 'order')
  const uploads = startUploads(stage)
  for (let round = 1; round <= rounds; round += 1) {
    await sleep(times.betweenMs)
    await disks.files.fill()
    await sleep(times.fullMs)
    await disks.files.clear()
    await sleep(times.betweenMs)
    await disks.database.fill()
    await sleep(times.fullMs)
    await endLog(stage, await database.pid())
    await sleep(times.fullMs)
    await disks.database.clear()
    await untilReady(stage)
    scale.onProgress(`${round} rounds of full disks, ${stage.ledger.orders.length} orders asked for`)
  }
  const atOnce = await canOrder(stage)
  await uploads.stop()
  await Promise.all([traffic.stop(), orders.stop()])
  const mistakes = await stage.settle()
  const damaged = await uploads.damaged()
  for (const { what, found, expected } of mistakes)
    scale.onProgress(`${what}: ${JSON.stringify(found)} instead of ${JSON.stringify(expected)}`)
  for (const what of damaged) scale.onProgress(what)
  const answered = [...traffic.answered, ...orders.answered]
  const defects = answered.filter(isDefect)
  for (const { kind, status } of defects) scale.onProgress(`${kind} was answered with ${status}`)
  return [
    figure('Rounds in which both disks were full, and PostgreSQL ended for want of room', rounds, ''),
    figure('Requests', answered.length, ''),
    figure('Refused with 503', answered.filter(({ status }) => status === 503).length, 'requests'),
    figure('Uploads answered with success', uploads.stored, ''),
    figure('Uploads refused with 503', uploads.statuses.filter((status) => status === 503).length, ''),
    holds('No request and no upload was answered as a defect', defects.length === 0 && !uploads.statuses.includes(500)),
    holds('Orders are taken again as soon as there is room', atOnce),
    holds('Every picture that was taken is there', damaged.length === 0),
    figure('Orders answered with success', stage.ledger.orders.filter(({ fate }) => fate === 'done').length, ''),
    holds('Everything that is stored is as the ledger says', mistakes.length === 0),
  ]
}

const isDefect = ({ status }: Answered) => status === 500

const AGAIN_MS = 20
const END_MS = 60_000

/** Has PostgreSQL fill its write-ahead log until it needs a segment for which there is no room, and ends. */
async function endLog({ store }: Stage, server: number): Promise<void> {
  const deadline = performance.now() + END_MS
  while (isAlive(server)) {
    if (performance.now() > deadline) throw new Error('PostgreSQL goes on without room for its write-ahead log')
    const full = sql`select pg_logical_emit_message(false, 'proof', 'full'), pg_switch_wal()`
    await full.execute(store.db).catch(() => sleep(AGAIN_MS))
  }
}

const ORDERS = 20

async function canOrder({ requests, ledger }: Stage): Promise<boolean> {
  const done = () => ledger.orders.filter(({ fate }) => fate === 'done').length
  const before = done()
  for (let order = 0; order < ORDERS && done() === before; order += 1) await requests.send('order')
  return done() > before
}
