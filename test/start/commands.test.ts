import assert from 'node:assert/strict'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import { readConfig } from '#platform/settings/config.ts'
import { EXAMPLES } from '#program/command-line/examples.ts'
import { createCommandLine } from '#program/command-line/run.ts'
import { leavesOf, pathOf } from '#program/command-line/terminal/usage.ts'
import { createDatabase, type TestDatabase } from '#test/server.ts'
import { temporaryFolder } from './program.ts'
import { run } from './terminal.ts'

// In this process and on a database of their own: what a start costs is not what these tests are about.
let database: TestDatabase
let client: pg.Client
let settings: Record<string, string>
let company: { company_id: number; user_email: string; password: string }

before(async () => {
  database = await createDatabase('empty')
  settings = { PORT: '0', LICET_DATA: await temporaryFolder(), DATABASE_URL: database.url }
  const made = await licet('company', 'create', '--name', 'Books & Co', '--email', 'owner@example.com', '--json')
  assert.equal(made.code, 0, made.err)
  company = JSON.parse(made.out)
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
})

after(async () => {
  await client.end()
  await database.drop()
})

const licet = (...args: string[]) => run(args, settings)

async function titles(): Promise<string[]> {
  const { rows } = await client.query('select title from products order by id')
  return rows.map(({ title }) => title)
}

describe('commands', () => {
  test('company create answers how to get in, and refuses a second user of the address', async () => {
    assert.deepEqual(Object.keys(company), ['company_id', 'user_email', 'password'])
    assert.equal(company.company_id, 1000)
    assert.equal(company.user_email, 'owner@example.com')
    assert.match(company.password, /^[\w-]{16}$/)
    const again = await licet('company', 'create', '--name', 'Other', '--email', 'Owner@Example.com')
    assert.deepEqual(again, { code: 2, signal: null, out: '', err: 'There is a user Owner@Example.com already.\n' })
  })

  test('company list shows all companies', async () => {
    const { out } = await licet('company', 'list')
    const [headings, first] = out.split('\n')
    assert.match(headings ?? '', /^ *Id {2}Name +Email +Country {2}Currency {2}State +Created$/)
    assert.match(first ?? '', /^1000 {2}Books & Co {2}owner@example\.com +US +USD +active +\d{4}-\S+ \S+$/)
    const { companies } = JSON.parse((await licet('company', 'list', '--json', '--limit', '1')).out)
    assert.deepEqual(companies[0].id, 1000)
  })

  test('company create takes a country, a currency and a partner', async () => {
    const who = ['--name', 'Cinéma', '--email', 'cinema@example.com', '--country', 'FR', '--currency', 'CHF']
    const made = await licet('company', 'create', ...who, '--partner', '1000', '--json')
    assert.equal(made.code, 0, made.err)
    const { rows } = await client.query(
      'select country_code, currency, partner_id, document::json from companies where id = $1',
      [JSON.parse(made.out).company_id],
    )
    const [{ document, ...row }] = rows
    assert.deepEqual(row, { country_code: 'FR', currency: 'CHF', partner_id: '1000' })
    assert.deepEqual([document.company_name, document.country], ['Cinéma', 'France'])
  })

  test('seed makes the same products from the same number, and tells how far it is apart from its answer', async () => {
    await client.query('delete from products')
    const { code, out, err } = await licet('seed', '--products', '30', '--seed', '5', '--json')
    assert.equal(code, 0)
    assert.deepEqual({ ...JSON.parse(out), seconds: 0 }, { company_id: 1000, products: 30, seconds: 0 })
    assert.equal(err, '')
    const again = await licet('seed', '--products', '30', '--seed', '5')
    assert.equal(again.err, '')
    assert.match(again.out, /^30 products in [\d.]+ seconds\.\n$/)
    assert.equal((await licet('seed', '--products', '30', '--seed', '6')).code, 0)
    const all = await titles()
    assert.deepEqual(all.slice(0, 30), all.slice(30, 60))
    assert.notDeepEqual(all.slice(0, 30), all.slice(60))
  })

  test('seed fills a shop with orders of the products that it has, and says so if it has none', async () => {
    await client.query('delete from products')
    assert.match((await licet('seed', '--orders', '5')).err, /^Company 1000 has no products that could be ordered/)
    const both = await licet('seed', '--products', '30', '--orders', '120', '--json')
    const { seconds: _seconds, ...said } = JSON.parse(both.out)
    assert.deepEqual(said, { company_id: 1000, products: 30, orders: 120 })
    const { rows } = await client.query(
      'select count(*)::int as orders, (select count(*)::int from customer_relations) as customers from orders',
    )
    assert.deepEqual(rows, [{ orders: 120, customers: 12 }])
    await client.query('truncate order_changes, order_counts, order_days')
    await client.query("insert into cart_changes (company_id, day, order_count) values (1000, '2026-01-01', 7)")
    assert.equal((await licet('statistics', 'rebuild')).out, 'Counted 120 orders.\n')
    assert.deepEqual(JSON.parse((await licet('statistics', 'rebuild', '--company', '1000', '--json')).out), {
      orders: 120,
    })
    const { rows: counted } = await client.query(
      "select (select sum(amount)::int from order_counts where day = '-infinity') as counts, (select sum(order_count)::int from order_days) as days",
    )
    const [{ counts, days }] = counted
    assert.ok(counts === 120 && days > 100 && days <= 120, `${counts} ${days}`)
    const { rows: carts } = await client.query('select sum(order_count)::int as left from cart_changes')
    assert.deepEqual(carts, [{ left: 0 }])
    assert.equal((await licet('statistics', 'rebuild', '--company', '99')).err, 'There is no company 99.\n')
    await client.query('truncate orders, order_counts, customers cascade')
  })

  test('seed fills a shop with visits, and refuses to mix them with others unless it is forced', async () => {
    const visits = async () => (await client.query('select sum(visits)::int as count from traffic_days')).rows[0].count
    const made = await licet('seed', '--visits', '2000', '--json')
    assert.deepEqual({ ...JSON.parse(made.out), seconds: 0 }, { company_id: 1000, visits: 2000, seconds: 0 })
    const before = await visits()
    assert.ok(before > 1800 && before < 2200, String(before))
    assert.match((await licet('seed', '--visits', '2000')).err, /^Company 1000 has visits already\. Add --force/)
    assert.equal(await visits(), before)
    assert.equal((await licet('seed', '--visits', '2000', '--force')).code, 0)
    assert.equal(await visits(), 2 * before)
    await client.query('truncate traffic_days, visits, cart_changes, abandoned_carts cascade')
  })

  test('rebuild, migrate, pictures, doctor and openapi answer people and machines', async () => {
    const { rows } = await client.query(
      'select (select count(*)::int from companies) companies, (select count(*)::int from theme_settings) theme_settings, (select count(*)::int from users) users, (select count(*)::int from products) products, (select count(*)::int from categories) categories, (select count(*)::int from licenses) licenses, (select count(*)::int from prices) prices, (select count(*)::int from customer_relations) customers, (select count(*)::int from entitlements) entitlements, (select count(*)::int from orders) orders, (select count(*)::int from fulfillments) fulfillments, (select count(*)::int from ledger_entries) ledger_entries',
    )
    const rebuilt = await licet('rebuild', '--json')
    assert.deepEqual(JSON.parse(rebuilt.out), rows[0])
    assert.deepEqual(JSON.parse((await licet('migrate', '--json')).out), { applied: [] })
    assert.equal((await licet('migrate')).out, 'The schema is up to date.\n')
    assert.deepEqual(JSON.parse((await licet('pictures', '--json')).out), { pictures: [] })
    assert.equal((await licet('pictures')).out, 'Every picture is there.\n')
    const document = JSON.parse((await licet('openapi')).out)
    assert.equal(document.openapi, '3.1.0')
    assert.ok(document.paths['/api/products.json'])
    const doctor = await licet('doctor', '--json')
    assert.equal(doctor.code, 0, doctor.out)
    assert.equal(JSON.parse(doctor.out).healthy, true)
  })

  test('doctor names the file and the line of a broken theme', async () => {
    const theme = join(settings.LICET_DATA ?? '', 'themes/mine')
    await mkdir(join(theme, 'templates'), { recursive: true })
    await writeFile(join(theme, 'theme.json'), '{ "id": 1000, "name": "Mine" }')
    await writeFile(join(theme, 'templates/home.liquid'), 'Hello')
    assert.match((await licet('doctor')).out, /Themes.*Mine/)
    await writeFile(join(theme, 'templates/home.liquid'), "Hello\n{{ 'x' | nonsense }}")
    const { code, out } = await licet('doctor')
    await rm(theme, { recursive: true })
    assert.equal(code, 1)
    assert.match(out, /mine\/templates\/home\.liquid:2 .*nonsense/)
  })

  test('audit lists what was done, newest first, of one company or of all and of nobody', async () => {
    const empty = await licet('audit')
    assert.deepEqual([empty.code, empty.out], [0, 'Nothing is on record.\n'])
    await client.query(
      `insert into audit_entries (company_id, user_id, app_id, action, subject, address, request_id, created_at) values
        (1000, 1, 2, 'signed in', 'jane', '192.0.2.7', 'r', '2030-01-01'), (1000, null, null, 'signed out', '', '192.0.2.7', 'r', '2030-01-02'),
        (null, null, null, 'sign-in refused', E'x\\u001b[2J', '192.0.2.8', 'r', '2030-01-03')`,
    )
    const all = await licet('audit')
    const lines = all.out.replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g, '(in the zone of here)')
    assert.deepEqual(lines.trim().split('\n'), [
      'Time                 Action           Subject  Company  User  App  From',
      '(in the zone of here)  sign-in refused  x [2J                        192.0.2.8',
      '(in the zone of here)  signed out                   1000             192.0.2.7',
      '(in the zone of here)  signed in        jane        1000     1    2  192.0.2.7',
    ])
    const { audit_entries } = JSON.parse((await licet('audit', '--company', '1000', '--limit', '1', '--json')).out)
    assert.deepEqual(
      audit_entries.map(({ company_id, action }: Record<string, unknown>) => [company_id, action]),
      [[1000, 'signed out']],
    )
    await client.query('delete from audit_entries')
  })

  test('every command reads the settings from a file, whatever is in their values', async () => {
    const file = join(settings.LICET_DATA ?? '', 'licet.env')
    const { DATABASE_URL: url, ...others } = settings
    await writeFile(file, `LICET_MAIL_FROM=A B <a@b.example>\nLICET_SMTP_URL='smtp://127.0.0.1:9'\nDATABASE_URL=${url}`)
    const read = await licet('doctor', '--env-file', file)
    assert.deepEqual([read.code, read.err], [1, ''], read.out)
    assert.match(read.out, /^BAD {2}Mail server: 127\.0\.0\.1:9, .*ECONNREFUSED/m)
    const won = await run(['doctor', '--env-file', file], { ...settings, LICET_SMTP_URL: 'smtp://127.0.0.1:10' })
    assert.match(won.out, /^BAD {2}Mail server: 127\.0\.0\.1:10, /m, 'the environment wins')
    const listed = await run(['company', 'list', '--env-file', file], others)
    assert.deepEqual([listed.code, listed.out], [0, (await licet('company', 'list')).out])
    const absent = await licet('doctor', '--env-file', `${file}.nothing`)
    assert.deepEqual([absent.code, absent.out], [2, ''])
    assert.match(absent.err, /env\.nothing can't be read/)
  })

  test('doctor says what is wrong and ends with 1', async () => {
    await client.query(
      `insert into jobs (kind, data, due_at, created_at, failed_at) values ('x', '{}', now(), now(), now())`,
    )
    const jobs = await licet('doctor')
    await client.query('delete from jobs')
    assert.equal(jobs.code, 1)
    assert.match(jobs.out, /^BAD {2}Jobs: 0 waiting, 1 given up$/m)
    assert.match(jobs.out, /^(ok {3}|warning )Database: PostgreSQL \d/m)
    const away = await run(['doctor'], { ...settings, DATABASE_URL: 'postgres://a:secret@127.0.0.1:9/b' })
    assert.equal(away.code, 1)
    assert.match(away.out, /^BAD {2}Database: The database at 127\.0\.0\.1:9 can't be used: .*ECONNREFUSED/m)
    assert.ok(!away.out.includes('secret'))
  })
})

describe('wrong use', () => {
  test('ends with 2 and one sentence', async () => {
    const wrong = [
      [],
      ['nosuch'],
      ['company'],
      ['company', 'nosuch'],
      ['serve', 'extra'],
      ['serve', '--nosuch'],
      ['token'],
      ['token', '--company', 'x', '--scope', 'products'],
      ['token', '--company', '1000', '--scope', 'products,all'],
      ['token', '--company', '9', '--scope', 'products'],
      ['token', '--company', '1000', '--scope', 'products', '--app', 'nosuch'],
      ['token', '--company', '1000', '--scope', 'products', '--expires-in', '0'],
      ['company', 'create', '--name', 'A', '--email', 'nobody'],
      ['company', 'create', '--name', 'A', '--email', 'a@b', '--country', 'Atlantis'],
      ['company', 'create', '--name', 'A', '--email', 'a@b', '--country', 'XX'],
      ['company', 'create', '--name', 'A', '--email', 'a@b', '--partner', '9'],
      ['company', 'create', '--name', ' ', '--email', 'a@b'],
      ['company', 'create', '--name', 'A'.repeat(101), '--email', 'a@b'],
      ['company', 'create', '--name', 'A', '--email', `a@${'b'.repeat(99)}`],
      ['app', 'create', '--company', '1000', '--name', 'A', '--redirect-uri', 'ftp://a'],
      ['app', 'create', '--company', '9', '--name', 'A', '--redirect-uri', 'https://a.example'],
      ['user'],
      ['user', 'invite', '--company', '1000'],
      ['user', 'invite', '--company', '1000', '--email', 'nobody'],
      ['user', 'invite', '--company', '1000', '--email', 'a,b@c'],
      ['user', 'invite', '--company', '1000', '--email', 'a@b', '--first-name', 'A'.repeat(101)],
      ['user', 'invite', '--company', '1000', '--email', 'a@b'],
      ['user', 'list', '--company', '9'],
      ['user', 'list'],
      ['user', 'reset', '--email', 'a@b'],
      ['seed'],
      ['seed', '--products', '-1'],
      ['seed', '--orders', 'many'],
      ['seed', '--products', '1', '--company', '9'],
      ['import', '--company', '1000'],
      ['audit', '--company', '9'],
      ['audit', '--limit', '1001'],
      ['secret'],
      ['secret', 'nosuch'],
      ['secret', 'renew', 'extra'],
    ]
    for (const args of wrong) {
      const { code, out, err } = await licet(...args)
      assert.deepEqual({ code, out }, { code: 2, out: '' }, args.join(' '))
      assert.match(err, /^[^\n]{10,200}\n$/, args.join(' '))
      assert.ok(!err.includes('outputHelp'))
    }
  })

  test('is answered with what to type instead', async () => {
    const answers: [string, string][] = [
      ['mail', 'licet has no command "mail". Did you mean mails?'],
      ['company creat', 'licet company has no command "creat". Did you mean create?'],
      ['company', 'Name a command of licet company: create, list, change.'],
      ['mails --limt 3', 'licet mails has no option --limt. Did you mean --limit?'],
      ['token', 'licet token needs --company <id> and --scope <scopes>. "licet token --help" has an example.'],
      [
        'token --compny 1000 --scope products',
        'licet token has no option --compny, and needs --company <id>. "licet token --help" has an example.',
      ],
      ['import', 'licet import needs <file> and --company <id>. "licet import --help" has an example.'],
      ['token --company', '--company <id> needs a value.'],
      ['ledger --company abc', '--company: "abc" is not valid. It must be a whole number, at least 1.'],
      ['mails abc', 'id: "abc" is not valid. It must be a whole number, at least 1.'],
    ]
    for (const [typed, answer] of answers)
      assert.deepEqual(await licet(...typed.split(' ')), { code: 2, signal: null, out: '', err: `${answer}\n` })
  })

  test('is less likely with an example and marked options, which every command has', async () => {
    const program = await createCommandLine({ config: () => readConfig({}), out() {}, err() {}, exitCode() {} })
    const leaves = leavesOf(program)
    assert.ok(leaves.length > 20, 'it saw the commands')
    const paths = leaves.map(pathOf)
    assert.deepEqual(paths.toSorted(), Object.keys(EXAMPLES).toSorted())
    for (const leaf of leaves) {
      let help = ''
      const writeOut = (text: string) => {
        help += text
      }
      leaf.configureOutput({ writeOut }).outputHelp()
      assert.ok(help.includes(`Example:\n  ${EXAMPLES[pathOf(leaf)]}\n`), pathOf(leaf))
      assert.equal(help.split('(required)').length - 1, leaf.options.filter(({ mandatory }) => mandatory).length)
      // An example is a command that the program accepts.
      const words = EXAMPLES[pathOf(leaf)] ?? ''
      for (const [option] of words.matchAll(/--[a-z-]+/g))
        assert.ok(
          leaf.options.some(({ long }) => long === option),
          `${pathOf(leaf)} has no ${option}`,
        )
    }
  })

  test('is less likely with help, which every command has', async () => {
    const program = await createCommandLine({ config: () => readConfig({}), out() {}, err() {}, exitCode() {} })
    const names = program.commands.map((command) => command.name())
    assert.deepEqual(
      names,
      'serve worker migrate company user app token seed import backup restore drill backup-key openapi doctor rebuild pictures top mails audit secret signing-keys market ledger statistics domains customer tax-rate discount codes keys reviews shipping group plan subscription clock payments content explain files webhooks listen trigger'.split(
        ' ',
      ),
    )
    for (const command of program.commands)
      assert.match(command.helpInformation(), new RegExp(`^Usage: licet ${command.name()} `))
  })
})

describe('a start that cannot be', () => {
  test('names every wrong setting at once, and starts nothing', async () => {
    const { code, out, err } = await run(['serve'], {
      LICET_DATA: '/proc/never',
      PORT: 'http',
      DATABASE_URL: 'mysql://user:hunter2@host/name',
      LICET_DEMO: 'perhaps',
      LICET_LOG_LEVEL: 'loud',
      LICET_RATE_LIMIT_PER_SECOND: '0',
      LICET_METRICS_TOKEN: 'short',
      LICET_BASE_URL: 'example.com',
    })
    assert.deepEqual({ code, out }, { code: 2, out: '' })
    assert.deepEqual(err.trim().split('\n'), [
      'PORT must be a whole number from 0 to 65535, not "http".',
      'LICET_BASE_URL must be an http or https address, not "example.com".',
      'DATABASE_URL must be an address such as postgres://user:password@host:5432/name, not "…".',
      'LICET_DEMO must be on or off, not "perhaps".',
      'LICET_LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent, not "loud".',
      'LICET_RATE_LIMIT_PER_SECOND must be a number above 0, up to 1000000, not "0".',
      'LICET_METRICS_TOKEN must have at least 16 characters, not "…".',
    ])
  })

  test('says in one sentence that the port is taken', async () => {
    const taken = createServer()
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
    const { port } = taken.address() as { port: number }
    const { code, out, err } = await run(['serve'], { ...settings, PORT: String(port) })
    taken.close()
    assert.deepEqual({ code, out }, { code: 1, out: '' })
    assert.equal(err, `Port ${port} on 127.0.0.1 is taken: set PORT to another one, or to 0 for any.\n`)
  })

  test('says in one sentence that the machine has no such address', async () => {
    const { code, err } = await run(['serve'], { ...settings, HOST: '192.0.2.1' })
    assert.equal(code, 1)
    assert.equal(err, 'This machine has no address 192.0.2.1: set HOST to one that it has.\n')
  })

  test('says in one sentence that the database is away', async () => {
    const { code, out, err } = await run(['serve'], { ...settings, DATABASE_URL: 'postgres://a:secret@127.0.0.1:9/b' })
    assert.deepEqual({ code, out }, { code: 1, out: '' })
    assert.match(err, /^The database at 127\.0\.0\.1:9 can't be used: [^\n]*ECONNREFUSED[^\n]*\n$/)
    assert.ok(!err.includes('secret'))
  })

  test('says in one sentence that the database is newer than the program', async () => {
    await client.query(`insert into kysely_migration (name, timestamp) values ('9999_contract_9998_past', 'now')`)
    const { code, out, err } = await licet('serve')
    await client.query(`delete from kysely_migration where name = '9999_contract_9998_past'`)
    assert.deepEqual({ code, out }, { code: 1, out: '' })
    assert.match(
      err,
      /^The database was made by a newer version of licet \(it has 9999_contract_9998_past\)\. [^\n]*\n$/,
    )
  })

  test('works on a database to which a newer version has only added, and the doctor names it', async () => {
    await client.query(`insert into kysely_migration (name, timestamp) values ('9999_future', 'now')`)
    const listed = await licet('company', 'list', '--json')
    const migrated = await licet('migrate', '--json')
    const { out } = await licet('doctor', '--json')
    await client.query(`delete from kysely_migration where name = '9999_future'`)
    assert.deepEqual([listed.code, migrated.code, JSON.parse(migrated.out).applied], [0, 0, []])
    const schema = JSON.parse(out).findings.find(({ what }: { what: string }) => what === 'Schema')
    assert.deepEqual(schema, {
      ok: true,
      warning: true,
      what: 'Schema',
      detail: 'of a newer version, with which this one works (9999_future): finish the upgrade',
    })
  })
})
