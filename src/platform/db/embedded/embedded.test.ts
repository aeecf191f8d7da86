import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdtemp, realpath } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { removeData, startEmbedded } from './embedded.ts'

test('a data folder is removed with its cluster, which is elsewhere if root has started the server', async () => {
  const dataFolder = await mkdtemp(join(tmpdir(), 'licet-embedded-'))
  const { stop } = await startEmbedded(dataFolder)
  const cluster = await realpath(join(dataFolder, 'postgres'))
  assert.ok(existsSync(join(cluster, 'PG_VERSION')))
  await stop()
  await removeData(dataFolder)
  assert.ok(!existsSync(cluster), cluster)
  assert.ok(!existsSync(dataFolder))
})
