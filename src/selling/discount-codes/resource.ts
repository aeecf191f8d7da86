import type { Resource } from '#platform/resource.ts'
import { discountCodeRoutes } from './routes.ts'
import { DiscountCode } from './schema.ts'

export const discountCodes: Resource = {
  tags: [{ name: 'Discount codes', description: 'Codes with which customers pay less.' }],
  schemas: [DiscountCode],
  routes: [discountCodeRoutes],
}
