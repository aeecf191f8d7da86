import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { mkdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { promisify } from 'node:util'
import { fetchHeld } from '../contract.ts'
import {
  databaseOf,
  installedFolder,
  isAlive,
  MAIN,
  type Program,
  run,
  serve,
  serverPid,
  serversOf,
  start,
  temporaryFolder,
  until,
} from './program.ts'

const ROOT = join(MAIN, '../..')
/** A film in two versions with subtitles in two languages and a trailer, 12 more films, 6 albums of two tracks, 10 books, 5 programs. */
const DEMO_FILES = 5 + 12 + 6 * 2 + 10 + 5

const bash = (line: string) => promisify(execFile)('bash', ['-c', line])
const socketFolders = () => readdirSync(tmpdir()).filter((name) => /^licet-[0-9a-f]{12}$/.test(name))

describe('the first start and those after it', () => {
  // They take longer than all the rest of the first start, and nobody has asked for them yet.
  test('makes no picture and no film of the demo shop before its first answer', async () => {
    const data = await temporaryFolder()
    const first = await serve({ LICET_DATA: data })
    first.kill('SIGTERM')
    assert.equal((await first.ended).code, 0)
    const made = readdirSync(data, { recursive: true }).filter((name) => /^(pictures|content)\W/.test(String(name)))
    assert.deepEqual(made, [])
  })

  test('greets with a curl line that works, stops with 0, and keeps its data', async () => {
    const data = join(await temporaryFolder(), 'my shop’s data')
    const first = await serve({ LICET_DATA: data })
    // The demo shop gets its files in the background, and its products show them.
    const authorization = `Bearer ${first.token}`
    await until('the demo shop has its files', async () => {
      const answer = await fetch(`${first.url}/api/files.json?limit=250`, { headers: { authorization } })
      const { files }: { files: { status: string }[] } = JSON.parse(await answer.text())
      return files.length === DEMO_FILES && files.every(({ status }) => status === 'ready')
    })
    const { stdout } = await bash(`${first.curl} --silent --fail`)
    const { products } = JSON.parse(stdout)
    assert.equal(products.length, 2)
    assert.equal((await fetch(`${first.url}/docs`)).status, 200)
    const pid = await serverPid(data)
    const [, socketFolder = ''] = (await readFile(join(data, 'postgres/postmaster.opts'), 'utf8')).match(
      /unix_socket_directories=([^"]+)/,
    )!
    first.kill('SIGINT')
    const { code, err, out } = await first.ended
    assert.deepEqual({ code, err }, { code: 0, err: '' })
    // One that has ended may still be waiting to be noticed by its parent.
    await until('PostgreSQL is gone', () => !isAlive(pid))
    assert.ok(!socketFolders().some((name) => socketFolder.endsWith(name)), 'the socket folder stays behind')
    assert.ok(!out.includes('Server listening'), 'the greeting is enough')
    assert.match(out, /^ {2}Requests to loopback addresses are allowed \(LICET_ALLOW_LOOPBACK\)\.$/m)

    const second = await serve({ LICET_DATA: data })
    assert.equal(second.password, first.password)
    assert.notEqual(second.token, first.token)
    assert.equal((await bash(`${second.curl} --silent --fail`)).stdout, stdout.replaceAll(first.url, second.url))
    // The token of the first start is good for its day, restart or not.
    const headers = { authorization: `Bearer ${first.token}` }
    assert.equal((await fetchHeld(`${second.url}/api/products/count.json`, { headers })).status, 200)
    second.kill('SIGTERM')
    assert.equal((await second.ended).code, 0)
  })

  test('are cut short by a signal without leaving anything behind', async () => {
    const data = await temporaryFolder()
    const starting = start(['serve'], { LICET_DATA: data })
    await until('PostgreSQL starts', () => serversOf(data).length > 0)
    starting.kill('SIGINT')
    const { code, err } = await starting.ended
    assert.deepEqual({ code, err }, { code: 130, err: '' })
    await until('PostgreSQL is gone', () => serversOf(data).length === 0)
  })
})

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

describe('after a kill', () => {
  test('the next start uses the data again, with the left-over server and without', async () => {
    const data = await installedFolder()
    const first = await serve({ LICET_DATA: data })
    const left = await serverPid(data)
    first.kill('SIGKILL')
    assert.equal((await first.ended).signal, 'SIGKILL')
    assert.ok(isAlive(left))

    const second = await serve({ LICET_DATA: data })
    assert.equal(second.password, first.password)
    assert.equal(await serverPid(data), left)
    second.kill('SIGKILL')
    await second.ended
    process.kill(left, 'SIGKILL')

    const third = await serve({ LICET_DATA: data })
    const { stdout } = await bash(`${third.curl} --silent --fail`)
    assert.equal(JSON.parse(stdout).products.length, 2)

    // The server alone is killed: the service starts it again and goes on.
    const killed = await serverPid(data)
    process.kill(killed, 'SIGKILL')
    await until('the service answers again', async () => {
      const answer = await fetch(`${third.url}/ready`)
      const pid = await serverPid(data).catch(() => killed)
      return answer.status === 200 && pid !== killed
    })
    third.kill('SIGTERM')
    assert.equal((await third.ended).code, 0)
    assert.deepEqual(serversOf(data), [])
  })
})

describe('two at once on one data folder', () => {
  test('two first starts share one server and one demo shop', async () => {
    const data = join(await temporaryFolder(), 'data')
    const [one, two] = await Promise.all([serve({ LICET_DATA: data }), serve({ LICET_DATA: data })])
    assert.equal(one.password, two.password)
    assert.equal(serversOf(data).length, 1)
    for (const { curl } of [one, two]) await bash(`${curl} --silent --fail`)
    const token = await run(['token', '--company', '1000', '--scope', 'products'], { LICET_DATA: data })
    assert.deepEqual({ code: token.code, err: token.err }, { code: 0, err: '' })

    // The first to stop leaves the server to the other, the last stops it.
    one.kill('SIGTERM')
    assert.equal((await one.ended).code, 0)
    await bash(`${two.curl} --silent --fail`)
    two.kill('SIGTERM')
    assert.equal((await two.ended).code, 0)
    assert.deepEqual(serversOf(data), [])
  })

  test('commands that come and go never take the server away from each other', async () => {
    const data = await temporaryFolder()
    const settings = { LICET_DATA: data }
    await run(['company', 'create', '--name', 'A', '--email', 'a@example.com'], settings)
    const ends = await Promise.all([
      ...[1, 2].map(() => run(['seed', '--products', '200', '--seed', '7'], settings)),
      run(['token', '--company', '1000', '--scope', 'products'], settings),
      run(['migrate'], settings),
    ])
    assert.deepEqual(
      ends.map(({ code }) => code),
      [0, 0, 0, 0],
      ends.map(({ err }) => err).join('\n'),
    )
    assert.deepEqual(serversOf(data), [])
  })
})

/** Also without a demo shop, which takes longer to make than the rest of the first start. */
async function expectReady(service: Program): Promise<void> {
  const [, url = ''] = await service.says(/Address +(\S+)/)
  assert.equal((await fetch(`${url}/ready`)).status, 200)
}

describe('accounts', { skip: process.getuid?.() !== 0 && 'only root can take on other accounts' }, () => {
  test('an ordinary user can run it', async () => {
    const folder = await temporaryFolder()
    const data = join(folder, 'data')
    await mkdir(data)
    const nobody = { uid: 65534, gid: 65534 }
    const { chown } = await import('node:fs/promises')
    await chown(data, nobody.uid, nobody.gid)
    const service = start(['serve'], { LICET_DATA: data, LICET_DEMO: 'off' }, nobody)
    await expectReady(service)
    service.kill('SIGTERM')
    assert.equal((await service.ended).code, 0)
  })

  test('root can keep its data where the server’s account can not go', async () => {
    const data = join(await temporaryFolder(), 'data')
    await mkdir(data, { mode: 0o700 })
    const { readlink, rm } = await import('node:fs/promises')
    const service = start(['serve'], { LICET_DATA: data, LICET_DEMO: 'off' })
    await expectReady(service)
    service.kill('SIGTERM')
    assert.equal((await service.ended).code, 0)
    await rm(join(await readlink(join(data, 'postgres')), '..'), { recursive: true })
  })

  test('a data folder that may not be written to is named', async () => {
    const data = await temporaryFolder()
    const { code, out, err } = await run(['serve'], { LICET_DATA: data }, { uid: 65534, gid: 65534 })
    assert.equal(code, 1)
    assert.equal(out, '')
    assert.match(err, /^The data folder \S+ can't be written to \(EACCES\): set LICET_DATA to one that can\.\n$/)
  })
})
