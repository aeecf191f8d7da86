import { inBatches } from '#platform/db/batches.ts'
import type { Resource } from '#platform/resource.ts'
import { deleteOldEvents } from './commands.ts'
import { eventMeasures } from './measures.queries.ts'
import { eventRoutes } from './routes.ts'
import { Event } from './schema.ts'

export const events: Resource = {
  tags: [{ name: 'Events', description: 'The log of what happened in the company.' }],
  schemas: [Event],
  routes: [eventRoutes],
  measures: [eventMeasures],
  chores: ({ db, clock }) => ({
    'delete old events': {
      everySeconds: 3600,
      run: () => inBatches(db, (tx) => deleteOldEvents(tx, clock.now())),
    },
  }),
}
