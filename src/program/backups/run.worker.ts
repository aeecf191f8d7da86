import { nowInSeconds } from '#platform/clock.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { createHandler, type JobHandler } from '#platform/jobs/handlers.ts'
import type { Job } from '#platform/jobs/kinds.ts'
import { renewLease } from '#platform/jobs/queue.ts'
import type { WorkDependencies } from '#platform/resource.ts'
import { noteRun } from './commands.ts'
import { WRITE_BACKUP } from './jobs.ts'
import { findRun } from './queries.ts'

type BackupJob = Job<{ id: number }, number>
type Dependencies = Pick<WorkDependencies, 'db' | 'clock' | 'log' | 'backups'>

const RENEW_MS = 20_000
const PROGRESS_MS = 500

/** Handles WRITE_BACKUP. A worker that is killed leaves an unfinished folder, and the next one writes another. */
export function createBackupHandler({ db, clock, log, backups }: Dependencies): JobHandler {
  return createHandler(WRITE_BACKUP, run, giveUp)

  async function run(job: BackupJob): Promise<void> {
    const { companyId, data } = job
    const found = await findRun(db, companyId, data.id)
    if (found === undefined || found.finished_at !== null) return
    const end = (problem: string | null) =>
      inTransaction(db, (tx) =>
        noteRun(tx, companyId, data.id, {
          state: problem === null ? 'done' : 'failed',
          problem,
          finished_at: nowInSeconds(clock),
        }),
      )
    if (backups === undefined) return end('This worker has no folder for backups.')
    await inTransaction(db, (tx) => noteRun(tx, companyId, data.id, { state: 'running', done: 0, total: 0 }))
    // A large database takes longer than a lease.
    const renewal = setInterval(() => void renewLease(db, job, clock.now()).catch(() => undefined), RENEW_MS)
    try {
      await backups.write(found.name, createProgress(companyId, data.id))
      await end(null)
    } catch (error) {
      log.error({ err: error, backup: found.name }, 'a backup could not be written')
      await end(error instanceof Error ? error.message : String(error))
    } finally {
      clearInterval(renewal)
    }
  }

  function createProgress(companyId: number, id: number): (done: number, total: number) => void {
    let last = 0
    return (done, total) => {
      if (performance.now() - last < PROGRESS_MS) return
      last = performance.now()
      inTransaction(db, (tx) => noteRun(tx, companyId, id, { done, total })).catch((error) =>
        log.warn({ err: error }, 'the progress of a backup was not noted'),
      )
    }
  }

  async function giveUp({ companyId, data }: BackupJob): Promise<void> {
    const change = { state: 'failed', problem: 'The backup ended every worker that tried it.' } as const
    await inTransaction(db, (tx) => noteRun(tx, companyId, data.id, { ...change, finished_at: nowInSeconds(clock) }))
  }
}
