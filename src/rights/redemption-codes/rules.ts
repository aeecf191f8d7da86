import { productUnknown } from '#catalog/products/errors.ts'
import { chooseBinding, chooseParts, hasContentOfOthers, isHd, kindOf } from '#catalog/products/sale/rules.ts'
import type { BindingForSale, ForSale } from '#catalog/products/sale/state.ts'
import { isContent } from '#catalog/products/types.facts.ts'
import { fieldRequired, timeInvalid } from '#platform/errors/faults.ts'
import { type Fault, FieldReport, validationFailed } from '#platform/errors/problem.ts'
import { reportUnstorable } from '#platform/wire/storable.ts'
import { parseTime } from '#platform/wire/times.ts'
import { inGroups, isTypedRight, makeTypedCode, normalizeTypedCode } from '#platform/wire/typed-codes.ts'
import { contentsOf } from '#rights/entitlements/contents.rules.ts'
import { deliverable, NO_LICENSE, readTerms } from '#rights/entitlements/rules.ts'
import type { Content, NewEntitlement } from '#rights/entitlements/state.ts'
import {
  codeExpired,
  codeGivesOneThing,
  codeMistyped,
  codeOnHold,
  codeRevoked,
  codeUsedUp,
  expiryPassed,
  membershipEndsTwice,
  membershipWithoutGroup,
  mirrorNotGiven,
  notRedeemable,
} from './errors.ts'
import type { NewRedemptionCodes, RedemptionCode, RedemptionCodeChange } from './schema.ts'
import type { Given, GivenMembership, RedemptionCodeState } from './state.ts'

const CODE_LENGTH = 16
const GROUP_LENGTH = 4

/** A code that nobody can guess: 15 random characters, and one that checks them. */
export function newCode(randomBelow: (limit: number) => number): string {
  return inGroups(makeTypedCode(CODE_LENGTH, randomBelow), GROUP_LENGTH)
}

/** Codes of older orders: capitals without a check. */
const OLDER = /^[A-Z]{16}$/

/** The characters of every code, as it is looked up: those of the service have 16 of them. */
const POSSIBLE = /^[A-Z0-9]{8,40}$/

/** The form by which a code that was typed is found; undefined if it cannot be one. */
export function readCode(text: string): string | undefined {
  const code = normalizeTypedCode(text)
  return POSSIBLE.test(code) ? code : undefined
}

/** Can the service have made this code? Anything else is mistyped, unless the company has codes of its own. */
export function isOfService(code: string): boolean {
  return code.length === CODE_LENGTH && (isTypedRight(code) || OLDER.test(code))
}

/** The beginning of a code in the form by which it is found. */
export function readBeginning(text: string): string {
  return normalizeTypedCode(text)
}

export function readTypedCode(text: string): string {
  const code = readCode(text)
  if (code === undefined) throw validationFailed('code', codeMistyped())
  return code
}

export function remainingUses({ uses_max, uses, uses_ended }: RedemptionCodeState): number {
  return uses_max - uses - uses_ended
}

/** Is its time over? A membership that has ended already is nothing that anybody could get. */
const isOver = ({ expires_at, member_until }: RedemptionCodeState, now: Date) =>
  (expires_at !== null && expires_at <= now) || (member_until !== null && member_until <= now)

/** Why a code cannot be redeemed now; undefined if it can. */
export function objectionToRedeeming(code: RedemptionCodeState, now: Date): Fault | undefined {
  if (code.revoked_at !== null) return codeRevoked()
  if (remainingUses(code) === 0) return code.uses_ended > 0 && code.uses === 0 ? codeRevoked() : codeUsedUp()
  if (isOver(code, now)) return codeExpired()
  return code.on_hold ? codeOnHold() : undefined
}

export function stateOf(code: RedemptionCodeState, now: Date): RedemptionCode['state'] {
  if (code.revoked_at !== null) return 'revoked'
  if (remainingUses(code) === 0) return code.uses_ended > 0 && code.uses === 0 ? 'revoked' : 'used_up'
  if (isOver(code, now)) return 'expired'
  return code.on_hold ? 'on_hold' : 'active'
}

/**
 * How many people still wait to redeem a code that was mailed to them. Nobody says which gift a redemption belongs to, so
 * each one counts for a gift that was sent before it.
 */
export function countOpenGifts(sent: readonly Date[], redeemed: readonly Date[]): number {
  const changes = [
    ...sent.map((at) => ({ at: at.getTime(), by: 1 })),
    ...redeemed.map((at) => ({ at: at.getTime(), by: -1 })),
  ].sort((one, other) => one.at - other.at || one.by - other.by)
  return changes.reduce((open, { by }) => Math.max(0, open + by), 0)
}

/** The content that new codes give. Throws if the product cannot be given. */
export function givenBy(product: ForSale | undefined, input: NewRedemptionCodes, companyId: number, now: Date): Given {
  if (product === undefined) throw validationFailed('product_id', productUnknown('the shop'))
  if (hasContentOfOthers(product)) throw validationFailed('product_id', mirrorNotGiven())
  const { license_id, ...binding } = bindingOf(product, input)
  const { license } = binding
  if (!isContent(product.product_type) || kindOf(product.product_type, license) !== 'digital')
    throw validationFailed('product_id', notRedeemable())
  const parts = chooseParts(product, input.chosen_product_id?.trim() || undefined)
  if (parts.kind === 'refused') throw validationFailed('chosen_product_id', parts.fault)
  return {
    product_key: product.id,
    product_id: product.product_id,
    title: product.title,
    hd: isHd(product, binding),
    audio_type: binding.audio_type,
    num_users: binding.num_users,
    license_id,
    license_title: license?.name ?? null,
    terms: license === null ? NO_LICENSE : readTerms(license.terms),
    contents: contentsOf(product, parts.parts, companyId, now),
    test: false,
  }
}

export const NO_MEMBERSHIP: GivenMembership = { group_id: null, member_until: null, member_days: null }

/** The membership that new codes give, if they give one. Throws with all faults at once. */
export function readMembership(input: NewRedemptionCodes, now: Date): GivenMembership {
  const { product_id, group_id, member_days = null } = input
  const report = new FieldReport()
  const member_until = input.member_until ? (parseTime(input.member_until) ?? null) : null
  if (product_id === undefined && group_id === undefined) report.add('product_id', fieldRequired())
  if (product_id !== undefined && group_id !== undefined) report.add('group_id', codeGivesOneThing())
  if (group_id === undefined && member_until !== null) report.add('member_until', membershipWithoutGroup())
  if (group_id === undefined && member_days !== null) report.add('member_days', membershipWithoutGroup())
  if (member_until !== null && member_days !== null) report.add('member_days', membershipEndsTwice())
  if (member_until !== null && member_until <= now) report.add('member_until', expiryPassed())
  report.throwIfAny()
  return { group_id: group_id?.trim().toLowerCase() ?? null, member_until, member_days }
}

const DAY_MS = 86_400_000

/** Until when somebody is a member who redeems a code now; null: without an end. */
export function memberUntil({ member_until, member_days }: GivenMembership, now: Date): Date | null {
  return member_days === null ? member_until : new Date(now.getTime() + member_days * DAY_MS)
}

/** A code that makes members gives no content. */
export function givenByGroup(title: string): Given {
  const { license: _license, ...without } = WITHOUT_LICENSE
  const nothing = { product_key: 0, product_id: '', license_title: null, terms: NO_LICENSE, contents: [] }
  return { ...nothing, ...without, hd: false, title, test: false }
}

const WITHOUT_LICENSE: Omit<BindingForSale, 'price'> = {
  license_id: null,
  hd: null,
  audio_type: null,
  num_users: null,
  license: null,
}

/** Content that is sold under no license at all can be given too. */
function bindingOf(product: ForSale, input: NewRedemptionCodes): Omit<BindingForSale, 'price'> {
  if (product.bindings.length === 0 && !input.license_id) return WITHOUT_LICENSE
  const { license_id, hd, audio_type, num_users } = input
  const choice = chooseBinding(product, { license_id: license_id ?? 0, hd, audio_type, num_users })
  if (choice.kind === 'refused') throw validationFailed(choice.field, choice.fault)
  return choice.binding
}

/** Reads the fields that a company can choose and change. Throws with all faults at once. */
export function readChange(
  before: Pick<RedemptionCodeState, 'expires_at' | 'note'>,
  input: RedemptionCodeChange,
): Pick<RedemptionCodeState, 'expires_at' | 'note'> {
  const report = new FieldReport()
  reportUnstorable(input, report)
  const expires_at = input.expires_at ? parseTime(input.expires_at) : null
  if (expires_at === undefined) report.add('expires_at', timeInvalid('is not a time'))
  report.throwIfAny()
  return {
    note: input.note?.trim() ?? before.note,
    expires_at: input.expires_at === undefined ? before.expires_at : (expires_at ?? null),
  }
}

export function assertAhead({ expires_at }: Pick<RedemptionCodeState, 'expires_at'>, now: Date): void {
  if (expires_at !== null && expires_at <= now) throw validationFailed('expires_at', expiryPassed())
}

/** What a customer gets for one use of a code. The time of the license begins now. */
export function entitlementsOf(code: RedemptionCodeState, customer: { id: number; token: string }): NewEntitlement[] {
  return deliverable(code.contents, code).map((content) => ({
    company_id: code.company_id,
    customer_id: customer.id,
    customer_token: customer.token,
    order_id: null,
    line_id: null,
    pieces: 1,
    test: code.test,
    hd: code.hd,
    audio_type: code.audio_type,
    num_users: code.num_users,
    license_id: code.license_id,
    license_title: code.license_title,
    terms: code.terms,
    on_hold: false,
    granted_at: code.created_at,
    ...content,
  }))
}

/** Stored JSON has a text where a content has a time. */
export type StoredContent = Omit<Content, 'released_at'> & { released_at: string | null }

export function readContents(stored: readonly StoredContent[]): Content[] {
  return stored.map((content) => ({
    ...content,
    released_at: content.released_at === null ? null : new Date(content.released_at),
  }))
}
