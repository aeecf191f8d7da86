import { FieldReport, validationFailed } from '#platform/errors/problem.ts'
import type { Author } from '#platform/identity/caller.ts'
import { gatewayUnavailable, keyRefused } from './errors.ts'
import type { PaymentWork } from './gateways/commands.ts'
import type { Connected, Connection, GatewayKind } from './gateways/gateway.ts'
import { changeKeys } from './gateways/keys.rules.ts'
import { GATEWAYS, type GatewayKey, type GatewayName } from './gateways/table.facts.ts'
import { findGateway } from './queries.ts'
import { newGateway, webhookUrl } from './rules.ts'
import type { GatewayConnection } from './schema.ts'
import { openKeys, updatePaymentSettings } from './settings.commands.ts'

/** The connections that are being made, each by its company and gateway. */
const connecting = new Map<string, Promise<unknown>>()

/**
 * One connection at a time in this process. Two at once would make two webhooks at the gateway, and might store the secret of the
 * one that the other has deleted.
 */
async function afterOthers<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
  const before = connecting.get(key) ?? Promise.resolve()
  const own = before.then(work, work)
  connecting.set(key, own)
  try {
    return await own
  } finally {
    if (connecting.get(key) === own) connecting.delete(key)
  }
}

/**
 * Connects a company with a gateway: asks the gateway whether it takes the key, has it send its news here, and turns it on. A
 * key that the gateway refuses changes nothing. Without a key, the one that is stored is checked again.
 */
export function connectGateway(
  work: PaymentWork,
  author: Author,
  key: GatewayKey,
  typed: string | undefined,
): Promise<GatewayConnection> {
  return afterOthers(`${key} of ${author.companyId}`, () => connect(work, author, key, typed))
}

async function connect(
  work: PaymentWork,
  author: Author,
  key: GatewayKey,
  typed: string | undefined,
): Promise<GatewayConnection> {
  const kind: GatewayKind<GatewayName> = GATEWAYS[key]
  const { companyId } = author
  const given = typed?.trim() || undefined
  const stored = await findGateway(work.db, companyId, kind.name)
  const known = (stored && openKeys(work.vault, stored)) ?? {}
  // The other secrets belong to the account of their key.
  const kept = given === undefined || given === known.secret_key ? known : {}
  const report = new FieldReport()
  const input = { enabled: true, ...(given === undefined ? {} : { secret_key: given }) }
  const { keys, settings } = changeKeys(
    kind,
    kept,
    stored ?? newGateway(companyId, kind.name, work.now(companyId)),
    input,
    report,
  )
  report.throwIfAny()
  const connected = await ask(kind, {
    companyId,
    settings: stored,
    keys: keys ?? {},
    url: work.serviceUrls.gateways[key] ?? '',
    webhookUrl: webhookUrl(work.baseUrl(), companyId, kind.name),
    outbound: work.outbound,
    aheadMs: 0,
  })
  if (connected.kind === 'refused') throw validationFailed('secret_key', keyRefused(connected.reason))
  const change = { [key]: { enabled: true, ...keys, ...connected.keys } }
  await work.change((tx) => updatePaymentSettings(tx, work.vault, author, change, work.now(author.companyId)))
  return {
    account: connected.account,
    test_mode: settings.is_test,
    webhook_refusal: connected.webhookRefusal ?? null,
  }
}

async function ask({ name, connect }: GatewayKind, connection: Connection): Promise<Connected> {
  if (connect === undefined) throw new Error(`${name} has no key to connect it with`)
  try {
    return await connect(connection)
  } catch (error) {
    throw gatewayUnavailable(name, error)
  }
}
