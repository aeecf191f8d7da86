import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serversOf, start, temporaryFolder, until } from '../start/program.ts'
import { scriptOf } from './newcomer.ts'

test('npm run dev starts the service', async () => {
  const data = await temporaryFolder()
  const dev = start([], { LICET_DATA: data, LICET_DEMO: 'off' }, { command: scriptOf('dev') })
  const [, url = ''] = await dev.says(/Address +(\S+)/)
  assert.equal((await fetch(`${url}/health`)).status, 200)
  dev.kill('SIGTERM')
  await dev.ended
  await until('PostgreSQL is gone', () => serversOf(data).length === 0)
})
