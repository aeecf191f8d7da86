import type { Db, Tx } from '#platform/db/database.ts'
import { Problem } from '#platform/errors/problem.ts'
import type { Vault } from '#platform/identity/vault.ts'
import type { Outbound } from '#platform/outbound/outbound.ts'
import type { ServiceUrls } from '#platform/outbound/service-urls.ts'
import { gatewayUnavailable } from '../errors.ts'
import { findGateway } from '../queries.ts'
import { openSecrets } from '../settings.commands.ts'
import type { GatewayName } from '../state.ts'
import type { Gateway } from './gateway.ts'
import { manualGateway } from './manual.gateway.ts'
import { stripeGateway } from './stripe/gateway.ts'
import { testGateway } from './test.gateway.ts'

export type Change = <Result>(work: (tx: Tx) => Promise<Result>) => Promise<Result>

/** What payments need to talk to gateways. Requests to them are made between transactions, never inside one. */
export type PaymentWork = {
  db: Db
  change: Change
  now: () => Date
  vault: Vault
  outbound: Outbound
  serviceUrls: ServiceUrls
}

/** The gateway of a company. Payments under way go on after the company has turned it off. */
export async function openGateway(work: PaymentWork, companyId: number, name: GatewayName): Promise<Gateway> {
  if (name === 'Manual') return manualGateway
  const settings = await findGateway(work.db, companyId, name)
  if (settings === undefined) throw gatewayUnavailable(name)
  if (name === 'Test' && !settings.enabled) throw gatewayUnavailable(name)
  if (name === 'Test') return testGateway
  const secrets = openSecrets(work.vault, settings)
  if (secrets === undefined) throw gatewayUnavailable(name)
  return stripeGateway({ secrets, companyId, outbound: work.outbound, url: work.serviceUrls.stripe })
}

/** Calls a gateway. What it throws is a failure of the connection. */
export async function callGateway<Result>(
  gateway: Gateway,
  call: (gateway: Gateway) => Promise<Result>,
): Promise<Result> {
  try {
    return await call(gateway)
  } catch (error) {
    throw error instanceof Problem ? error : gatewayUnavailable(gateway.name, error)
  }
}
