import type { Things } from './things.ts'

const urlOf = (name: string) => `/api/statistics/${name}/:company_id.json`

const NAMES = [
  'traffic',
  'order',
  'cart',
  'order_devices',
  'order_products',
  'overview',
  'usage',
  'sources',
  'countries',
  'refunds',
  'period',
  'usage_products',
  'subscriptions',
]

export const STATISTICS_PATHS = Object.fromEntries(
  NAMES.map((name) => [urlOf(name), ({ company }: Things) => [company.id]]),
)
