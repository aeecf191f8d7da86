import { inBatches } from '#platform/db/batches.ts'
import { resetCounter } from '#platform/db/counters.ts'
import type { Resource } from '#platform/resource.ts'
import { refreshUser } from './commands.ts'
import { deleteOldInvitations } from './invitations/commands.ts'
import { deleteOldLinks } from './links/commands.ts'
import { ownUserRoutes } from './own.routes.ts'
import { readUserIds, USERS } from './queries.ts'
import { userRoutes } from './routes.ts'
import { User } from './schema.ts'
import { sessionRoutes } from './sessions/routes.ts'

export const users: Resource = {
  tags: [{ name: 'Users', description: 'The people who run a shop.' }],
  schemas: [User],
  routes: [userRoutes],
  userRoutes: [sessionRoutes, ownUserRoutes],
  chores: ({ db, clock }) => ({
    'delete old links': {
      everySeconds: 3600,
      run: () =>
        inBatches(
          db,
          async (tx) => (await deleteOldLinks(tx, clock.now())) + (await deleteOldInvitations(tx, clock.now())),
        ),
    },
  }),
  documents: [
    {
      name: 'users',
      readIds: readUserIds,
      rewrite: async (tx, companyId, ids) => {
        for (const id of ids) await refreshUser(tx, companyId, id)
      },
      recount: (tx, companyId) => resetCounter(tx, companyId, USERS),
    },
  ],
}
