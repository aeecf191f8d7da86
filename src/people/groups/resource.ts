import type { Resource } from '#platform/resource.ts'
import { groupRoutes } from './routes.ts'
import { Group } from './schema.ts'

export const groups: Resource = {
  tags: [{ name: 'Groups', description: 'Groups whose members use content without buying it.' }],
  schemas: [Group],
  routes: [groupRoutes],
}
