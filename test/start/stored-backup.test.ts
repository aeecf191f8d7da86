import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { FILM_KEY, useSealedInstallation } from './sealed.ts'
import { run } from './terminal.ts'

describe('a backup that is stored in parts', () => {
  const shop = useSealedInstallation(2_000_000)
  const filesOf = async (folder: string) =>
    (await readdir(folder, { withFileTypes: true, recursive: true }))
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))

  /** What an installation has, by the checksums of a plain backup of it. */
  async function contentOf(of: Record<string, string>, name: string): Promise<unknown> {
    const made = await run(['backup', join(shop.room, name), '--plain'], of)
    assert.equal(made.code, 0, made.err)
    const { tables, files } = JSON.parse(await readFile(join(shop.room, name, 'backup.json'), 'utf8'))
    return { tables, files }
  }

  before(async () => {
    const backup = await run(['backup', join(shop.room, 'safe/first')], shop.settings)
    assert.equal(backup.code, 0, backup.err)
    assert.match(backup.out, /It is encrypted for age1/)
  })

  test('has nothing in it that can be read, leaves nothing in the data folder, and a file once', async () => {
    for (const file of await filesOf(join(shop.room, 'safe'))) {
      if (/\/(backup\.json|erased\.jsonl)$/.test(file)) continue
      const head = (await readFile(file)).subarray(0, 21).toString()
      assert.equal(head, 'age-encryption.org/v1', file)
    }
    assert.deepEqual(
      (await readdir(join(shop.room, 'data'))).filter((name) => name.startsWith('.')),
      [],
    )
    assert.equal((await run(['backup', join(shop.room, 'safe/second')], shop.settings)).code, 0)
    const films = (await filesOf(join(shop.room, 'safe'))).filter((file) => file.endsWith(`${FILM_KEY}.age`))
    assert.equal(films.length, 1)
    assert.match((await run(['backup', join(shop.room, 'safe/second')], shop.settings)).err, /exists already/)
  })

  test('is restored with its private key, and with nothing else', async () => {
    const other = await shop.emptyInstallation('restored')
    const from = join(shop.room, 'safe/first')
    assert.match((await run(['restore', from], other)).err, /is encrypted for age1.*--key/)
    await run(['backup-key', join(shop.room, 'foreign.key')], {})
    assert.match((await run(['restore', from, '--key', join(shop.room, 'foreign.key')], other)).err, /can't be opened/)
    assert.match((await run(['restore', from, '--key', join(shop.room, 'no.key')], other)).err, /has no private key/)
    const restored = await run(['restore', from, '--key', join(shop.room, 'own.key')], other)
    assert.equal(restored.code, 0, restored.err)
    assert.deepEqual(await readFile(join(shop.room, 'restored', FILM_KEY)), shop.film)
    assert.deepEqual(await contentOf(other, 'plain-restored'), await contentOf(shop.settings, 'plain'))
    assert.equal(
      await readFile(join(shop.room, 'restored/secret'), 'utf8'),
      await readFile(join(shop.room, 'data/secret'), 'utf8'),
    )
    assert.deepEqual(
      (await readdir(shop.room)).filter((name) => /fetched/.test(name)),
      [],
    )
  })

  test('is proved by a drill, which says how long it took and leaves nothing', async () => {
    const proved = await run(
      ['drill', join(shop.room, 'safe/first'), '--key', join(shop.room, 'own.key'), '--json'],
      shop.settings,
    )
    assert.equal(proved.code, 0, proved.err)
    const { compared_tables, compared_rows, differing, seconds, files } = JSON.parse(proved.out)
    assert.ok(compared_tables > 100 && compared_rows > 100 && seconds > 0 && files === 1)
    assert.deepEqual(differing, [])
    const latest = await run(['drill', join(shop.room, 'safe'), '--key', join(shop.room, 'own.key')], shop.settings)
    assert.match(latest.out, /^second can be restored:/, latest.err)
    const nothing = await run(['drill', join(shop.room, 'nothing')], shop.settings)
    assert.equal(nothing.code, 1)
    assert.match(nothing.err, /nothing/)
    const plain = await run(['drill', shop.room], shop.settings)
    assert.match(plain.out, /^plain can be restored: \d+ rows of \d+ tables and 1 file, in [\d.]+ s\./, plain.err)
  })
})
