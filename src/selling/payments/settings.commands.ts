import { recordChange } from '#history/audit/commands.ts'
import { findCompany } from '#identity/companies/queries.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { FieldReport } from '#platform/errors/problem.ts'
import type { Author } from '#platform/identity/caller.ts'
import type { Vault } from '#platform/identity/vault.ts'
import { reportUnstorable } from '#platform/wire/storable.ts'
import { sandboxTakesNoMoney } from './errors.ts'
import type { GatewayKind, Keys } from './gateways/gateway.ts'
import { changeKeys, type KeyInput } from './gateways/keys.rules.ts'
import { ALL_GATEWAYS, gatewayNamed } from './gateways/table.facts.ts'
import { presentSettings } from './present.ts'
import { readGateways } from './queries.ts'
import { saveGateway } from './rows.commands.ts'
import { newGateway } from './rules.ts'
import type { PaymentSettings, PaymentSettingsInput } from './schema.ts'
import type { GatewaySettings } from './state.ts'

export const GATEWAY_KEYS_PURPOSE = 'payment gateway'

/** The keys of a gateway, or undefined if it has none or the installation has lost the secret that they need. */
export function openKeys(vault: Vault, { secrets }: Pick<GatewaySettings, 'secrets'>): Keys | undefined {
  if (secrets === null) return undefined
  try {
    return JSON.parse(vault.open(GATEWAY_KEYS_PURPOSE, secrets))
  } catch {
    return undefined
  }
}

/** The settings of a company without its secrets. */
export async function readSettings(db: Db, vault: Vault, companyId: number, baseUrl: string): Promise<PaymentSettings> {
  const gateways = await readGateways(db, companyId)
  return presentSettings(companyId, gateways, (stored) => openKeys(vault, stored) ?? {}, baseUrl)
}

/** Changes the settings that the input names. */
export async function updatePaymentSettings(
  tx: Tx,
  vault: Vault,
  author: Author,
  input: PaymentSettingsInput,
  now: Date,
): Promise<GatewaySettings[]> {
  const { companyId } = author
  const report = new FieldReport()
  reportUnstorable(input, report)
  const before = await readGateways(tx, companyId)
  const changed = ALL_GATEWAYS.flatMap(({ key, kind }) => {
    const stored = before.find(({ name }) => name === kind.name) ?? newGateway(companyId, kind.name, now)
    const change = input[key]
    return change === undefined ? [] : [changeGateway(vault, kind, stored, change, report.within(`${key}.`), now)]
  })
  const isSandbox = (await findCompany(tx, companyId))?.sandbox === true
  for (const { name, enabled, is_test } of changed)
    if (isSandbox && enabled && !isHarmless(name, is_test)) report.add(gatewayNamed(name).key, sandboxTakesNoMoney())
  report.throwIfAny()
  // All orders of a sandbox are tests, and a gateway that is none would not take them.
  for (const gateway of changed) await saveGateway(tx, isSandbox ? { ...gateway, is_test: true } : gateway)
  const words = changed.map(({ name, enabled }) => `${name} ${enabled ? 'on' : 'off'}`)
  if (words.length > 0) await recordChange(tx, author, 'payment settings changed', words.join(', '), now)
  return readGateways(tx, companyId)
}

/** A sandbox takes no money: its gateways ask nobody, or have a key that moves none. */
function isHarmless(name: GatewaySettings['name'], isTest: boolean): boolean {
  return gatewayNamed(name).kind.apiUrl === undefined || isTest
}

/** What the inputs of gateways have in common: columns, and keys. */
type GatewayInput = Partial<GatewaySettings> | KeyInput

function changeGateway(
  vault: Vault,
  kind: GatewayKind,
  before: GatewaySettings,
  input: GatewayInput,
  report: FieldReport,
  now: Date,
): GatewaySettings {
  if (kind.keys.length === 0) return { ...before, ...(input as Partial<GatewaySettings>), updated_at: now }
  const known = openKeys(vault, before) ?? {}
  const { settings, keys } = changeKeys(kind, known, before, input as KeyInput, report)
  const secrets = keys === null ? null : vault.seal(GATEWAY_KEYS_PURPOSE, JSON.stringify(keys))
  return { ...before, ...settings, secrets, updated_at: now }
}
