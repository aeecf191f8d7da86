import assert from 'node:assert/strict'
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, beforeEach, describe, test } from 'node:test'
import { sql } from 'kysely'
import { type DatabaseHandle, openDatabase } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { createVault, type Vault } from '#platform/identity/vault.ts'
import { takeContentKey } from '#rights/content-keys/commands.ts'
import { useService } from '#test/harness.ts'
import { fetchBytes, fetchJson, openLicense } from '#test/reading-app.ts'
import { aProtectedBook, aReadingLicense, passphraseOf } from '#test/reading-licenses.ts'
import { createDatabase, type TestDatabase } from '#test/server.ts'
import { temporaryFolder } from '#test/start/program.ts'
import { run } from '#test/start/terminal.ts'
import { RESOURCES } from '../../resources.ts'
import { openVault, renewSecret, rotateSecret } from './secret.ts'
import { StartError } from './start-error.ts'

let database: TestDatabase
let handle: DatabaseHandle
let dataFolder: string

before(async () => {
  database = await createDatabase()
  handle = openDatabase(database.connection, { poolMax: 10 })
})
beforeEach(async () => {
  dataFolder = await temporaryFolder()
  await handle.db.deleteFrom('installation').execute()
})
after(async () => {
  await handle.close()
  await database.drop()
})

const LONG = 'a secret that is long enough to be one'
const open = (secret?: string, folder = dataFolder) => openVault({ secret, dataFolder: folder }, handle.db)
const isStartError = (pattern: RegExp) => (error: unknown) => error instanceof StartError && pattern.test(error.message)

describe('the secret of an installation', () => {
  test('is created at the first start, readable by its owner only, and kept', async () => {
    const sealed = (await open()).seal('test', 'text')
    const file = join(dataFolder, 'secret')
    const secret = await readFile(file, 'utf8')
    assert.match(secret, /^[\w-]{43}\n$/)
    assert.equal((await stat(file)).mode & 0o777, 0o600)
    assert.equal((await open()).open('test', sealed), 'text')
    assert.equal(await readFile(file, 'utf8'), secret)
    assert.deepEqual(await readdir(dataFolder), ['secret'])
    const { value } = await handle.db.selectFrom('installation').select('value').executeTakeFirstOrThrow()
    assert.ok(!value.includes(secret.trim()))
  })

  test('is the same for many processes that start at once', async () => {
    for (let round = 0; round < 5; round += 1) {
      await handle.db.deleteFrom('installation').execute()
      const folder = await temporaryFolder()
      const vaults = await Promise.all(Array.from({ length: 20 }, () => open(undefined, folder)))
      assert.equal(new Set(vaults.map((vault) => vault.key('test').toString('hex'))).size, 1)
      assert.deepEqual(await readdir(folder), ['secret'])
    }
  })

  test('comes from LICET_SECRET, even if there is a file', async () => {
    await writeFile(join(dataFolder, 'secret'), 'another one that is long enough too\n')
    const vault = await open(LONG)
    await handle.db.deleteFrom('installation').execute()
    const elsewhere = await open(LONG, '/proc/nowhere')
    assert.deepEqual(vault.key('test'), elsewhere.key('test'))
    assert.equal(await readFile(join(dataFolder, 'secret'), 'utf8'), 'another one that is long enough too\n')
  })

  test('ends the start if it differs from that of the database, without printing either', async () => {
    await open(LONG)
    const other = 'another secret that is long enough'
    await assert.rejects(
      open(other),
      isStartError(/set up with another secret than the one in LICET_SECRET: .*secret renew/),
    )
    await assert.rejects(open(other), (error: Error) => !error.message.includes(other) && !error.message.includes(LONG))
    await assert.rejects(open(), isStartError(new RegExp(`than the one in ${join(dataFolder, 'secret')}: `)))
    await open(LONG)
  })

  test('is that of one of two machines which start at once with different secrets', async () => {
    const outcomes = await Promise.allSettled([open(LONG), open('another secret that is long enough')])
    assert.deepEqual(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
  })

  test('is not read from a file without one', async () => {
    const file = join(dataFolder, 'secret')
    for (const text of ['', '\n', 'short\n']) {
      await writeFile(file, text)
      await assert.rejects(open(), isStartError(/does not hold the secret that it should/))
      assert.equal(await readFile(file, 'utf8'), text)
    }
  })

  test('ends the start in one sentence if its file cannot be read or created', async () => {
    await mkdir(join(dataFolder, 'secret'))
    await assert.rejects(open(), isStartError(/can't be used \(EISDIR\): set LICET_SECRET instead\.$/))
    await assert.rejects(open(undefined, '/proc/nowhere'), isStartError(/can't be used \(ENOENT\)/))
  })

  test('can be renewed, if the right one is lost', async () => {
    const sealed = (await open(LONG)).seal('test', 'text')
    assert.equal(await renewSecret({ secret: undefined, dataFolder }, handle.db), true)
    assert.equal(await renewSecret({ secret: undefined, dataFolder }, handle.db), false)
    const vault = await open()
    assert.throws(() => vault.open('test', sealed))
    await assert.rejects(open(LONG), isStartError(/another secret/))
  })
})

const SEALED = RESOURCES.flatMap(({ sealed }) => sealed ?? [])

describe('a secret that is replaced', () => {
  const service = useService()
  const OF_TESTS = 'a secret for tests and for nothing else'

  /** Every sealed value of the service, opened. Throws if one does not open. */
  async function openAll(vault: Vault): Promise<string[]> {
    const opened: string[] = []
    for (const { table, column, purpose } of SEALED) {
      const { rows } = await sql<{ value: Buffer }>`select ${sql.ref(column)} as value from ${sql.table(table)}
        where ${sql.ref(column)} is not null order by md5(${sql.table(table)}::text)`.execute(service.db)
      opened.push(...rows.map(({ value }) => vault.open(purpose, value)))
    }
    return opened.sort()
  }

  async function rotate(from: string, to: string) {
    const file = join(dataFolder, 'secret.old')
    await writeFile(file, `${from}\n`)
    return rotateSecret({ secret: to, dataFolder }, service.db, file, SEALED)
  }

  test('leaves the keys of films and books, the passphrases and everything else as they are, and the old one opens nothing', async () => {
    const { shop, id, customer } = await aProtectedBook(service)
    const license = await aReadingLicense(service, shop, id)
    const passphrase = await passphraseOf(shop, customer)
    const now = service.clock.now()
    const filmKey = (vault: Vault) =>
      inTransaction(service.db, (tx) => takeContentKey(tx, vault, shop.companyId, 'packed/1', now))
    const key = await filmKey(service.vault)
    const before = await openAll(service.vault)
    assert.ok(before.length >= 4, 'the key of a film, the key and the passphrase of a book, the secret of an app')
    const rotation = await rotate(OF_TESTS, LONG)
    assert.deepEqual(rotation, { renewed: true, sealed: before.length, lost: 0 })
    const vault = createVault(LONG)
    assert.deepEqual(await openAll(vault), before)
    for (const { table, column, purpose } of SEALED) {
      const { rows } = await sql<{ value: Buffer }>`select ${sql.ref(column)} as value from ${sql.table(table)}
        where ${sql.ref(column)} is not null`.execute(service.db)
      for (const { value } of rows) assert.throws(() => service.vault.open(purpose, value), `${table}.${column}`)
    }
    assert.deepEqual(await filmKey(vault), key)
    await assert.rejects(
      rotate('a secret that was never the one of this', OF_TESTS),
      isStartError(/is not the one that this/),
    )
    assert.deepEqual(await rotate(OF_TESTS, LONG), { renewed: false, sealed: 0, lost: 0 })
    assert.equal((await rotate(LONG, OF_TESTS)).sealed, before.length)
    const { body: document } = await fetchJson(license.license_url)
    assert.ok(await openLicense(document, passphrase))
    assert.equal((await fetchBytes(license.download_url)).status, 200)
  })

  test('keeps what another secret had sealed before, and says how much that is', async () => {
    const shop = await service.openShop()
    const now = service.clock.now()
    const lost = createVault('a secret that was lost a long time ago')
    await inTransaction(service.db, (tx) => takeContentKey(tx, lost, shop.companyId, 'packed/2', now))
    assert.equal((await rotate(OF_TESTS, LONG)).lost, 1)
    assert.equal((await rotate(LONG, OF_TESTS)).lost, 1)
  })

  // A column that is forgotten would be lost with the next rotation.
  test('covers every column that is sealed', async () => {
    const OTHERS = /(_hash|^hash|fingerprint|^salt|^visitor|^recipient|^tried|^pdf|^content|handover_state)$/
    const { rows } = await sql<{ name: string; column: string }>`select table_name as name, column_name as column
      from information_schema.columns where table_schema = 'public' and data_type = 'bytea'`.execute(service.db)
    const unnamed = rows.filter(({ column }) => !OTHERS.test(column)).map(({ name, column }) => `${name}.${column}`)
    assert.deepEqual(unnamed.sort(), SEALED.map(({ table, column }) => `${table}.${column}`).sort())
  })
})

describe('licet secret renew', () => {
  const settings = () => ({ PORT: '0', LICET_DATA: dataFolder, DATABASE_URL: database.url })

  test('lets a machine with another secret continue, and says what that costs', async () => {
    await open(LONG)
    const stopped = await run(['pictures'], settings())
    assert.deepEqual([stopped.code, stopped.out], [1, ''])
    assert.match(stopped.err, /^This database was set up with another secret [^\n]* run licet secret renew\.\n$/)
    const renewed = await run(['secret', 'renew'], settings())
    assert.equal(renewed.code, 0, renewed.err)
    assert.match(renewed.out, /recovery code/)
    assert.equal((await run(['pictures'], settings())).code, 0)
    assert.equal((await run(['secret', 'renew'], settings())).out, 'The secret is the right one already.\n')
    assert.deepEqual(JSON.parse((await run(['secret', 'renew', '--json'], settings())).out), { renewed: false })
    const back = await run(['secret', 'renew', '--json'], { ...settings(), LICET_SECRET: LONG })
    assert.deepEqual(JSON.parse(back.out), { renewed: true })
  })

  test('with the old secret in a file seals everything again', async () => {
    await open(LONG)
    const old = join(dataFolder, 'secret.old')
    await writeFile(old, 'a secret that somebody has made up for it')
    const refused = await run(['secret', 'renew', '--from', old], settings())
    assert.deepEqual([refused.code, refused.out], [1, ''])
    assert.match(refused.err, /^The secret in \S+ is not the one that this database was set up with\.\n$/)
    await writeFile(old, LONG)
    const renewed = await run(['secret', 'renew', '--from', old], settings())
    assert.equal(renewed.code, 0, renewed.err)
    assert.match(renewed.out, /^Everything is sealed with the secret of this machine now\./)
    assert.equal((await run(['pictures'], settings())).code, 0)
    const missing = await run(['secret', 'renew', '--from', join(dataFolder, 'none')], settings())
    assert.match(missing.err, /can't be read \(ENOENT\)/)
  })

  test('does not print the secret', async () => {
    await open(LONG)
    const { out, err } = await run(['secret', 'renew'], settings())
    const secret = (await readFile(join(dataFolder, 'secret'), 'utf8')).trim()
    assert.ok(!`${out}${err}`.includes(secret))
  })
})
