import { webhookMeasures } from '#apps/webhooks/measures.queries.ts'
import { eventMeasures } from '#history/events/measures.queries.ts'
import { inBatches } from '#platform/db/batches.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { jobMeasures } from '#platform/jobs/measures.ts'
import { SENDING_KINDS } from '#platform/mail/queue.ts'
import type { Resource, WorkDependencies } from '#platform/resource.ts'
import { deleteOldDays, noteWorking } from './commands.ts'
import type { Part } from './state.ts'

const NOTE_SECONDS = 30
const LATE_SECONDS = 600
const MAIL_KINDS: readonly string[] = SENDING_KINDS.map(({ name }) => name)

/** What the worker keeps of the status page. */
export const status: Resource = {
  chores: (dependencies) => {
    if (dependencies.statusPage !== true) return {}
    return {
      'note what works': { everySeconds: NOTE_SECONDS, run: () => note(dependencies) },
      'delete old days of the status page': {
        everySeconds: 3600,
        run: () => inBatches(dependencies.db, (tx) => deleteOldDays(tx, dependencies.clock.now())),
      },
    }
  },
}

/** A part works if nothing of it has been waiting for long. What is tried again later does not wait. */
async function note({ db, clock }: WorkDependencies): Promise<void> {
  const now = clock.now()
  const sources = [jobMeasures, eventMeasures, webhookMeasures]
  const values = (await Promise.all(sources.map((source) => source.read(db, now)))).flat()
  const isLate = (name: string, ofMails?: boolean) =>
    values.some(
      (one) =>
        one.name === name &&
        one.value > LATE_SECONDS &&
        (ofMails === undefined || MAIL_KINDS.includes(one.labels?.kind ?? '') === ofMails),
    )
  const late: Record<Exclude<Part, 'shops'>, boolean> = {
    work: isLate('licet_jobs_oldest_due_seconds', false),
    webhooks: isLate('licet_events_lag_seconds') || isLate('licet_webhooks_oldest_due_seconds'),
    mails: isLate('licet_jobs_oldest_due_seconds', true),
  }
  const parts = (['work', 'webhooks', 'mails'] as const).filter((part) => !late[part])
  await inTransaction(db, (tx) => noteWorking(tx, parts, now))
}
