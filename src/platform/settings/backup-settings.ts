import { resolve } from 'node:path'
import { type Static, Type } from 'typebox'
import type { S3Settings } from '../files/s3-files.ts'

/** The settings of backups that the worker makes by itself, and of where backups are. Part of the list of settings. */
export const BACKUP_SETTINGS = {
  LICET_BACKUP_TARGET: Type.Optional(
    Type.String({
      minLength: 1,
      description:
        'Where the worker writes a backup at the LICET_BACKUP_TIMES: a folder outside of LICET_DATA, best on another disk, or `s3://bucket/prefix`. If not set: it writes none.',
    }),
  ),
  LICET_BACKUP_TIMES: Type.String({
    default: '03:00',
    description: 'Times of day in UTC at which the worker writes a backup, separated by commas, such as `03:00,15:00`.',
  }),
  LICET_BACKUP_DAILY: Type.Integer({
    default: 7,
    minimum: 1,
    maximum: 3660,
    description: 'Of how many days the last backup is kept.',
  }),
  LICET_BACKUP_WEEKLY: Type.Integer({
    default: 4,
    minimum: 0,
    maximum: 520,
    description: 'Of how many weeks the last backup is kept, beside those of days.',
  }),
  LICET_BACKUP_MONTHLY: Type.Integer({
    default: 12,
    minimum: 0,
    maximum: 120,
    description: 'Of how many months the last backup is kept, beside those of days and weeks.',
  }),
  LICET_BACKUP_RECIPIENT: Type.Optional(
    Type.String({
      minLength: 1,
      description:
        'Public key, such as `age1…`, for which backups are encrypted before they leave the machine. Only a restore needs the private key: keep it elsewhere. `licet backup-key` makes both. If not set: backups are not encrypted, and scheduled ones have no secret of the installation in them.',
    }),
  ),
  LICET_BACKUP_S3_REGION: Type.String({ default: 'us-east-1', minLength: 1, description: 'Region of that bucket.' }),
  LICET_BACKUP_S3_ENDPOINT: Type.Optional(
    Type.String({
      format: 'http-url',
      description: 'Address of a server that speaks the protocol of S3, for backups. If not set: the one of Amazon.',
    }),
  ),
  LICET_BACKUP_S3_ACCESS_KEY_ID: Type.Optional(
    Type.String({
      minLength: 1,
      description: 'Access key for the bucket of backups. If not set: what the machine offers.',
    }),
  ),
  LICET_BACKUP_S3_ACCESS_SECRET: Type.Optional(
    Type.String({ minLength: 1, description: 'Secret that belongs to LICET_BACKUP_S3_ACCESS_KEY_ID.' }),
  ),
}

const Raw = Type.Object(BACKUP_SETTINGS)
type Raw = Static<typeof Raw>

/** How many of the latest backups are kept. */
export type Retention = { daily: number; weekly: number; monthly: number }

/** Backups that the worker makes by itself. */
export type BackupSchedule = {
  target: string
  /** Minutes after midnight in UTC, the earliest first. */
  times: readonly number[]
  keep: Retention
}

/** How backups are encrypted, and how buckets with backups are reached. */
export type BackupAccess = { recipient: string | undefined; s3: Omit<S3Settings, 'bucket'> }

export const isBucket = (place: string) => place.startsWith('s3://')

/** A place without the slashes at its end. */
export function withoutSlashes(place: string): string {
  let end = place.length
  while (place[end - 1] === '/') end -= 1
  return place.slice(0, end)
}

const TIME = /^([01]\d|2[0-3]):([0-5]\d)$/

function readTimes(text: string, mistakes: string[]): number[] {
  const times = text.split(',').map((entry) => TIME.exec(entry.trim()))
  if (times.some((time) => time === null))
    mistakes.push(`LICET_BACKUP_TIMES must be times such as 03:00, separated by commas, not "${text}".`)
  return times.map((time) => Number(time?.[1]) * 60 + Number(time?.[2])).sort((one, other) => one - other)
}

export function readSchedule(raw: Raw, dataFolder: string, mistakes: string[]): BackupSchedule | undefined {
  const { LICET_BACKUP_TARGET: place, LICET_BACKUP_DAILY: daily } = raw
  const times = readTimes(raw.LICET_BACKUP_TIMES, mistakes)
  if (place === undefined) return undefined
  if (isBucket(place) && !/^s3:\/\/[^/]{3,}/.test(place))
    mistakes.push('LICET_BACKUP_TARGET must be a folder, or s3://bucket/prefix.')
  const target = isBucket(place) ? place : resolve(place)
  const inside = `${resolve(dataFolder)}/`
  if (`${target}/`.startsWith(inside)) mistakes.push('LICET_BACKUP_TARGET must not be in LICET_DATA.')
  return { target, times, keep: { daily, weekly: raw.LICET_BACKUP_WEEKLY, monthly: raw.LICET_BACKUP_MONTHLY } }
}

export function readAccess(raw: Raw, mistakes: string[]): BackupAccess {
  const { LICET_BACKUP_RECIPIENT: recipient, LICET_BACKUP_S3_ACCESS_KEY_ID: accessKeyId } = raw
  const { LICET_BACKUP_S3_ACCESS_SECRET: secretAccessKey } = raw
  if ((accessKeyId === undefined) !== (secretAccessKey === undefined))
    mistakes.push('LICET_BACKUP_S3_ACCESS_KEY_ID and LICET_BACKUP_S3_ACCESS_SECRET must be set together.')
  if (recipient !== undefined && !/^age1[a-z0-9]{20,}$/.test(recipient))
    mistakes.push('LICET_BACKUP_RECIPIENT must be a public key such as age1…')
  const credentials =
    accessKeyId === undefined || secretAccessKey === undefined ? undefined : { accessKeyId, secretAccessKey }
  return {
    recipient,
    s3: { region: raw.LICET_BACKUP_S3_REGION, endpoint: raw.LICET_BACKUP_S3_ENDPOINT, credentials },
  }
}
