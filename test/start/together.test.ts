import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { promisify } from 'node:util'
import { run, serve, serversOf, temporaryFolder } from './program.ts'

const bash = (line: string) => promisify(execFile)('bash', ['-c', line])

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
