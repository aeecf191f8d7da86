import { statfs } from 'node:fs/promises'
import { createServer } from 'node:net'
import { sql } from 'kysely'
import { readKnownQuote, readRefresh } from '#catalog/currency-rates/queries.ts'
import { readWaitingChanges } from '#catalog/marketplace/mirrors/queries.ts'
import { listFailedPictures } from '#catalog/pictures/queries.ts'
import { readCompanyIds } from '#identity/companies/queries.ts'
import { DISK_FREE_MIN_BYTES, isEndingSoon } from '#insight/attention/rules.ts'
import { readBackupHealth } from '#insight/backup-runs/queries.ts'
import { complaintOf } from '#insight/backup-runs/rules.ts'
import type { Db } from '#platform/db/database.ts'
import type { Row } from '#platform/db/expressions.ts'
import { readSchemaState } from '#platform/db/migrations/migrate.ts'
import { probe } from '#platform/mail/smtp.ts'
import { countMails } from '#platform/mail/store.ts'
import { readCertificateEnd } from '#platform/outbound/certificate.ts'
import { createOutbound } from '#platform/outbound/outbound.ts'
import type { Config } from '#platform/settings/config.ts'
import { StartError } from '#program/boot/start-error.ts'
import { closeStore, openStore } from '#program/boot/store.ts'
import { readOwnThemes } from '#shop/themes/own-themes.files.ts'
import {
  checkAccount,
  checkArchiving,
  checkClock,
  checkConnections,
  checkSequences,
  checkServer,
  checkStandby,
} from './doctor/database.ts'
import { checkFiles } from './doctor/files.ts'
import { bad, type Finding, fine } from './doctor/finding.ts'
import {
  checkAddress,
  checkBackups,
  checkBucket,
  checkSecret,
  RENEW,
  warnWithoutBackups,
} from './doctor/installation.ts'
import { checkWork } from './doctor/work.ts'
import { messageOf } from './program.ts'

const DRM_PROXY_MS = 5000

const gibibytes = (bytes: number) => `${(bytes / 1_073_741_824).toFixed(1)} GiB`

/** Checks everything that the service depends on, with one finding each. */
export async function runChecks(config: Config, now = () => new Date()): Promise<Finding[]> {
  const findings = [
    checkNode(),
    await checkPort(config),
    await checkDecoder(),
    await checkMail(config),
    await checkAddress(config),
    ...(await checkBucket(config)),
    await checkThemes(config),
    ...(await checkCertificate(config)),
    await checkReading(config),
    ...(await checkDrmProxy(config)),
    ...(await checkBackups(config, now())),
  ]
  let store: Awaited<ReturnType<typeof openStore>>
  try {
    store = await openStore(config)
  } catch (error) {
    if (!(error instanceof StartError)) throw error
    const isFolder = error.message.startsWith('The data folder')
    return [...findings, bad(isFolder ? 'Data folder' : 'Database', error.message, isFolder ? FOLDER : SERVER)]
  }
  try {
    return [...findings, await checkDisk(config), ...(await checkDatabase(store.db, config, now))]
  } finally {
    await closeStore(store)
  }
}

const FOLDER = 'Give it to the account that the service runs as (chown), or name another folder.'
const SERVER = 'Check that PostgreSQL runs, that DATABASE_URL names it, and that its version is 15 or later.'

function checkNode(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const ok = major > 24 || (major === 24 && minor >= 16)
  return { ok, what: 'Node', detail: `${process.version}${ok ? '' : ', 24.16 or later is needed'}` }
}

/** A port in use is fine: it may be the service itself. The port must be free or answer. */
function checkPort({ host, port }: Config): Promise<Finding> {
  const what = `Port ${port} on ${host}`
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', (error: { code?: string; message: string }) => {
      resolve({
        ok: error.code === 'EADDRINUSE',
        what,
        detail: error.code === 'EADDRINUSE' ? 'in use, by this service or another program' : error.message,
      })
    })
    probe.listen(port, host, () => probe.close(() => resolve({ ok: true, what, detail: 'free' })))
  })
}

async function checkDecoder(): Promise<Finding> {
  try {
    const { default: sharp } = await import('sharp')
    await sharp({ create: { width: 1, height: 1, channels: 3, background: '#fff' } })
      .webp()
      .toBuffer()
    return { ok: true, what: 'Pictures', detail: 'can be decoded' }
  } catch (error) {
    return { ok: false, what: 'Pictures', detail: `can't be decoded: ${messageOf(error).split('\n')[0]}` }
  }
}

/** Without a mail server mails are only stored, which is fine for a trial; a configured server must accept us. */
async function checkMail({ mail }: Config): Promise<Finding> {
  if (mail === undefined) {
    const detail = 'not set (LICET_SMTP_URL): mails are kept, and nobody gets them'
    return { ok: true, warning: true, what: 'Mail server', detail }
  }
  const { host, port } = mail.server
  const reason = await probe(mail)
  return { ok: reason === undefined, what: 'Mail server', detail: `${host}:${port}, ${reason ?? 'lets us in'}` }
}

/** The themes in the data folder. A broken one is shown as the default theme, so the shops stay open. */
async function checkThemes({ dataFolder }: Config): Promise<Finding> {
  const { themes, faults } = readOwnThemes(dataFolder)
  const own = [...themes.values()]
  const { findFaults } = await import('#shop/themes/theme.ts')
  const broken = own.flatMap(({ folder, path }) => (path === undefined ? [] : findFaults({ folder, path })))
  const mistakes = [...faults, ...broken].map(
    ({ file, line, message }) => `${file}${line === undefined ? '' : `:${line}`} ${message}`,
  )
  const names = own.map(({ name }) => name).join(', ')
  return { ok: mistakes.length === 0, what: 'Themes', detail: mistakes.join('; ') || names || 'the default one' }
}

/** The certificate that visitors see, where the address of the service has one. A proxy may keep it from being seen here. */
async function checkCertificate({ baseUrl = '' }: Config): Promise<Finding[]> {
  if (!baseUrl.startsWith('https:')) return []
  const { host } = new URL(baseUrl)
  const until = await readCertificateEnd(baseUrl)
  const what = 'Certificate'
  if (until === undefined) return [{ ok: true, warning: true, what, detail: `of ${host} can't be seen from here` }]
  const day = until.toISOString().slice(0, 10)
  const detail = `of ${host}, valid until ${day}`
  return [isEndingSoon(until, new Date()) ? bad(what, detail, RENEW) : fine(what, detail)]
}

const PROVIDER = 'Ask EDRLab for a new one, and replace the file of LICET_LCP_CERTIFICATE.'

/** The certificate that signs licenses for reading apps, with its key and the program that goes with it. */
async function checkReading({ reading }: Config): Promise<Finding> {
  const what = 'Protected books'
  if (reading === undefined) {
    const detail = 'signed by the test provider, for trials only (LICET_LCP_CERTIFICATE is not set)'
    return { ok: true, warning: true, what, detail }
  }
  const { openProvider } = await import('#rights/reading-licenses/provider/provider.files.ts')
  try {
    const { certificate, profile, userKeyOf } = await openProvider(reading)
    await userKeyOf(Buffer.alloc(32))
    const until = new Date(certificate.validTo)
    const name = certificate.subject.split('\n').find((line) => line.startsWith('CN=')) ?? certificate.subject
    const detail = `${name}, valid until ${until.toISOString().slice(0, 10)}, ${profile}`
    return isEndingSoon(until, new Date()) ? bad(what, detail, PROVIDER) : fine(what, detail)
  } catch (error) {
    return { ok: false, what, detail: messageOf(error) }
  }
}

/** Any answer to a request without a statement shows that the proxy of commercial DRM is there: it has to refuse it. */
async function checkDrmProxy({ drmProxy }: Config): Promise<Finding[]> {
  if (drmProxy === undefined) return []
  const what = 'Commercial DRM'
  const outbound = createOutbound({ isPublic: () => true })
  try {
    const { statusCode, body } = await outbound.request(`${drmProxy.url}/widevine`, {
      method: 'POST',
      signal: AbortSignal.timeout(DRM_PROXY_MS),
    })
    await body.dump()
    const isOpen = statusCode < 300
    const answer = isOpen ? 'gives licenses without a statement' : `is there (it answers ${statusCode})`
    return [{ ok: !isOpen, what, detail: `${drmProxy.url} ${answer}` }]
  } catch (error) {
    return [{ ok: false, what, detail: `${drmProxy.url} cannot be reached: ${messageOf(error)}` }]
  } finally {
    await outbound.close()
  }
}

const DISK = { remedy: 'Move backups to another disk, or make this one larger: uploads and backups soon fail.' }

async function checkDisk({ dataFolder }: Config): Promise<Finding> {
  const { bavail, bsize } = await statfs(dataFolder)
  return {
    ok: bavail * bsize >= DISK_FREE_MIN_BYTES,
    what: 'Data folder',
    detail: `${dataFolder}, ${gibibytes(bavail * bsize)} free`,
    ...(bavail * bsize < DISK_FREE_MIN_BYTES && DISK),
  }
}

async function checkDatabase(db: Db, config: Config, now: () => Date): Promise<Finding[]> {
  const server = [await checkServer(db), await checkClock(db, now), await checkConnections(db, config)]
  const archiving = await checkArchiving(db)
  server.push(await checkAccount(db), ...(await checkStandby(db, config)), ...archiving)
  server.push(...warnWithoutBackups(config, archiving.length > 0))
  const { missing, newer, unbearable } = await readSchemaState(db)
  const schema = [
    ...missing.map((name) => `${name} is not applied (run "licet migrate")`),
    ...unbearable.map((name) => `${name} is newer than this program`),
  ]
  const remedy = unbearable.length > 0 ? 'Install the newer version again.' : 'Run licet migrate, or start the service.'
  if (schema.length > 0) return [...server, bad('Schema', schema.join('; '), remedy)]
  return [
    ...server,
    schemaFinding(newer),
    await checkSecret(config, db),
    await checkSequences(db),
    ...(await checkWork(db, now())),
    ...(await checkContents(db)),
    await checkFiles(db, config),
    await checkRates(db, config),
    ...(await checkSchedule(db, config, now())),
  ]
}

/** During a rolling upgrade, the old version works on the schema of the new one. */
function schemaFinding(newer: readonly string[]): Finding {
  const what = 'Schema'
  if (newer.length === 0) return { ok: true, what, detail: 'up to date' }
  const detail = `of a newer version, with which this one works (${newer.join(', ')}): finish the upgrade`
  return { ok: true, warning: true, what, detail }
}

const JOBS = {
  remedy: 'The log says why each failed. They are deleted after LICET_FAILED_JOB_DAYS, and nothing does them again.',
}

async function checkContents(db: Db): Promise<Finding[]> {
  const { rows } = await sql<Record<'failed' | 'waiting', Row<'jobs'>['attempts']>>`
    select count(*) filter (where failed_at is not null) as failed, count(*) filter (where failed_at is null) as waiting from jobs`.execute(
    db,
  )
  const { failed = 0, waiting = 0 } = rows[0] ?? {}
  const pictures = await listFailedPictures(db, undefined, 1000)
  const companies = await readCompanyIds(db)
  const mails = await countMails(db)
  const changes = [...(await readWaitingChanges(db)).values()].reduce((sum, waiting) => sum + waiting, 0)
  return [
    { ok: true, what: 'Companies', detail: String(companies.length) },
    { ok: failed === 0, what: 'Jobs', detail: `${waiting} waiting, ${failed} given up`, ...(failed > 0 && JOBS) },
    {
      ok: true,
      what: 'Failed pictures',
      detail: pictures.length === 0 ? 'none' : `${pictures.length} (see "licet pictures")`,
    },
    {
      ok: true,
      what: 'Mirrored products',
      detail: changes === 0 ? 'follow their originals' : `${changes} originals to follow (see "licet market list")`,
    },
    {
      ok: true,
      what: 'Mails',
      detail: `${mails.waiting} waiting, ${mails.kept} kept, ${mails.failed} failed (see "licet mails")`,
    },
  ]
}

/** Rates that are not refreshed become wrong over time, unless the operator has chosen so. */
async function checkRates(db: Db, { currencyRatesUrl }: Config): Promise<Finding> {
  const [{ quotedAt }, { failure, succeeded_at }] = await Promise.all([readKnownQuote(db), readRefresh(db)])
  const of = `of ${quotedAt.toISOString().slice(0, 10)}`
  if (currencyRatesUrl === '') return { ok: true, what: 'Currency rates', detail: `${of}, refresh is off` }
  if (failure !== null)
    return {
      ok: false,
      what: 'Currency rates',
      detail: `${of}, the refresh fails: ${failure} (an empty LICET_CURRENCY_RATES_URL turns it off)`,
    }
  return {
    ok: true,
    what: 'Currency rates',
    detail: succeeded_at === null ? `${of}, as they came with the service` : of,
  }
}

/** The backups that the worker makes by itself. */
async function checkSchedule(db: Db, { schedule }: Config, now: Date): Promise<Finding[]> {
  if (schedule === undefined) return []
  const what = 'Scheduled backups'
  const health = await readBackupHealth(db)
  const complaint = complaintOf(health, now)
  const remedy = 'The log of the worker says why. Correct it: the next one is made within an hour.'
  if (complaint !== undefined) return [bad(what, `${schedule.target}, ${complaint}`, remedy)]
  const finished = health.lastDone?.finished_at?.toISOString().slice(0, 16)
  const last = finished === undefined ? 'none yet' : `last finished and checked ${finished}`
  return [{ ok: true, what, detail: `${schedule.target}, ${last}` }]
}
