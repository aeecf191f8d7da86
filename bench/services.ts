import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { cpuMs, familyCpu, familyCpuMs, OTHER_CORE, pinWithChildren, TESTED_CORE } from './machine.ts'
import { atCleanUp, makeDataFolder, nextLine, type Running, run, START_MS, STOP_MS } from './processes.ts'

export type Service = Running & { address: string; token: string; companyId: number; started: Started }

/** What it took from the start of the process to the first answer. */
export type Started = { ms: number; cpuMs: number; databaseMs: number }

export function settings(folder: string): NodeJS.ProcessEnv {
  return {
    PORT: '0',
    HOST: '127.0.0.1',
    LICET_DATA: folder,
    LICET_RATE_LIMIT_BURST: '1000000',
    LICET_RATE_LIMIT_PER_SECOND: '1000000',
    // The floor refuses nothing either.
    LICET_REFUSE_AFTER_MS: '0',
    LICET_LOG_LEVEL: 'warn',
    DATABASE_URL: '',
    LICET_BASE_URL: '',
    NODE_ENV: '',
  }
}

/** Starts the service and returns after its first response. */
export async function startService(
  folder: string,
  options: readonly '--no-worker'[] = [],
  more: NodeJS.ProcessEnv = {},
): Promise<Service> {
  const started = performance.now()
  const service = run(TESTED_CORE, ['bin/licet.mjs', 'serve', '--json', ...options], { ...settings(folder), ...more })
  atCleanUp(() => stopDatabase(folder, service))
  const greeting: { address: string; access_token: string; company_id: number } = JSON.parse(
    await nextLine(service, START_MS),
  )
  const first = await fetch(`${greeting.address}/api/products.json?limit=1`, {
    headers: { authorization: `Bearer ${greeting.access_token}` },
  })
  if (first.status !== 200) throw new Error(`the service answers ${first.status}: ${await first.text()}`)
  await first.text()
  const postmaster = await postmasterPid(folder)
  const database = familyCpuMs(new Map(), familyCpu(postmaster))
  const took = { ms: performance.now() - started, cpuMs: cpuMs(service.pid), databaseMs: database }
  pinWithChildren(OTHER_CORE, postmaster)
  return {
    ...service,
    address: greeting.address,
    token: greeting.access_token,
    companyId: greeting.company_id,
    started: took,
  }
}

const lockFile = (folder: string) => join(folder, 'postgres', 'postmaster.pid')

/** The lines of PostgreSQL's lock file: its process first, the folder of its socket fifth. */
async function lockLines(folder: string): Promise<string[]> {
  return (await readFile(lockFile(folder), 'utf8')).split('\n')
}

export async function postmasterPid(folder: string): Promise<number> {
  return Number((await lockLines(folder))[0])
}

/** The service stops its database itself; if the service was killed, the database is stopped here. */
async function stopDatabase(folder: string, service: Running): Promise<void> {
  await service.stop()
  const [pid] = await lockLines(folder).catch(() => [])
  if (pid === undefined) return
  process.kill(Number(pid), 'SIGINT')
  for (let waited = 0; existsSync(lockFile(folder)) && waited < STOP_MS; waited += 50) await sleep(50)
}

export async function seed(folder: string, products: number, orders: number): Promise<void> {
  const amounts = ['--products', String(products), '--orders', String(orders)]
  const seeding = run(OTHER_CORE, ['bin/licet.mjs', 'seed', '--json', ...amounts], settings(folder))
  await nextLine(seeding, 3_600_000)
  await seeding.stop()
}

/** The folder of the socket of the database that the service started. */
export async function databaseHost(folder: string): Promise<string> {
  const host = (await lockLines(folder))[4] ?? ''
  atCleanUp(() => rm(host, { recursive: true, force: true }), 'last')
  return host
}

/** Closes the connection after the work: an open one would keep the service from stopping its database. */
export async function withDatabase<Result>(host: string, work: (client: pg.Client) => Promise<Result>) {
  const client = new pg.Client({ host, user: 'licet', database: 'licet' })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Starts a worker without the HTTP service on the database of a folder. */
export async function startWorker(folder: string): Promise<Running> {
  const worker = run(TESTED_CORE, ['bin/licet.mjs', 'worker', '--json'], settings(folder))
  await nextLine(worker, START_MS)
  return worker
}

/** A service with a shop that is filled, and its database. */
export type Filled = { folder: string; host: string; postmaster: number; first: Started; service: Service }

type Filling = {
  products: number
  orders: number
  flags?: readonly '--no-worker'[]
  env?: NodeJS.ProcessEnv
}

/**
 * Fills a shop, and starts its service a second time: the first start still makes pictures and files of the demo shop after
 * its first answer. A smoke run fills one small shop, and every section gets a copy of it.
 */
export async function startFilled({ products, orders, flags, env }: Filling, smoke: boolean): Promise<Filled> {
  const { folder, first } = smoke ? await copySmall() : await fillShop(products, orders)
  const service = await startService(folder, flags, env)
  return { folder, host: await databaseHost(folder), postmaster: await postmasterPid(folder), first, service }
}

type Shop = { folder: string; first: Started }

async function fillShop(products: number, orders: number): Promise<Shop> {
  console.log(`Filling a shop with ${products} products and ${orders} orders …`)
  const folder = await makeDataFolder()
  const service = await startService(folder)
  await seed(folder, products, orders)
  await service.stop()
  return { folder, first: service.started }
}

/** More than two pages of either, because lists begin somewhere before the last page. */
const [SMALL_PRODUCTS, SMALL_ORDERS] = [120, 120]
let small: Shop | undefined
/** What a kept shop took to start, beside its data. */
const FIRST = 'first-start.json'

/**
 * Fills the shop of a smoke run. It has to outlast the sections, so it is filled before the first one. If a folder is named, the
 * shop is kept there, and smoke runs after the first one take it from there.
 */
export async function fillSmall(kept: string | undefined): Promise<void> {
  if (kept === undefined) {
    small = await fillShop(SMALL_PRODUCTS, SMALL_ORDERS)
    return
  }
  const folder = join(kept, 'shop')
  if (!existsSync(join(kept, FIRST))) {
    const filled = await fillShop(SMALL_PRODUCTS, SMALL_ORDERS)
    copyFolder(filled.folder, folder)
    await writeFile(join(kept, FIRST), JSON.stringify(filled.first))
  }
  small = { folder, first: JSON.parse(await readFile(join(kept, FIRST), 'utf8')) }
}

/** A folder for a database with no shop in it. In a smoke run it has the small one, because a copy takes less time. */
export async function makeFolder(smoke: boolean): Promise<string> {
  return smoke ? (await copySmall()).folder : makeDataFolder()
}

async function copySmall(): Promise<Shop> {
  if (small === undefined) throw new Error('the shop of the smoke run was not filled')
  const folder = await makeDataFolder()
  copyFolder(small.folder, folder)
  return { ...small, folder }
}

/** Owners are kept: PostgreSQL refuses a folder that is not its own. */
function copyFolder(from: string, to: string): void {
  const copied = spawnSync('cp', ['-a', `${from}/.`, to], { encoding: 'utf8' })
  if (copied.status !== 0) throw new Error(`the small shop could not be copied: ${copied.stderr}`)
}
