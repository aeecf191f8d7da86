import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import { createDatabase, type TestDatabase } from '#test/server.ts'
import { temporaryFolder } from './program.ts'
import { run } from './terminal.ts'

let database: TestDatabase
let settings: Record<string, string>
let client: pg.Client

before(async () => {
  database = await createDatabase()
  settings = { PORT: '0', LICET_DATA: await temporaryFolder(), DATABASE_URL: database.url }
  for (const name of ['Films', 'Books']) {
    const args = ['--name', name, '--email', `${name}@example.com`, '--country', 'DE', '--currency', 'EUR']
    assert.equal((await licet('company', 'create', ...args)).code, 0)
  }
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
})

after(async () => {
  await client.end()
  await database.drop()
})

const licet = (...args: string[]) => run(args, settings)
const COMPANY = ['--company', '1000']

/** The output of a command that succeeds. */
async function say(...args: string[]): Promise<string> {
  const { code, out, err } = await licet(...args)
  assert.deepEqual([code, err], [0, ''], args.join(' '))
  return out
}

/** The sentence of a command that fails. */
async function refused(...args: string[]): Promise<string> {
  const { code, out, err } = await licet(...args)
  assert.notEqual(code, 0, args.join(' '))
  assert.equal(out, '')
  return err
}

const json = async (...args: string[]) => JSON.parse(await say(...args, '--json'))

/** A price of the company; prices have no commands. */
async function aPrice(cents: number): Promise<string> {
  const { rows } = await client.query(
    `insert into prices (company_id, id, title, valid, countries, currencies, created_at, modified_at, document)
     select 1000, coalesce(max(id), 0) + 1, '', 1, '[]', $1, now(), now(), '{}' from prices returning id`,
    [JSON.stringify([{ currency: 'EUR', cents }])],
  )
  return String(rows[0].id)
}

describe('licet group, plan and subscription', () => {
  test('make a club, sign people up, and look after them', async () => {
    assert.equal(await say('group', 'list', ...COMPANY), 'The company has no groups.\n')
    const group = ['group', 'create', ...COMPANY, '--title', 'Kino Club', '--kind', 'subscription']
    assert.equal(await say(...group), 's1: Kino Club (subscription)\n0 people, open, no license.\n')
    const [monthly, yearly] = [await aPrice(790), await aPrice(7900)]
    const plan = (title: string, price: string, ...more: string[]) =>
      json('plan', 'create', ...COMPANY, '--group', 's1', '--title', title, '--price', price, ...more)
    const { plan: first } = await plan('Monthly', monthly)
    const { plan: second } = await plan('Yearly', yearly, '--interval', 'year', '--minimum-periods', '1')
    assert.match(
      await say('plan', 'list', ...COMPANY, '--group', 's1'),
      /Monthly .*every month .*\n.*Yearly .*every year /,
    )
    assert.match(
      await say('plan', 'show', String(second.id), ...COMPANY),
      /Yearly, price \d+ every year, at least 1 periods\.\nIt sells group s1\.\n/,
    )
    assert.match(await say('group', 'show', 's1', ...COMPANY), /^s1: Kino Club .*\nPlan \d+: Monthly/s)
    assert.equal(await say('subscription', 'list', ...COMPANY), 'There are no subscriptions.\n')

    const signUp = ['subscription', 'create', ...COMPANY, '--plan', String(first.id)]
    assert.match(await refused(...signUp), /Name --email or --customer\./)
    const card = ['--test-card', '4242424242424242']
    assert.match(
      await refused(...signUp, '--email', 'a@example.com', '--paid', ...card),
      /Name --paid or --test-card\./,
    )
    const { subscription } = await json(...signUp, '--email', 'jane@example.com', '--paid')
    assert.deepEqual(
      [subscription.status, subscription.email, subscription.amount],
      ['active', 'jane@example.com', 790],
    )
    assert.match(await refused(...signUp, '--email', 'jane@example.com', '--paid'), /has a subscription to s1 already/)

    const one = String(subscription.id)
    // An extension is at most ten years long.
    const later = new Date().getUTCFullYear() + 5
    const on = (action: string, ...more: string[]) => say('subscription', action, one, ...COMPANY, ...more)
    assert.match(
      await on('extend', '--until', `${later}-01-01`),
      /of jane@example\.com: plan .* of s1, 7\.90 EUR, active, renews /,
    )
    assert.match(await refused('subscription', 'extend', one, ...COMPANY, '--until', 'soon'), /must be a time/)
    assert.match(
      await refused('subscription', 'pause', one, ...COMPANY, '--until', `${later - 1}-06-01`),
      /after the end/,
    )
    assert.match(await on('pause', '--until', `${later}-06-01`), /active/)
    assert.match(await on('resume'), /active/)
    assert.match(await on('cancel'), /cancelled, ends /)
    assert.match(await on('resume'), /active/)
    assert.match(await on('change-plan', '--plan', String(second.id)), /active/)
    const shown = await json('subscription', 'show', one, ...COMPANY)
    assert.equal(shown.subscription.next_plan_id, second.id)
    assert.equal(shown.periods.length, 1)
    const happened = shown.timeline.map(({ kind }: { kind: string }) => kind)
    assert.deepEqual(happened.slice(0, 3), ['signed_up', 'started', 'extended'])
    assert.match(await on('show'), /Period +From.*\n.*paid\n\n.*What happened.*\n.*signed up/s)
    assert.match(await on('cancel', '--now'), /ended, ended /)
    assert.match(
      await say('subscription', 'list', ...COMPANY, '--email', 'jane@'),
      /jane@example\.com .*7\.90 EUR .*ended/,
    )
    assert.equal(await say('subscription', 'list', ...COMPANY, '--status', 'active'), 'There are no subscriptions.\n')
    const { rows } = await client.query(
      `select action from audit_entries where company_id = 1000 and address = 'command line' and action like 'subscription%'
       order by id`,
    )
    assert.deepEqual(
      rows.map(({ action }) => action),
      ['created', 'extended', 'paused', 'resumed', 'cancelled', 'resumed', 'plan changed', 'cancelled'].map(
        (done) => `subscription ${done}`,
      ),
    )
  })

  test('know nothing of other companies', async () => {
    const other = ['--company', '1001']
    assert.match(await refused('group', 'show', 's1', ...other), /There is no group s1/)
    assert.equal((await licet('plan', 'show', '1', ...other)).code, 1)
    assert.equal((await licet('subscription', 'show', '1', ...other)).code, 1)
    assert.match(await refused('subscription', 'cancel', 'x', ...other), /whole number/)
  })
})
