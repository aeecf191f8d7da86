import { resolve } from 'node:path'
import { type Static, Type } from 'typebox'
import { BACKUP_SETTINGS, type BackupAccess, type BackupSchedule, readAccess, readSchedule } from './backup-settings.ts'
import { DRM_SETTINGS, type DrmProxy, readDrmProxy } from './drm-settings.ts'
import { READING_SETTINGS, type ReadingSettings, readReading } from './reading-settings.ts'

/** What the operator decides for all companies, and what users may do of the operator's work. Part of the list of settings. */
export const OPERATOR_SETTINGS = {
  LICET_FAILED_JOB_DAYS: Type.Integer({
    default: 30,
    minimum: 1,
    maximum: 3650,
    description: 'How long background jobs that were given up are kept, so that `licet doctor` and you can see them.',
  }),
  LICET_DELETION_DAYS: Type.Integer({
    default: 30,
    minimum: 0,
    maximum: 365,
    description: 'Days between the request to delete a company and its deletion. It can be cancelled until then.',
  }),
  LICET_BOOKS_YEARS: Type.Integer({
    default: 10,
    minimum: 0,
    maximum: 30,
    description: 'Whole calendar years for which the books of a deleted company are kept, because the law asks for it.',
  }),
  LICET_BACKUP_FOLDER: Type.Optional(
    Type.String({
      minLength: 1,
      description:
        'Folder in which users of the company LICET_BACKUP_COMPANY see backups in the admin interface, and start them. Outside of LICET_DATA, best on another disk. If not set: users see and start none.',
    }),
  ),
  LICET_BACKUP_COMPANY: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Id of the company whose users may see and start backups, which hold all companies: your own.',
    }),
  ),
  LICET_BACKUPS_PER_DAY: Type.Integer({
    default: 4,
    minimum: 1,
    maximum: 100,
    description: 'How many backups users can start within a day.',
  }),
  LICET_STATUS_PAGE: Type.Boolean({
    default: false,
    description:
      'Show at `/status` what works now and has worked in the last 90 days, for those who use it. It names no company.',
  }),
  ...BACKUP_SETTINGS,
  ...READING_SETTINGS,
  ...DRM_SETTINGS,
}

const Raw = Type.Object(OPERATOR_SETTINGS)
type Raw = Static<typeof Raw>

/** How long a company that is to be deleted waits, and how long its books are kept afterwards. */
export type DeletionSettings = { waitDays: number; booksYears: number }

function readDeletion(raw: Raw): DeletionSettings {
  return { waitDays: raw.LICET_DELETION_DAYS, booksYears: raw.LICET_BOOKS_YEARS }
}

/** Where users of the operator's own company see backups, and start them. */
export type BackupSettings = { folder: string; companyId: number; perDay: number }

/** A folder without a company is a mistake: nobody could see it. */
function readBackups(raw: Raw, mistakes: string[]): BackupSettings | undefined {
  const { LICET_BACKUP_FOLDER: folder, LICET_BACKUP_COMPANY: companyId, LICET_BACKUPS_PER_DAY: perDay } = raw
  if ((folder === undefined) !== (companyId === undefined))
    mistakes.push('LICET_BACKUP_FOLDER and LICET_BACKUP_COMPANY must be set together.')
  return folder === undefined || companyId === undefined ? undefined : { folder: resolve(folder), companyId, perDay }
}

/** Everything of these settings that depends on others. */
export type OperatorParts = {
  /** Is there a page at `/status`? */
  statusPage: boolean
  deletion: DeletionSettings
  /** Absent: users see and start no backups. */
  backups: BackupSettings | undefined
  /** Absent: the worker makes no backups by itself. */
  schedule: BackupSchedule | undefined
  backupAccess: BackupAccess
  /** Absent: books for reading apps are signed by the test provider. */
  reading: ReadingSettings | undefined
  /** Absent: commercial DRM is off. */
  drmProxy: DrmProxy | undefined
}

export function readOperatorParts(raw: Raw, dataFolder: string, mistakes: string[]): OperatorParts {
  return {
    statusPage: raw.LICET_STATUS_PAGE,
    deletion: readDeletion(raw),
    backups: readBackups(raw, mistakes),
    schedule: readSchedule(raw, dataFolder, mistakes),
    backupAccess: readAccess(raw, mistakes),
    reading: readReading(raw, mistakes),
    drmProxy: readDrmProxy(raw, mistakes),
  }
}
