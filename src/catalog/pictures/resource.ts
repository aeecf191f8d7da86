import { nowInSeconds } from '#platform/clock.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import type { Resource } from '#platform/resource.ts'
import { UploadedPicture } from './schema.ts'
import { deleteUnused } from './upload.commands.ts'
import { pictureUploadRoutes } from './upload.routes.ts'

export const pictures: Resource = {
  tags: [{ name: 'Pictures', description: 'Uploads of pictures for products, categories and shops.' }],
  schemas: [UploadedPicture],
  routes: [pictureUploadRoutes],
  chores: ({ db, clock }) => ({
    'delete pictures that nothing uses': {
      everySeconds: 3600,
      firstAfterSeconds: 300,
      run: async () => {
        while ((await inTransaction(db, (tx) => deleteUnused(tx, nowInSeconds(clock)))) > 0);
      },
    },
  }),
}
