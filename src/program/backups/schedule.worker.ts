import { noteScheduled, takeTime } from '#insight/backup-runs/commands.ts'
import { findRun, readBackupHealth } from '#insight/backup-runs/queries.ts'
import { complaintOf } from '#insight/backup-runs/rules.ts'
import type { ScheduledBackup } from '#insight/backup-runs/state.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { createHandler, type JobHandler } from '#platform/jobs/handlers.ts'
import type { Job } from '#platform/jobs/kinds.ts'
import { enqueue, renewLease } from '#platform/jobs/queue.ts'
import type { WorkDependencies } from '#platform/resource.ts'
import { WRITE_SCHEDULED } from './jobs.ts'

type Dependencies = Pick<WorkDependencies, 'db' | 'clock' | 'log' | 'metrics' | 'scheduledBackups'>

const RENEW_MS = 20_000
/** One that failed is tried again after this time, or when the next one is due. */
const AGAIN_MS = 3_600_000

/** Starts the backup that is due, once for all workers, and says how backups go. */
export async function startDue({ db, clock, metrics, scheduledBackups }: Dependencies): Promise<void> {
  if (scheduledBackups === undefined) return
  const now = clock.now()
  const health = await readBackupHealth(db)
  metrics.backedUp(health.lastDone?.finished_at ?? undefined, complaintOf(health, now) !== undefined)
  const due_at = dueTime(scheduledBackups.lastTime(now), health.last, now)
  if (due_at === undefined) return
  const { target, nameAt } = scheduledBackups
  await inTransaction(db, async (tx) => {
    if (await takeTime(tx, { due_at, name: nameAt(due_at), target }))
      await enqueue(tx, { kind: WRITE_SCHEDULED, companyId: null, data: { due_at: due_at.toISOString() } }, now)
  })
}

/** When the backup to be started is due; undefined: none is. */
function dueTime(time: Date | undefined, last: ScheduledBackup | undefined, now: Date): Date | undefined {
  if (time === undefined) return undefined
  if (last === undefined || last.due_at < time) return time
  const failedAt = last.state === 'failed' ? last.finished_at : null
  if (failedAt === null || now.getTime() - failedAt.getTime() < AGAIN_MS) return undefined
  return new Date(Math.floor(failedAt.getTime() / 1000) * 1000 + AGAIN_MS)
}

/** Handles WRITE_SCHEDULED. A worker that is killed leaves nothing that looks like a backup, and the next one begins again. */
export function createScheduledHandler({ db, clock, log, scheduledBackups }: Dependencies): JobHandler {
  return createHandler(WRITE_SCHEDULED, run, giveUp)

  function note(data: { due_at: string }, change: Parameters<typeof noteScheduled>[2]): Promise<void> {
    return inTransaction(db, (tx) => noteScheduled(tx, new Date(data.due_at), change))
  }

  async function run(job: Job<{ due_at: string }, null>): Promise<void> {
    const { data } = job
    const found = await findRun(db, new Date(data.due_at))
    if (found === undefined || found.finished_at !== null) return
    const fail = (problem: string) => note(data, { state: 'failed', problem, finished_at: clock.now() })
    if (scheduledBackups === undefined) return fail('This worker has no LICET_BACKUP_TARGET.')
    await note(data, { state: 'running', started_at: clock.now() })
    // A large installation takes longer than a lease.
    const renewal = setInterval(() => void renewLease(db, job, clock.now()).catch(() => undefined), RENEW_MS)
    try {
      const done = await scheduledBackups.run(found.name)
      await note(data, { state: 'done', ...done, finished_at: clock.now() })
    } catch (error) {
      log.error({ err: error, backup: found.name }, 'a scheduled backup failed')
      await fail(error instanceof Error ? error.message : String(error))
    } finally {
      clearInterval(renewal)
    }
  }

  function giveUp({ data }: Job<{ due_at: string }, null>): Promise<void> {
    const problem = 'The backup ended every worker that tried it.'
    return note(data, { state: 'failed', problem, finished_at: clock.now() })
  }
}
