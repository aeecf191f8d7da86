import { type CompanyTime, type MachineClock, nowInSeconds } from '#platform/clock.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { Problem } from '#platform/errors/problem.ts'
import type { Vault } from '#platform/identity/vault.ts'
import type { Outbound } from '#platform/outbound/outbound.ts'
import type { ServiceUrls } from '#platform/outbound/service-urls.ts'
import { gatewayUnavailable } from '../errors.ts'
import { findGateway } from '../queries.ts'
import { webhookUrl } from '../rules.ts'
import { openKeys } from '../settings.commands.ts'
import type { GatewayName } from '../state.ts'
import type { Gateway } from './gateway.ts'
import { gatewayNamed } from './table.facts.ts'

export type Change = <Result>(work: (tx: Tx) => Promise<Result>) => Promise<Result>

/** What payments need to talk to gateways. Requests to them are made between transactions, never inside one. */
export type PaymentWork = {
  db: Db
  change: Change
  now: CompanyTime
  clock: MachineClock
  vault: Vault
  outbound: Outbound
  serviceUrls: ServiceUrls
  /** The address of the service, to which gateways send their news. */
  baseUrl: () => string
}

/** The gateway of a company. Payments under way go on after the company has turned it off. */
export async function openGateway(work: PaymentWork, companyId: number, name: GatewayName): Promise<Gateway> {
  const { key, kind } = gatewayNamed(name)
  const settings = await findGateway(work.db, companyId, name)
  const gateway = kind.open({
    companyId,
    settings,
    keys: settings && openKeys(work.vault, settings),
    url: work.serviceUrls.gateways[key] ?? '',
    webhookUrl: webhookUrl(work.baseUrl(), companyId, name),
    outbound: work.outbound,
    aheadMs: work.now(companyId).getTime() - nowInSeconds(work.clock).getTime(),
  })
  if (gateway === undefined) throw gatewayUnavailable(name)
  return gateway
}

/** Calls a gateway. What it throws is a failure of the connection. */
export async function callGateway<Result>(
  name: GatewayName,
  gateway: Gateway,
  call: (gateway: Gateway) => Promise<Result>,
): Promise<Result> {
  try {
    return await call(gateway)
  } catch (error) {
    throw error instanceof Problem ? error : gatewayUnavailable(name, error)
  }
}
