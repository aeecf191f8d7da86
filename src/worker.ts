import { deleteOldAuditEntries } from '#audit/commands.ts'
import { refreshCategory } from '#categories/commands.ts'
import { createRatesRefresher, REFRESH_RATES } from '#currency-rates/refresh.ts'
import { deleteOldCustomerLinks } from '#customers/links/commands.ts'
import { deleteOldEvents } from '#events/commands.ts'
import { createMirrorFollower } from '#marketplace/follow.ts'
import { deleteExpiredTokens } from '#oauth/commands.ts'
import { mergeCounts } from '#orders/counts/commands.ts'
import { createOrderMailers } from '#orders/mails/handlers.ts'
import type { PictureOwner } from '#pictures/commands.ts'
import { createPictureFetcher, createPictureFilesDeleter } from '#pictures/fetch.ts'
import type { Clock } from '#platform/clock.ts'
import { nowInSeconds } from '#platform/clock.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import type { Notices } from '#platform/db/notices.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import type { Files } from '#platform/files.ts'
import { deleteOldKeys } from '#platform/http/idempotency.ts'
import type { Chore } from '#platform/jobs/chores.ts'
import { createHandler, doneOnce } from '#platform/jobs/handlers.ts'
import { createLoop, type Loop } from '#platform/jobs/loop.ts'
import type { Log } from '#platform/log.ts'
import { createMailSenders } from '#platform/mail/send.ts'
import type { MailSettings } from '#platform/mail/settings.ts'
import { deleteOldMails } from '#platform/mail/store.ts'
import type { Metrics } from '#platform/metrics.ts'
import type { Outbound } from '#platform/outbound.ts'
import { refreshProducts } from '#products/commands.ts'
import { deleteOldLimits } from '#sign-in/limits/commands.ts'
import { sendReset } from '#sign-in/reset/commands.ts'
import { SEND_RESET } from '#sign-in/reset/jobs.ts'
import { deleteOldSessions } from '#sign-in/sessions/commands.ts'
import { deleteOldLinks } from '#users/links/commands.ts'

export type WorkerDependencies = {
  db: Db
  notices: Notices
  clock: Clock
  log: Log
  metrics: Metrics
  files: Files
  outbound: Outbound
  mail: MailSettings | undefined
  /** Where the day's rates come from; empty turns the refresh off. */
  currencyRatesUrl: string
}

/** A start has other things to do first. */
const RATES_AFTER_SECONDS = 60

/** Builds the background loop from the same parts as the HTTP service: which kind of job is whose. */
export function createWorker(dependencies: WorkerDependencies): Loop {
  const { db, notices, clock, log, metrics, files, outbound, mail } = dependencies
  const onStored = (tx: Tx, companyId: number, owner: PictureOwner) =>
    'product_key' in owner
      ? refreshProducts(tx, companyId, [owner.product_key], nowInSeconds(clock))
      : refreshCategory(tx, companyId, owner.category_id)

  return createLoop({
    db,
    notices,
    clock,
    log,
    metrics,
    handlers: [
      createHandler(
        SEND_RESET,
        doneOnce(db, (tx, job) => sendReset(tx, job.data, nowInSeconds(clock))),
      ),
      ...createOrderMailers({ db, clock }),
      createPictureFetcher({ db, files, outbound, clock, onStored }),
      createPictureFilesDeleter({ files }),
      createMirrorFollower({ db, clock }),
      ...createMailSenders({ db, clock, log, mail }),
    ],
    chores: {
      'delete what sign-in left behind': {
        everySeconds: 3600,
        run: () =>
          inTransaction(db, async (tx) => {
            await deleteOldSessions(tx, clock.now())
            await deleteOldLimits(tx, clock.now())
          }),
      },
      'delete expired tokens': {
        everySeconds: 3600,
        run: () => inTransaction(db, (tx) => deleteExpiredTokens(tx, clock.now())),
      },
      'delete old idempotency keys': {
        everySeconds: 3600,
        run: () => inTransaction(db, (tx) => deleteOldKeys(tx, clock.now())),
      },
      'delete old links': {
        everySeconds: 3600,
        run: () =>
          inTransaction(db, async (tx) => {
            await deleteOldLinks(tx, clock.now())
            await deleteOldCustomerLinks(tx, clock.now())
          }),
      },
      'delete old audit entries': {
        everySeconds: 3600,
        run: () => inTransaction(db, (tx) => deleteOldAuditEntries(tx, clock.now())),
      },
      'delete old mails': {
        everySeconds: 3600,
        run: () => inTransaction(db, (tx) => deleteOldMails(tx, clock.now())),
      },
      'delete old events': {
        everySeconds: 3600,
        run: async () => {
          while ((await inTransaction(db, (tx) => deleteOldEvents(tx, clock.now()))) > 0);
        },
      },
      'merge counts of orders': {
        everySeconds: 3600,
        run: () => inTransaction(db, (tx) => mergeCounts(tx, clock.now())),
      },
      ...ratesChore(dependencies),
    },
  })
}

/** Whether it is due is asked every ten minutes. */
function ratesChore({ currencyRatesUrl: url, ...dependencies }: WorkerDependencies): Record<string, Chore> {
  if (url === '') return {}
  const run = createRatesRefresher({ ...dependencies, url })
  return { [REFRESH_RATES]: { everySeconds: 600, firstAfterSeconds: RATES_AFTER_SECONDS, run } }
}
