import type { Resource } from '#platform/resource.ts'
import { customerSupportRoutes } from './support/routes.ts'
import { LoginLink } from './support/schema.ts'

export const customerSupport: Resource = { schemas: [LoginLink], userRoutes: [customerSupportRoutes] }
