import { inTransaction } from '#platform/db/transaction.ts'
import type { Resource } from '#platform/resource.ts'
import { createMirrorFollower } from './follow.worker.ts'
import { followChanges } from './mirrors/commands.ts'
import { readWaitingChanges } from './mirrors/queries.ts'
import { marketplaceRoutes } from './routes.ts'
import { MarketplaceEntry, OfferedProduct, TakenProduct } from './schema.ts'

export const marketplace: Resource = {
  tags: [{ name: 'Marketplace', description: 'What other shop owners offer.' }],
  schemas: [MarketplaceEntry, OfferedProduct, TakenProduct],
  routes: [marketplaceRoutes],
  jobs: (dependencies) => [createMirrorFollower(dependencies)],
  // Mirrors may be outdated because their job was given up.
  beforeRebuild: async (db, now) => {
    for (const ownerId of (await readWaitingChanges(db)).keys())
      while ((await inTransaction(db, (tx) => followChanges(tx, ownerId, now))) > 0);
  },
}
