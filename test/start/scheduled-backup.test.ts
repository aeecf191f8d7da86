import assert from 'node:assert/strict'
import { appendFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { readConfig } from '#platform/settings/config.ts'
import { createScheduledBackups } from '#program/boot/scheduled.ts'
import { closeStore, openStore } from '#program/boot/store.ts'
import { useSealedInstallation } from './sealed.ts'
import { run } from './terminal.ts'

describe('a backup in parts', () => {
  const shop = useSealedInstallation(2_000_000)

  test('that was damaged, or has lost a part, is refused', async () => {
    const made = await run(['backup', join(shop.room, 'safe/second')], shop.settings)
    assert.equal(made.code, 0, made.err)
    const tables = join(shop.room, 'safe/second/database')
    const named = (await readdir(tables, { recursive: true })).find((file) => /companies/.test(file))
    const part = join(tables, named ?? '')
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
