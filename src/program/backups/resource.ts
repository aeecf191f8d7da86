import type { Resource } from '#platform/resource.ts'
import { backupRoutes } from './routes.ts'
import { createBackupHandler } from './run.worker.ts'
import { createScheduledHandler, startDue } from './schedule.worker.ts'
import { Backups } from './schema.ts'

export const backups: Resource = {
  tags: [
    { name: 'Backups', description: 'Backups of the whole installation, where the operator lets users start them.' },
  ],
  schemas: [Backups],
  userRoutes: [backupRoutes],
  jobs: (work) => [createBackupHandler(work), createScheduledHandler(work)],
  chores: (work) => ({ 'start backups that are due': { everySeconds: 60, run: () => startDue(work) } }),
}
