import type { Resource } from '#platform/resource.ts'
import { planRoutes } from './routes.ts'
import { Plan } from './schema.ts'

export const plans: Resource = {
  tags: [{ name: 'Plans', description: 'How a subscription group is sold: a price for each interval.' }],
  schemas: [Plan],
  routes: [planRoutes],
}
