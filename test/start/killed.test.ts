import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { describe, test } from 'node:test'
import { promisify } from 'node:util'
import { installedFolder, isAlive, serve, serverPid, serversOf, until } from './program.ts'

const bash = (line: string) => promisify(execFile)('bash', ['-c', line])

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
