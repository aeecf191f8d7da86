import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { hasCompanies } from '#identity/companies/queries.ts'
import { createSandboxTimes } from '#identity/test-clocks/own-times.cache.ts'
import { createLink } from '#identity/users/links/commands.ts'
import { readErasures } from '#people/customers/erasures/commands.ts'
import { type Clock, createClock, machineClock, nowInSeconds } from '#platform/clock.ts'
import { type Db, isDatabaseAway } from '#platform/db/database.ts'
import { createNotices, type Notices } from '#platform/db/notices/notices.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import type { Files } from '#platform/files/files.ts'
import type { Loop } from '#platform/jobs/loop.ts'
import { createProgramLog, type Log } from '#platform/log/log.ts'
import { createMetrics } from '#platform/log/metrics.ts'
import { createDns } from '#platform/outbound/dns.ts'
import { createOutbound } from '#platform/outbound/outbound.ts'
import type { WorkDependencies } from '#platform/resource.ts'
import type { Config } from '#platform/settings/config.ts'
import type { Exporting } from '#platform/tracing/opentelemetry.ts'
import { startTelemetry } from '#platform/tracing/start.ts'
import { logFields } from '#platform/tracing/trace.ts'
import { ownHost } from '#platform/wire/own-address.ts'
import type { DemoAccess } from '#program/demo/shop.ts'
import { listIn, parseErasures } from '#program/erasures/list.files.ts'
import { VERSION } from '#program/version.ts'
import type { Change } from '#rights/content-files/uploads/lease.commands.ts'
import { readOwnThemes } from '#shop/themes/own-themes.files.ts'
import { createBackupWriter } from './backup.ts'
import { openFiles } from './files.ts'
import { listen } from './listen.ts'
import { createScheduledBackups, erasureListsOf } from './scheduled.ts'
import { findOnlyShop, type OnlyShop } from './shop.ts'
import { closeStore, openServiceStore, type Store } from './store.ts'

const SWEEP_MS = 50
const AGAIN_MS = 500

/** A running service, and the two ways to end it. */
export type Service = {
  address: string | undefined
  /** Where a worker answers those who watch it. */
  probes: string | undefined
  demo: DemoAccess | undefined
  /** Where the first company is opened, while there is none. */
  firstRun: string | undefined
  shop: OnlyShop | undefined
  log: Log
  stop(): Promise<void>
  giveUp(): Promise<never>
}

/** Starts the service: the database first, the HTTP port last. */
export async function startService(config: Config, parts: { http: boolean; worker: boolean }): Promise<Service> {
  const telemetry = await startTelemetry(config.telemetry, VERSION)
  const log = await createProgramLog(config.logLevel, config.logFormat, telemetry && logFields)
  // Most modules are loaded while the database starts: each takes a core for a good part of a second.
  const [store, { createApp }, { createSubstitute, createWorker, createWorkerProbes }, { demoAccess }] =
    await Promise.all([
      openServiceStore(config, (error) => log.warn({ err: error }, 'a database connection broke')),
      import('../../app.ts'),
      import('../../worker.ts'),
      import('#program/demo/shop.ts'),
    ])
  for (const { file, message } of readOwnThemes(config.dataFolder).faults)
    log.error({ file }, `a theme cannot be chosen: ${file} ${message}`)
  const metrics = createMetrics(store.pool)
  const exporting = await telemetry?.attach(log, metrics)
  const files = openFiles(config)
  const outbound = createOutbound(config)
  const notices = createNotices(store.pool, log, store.sessions)
  metrics.watchNotices(notices)
  metrics.watchFolder(config.dataFolder)
  const times = createSandboxTimes(store.db, notices, log)
  await times.load()
  const shared = {
    db: store.db,
    reads: store.reads,
    standby: store.standby,
    vault: store.vault,
    notices,
    clock: createClock(machineClock, times),
    log,
    metrics,
    files,
    outbound,
  }
  const again = await whenThere(log, () => eraseAgain(shared, config.dataFolder))
  if (again > 0) log.warn({ customers: again }, 'the database had customers who were erased: they are erased again')
  const { mail, currencyRatesUrl, serviceUrls, failedJobDays, statusPage } = config
  const baseUrl = config.baseUrl ?? `http://${config.host}:${config.port}`
  const { uploadFolder } = config.transfers
  const names = { dns: createDns(), ownHost: ownHost(config.baseUrl ?? 'http://localhost') }
  const backups = createBackupWriter(config, store)
  const work = {
    ...shared,
    ...names,
    times,
    uploadFolder,
    mail,
    currencyRatesUrl,
    serviceUrls,
    baseUrl,
    failedJobDays,
    statusPage,
    backups,
    scheduledBackups: createScheduledBackups(config, store),
    erasureLists: erasureListsOf(config),
  }
  const loop = parts.worker ? createWorker(work) : createSubstitute(work)
  const running: Running = {
    config,
    store,
    notices,
    loop,
    outbound,
    exporting,
    app: undefined,
    probes: undefined,
    demoFiles: Promise.resolve(),
  }
  try {
    if (parts.http) running.app = await createApp({ ...shared, config })
    const address = running.app === undefined ? undefined : await listenTo(running.app, config)
    const probes = parts.http
      ? undefined
      : await openProbes(running, () => createWorkerProbes({ ...work, metricsToken: config.metricsToken }))
    const demo =
      config.demo && address !== undefined
        ? await whenThere(log, () => demoAccess(store.db, store.vault, config.dataFolder, address, shared.clock))
        : undefined
    if (running.app !== undefined) running.app.referenceClientId = demo?.client_id
    if (demo !== undefined && running.app !== undefined)
      afterFirstAnswer(running.app, () => {
        running.demoFiles = addFiles({ config, db: store.db, files, clock: shared.clock }, demo.company_id).catch(
          (error) => log.warn({ err: error }, 'the files of the demo shop could not be stored'),
        )
      })
    const firstRun = address === undefined ? undefined : await whenThere(log, () => firstRunAddress(store.db, address))
    const shop = address === undefined ? undefined : await whenThere(log, () => findOnlyShop(store.db, address))
    notices.start()
    loop.start()
    return {
      address,
      probes,
      demo,
      firstRun,
      shop,
      log,
      stop: () => stopAll(running, log),
      giveUp: () => giveUp(store, log),
    }
  } catch (error) {
    await stopAll(running, log)
    throw error
  }
}

/**
 * Whoever has restored the database with tools of their own may have brought back customers who were erased. The list in the data folder
 * knows them, and nobody is served before they are gone.
 */
async function eraseAgain(
  parts: Pick<WorkDependencies, 'db' | 'files' | 'clock'>,
  dataFolder: string,
): Promise<number> {
  const erasures = parseErasures(await listIn(dataFolder).read())
  const known = new Set(erasures.length === 0 ? [] : (await readErasures(parts.db)).map(({ reference }) => reference))
  const forgotten = erasures.filter(({ reference }) => !known.has(reference))
  if (forgotten.length === 0) return 0
  const { replayErasures } = await import('#program/erasures/replay.worker.ts')
  return replayErasures(parts, forgotten)
}

/**
 * Nobody waits for the pictures and films of the demo shop. To make them takes longer than all the rest of a first start, so
 * it begins when the first request has been answered.
 */
function afterFirstAnswer(app: FastifyInstance, work: () => void): void {
  let isStopping = false
  app.server.once('close', () => {
    isStopping = true
  })
  app.server.once('request', (_request, response) => response.once('close', () => isStopping || work()))
}

/**
 * Does the work of a start that follows the first answer. The service is in use by then, so it stays when the database goes
 * away, and tries again.
 */
async function whenThere<Result>(log: Log, work: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!isDatabaseAway(error)) throw error
      log.warn({ err: error }, 'the database is away: the start goes on when it is back')
      await sleep(AGAIN_MS)
    }
  }
}

async function addFiles(
  { config, db, files, clock }: { config: Config; db: Db; files: Files; clock: Clock },
  companyId: number,
): Promise<void> {
  const { addDemoFiles } = await import('#program/demo/files.ts')
  const { uploadFolder: folder, uploadBytesMax: bytesMax } = config.transfers
  const change: Change = (work) => inTransaction(db, work)
  const { addDemoCovers } = await import('#program/demo/covers.ts')
  await addDemoCovers({ db, files, now: clock.of }, companyId)
  await addDemoFiles({ db, change, files, folder, bytesMax, now: clock.of, clock }, companyId)
}

/** A link for the reader of the terminal: only with it can the first company be created. */
async function firstRunAddress(db: Db, address: string): Promise<string | undefined> {
  if (await hasCompanies(db)) return undefined
  const link = { kind: 'first run', companyId: null, userId: null } as const
  const token = await inTransaction(db, (tx) => createLink(tx, link, nowInSeconds(machineClock)))
  return `${address}/first-run/${token}`
}

type Running = {
  config: Config
  store: Store
  notices: Notices
  loop: Loop
  outbound: { close(): Promise<void> }
  /** Absent: nobody wants traces or metrics of OpenTelemetry. */
  exporting: Exporting | undefined
  app: FastifyInstance | undefined
  /** Answers those who watch a worker. */
  probes: FastifyInstance | undefined
  demoFiles: Promise<void>
}

async function listenTo(app: FastifyInstance, config: Config): Promise<string> {
  const reached = await listen(app, { host: config.host, port: config.port, setting: 'PORT' })
  app.baseUrl = config.baseUrl ?? reached
  return app.baseUrl
}

async function openProbes(running: Running, create: () => FastifyInstance): Promise<string | undefined> {
  const { host, workerPort: port } = running.config
  if (port === undefined) return undefined
  running.probes = create()
  return listen(running.probes, { host, port, setting: 'LICET_WORKER_PORT' })
}

/** Lets running requests and jobs finish, then closes the resources that they use. */
async function stopAll(running: Running, log: Log): Promise<void> {
  const { config, store, notices, loop, outbound, app, probes } = running
  await app?.drain(config.drain)
  const patience = setTimeout(() => void giveUp(store, log), config.stopSeconds * 1000)
  // A client may keep its connection open although it was told that it will be closed.
  const sweep = setInterval(() => app?.server.closeIdleConnections(), SWEEP_MS)
  await app?.close()
  clearInterval(sweep)
  if (probes !== undefined) probes.isStopping = true
  await loop.stop()
  await probes?.close()
  await running.demoFiles
  await notices.stop()
  await outbound.close()
  await closeStore(store)
  await running.exporting?.stop()
  clearTimeout(patience)
}

/** Ends at once; only the embedded server is still stopped, so that it is not left running. */
async function giveUp(store: Store, log: Log): Promise<never> {
  log.error('work was still under way when the time to stop was up')
  await store.server?.stop()
  process.exit(1)
}
