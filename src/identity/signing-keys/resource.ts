import { inTransaction } from '#platform/db/transaction.ts'
import type { Resource } from '#platform/resource.ts'
import { forgetOldKeys, SIGNING_KEYS_PURPOSE } from './commands.ts'
import { signingKeyRoutes } from './routes.ts'

export const signingKeys: Resource = {
  rootRoutes: [signingKeyRoutes],
  sealed: [{ table: 'signing_keys', column: 'private_key', purpose: SIGNING_KEYS_PURPOSE }],
  chores: ({ db, clock }) => ({
    'forget old signing keys': {
      everySeconds: 86_400,
      firstAfterSeconds: 300,
      run: () => inTransaction(db, (tx) => forgetOldKeys(tx, clock.now())),
    },
  }),
}
