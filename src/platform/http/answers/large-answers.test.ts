import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Shop, useService } from '#test/harness.ts'

const service = useService()
const LANGUAGES = 'en de fr es it pt nl pl cs sv da fi nb hu ro el tr ru uk ja zh ko ar he'.split(' ')

/** Products of a megabyte and a half each, behind as many small ones as one page of a whole list has. */
async function fill(shop: Shop, count: number): Promise<number> {
  const locales = LANGUAGES.map((language_id) => ({ language_id, title: 'Large', description: 'x'.repeat(65_000) }))
  const small = await shop.post('/api/products.json', { product: { product_type: 1, title: 'Small' } })
  const columns = await sql<{ name: string }>`select column_name as name from information_schema.columns
    where table_name = 'products' and column_name not in ('id', 'product_id') and is_generated = 'NEVER'`.execute(
    service.db,
  )
  const names = columns.rows.map(({ name }) => name).join(', ')
  const copy = (id: number, times: number) =>
    sql
      .raw(`insert into products (${names}, product_id) select ${names}, 'COPY-${id}-' || n
        from products, generate_series(1, ${times}) as n where company_id = ${shop.companyId} and id = ${id}`)
      .execute(service.db)
  await copy(small.body.product.id, 99)
  const { rows } = await sql<{ last: number }>`select max(id) as last from products
    where company_id = ${shop.companyId}`.execute(service.db)
  const large = await shop.post('/api/products.json', { product: { product_type: 1, title: 'Large', locales } })
  await copy(large.body.product.id, count - 1)
  return rows[0]?.last ?? 0
}

/** Asks for a list and reads nothing but its beginning. */
async function slowReader(shop: Shop, path: string) {
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1')
  socket.on('error', () => {})
  socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${shop.token}\r\n\r\n`)
  const [beginning] = await once(socket, 'data')
  socket.pause()
  return { socket, status: Number(String(beginning).split(' ')[1]) }
}

/** Reads an answer as it is: to compress, parse and check so many megabytes would take a minute. */
async function read(shop: Shop, path: string): Promise<{ status: number }> {
  const headers = { authorization: `Bearer ${shop.token}`, 'accept-encoding': 'identity' }
  const answer = await fetch(`${service.url}${path}`, { headers })
  await answer.arrayBuffer()
  return answer
}

async function until(what: string, condition: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await condition()); tries += 1) {
    assert.ok(tries < 100, `it never happened: ${what}`)
    await sleep(50)
  }
}

// Its own documents are as large as a company makes them, and its clients read as slowly as they like.
test('lists of large documents that nobody reads leave room in memory', async () => {
  const shop = await service.openShop()
  const last = await fill(shop, 30)
  const large = `/api/products.json?since_id=${last}`
  const first = await slowReader(shop, `${large}&limit=30`)
  assert.equal(first.status, 200)
  const refused = await shop.get(`${large}&limit=14`)
  assert.deepEqual([refused.status, refused.body.reason], [503, 'service_busy'])
  assert.equal(refused.headers.get('retry-after'), '1')
  // A list that has begun is broken off, so that the client sees that it is not whole.
  await assert.rejects(read(shop, '/api/products.json'))
  for (const path of [`${large}&limit=2&fields=id`, '/api/products.json?limit=50', `${large}&limit=2`])
    assert.equal((await read(shop, path)).status, 200, path)
  const other = await service.openShop()
  assert.equal((await read(other, '/api/products.json')).status, 200)
  first.socket.destroy()
  await until('the next one is answered', async () => (await read(shop, `${large}&limit=14`)).status === 200)
})
