import { sql } from 'kysely'
import type { Tx } from '#platform/db/database.ts'
import type { ScheduledBackup } from './state.ts'

const KEPT_DAYS = 400

/** Takes the time at which a backup is due. False: another worker has taken it. */
export async function takeTime(tx: Tx, run: Pick<ScheduledBackup, 'due_at' | 'name' | 'target'>): Promise<boolean> {
  await sql`delete from scheduled_backups where due_at < ${run.due_at}::timestamptz - make_interval(days => ${KEPT_DAYS})`.execute(
    tx,
  )
  const { numInsertedOrUpdatedRows = 0n } = await tx
    .insertInto('scheduled_backups')
    .values({ ...run, state: 'waiting' })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows > 0n
}

type Change = Partial<Pick<ScheduledBackup, 'state' | 'problem' | 'bytes' | 'removed' | 'started_at' | 'finished_at'>>

/** Notes how a backup goes. One that has ended stays as it is. */
export async function noteScheduled(tx: Tx, due: Date, change: Change): Promise<void> {
  await tx
    .updateTable('scheduled_backups')
    .set(change)
    .where('due_at', '=', due)
    .where('finished_at', 'is', null)
    .execute()
}
