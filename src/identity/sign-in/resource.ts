import { deleteOldLimits } from '#identity/attempts/guard.ts'
import { deleteOldSessions } from '#identity/users/sessions/commands.ts'
import { nowInSeconds } from '#platform/clock.ts'
import { inBatches } from '#platform/db/batches.ts'
import { createHandler, doneOnce } from '#platform/jobs/handlers.ts'
import type { Resource } from '#platform/resource.ts'
import { accountRoutes } from './account/routes.ts'
import { OwnSession } from './account/schema.ts'
import { signInSettingsRoutes } from './requirements/routes.ts'
import { SignInSettings } from './requirements/schema.ts'
import { sendReset } from './reset/commands.ts'
import { SEND_RESET } from './reset/jobs.ts'
import { SECOND_FACTORS_PURPOSE } from './second-factor/commands.ts'
import { secondFactorRoutes } from './second-factor/routes.ts'
import { SecondFactor, SecondFactorSecret } from './second-factor/schema.ts'

/** Its pages are registered with the other account pages. */
export const signIn: Resource = {
  tags: [{ name: 'Account', description: 'The user who has signed in.' }],
  schemas: [OwnSession, SecondFactor, SecondFactorSecret, SignInSettings],
  userRoutes: [accountRoutes, secondFactorRoutes, signInSettingsRoutes],
  sealed: [{ table: 'second_factors', column: 'sealed_secret', purpose: SECOND_FACTORS_PURPOSE }],
  jobs: ({ db, clock }) => [
    createHandler(
      SEND_RESET,
      doneOnce(db, (tx, job) => sendReset(tx, job.data, nowInSeconds(clock))),
    ),
  ],
  chores: ({ db, clock }) => ({
    'delete old sessions and limits': {
      everySeconds: 3600,
      run: () =>
        inBatches(
          db,
          async (tx) => (await deleteOldSessions(tx, clock.now())) + (await deleteOldLimits(tx, clock.now())),
        ),
    },
  }),
}
