import type { Resource } from '#platform/resource.ts'
import { taxRateRoutes } from './routes.ts'
import { TaxRate, TaxTable } from './schema.ts'

export const taxRates: Resource = {
  tags: [{ name: 'Tax rates', description: 'Rates of value added tax that the company sets itself.' }],
  schemas: [TaxRate, TaxTable],
  routes: [taxRateRoutes],
}
