import { recordChange } from '#history/audit/commands.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { FieldReport } from '#platform/errors/problem.ts'
import type { Author } from '#platform/identity/caller.ts'
import type { Vault } from '#platform/identity/vault.ts'
import { reportUnstorable } from '#platform/wire/storable.ts'
import { keyInvalid, keyMissing } from './errors.ts'
import { presentSettings } from './present.ts'
import { readGateways } from './queries.ts'
import { saveGateway } from './rows.commands.ts'
import { isTestKey, newGateway } from './rules.ts'
import type { PaymentSettings, PaymentSettingsInput } from './schema.ts'
import type { GatewayName, GatewaySettings, StripeSecrets } from './state.ts'

const PURPOSE = 'payment gateway'

/** The secrets of a gateway, or undefined if it has none or the installation has lost the secret that they need. */
export function openSecrets(vault: Vault, { secrets }: Pick<GatewaySettings, 'secrets'>): StripeSecrets | undefined {
  if (secrets === null) return undefined
  try {
    return JSON.parse(vault.open(PURPOSE, secrets))
  } catch {
    return undefined
  }
}

/** The settings of a company without its secrets. */
export async function readSettings(db: Db, vault: Vault, companyId: number, baseUrl: string): Promise<PaymentSettings> {
  const gateways = await readGateways(db, companyId)
  const stripe = gateways.find(({ name }) => name === 'Stripe')
  const secrets = stripe === undefined ? undefined : openSecrets(vault, stripe)
  return presentSettings(companyId, gateways, (secrets?.webhook_secret ?? '') !== '', baseUrl)
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
  const find = (name: GatewayName) =>
    before.find((gateway) => gateway.name === name) ?? newGateway(companyId, name, now)
  const changed = [
    ...(input.manual === undefined ? [] : [{ ...find('Manual'), ...input.manual, updated_at: now }]),
    ...(input.test === undefined ? [] : [{ ...find('Test'), ...input.test, updated_at: now }]),
    ...(input.stripe === undefined ? [] : [changeStripe(vault, find('Stripe'), input.stripe, report, now)]),
  ]
  report.throwIfAny()
  for (const gateway of changed) await saveGateway(tx, gateway)
  const words = changed.map(({ name, enabled }) => `${name} ${enabled ? 'on' : 'off'}`)
  if (words.length > 0) await recordChange(tx, author, 'payment settings changed', words.join(', '), now)
  return readGateways(tx, companyId)
}

type StripeInput = NonNullable<PaymentSettingsInput['stripe']>

function changeStripe(
  vault: Vault,
  before: GatewaySettings,
  { enabled = before.enabled, secret_key, webhook_secret }: StripeInput,
  report: FieldReport,
  now: Date,
): GatewaySettings {
  const known = openSecrets(vault, before)
  const key = secret_key?.trim() ?? known?.secret_key ?? ''
  const signing = webhook_secret?.trim() ?? known?.webhook_secret ?? ''
  if (key !== '' && !/^[sr]k_(test|live)_\w+$/.test(key)) report.add('stripe.secret_key', keyInvalid('sk_live_'))
  if (signing !== '' && !/^whsec_[\w+/=]+$/.test(signing)) report.add('stripe.webhook_secret', keyInvalid('whsec_'))
  if (enabled && key === '' && secret_key !== '') report.add('stripe.secret_key', keyMissing())
  if (key === '') return { ...before, enabled: false, secrets: null, key_hint: '', is_test: false, updated_at: now }
  const secrets: StripeSecrets = { secret_key: key, webhook_secret: signing }
  return {
    ...before,
    enabled,
    secrets: vault.seal(PURPOSE, JSON.stringify(secrets)),
    key_hint: key.slice(-4),
    is_test: isTestKey(key),
    updated_at: now,
  }
}
