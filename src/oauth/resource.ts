import { deleteExpiredTokens } from '#grants/commands.ts'
import { nowInSeconds } from '#platform/clock.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import type { Resource } from '#platform/resource.ts'
import { endUnusedCodes } from './exchange/commands.ts'
import { exchangeRoutes } from './exchange/routes.ts'
import { oauthRoutes } from './routes.ts'
import { OAuthErrorBody, TokenAnswer, TokenInformation } from './schema.ts'

export const oauth: Resource = {
  tags: [
    { name: 'Authorization', description: 'How apps get and give back their tokens.' },
    { name: 'Token information', description: 'What an access token is good for.' },
  ],
  schemas: [TokenInformation, TokenAnswer, OAuthErrorBody],
  routes: [oauthRoutes],
  rootRoutes: [exchangeRoutes],
  chores: ({ db, clock }) => ({
    'delete expired tokens': {
      everySeconds: 3600,
      run: () =>
        inTransaction(db, async (tx) => {
          const now = nowInSeconds(clock)
          await endUnusedCodes(tx, now)
          await deleteExpiredTokens(tx, now)
        }),
    },
  }),
}
