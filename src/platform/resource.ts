import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import type { TSchema } from 'typebox'
import type { Clock } from './clock.ts'
import type { Db, Tx } from './db/database.ts'
import type { Notices } from './db/notices/notices.ts'
import type { Files } from './files/files.ts'
import type { ResourceOptions } from './http/resource.ts'
import type { SealedColumn } from './identity/sealed-columns.ts'
import type { Vault } from './identity/vault.ts'
import type { Chore } from './jobs/chores.ts'
import type { JobHandler } from './jobs/handlers.ts'
import type { Loop } from './jobs/loop.ts'
import type { Log } from './log/log.ts'
import type { Measures } from './log/measures.ts'
import type { Metrics } from './log/metrics.ts'
import type { Dns } from './outbound/dns.ts'
import type { Outbound } from './outbound/outbound.ts'
import type { ServiceUrls } from './outbound/service-urls.ts'

/** Writes a backup of the whole installation to a folder with a name, and checks it. */
export type BackupWriter = { write(name: string, onProgress: (done: number, total: number) => void): Promise<void> }

/** Writes the backups that the worker makes by itself, and removes those that are kept no longer. */
export type ScheduledBackups = {
  target: string
  /** The latest time at which one was due; undefined: none was yet. */
  lastTime(now: Date): Date | undefined
  nameAt(due: Date): string
  run(name: string): Promise<{ bytes: number; removed: number }>
}

/** A place outside of the database for whom companies have erased, such as a file beside backups. */
export type ErasureList = { name: string; read(): Promise<string>; write(text: string): Promise<void> }

/** The dependencies of the background work of resources. */
export type WorkDependencies = {
  db: Db
  notices: Notices
  vault: Vault
  clock: Clock
  log: Log
  metrics: Metrics
  files: Files
  /** Where uploads are collected until they are complete. */
  uploadFolder: string
  outbound: Outbound
  dns: Dns
  /** The host of the service, below which shops have labels. */
  ownHost: string
  /** Where the day's currency rates come from; empty turns the refresh off. */
  currencyRatesUrl: string
  serviceUrls: ServiceUrls
  /** Where the service is reached, for links in mails. */
  baseUrl: string
  /** Does the worker keep what the status page shows? */
  statusPage?: boolean
  /** Absent: users start no backups. */
  backups?: BackupWriter | undefined
  /** Absent: the worker makes no backups by itself. */
  scheduledBackups?: ScheduledBackups | undefined
  /** Absent: erasures are remembered in the database alone. */
  erasureLists?: readonly ErasureList[]
}

/** What becomes due at a time of a company. For most companies chores find it by the time of the machine. */
export type DueWork = {
  /** When the next of it is due, after one time of the company and no later than another; undefined: nothing is. */
  next(companyId: number, after: Date, until: Date): Promise<Date | undefined>
  /** Does what is due by then, or hands it to jobs; returns how much, or 0 if there is nothing to count. */
  run(companyId: number, now: Date): Promise<number>
}

/** What waits for a time of the machine, such as another try. */
export type Waiting = {
  /** When the next of a company is due. */
  next(companyId: number): Promise<Date | undefined>
  /** Does what is due; returns how much. */
  run(companyId: number): Promise<number>
  /** Its clock was moved by so much: what waits becomes due so much sooner. */
  bringNearer(tx: Tx, companyId: number, ms: number): Promise<void>
}

/** Documents that are stored for a company, and how they are written again from their rows. */
export type StoredDocuments = {
  name: string
  /** The next ids after one, in order; none after the last. */
  readIds(db: Db, companyId: number, after: number, limit: number): Promise<number[]>
  rewrite(tx: Tx, companyId: number, ids: number[], now: Date): Promise<void>
  /** Recomputes the stored counts while no rows are added or removed. */
  recount?(tx: Tx, companyId: number): Promise<void>
}

/**
 * Everything that the program has to know about a resource. The HTTP service, the worker and `rebuild` are built from
 * it.
 */
export type Resource = {
  tags?: readonly { name: string; description: string }[]
  /** The shapes that the OpenAPI document describes under their own names. */
  schemas?: readonly TSchema[]
  /** For apps below /api, and for signed-in users below /admin/api. */
  routes?: readonly FastifyPluginCallbackTypebox<ResourceOptions>[]
  /** For apps only, because an app is what they are about, or because they act for a customer. */
  appRoutes?: readonly FastifyPluginCallbackTypebox<ResourceOptions>[]
  /** For signed-in users only. */
  userRoutes?: readonly FastifyPluginCallbackTypebox<ResourceOptions>[]
  /** Elsewhere. */
  rootRoutes?: readonly FastifyPluginCallbackTypebox<ResourceOptions>[]
  jobs?(dependencies: WorkDependencies): JobHandler[]
  chores?(dependencies: WorkDependencies): Record<string, Chore>
  /** What follows the time of a company, for those with a clock of their own. */
  due?(dependencies: WorkDependencies): DueWork[]
  waiting?(dependencies: WorkDependencies): Waiting[]
  /** Work that is not done job by job, beside the jobs. */
  loops?(dependencies: WorkDependencies): Loop[]
  /** What operators see of its rows in `/metrics`. */
  measures?: readonly Measures[]
  /** Where its rows hold values that are sealed with the secret of the installation. */
  sealed?: readonly SealedColumn[]
  documents?: readonly StoredDocuments[]
  /** Recomputes the stored counts of rows without documents. */
  recount?(tx: Tx, companyId: number, now: Date): Promise<void>
  /** Runs before any documents are written again. */
  beforeRebuild?(db: Db, now: Date): Promise<void>
}
