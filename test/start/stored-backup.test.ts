import assert from 'node:assert/strict'
import { appendFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { readConfig } from '#platform/settings/config.ts'
import { createScheduledBackups } from '#program/boot/scheduled.ts'
import { closeStore, openStore } from '#program/boot/store.ts'
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
    const plain = await run(['drill', join(shop.room, 'plain')], shop.settings)
    assert.match(plain.out, /can be restored: \d+ rows of \d+ tables and 1 file, in [\d.]+ s\./, plain.err)
  })

  test('that was damaged, or has lost a part, is refused', async () => {
    const [part = ''] = (await filesOf(join(shop.room, 'safe/second/database'))).filter((file) =>
      /companies/.test(file),
    )
    const bytes = await readFile(part)
    const refusal = async () =>
      (await run(['drill', join(shop.room, 'safe/second'), '--key', join(shop.room, 'own.key')], shop.settings)).err
    bytes.writeUInt8(bytes.readUInt8(bytes.length - 5) ^ 1, bytes.length - 5)
    await writeFile(part, bytes)
    assert.match(await refusal(), /can't be opened|is damaged/)
    await appendFile(part, 'more')
    assert.match(await refusal(), /can't be opened|is damaged/)
    await rm(part)
    assert.match(await refusal(), /is missing/)
  })

  test('is made by the schedule, and removes older ones with the files that only they had', async () => {
    const target = join(shop.room, 'scheduled')
    const keep = {
      LICET_BACKUP_TARGET: target,
      LICET_BACKUP_DAILY: '1',
      LICET_BACKUP_WEEKLY: '0',
      LICET_BACKUP_MONTHLY: '0',
    }
    for (const extra of [{}, { LICET_BACKUP_RECIPIENT: '' }]) {
      const config = readConfig({ ...shop.settings, ...keep, ...extra })
      const store = await openStore(config)
      try {
        const schedule = createScheduledBackups(config, store)
        assert.ok(schedule)
        const first = await schedule.run('licet-backup-2026-11-18T03-00-00')
        assert.equal(first.removed, 0)
        assert.ok(first.bytes > 1000)
        await mkdir(join(target, 'mine'), { recursive: true })
        const second = await schedule.run('licet-backup-2026-11-19T03-00-00')
        assert.equal(second.removed, 1)
        const left = (await readdir(target)).filter((name) => !name.startsWith('files')).sort()
        assert.deepEqual(
          left,
          ['erased.jsonl', 'licet-backup-2026-11-19T03-00-00', 'mine'].filter((name) => left.includes(name)),
        )
        assert.ok(left.includes('licet-backup-2026-11-19T03-00-00'))
      } finally {
        await closeStore(store)
        await rm(target, { recursive: true, force: true })
      }
    }
  })
})
