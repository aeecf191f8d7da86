import assert from 'node:assert/strict'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, beforeEach, describe, test } from 'node:test'
import { readBackupHealth } from '#insight/backup-runs/queries.ts'
import { complaintOf } from '#insight/backup-runs/rules.ts'
import { createLog } from '#platform/log/log.ts'
import { createMetrics } from '#platform/log/metrics.ts'
import { createScheduledBackups } from '#program/boot/scheduled.ts'
import { useService } from '#test/harness.ts'
import { temporaryFolder } from '#test/start/program.ts'
import { createScheduledHandler, startDue } from './schedule.worker.ts'

const service = useService()
const metrics = createMetrics()
const log = createLog('silent')
let room: string

before(async () => {
  room = await temporaryFolder('licet-schedule-')
  await service.openShop()
})

beforeEach(async () => {
  await service.db.deleteFrom('scheduled_backups').execute()
  await service.db.deleteFrom('jobs').where('kind', '=', 'backup/scheduled').execute()
})

/** What a worker has whose operator wants a backup at midnight. */
function workWith(target: string) {
  const s3 = { region: 'us-east-1', endpoint: undefined, credentials: undefined }
  const config = {
    dataFolder: join(room, 'data'),
    secret: undefined,
    backupAccess: { recipient: undefined, s3 },
    schedule: { target, times: [0], keep: { daily: 1, weekly: 0, monthly: 0 } },
  }
  const opened = { db: service.db, connection: service.database.connection }
  const { db, clock } = service
  return { db, clock, log, metrics, scheduledBackups: createScheduledBackups(config, opened) }
}

const jobs = () => service.db.selectFrom('jobs').selectAll().where('kind', '=', 'backup/scheduled').execute()

async function doJob(work: ReturnType<typeof workWith>): Promise<void> {
  const [job] = await jobs()
  assert.ok(job)
  const { id, kind, data } = job
  await createScheduledHandler(work).run({ id, kind, companyId: null, data, attempts: 1 })
}

const metric = async (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(await metrics.read())?.[1])

describe('the backup of the schedule', () => {
  test('is started once, however many workers there are, and is checked', async () => {
    await mkdir(join(room, 'data'), { recursive: true })
    const work = workWith(join(room, 'nightly'))
    await Promise.all(Array.from({ length: 8 }, () => startDue(work)))
    assert.equal((await jobs()).length, 1)
    await doJob(work)
    const { last } = await readBackupHealth(service.db)
    assert.deepEqual([last?.state, last?.problem], ['done', null])
    assert.ok((last?.bytes ?? 0) > 1000)
    assert.ok((await readdir(join(room, 'nightly', last?.name ?? ''))).includes('checked.json'))
    await startDue(work)
    assert.equal((await jobs()).length, 1)
    assert.equal(await metric('licet_backup_failing'), 0)
    assert.ok((await metric('licet_backup_last_success_seconds')) > 1_700_000_000)
  })

  test('that fails is named everywhere, and tried again after an hour', async () => {
    await writeFile(join(room, 'full'), 'no folder')
    const work = workWith(join(room, 'full/nightly'))
    await startDue(work)
    await doJob(work)
    const health = await readBackupHealth(service.db)
    assert.equal(health.last?.state, 'failed')
    assert.match(complaintOf(health, service.clock.now()) ?? '', /^the last one failed: .*full/)
    await startDue(work)
    assert.deepEqual([await metric('licet_backup_failing'), (await jobs()).length], [1, 1])
    service.clock.advance(3601)
    await Promise.all([startDue(work), startDue(work)])
    assert.equal((await jobs()).length, 2)
  })

  test('that is missing for longer than a day and a half is missed', () => {
    const at = (text: string) => new Date(`2026-11-${text}Z`)
    const done = { due_at: at('17T03:00:00'), finished_at: at('17T03:10:00'), state: 'done' } as never
    assert.equal(complaintOf({ last: done, lastDone: done }, at('18T12:00:00')), undefined)
    assert.equal(complaintOf({ last: done, lastDone: done }, at('18T16:00:00')), 'none since 2026-11-17T03:10')
    assert.equal(complaintOf({ last: undefined, lastDone: undefined }, at('18T16:00:00')), undefined)
  })
})
