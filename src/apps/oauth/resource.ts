import { deleteExpiredTokens } from '#identity/grants/commands.ts'
import { nowInSeconds } from '#platform/clock.ts'
import { inBatches } from '#platform/db/batches.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import type { Resource } from '#platform/resource.ts'
import { APP_SECRETS_PURPOSE } from './apps.commands.ts'
import { endUnusedCodes } from './exchange/commands.ts'
import type { ExtensionGrant } from './exchange/extensions.commands.ts'
import { exchangeRoutes } from './exchange/routes.ts'
import { permissionRoutes } from './permissions/routes.ts'
import { AppPermission } from './permissions/schema.ts'
import { registrationRoutes } from './registration/routes.ts'
import { AccessToken, RegisteredApp, RegisteredAppWithSecret } from './registration/schema.ts'
import { oauthRoutes } from './routes.ts'
import { OAuthErrorBody, TokenAnswer, TokenInformation } from './schema.ts'

/** Apps, their permissions and their tokens. Other resources bring grant types of their own. */
export const createOauth = (extensions: readonly ExtensionGrant[]): Resource => ({
  tags: [
    { name: 'Apps', description: 'The apps that a company has registered, and those that it has let in.' },
    { name: 'Authorization', description: 'How apps get and give back their tokens.' },
    { name: 'Token information', description: 'What an access token is good for.' },
  ],
  schemas: [
    AppPermission,
    RegisteredApp,
    RegisteredAppWithSecret,
    AccessToken,
    TokenInformation,
    TokenAnswer,
    OAuthErrorBody,
  ],
  appRoutes: [oauthRoutes],
  userRoutes: [permissionRoutes, registrationRoutes],
  rootRoutes: [(app, options, done) => exchangeRoutes(app, { ...options, extensions }, done)],
  sealed: ['sealed_secret', 'previous_sealed_secret'].map((column) => ({
    table: 'apps',
    column,
    purpose: APP_SECRETS_PURPOSE,
  })),
  chores: ({ db, clock }) => ({
    'delete expired tokens': {
      everySeconds: 3600,
      run: async () => {
        const now = nowInSeconds(clock)
        await inTransaction(db, (tx) => endUnusedCodes(tx, now))
        await inBatches(db, (tx) => deleteExpiredTokens(tx, now))
      },
    },
  }),
})
