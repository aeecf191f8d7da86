import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { databaseOf, installedFolder, MAIN, serve, serversOf, start, until } from './program.ts'

const ROOT = join(MAIN, '../..')

describe('stopping', () => {
  test('answers the request under way, takes no other, and ends with 0', async () => {
    const data = await installedFolder()
    const service = await serve({ LICET_DATA: data })
    const headers = { authorization: `Bearer ${service.token}`, 'content-type': 'application/json' }
    const holder = await databaseOf(data)
    await holder.query('begin')
    await holder.query('select 1 from products where id = 1 for update')
    const slow = fetch(`${service.url}/api/products/1.json`, {
      method: 'PUT',
      headers,
      body: '{"product":{"title":"Changed while stopping"}}',
    })
    await until('the request waits for the row', async () => {
      // Within a transaction PostgreSQL returns the same statistics again.
      await holder.query('select pg_stat_clear_snapshot()')
      const { rowCount } = await holder.query(`select 1 from pg_stat_activity where wait_event_type = 'Lock'`)
      return rowCount === 1
    })
    service.kill('SIGTERM')
    // npm passes on a Ctrl-C that the program already got from the terminal: it must not count as a second one.
    service.kill('SIGTERM')
    await until('new connections are refused', () =>
      fetch(`${service.url}/health`).then(
        () => false,
        (error) => error.cause.code === 'ECONNREFUSED',
      ),
    )
    await holder.query('commit')
    await holder.end()
    const answer = await slow
    assert.equal(answer.status, 200)
    const { product } = (await answer.json()) as { product: { title: string } }
    assert.equal(product.title, 'Changed while stopping')
    assert.equal((await service.ended).code, 0)
    assert.deepEqual(serversOf(data), [])
  })

  test('gives up after its time, with 1 and nothing left running', async () => {
    const data = await installedFolder()
    const service = await serve({ LICET_DATA: data, LICET_STOP_SECONDS: '1' })
    const headers = { authorization: `Bearer ${service.token}`, 'content-type': 'application/json' }
    const holder = await databaseOf(data)
    holder.on('error', () => {})
    await holder.query('begin')
    await holder.query('select 1 from products where id = 1 for update')
    const slow = fetch(`${service.url}/api/products/1.json`, { method: 'PUT', headers, body: '{"product":{}}' })
    slow.catch(() => {})
    await until('the request waits for the row', async () => {
      await holder.query('select pg_stat_clear_snapshot()')
      const { rowCount } = await holder.query(`select 1 from pg_stat_activity where wait_event_type = 'Lock'`)
      return rowCount === 1
    })
    service.kill('SIGTERM')
    const { code, out, err } = await service.ended
    assert.equal(code, 1)
    assert.deepEqual(serversOf(data), [])
    // The errors of the driver carry its connections, with the key by which a statement can be cancelled.
    assert.doesNotMatch(out + err, /secretKey|connectionParameters|_events/)
  })

  test('also happens when npm is stopped, whose shell passes no signal on', async () => {
    const data = await installedFolder()
    const npm = start(['start', '--silent'], { LICET_DATA: data }, { command: ['npm', '--prefix', ROOT] })
    const [, url = ''] = await npm.says(/Address +(\S+)/)
    assert.equal((await fetch(`${url}/health`)).status, 200)
    npm.kill('SIGTERM')
    await until('the service is gone', () =>
      fetch(`${url}/health`).then(
        () => false,
        () => true,
      ),
    )
    await until('PostgreSQL is gone', () => serversOf(data).length === 0)
  })
})
