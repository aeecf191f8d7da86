import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { fetchHeld } from '#test/contract.ts'
import { createDatabase } from '#test/server.ts'
import { run, serve, start, temporaryFolder } from './program.ts'

describe('the program', () => {
  test('ends without a word when its reader has seen enough', async () => {
    const piped = `'${process.execPath}' bin/licet.mjs openapi | head -c 10`
    const { stdout, stderr } = await promisify(execFile)('sh', ['-c', piped])
    assert.deepEqual([stdout.length, stderr], [10, ''])
  })

  test('token prints the token alone, and the service takes it on the same database', async () => {
    const database = await createDatabase('empty')
    const settings = { LICET_DATA: await temporaryFolder(), DATABASE_URL: database.url }
    const licet = (...args: string[]) => run(args, settings)
    await licet('company', 'create', '--name', 'A', '--email', 'a@example.com')
    const { code, out, err } = await licet('token', '--company', '1000', '--scope', 'products,orders')
    assert.deepEqual({ code, err }, { code: 0, err: '' })
    assert.match(out, /^[\w-]{43}\n$/)
    const service = start(['serve', '--json'], settings)
    const [line] = await service.says(/^\{.*\}\n/)
    const greeting = JSON.parse(line)
    // A real shop is in the database, so no demo shop is made.
    assert.deepEqual(Object.keys(greeting), ['address', 'reference', 'company_id', 'shop'])
    const ask = (token: string) =>
      fetchHeld(`${greeting.address}/api/products/count.json`, { headers: { authorization: `Bearer ${token}` } })
    assert.equal((await ask(out.trim())).status, 200)
    const app = JSON.parse(
      (
        await licet(
          'app',
          'create',
          '--company',
          '1000',
          '--name',
          'A',
          '--redirect-uri',
          'https://a.example/b',
          '--json',
        )
      ).out,
    )
    assert.deepEqual(Object.keys(app), ['client_id', 'client_secret'])
    const second = await licet('token', '--company', '1000', '--scope', 'orders', '--app', app.client_id, '--json')
    const token = JSON.parse(second.out)
    assert.deepEqual([token.scope, token.expires_in], ['orders', 1800])
    assert.equal((await ask(token.access_token)).status, 403)
    service.kill('SIGTERM')
    assert.equal((await service.ended).code, 0)
    await database.drop()
  })

  test('that cannot start says why in one sentence, without a stack', async () => {
    const away = 'postgres://a:secret@127.0.0.1:9/b'
    const { code, out, err } = await run(['serve'], { LICET_DATA: await temporaryFolder(), DATABASE_URL: away })
    assert.deepEqual({ code, out }, { code: 1, out: '' })
    assert.match(err, /^The database at 127\.0\.0\.1:9 can't be used: [^\n]*ECONNREFUSED[^\n]*\n$/)
    const wrong = await run(['serve'], { LICET_DATA: '/proc/never', PORT: 'http', LICET_DEMO: 'perhaps' })
    assert.deepEqual([wrong.code, wrong.out, wrong.err.split('\n').length], [2, '', 3])
    const help = await run(['token', '--help'], {})
    assert.deepEqual([help.code, help.err], [0, ''])
    assert.match(help.out, /^Usage: licet token /)
  })
})

describe('bin/licet.mjs', () => {
  const bin = fileURLToPath(new URL('../../bin/licet.mjs', import.meta.url))
  const nodes = [process.execPath, '/usr/bin/node']

  for (const node of nodes) {
    test(`stops the service when it is stopped itself, run by ${node}`, async () => {
      const database = await createDatabase()
      const settings = { LICET_DATA: await temporaryFolder(), DATABASE_URL: database.url }
      const service = start(['worker'], settings, { command: [node, bin] })
      await service.says(/The worker is running/)
      service.kill('SIGTERM')
      assert.equal((await service.ended).code, 0)
      const wrong = await run(['nosuch'], settings, { command: [node, bin] })
      assert.deepEqual([wrong.code, wrong.err], [2, 'licet has no command "nosuch". "licet --help" lists them.\n'])
      await database.drop()
    })
  }
})

describe('a worker with a port', () => {
  test('says whether it lives and can work, and what it does, and answers nothing else', async () => {
    const database = await createDatabase()
    const token = 'a token for figures'
    const worker = start(['worker', '--json'], {
      LICET_DATA: await temporaryFolder(),
      DATABASE_URL: database.url,
      LICET_WORKER_PORT: '0',
      LICET_METRICS_TOKEN: token,
    })
    const [line] = await worker.says(/^\{.*\}\n/)
    const { status, address } = JSON.parse(line)
    assert.equal(status, 'running')
    const ask = async (path: string, headers?: Record<string, string>) => {
      const response = await fetch(`${address}${path}`, headers === undefined ? {} : { headers })
      return [response.status, await response.text()] as const
    }
    assert.deepEqual(await ask('/health'), [200, '{"status":"alive"}'])
    assert.deepEqual(await ask('/ready'), [200, '{"status":"ready"}'])
    const [given, text] = await ask('/metrics', { authorization: `Bearer ${token}` })
    assert.equal(given, 200)
    for (const name of ['licet_notices_listening 1', 'licet_database_up 1', 'process_resident_memory_bytes'])
      assert.ok(text.includes(name), name)
    const problem = ([status, body]: readonly [number, string]) => [status, JSON.parse(body).reason]
    assert.deepEqual(problem(await ask('/metrics')), [401, 'metrics_token_required'])
    assert.deepEqual(problem(await ask('/api/products.json')), [404, 'endpoint_not_found'])
    worker.kill('SIGTERM')
    assert.equal((await worker.ended).code, 0)
    await database.drop()
  })
})

describe('DATABASE_URL', () => {
  test('gives a newcomer the same first start on any PostgreSQL', async () => {
    const empty = await createDatabase('empty')
    const data = await temporaryFolder()
    const service = await serve({ LICET_DATA: data, DATABASE_URL: empty.url })
    const headers = { authorization: `Bearer ${service.token}` }
    const count = await fetchHeld(`${service.url}/api/products/count.json`, { headers })
    assert.deepEqual(await count.json(), { count: 33 })
    service.kill('SIGINT')
    assert.equal((await service.ended).code, 0)
    await empty.drop()
  })
})
