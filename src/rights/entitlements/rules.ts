import { readTime } from '#platform/wire/times.ts'
import { endOf, nextYearOf } from './rights/periods.rules.ts'
import { holdsAt, NO_USAGE, UNLIMITED } from './rights/rules.ts'
import type { Ask, Hold, Membership, RevokedReason, Rights, Terms, Usage } from './rights/state.ts'
import type { AskInput } from './schema.ts'
import type { EntitlementState, NewEntitlement } from './state.ts'

/** The most pieces of content that one order may grant. */
export const PIECES_MAX = 10_000

/** The terms of content that is sold without a license: no limits and no protection. */
export const NO_LICENSE: Terms = {
  valid: 1,
  drm: 0,
  allow_play: 1,
  burn_play: UNLIMITED,
  total_downloads: UNLIMITED,
  annual_downloads: UNLIMITED,
  total_export: UNLIMITED,
  annual_export: UNLIMITED,
  total_concurrent_devices: UNLIMITED,
  annual_concurrent_devices: UNLIMITED,
  copp_aps: 0,
  copp_cgms: 0,
  copp_hdcp: 0,
  copy_prot_level_analog: 0,
  copy_prot_level_digital: 0,
  play_prot_level_analog: 0,
  play_prot_level_digital: 0,
  delete_on_clock_rollback: 0,
  disable_on_clock_rollback: 0,
  expiration_date: null,
  expire_after_acquisition: 0,
  expire_after_acquisition_mode: 0,
  expire_after_first_use: 0,
  expire_after_first_use_mode: 0,
  export_epub: 1,
  export_mp3: 1,
  export_pdf_print: 1,
}

/** A test gives nothing of another company: its owner gets no share of a test. */
export function deliverable<Given extends { content_company_id: number }>(
  contents: readonly Given[],
  { test, company_id }: { test: boolean; company_id: number },
): Given[] {
  return contents.filter(({ content_company_id }) => !test || content_company_id === company_id)
}

export function rightsOf(entitlement: EntitlementState): Rights {
  return { ...entitlement, users: entitlement.num_users ?? 1 }
}

/** The first piece of an entitlement that is granted; the others differ by their number. */
export function newPiece(
  { pieces: _pieces, starts_at = null, group_id = null, group_product_key = null, ...granted }: NewEntitlement,
  now: Date,
): EntitlementState {
  const { released_at } = granted
  const isWaiting = released_at !== null && released_at > now
  const isHeldLonger = starts_at !== null && (released_at === null || starts_at > released_at)
  return {
    ...granted,
    group_id,
    group_product_key,
    released_at: isHeldLonger ? starts_at : released_at,
    id: 0,
    piece: 1,
    acquired_at: granted.acquired_at ?? now,
    granted_at: granted.granted_at ?? now,
    awaits_release: isWaiting && !isHeldLonger,
    first_used_at: null,
    revoked: null,
    revoked_at: null,
    suspended: false,
    usage: NO_USAGE,
    membership: null,
    updated_at: now,
  }
}

/** Stored JSON has texts where the rights have times. */
type Stored<Part, Names extends keyof Part> = Omit<Part, Names> & Record<Names, string | null>
export type StoredTerms = Stored<Terms, 'expiration_date'>
export type StoredUsage = Omit<Usage, 'holds'> & { holds: Stored<Hold, 'until'>[] }

/** What a group says of all its members. */
export type StoredGroup = { is_valid: boolean; terms: StoredTerms | null; created_at: string }

/** What is stored of a member of a group, of a product in it, and of how the membership was used. */
export type StoredParts = {
  joined_at: string | null
  starts_at: string | null
  ends_at: string | null
  included_at: string | null
  opens_at: string | null
  closes_at: string | null
  usage: StoredUsage | null
}

export type StoredMembership = { group: StoredGroup; parts: StoredParts }

const timeOrNull = (text: string | null) => (text === null ? null : new Date(text))

export function readTerms(stored: StoredTerms): Terms {
  return { ...stored, expiration_date: timeOrNull(stored.expiration_date) }
}

export function readUsage(stored: StoredUsage): Usage {
  return { ...stored, holds: stored.holds.map((hold) => ({ ...hold, until: timeOrNull(hold.until) })) }
}

const NO_MEMBERSHIP: Membership = {
  is_valid: false,
  is_member: false,
  counted_from: null,
  starts_at: null,
  ends_at: null,
  is_included: false,
  opens_at: null,
  closes_at: null,
}

type StoredRights = {
  group_id: string | null
  /** What somebody has bought has its own terms and usage. */
  terms: StoredTerms
  usage: StoredUsage
  acquired_at: Date
  membership: StoredMembership | null
}

/**
 * The parts of an entitlement that are stored as JSON. What a member has opened has the terms of the group's license, counts
 * with everything else that the group opens, and was acquired when the member joined.
 */
export function readRights({ group_id, terms, usage, acquired_at, membership }: StoredRights) {
  if (group_id === null) return { terms: readTerms(terms), usage: readUsage(usage), acquired_at, membership: null }
  return readOpenedRights({ group_id, acquired_at, membership })
}

/** The same for what a member has opened. */
export function readOpenedRights({
  group_id,
  acquired_at,
  membership,
}: Pick<StoredRights, 'acquired_at' | 'membership'> & { group_id: string }) {
  // The group is gone.
  if (membership === null) return { terms: NO_LICENSE, usage: NO_USAGE, acquired_at, membership: NO_MEMBERSHIP }
  const { group, parts } = membership
  return {
    terms: group.terms === null ? NO_LICENSE : readTerms(group.terms),
    usage: parts.usage === null ? NO_USAGE : readUsage(parts.usage),
    acquired_at: timeOrNull(parts.joined_at) ?? acquired_at,
    membership: readMembership(group_id, membership),
  }
}

export function readMembership(groupId: string, { group, parts }: StoredMembership): Membership {
  return {
    is_valid: group.is_valid,
    is_member: parts.joined_at !== null,
    // The members of a sharing group are counted together, from one day.
    counted_from: timeOrNull(isShared(groupId) ? group.created_at : parts.joined_at),
    starts_at: timeOrNull(parts.starts_at),
    ends_at: timeOrNull(parts.ends_at),
    is_included: parts.included_at !== null,
    opens_at: timeOrNull(parts.opens_at),
    closes_at: timeOrNull(parts.closes_at),
  }
}

const isShared = (groupId: string) => groupId.startsWith('p')

/** Whose uses count together: a member's own, or those of all members of a sharing group. */
export function holderOf(groupId: string, customerId: number): number {
  return isShared(groupId) ? 0 : customerId
}

/**
 * Until when the presented entitlement stays as it is, if nobody uses it: its start, its end, the next year of its annual
 * counts, and the end of the first hold. Null if time does not change it.
 */
export function presentedUntil(entitlement: EntitlementState, now: Date): Date | null {
  // The date of the product may change at any time.
  if (entitlement.awaits_release) return entitlement.acquired_at
  // The group, its license and its people may change as well.
  if (entitlement.group_id !== null) return entitlement.acquired_at
  const rights = rightsOf(entitlement)
  const { annual_downloads, annual_export, annual_concurrent_devices } = rights.terms
  const isAnnual = [annual_downloads, annual_export, annual_concurrent_devices].some((count) => count > 0)
  const { usage } = rights
  const isCounted = usage.year_downloads + usage.year_exports + usage.year_devices.length > 0
  const times = [
    rights.released_at,
    endOf(rights),
    isAnnual && isCounted ? nextYearOf(rights, now) : null,
    ...holdsAt(usage, now).map(({ until }) => until),
  ].filter((time) => time !== null && time > now)
  return times.reduce((first, time) => (first === null || (time !== null && time < first) ? time : first), null)
}

/**
 * Some pieces of a line that are taken back: those that the customer has lost already, then those that nobody has used
 * yet, the newest first.
 */
export function choosePieces<Part extends Pick<EntitlementState, 'piece' | 'revoked' | 'first_used_at'>>(
  ofLine: readonly Part[],
  count: number,
): Part[] {
  const isPaidBack = ({ revoked }: Part) => revoked === 'refund' || revoked === 'cancellation'
  const pieces = Map.groupBy(
    ofLine.filter((part) => !isPaidBack(part)),
    ({ piece }) => piece,
  )
  const rank = (parts: Part[]) => {
    if (parts.every(({ revoked }) => revoked !== null)) return 0
    return parts.some(({ first_used_at }) => first_used_at !== null) ? 2 : 1
  }
  return [...pieces]
    .map(([piece, parts]) => ({ piece, parts, rank: rank(parts) }))
    .sort((one, other) => one.rank - other.rank || other.piece - one.piece)
    .slice(0, count)
    .flatMap(({ parts }) => parts)
}

/** The owner of mirrored content got its share back with the money, so it cannot be given again for nothing. */
export function owesOwner({ revoked, content_company_id, company_id }: EntitlementState): boolean {
  return content_company_id !== company_id && (revoked === 'refund' || revoked === 'cancellation')
}

export function revoke(entitlement: EntitlementState, reason: RevokedReason, now: Date): EntitlementState {
  return { ...entitlement, revoked: reason, revoked_at: now, updated_at: now }
}

/** Gives back what was revoked, whatever the reason was. */
export function restore(entitlement: EntitlementState, now: Date): EntitlementState {
  return { ...entitlement, revoked: null, revoked_at: null, suspended: false, updated_at: now }
}

/** The time of content that nobody could use before begins when its order is confirmed. */
export function release(entitlement: EntitlementState, now: Date): EntitlementState {
  const acquired_at = entitlement.first_used_at === null ? now : entitlement.acquired_at
  return { ...entitlement, on_hold: false, acquired_at, updated_at: now }
}

/** Does it wait for a day that was agreed with the customer, and not for the release of its product? */
export function isHeldUntil({ released_at, awaits_release }: EntitlementState, day: Date): boolean {
  return !awaits_release && released_at?.getTime() === day.getTime()
}

/** Starts what was held now, or with its product if that is released later. */
export function startNow(entitlement: EntitlementState, release: Date | undefined, now: Date): EntitlementState {
  return {
    ...entitlement,
    acquired_at: now,
    released_at: release ?? null,
    awaits_release: release !== undefined,
    updated_at: now,
  }
}

/** A question to the rights engine, from an app, a player, or a part of the service. */
export type Question = {
  action: Ask['action']
  device: string | null
  country: string | null
  client_time: Date | null
  pages: number
  appId: number
}

export function readQuestion(input: AskInput, appId: number): Question {
  return {
    action: input.action,
    device: input.device ?? null,
    country: input.country?.trim() || null,
    client_time: readTime(input.client_time) ?? null,
    pages: input.pages ?? 1,
    appId,
  }
}

/** The question with what is known of the device. */
export function askOf(
  { action, device, client_time, pages }: Question,
  { last_client_time }: { last_client_time: Date | null },
): Ask {
  return { action, device: device === null ? null : { id: device, last_client_time }, client_time, pages }
}

const NOTED_EVERY_MS = 60_000

/** Is there anything new about a device that is worth a row lock? Uses of one customer would wait for each other. */
export function isNews(
  device: { is_known: boolean; last_seen_at: Date | null; last_client_time: Date | null },
  client_time: Date | null,
  now: Date,
): boolean {
  const isPast = (earlier: Date | null, later: Date) =>
    earlier === null || later.getTime() - earlier.getTime() >= NOTED_EVERY_MS
  if (!device.is_known || isPast(device.last_seen_at, now)) return true
  return client_time !== null && isPast(device.last_client_time, client_time)
}
