import './hashing.ts'
import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { request } from 'undici'
import { createApp as registerApp } from '#apps/oauth/apps.commands.ts'
import { ALL_SCOPES, type Scope } from '#apps/oauth/scopes.facts.ts'
import { issueToken } from '#identity/grants/commands.ts'
import { createSandboxTimes } from '#identity/test-clocks/own-times.cache.ts'
import { type Clock, createClock as createMachineClock, nowInSeconds, type OwnTimes } from '#platform/clock.ts'
import { type DatabaseHandle, type Db, openDatabase } from '#platform/db/database.ts'
import { createNotices, type Notices } from '#platform/db/notices/notices.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { createFiles, type Files } from '#platform/files/files.ts'
import type { ConnectionLimits } from '#platform/http/connections.ts'
import type { Shedding } from '#platform/http/shedding/shedding.ts'
import { createVault, type Vault } from '#platform/identity/vault.ts'
import type { Loop } from '#platform/jobs/loop.ts'
import { createLog } from '#platform/log/log.ts'
import { createMetrics } from '#platform/log/metrics.ts'
import { createDns } from '#platform/outbound/dns.ts'
import { createOutbound, type Outbound } from '#platform/outbound/outbound.ts'
import type { ServiceUrls } from '#platform/outbound/service-urls.ts'
import type { DrmProxy } from '#platform/settings/drm-settings.ts'
import type { BackupSettings } from '#platform/settings/operator-settings.ts'
import type { ReadingSettings } from '#platform/settings/reading-settings.ts'
import { type TransferSettings, uploadFolderIn } from '#platform/settings/transfer-settings.ts'
import { createBackupWriter } from '#program/boot/backup.ts'
import { openCompany } from '#program/first-run/open-company.ts'
import { GATEWAY_URLS } from '#selling/payments/gateways/table.facts.ts'
import { createApp } from '../src/app.ts'
import { createWorker } from '../src/worker.ts'
import { contractOf } from './contract.ts'
import type { DatabaseWay } from './database-way.ts'
import { cheapHash, type Hashing, hashWith } from './hashing.ts'
import { mailSettings } from './mail-settings.ts'
import { assertReason } from './reasons.ts'
import { headersOf, parse } from './received.ts'
import { createDatabase, type TestDatabase } from './server.ts'

/** What tests seal with. */
const vault = createVault('a secret for tests and for nothing else')

/** A clock that tests can move. */
export type TestClock = Clock & {
  sandboxes: { times?: OwnTimes }
  advance(seconds: number): void
  /** From now on it moves only when it is told to. */
  stop(): void
}

export type Answer = {
  status: number
  headers: Headers
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests read whatever the wire carries.
  body: any
}

export type Call = (path: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer>

/** A company of a test's own, with an app that acts for it. */
export type Shop = {
  companyId: number
  appId: number
  userId: number
  token: string
  get: Call
  post: Call
  put: Call
  delete: Call
  withScopes(...scopes: Scope[]): Promise<Shop>
  /** The same app, with a token that acts for one customer of the company. */
  asCustomer(customerId: number): Promise<Shop>
  /** The same company and app, by the word of another user. */
  asUser(userId: number): Promise<Shop>
}

export type Service = {
  readonly app: FastifyInstance
  readonly db: Db
  readonly url: string
  readonly clock: TestClock
  readonly files: Files
  readonly uploadFolder: string
  readonly vault: Vault
  readonly outbound: Outbound
  readonly serviceUrls: ServiceUrls
  readonly log: string[]
  readonly database: TestDatabase
  openShop(options?: { scopes?: readonly Scope[]; partnerId?: number; sandbox?: boolean }): Promise<Shop>
  /** Does every job that is due, including those that jobs ask for. */
  runJobs(): Promise<void>
  call(
    method: string,
    path: string,
    options?: {
      token?: string
      body?: unknown
      headers?: Record<string, string> | undefined
      /** The test has damaged what is stored, so the answer cannot be what the OpenAPI document says. */
      isDamaged?: boolean
    },
  ): Promise<Answer>
}

export type ServiceOptions = {
  rateLimit?: { burst: number; perSecond: number }
  bodyLimitBytes?: number
  metricsToken?: string
  trustProxy?: string[]
  connections?: ConnectionLimits
  shedding?: Shedding
  transfers?: Partial<TransferSettings>
  /** The certificate of the operator for reading apps; read when the service starts. */
  reading?: () => ReadingSettings
  /** Where licenses of commercial DRM come from; read when the service starts. */
  drmProxy?: () => DrmProxy
  /** Where files are stored, if not in a folder of the test; opened when the service starts. */
  files?: () => Files | Promise<Files>
  /** The folder of the themes, if not that of the service. Its files are looked at for every page. */
  themesFolder?: string
  /** Where services of others are; read when the service starts. */
  serviceUrls?: () => ServiceUrls
  /** How passwords are hashed, if not as cheaply as possible: for tests that need the time that it takes. */
  hashing?: Hashing
  /** The way from the service to its database, if it is not the shortest. */
  databaseWay?: DatabaseWay
  /** Is there a page at /status? */
  statusPage?: boolean
  /** Where backups are, and who may start them; read when the service starts. */
  backups?: () => BackupSettings
  /** The mail server of the worker, such as `useMailServer().listening`. */
  smtpUrl?: string | Promise<string>
}

type Running = {
  app: FastifyInstance
  handle: DatabaseHandle
  database: TestDatabase
  notices: Notices
  loop: Loop
  files: Files
  folder: string
  outbound: Outbound
  serviceUrls: ServiceUrls
  url: string
}

/** The scope of a token that acts for a customer. */
const PLAYER: readonly Scope[] = ['player']

/** The password of every shop's first user. */
export const PASSWORD = 'correct horse battery'
const passwordHash = cheapHash(PASSWORD)

/** One service on one real database for a test file, cloned from a migrated template. */
export function useService(options: ServiceOptions = {}): Service {
  let running: Running | undefined
  const log: string[] = []
  const clock = createClock()
  const now = () => {
    if (running === undefined) throw new Error('the service starts in a before hook')
    return running
  }

  before(async () => {
    hashWith(options.hashing ?? 'cheap')
    running = await start(options, clock, log)
  })
  after(async () => {
    hashWith('real')
    const { app, handle, database, folder, notices, outbound } = now()
    await app.close()
    await notices.stop()
    await outbound.close()
    await handle.close()
    await database.drop()
    await rm(folder, { recursive: true, force: true })
    // The test file stays loaded for as long as its process, and with it whatever it still knows.
    running = undefined
    log.length = 0
  })

  const call: Service['call'] = async (method, path, { token, body, headers, isDamaged } = {}) => {
    const response = await request(`${now().url}${path}`, {
      method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body === undefined ? null : typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
    })
    const text = await response.body.text()
    const { statusCode: status } = response
    const received = headersOf(response.headers)
    if (isDamaged !== true) contractOf(() => now().app.swagger())({ method, path, status, headers: received, text })
    const answer: Answer = { status, headers: received, text, body: parse(text) }
    assertReason(answer)
    return answer
  }

  const shopOf = (ids: { companyId: number; appId: number; userId: number }, token: string): Shop => {
    const caller =
      (method: string): Call =>
      (path, body, headers) =>
        call(method, path, { token, body, headers })
    return {
      ...ids,
      token,
      get: (path, _body, headers) => call('GET', path, { token, headers }),
      post: caller('POST'),
      put: caller('PUT'),
      delete: caller('DELETE'),
      withScopes: async (...scopes) => shopOf(ids, await issue(now().handle.db, clock, ids, scopes)),
      asCustomer: async (customerId) =>
        shopOf(ids, await issue(now().handle.db, clock, { ...ids, customerId }, PLAYER)),
      asUser: async (userId) => {
        const other = { ...ids, userId }
        return shopOf(other, await issue(now().handle.db, clock, other, ALL_SCOPES))
      },
    }
  }

  return {
    get app() {
      return now().app
    },
    get db() {
      return now().handle.db
    },
    get url() {
      return now().url
    },
    get files() {
      return now().files
    },
    get uploadFolder() {
      return uploadFolderIn(now().folder)
    },
    get database() {
      return now().database
    },
    get serviceUrls() {
      return now().serviceUrls
    },
    get outbound() {
      return now().outbound
    },
    clock,
    vault,
    log,
    call,
    async runJobs() {
      while ((await now().loop.runDue()) > 0);
    },
    async openShop({ scopes = ALL_SCOPES, partnerId, sandbox } = {}) {
      const { db } = now().handle
      const time = nowInSeconds(clock)
      const ids = await inTransaction(db, async (tx) => {
        const name = `Shop ${Math.random().toString(36).slice(2, 10)}`
        const email = `${name.slice(5)}@example.com`
        const { companyId, userId } = await openCompany(
          tx,
          { company_name: name, email, country_code: 'DE', currency: 'EUR', partner_id: partnerId, sandbox },
          { email, passwordHash },
          time,
        )
        const app = await registerApp(
          tx,
          { companyId, name: 'Test app', redirectUris: ['https://app.example.com/back'] },
          vault,
          { userId, origin: { address: '192.0.2.1', requestId: 'test' } },
          time,
        )
        // What a test finds on record is what the test did.
        await tx.deleteFrom('audit_entries').where('company_id', '=', companyId).execute()
        return { companyId, appId: app.id, userId }
      })
      return shopOf(ids, await issue(db, clock, ids, scopes))
    },
  }
}

function issue(
  db: Db,
  clock: Clock,
  { companyId, appId, userId, customerId }: { companyId: number; appId: number; userId: number; customerId?: number },
  scopes: readonly Scope[],
): Promise<string> {
  const giver = customerId === undefined ? { userId } : { userId: null, customerId }
  const token = { companyId, appId, ...giver, scopes, lifetimeSeconds: 1800 }
  return inTransaction(db, (tx) => issueToken(tx, token, nowInSeconds(clock)))
}

function createClock(): TestClock {
  let offsetMs = 0
  let stoppedMs: number | undefined
  const sandboxes: TestClock['sandboxes'] = {}
  const machine = { now: () => new Date((stoppedMs ?? Date.now()) + offsetMs) }
  return {
    ...createMachineClock(machine, {
      find: (companyId, now) => sandboxes.times?.find(companyId, now),
      moving: () => sandboxes.times?.moving() ?? [],
    }),
    sandboxes,
    advance(seconds) {
      offsetMs += seconds * 1000
    },
    stop() {
      stoppedMs ??= Date.now()
    },
  }
}

async function start(options: ServiceOptions, clock: TestClock, lines: string[]): Promise<Running> {
  const database = await createDatabase()
  const connection =
    options.databaseWay === undefined
      ? database.connection
      : { connectionString: await options.databaseWay.open(database) }
  const handle = openDatabase(connection, { poolMax: 20 })
  const folder = await mkdtemp(join(tmpdir(), 'licet-files-'))
  const files = await (options.files?.() ?? createFiles(folder))
  const uploadFolder = uploadFolderIn(folder)
  const log = createLog('debug', { write: (line) => void lines.push(line) })
  const outbound = createOutbound({ allowed: { loopback: true, networks: [] } })
  const notices = createNotices(handle.pool, log)
  const times = createSandboxTimes(handle.db, notices, log)
  clock.sandboxes.times = times
  const { db, reads } = handle
  const metrics = createMetrics(handle.pool)
  const shared = { db, reads, notices, vault, clock, log, metrics, files, outbound }
  const config = {
    rateLimit: options.rateLimit ?? { burst: 1_000_000, perSecond: 1_000_000 },
    bodyLimitBytes: options.bodyLimitBytes ?? 2_097_152,
    metricsToken: options.metricsToken,
    trustProxy: options.trustProxy ?? [],
    connections: options.connections ?? { perAddressMax: 10_000, totalMax: 10_000, stalledMs: 30_000 },
    shedding: options.shedding ?? { delayMsMax: 0 },
    transfers: { uploadFolder, uploadBytesMax: 67_108_864, accelPath: undefined, ...options.transfers },
    reading: options.reading?.(),
    drmProxy: options.drmProxy?.(),
    serviceUrls: options.serviceUrls?.() ?? { gateways: unreachable(), vies: '' },
    mail: await mailSettings(options.smtpUrl),
    deletion: { waitDays: 30, booksYears: 10 },
    backups: options.backups?.(),
    statusPage: options.statusPage ?? false,
  }
  // A flush in between would be counted among the statements of a test.
  const themeOptions = options.themesFolder === undefined ? {} : { themesFolder: options.themesFolder, lookAgainMs: 0 }
  const app = await createApp({ ...shared, pageViewsMs: 3_600_000, themeOptions, config })
  const names = { dns: createDns(['127.0.0.1:9']), ownHost: 'localhost' }
  const loop = createWorker({
    ...shared,
    ...names,
    times,
    uploadFolder,
    mail: config.mail,
    currencyRatesUrl: '',
    serviceUrls: config.serviceUrls,
    baseUrl: 'https://licet.example',
    failedJobDays: 30,
    statusPage: config.statusPage,
    backups: createBackupWriter({ ...config, dataFolder: folder, secret: undefined }, { db: handle.db, connection }),
  })
  notices.start()
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  app.baseUrl = `http://127.0.0.1:${port}`
  return {
    app,
    handle,
    database,
    files,
    folder,
    outbound,
    serviceUrls: config.serviceUrls,
    notices,
    loop,
    url: app.baseUrl,
  }
}

/** Nothing listens there, so that no test reaches a gateway that it has not put in place. */
function unreachable(): Record<string, string> {
  return Object.fromEntries(Object.keys(GATEWAY_URLS).map((gateway) => [gateway, 'http://127.0.0.1:9']))
}
