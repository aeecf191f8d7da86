import { setTimeout as sleep } from 'node:timers/promises'
import { costFigures, type Measured } from './figures.ts'
import { cpuMs, rssMb } from './machine.ts'
import { median } from './measure.ts'
import type { Options } from './options.ts'
import { startBareServer } from './processes.ts'
import { aimLine, number } from './report.ts'
import { type Started, startFilled, startService, withDatabase } from './services.ts'
import { fetchBody } from './verify.ts'

const IDLE_SECONDS = 5
const IDLE_RSS_MB_MAX = 135
const [PRODUCTS, ORDERS] = [500, 500]
/** Any answer that the floor finds in its table. */
const READY = '/ready.json'

/** Starts a bare handler with connections to the same database, which is the least that a start can take. */
async function startFloor(host: string): Promise<{ started: Started; rss: () => number; stop(): Promise<void> }> {
  const start = performance.now()
  const floor = await startBareServer('bench/rights/floor.ts', host)
  await fetchBody(floor, { method: 'GET', path: READY })
  const started = { ms: performance.now() - start, cpuMs: cpuMs(floor.pid), databaseMs: 0 }
  return { started, rss: () => rssMb(floor.pid), stop: floor.stop }
}

function medianStart(starts: readonly Started[]): Started {
  const of = (name: keyof Started) => median(starts.map((started) => started[name]))
  return { ms: of('ms'), cpuMs: of('cpuMs'), databaseMs: of('databaseMs') }
}

/** Measures the memory at rest, the first start on an empty folder, and later starts. */
export async function measureStart({ smoke, rounds }: Options): Promise<Measured> {
  const filled = await startFilled({ products: PRODUCTS, orders: ORDERS }, smoke)
  const { folder, host, first } = filled
  console.log('Measuring starts and the memory at rest …')
  await withDatabase(host, async (client) => {
    await client.query('create schema floor; create table floor.answers (path text primary key, body text not null)')
    await client.query('insert into floor.answers values ($1, $2)', [READY, '{}'])
  })
  let { service } = filled
  const [warm, bare]: [Started[], Started[]] = [[service.started], []]
  const [ours, theirs]: [number[], number[]] = [[], []]
  for (let round = 0; round < rounds; round += 1) {
    if (round > 0) {
      await service.stop()
      service = await startService(folder)
      warm.push(service.started)
    }
    const floor = await startFloor(host)
    bare.push(floor.started)
    if (!smoke) await sleep(IDLE_SECONDS * 1000)
    ours.push(rssMb(service.pid))
    theirs.push(floor.rss())
    await floor.stop()
  }
  const [later, floor] = [medianStart(warm), medianStart(bare)]
  const memoryMb = median(ours)
  const figure = (name: string, started: Started) => ({
    name,
    compared: 1,
    ratio: floor.ms / started.ms,
    cpuRatio: costFigures(floor, started).cpuRatio,
    cpuMs: started.cpuMs,
    databaseMs: started.databaseMs,
  })
  const line = (what: string, { ms, cpuMs, databaseMs }: Started) =>
    `${what} to the first answer: CPU ${number(cpuMs)} ms, PostgreSQL ${number(databaseMs)} ms, ${number(ms)} ms by the clock`
  return {
    figures: [
      figure('first', first),
      figure('warm', later),
      { name: 'idle', compared: 1, ratio: median(theirs) / memoryMb, memoryMb },
    ],
    lines: [
      aimLine('idle RSS', memoryMb, ' MB', IDLE_RSS_MB_MAX),
      line('first start (empty folder, setup of the database included)', first),
      line('later start', later),
      line('start of the floor', floor),
    ],
    details: { first, warm, floor: bare, idleRssMb: ours, floorRssMb: theirs },
  }
}
