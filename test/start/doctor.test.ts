import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { createServer as createTlsServer } from 'node:tls'
import { sql } from 'kysely'
import { readConfig } from '#platform/settings/config.ts'
import { runChecks } from '#program/command-line/doctor.ts'
import { createAuthority, issue } from '#test/certificate.ts'
import { useService } from '#test/harness.ts'
import { createDatabase } from '#test/server.ts'
import { temporaryFolder } from './program.ts'
import { run } from './terminal.ts'

const service = useService()
const SECRET = 'a secret for this test and for nothing else'
let folder = ''
let settings: Record<string, string> = {}

/** What answers where S3, another program or a certificate is expected. */
const bucketServer = createServer((_request, response) =>
  response.writeHead(403, { 'content-type': 'application/xml' }).end('<Error><Code>AccessDenied</Code></Error>'),
)
const ended = issue(createAuthority('Tests'), ['127.0.0.1'], {
  from: new Date(Date.now() - 80 * 86_400_000),
  until: new Date(Date.now() + 2 * 86_400_000),
})
const tlsServer = createTlsServer(ended)
const portOf = (server: { address(): unknown }) => (server.address() as AddressInfo).port

before(async () => {
  folder = await temporaryFolder('licet-doctor-')
  for (const server of [bucketServer, tlsServer])
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  settings = {
    PORT: '0',
    LICET_DATA: folder,
    LICET_SECRET: SECRET,
    LICET_CURRENCY_RATES_URL: '',
    DATABASE_URL: service.database.url,
  }
  // The first command that opens the database notes which secret is the right one.
  assert.equal((await run(['mails'], settings)).code, 0)
})
after(() => {
  bucketServer.close()
  tlsServer.close()
})

const execute = (text: string) => sql.raw(text).execute(service.db)

type Fault = {
  /** The finding that has to name it, and what it has to say. */
  what: string
  says: RegExp
  seed?: () => unknown
  heal?: () => unknown
  env?: () => Record<string, string> | Promise<Record<string, string>>
  now?: () => Date
  isWarning?: true
}

async function emptyDatabase(): Promise<Record<string, string>> {
  const database = await createDatabase('empty')
  after(() => database.drop())
  return { DATABASE_URL: database.url }
}

const FAULTS: Record<string, Fault> = {
  'a database that cannot be reached': {
    what: 'Database',
    says: /127\.0\.0\.1:9 can't be used: .*ECONNREFUSED/,
    env: () => ({ DATABASE_URL: 'postgres://a:secret@127.0.0.1:9/b' }),
  },
  'a database in another encoding': {
    what: 'Database',
    says: /SQL_ASCII, UTF8 is needed/,
    async env() {
      const name = `licet_ascii_${process.pid}`
      await execute(`create database ${name} template template0 encoding 'SQL_ASCII' locale 'C'`)
      after(() => execute(`drop database if exists ${name}`).catch(() => {}))
      const url = new URL(service.database.url)
      url.pathname = `/${name}`
      return { DATABASE_URL: url.href }
    },
  },
  'a database whose locale knows no letters beyond ASCII': {
    what: 'Database',
    says: /UTF8, with a locale that knows no letters/,
    isWarning: true,
    async env() {
      const name = `licet_letters_${process.pid}`
      await execute(`create database ${name} template template0 encoding 'UTF8' locale 'C'`)
      after(() => execute(`drop database if exists ${name}`).catch(() => {}))
      const url = new URL(service.database.url)
      url.pathname = `/${name}`
      return { DATABASE_URL: url.href }
    },
  },
  'migrations that are missing': {
    what: 'Schema',
    says: /0001_\w+ is not applied/,
    env: () => emptyDatabase(),
  },
  'a schema that a newer version has taken something from': {
    what: 'Schema',
    says: /9999_contract_9998_gone is newer than this program/,
    seed: () =>
      execute(`insert into kysely_migration (name, timestamp) values ('9999_contract_9998_gone', '2031-01-01')`),
    heal: () => execute(`delete from kysely_migration where name like '9999%'`),
  },
  'a data folder that cannot be written': {
    what: 'Data folder',
    says: /file\/data can't be written to \(ENOTDIR\)/,
    async env() {
      await writeFile(join(folder, 'file'), '')
      return { LICET_DATA: join(folder, 'file/data') }
    },
  },
  'another secret than the one that the database is sealed with': {
    what: 'Secret',
    says: /LICET_SECRET is another one/,
    env: () => ({ LICET_SECRET: 'another secret, of the machine before this one' }),
  },
  'a secret that is missing': {
    what: 'Secret',
    says: /secret is missing, and the database is sealed with one/,
    env: () => ({ LICET_SECRET: '' }),
  },
  'a clock that is wrong': {
    what: 'Clock',
    says: /6\d\d seconds ahead of that of the database/,
    now: () => new Date(Date.now() + 620_000),
  },
  'a mail server that cannot be reached': {
    what: 'Mail server',
    says: /ECONNREFUSED/,
    env: () => ({ LICET_SMTP_URL: 'smtp://127.0.0.1:9', LICET_MAIL_FROM: 'shop@example.com' }),
  },
  'a sender that the mail server refuses': {
    what: 'Refused mails',
    says: /1 within 30 days, the latest because of: 550 sender refused/,
    isWarning: true,
    seed: () =>
      execute(`insert into mails (recipient, subject, carries_secret, created_at, failed_at, last_error)
        values ('a@example.com', 'A', false, now(), now(), '550 sender refused')`),
    heal: () => execute('delete from mails'),
  },
  'a bucket that refuses the keys': {
    what: 'Bucket',
    says: /films can't be used: .*AccessDenied/,
    env: () => ({
      LICET_S3_BUCKET: 'films',
      LICET_S3_ENDPOINT: `http://127.0.0.1:${portOf(bucketServer)}`,
      LICET_S3_ACCESS_KEY_ID: 'a',
      LICET_S3_ACCESS_SECRET: 'b',
    }),
  },
  'an address that is not encrypted': {
    what: 'Address',
    says: /http:\/\/shops\.example\.com is not encrypted/,
    env: () => ({ LICET_BASE_URL: 'http://shops.example.com' }),
  },
  'an address that leads nowhere': {
    what: 'Address',
    says: /can't be reached from here/,
    isWarning: true,
    env: () => ({ LICET_BASE_URL: 'https://shops.invalid' }),
  },
  'a certificate that is about to end': {
    what: 'Certificate',
    says: /valid until/,
    env: () => ({ LICET_BASE_URL: `https://127.0.0.1:${portOf(tlsServer)}` }),
  },
  'jobs that were given up': {
    what: 'Jobs',
    says: /1 given up/,
    seed: () =>
      execute(`insert into jobs (kind, data, due_at, created_at, failed_at) values ('x', '{}', now(), now(), now())`),
    heal: () => execute('delete from jobs'),
  },
  'webhooks that fail': {
    what: 'Webhooks',
    says: /1 fail, 0 were deactivated/,
    isWarning: true,
    async seed() {
      const shop = await service.openShop()
      const address = 'http://127.0.0.1:1/hook'
      await shop.post('/api/webhooks.json', { webhook: { topic: 'order/create', address, format: 'json' } })
      await execute('update webhooks set failures = 3, first_failed_at = now()')
    },
    heal: () => execute('delete from webhooks'),
  },
  'a worker that is not running': {
    what: 'Worker',
    says: /work has been waiting for 1[45] minutes/,
    seed: () =>
      execute(`insert into jobs (kind, data, due_at, created_at)
        values ('x', '{}', now() - interval '15 minutes', now() - interval '15 minutes')`),
    heal: () => execute('delete from jobs'),
  },
  'a backup that is too old': {
    what: 'Backups',
    says: /the latest is of 2026-01-02/,
    async env() {
      const backups = await temporaryFolder('licet-backups-')
      await mkdir(join(backups, 'old'))
      const nothing = { migrations: ['0001_companies'], tables: [], sequences: [], files: [], has_secret: true }
      const manifest = { format: 1, version: '0.1.0', created_at: '2026-01-02T03:04:05Z', ...nothing }
      await writeFile(join(backups, 'old', 'backup.json'), JSON.stringify(manifest))
      return { LICET_BACKUP_FOLDER: backups, LICET_BACKUP_COMPANY: '1000' }
    },
  },
  'more connections than the server takes': {
    what: 'Connections',
    says: /up to 505/,
    env: () => ({ LICET_DATABASE_POOL: '500' }),
  },
  'a counter behind its table': {
    what: 'Counters',
    says: /sequences are behind the rows of .*companies/,
    async seed() {
      await service.openShop()
      await execute('alter sequence companies_id_seq restart with 1')
    },
    heal: () => execute(`select setval('companies_id_seq', (select max(id) from companies))`),
  },
  'a theme that cannot be read': {
    what: 'Themes',
    says: /home\.liquid:1 .*nonsense/,
    async env() {
      const data = await temporaryFolder('licet-theme-')
      await mkdir(join(data, 'themes/mine/templates'), { recursive: true })
      await writeFile(join(data, 'themes/mine/theme.json'), '{ "id": 1000, "name": "Mine" }')
      await writeFile(join(data, 'themes/mine/templates/home.liquid'), "{{ 'x' | nonsense }}")
      return { LICET_DATA: data }
    },
  },
  'a certificate for protected books that has ended': {
    what: 'Protected books',
    says: /\S/,
    async env() {
      const { key, cert } = issue(createAuthority('Books'), ['books'], {
        from: new Date(Date.now() - 90 * 86_400_000),
        until: new Date(Date.now() - 86_400_000),
      })
      await writeFile(join(folder, 'lcp.pem'), cert)
      await writeFile(join(folder, 'lcp.key'), key)
      return { LICET_LCP_CERTIFICATE: join(folder, 'lcp.pem'), LICET_LCP_PRIVATE_KEY: join(folder, 'lcp.key') }
    },
  },
  'an account that may not change the schema': {
    what: 'Account',
    says: /may not create tables in the schema public/,
    async env() {
      const name = `licet_reader_${process.pid}`
      await execute(`create role ${name} login password 'a'`)
      await execute(`grant select, insert, update, delete on all tables in schema public to ${name}`)
      await execute(`grant usage, select on all sequences in schema public to ${name}`)
      after(() => execute(`drop owned by ${name}; drop role ${name}`).catch(() => {}))
      const url = new URL(service.database.url)
      url.username = name
      url.password = 'a'
      return { DATABASE_URL: url.href }
    },
  },
  'an installation without backups': {
    what: 'Backups',
    says: /none that this service knows of/,
    isWarning: true,
  },
  'files that did not come back with the database': {
    what: 'Files',
    says: /1 of 1 that were looked for are missing, such as pictures\/\d+\/7\/gone\.jpg/,
    async seed() {
      const { companyId } = await service.openShop()
      await execute(`insert into pictures (company_id, id, source_url, state, file, created_at)
        values (${companyId}, 7, 'https://example.com/gone.jpg', 'stored', 'gone.jpg', now())`)
    },
    heal: () => execute('delete from pictures'),
  },
  'currency rates that are not refreshed': {
    what: 'Currency rates',
    says: /the refresh fails: it answers 500/,
    env: () => ({ LICET_CURRENCY_RATES_URL: 'https://rates.example.com/daily.xml' }),
    seed: () => execute(`update currency_rate_refresh set failure = 'it answers 500'`),
    heal: () => execute('update currency_rate_refresh set failure = null'),
  },
}

describe('licet doctor', () => {
  test('finds nothing wrong with an installation that is in order', async () => {
    const findings = await runChecks(readConfig(settings))
    assert.deepEqual(
      findings.filter(({ ok }) => !ok),
      [],
    )
    assert.ok(findings.length > 20)
  })

  for (const [name, { what, says, seed, heal, env, now, isWarning }] of Object.entries(FAULTS))
    test(`finds ${name}, and says what to do`, async () => {
      await seed?.()
      try {
        const own = await env?.()
        const found = (await runChecks(readConfig({ ...settings, ...own }), now)).filter((one) => one.what === what)
        const [finding] = found
        assert.ok(finding, `there is no finding ${what}`)
        assert.match(finding.detail, says)
        assert.deepEqual(
          [finding.ok, finding.warning ?? false],
          [isWarning ?? false, isWarning ?? false],
          finding.detail,
        )
        assert.match(finding.remedy ?? finding.detail, /\S{3,}.*[a-z)]/)
      } finally {
        await heal?.()
      }
    })

  test('prints what to do below what is wrong', async () => {
    const { code, out } = await run(['doctor'], { ...settings, LICET_BASE_URL: 'http://shops.example.com' })
    assert.equal(code, 1)
    assert.match(
      out,
      /^BAD {2}Address: http:\/\/shops\.example\.com is not encrypted\n {5}Put a proxy with a certificate in front/m,
    )
  })
})
