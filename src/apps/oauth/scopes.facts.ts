import { keysOf } from '#platform/wire/typed-entries.ts'

/** The scopes that an app can be granted, with what the OpenAPI document says of them. The prompt has messages for them. */
export const SCOPES = {
  products:
    'See, change, create and delete products, categories, discount codes, shipping methods and tax rates, and see licenses, prices and the marketplace',
  customers: 'See, change, create and delete customers',
  orders: 'See, change and create orders and shipments',
  themes: 'See, change, create and delete themes',
  files: 'See and create content files',
  companies: 'See and change what the company tells of itself',
  users: 'See, change and invite the people who run the shop',
  statistics: 'See statistics',
  player: 'Play and read what a customer owns, for that customer',
  webhooks: 'Be told of what happens in the shop, by webhooks that it sees, changes, creates and deletes',
} as const

/** The scopes under which something is served. Others are known, and neither offered nor granted at the prompt. */
export type ServedScopes = ReadonlySet<string>

export type Scope = keyof typeof SCOPES

export const ALL_SCOPES: Scope[] = keysOf(SCOPES)

/** Only a customer grants this scope, and no other one. */
export function isForCustomer(scope: string): boolean {
  return scope === 'player'
}

/** Unknown scopes in a request are dropped. */
export function knownScopes(names: readonly string[]): Scope[] {
  return ALL_SCOPES.filter((scope) => names.includes(scope))
}
