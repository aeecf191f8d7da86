import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chown, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'
import pg from 'pg'
import { createAuthority, issue } from '#test/certificate.ts'
import { freePort } from '#test/deployed-nginx.ts'
import { callAs, deployedPgbackrest, tablesIn, timeBetween } from '#test/pgbackrest.ts'
import { hasRadosgw, startRadosgw } from '#test/radosgw.ts'
import { temporaryFolder, until } from './program.ts'
import { run } from './terminal.ts'

const TOOLS = '/usr/lib/postgresql/15/bin'
const isThere = existsSync('/usr/bin/pgbackrest') && existsSync(`${TOOLS}/initdb`) && process.getuid?.() === 0
const why = isThere ? false : 'needs the Debian packages pgbackrest and postgresql-15, and the account root'
const call = promisify(execFile)
const BUCKET = 'licet-pitr'

/** Where pgBackRest keeps everything: what the deployed file says, for this test. */
type Repository = (deployed: string, room: string) => Promise<string> | string

const inFolder: Repository = (deployed) => deployed

/** As the end of the deployed file says it, on a server of S3 behind TLS. */
const inBucket: Repository = async (deployed, room) => {
  const { region, port, credentials, authority } = await useBucketWithTls()
  const file = join(room, 'authority.pem')
  await writeFile(file, authority, { mode: 0o644 })
  return deployed
    .replace(/^repo1-path=.*\n/m, '')
    .replace(/^# (?=repo1-)/gm, '')
    .replace('my-backups', BUCKET)
    .replace('eu-central-1\n', `${region}\n`)
    .replace('s3.eu-central-1.amazonaws.com', `localhost:${port}`)
    .replace('repo1-s3-key=…', `repo1-s3-key=${credentials.accessKeyId}`)
    .replace('repo1-s3-key-secret=…', `repo1-s3-key-secret=${credentials.secretAccessKey}`)
    .concat(`repo1-s3-uri-style=path\nrepo1-storage-ca-file=${file}\n`)
}

async function useBucketWithTls() {
  const authority = createAuthority('Tests')
  const { settings, tlsPort, stop } = await startRadosgw(issue(authority, ['localhost']))
  after(stop)
  const { endpoint = '', credentials, region } = settings
  assert.ok(credentials)
  const client = new S3Client({ endpoint, credentials, region, forcePathStyle: true })
  await client.send(new CreateBucketCommand({ Bucket: BUCKET }))
  client.destroy()
  return { region, port: tlsPort, credentials, authority: authority.cert }
}

/** What docs/operating.md says under "Any point in time", with the files of deploy/pgbackrest. */
describe('a PostgreSQL of an operator', { skip: why }, () => {
  let stop = async () => {}
  after(() => stop())

  test('is brought back to a time between a sale and a mistake, with every row of that time', () => bringBack(inFolder))

  const noBucket = hasRadosgw ? false : 'needs the Debian packages radosgw, ceph-mon and ceph-osd'
  test('is brought back from a bucket, too', { skip: noBucket }, () => bringBack(inBucket))

  async function bringBack(repository: Repository) {
    const room = await temporaryFolder('licet-pitr-')
    const account = { uid: await idOf('-u'), gid: await idOf('-g') }
    const [data, port] = [join(room, 'main'), await freePort()]
    await chown(room, account.uid, account.gid)
    const as = (file: string, args: string[]) => callAs({ account, room }, file, args)
    const config = join(room, 'pgbackrest.conf')
    await writeFile(config, await repository(await deployedPgbackrest(room, { data, port, socket: room }), room))
    for (const folder of ['repo', 'log']) {
      await mkdir(join(room, folder))
      await chown(join(room, folder), account.uid, account.gid)
    }
    const rest = (...args: string[]) => as('/usr/bin/pgbackrest', [`--config=${config}`, '--stanza=licet', ...args])
    const archived = (await readFile('deploy/pgbackrest/postgresql.conf', 'utf8')).replace(
      'pgbackrest --stanza',
      `pgbackrest --config=${config} --stanza`,
    )
    const control = (action: string) =>
      as(`${TOOLS}/pg_ctl`, ['-D', data, '-w', '-t', '120', '-l', join(room, 'server.log'), action])
    stop = async () => void (await control('stop').catch(() => undefined))

    await as(`${TOOLS}/initdb`, ['-D', data, '-U', 'postgres', '--auth=trust', '-E', 'UTF8', '--locale=C'])
    const own = `port = ${port}\nlisten_addresses = '127.0.0.1'\nunix_socket_directories = '${room}'\n`
    await writeFile(join(data, 'postgresql.conf'), `${own}${archived}`)
    await control('start')
    await as(`${TOOLS}/createdb`, ['-h', '127.0.0.1', '-p', String(port), '-U', 'postgres', 'licet'])
    await rest('stanza-create')
    await rest('check')
    const url = `postgres://postgres@127.0.0.1:${port}/licet`
    const settings = { LICET_DATA: join(room, 'data'), DATABASE_URL: url }
    assert.equal((await run(['company', 'create', '--name', 'Books', '--email', 'a@example.com'], settings)).code, 0)
    assert.equal((await run(['seed', '--products', '5', '--orders', '10'], settings)).code, 0)
    await rest('--type=full', 'backup')
    await timeBetween((text) => ask(url, text))

    assert.equal((await run(['seed', '--products', '2', '--orders', '5'], settings)).code, 0)
    const before = await tablesOf(settings, join(room, 'before'))
    const time = await timeBetween((text) => ask(url, text))
    await ask(url, 'truncate orders cascade')
    await ask(url, 'select pg_switch_wal()::text as value')
    await until(
      'the mistake is in the archive, too',
      async () =>
        (await ask(url, `select count(*)::int as value from pg_ls_archive_statusdir() where name like '%.ready'`)) ===
        0,
    )
    await control('stop')
    await rm(data, { recursive: true })
    await mkdir(data, { mode: 0o700 })
    await chown(data, account.uid, account.gid)

    await rest('--type=time', `--target=${time}`, '--target-action=promote', 'restore')
    await control('start')
    await until('it is writable', async () => (await ask(url, 'select pg_is_in_recovery() as value')) === false)
    assert.deepEqual(await tablesOf(settings, join(room, 'after')), before)
    assert.equal((await run(['seed', '--products', '1'], settings)).code, 0)

    const archiving = async () => /^.*Archiving of WAL.*$/m.exec((await run(['doctor'], settings)).out)?.[0] ?? ''
    assert.match(await archiving(), /^ok {3}/)
    await ask(url, `alter system set archive_command = 'false'`)
    await ask(url, 'select pg_reload_conf() as value')
    await ask(url, 'select pg_switch_wal()::text as value')
    await until('the doctor tells of what is not archived', async () => (await archiving()).startsWith('BAD  '))
    await stop()
  }
})

async function idOf(option: string): Promise<number> {
  return Number((await call('id', [option, 'postgres'])).stdout)
}

async function ask(connectionString: string, text: string): Promise<unknown> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    const { rows } = await client.query(text)
    return rows[0]?.value
  } finally {
    await client.end()
  }
}

/** The rows and the checksum of every table. */
async function tablesOf(settings: Record<string, string>, folder: string): Promise<unknown> {
  const made = await run(['backup', folder], settings)
  assert.equal(made.code, 0, made.err)
  return tablesIn(folder)
}
