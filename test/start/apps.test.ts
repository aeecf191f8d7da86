import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import { createDatabase, type TestDatabase } from '#test/server.ts'
import { temporaryFolder } from './program.ts'
import { run } from './terminal.ts'

let database: TestDatabase
let client: pg.Client
let settings: Record<string, string>

const licet = (...args: string[]) => run(args, settings)

before(async () => {
  database = await createDatabase()
  settings = { PORT: '0', LICET_DATA: await temporaryFolder(), DATABASE_URL: database.url }
  const made = await licet('company', 'create', '--name', 'Books & Co', '--email', 'owner@example.com', '--json')
  assert.equal(made.code, 0, made.err)
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
})

after(async () => {
  await client.end()
  await database.drop()
})

async function anApp(...more: string[]): Promise<{ client_id: string; client_secret: string }> {
  const made = await licet(
    'app',
    'create',
    '--company',
    '1000',
    '--name',
    'Shelf',
    '--redirect-uri',
    'https://app.example.com/back',
    ...more,
    '--json',
  )
  assert.equal(made.code, 0, made.err)
  return JSON.parse(made.out)
}

const appOf = async (clientId: string) =>
  (await client.query('select * from apps where client_id = $1', [clientId])).rows[0]

describe('licet app', () => {
  test('create keeps every detail and shows the secret once', async () => {
    const { client_id, client_secret } = await anApp(
      '--redirect-uri',
      'http://localhost:8080/back',
      '--scope',
      'orders,products',
      '--developer-email',
      'dev@example.com',
      '--sync-url',
      'https://app.example.com/sync',
    )
    assert.match(client_secret, /^[\w-]{43}$/)
    const app = await appOf(client_id)
    assert.deepEqual(app.redirect_uris, ['https://app.example.com/back', 'http://localhost:8080/back'])
    assert.deepEqual(app.scopes, ['products', 'orders'])
    assert.equal(app.developer_email, 'dev@example.com')
    assert.equal(app.data_change_sync_url, 'https://app.example.com/sync')
    assert.ok(!JSON.stringify(app).includes(client_secret))
    const listed = JSON.parse((await licet('app', 'list', '--company', '1000', '--json')).out)
    assert.ok(listed.apps.some((each: { client_id: string }) => each.client_id === client_id))
    assert.ok(!JSON.stringify(listed).includes('secret'))
  })

  test('create takes a client id that a client has, once, and a scope that nothing needs yet', async () => {
    const { client_id } = await anApp('--client-id', 'DEV:Fixed.client_id-1', '--scope', 'orders,player,files')
    assert.equal(client_id, 'DEV:Fixed.client_id-1')
    assert.deepEqual((await appOf(client_id)).scopes, ['orders', 'files', 'player'])
    const create = (id: string) =>
      licet(
        'app',
        'create',
        '--company',
        '1000',
        '--name',
        'Other',
        '--redirect-uri',
        'https://b.example.com/back',
        `--client-id=${id}`,
      )
    const taken = await create('DEV:Fixed.client_id-1')
    assert.deepEqual([taken.code, taken.err], [1, 'Client id is taken by another app.\n'])
    for (const id of ['with blank', '-x']) {
      const wrong = await create(id)
      assert.equal(wrong.code, 2)
      assert.match(wrong.err, /hyphens and underscores, and begin with a letter or a digit\.\n$/)
    }
    assert.equal((await appOf('DEV:Fixed.client_id-1')).name, 'Shelf')
  })

  test('create refuses what is wrong, in one sentence', async () => {
    const create = (...more: string[]) => licet('app', 'create', '--company', '1000', '--name', 'Shelf', ...more)
    const plain = await create('--redirect-uri', 'http://app.example.com/back')
    assert.equal(plain.code, 2)
    assert.match(plain.err, /It must be a whole https address[^\n]*\n$/)
    const unknown = await create('--redirect-uri', 'https://app.example.com', '--scope', 'everything')
    assert.equal(unknown.code, 2)
    assert.match(unknown.err, /There is no scope everything/)
    const stranger = await licet(
      'app',
      'create',
      '--company',
      '7',
      '--name',
      'x',
      '--redirect-uri',
      'https://a.example',
    )
    assert.deepEqual([stranger.code, stranger.err], [2, 'There is no company 7.\n'])
  })

  test('change changes what is named and leaves the rest', async () => {
    const { client_id } = await anApp('--developer-email', 'dev@example.com')
    const changed = await licet('app', 'change', client_id, '--name', 'Bookshelf', '--sync-url', '')
    assert.equal(changed.code, 0, changed.err)
    const app = await appOf(client_id)
    assert.equal(app.name, 'Bookshelf')
    assert.equal(app.developer_email, 'dev@example.com')
    assert.deepEqual(app.redirect_uris, ['https://app.example.com/back'])
    assert.equal((await licet('app', 'change', 'nobody', '--name', 'x')).code, 2)
  })

  test('rotate gives another secret, and keeps the one before for a while', async () => {
    const { client_id, client_secret } = await anApp()
    const before = await appOf(client_id)
    const rotated = await licet('app', 'rotate', client_id, '--overlap', '3600', '--json')
    assert.equal(rotated.code, 0, rotated.err)
    const answer = JSON.parse(rotated.out)
    assert.notEqual(answer.client_secret, client_secret)
    const app = await appOf(client_id)
    assert.deepEqual(app.previous_secret_hash, before.secret_hash)
    assert.equal(app.previous_secret_until.getTime() - app.updated_at.getTime(), 3_600_000)
  })

  test('remove takes back what was allowed, once', async () => {
    const { client_id } = await anApp()
    const issued = await licet('token', '--company', '1000', '--app', client_id, '--scope', 'orders')
    assert.equal(issued.code, 0, issued.err)
    assert.equal((await licet('app', 'remove', client_id, '--company', '1000')).code, 0)
    const again = await licet('app', 'remove', client_id, '--company', '1000')
    assert.deepEqual([again.code, again.err], [1, 'Company 1000 has not allowed this app anything.\n'])
    const { rows } = await client.query(
      `select action, address from audit_entries where action like 'app %' order by id`,
    )
    assert.deepEqual(rows.at(-1), { action: 'app permission removed', address: 'command line' })
  })

  test('token acts for a customer with the scope player alone', async () => {
    await client.query(
      `insert into customers (id, token, email, language, state, verified_email, created_at, updated_at)
       values (7, 'ABCDEFGHABCDEFGH', 'jane@example.com', 'en', 'enabled', false, now(), now())`,
    )
    await client.query(
      `insert into customer_relations
         (company_id, customer_id, first_name, last_name, addresses, note, created_at, updated_at, document)
       values (1000, 7, '', '', '[]', '', now(), now(), '{}')`,
    )
    const issued = await licet('token', '--company', '1000', '--scope', 'player', '--customer', 'ABCDEFGHABCDEFGH')
    assert.equal(issued.code, 0, issued.err)
    const { rows } = await client.query('select customer_id, user_id, scopes from grants where customer_id is not null')
    assert.deepEqual(rows, [{ customer_id: '7', user_id: null, scopes: ['player'] }])
    const customer = ['--customer', 'ABCDEFGHABCDEFGH']
    for (const wrong of [['player'], ['orders', ...customer], ['orders,player', ...customer]]) {
      const refused = await licet('token', '--company', '1000', '--scope', ...wrong)
      assert.equal(refused.code, 2, refused.out)
      assert.match(refused.err, /needs --customer/)
    }
  })
})
