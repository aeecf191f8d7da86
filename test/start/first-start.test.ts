import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { promisify } from 'node:util'
import { fetchHeld } from '../contract.ts'
import { isAlive, serve, serverPid, serversOf, start, temporaryFolder, until } from './program.ts'

/** A film in two versions with subtitles in two languages and a trailer, 10 more films, 7 albums of two tracks, 7 books, 2 programs, 2 courses. */
const DEMO_FILES = 5 + 10 + 7 * 2 + 7 + 2 + 2

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
