import type { Things } from './things.ts'

const urlOf = (name: string) => `/api/statistics/${name}/:company_id.json`

/** Each reads the company and its time zone first, which say whose numbers and which days they are. */
const STATEMENTS_OF = { traffic: 2, order: 2, cart: 2, order_devices: 2, order_products: 2, overview: 9, usage: 2 }

export const STATISTICS_STATEMENTS = Object.entries(STATEMENTS_OF).map(([name, statements]): [string, number] => [
  urlOf(name),
  statements,
])

export const STATISTICS_PATHS = Object.fromEntries(
  Object.keys(STATEMENTS_OF).map((name) => [urlOf(name), ({ company }: Things) => [company.id]]),
)
