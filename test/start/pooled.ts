import assert from 'node:assert/strict'
import { after } from 'node:test'
import pg from 'pg'
import { startPgbouncer } from '#test/pgbouncer.ts'
import { createDatabase } from '#test/server.ts'
import { run, type Serving, serve, temporaryFolder, until } from './program.ts'

type Pooled = { url: string; directUrl: string; connection: object }

/** A database behind PgBouncer; with `ready` its role has the settings that docs/operating.md names. */
export async function pooledDatabase(
  program: string,
  settings: Record<string, string | number>,
  ready = true,
): Promise<Pooled> {
  const database = await createDatabase()
  if (ready) {
    const admin = new pg.Client(database.connection)
    await admin.connect()
    const name = `in database ${admin.database}`
    for (const setting of [
      `timezone = 'UTC'`,
      `statement_timeout = '60s'`,
      `idle_in_transaction_session_timeout = '60s'`,
      'jit = off',
    ])
      await admin.query(`alter role ${admin.user} ${name} set ${setting}`)
    await admin.end()
  }
  const pooler = await startPgbouncer(program, database, settings)
  after(async () => {
    await pooler.stop()
    await database.drop()
  })
  return { url: pooler.url, directUrl: database.url, connection: database.connection }
}

function asker({ url, token }: Serving) {
  return async (path: string, body?: object, headers: Record<string, string> = {}) => {
    const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
    const sent = { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers }
    const answer = await fetch(`${url}${path}`, { headers: sent, ...init })
    const text = await answer.text()
    // biome-ignore lint/suspicious/noExplicitAny: the test reads whatever the wire carries.
    return { status: answer.status, body: (text.startsWith('{') ? JSON.parse(text) : text) as any }
  }
}

const range = (count: number) => Array.from({ length: count }, (_, index) => index)

/** Sells and reads with more requests at once than PgBouncer has connections. */
async function expectShop(service: Serving): Promise<void> {
  const ask = asker(service)
  const { body: list } = await ask('/api/products.json?limit=1')
  const account = { email: 'jane@example.com', password: 'a password to shop with', last_name: 'Roe' }
  const { body: made } = await ask('/api/customers.json', { customer: account })
  const before = (await ask('/api/orders/count.json')).body.count
  const [{ product_id, price_license_binding }] = list.products
  const line_items = [{ product_id, license_id: price_license_binding[0].license_id }]
  const sale = { customer_token: made.customer.token, line_items }
  const answers = await Promise.all(
    range(60).map((index) =>
      index % 2 === 0
        ? ask('/api/orders.json', { order: sale }, { 'idempotency-key': `order ${index}` })
        : ask(`/api/products.json?limit=${1 + (index % 7)}&page=${1 + (index % 3)}`),
    ),
  )
  assert.deepEqual([...new Set(answers.map(({ status }) => status))].sort(), [200, 201])
  assert.equal((await ask('/api/orders/count.json')).body.count, before + 30)
}

const NAMED = `select 1 from pg_prepared_statements where name like 'PGBOUNCER%' limit 1`

/** Two services behind one PgBouncer sell, hear of changes, and stop. */
export async function expectToSell(program: string, settings: Record<string, number>): Promise<void> {
  const { url, directUrl } = await pooledDatabase(program, settings)
  const data = await temporaryFolder()
  const both = { LICET_DATA: data, DATABASE_URL: url, DATABASE_DIRECT_URL: directUrl }
  const [one, two] = [await serve(both), await serve(both)]
  await expectShop(one)
  const pooled = new pg.Client({ connectionString: url })
  await pooled.connect()
  const { rowCount } = await pooled.query(NAMED)
  await pooled.end()
  assert.equal(rowCount, settings.max_prepared_statements === undefined ? 0 : 1)
  const direct = new pg.Client({ connectionString: directUrl })
  await direct.connect()
  await until('both processes listen on connections of their own', async () => {
    const { rows } = await direct.query(`select 1 from pg_stat_activity
      where datname = current_database() and application_name = 'licet direct' and query like 'listen %'`)
    return rows.length === 2
  })
  await direct.end()
  for (const service of [one, two]) service.kill('SIGTERM')
  for (const service of [one, two]) assert.equal((await service.ended).code, 0)
  const doctor = await run(['doctor'], both)
  assert.doesNotMatch(doctor.out + doctor.err, /at .*\.ts:\d+/)
}
