import type { Resource } from '#platform/resource.ts'
import { orderTimelineRoutes } from './routes.ts'
import { TimelineEntry } from './schema.ts'

export const orderTimeline: Resource = {
  tags: [],
  schemas: [TimelineEntry],
  routes: [orderTimelineRoutes],
}
