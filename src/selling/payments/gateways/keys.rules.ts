import type { FieldReport } from '#platform/errors/problem.ts'
import { keyInvalid, keyMissing } from '../errors.ts'
import type { GatewaySettings } from '../state.ts'
import type { GatewayKind, Keys } from './gateway.ts'

/** What an owner sends about the keys of a gateway. An empty text removes a key. */
export type KeyInput = { enabled?: boolean } & { [field: string]: string | boolean | undefined }

/** The settings of a gateway and its keys; null: it has none. */
export type ChangedKeys = { settings: Pick<GatewaySettings, 'enabled' | 'key_hint' | 'is_test'>; keys: Keys | null }

/** Changes the keys that the input names. Without the first key there are no others either, and the gateway is off. */
export function changeKeys(
  { keys: facts, isTestKey }: Pick<GatewayKind, 'keys' | 'isTestKey'>,
  known: Keys,
  before: Pick<GatewaySettings, 'enabled'>,
  input: KeyInput,
  report: FieldReport,
): ChangedKeys {
  const { enabled = before.enabled } = input
  const given = (field: string) => (typeof input[field] === 'string' ? input[field].trim() : undefined)
  const keys = Object.fromEntries(facts.map(({ field }) => [field, given(field) ?? known[field] ?? '']))
  for (const { field, form, example } of facts)
    if (keys[field] !== '' && !form.test(keys[field] ?? '')) report.add(field, keyInvalid(example))
  const main = facts[0]?.field ?? ''
  const key = keys[main] ?? ''
  if (enabled && key === '' && input[main] !== '') report.add(main, keyMissing())
  if (key === '') return { settings: { enabled: false, key_hint: '', is_test: false }, keys: null }
  return { settings: { enabled, key_hint: key.slice(-4), is_test: isTestKey?.(key) ?? false }, keys }
}

/** How the command line says that a gateway with a key is on or off. */
export function keyInWords(
  name: string,
  { enabled, secret_key_hint, test_mode }: { enabled: boolean; secret_key_hint: string; test_mode: boolean },
): string {
  const key = secret_key_hint === '' ? 'no key' : `key …${secret_key_hint}`
  return `${name}: ${enabled ? 'on' : 'off'} (${test_mode ? `${key}, test mode` : key})`
}
