import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { createDatabase, type TestDatabase } from '#test/server.ts'
import { temporaryFolder } from './program.ts'
import { run } from './terminal.ts'

let database: TestDatabase
let client: pg.Client
let settings: Record<string, string>

before(async () => {
  database = await createDatabase()
  settings = { PORT: '0', LICET_DATA: await temporaryFolder(), DATABASE_URL: database.url }
  const made = await licet('company', 'create', '--name', 'Books & Co', '--email', 'owner@example.com')
  assert.equal(made.code, 0, made.err)
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
})

after(async () => {
  await client.end()
  await database.drop()
})

const licet = (...args: string[]) => run(args, settings)
const withAddress = (...args: string[]) => run(args, { ...settings, LICET_BASE_URL: 'https://shop.example.com/' })
const owner = ['--email', 'Owner@example.com']

test('user invite sends the invitation, prints its link, and says what the user may do', async () => {
  const who = ['--company', '1000', '--email', 'Jane@example.com', '--first-name', 'Jane', '--last-name', 'Röe']
  const { code, out, err } = await withAddress('user', 'invite', ...who, '--create-users', '--json')
  assert.equal(code, 0, err)
  const made = JSON.parse(out)
  assert.deepEqual(Object.keys(made), ['user_id', 'token', 'mail_id', 'link', 'expires_at'])
  assert.match(made.link, /^https:\/\/shop\.example\.com\/invitation\/[\w-]{43}$/)
  const days = (Date.parse(made.expires_at) - Date.now()) / 86_400_000
  assert.ok(days > 6.9 && days <= 7, `${days}`)
  const { rows } = await client.query('select id, text from mails where recipient = $1', ['Jane@example.com'])
  assert.deepEqual([rows.length, Number(rows[0].id)], [1, made.mail_id])
  assert.ok(rows[0].text.includes(made.link))
  assert.match(rows[0].text, /^You are invited to run the shop of Books & Co\./m)
  const users = JSON.parse((await licet('user', 'list', '--company', '1000', '--json')).out).users
  const { id, token, state, valid, last_name, permissions } = users.at(-1)
  assert.deepEqual([id, token, state, valid, last_name], [made.user_id, made.token, 'disabled', false, 'Röe'])
  assert.deepEqual([permissions.create_users, permissions.web_access, permissions.accounting], [1, 1, 0])
  const audit = await client.query(`select address, user_id from audit_entries where action = 'user invited'`)
  assert.deepEqual(audit.rows, [{ address: 'command line', user_id: null }])
  const again = await withAddress('user', 'invite', ...who)
  assert.deepEqual([again.code, again.err], [2, 'There is a user Jane@example.com already.\n'])
})

test('user invite answers people in words, and gives no more than asked for', async () => {
  const { out } = await withAddress('user', 'invite', '--company', '1000', '--email', 'john@example.com')
  const [, id] = /`npx licet mails (\d+)`/.exec(out) ?? []
  const kept = `The mail to john@example.com is kept: no mail server is configured. Read it with \`npx licet mails ${id}\`.`
  assert.ok(out.startsWith(`${kept}\nThis link works once, until `), out)
  assert.match(out, /until \S+:\nhttps:\S+\n$/)
  assert.match((await licet('mails', id ?? '')).out, /^To {7}john@example\.com$/m)
  const withServer = {
    ...settings,
    LICET_BASE_URL: 'https://shop.example.com/',
    LICET_SMTP_URL: 'smtp://mail.example.com',
  }
  const sent = await run(['user', 'invite', '--company', '1000', '--email', 'jim@example.com'], withServer)
  assert.match(
    sent.out,
    /^The mail to jim@example\.com is handed to the running service, or to the next that starts\.\n/,
  )
  const list = (await licet('user', 'list', '--company', '1000')).out.trim().split('\n')
  assert.match(list[0] ?? '', /^Id {2}Email +Name +State +Permissions$/)
  assert.match(list[1] ?? '', /^1000 {2}owner@example\.com +owner@example\.com +enabled +request_products,/)
  assert.match(list.at(-2) ?? '', /^\d+ {2}john@example\.com +john@example\.com +invited +web_access$/)
})

test('user reset prints a link for an hour to who has a password, and the invitation again to who has none', async () => {
  const reset = JSON.parse((await withAddress('user', 'reset', ...owner, '--json')).out)
  assert.match(reset.link, /^https:\/\/shop\.example\.com\/reset\/[\w-]{43}$/)
  const minutes = (Date.parse(reset.expires_at) - Date.now()) / 60_000
  assert.ok(minutes > 58 && minutes <= 60, `${minutes}`)
  const links = await client.query(`select company_id, user_id, used_at from one_time_links where kind = 'reset'`)
  assert.deepEqual(links.rows, [{ company_id: '1000', user_id: '1000', used_at: null }])
  const audit = await client.query(`select subject from audit_entries where action = 'password reset asked for'`)
  assert.deepEqual(audit.rows, [{ subject: 'owner@example.com' }])
  const invited = await withAddress('user', 'reset', '--email', 'JOHN@example.com')
  assert.match(invited.out, /^This link works once, until \S+:\nhttps:\/\/shop\.example\.com\/invitation\/\S+\n$/)
  const mails = await client.query(`select id from mails where recipient = 'john@example.com'`)
  assert.equal(mails.rows.length, 2)
})

test('user reset refuses who is disabled', async () => {
  await client.query(`update users set state = 'disabled' where id = 1000`)
  const { code, out, err } = await withAddress('user', 'reset', ...owner)
  await client.query(`update users set state = 'enabled' where id = 1000`)
  assert.deepEqual([code, out, err], [1, '', 'The user owner@example.com is disabled.\n'])
})

test('user reset makes no link to an address that nobody knows, and finds it by host and port', async () => {
  const unknown = await licet('user', 'reset', ...owner)
  assert.equal(unknown.code, 2)
  assert.equal(unknown.err, 'The address of the service is not known: set LICET_BASE_URL or PORT.\n')
  const addresses: [Record<string, string>, string][] = [
    [{ PORT: '8080' }, 'http://127.0.0.1:8080/reset/'],
    [{ PORT: '8080', HOST: '0.0.0.0' }, 'http://127.0.0.1:8080/reset/'],
    [{ PORT: '8080', HOST: '::1' }, 'http://[::1]:8080/reset/'],
  ]
  for (const [env, address] of addresses) {
    const { out } = await run(['user', 'reset', ...owner, '--json'], { ...settings, ...env })
    assert.ok(JSON.parse(out).link.startsWith(address), out)
  }
})
