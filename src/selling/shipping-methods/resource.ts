import type { Resource } from '#platform/resource.ts'
import { shippingMethodRoutes } from './routes.ts'
import { ShippingMethod } from './schema.ts'

export const shippingMethods: Resource = {
  tags: [{ name: 'Shipping methods', description: 'How goods get to customers, where to, and for what price.' }],
  schemas: [ShippingMethod],
  routes: [shippingMethodRoutes],
}
