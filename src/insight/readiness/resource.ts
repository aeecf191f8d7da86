import type { Resource } from '#platform/resource.ts'
import { readinessRoutes } from './routes.ts'
import { Readiness } from './schema.ts'

export const readiness: Resource = { schemas: [Readiness], routes: [readinessRoutes] }
