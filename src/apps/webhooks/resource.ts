import { hasNewEventsOf } from '#history/events/dispatch.commands.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { LOOK_SECONDS } from '#platform/jobs/waits.ts'
import type { Resource } from '#platform/resource.ts'
import { deleteOldDeliveries } from './deliveries/commands.ts'
import { deliveryRoutes } from './deliveries/routes.ts'
import { Delivery, Replayed } from './deliveries/schema.ts'
import { listeningRoutes } from './listening/routes.ts'
import { webhookMeasures } from './measures.queries.ts'
import { webhookRoutes, webhookRoutesBelowAdmin } from './routes.ts'
import { Webhook } from './schema.ts'
import { createSender } from './sender/sender.worker.ts'
import { bringAttemptsNearer, findNextDue, shortenWaits } from './sender/waiting.commands.ts'

export const webhooks: Resource = {
  tags: [{ name: 'Webhooks', description: 'Events that are posted to an address of the app.' }],
  schemas: [Webhook, Delivery, Replayed],
  routes: [webhookRoutes, deliveryRoutes],
  appRoutes: [listeningRoutes],
  rootRoutes: [webhookRoutesBelowAdmin],
  measures: [webhookMeasures],
  loops: (dependencies) => [createSender(dependencies)],
  waiting: (dependencies) => [
    {
      next: (companyId) => findNextDue(dependencies.db, companyId),
      run: async (companyId) => {
        const [hasNew, next] = await Promise.all([
          hasNewEventsOf(dependencies.db, companyId),
          findNextDue(dependencies.db, companyId),
        ])
        if (!hasNew && (next === undefined || next > dependencies.clock.now())) return 0
        await createSender(dependencies, { only: companyId }).runDue()
        // There may be more by now.
        return 1
      },
      bringNearer: bringAttemptsNearer,
    },
  ],
  chores: ({ db, clock }) => ({
    'shorten waits of webhooks after the clock has gone back': {
      everySeconds: LOOK_SECONDS,
      run: () => inTransaction(db, (tx) => shortenWaits(tx, clock.now())),
    },
    'delete old deliveries': {
      everySeconds: 3600,
      run: async () => {
        while ((await inTransaction(db, (tx) => deleteOldDeliveries(tx, clock.now()))) > 0);
      },
    },
  }),
}
