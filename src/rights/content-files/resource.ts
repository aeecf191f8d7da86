import { nowInSeconds } from '#platform/clock.ts'
import { inSlices } from '#platform/db/batches.ts'
import { isBeingCopied } from '#platform/db/table-copies.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { createHandler } from '#platform/jobs/handlers.ts'
import { enqueue } from '#platform/jobs/queue.ts'
import type { Resource, WorkDependencies } from '#platform/resource.ts'
import { BEFORE_ALL_FILES, deleteUnneeded } from './commands.ts'
import { deliveryRoutes, downloadRoutes, issueRoutes } from './delivery/routes.ts'
import { DELETE_BYTES } from './jobs.ts'
import { packMissing } from './packing.commands.ts'
import { fileRoutes } from './routes.ts'
import { ContentFile, Download, IncludedFile } from './schema.ts'
import { deleteAbandoned, type FinishOptions, finishLeftOver } from './uploads/finish.commands.ts'
import { uploadPreflightRoutes, uploadRoutes } from './uploads/routes.ts'

const PUT_OFF_MS = 60_000

function finishing({ db, files, uploadFolder, clock }: WorkDependencies): FinishOptions {
  return {
    db,
    change: (work) => inTransaction(db, work),
    files,
    folder: uploadFolder,
    now: clock.of,
    clock,
  }
}

export const contentFiles: Resource = {
  tags: [{ name: 'Content files', description: 'What is played, read and installed: uploads and delivery.' }],
  schemas: [ContentFile, IncludedFile, Download],
  routes: [fileRoutes, uploadRoutes, downloadRoutes],
  appRoutes: [uploadPreflightRoutes, issueRoutes],
  rootRoutes: [deliveryRoutes],
  jobs: ({ db, files, clock }) => [
    // While a backup is made, the bytes may belong to it, so the job is put off.
    createHandler(DELETE_BYTES, async ({ companyId, data }) => {
      if (!(await isBeingCopied(db))) return files.delete(data.key)
      const now = clock.of(companyId)
      const later = new Date(now.getTime() + PUT_OFF_MS)
      return inTransaction(db, (tx) => enqueue(tx, { kind: DELETE_BYTES, companyId, data }, now, later))
    }),
  ],
  chores: (dependencies) => ({
    'finish uploads': { everySeconds: 60, run: () => finishLeftOver(finishing(dependencies)) },
    'delete abandoned uploads': {
      everySeconds: 3600,
      run: async () => void (await deleteAbandoned(finishing(dependencies))),
    },
    'pack protected films': {
      everySeconds: 3600,
      firstAfterSeconds: 15,
      run: () => packMissing(dependencies.db, nowInSeconds(dependencies.clock)),
    },
    'delete content files that nobody needs': {
      everySeconds: 3600,
      firstAfterSeconds: 600,
      run: async () => {
        const { db, clock } = dependencies
        await inSlices(db, BEFORE_ALL_FILES, (tx, after) => deleteUnneeded(tx, nowInSeconds(clock), after))
      },
    },
  }),
}
