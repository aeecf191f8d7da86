import { productTypeOf } from '#catalog/products/types.facts.ts'
import { FieldReport, validationFailed } from '#platform/errors/problem.ts'
import { reportUnstorable } from '#platform/wire/storable.ts'
import { readTime } from '#platform/wire/times.ts'
import { inGroups, makeTypedCode, normalizeTypedCode } from '#platform/wire/typed-codes.ts'
import { endOf } from '#rights/entitlements/rights/periods.rules.ts'
import { holdsAt, limitsDevices, statusOf } from '#rights/entitlements/rights/rules.ts'
import type { Rights } from '#rights/entitlements/rights/state.ts'
import { rightsOf } from '#rights/entitlements/rules.ts'
import type { EntitlementState } from '#rights/entitlements/state.ts'
import { fingerprintMissing, keyEmpty, requestInvalid } from './errors.ts'
import type { ActivationInput, KeyQuestion, KeyStock, SoftwareKey } from './schema.ts'
import type { ActivationState, Asked, KeyList, OfflineRequest, SoftwareKeyState, Warning } from './state.ts'

const KEY_LENGTH = 25
const GROUP_LENGTH = 5
const FINGERPRINT_MAX = 200
const NONCE_MAX = 200
const NAME_MAX = 100
const YEAR_MS = 365 * 86_400_000

export function isSoftware(productType: number): boolean {
  return productTypeOf(productType).hasKey === true
}

/** A key that nobody can guess: 24 random characters, and one that checks them. */
export function newKey(randomBelow: (limit: number) => number): string {
  return inGroups(makeTypedCode(KEY_LENGTH, randomBelow), GROUP_LENGTH)
}

/** The keys of an import by the form that is compared, and those that are twice in it. Throws with all faults at once. */
export function readKeys(keys: readonly string[]): { byForm: Map<string, string>; repeated: string[] } {
  const report = new FieldReport()
  reportUnstorable({ keys }, report)
  const byForm = new Map<string, string>()
  const repeated: string[] = []
  for (const [index, text] of keys.entries()) {
    const form = normalizeTypedCode(text)
    if (form === '') report.add(`keys[${index}]`, keyEmpty())
    if (byForm.has(form)) repeated.push(text)
    else byForm.set(form, text.trim())
  }
  report.throwIfAny()
  return { byForm, repeated }
}

function readTypedKey(text: string): string {
  const form = normalizeTypedCode(text)
  if (form === '' || !form.isWellFormed()) throw validationFailed('key', keyEmpty())
  return form
}

/** A program that wants to be activated, with or without a connection. */
export function readActivation(input: ActivationInput): Asked {
  const key = readTypedKey(input.key)
  const client_time = readTime(input.client_time) ?? null
  if (input.request !== undefined) return { key, client_time, ...readRequest(input.request) }
  if (input.fingerprint === undefined) throw validationFailed('fingerprint', fingerprintMissing())
  const { fingerprint, name = '' } = input
  assertStorable({ fingerprint, name })
  return { key, fingerprint, name: name.trim(), client_time, nonce: null }
}

export function readKeyQuestion({ key, fingerprint, client_time }: KeyQuestion): Asked {
  assertStorable({ fingerprint })
  return { key: readTypedKey(key), fingerprint, name: '', client_time: readTime(client_time) ?? null, nonce: null }
}

function assertStorable(input: object): void {
  const report = new FieldReport()
  reportUnstorable(input, report)
  report.throwIfAny()
}

/** The text that a program without a connection shows. */
function readRequest(text: string): OfflineRequest {
  const value = parseRequest(text.trim())
  if (!isRequest(value)) throw validationFailed('request', requestInvalid())
  const { fingerprint, nonce, name = '' } = value
  assertStorable({ request: { fingerprint, nonce, name } })
  return { fingerprint, nonce, name: name.trim() }
}

function parseRequest(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
  } catch {
    return undefined
  }
}

function isRequest(value: unknown): value is { fingerprint: string; nonce: string; name?: string } {
  if (typeof value !== 'object' || value === null) return false
  const { fingerprint, nonce, name = '' }: { fingerprint?: unknown; nonce?: unknown; name?: unknown } = value
  const isText = (part: unknown, least: number, most: number) =>
    typeof part === 'string' && part.length >= least && part.length <= most
  return isText(fingerprint, 1, FINGERPRINT_MAX) && isText(nonce, 1, NONCE_MAX) && isText(name, 0, NAME_MAX)
}

/** Keys are given for what can be used: not before an order is confirmed, and not after the end. */
export function mayHaveKey(entitlement: EntitlementState, now: Date): boolean {
  return statusOf(rightsOf(entitlement), now).state === 'active'
}

/** Will the entitlement never get a key, because it has ended? */
export function isOver(entitlement: EntitlementState, now: Date): boolean {
  const { state } = statusOf(rightsOf(entitlement), now)
  return state === 'revoked' || state === 'expired'
}

export function stateOf({ entitlement, key }: SoftwareKeyState, now: Date): SoftwareKey['state'] {
  if (isOver(entitlement, now)) return 'revoked'
  return key === null ? 'waiting' : 'active'
}

/** Is the program activated on the device? Where seats are limited, it needs one. */
export function isActivated(rights: Rights, { fingerprint }: Pick<ActivationState, 'fingerprint'>, now: Date): boolean {
  return !limitsDevices(rights) || holdsAt(rights.usage, now).some(({ device }) => device === fingerprint)
}

const LOW_LEAST = 10
const LOW_SHARE = 0.1

/** Are there fewer than ten, or than a tenth of the last import? */
function isLow({ left_count, full_count }: Pick<KeyList, 'left_count' | 'full_count'>): boolean {
  return left_count < Math.max(LOW_LEAST, full_count * LOW_SHARE)
}

export function levelOf(list: Pick<KeyList, 'left_count' | 'full_count'>): KeyStock['level'] {
  if (list.left_count === 0) return 'empty'
  return isLow(list) ? 'low' : 'enough'
}

/** The warning that a list needs after a key was given; undefined if its owner knows already. */
export function warningFor(list: KeyList): Warning | undefined {
  const { left_count, warned } = list
  if (left_count === 0) return warned === 'empty' ? undefined : 'empty'
  return isLow(list) && warned === 'none' ? 'low' : undefined
}

/** When a signed activation ends: with the entitlement, and after a year at the latest. */
export function activationEnd(entitlement: EntitlementState, now: Date): Date {
  const end = endOf(rightsOf(entitlement))
  const latest = new Date(now.getTime() + YEAR_MS)
  return end !== null && end < latest ? end : latest
}
