import { inTransaction } from '#platform/db/transaction.ts'
import type { Resource } from '#platform/resource.ts'
import { createMirrorFollower } from './follow.worker.ts'
import { followChanges } from './mirrors/commands.ts'
import { readWaitingChanges } from './mirrors/queries.ts'
import { mirrorRoutes } from './mirrors/routes.ts'
import { MirroredProduct } from './mirrors/schema.ts'
import { marketOfferRoutes } from './offers/routes.ts'
import { MarketCompany, OfferTaker } from './offers/schema.ts'
import { marketProductRoutes } from './products/routes.ts'
import { MarketProduct } from './products/schema.ts'
import { marketplaceRoutes } from './routes.ts'
import { MarketOffer, MarketplaceEntry, OfferedProduct, TakenProduct } from './schema.ts'

export const marketplace: Resource = {
  tags: [{ name: 'Marketplace', description: 'What other shop owners offer.' }],
  schemas: [
    MarketplaceEntry,
    OfferedProduct,
    TakenProduct,
    MarketProduct,
    MirroredProduct,
    MarketOffer,
    OfferTaker,
    MarketCompany,
  ],
  routes: [marketplaceRoutes, marketProductRoutes, mirrorRoutes, marketOfferRoutes],
  jobs: (dependencies) => [createMirrorFollower(dependencies)],
  // Mirrors may be outdated because their job was given up.
  beforeRebuild: async (db, now) => {
    for (const ownerId of (await readWaitingChanges(db)).keys())
      while ((await inTransaction(db, (tx) => followChanges(tx, ownerId, now))) > 0);
  },
}
