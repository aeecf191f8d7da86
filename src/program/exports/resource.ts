import type { Resource } from '#platform/resource.ts'
import { exportRoutes } from './routes.ts'

export const exports: Resource = { userRoutes: [exportRoutes] }
