import { endOf, startOf } from '#rights/entitlements/rights/periods.rules.ts'
import { statusOf, UNLIMITED } from '#rights/entitlements/rights/rules.ts'
import type { Rights } from '#rights/entitlements/rights/state.ts'
import type { LicenseEvent, LicenseStatus, ReadingLicense, ReadingRights } from './state.ts'

/** The characters of a page of typescript, by which publishers count. */
const CHARACTERS_PER_PAGE = 1800

/** Where printing is allowed, `burn_play` is the number of pages, and as much can be copied as is on them. */
function pagesOf({ terms: { export_pdf_print, burn_play } }: Pick<Rights, 'terms'>): number | null {
  if (export_pdf_print !== 1) return 0
  return burn_play === UNLIMITED ? null : Math.max(0, burn_play)
}

const earlier = (one: Date | null, other: Date | null) => {
  if (one === null || other === null) return one ?? other
  return one < other ? one : other
}

/** Until when the license holds: what it was issued for, and never longer than the entitlement. */
export function currentEnd({ ends_at }: Pick<ReadingLicense, 'ends_at'>, rights: Rights): Date | null {
  return earlier(ends_at, endOf(rights))
}

/** What a license says beside its end: the same as the entitlement, in the words of reading apps. */
export function readingRights(license: Pick<ReadingLicense, 'ends_at'>, rights: Rights): ReadingRights {
  const print = pagesOf(rights)
  const copy = print === null ? null : print * CHARACTERS_PER_PAGE
  return { print, copy, start: startOf(rights), end: currentEnd(license, rights) }
}

/** When what the license says last changed. An end that the entitlement got since counts. */
export function licenseChangedAt({ updated_at, ends_at }: ReadingLicense, rights: Rights, changedAt: Date): Date {
  const end = endOf(rights)
  const isShortened = end !== null && (ends_at === null || end < ends_at)
  return isShortened && changedAt > updated_at ? changedAt : updated_at
}

export function isRegistered(events: readonly LicenseEvent[]): boolean {
  return events.some(({ type }) => type === 'register')
}

/** The status for reading apps. They know no suspension, so they hear that it is revoked for as long as it lasts. */
export function licenseStatus(
  license: ReadingLicense,
  events: readonly LicenseEvent[],
  rights: Rights,
  now: Date,
): LicenseStatus {
  const wasOpened = isRegistered(events)
  if (license.returned_at !== null) return 'returned'
  const { state } = statusOf(rights, now)
  if (state === 'expired') return 'expired'
  if (state !== 'active') return wasOpened ? 'revoked' : 'cancelled'
  const end = currentEnd(license, rights)
  if (end !== null && end <= now) return 'expired'
  return wasOpened ? 'active' : 'ready'
}

const OPEN: ReadonlySet<LicenseStatus> = new Set(['ready', 'active'])

export function isOpen(status: LicenseStatus): boolean {
  return OPEN.has(status)
}

/** The latest end that a renewal can give; undefined if there is nothing to renew. */
export function renewableUntil(license: ReadingLicense, rights: Rights, now: Date): Date | undefined {
  if (license.returned_at !== null || license.ends_at === null) return undefined
  if (statusOf(rights, now).state !== 'active') return undefined
  const end = endOf(rights)
  return end !== null && end > license.ends_at ? end : undefined
}

export type Renewal = { kind: 'renewed'; end: Date } | { kind: 'not renewable' } | { kind: 'wrong end' }

/** A renewal until a time, or as long as possible. Nobody gets more than the entitlement gives, and nobody less than before. */
export function renew(license: ReadingLicense, rights: Rights, wanted: Date | undefined, now: Date): Renewal {
  const latest = renewableUntil(license, rights, now)
  if (latest === undefined) return { kind: 'not renewable' }
  const end = wanted ?? latest
  if (end > latest || end <= now || (license.ends_at !== null && end <= license.ends_at)) return { kind: 'wrong end' }
  return { kind: 'renewed', end }
}

/** What has an end can be given back before. */
export function isReturnable(license: ReadingLicense, rights: Rights): boolean {
  return license.returned_at === null && currentEnd(license, rights) !== null
}

/** The devices that were registered, the first time each. */
export function registeredDevices(events: readonly LicenseEvent[]): LicenseEvent[] {
  return events.filter(({ type }) => type === 'register')
}
