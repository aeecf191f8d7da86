import { nowInSeconds } from '#platform/clock.ts'
import { createHandler, doneOnce } from '#platform/jobs/handlers.ts'
import type { Resource } from '#platform/resource.ts'
import { sendSignInLink } from './commands.ts'
import { SEND_SIGN_IN_LINK } from './jobs.ts'

/** Its pages are registered with the other account pages, and its grant type with the exchange of tokens. */
export const playerTokens: Resource = {
  jobs: ({ db, clock }) => [
    createHandler(
      SEND_SIGN_IN_LINK,
      doneOnce(db, (tx, job) => sendSignInLink(tx, job.data, nowInSeconds(clock))),
    ),
  ],
}
