import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface, type Interface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import type { LoadResult, Order } from './load.ts'
import { OTHER_CORE, pinned, pinWithChildren, TESTED_CORE } from './machine.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const STOP_MS = 40_000
const START_MS = 120_000
const TASK_MS = 600_000

export type Running = { pid: number; child: ChildProcess; lines: Interface; stop(): Promise<void> }

const cleanups: (() => Promise<void>)[] = []

/** Has a task done at the end, before those that were added earlier. */
export function atCleanUp(undo: () => Promise<void>): void {
  cleanups.push(undo)
}

let cleaning: Promise<void> | undefined

/** Undoes everything that was started or made, latest first; a failure is printed and the rest goes on. */
export function cleanUp(): Promise<void> {
  // A Ctrl-C makes the run fail too: both wait for the same cleanup, otherwise the first to finish would end the
  // other's.
  cleaning ??= undoAll()
  return cleaning
}

async function undoAll(): Promise<void> {
  for (let undo = cleanups.pop(); undo !== undefined; undo = cleanups.pop())
    await undo().catch((error: Error) => console.error(`While cleaning up: ${error.message}`))
}

/** Runs one of our programs on one core. Ctrl-C reaches only this process, which stops the others in order. */
function run(core: number, args: string[], env: NodeJS.ProcessEnv = {}): Running {
  const command = pinned(core, process.execPath, args)
  const child = spawn(command.program, command.args, {
    cwd: ROOT,
    // The measured service makes no requests to other hosts.
    env: { ...process.env, LICET_CURRENCY_RATES_URL: '', ...env },
    detached: true,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let stopping = false
  const ended = new Promise<void>((resolve) => {
    child.once('error', () => resolve())
    child.once('exit', (code, signal) => {
      if (!stopping) console.error(`${args.slice(0, 2).join(' ')} ended on its own (${code ?? signal}).`)
      resolve()
    })
  })
  child.stdin?.on('error', () => {})
  const stop = async () => {
    stopping = true
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
    child.kill('SIGTERM')
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
    await ended
    clearTimeout(timer)
  }
  cleanups.push(stop)
  return { pid: child.pid ?? 0, child, lines: createInterface({ input: child.stdout! }), stop }
}

function nextLine({ lines, child }: Running, waitMs: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const finish = (settle: () => void) => {
      clearTimeout(timer)
      lines.off('line', onLine)
      child.off('exit', onExit)
      settle()
    }
    const onLine = (line: string) => finish(() => resolve(line))
    const onExit = (code: number | null, signal: string | null) =>
      finish(() => reject(new Error(`${child.spawnargs.slice(-3).join(' ')} ended early (${code ?? signal})`)))
    const timer = setTimeout(() => finish(() => reject(new Error(`no answer within ${waitMs / 1000} seconds`))), waitMs)
    lines.on('line', onLine)
    child.on('exit', onExit)
  })
}

/** A folder of our own that the database's account may enter, removed at the end. */
export async function makeDataFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'licet-bench-'))
  await chmod(folder, 0o755)
  cleanups.push(() => rm(folder, { recursive: true, force: true }))
  return folder
}

export type Service = Running & { address: string; token: string; companyId: number; startMs: number }

export function settings(folder: string): NodeJS.ProcessEnv {
  return {
    PORT: '0',
    HOST: '127.0.0.1',
    LICET_DATA: folder,
    LICET_RATE_LIMIT_BURST: '1000000',
    LICET_RATE_LIMIT_PER_SECOND: '1000000',
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
  cleanups.push(() => stopDatabase(folder, service))
  const greeting: { address: string; access_token: string; company_id: number } = JSON.parse(
    await nextLine(service, START_MS),
  )
  const first = await fetch(`${greeting.address}/api/products.json?limit=1`, {
    headers: { authorization: `Bearer ${greeting.access_token}` },
  })
  if (first.status !== 200) throw new Error(`the service answers ${first.status}: ${await first.text()}`)
  await first.text()
  const startMs = performance.now() - started
  pinWithChildren(OTHER_CORE, await postmasterPid(folder))
  return {
    ...service,
    address: greeting.address,
    token: greeting.access_token,
    companyId: greeting.company_id,
    startMs,
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
  cleanups.unshift(() => rm(host, { recursive: true, force: true }))
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

export type Floor = Running & { address: string; token: string }

export function startFloor(host: string, kind: string, companyId: number): Promise<Floor> {
  return startBareServer('bench/floor.ts', host, kind, String(companyId))
}

/** Starts a script that prints its address when it listens. */
export async function startBareServer(script: string, ...args: string[]): Promise<Floor> {
  const floor = run(TESTED_CORE, [script, ...args])
  const { address }: { address: string } = JSON.parse(await nextLine(floor, START_MS))
  return { ...floor, address, token: 'none' }
}

/** Starts a bare server that sends one file. */
export async function startStatic(file: string): Promise<{ address: string }> {
  const server = run(TESTED_CORE, ['bench/files/static-server.ts', file])
  return JSON.parse(await nextLine(server, START_MS))
}

/** Starts a worker without the HTTP service on the database of a folder. */
export async function startWorker(folder: string): Promise<Running> {
  const worker = run(TESTED_CORE, ['bin/licet.mjs', 'worker', '--json'], settings(folder))
  await nextLine(worker, START_MS)
  return worker
}

export type Child = Running & { ask(task: object): Promise<unknown> }

/** Starts a script that reads one task per line and prints one result per line. */
export function startChild(script: string): Child {
  const child = run(TESTED_CORE, [script])
  return {
    ...child,
    async ask(task) {
      const answer = nextLine(child, TASK_MS)
      child.child.stdin?.write(`${JSON.stringify(task)}\n`)
      return JSON.parse(await answer)
    },
  }
}

export type Load = (order: Order) => Promise<LoadResult>

/** Starts the load generator, which takes one task at a time. */
export function startLoad(): Load {
  const load = run(OTHER_CORE, ['bench/load.ts'])
  return async (order) => {
    const answer = nextLine(load, ((order.seconds ?? 0) + 300) * 1000)
    load.child.stdin?.write(`${JSON.stringify(order)}\n`)
    return JSON.parse(await answer)
  }
}
