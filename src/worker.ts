import type { Notices } from '#platform/db/notices.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import type { Chore } from '#platform/jobs/chores.ts'
import { createLoop, type Loop } from '#platform/jobs/loop.ts'
import { deleteOldKeys } from '#platform/kept-answers.ts'
import { createMailSenders } from '#platform/mail/send.ts'
import type { MailSettings } from '#platform/mail/settings.ts'
import { deleteOldMails } from '#platform/mail/store.ts'
import type { WorkDependencies } from '#platform/resource.ts'
import { RESOURCES } from './resources.ts'

export type WorkerDependencies = WorkDependencies & { notices: Notices; mail: MailSettings | undefined }

/** Builds the background loop from the same parts as the HTTP service. */
export function createWorker(dependencies: WorkerDependencies): Loop {
  const chores = RESOURCES.map((resource) => resource.chores?.(dependencies) ?? {})
  return createLoop({
    ...dependencies,
    handlers: [
      ...RESOURCES.flatMap((resource) => resource.jobs?.(dependencies) ?? []),
      ...createMailSenders(dependencies),
    ],
    chores: Object.assign(platformChores(dependencies), ...chores),
  })
}

function platformChores({ db, clock }: WorkerDependencies): Record<string, Chore> {
  return {
    'delete old idempotency keys': {
      everySeconds: 3600,
      run: () => inTransaction(db, (tx) => deleteOldKeys(tx, clock.now())),
    },
    'delete old mails': {
      everySeconds: 3600,
      run: () => inTransaction(db, (tx) => deleteOldMails(tx, clock.now())),
    },
  }
}
