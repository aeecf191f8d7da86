import type { Resource } from '#platform/resource.ts'
import type { Readers } from './report.queries.ts'
import { testClockRoutes } from './routes.ts'
import { TestClock } from './schema.ts'

/** The worker that moves clocks is made of all other resources; see src/worker.ts. */
export const createTestClocks = (readers: Readers): Resource => ({
  tags: [{ name: 'Sandboxes', description: 'Companies to try things in, whose clock you move.' }],
  schemas: [TestClock],
  routes: [testClockRoutes(readers)],
})
