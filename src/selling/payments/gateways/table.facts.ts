import { entriesOf } from '#platform/wire/typed-entries.ts'
import type { GatewayKind } from './gateway.ts'
import { manual } from './manual/gateway.ts'
import { mollie } from './mollie/gateway.ts'
import { stripe } from './stripe/gateway.ts'
import { testCards } from './test-cards/gateway.ts'

/**
 * Every way to pay. A new one is a folder beside this file and a line here. The key is its name in settings, in the address
 * of its webhook and in options of the command line.
 */
export const GATEWAYS = { manual, test: testCards, stripe, mollie } as const

export type Gateways = typeof GATEWAYS
export type GatewayKey = keyof Gateways
/** The ways to pay, by the names that orders show. */
export type GatewayName = Gateways[GatewayKey]['name']

type Listed = { key: GatewayKey; kind: GatewayKind<GatewayName> }

export const ALL_GATEWAYS: readonly Listed[] = entriesOf(GATEWAYS).map(([key, kind]) => ({ key, kind }))

export const GATEWAY_NAMES: readonly GatewayName[] = ALL_GATEWAYS.map(({ kind }) => kind.name)

/** Where the APIs of gateways are, unless a setting says otherwise. */
export const GATEWAY_URLS: Readonly<Record<string, string>> = Object.fromEntries(
  ALL_GATEWAYS.flatMap(({ key, kind }) => (kind.apiUrl === undefined ? [] : [[key, kind.apiUrl]])),
)

export function gatewayNamed(name: GatewayName): Listed {
  const found = ALL_GATEWAYS.find(({ kind }) => kind.name === name)
  if (found === undefined) throw new Error(`there is no gateway ${name}`)
  return found
}

/** The way to pay that an address names; undefined if there is no such way. */
export function findGatewayKey(text: string): GatewayKey | undefined {
  return ALL_GATEWAYS.find(({ key }) => key === text)?.key
}
