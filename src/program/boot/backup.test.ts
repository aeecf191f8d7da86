import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { copyFiles } from './backup.ts'

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'licet-backup-'))
})
after(() => rm(folder, { recursive: true }))

// A worker may delete the file of a product that was deleted before the backup began.
test('a file that goes while a backup is made is left out of it', async () => {
  await writeFile(join(folder, 'stays'), 'words')
  assert.deepEqual(await copyFiles(folder, join(folder, 'copy'), ['gone', 'stays']), ['stays'])
  assert.equal(await readFile(join(folder, 'copy', 'stays'), 'utf8'), 'words')
})

test('a file that cannot be copied fails the backup', async () => {
  await writeFile(join(folder, 'taken'), 'words')
  await copyFiles(folder, join(folder, 'again'), ['taken'])
  await assert.rejects(copyFiles(folder, join(folder, 'again'), ['taken']), { code: 'EEXIST' })
})
