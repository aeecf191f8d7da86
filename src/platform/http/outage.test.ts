import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { type Shop, useService } from '#test/harness.ts'

const TOKEN = 'a token for the metrics'
const service = useService({ metricsToken: TOKEN })
const title = 'A title as long as titles may be. '.repeat(7)

async function fill(shop: Shop, count: number): Promise<void> {
  const { body } = await shop.post('/api/products.json', { product: { product_type: 1, title } })
  const columns = await sql<{ name: string }>`select column_name as name from information_schema.columns
    where table_name = 'products' and column_name not in ('id', 'product_id', 'document')
      and is_generated = 'NEVER'`.execute(service.db)
  const names = columns.rows.map(({ name }) => name).join(', ')
  // A copy of one row many times over: what is read here is how lists travel, not what is in them.
  await sql
    .raw(`insert into products (${names}, product_id, document)
      select ${names}, 'COPY-' || n, document || repeat(' ', 8000) from products, generate_series(1, ${count}) as n
      where company_id = ${shop.companyId} and id = ${body.product.id}`)
    .execute(service.db)
}

async function until(what: string, condition: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 10_000
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`it never happened: ${what}`)
    await sleep(10)
  }
}

/** Asks for a list and reads nothing of it. */
function slowReader(shop: Shop) {
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1').pause()
  socket.on('error', () => {})
  socket.write(`GET /api/products.json HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${shop.token}\r\n\r\n`)
  return socket
}

async function busyConnections(): Promise<number> {
  const { rows } = await sql<{ busy: number }>`select count(*) as busy from pg_stat_activity
    where datname = current_database() and state <> 'idle' and pid <> pg_backend_pid()`.execute(service.db)
  return rows[0]?.busy ?? 0
}

describe('a list that is streamed', () => {
  test('to more slow readers than there are connections holds none, and none after they hang up', async () => {
    const shop = await service.openShop()
    await fill(shop, 1500)
    const readers = Array.from({ length: 25 }, () => slowReader(shop))
    await Promise.all(readers.map((socket) => new Promise((resolve) => socket.once('readable', resolve))))
    await until('nothing is asked of the database', async () => (await busyConnections()) === 0)
    const other = await service.openShop()
    assert.equal((await other.get('/api/products/count.json')).status, 200)
    const open = () => new Promise<number>((resolve) => service.app.server.getConnections((_, count) => resolve(count)))
    const before = await open()
    assert.ok(before >= 25, String(before))
    for (const socket of readers) socket.destroy()
    await until('the connections are gone', async () => (await open()) <= before - 25)
    await until('nothing is asked of the database', async () => (await busyConnections()) === 0)
    assert.ok(!service.log.some((line) => line.includes('"level":50')), 'a client that hangs up is no defect')
    const whole = await shop.get('/api/products.json?fields=id')
    assert.equal(whole.body.products.length, 1501)
  })
})

describe('without its database', () => {
  test('the service says 503 or tries again, and works when it is back', async () => {
    const shop = await service.openShop()
    await shop.get('/api/products.json?limit=1')
    const killer = new pg.Client(service.database.connection)
    await killer.connect()
    const statuses = new Set<number>()
    for (let round = 0; round < 5; round += 1) {
      const requests = Array.from({ length: 20 }, (_, index) =>
        index % 2 === 0
          ? shop.get('/api/products.json?limit=1')
          : shop.post('/api/products.json', { product: { product_type: 1, title: `Round ${round}` } }),
      )
      await killer.query(`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`)
      for (const { status, headers } of await Promise.all(requests)) {
        statuses.add(status)
        if (status === 503) assert.equal(headers.get('retry-after'), '1')
      }
    }
    await killer.end()
    for (const status of statuses) assert.ok([200, 201, 503].includes(status), String(status))
    await until('it works again', async () => (await shop.get('/api/products.json?limit=1')).status === 200)
    const { body } = await shop.get('/api/products/count.json')
    const { body: list } = await shop.get('/api/products.json?fields=id')
    assert.equal(body.count, list.products.length)
  })
})

describe('a defect', () => {
  test('is a bare 500, and the log tells all under the same request id', async () => {
    const shop = await service.openShop()
    await sql`alter table counters rename to counters_away`.execute(service.db)
    const answer = await shop.get('/api/products/count.json', undefined, { 'x-request-id': 'find-me' })
    await sql`alter table counters_away rename to counters`.execute(service.db)
    assert.equal(answer.status, 500)
    assert.deepEqual(Object.keys(answer.body), ['error', 'error_code', 'code', 'reason', 'request_id'])
    assert.ok(!/counters|relation|sql/i.test(answer.text))
    const line = service.log.find((line) => line.includes('find-me') && line.includes('"level":50')) ?? ''
    assert.match(line, /counters/)
    assert.match(line, /stack/)
    assert.equal((await shop.get('/api/products/count.json')).status, 200)
  })
})

describe('for those who watch', () => {
  test('/health is alive without anything, /ready only with the right schema', async () => {
    assert.deepEqual((await service.call('GET', '/health')).body, { status: 'alive' })
    assert.deepEqual((await service.call('GET', '/ready')).body, { status: 'ready' })
    const { rows } = await sql<{ name: string; timestamp: string }>`delete from kysely_migration
      where name = (select max(name) from kysely_migration) returning name, timestamp`.execute(service.db)
    const missing = await service.call('GET', '/ready')
    assert.equal(missing.status, 503)
    assert.ok(missing.body.error.includes(rows[0]!.name))
    await sql`insert into kysely_migration values (${rows[0]!.name}, ${rows[0]!.timestamp})`.execute(service.db)
    assert.equal((await service.call('GET', '/ready')).status, 200)
  })

  test('/ready stays ready when a newer version has only added to the schema, and not when it has taken away', async () => {
    const add = (name: string) => sql`insert into kysely_migration values (${name}, '')`.execute(service.db)
    await add('9001_titles')
    await add('9002_contract_0001_old_titles')
    assert.equal((await service.call('GET', '/ready')).status, 200)
    await add('9003_contract_9001_older_titles')
    const { status, body } = await service.call('GET', '/ready')
    assert.deepEqual(
      [status, body.reason, body.error],
      [503, 'database_too_new', 'The database is newer than this program: 9003_contract_9001_older_titles.'],
    )
    await sql`delete from kysely_migration where name like '900%'`.execute(service.db)
  })

  test('/metrics asks for its own token where one is set', async () => {
    const shop = await service.openShop()
    assert.equal((await service.call('GET', '/metrics')).status, 401)
    assert.equal((await service.call('GET', '/metrics', { token: shop.token })).status, 401)
    const { status, text } = await service.call('GET', '/metrics', { token: TOKEN })
    assert.equal(status, 200)
    assert.match(text, /^licet_http_request_seconds_count\{.*route="\/metrics",status="401"\} 2$/m)
    assert.ok(!text.includes(TOKEN))
  })

  test('/metrics takes any other text for wrong', async () => {
    const headers = { authorization: `Bearer ${'é'.repeat(TOKEN.length)}` }
    assert.equal((await service.call('GET', '/metrics', { headers })).status, 401)
  })
})
