import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { describe, test } from 'node:test'
import { databaseOf, installedFolder, type Serving, serve, until } from './program.ts'

type Answer = { status: number; connection: string | undefined; body: string }

/** A client that keeps one connection open, as a proxy does. */
function keepConnection({ url, token }: Serving) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const send = (method: string, path: string, body?: object) =>
    new Promise<Answer>((resolve, reject) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      const read = (answer: IncomingMessage) => {
        let text = ''
        answer.setEncoding('utf8').on('data', (part) => {
          text += part
        })
        answer.on('end', () =>
          resolve({ status: answer.statusCode ?? 0, connection: answer.headers.connection, body: text }),
        )
      }
      request(`${url}${path}`, { method, headers, agent }, read).on('error', reject).end(JSON.stringify(body))
    })
  return { send, close: () => agent.destroy() }
}

const isRefused = (url: string) =>
  fetch(`${url}/health`, { headers: { connection: 'close' } }).then(
    () => false,
    (error) => error.cause.code === 'ECONNREFUSED',
  )

describe('a service that is stopped', () => {
  // nginx sends a request on a connection that it believes to be open.
  test('answers what comes on idle connections, and says that it closes them', async () => {
    const service = await serve({ LICET_DATA: await installedFolder(), LICET_DRAIN_SECONDS: '20' })
    const [first, second] = [keepConnection(service), keepConnection(service)]
    for (const { send } of [first, second]) {
      const { status, connection } = await send('GET', '/api/products.json?limit=1')
      assert.deepEqual({ status, connection }, { status: 200, connection: 'keep-alive' })
    }
    service.kill('SIGTERM')
    await until('new connections are refused', () => isRefused(service.url))
    const product = { title: 'Created while stopping', product_type: 1 }
    const created = await first.send('POST', '/api/products.json', { product })
    assert.deepEqual([created.status, created.connection], [201, 'close'], created.body)
    const ready = await second.send('GET', '/ready')
    assert.deepEqual([ready.status, ready.connection], [503, 'close'])
    assert.match(ready.body, /service_stopping/)
    // With the last connection there is nothing to wait for, however long the drain may take.
    assert.equal((await service.ended).code, 0)
  })

  test('says on the answer to a request in progress that it closes the connection', async () => {
    const data = await installedFolder()
    const service = await serve({ LICET_DATA: data, LICET_DRAIN_SECONDS: '0' })
    const { send } = keepConnection(service)
    const holder = await databaseOf(data)
    await holder.query('begin')
    await holder.query('select 1 from products where id = 1 for update')
    const slow = send('PUT', '/api/products/1.json', { product: { title: 'Changed while stopping' } })
    await until('the request waits for the row', async () => {
      await holder.query('select pg_stat_clear_snapshot()')
      const { rowCount } = await holder.query(`select 1 from pg_stat_activity where wait_event_type = 'Lock'`)
      return rowCount === 1
    })
    service.kill('SIGTERM')
    await until('new connections are refused', () => isRefused(service.url))
    await holder.query('commit')
    await holder.end()
    const { status, connection } = await slow
    assert.deepEqual({ status, connection }, { status: 200, connection: 'close' })
    assert.equal((await service.ended).code, 0)
  })

  test('closes connections that stay idle when the time is up', async () => {
    const service = await serve({ LICET_DATA: await installedFolder(), LICET_DRAIN_SECONDS: '1' })
    const idle = keepConnection(service)
    assert.equal((await idle.send('GET', '/health')).status, 200)
    service.kill('SIGTERM')
    assert.equal((await service.ended).code, 0)
  })

  test('does not wait for a body that does not arrive', async () => {
    // The limit on the time of a body comes later than the end of this stop.
    const settings = { LICET_DRAIN_SECONDS: '0', LICET_STOP_SECONDS: '50' }
    const service = await serve({ LICET_DATA: await installedFolder(), ...settings })
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1')
    await once(socket, 'connect')
    socket.write('POST /api/products.json HTTP/1.1\r\nHost: a\r\nContent-Length: 20\r\n\r\n{"product"')
    // An answer on a later connection shows that these bytes have arrived.
    assert.equal((await fetch(`${service.url}/health`, { headers: { connection: 'close' } })).status, 200)
    service.kill('SIGTERM')
    assert.equal((await service.ended).code, 0)
    socket.destroy()
  })

  // A load balancer asks whether the service is ready every few seconds, and sends requests to it until it has asked.
  test('works as before while it is not ready any more, for as long as it was told', async () => {
    const service = await serve({ LICET_DATA: await installedFolder(), LICET_UNREADY_SECONDS: '600' })
    const { send } = keepConnection(service)
    assert.equal((await send('GET', '/ready')).status, 200)
    service.kill('SIGTERM')
    await until('the service is not ready', async () => (await fetch(`${service.url}/ready`)).status === 503)
    assert.equal((await fetch(`${service.url}/health`)).status, 200)
    const list = await send('GET', '/api/products.json?limit=1')
    assert.deepEqual([list.status, list.connection], [200, 'keep-alive'])
    service.kill('SIGKILL')
    await service.ended
  })
})
