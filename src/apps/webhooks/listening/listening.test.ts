import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, describe, test } from 'node:test'
import { sql } from 'kysely'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { request } from 'undici'
import { revokeGrants } from '#identity/grants/commands.ts'
import { nowInSeconds } from '#platform/clock.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { aProduct, assertBlames, type Wire } from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'
import { useReceiver } from '#test/receiver.ts'
import { aWebhook, newSecret } from '#test/webhooks.ts'
import { STREAMS_MAX } from './listeners.worker.ts'

const service = useService()
const receiver = useReceiver()

type Entry = { id: number; headers: Record<string, string>; body: string; event: Wire }

type OpenStream = {
  /** The next so many events. */
  take(count: number): Promise<Entry[]>
  /** Reads to the end, and returns the events until then. */
  rest(): Promise<Entry[]>
  close(): void
}

const open = new Set<OpenStream>()
after(() => {
  for (const stream of open) stream.close()
})

async function listen(shop: Shop, query = '', headers: Record<string, string> = {}): Promise<OpenStream> {
  const stopping = new AbortController()
  const response = await request(`${service.url}/api/events/stream${query}`, {
    headers: { authorization: `Bearer ${shop.token}`, ...headers },
    signal: stopping.signal,
  })
  assert.equal(response.statusCode, 200)
  assert.equal(response.headers['content-type'], 'text/event-stream')
  assert.equal(response.headers.connection, 'close')
  const entries = entriesOf(response.body)
  const stream: OpenStream = {
    async take(count) {
      const taken: Entry[] = []
      while (taken.length < count) {
        const { value, done } = await entries.next()
        if (done) throw new Error(`the stream ended after ${taken.length} events`)
        if (value !== 'connected') taken.push(value)
      }
      return taken
    },
    rest: async () => (await Array.fromAsync(entries)).filter((entry) => entry !== 'connected'),
    close: () => stopping.abort(),
  }
  open.add(stream)
  assert.equal((await entries.next()).value, 'connected')
  return stream
}

/** Reads Server-Sent Events; a block without data only shows that the stream is there. */
async function* entriesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<Entry | 'connected'> {
  let text = ''
  for await (const chunk of chunks) {
    text += chunk.toString()
    const blocks = text.split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const [, id, data = ''] = /^id: (\d+)\ndata: (.*)$/.exec(block) ?? []
      if (id === undefined) yield 'connected'
      else {
        const { headers, body } = JSON.parse(data)
        yield { id: Number(id), headers, body, event: JSON.parse(body) }
      }
    }
  }
}

const scopesOf = (entries: Entry[]) => entries.map(({ event }) => event.scope)

describe('the stream of events', () => {
  test('carries each event as a webhook of the app would get it, as it happens', async () => {
    const [shop, stranger] = [await service.openShop(), await service.openShop()]
    const secret = await newSecret(service, shop)
    await aWebhook(shop, receiver.url('/same'))
    await aProduct(shop)
    await service.runJobs()
    const stream = await listen(shop)
    await aProduct(stranger)
    const product = await aProduct(shop)
    await service.runJobs()
    const [entry] = await stream.take(1)
    assert.ok(entry)
    assert.equal(entry.event.data.id, String(product.id))
    const sent = receiver.at('/same').at(-1)
    assert.ok(sent)
    assert.equal(entry.body, sent.text)
    const names = Object.keys(entry.headers).filter((name) => !/timestamp|signature/.test(name))
    for (const name of names) assert.equal(entry.headers[name], sent.headers[name], name)
    new StandardWebhook(secret, { format: 'raw' }).verify(entry.body, entry.headers)
    const [logged] = (await shop.get(`/api/events.json?since_id=${entry.id - 1}`)).body.events
    assert.deepEqual([logged.id, `evt_${logged.id}`], [entry.id, entry.headers['webhook-id']])
    const after = await newSecret(service, shop)
    await aProduct(shop)
    await service.runJobs()
    const [next] = await stream.take(1)
    new StandardWebhook(after, { format: 'raw' }).verify(next?.body ?? '', next?.headers ?? {})
    stream.close()
  })

  test('reads on after an event, in order and without a gap', async () => {
    const shop = await service.openShop()
    const now = nowInSeconds(service.clock)
    await sql`insert into events (company_id, topic, data, created_at)
      select ${shop.companyId}, 'order/create', json_build_object('type', 'order', 'id', n::text), ${now}
      from generate_series(1, 450) as n`.execute(service.db)
    await service.runJobs()
    const { events } = (await shop.get('/api/events.json')).body
    const ids = events.map(({ id }: Wire) => id)
    const all = await listen(shop, '?since_id=0')
    assert.deepEqual(
      (await all.take(450)).map(({ id }) => id),
      ids,
    )
    const resumed = await listen(shop, `?since_id=0`, { 'last-event-id': String(ids[299]) })
    assert.deepEqual(
      (await resumed.take(150)).map(({ id }) => id),
      ids.slice(300),
    )
    const since = await listen(shop, `?since_id=${ids[448]}`, { 'last-event-id': '' })
    assert.deepEqual(
      (await since.take(1)).map(({ id }) => id),
      ids.slice(449),
    )
    await shop.post('/api/products.json', { product: { product_type: 1, title: 'New' } })
    await service.runJobs()
    for (const stream of [all, resumed, since]) {
      assert.deepEqual(scopesOf(await stream.take(1)), ['product/create'])
      stream.close()
    }
  })

  test('carries the topics that it is asked for, and events about the app alone', async () => {
    const shop = await service.openShop()
    const stream = await listen(shop, '?topic=products/delete,app/update')
    const { id } = await aProduct(shop)
    await sql`insert into events (company_id, topic, data, created_at) values
      (${shop.companyId}, 'app/update', '{"type":"app","id":"1"}', now()),
      (${shop.companyId}, 'app/update', ${JSON.stringify({ type: 'app', id: String(shop.appId) })}, now())`.execute(
      service.db,
    )
    await shop.delete(`/api/products/${id}.json`)
    await service.runJobs()
    assert.deepEqual(scopesOf(await stream.take(2)), ['app/update', 'product/delete'])
    stream.close()
    assertBlames(await shop.get('/api/events/stream?topic=order/paid'), ['topic'])
    assertBlames(await shop.get('/api/events/stream', undefined, { 'last-event-id': 'x' }), ['last-event-id'])
  })

  test('ends when the permission of the app is removed, and sends nothing after that', async () => {
    const shop = await service.openShop()
    const stream = await listen(shop)
    await inTransaction(service.db, (tx) =>
      revokeGrants(tx, shop.companyId, { appId: shop.appId }, nowInSeconds(service.clock)),
    )
    assert.deepEqual(await stream.rest(), [])
  })

  test('ends when the token expires, and sends nothing after that', async () => {
    const shop = await service.openShop()
    const other = await service.openShop()
    const stream = await listen(shop)
    service.clock.advance(1800)
    const fresh = await shop.withScopes('products')
    await aProduct(fresh)
    await service.runJobs()
    assert.deepEqual(await stream.rest(), [])
    assert.equal((await other.get('/api/events/stream')).status, 401)
    const brief = await shop.withScopes('webhooks')
    await sql`update access_tokens set expires_at = ${new Date(service.clock.now().getTime() + 1500)}
      where company_id = ${shop.companyId} and expires_at > ${service.clock.now()}`.execute(service.db)
    assert.deepEqual(await (await listen(brief)).rest(), [])
  })

  test(`is open at most ${STREAMS_MAX} times for an app and a company`, async () => {
    const [shop, other] = [await service.openShop(), await service.openShop()]
    const streams = await Promise.all(Array.from({ length: STREAMS_MAX }, () => listen(shop)))
    const refused = await shop.get('/api/events/stream')
    assert.deepEqual([refused.status, refused.body.reason], [429, 'too_many_streams'])
    const theirs = await listen(other)
    streams[0]?.close()
    while ((await listen(shop).catch(() => undefined)) === undefined);
    for (const stream of [...open, theirs]) stream.close()
  })

  test('holds one page of events for a client that does not read', async () => {
    const shop = await service.openShop()
    await sql`insert into events (company_id, topic, data, created_at, position)
      select ${shop.companyId}, 'order/create', json_build_object('type', 'order', 'id', repeat('x', 5000)), now(),
        nextval('event_positions') from generate_series(1, 20000)`.execute(service.db)
    const { hostname, port } = new URL(service.url)
    const socket = connect({ host: hostname, port: Number(port) })
    await once(socket, 'connect')
    socket.pause()
    const before = process.memoryUsage()
    const [server] = await Promise.all([
      once(service.app.server, 'request'),
      socket.write(
        `GET /api/events/stream?since_id=0 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${shop.token}\r\n\r\n`,
      ),
    ])
    const [, response] = server
    await once(response, 'pipe')
    while (!response.writableNeedDrain) await new Promise(setImmediate)
    const held = response.writableLength
    for (let turn = 0; turn < 500; turn += 1) await new Promise(setImmediate)
    const { heapUsed, external } = process.memoryUsage()
    assert.equal(response.writableLength, held)
    assert.ok(held < 2_000_000, `${held} bytes are held`)
    assert.ok(heapUsed + external - before.heapUsed - before.external < 60_000_000)
    socket.destroy()
  })

  // The service of this file is stopped by it, so this test is the last one.
  test('ends with the service, which does not wait for its readers', async () => {
    const shop = await service.openShop()
    const stream = await listen(shop)
    const closing = service.app.close()
    assert.deepEqual(await stream.rest(), [])
    await closing
  })
})
