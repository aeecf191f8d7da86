import { sql } from 'kysely'
import { webhookMeasures } from '#apps/webhooks/measures.queries.ts'
import { eventMeasures } from '#history/events/measures.queries.ts'
import type { Db } from '#platform/db/database.ts'
import type { Columns } from '#platform/db/expressions.ts'
import { jobMeasures } from '#platform/jobs/measures.ts'
import type { Reading } from '#platform/log/measures.ts'
import { mailMeasures } from '#platform/mail/measures.ts'
import { bad, type Finding, fine, warning } from './finding.ts'

/** A worker takes new work within a second; a long queue may keep the newest waiting. */
const LATE_SECONDS = 300

function numbersOf(readings: readonly Reading[]) {
  return {
    sum: (name: string, state?: string) =>
      readings
        .filter((one) => one.name === name && (state === undefined || one.labels?.state === state))
        .reduce((sum, { value }) => sum + value, 0),
    most: (name: string) => Math.max(0, ...readings.filter((one) => one.name === name).map(({ value }) => value)),
  }
}

/** What the worker should have done by now. */
export async function checkWork(db: Db, now: Date): Promise<Finding[]> {
  const measures = [jobMeasures, eventMeasures, webhookMeasures, mailMeasures]
  const readings = await Promise.all(measures.map((source) => source.read(db, now)))
  const { sum, most } = numbersOf(readings.flat())
  const late = Math.max(most('licet_jobs_oldest_due_seconds'), most('licet_events_lag_seconds'))
  const [failing, ended] = [sum('licet_webhooks', 'failing'), sum('licet_webhooks', 'deactivated')]
  return [
    late > LATE_SECONDS
      ? bad(
          'Worker',
          `work has been waiting for ${Math.round(late / 60)} minutes`,
          'Start licet worker, or licet serve without --no-worker. If one is running, its log says what it cannot do.',
        )
      : fine('Worker', 'nothing waits for it'),
    failing + ended === 0
      ? fine('Webhooks', `${sum('licet_webhooks', 'working')}, none fails`)
      : warning(
          'Webhooks',
          `${failing} fail, ${ended} were deactivated because they failed`,
          'Find them with licet webhooks list, tell those who run the receivers, and then licet webhooks resume.',
        ),
    ...(await checkFailedMails(db, sum('licet_mails_failed'))),
  ]
}

/** Why the latest mail was refused says the most: a wrong sender, a full mailbox, a block. */
async function checkFailedMails(db: Db, failed: number): Promise<Finding[]> {
  if (failed === 0) return []
  const { rows } = await sql<Columns<'mails', 'last_error'>>`select last_error from mails
    where failed_at is not null order by failed_at desc limit 1`.execute(db)
  const reason = (rows[0]?.last_error ?? 'no reason given').replace(/\p{Cc}+/gu, ' ').slice(0, 200)
  return [
    warning(
      'Refused mails',
      `${failed} within 30 days, the latest because of: ${reason}`,
      'If the server refuses the sender, set LICET_MAIL_FROM to an address that it allows. Then run licet mails send --failed.',
    ),
  ]
}
