import type { Resource } from '#platform/resource.ts'
import { attentionRoutes } from './routes.ts'
import { Attention } from './schema.ts'

export const attention: Resource = { schemas: [Attention], routes: [attentionRoutes] }
