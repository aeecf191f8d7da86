import { nowInSeconds } from '#platform/clock.ts'
import { createHandler, doneOnce } from '#platform/jobs/handlers.ts'
import type { Resource } from '#platform/resource.ts'
import { sendAccountMail } from './sessions/commands.ts'
import { SEND_ACCOUNT_MAIL } from './sessions/jobs.ts'

export const customerSignIn: Resource = {
  jobs: ({ db, clock }) => [
    createHandler(
      SEND_ACCOUNT_MAIL,
      doneOnce(db, (tx, job) => sendAccountMail(tx, job.data, nowInSeconds(clock))),
    ),
  ],
}
