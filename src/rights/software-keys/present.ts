import { asciiJson, wireTime, wireTimeOrNull } from '#platform/wire/times.ts'
import { presentDecision } from '#rights/entitlements/present.ts'
import { type Code, deviceLimitOf, holdsAt } from '#rights/entitlements/rights/rules.ts'
import type { Rights } from '#rights/entitlements/rights/state.ts'
import { rightsOf } from '#rights/entitlements/rules.ts'
import type { EntitlementState } from '#rights/entitlements/state.ts'
import { isActivated, levelOf, stateOf } from './rules.ts'
import type { Activation, KeyCount, KeyImport, KeyStock, ListedKey, SoftwareKey } from './schema.ts'
import type {
  ActivationState,
  Asked,
  Import,
  KeyList,
  KeyStockState,
  ListedKeyState,
  SoftwareKeyState,
} from './state.ts'

function presentActivation({ fingerprint, name, activated_at }: ActivationState): Activation {
  return { fingerprint, name, activated_at: wireTime(activated_at) }
}

export function presentSoftwareKey(state: SoftwareKeyState, now: Date): SoftwareKey {
  const rights = rightsOf(state.entitlement)
  const seats = deviceLimitOf(rights)
  const activations = state.activations.filter((activation) => isActivated(rights, activation, now))
  return {
    key: state.key,
    state: stateOf(state, now),
    seats,
    seats_used: seats === null ? activations.length : holdsAt(rights.usage, now).length,
    activations: activations.map(presentActivation),
    created_at: wireTimeOrNull(state.given_at),
  }
}

export function presentCount({ left_count, given_count }: Pick<KeyList, 'left_count' | 'given_count'>): KeyCount {
  return { left: left_count, given: given_count }
}

export function presentListedKey(state: ListedKeyState): ListedKey {
  const { id, key, imported, entitlement_id, customer_token, given_at, ended_at, created_at } = state
  return {
    id,
    key,
    state: given_at === null ? 'left' : ended_at === null ? 'given' : 'replaced',
    imported,
    customer_token,
    entitlement_id,
    given_at: wireTimeOrNull(given_at),
    created_at: wireTime(created_at),
  }
}

export function presentStock(stock: KeyStockState): KeyStock {
  const { id, product_id, title, waiting } = stock
  return { id, product_id, title, ...presentCount(stock), waiting, level: levelOf(stock) }
}

export function presentImport({ imported, duplicates, list }: Import): KeyImport {
  return { imported, duplicates, ...presentCount(list) }
}

/** A decision as a check shows it. The sentence is given where the refusal is not the rights engine's. */
export function presentCheck(
  rights: Rights,
  { code, notActivated, language }: { code: Code; notActivated: string | null; language: string },
  now: Date,
): string {
  const decision = presentDecision(rights, { code, shown: rights, language }, now)
  if (notActivated === null) return asciiJson(decision)
  return asciiJson({ ...decision, allowed: false, code: 'not_activated', reason: notActivated })
}

/** The decision, which is JSON already, with the activation if there is one. */
export function presentAnswer(decision: string, activation: ActivationState | null): string {
  const shown = activation === null ? 'null' : asciiJson(presentActivation(activation))
  return `{"decision":${decision},"activation":${shown}}`
}

export function presentNewAnswer(
  decision: string,
  activation: ActivationState | null,
  license: { jws: string; kid: string } | null,
): string {
  return `${presentAnswer(decision, activation).slice(0, -1)},"license":${asciiJson(license)}}`
}

const inSeconds = (time: Date) => Math.floor(time.getTime() / 1000)

/** What a signed activation says. */
export function presentClaims(
  entitlement: EntitlementState,
  { fingerprint, nonce }: Asked,
  { issuer, id, keyHash, end }: { issuer: string; id: string; keyHash: Buffer; end: Date },
  now: Date,
): Record<string, unknown> {
  return {
    iss: issuer,
    jti: id,
    iat: inSeconds(now),
    nbf: inSeconds(now),
    exp: inSeconds(end),
    company_id: entitlement.company_id,
    entitlement_id: entitlement.id,
    product_id: entitlement.product_id,
    key_hash: keyHash.toString('base64url'),
    fingerprint,
    nonce,
  }
}
