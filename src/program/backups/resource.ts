import type { Resource } from '#platform/resource.ts'
import { backupRoutes } from './routes.ts'
import { createBackupHandler } from './run.worker.ts'
import { Backups } from './schema.ts'

export const backups: Resource = {
  tags: [
    { name: 'Backups', description: 'Backups of the whole installation, where the operator lets users start them.' },
  ],
  schemas: [Backups],
  userRoutes: [backupRoutes],
  jobs: (work) => [createBackupHandler(work)],
}
