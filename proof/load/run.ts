import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { request } from 'undici'
import { type Config, readConfig } from '#platform/settings/config.ts'
import { closeStore, type MigratedStore, openMigratedStore } from '#program/boot/store.ts'
import { type Killable, startServe, startWorker } from '#test/crash/processes.ts'
import { type LoadGateway, type StartedGateway, startGateway } from './gateway.ts'
import { createLedger, type Ledger } from './ledger.ts'
import { createRequests, type Requests } from './requests.ts'
import { type Ask, type BusyShop, fillShop, openBusyCompany, type ShopSize } from './shop.ts'
import { compare, type Mistake, untilDrained } from './verify.ts'

/** A shop under load: what is asked of it, and what the load remembers of that. */
export type LoadedShop = {
  store: MigratedStore
  shop: BusyShop
  gateway: LoadGateway
  requests: Requests
  ledger: Ledger
  address: () => Promise<string>
  /** Waits until all that was left to do is done, and compares what is stored with the ledger. */
  settle(): Promise<Mistake[]>
}

/** A shop under load with the one service and the one worker that it has. */
export type Stage = LoadedShop & { serve: Killable; worker: Killable }

/** What answers for a shop. */
export type Servers = { address: () => Promise<string>; end(): Promise<unknown> }

const AGAIN_MS = 50
const RETRIES_MS = 60_000

/** What a part of the proof has otherwise than a shop under load. */
export type StageOptions = ShopSize & {
  /** Absent: one of the stage's own, at the address of its server. */
  gateway?: StartedGateway
  settings?: NodeJS.ProcessEnv
  worker?: (settings: NodeJS.ProcessEnv) => Killable
  /** How often guests press the button of the checkout if there is no answer or a failure (default 1). */
  pressesMax?: number
}

/** Opens a shop on a database, has the service and a worker run, and ends them after the work. */
export async function onStage<Result>(
  { databaseUrl, dataFolder }: { databaseUrl: string; dataFolder: string },
  { gateway: given, settings: own = {}, worker: startOwn = startWorker, pressesMax = 1, ...size }: StageOptions,
  work: (stage: Stage) => Promise<Result>,
): Promise<Result> {
  const start = async (settings: NodeJS.ProcessEnv) => {
    const [serve, worker] = [startServe(settings), startOwn(settings)]
    const address = async () => (JSON.parse(await serve.greeting) as { address: string }).address
    const end = () => Promise.all([serve.end(), worker.end()])
    return { serve, worker, address, end }
  }
  const settings = { PORT: '0', DATABASE_URL: databaseUrl, LICET_DATA: dataFolder, ...own }
  return onShop({ ...size, gateway: given, settings, pressesMax, start }, async (loaded, { serve, worker }) => {
    await worker.greeting
    return work({ ...loaded, serve, worker })
  })
}

export type ShopOptions<Started extends Servers> = ShopSize & {
  gateway?: StartedGateway | undefined
  settings: NodeJS.ProcessEnv
  pressesMax?: number
  /** Do changes through the API have an `Idempotency-Key`? */
  hasKeys?: boolean
  /** Opens the database, if its schema is not to be migrated. */
  open?: (config: Config) => Promise<MigratedStore>
  start(settings: NodeJS.ProcessEnv): Promise<Started>
}

/** Opens a shop, starts what answers for it, fills it, and ends everything after the work. */
export async function onShop<Started extends Servers, Result>(
  { gateway: given, settings: own, pressesMax = 1, hasKeys = false, open, start, ...size }: ShopOptions<Started>,
  work: (loaded: LoadedShop, servers: Started) => Promise<Result>,
): Promise<Result> {
  const started = given ?? (await startGateway())
  const settings = {
    LICET_DEMO: 'false',
    LICET_LOG_LEVEL: 'error',
    LICET_LOG_FORMAT: 'json',
    LICET_CURRENCY_RATES_URL: '',
    LICET_ALLOW_LOOPBACK: 'true',
    LICET_MOLLIE_URL: started.mollie.url,
    LICET_RATE_LIMIT_BURST: '1000000',
    LICET_RATE_LIMIT_PER_SECOND: '1000000',
    // Each guest of the load comes from another address, as a proxy would report it.
    LICET_TRUST_PROXY: '127.0.0.1',
    ...own,
  }
  const store = await (open ?? openMigratedStore)(readConfig(settings))
  const company = await openBusyCompany(store)
  const servers = await start(settings)
  const { address } = servers
  const ask = createAsk(address, company.token)
  const ledger = createLedger()
  const gateway = started.open({ companyId: company.companyId, random: Math.random, address })
  let requests: Requests | undefined
  try {
    const shop = await fillShop(store, company, ask, size)
    requests = createRequests({ shop, ledger, gateway, random: Math.random, address, pressesMax, hasKeys })
    const settle = async () => {
      await gateway.told()
      await untilDrained(store.db)
      return compare(store.db, shop, { ledger, mollie: gateway.mollie }, ask)
    }
    return await work({ store, shop, gateway, requests, ledger, address, settle }, servers)
  } finally {
    await requests?.close()
    gateway.stop()
    await servers.end()
    await closeStore(store)
  }
}

/** Asks until there is an answer that is no refusal for a while. Only for what can be asked twice. */
export function createAsk(address: () => Promise<string>, token: string): Ask {
  return async (method, path, body) => {
    const deadline = performance.now() + RETRIES_MS
    for (;;) {
      try {
        const { statusCode, body: answer } = await request((await address()) + path, {
          method: method as 'GET',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: body === undefined ? null : JSON.stringify(body),
        })
        const text = await answer.text()
        if (statusCode !== 503 || performance.now() > deadline) return { status: statusCode, body: JSON.parse(text) }
      } catch (error) {
        if (performance.now() > deadline) throw error
      }
      await sleep(AGAIN_MS)
    }
  }
}

/** A value of the service's metrics, by its name and labels. */
export async function metric({ address }: Pick<Stage, 'address'>, name: string): Promise<number> {
  const { body } = await request(`${await address()}/metrics`)
  const line = (await body.text()).split('\n').find((text) => text.startsWith(`${name} `))
  return Number(line?.slice(name.length))
}

export async function rssMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024
}

/** How long processors of this machine have worked for others since it started, in seconds; 0 where nobody says. */
export async function stolenSeconds(): Promise<number> {
  const [cpu = ''] = (await readFile('/proc/stat', 'utf8').catch(() => '')).split('\n')
  const TICKS_PER_SECOND = 100
  return Number(cpu.split(/ +/)[8] ?? 0) / TICKS_PER_SECOND
}
