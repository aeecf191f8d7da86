import { readFile } from 'node:fs/promises'
import { CERTIFICATE_DAYS_MIN, isBackupOld } from '#insight/attention/rules.ts'
import type { Db } from '#platform/db/database.ts'
import { withCauses } from '#platform/errors/error-summary.ts'
import { createVault } from '#platform/identity/vault.ts'
import type { Config } from '#platform/settings/config.ts'
import { listBackups } from '#program/boot/backup-list.ts'
import { openFiles } from '#program/boot/files.ts'
import { findFingerprint, fingerprintOf, secretFile } from '#program/boot/secret.ts'
import { ask } from '../terminal/ask.ts'
import { bad, type Finding, fine, warning } from './finding.ts'

const PATIENCE_MS = 5000

/** Two weeks, as for the certificate of the address. */
export const RENEW = `Renew it: what renews certificates should have done so ${CERTIFICATE_DAYS_MIN} days before its end.`

const LOCAL = /^(localhost|127\.|\[::1\]|.*\.localhost$)/

/** The address that links in mails name, as somebody outside would open it. */
export async function checkAddress({ baseUrl }: Config): Promise<Finding> {
  const what = 'Address'
  if (baseUrl === undefined)
    return warning(
      what,
      'not set (LICET_BASE_URL)',
      'Set it to the https address of the service, because links in emails are made of it.',
    )
  const { hostname, protocol, host } = new URL(baseUrl)
  if (LOCAL.test(hostname)) return fine(what, `${baseUrl}, on this machine only`)
  if (protocol !== 'https:')
    return bad(
      what,
      `${baseUrl} is not encrypted`,
      'Put a proxy with a certificate in front (deploy/nginx.conf), and set LICET_BASE_URL to the https address.',
    )
  const answer = await askHealth(`${baseUrl}/health`)
  if (answer === 'alive') return fine(what, `${baseUrl}, this service answers`)
  const remedy = `Check that ${host} leads to the proxy, and the proxy to this service. If only this machine cannot reach it, nothing is wrong.`
  return warning(what, `${baseUrl} ${answer}`, remedy)
}

async function askHealth(url: string): Promise<string> {
  try {
    const { status, text } = await ask(url, PATIENCE_MS)
    if (status !== 200) return `answers ${status} at /health`
    return text === '{"status":"alive"}' ? 'alive' : 'is answered by another program'
  } catch (error) {
    return `can't be reached from here: ${oneLine(error)}`
  }
}

const oneLine = (error: unknown) => withCauses(error).split('\n')[0] ?? ''

/** Can files be stored, read and deleted in the bucket? */
export async function checkBucket(config: Config): Promise<Finding[]> {
  const { s3 } = config
  if (s3 === undefined) return []
  const what = 'Bucket'
  const key = `doctor/${process.pid}-${performance.now().toFixed(0)}.txt`
  const files = openFiles(config)
  try {
    await files.put(key, Buffer.from('licet doctor'))
    const stored = await files.read(key)
    await files.delete(key)
    if (stored?.toString() === 'licet doctor')
      return [fine(what, `${s3.bucket}, files can be stored, read and deleted`)]
    return [
      bad(
        what,
        `${s3.bucket} returns something else than was stored`,
        'Check LICET_S3_ENDPOINT: another program may answer there.',
      ),
    ]
  } catch (error) {
    const remedy =
      'Check LICET_S3_BUCKET, the region and the keys: they need the permission to put, get and delete objects.'
    return [bad(what, `${s3.bucket} can't be used: ${oneLine(error)}`, remedy)]
  }
}

/** The secret opens what is sealed in the database. Nothing is written: a service makes its secret at its first start. */
export async function checkSecret(config: Config, db: Db): Promise<Finding> {
  const what = 'Secret'
  const known = await findFingerprint(db)
  const where = config.secret === undefined ? secretFile(config.dataFolder) : 'LICET_SECRET'
  const text = config.secret ?? (await readFile(secretFile(config.dataFolder), 'utf8').catch(() => undefined))
  if (text === undefined)
    return known === undefined
      ? fine(what, 'is made at the first start')
      : bad(
          what,
          `${where} is missing, and the database is sealed with one`,
          'Bring the file back from a backup, or set LICET_SECRET to what it was. Only if it is lost, run licet secret renew.',
        )
  const isSame = known === undefined || fingerprintOf(createVault(text.trim())) === known
  if (isSame) return fine(what, `${where}, opens what the database has sealed`)
  return bad(
    what,
    `${where} is another one than the database was sealed with`,
    'Give this machine the same secret as the others. If it is lost, run licet secret renew.',
  )
}

/** Where users see backups, these should not be old. The tools of an own PostgreSQL leave nothing to look at. */
export async function checkBackups({ backups }: Config, now: Date): Promise<Finding[]> {
  if (backups === undefined) return []
  const what = 'Backups'
  const [latest] = await listBackups(backups.folder)
  const remedy = 'Make one with licet backup, and let cron or a systemd timer do so every day.'
  if (latest === undefined) return [bad(what, `there are none in ${backups.folder}`, remedy)]
  const detail = `the latest is of ${latest.createdAt.toISOString().slice(0, 10)}, ${latest.name}`
  if (latest.isDamaged)
    return [bad(what, `${detail}, and is damaged`, 'Make another one now, and look at the disk that they are on.')]
  return [isBackupOld(latest.createdAt, now) ? bad(what, detail, remedy) : fine(what, detail)]
}

/** A server that archives its WAL is backed up by tools of its own. */
export function warnWithoutBackups({ backups, schedule }: Config, isArchiving: boolean): Finding[] {
  if (backups !== undefined || schedule !== undefined || isArchiving) return []
  const remedy =
    'Set LICET_BACKUP_TARGET, and the worker makes one every night. If another program makes them, all is well.'
  return [warning('Backups', 'none that this service knows of (LICET_BACKUP_TARGET is not set)', remedy)]
}
