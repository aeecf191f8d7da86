import { inTransaction } from '#platform/db/transaction.ts'
import type { Resource } from '#platform/resource.ts'
import { forgetOldKeys } from './commands.ts'
import { signingKeyRoutes } from './routes.ts'

export const signingKeys: Resource = {
  rootRoutes: [signingKeyRoutes],
  chores: ({ db, clock }) => ({
    'forget old signing keys': {
      everySeconds: 86_400,
      firstAfterSeconds: 300,
      run: () => inTransaction(db, (tx) => forgetOldKeys(tx, clock.now())),
    },
  }),
}
