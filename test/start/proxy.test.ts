import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { after, describe, test } from 'node:test'
import pg from 'pg'
import { findNginx, freePort, HOST, startDeployedNginx } from '#test/deployed-nginx.ts'
import { createDatabase } from '#test/server.ts'
import { installedFolder, serve, temporaryFolder } from './program.ts'

const nginx = await findNginx()
const skip = 'missing' in nginx && nginx.missing
const program = 'path' in nginx ? nginx.path : ''

async function deploy(...ports: number[]) {
  const proxy = await startDeployedNginx(program, ports)
  after(() => proxy.stop())
  return proxy
}

/** The service as it runs behind the proxy. */
async function serveAt(port: number, settings: Record<string, string>) {
  // A stop right after the first start waits for the files of the demo shop, which may take long on a busy machine.
  const behind = { LICET_BASE_URL: `https://${HOST}`, LICET_TRUST_PROXY: '127.0.0.1', LICET_STOP_SECONDS: '600' }
  return { ...(await serve({ PORT: String(port), ...behind, ...settings })), port }
}

type Serving = Awaited<ReturnType<typeof serveAt>>

const bearer = ({ token }: Serving, key?: string) => ({
  authorization: `Bearer ${token}`,
  'content-type': 'application/json',
  ...(key === undefined ? {} : { 'idempotency-key': key }),
})

/** A server that reads a request and closes the connection without an answer, as a service does that is killed. */
async function startDying() {
  const seen: string[] = []
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', (data) => {
      seen.push(data.toString().split(' ', 1)[0] ?? '')
      socket.destroy()
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  after(() => void server.close())
  return { seen, port: typeof address === 'object' && address !== null ? address.port : 0 }
}

describe('deploy/nginx.conf', { skip }, () => {
  test('passes the check of nginx, and serves the shop by TLS only', async () => {
    const port = await freePort()
    const service = await serveAt(port, { LICET_DATA: await temporaryFolder() })
    const proxy = await deploy(port)
    const plain = await fetch(`http://127.0.0.1:${proxy.httpPort}/api/products.json?limit=1`, { redirect: 'manual' })
    assert.equal(plain.status, 308)
    assert.match(plain.headers.get('location') ?? '', /^https:\/\/127\.0\.0\.1\/api\/products\.json\?limit=1$/)
    const list = await proxy.send('GET', `/api/products.json?limit=1&access_token=${service.token}`)
    assert.equal(list.status, 200, list.body)
    assert.equal((await proxy.send('GET', '/metrics')).status, 404)
    // A page that takes passwords opens over https only, so the service has understood the protocol of the client.
    assert.equal((await proxy.send('GET', '/sign-in')).status, 200)
    service.kill('SIGTERM')
    await service.ended
  })

  test('sends a change to another service only if the first cannot have done it', async () => {
    const port = await freePort()
    const service = await serveAt(port, { LICET_DATA: await installedFolder() })
    const create = JSON.stringify({ product: { title: 'Once', product_type: 1 } })
    const rename = JSON.stringify({ product: { title: 'Another title' } })
    const count = async () => {
      const answer = await fetch(`http://127.0.0.1:${port}/api/products/count.json`, { headers: bearer(service) })
      return ((await answer.json()) as { count: number }).count
    }
    const before = await count()
    const ask = async (method: string, path: string, body: string, key?: string) => {
      const dying = await startDying()
      const proxy = await deploy(dying.port, port)
      const answers = []
      for (const _turn of [1, 2]) answers.push((await proxy.send(method, path, bearer(service, key), body)).status)
      assert.ok(dying.seen.length > 0, 'nothing was sent to the service that dies')
      return answers.sort()
    }
    // nginx takes turns, so that one of two requests is sent to the service that dies.
    assert.deepEqual(await ask('POST', '/api/products.json', create), [201, 502])
    assert.equal(await count(), before + 1)
    assert.deepEqual(await ask('PUT', '/api/products/1.json', rename), [200, 502])
    assert.deepEqual(await ask('GET', '/api/products/1.json', ''), [200, 200])
    assert.deepEqual(await ask('POST', '/api/products.json', create, randomUUID()), [201, 201])
    assert.equal(await count(), before + 2)
    // Only the API knows keys: a form is not sent twice.
    const forms = await ask('POST', '/sign-in', '{}', randomUUID())
    assert.ok(forms.includes(502), forms.join())

    const nobody = await freePort()
    const proxy = await deploy(nobody, port)
    for (const _turn of [1, 2, 3, 4]) {
      assert.equal((await proxy.send('POST', '/api/products.json', bearer(service), create)).status, 201)
      assert.equal((await proxy.send('PUT', '/api/products/1.json', bearer(service), rename)).status, 200)
    }
    service.kill('SIGTERM')
    await service.ended
  })
})

/** What an order needs, from the demo shop: a film, and a customer of one's own. */
async function prepareOrders(service: Serving): Promise<(number: string) => string> {
  const ask = async (path: string, body?: object) => {
    const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
    const answer = await fetch(`http://127.0.0.1:${service.port}${path}`, { headers: bearer(service), ...init })
    assert.ok(answer.ok, `${path}: ${answer.status} ${answer.ok ? '' : await answer.text()}`)
    // biome-ignore lint/suspicious/noExplicitAny: the test reads whatever the wire carries.
    return (await answer.json()) as any
  }
  const { products } = await ask('/api/products.json?limit=1')
  const addresses = [{ last_name: 'Roe', address1: 'Main Street 1', zip: '10115', city: 'Town', country: 'DE' }]
  const account = { email: 'jane@example.com', password: 'a password to shop with', last_name: 'Roe', addresses }
  const { customer } = await ask('/api/customers.json', { customer: account })
  const [{ product_id, price_license_binding }] = products
  const line_items = [{ product_id, license_id: price_license_binding[0].license_id }]
  const order = { customer_token: customer.token, line_items }
  await ask('/api/orders.json', { order })
  return (po_number) => JSON.stringify({ order: { ...order, po_number } })
}

describe('two services behind nginx', { skip }, () => {
  test('are restarted in turn under load, and no order is lost or doubled', { timeout: 600_000 }, async () => {
    const database = await createDatabase()
    const data = await temporaryFolder()
    const ports = [await freePort(), await freePort()]
    const limits = { LICET_RATE_LIMIT_BURST: '100000', LICET_RATE_LIMIT_PER_SECOND: '100000' }
    const open = (index: number) => serveAt(ports[index]!, { LICET_DATA: data, DATABASE_URL: database.url, ...limits })
    const services = [await open(0), await open(1)]
    const anOrder = await prepareOrders(services[0]!)
    const headers = bearer(services[0]!)
    const proxy = await deploy(...ports)

    const sent: { number: string; withKey: boolean; status: number }[] = []
    let isOver = false
    const buy = async (withKey: boolean) => {
      while (!isOver) {
        const number = randomUUID()
        const key: Record<string, string> = withKey ? { 'idempotency-key': number } : {}
        const { status } = await proxy.send('POST', '/api/orders.json', { ...headers, ...key }, anOrder(number))
        sent.push({ number, withKey, status })
      }
    }
    const buyers = [true, true, true, false, false, false].map(buy)
    for (const round of [0, 1, 2, 3]) {
      const [before, index] = [sent.length, round % 2]
      const service = services[index]!
      service.kill('SIGTERM')
      const { code, out, err } = await service.ended
      assert.equal(code, 0, `${out}${err}`.slice(-2000))
      services[index] = await open(index)
      assert.ok(sent.length > before, 'orders go on meanwhile')
    }
    isOver = true
    await Promise.all(buyers)

    const client = new pg.Client(database.connection)
    await client.connect()
    const { rows } = await client.query(
      'select po_number as number, count(*)::int as count from orders where po_number is not null group by 1',
    )
    await client.end()
    const made = new Map<string, number>(rows.map(({ number, count }) => [number, count]))
    const failed = sent.filter(({ status }) => status !== 201)
    assert.deepEqual(failed.filter(({ withKey }) => withKey).slice(0, 5), [], 'with a key, none may fail')
    // Without one, a request can fail that was sent at the very moment at which its connection was closed.
    for (const { number, status } of sent) {
      const count = made.get(number) ?? 0
      assert.ok(count <= 1, `the order ${number} was made ${count} times`)
      assert.ok(count === 1 || status !== 201, `the order ${number} was lost`)
    }
    for (const service of services) service.kill('SIGTERM')
    await Promise.all(services.map(({ ended }) => ended))
    await database.drop()
    if (process.env.LICET_TEST_FIGURES) console.log({ sent: sent.length, failed: failed.length })
  })
})
