import { inTransaction } from '#platform/db/transaction.ts'
import type { Resource } from '#platform/resource.ts'
import { deleteOldDeliveries } from './deliveries/commands.ts'
import { deliveryRoutes } from './deliveries/routes.ts'
import { Delivery, Replayed } from './deliveries/schema.ts'
import { listeningRoutes } from './listening/routes.ts'
import { webhookRoutes, webhookRoutesBelowAdmin } from './routes.ts'
import { Webhook } from './schema.ts'
import { createSender } from './sender/sender.worker.ts'

export const webhooks: Resource = {
  tags: [{ name: 'Webhooks', description: 'Events that are posted to an address of the app.' }],
  schemas: [Webhook, Delivery, Replayed],
  routes: [webhookRoutes, deliveryRoutes],
  appRoutes: [listeningRoutes],
  rootRoutes: [webhookRoutesBelowAdmin],
  loops: (dependencies) => [createSender(dependencies)],
  chores: ({ db, clock }) => ({
    'delete old deliveries': {
      everySeconds: 3600,
      run: async () => {
        while ((await inTransaction(db, (tx) => deleteOldDeliveries(tx, clock.now()))) > 0);
      },
    },
  }),
}
