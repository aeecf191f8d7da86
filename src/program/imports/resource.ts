import { inBatches, inSlices } from '#platform/db/batches.ts'
import type { Resource } from '#platform/resource.ts'
import { deleteOldImports } from './commands.ts'
import { BEFORE_ALL_KEYS, deleteVoidKeys } from './keys.commands.ts'
import { importRoutes } from './routes.ts'
import { createImportHandlers } from './run.worker.ts'
import { Import, ImportUndo } from './schema.ts'
import { importUndoRoutes } from './undo/routes.ts'
import { createUndoHandler } from './undo/undo.worker.ts'
import { importUploadRoutes } from './upload.routes.ts'

export const imports: Resource = {
  tags: [
    {
      name: 'Imports',
      description:
        'CSV files of products, customers, prices, redemption codes, newsletter recipients, members and subscribers.',
    },
  ],
  schemas: [Import, ImportUndo],
  routes: [importUploadRoutes, importRoutes, importUndoRoutes],
  jobs: (dependencies) => [...createImportHandlers(dependencies), createUndoHandler(dependencies)],
  chores: ({ db, clock }) => ({
    'delete the import keys of things that are gone': {
      everySeconds: 86_400,
      firstAfterSeconds: 600,
      run: () => inSlices(db, BEFORE_ALL_KEYS, deleteVoidKeys),
    },
    'delete files that were imported days ago': {
      everySeconds: 3600,
      firstAfterSeconds: 300,
      run: () => inBatches(db, (tx) => deleteOldImports(tx, clock.now())),
    },
  }),
}
