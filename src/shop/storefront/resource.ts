import { nowInSeconds } from '#platform/clock.ts'
import { createHandler, doneOnce } from '#platform/jobs/handlers.ts'
import type { Resource } from '#platform/resource.ts'
import { sendAccountMail } from './sessions/commands.ts'
import { SEND_ACCOUNT_MAIL } from './sessions/jobs.ts'

/** The pages of shops are registered by themselves: they have a context of their own. */
export const storefront: Resource = {
  jobs: ({ db, clock }) => [
    createHandler(
      SEND_ACCOUNT_MAIL,
      doneOnce(db, (tx, job) => sendAccountMail(tx, job.data, nowInSeconds(clock))),
    ),
  ],
}
