import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chown } from 'node:fs/promises'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { promisify } from 'node:util'
import pg from 'pg'
import { freePort } from '#test/deployed-nginx.ts'
import type { Wire } from '#test/factories.ts'
import { visit } from '#test/visitor.ts'
import { serve, temporaryFolder, until } from './program.ts'
import { run } from './terminal.ts'

const TOOLS = '/usr/lib/postgresql/15/bin'
const isThere = existsSync(`${TOOLS}/pg_basebackup`) && process.getuid?.() === 0
const why = isThere ? false : 'needs the Debian package postgresql-15, and the account root'
const call = promisify(execFile)
const ADDRESS = {
  first_name: 'Jane',
  last_name: 'Roe',
  address1: 'Main Street 1',
  zip: '10115',
  city: 'Town',
  country: 'DE',
}
const BUYER = {
  email: 'jane@example.com',
  password: 'a password for a test',
  first_name: 'Jane',
  last_name: 'Roe',
  addresses: [ADDRESS],
}

/** A primary and a standby that follows it. */
async function startPair() {
  const room = await temporaryFolder('licet-standby-')
  const idOf = async (option: string) => Number((await call('id', [option, 'postgres'])).stdout)
  const account = { uid: await idOf('-u'), gid: await idOf('-g') }
  await chown(room, account.uid, account.gid)
  const as = (file: string, ...args: string[]) => call(`${TOOLS}/${file}`, args, { ...account, cwd: room })
  const [first, second] = [await freePort(), await freePort()]
  const urlOf = (port: number, database = 'licet') => `postgres://postgres@127.0.0.1:${port}/${database}`
  const control = (name: string, port: number, ...action: string[]) =>
    as(
      'pg_ctl',
      '-D',
      join(room, name),
      '-w',
      '-l',
      join(room, `${name}.log`),
      '-o',
      `-p ${port} -k ${room}`,
      ...action,
    )
  const stop = (name: string, port: number) => control(name, port, '-m', 'immediate', 'stop')
  after(() => Promise.allSettled([stop('standby', second), stop('primary', first)]))
  await as('initdb', '-D', join(room, 'primary'), '-U', 'postgres', '--auth=trust', '-E', 'UTF8', '--locale=C')
  await control('primary', first, 'start')
  await as('createdb', '-h', '127.0.0.1', '-p', String(first), '-U', 'postgres', 'licet')
  await as('pg_basebackup', '-d', urlOf(first, 'postgres'), '-D', join(room, 'standby'), '-R', '-c', 'fast')
  await control('standby', second, 'start')
  return {
    primary: urlOf(first),
    standby: urlOf(second),
    stopStandby: () => stop('standby', second),
    async tellStandby(text: string): Promise<void> {
      const client = new pg.Client({ connectionString: urlOf(second) })
      await client.connect()
      await client.query(text)
      await client.end()
    },
  }
}

describe('a service with a standby', { skip: why }, () => {
  test('reads statistics and exports there, and never what is older than the last order', async () => {
    const pair = await startPair()
    const settings = {
      LICET_DATA: await temporaryFolder(),
      DATABASE_URL: pair.primary,
      DATABASE_STANDBY_URL: pair.standby,
    }
    const service = await serve(settings)
    const headers = { authorization: `Bearer ${service.token}`, 'content-type': 'application/json' }
    const read = async (path: string): Promise<Wire> => {
      const answer = await fetch(`${service.url}${path}`, { headers })
      assert.equal(answer.status, 200, path)
      return answer.json() as Promise<Wire>
    }
    const post = (path: string, body: object) =>
      fetch(`${service.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    const order = async (customer_token: string, product_id: string): Promise<number> =>
      (await post('/api/orders.json', { order: { customer_token, line_items: [{ product_id }] } })).status
    const counted = async (): Promise<number> => {
      const { order_statistics } = await read(`/api/statistics/order/${company.id}.json`)
      return order_statistics.reduce((sum: number, { order_count }: Wire) => sum + order_count, 0)
    }
    const places = async () => {
      const text = await (await fetch(`${service.url}/metrics`)).text()
      const of = (place: string) =>
        Number(new RegExp(`^licet_long_reads_total{place="${place}"} (\\d+)`, 'm').exec(text)?.[1] ?? 0)
      return { standby: of('standby'), primary: of('primary') }
    }

    const { company } = await read('/api/companies.json?self=1')
    const made = await post('/api/customers.json', { customer: BUYER })
    const { customer } = (await made.json()) as Wire
    const sold = await findSold(read, (product) => order(customer.token, product))
    let count = await counted()
    for (let round = 0; round < 10; round += 1) {
      assert.equal(await order(customer.token, sold), 201)
      count += 1
      assert.equal(await counted(), count, `after ${round + 1} orders`)
    }
    const owner = visit(service.url)
    await owner.get('/sign-in')
    await owner.submit('/sign-in', { email: 'demo@licet.example', password: service.password })
    const reports = await places()
    const exported = JSON.parse((await owner.get('/admin/api/company/export.json')).text)
    assert.equal(exported.orders.at(-1).customer.email, BUYER.email)
    const before = await places()
    assert.deepEqual(before, { standby: reports.standby + 1, primary: reports.primary })
    assert.ok(before.standby > 0, JSON.stringify(before))

    // A standby that is behind answers nothing.
    await pair.tellStandby('select pg_wal_replay_pause()')
    assert.equal(await order(customer.token, sold), 201)
    assert.equal(await counted(), count + 1)
    const behind = await places()
    assert.deepEqual(behind, { standby: before.standby, primary: behind.primary })
    assert.ok(behind.primary > before.primary)
    const doctor = await run(['doctor', '--json'], settings)
    assert.match(doctor.out, /is behind the primary/)

    await pair.tellStandby('select pg_wal_replay_resume()')
    await until('the standby is read again', async () => {
      await order(customer.token, sold)
      count = await counted()
      return (await places()).standby > behind.standby
    })
    // One that is gone holds nobody up.
    await pair.stopStandby()
    assert.equal(await order(customer.token, sold), 201)
    assert.equal(await counted(), count + 1)
    service.kill('SIGTERM')
    assert.equal((await service.ended).code, 0)
  })
})

/** A product of the demo shop that one can simply buy. */
async function findSold(
  read: (path: string) => Promise<Wire>,
  buy: (product: string) => Promise<number>,
): Promise<string> {
  const { products } = await read('/api/products.json?limit=50')
  for (const { product_id } of products) if ((await buy(product_id)) === 201) return product_id
  throw new Error('nothing can be bought in the demo shop')
}
