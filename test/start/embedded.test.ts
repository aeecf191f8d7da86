import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { open, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { databaseOf, installedFolder, run, serve, serverPid, temporaryFolder } from './program.ts'

/** The server and all processes that it has started. */
function processesOf(pid: number): number[] {
  const text = execFileSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' })
  const pairs = text.split('\n').map((line) => line.trim().split(/\s+/).map(Number))
  return [pid, ...pairs.filter(([, parent]) => parent === pid).map(([child = 0]) => child)]
}

describe('the embedded server', () => {
  test('writes no data of a statement that fails into its log, which only its account can read', async () => {
    const data = await installedFolder()
    const service = await serve({ LICET_DATA: data })
    const client = await databaseOf(data)
    await client.query('create temporary table people (email text unique)')
    const add = () => client.query('insert into people values ($1)', ['jane@private.example'])
    await add()
    await assert.rejects(add(), { code: '23505' })
    await assert.rejects(client.query(`select 'jane@private.example'::int`), { code: '22P02' })
    await client.end()
    const file = join(data, 'postgres.log')
    assert.doesNotMatch(await readFile(file, 'utf8'), /jane|people/)
    assert.equal((await stat(file)).mode & 0o777, 0o600)
    service.kill('SIGTERM')
    await service.ended
  })

  test('that is frozen makes the service not ready, at once', async () => {
    const data = await installedFolder()
    const service = await serve({ LICET_DATA: data })
    assert.equal((await fetch(`${service.url}/ready`)).status, 200)
    const frozen = processesOf(await serverPid(data))
    for (const pid of frozen) process.kill(pid, 'SIGSTOP')
    try {
      const answer = await fetch(`${service.url}/ready`, { signal: AbortSignal.timeout(8000) })
      assert.equal(answer.status, 503)
      assert.equal(answer.headers.get('retry-after'), '1')
      assert.equal((await fetch(`${service.url}/health`)).status, 200)
    } finally {
      for (const pid of frozen) process.kill(pid, 'SIGCONT')
    }
    assert.equal((await fetch(`${service.url}/ready`)).status, 200)
    service.kill('SIGTERM')
    await service.ended
  })
})

describe('a full disk', () => {
  test('is named at once, and not when the time to start is up', async (context) => {
    const data = await temporaryFolder()
    // Only root can mount a small disk.
    if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=120m,mode=755', 'tmpfs', data]).status !== 0)
      return context.skip('this account cannot mount a small disk')
    after(() => void spawnSync('umount', ['-l', data]))
    assert.equal((await run(['migrate'], { LICET_DATA: data })).code, 0)
    const filler = await open(join(data, 'filler'), 'w')
    await assert.rejects(async () => {
      for (;;) await filler.write(Buffer.alloc(65_536))
    })
    await filler.close()
    const { code, err } = await run(['migrate'], { LICET_DATA: data })
    assert.equal(code, 1)
    // Not "did not answer within 60 seconds": it does not wait for what cannot come.
    assert.match(err, /disk of \S+ is full/)
  })
})
