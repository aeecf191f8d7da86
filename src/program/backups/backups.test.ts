import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { noteScheduled, takeTime } from '#insight/backup-runs/commands.ts'
import { nowInSeconds } from '#platform/clock.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { ownerPage } from '#test/admin.ts'
import { type Shop, useService } from '#test/harness.ts'
import { auditOf } from '#test/terms.ts'

let folder = ''
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'licet-backups-'))
})
after(() => rm(folder, { recursive: true, force: true }))

/** The first company of an installation. */
const OPERATOR = 1000
const service = useService({ backups: () => ({ folder, companyId: OPERATOR, perDay: 2 }) })
const PATH = '/backups.json'

describe('backups, where the operator lets users start them', () => {
  let own: Shop
  let other: Shop

  before(async () => {
    own = await service.openShop()
    other = await service.openShop({ partnerId: own.companyId })
    assert.equal(own.companyId, OPERATOR)
  })

  test('are listed, written by the worker, checked, and limited', async () => {
    const page = await ownerPage(service, own)
    // Other folders are left alone.
    await mkdir(join(folder, 'photos'))
    const none = (await page.get(PATH)).body.backups
    assert.deepEqual([none.available, none.backups, none.run, none.left_today], [true, [], null, 2])
    assert.equal((await page.get('/attention.json')).body.attention.items[0].kind, 'backup_missing')
    await mkdir(join(folder, 'licet-backup-broken'))
    await writeFile(join(folder, 'licet-backup-broken', 'backup.json'), '{"format":1}')

    const started = await page.post(PATH, undefined)
    assert.equal(started.status, 201)
    assert.equal(started.body.backups.run.state, 'waiting')
    const second = await page.post(PATH, undefined)
    assert.deepEqual([second.status, second.body.reason], [409, 'backup_under_way'])
    await service.runJobs()
    const { backups } = (await page.get(PATH)).body
    assert.deepEqual([backups.run.state, backups.run.problem, backups.left_today], ['done', null, 1])
    assert.equal(backups.backups.length, 1)
    const [backup] = backups.backups
    assert.equal(backup.name, backups.run.name)
    assert.ok(backup.rows > 10 && backup.bytes > 1000)
    assert.ok(backup.checked_at !== null && !backup.damaged)
    assert.ok((await auditOf(service, own)).some(({ action }) => action === 'backup started'))

    service.clock.advance(9 * 86_400 + 60)
    const again = await ownerPage(service, own)
    const [item] = (await again.get('/attention.json')).body.attention.items
    assert.deepEqual([item.kind, item.count], ['backup_old', 9])
    for (const status of [201, 201, 409]) {
      assert.equal((await again.post(PATH, undefined)).status, status)
      await service.runJobs()
      service.clock.advance(2)
    }
    assert.equal((await again.post(PATH, undefined)).body.reason, 'too_many_backups')
  })

  test('of the schedule count, too, and need attention when the last one failed', async () => {
    const kinds = async () => {
      const page = await ownerPage(service, own)
      const { items } = (await page.get('/attention.json')).body.attention
      return items.map(({ kind }: { kind: string }) => kind).filter((kind: string) => kind.startsWith('backup'))
    }
    const scheduled = async (state: 'done' | 'failed') => {
      const now = nowInSeconds(service.clock)
      await inTransaction(service.db, async (tx) => {
        await takeTime(tx, { due_at: now, name: `scheduled-${now.getTime()}`, target: 's3://elsewhere' })
        await noteScheduled(tx, now, { state, finished_at: now })
      })
    }
    service.clock.advance(20 * 86_400)
    assert.deepEqual(await kinds(), ['backup_old'])
    await scheduled('done')
    assert.deepEqual(await kinds(), [])
    service.clock.advance(86_400)
    await scheduled('failed')
    assert.deepEqual(await kinds(), ['backup_failed'])
    service.clock.advance(3 * 86_400)
    assert.deepEqual(await kinds(), [], 'of a schedule that there is not any more')
    service.clock.advance(6 * 86_400)
    assert.deepEqual(await kinds(), ['backup_old'])
  })

  test('are not seen, nor started, by another company, also not by its partner who works for it', async () => {
    for (const page of [await ownerPage(service, other), await actingFor(other)]) {
      const { backups } = (await page.get(PATH)).body
      assert.deepEqual([backups.available, backups.backups, backups.run], [false, [], null])
      const refused = await page.post(PATH, undefined)
      assert.deepEqual([refused.status, refused.body.reason], [409, 'backups_not_offered'])
      const { items } = (await page.get('/attention.json')).body.attention
      assert.ok(!items.some(({ kind }: { kind: string }) => kind.startsWith('backup')))
    }
  })

  async function actingFor({ companyId }: Shop) {
    const page = await ownerPage(service, own)
    await page.post('/session/switch.json', { session: { company_id: companyId } })
    return page
  }
})
