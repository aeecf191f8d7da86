import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import type { Clock, CompanyTime } from '../clock.ts'
import type { Db } from '../db/database.ts'
import type { HeavyReads } from '../db/heavy-reads.ts'
import type { Notices } from '../db/notices/notices.ts'
import type { Files } from '../files/files.ts'
import type { Vault } from '../identity/vault.ts'
import type { Outbound } from '../outbound/outbound.ts'
import type { ServiceUrls } from '../outbound/service-urls.ts'
import type { DrmProxy } from '../settings/drm-settings.ts'
import type { BackupSettings, DeletionSettings } from '../settings/operator-settings.ts'
import type { ReadingSettings } from '../settings/reading-settings.ts'
import type { TransferSettings } from '../settings/transfer-settings.ts'

/** The options that the routes of a resource get. */
export type ResourceOptions = {
  /** For reads: single statements that change nothing. Changes get their transaction from `app.write`. */
  db: Db
  /** For reads of many pages: a standby that has everything by now, or the primary. */
  longReads: () => Promise<Db>
  /** For reads that may take seconds. */
  heavyReads: HeavyReads
  /** The time of a company's change, in whole seconds. */
  now: CompanyTime
  /** For what is no company's business: sessions, tokens, limits. */
  clock: Clock
  notices: Notices
  vault: Vault
  files: Files
  transfers: TransferSettings
  /** Absent: books for reading apps are signed by the test provider. */
  reading: ReadingSettings | undefined
  /** Absent: commercial DRM is off. */
  drmProxy: DrmProxy | undefined
  deletion: DeletionSettings
  /** Absent: users see and start no backups. */
  backups: BackupSettings | undefined
  outbound: Outbound
  serviceUrls: ServiceUrls
  /** Is there a mail server? Without one, mails are kept, and nobody gets them. */
  sendsMails: boolean
}

/** The application that the routes of a resource are added to. */
export type ResourceApp = Parameters<FastifyPluginCallbackTypebox<ResourceOptions>>[0]
