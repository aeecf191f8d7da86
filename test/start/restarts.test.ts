import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { freePort } from '#test/deployed-nginx.ts'
import { createDatabase } from '#test/server.ts'
import { bearer, deploy, type Serving, serveAt, skip } from './behind-nginx.ts'
import { temporaryFolder } from './program.ts'

/** Between two orders of a buyer: about as long as an order takes. */
const PAUSE_MS = 20

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
        // A slow machine takes longer to start a service, and should not do so much more meanwhile.
        await sleep(PAUSE_MS)
      }
    }
    const buyers = [true, true, true, false, false, false].map(buy)
    for (const index of [0, 1]) {
      const before = sent.length
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
