import type { Resource } from '#platform/resource.ts'
import { reviewRoutes } from './routes.ts'
import { Review } from './schema.ts'

export const reviews: Resource = {
  tags: [{ name: 'Reviews', description: 'What buyers think of products.' }],
  schemas: [Review],
  routes: [reviewRoutes],
}
