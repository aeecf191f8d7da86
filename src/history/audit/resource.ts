import { inBatches } from '#platform/db/batches.ts'
import type { Resource } from '#platform/resource.ts'
import { deleteOldAuditEntries } from './commands.ts'
import { auditRoutes } from './routes.ts'
import { AuditEntry } from './schema.ts'

export const audit: Resource = {
  tags: [{ name: 'Audit', description: 'Who signed in, and who changed users, apps, grants and tokens.' }],
  schemas: [AuditEntry],
  routes: [auditRoutes],
  chores: ({ db, clock }) => ({
    'delete old audit entries': {
      everySeconds: 3600,
      run: () => inBatches(db, (tx) => deleteOldAuditEntries(tx, clock.now())),
    },
  }),
}
