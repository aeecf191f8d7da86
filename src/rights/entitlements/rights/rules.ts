import { typesOf } from '#catalog/products/types.facts.ts'
import { licenseEndOf, yearOf } from './periods.rules.ts'
import type {
  Action,
  Ask,
  EntitlementStatus,
  Hold,
  Membership,
  Protection,
  Remaining,
  RevokedReason,
  Rights,
  Terms,
  Usage,
} from './state.ts'

/** The reasons for a refusal. They are stable: players and apps tell refusals apart by them. */
export type Refusal =
  | 'refunded'
  | 'cancelled'
  | 'withdrawn'
  | 'ended_by_clock'
  | 'license_invalid'
  | 'order_not_confirmed'
  | 'group_closed'
  | 'membership_ended'
  | 'membership_not_started'
  | 'no_longer_in_group'
  | 'not_in_group_yet'
  | 'not_released'
  | 'expired'
  | 'clock_set_back'
  | 'play_not_allowed'
  | 'download_not_allowed'
  | 'export_not_allowed'
  | 'burn_not_allowed'
  | 'print_not_allowed'
  | 'too_many_pages'
  | 'device_required'
  | 'device_limit'
  | 'annual_device_limit'
  | 'downloads_used_up'
  | 'annual_downloads_used_up'
  | 'exports_used_up'
  | 'annual_exports_used_up'
  | 'burns_used_up'

export type Code = 'allowed' | Refusal

export const UNLIMITED = -1
export const CLOCK_TOLERANCE_MS = 5 * 60_000
/** A player that is silent for so long gives its place to another device. */
export const HOLD_MS = 15 * 60_000

const BOOKS = new Set(typesOf('book'))
const AUDIO = new Set(typesOf('audio'))

export const NO_USAGE: Usage = {
  downloads: 0,
  exports: 0,
  burns: 0,
  prints: 0,
  year: 0,
  year_downloads: 0,
  year_exports: 0,
  year_devices: [],
  holds: [],
}

/** A rule of the engine: its name, and the refusal that it makes, if any. */
type Rule = { name: string; check: (rights: Rights, ask: Ask, now: Date) => Refusal | undefined }

/** The rules, in the order in which they are checked. The first refusal is the reason. */
export const RULES: readonly Rule[] = [
  { name: 'revoked', check: checkRevoked },
  { name: 'confirmed', check: ({ on_hold }) => (on_hold ? 'order_not_confirmed' : undefined) },
  { name: 'membership', check: ({ membership }, _ask, now) => checkMembership(membership, now) },
  { name: 'released', check: (rights, _ask, now) => (isReleased(rights, now) ? undefined : 'not_released') },
  { name: 'expiry', check: (rights, _ask, now) => (isExpired(rights, now) ? 'expired' : undefined) },
  { name: 'clock', check: checkClock },
  { name: 'action', check: checkAction },
  { name: 'device', check: checkDevice },
  { name: 'count', check: checkCount },
]

const REVOKED: Record<RevokedReason, Refusal> = {
  refund: 'refunded',
  cancellation: 'cancelled',
  owner: 'withdrawn',
  clock: 'ended_by_clock',
}

function checkRevoked({ revoked, terms }: Rights): Refusal | undefined {
  if (revoked !== null) return REVOKED[revoked]
  return terms.valid === 1 ? undefined : 'license_invalid'
}

/** Is the customer in the group, and the product too, at this time? */
export function checkMembership(membership: Membership | null, now: Date): Refusal | undefined {
  if (membership === null) return undefined
  const { is_valid, is_member, starts_at, ends_at, is_included, opens_at, closes_at } = membership
  if (!is_valid) return 'group_closed'
  if (!is_member || (ends_at !== null && ends_at <= now)) return 'membership_ended'
  if (starts_at !== null && starts_at > now) return 'membership_not_started'
  if (!is_included || (closes_at !== null && closes_at <= now)) return 'no_longer_in_group'
  return opens_at !== null && opens_at > now ? 'not_in_group_yet' : undefined
}

function isReleased({ released_at }: Rights, now: Date): boolean {
  return released_at === null || released_at <= now
}

function isExpired(rights: Rights, now: Date): boolean {
  const end = licenseEndOf(rights)
  return end !== null && end <= now
}

function minds(terms: Terms): boolean {
  return terms.drm === 1 && (terms.delete_on_clock_rollback === 1 || terms.disable_on_clock_rollback === 1)
}

const AHEAD_MS = 86_400_000

/**
 * The time to remember of a device, for licenses that mind the clock. A clock that is far ahead is a mistake, which must not
 * cost the customer everything that comes later.
 */
export function clockToNote({ terms }: Rights, client_time: Date | null, now: Date): Date | null {
  if (client_time === null || !minds(terms)) return null
  return new Date(Math.min(client_time.getTime(), now.getTime() + AHEAD_MS))
}

/** Is the clock of the device behind that of the service, or behind what it has shown before? */
export function isClockSetBack({ device, client_time }: Pick<Ask, 'device' | 'client_time'>, now: Date): boolean {
  if (client_time === null) return false
  const seen = Math.max(now.getTime(), device?.last_client_time?.getTime() ?? 0)
  return seen - client_time.getTime() > CLOCK_TOLERANCE_MS
}

function checkClock({ terms, suspended }: Rights, ask: Ask, now: Date): Refusal | undefined {
  if (!minds(terms)) return undefined
  const isLifted = ask.client_time !== null && !isClockSetBack(ask, now)
  if (suspended && !isLifted) return 'clock_set_back'
  return isClockSetBack(ask, now) ? 'clock_set_back' : undefined
}

const ALLOWED: Record<Action, (rights: Rights, ask: Ask) => Refusal | undefined> = {
  play: ({ terms }) => (terms.drm === 0 || terms.allow_play === 1 ? undefined : 'play_not_allowed'),
  download: ({ terms }) => (mayDownload(terms) ? undefined : 'download_not_allowed'),
  export: ({ terms, product_type }) => (mayExport(terms, product_type) ? undefined : 'export_not_allowed'),
  burn: ({ terms }) => (mayBurn(terms) ? undefined : 'burn_not_allowed'),
  print: ({ terms }, { pages }) => {
    if (terms.drm === 0) return undefined
    if (terms.export_pdf_print !== 1) return 'print_not_allowed'
    return terms.burn_play !== UNLIMITED && pages > terms.burn_play ? 'too_many_pages' : undefined
  },
}

function checkAction(rights: Rights, ask: Ask): Refusal | undefined {
  return ALLOWED[ask.action](rights, ask)
}

/** Does the license offer downloads at all? They may be used up. */
export function mayDownload({ total_downloads, annual_downloads }: Terms): boolean {
  return total_downloads !== 0 && annual_downloads !== 0
}

/** Books are exported as ePub and audio as MP3, each if the license says so. */
export function mayExport(terms: Terms, productType: number): boolean {
  if (terms.drm === 0) return true
  if (BOOKS.has(productType) && terms.export_epub !== 1) return false
  if (AUDIO.has(productType) && terms.export_mp3 !== 1) return false
  return terms.total_export !== 0 && terms.annual_export !== 0
}

/** With printing allowed, `burn_play` is the number of pages, and nothing can be burnt. */
export function mayBurn(terms: Terms): boolean {
  return terms.drm === 0 || (terms.export_pdf_print !== 1 && terms.burn_play !== 0)
}

/** Only playing and downloading bring content onto a device. */
export function needsDevice({ action }: Pick<Ask, 'action'>): boolean {
  return action === 'play' || action === 'download'
}

function limitsOf({ terms, users }: Pick<Rights, 'terms' | 'users'>): { total: number; annual: number } {
  const of = (count: number) => (count === UNLIMITED || terms.drm === 0 ? Number.POSITIVE_INFINITY : count * users)
  return { total: of(terms.total_concurrent_devices), annual: of(terms.annual_concurrent_devices) }
}

export function limitsDevices(rights: Pick<Rights, 'terms' | 'users'>): boolean {
  const { total, annual } = limitsOf(rights)
  return total < Number.POSITIVE_INFINITY || annual < Number.POSITIVE_INFINITY
}

/** How many devices can have the content at once; null means without limit. */
export function deviceLimitOf(rights: Pick<Rights, 'terms' | 'users'>): number | null {
  const { total, annual } = limitsOf(rights)
  return limitsDevices(rights) ? Math.min(total, annual) : null
}

/** What holds the content now. */
export function holdsAt({ holds }: Usage, now: Date): Hold[] {
  return holds.filter(({ until }) => until === null || until > now)
}

/** The devices that hold the content now, each once. */
export function devicesAt(usage: Usage, now: Date): string[] {
  return [...new Set(holdsAt(usage, now).map(({ device }) => device))]
}

function checkDevice(rights: Rights, ask: Ask, now: Date): Refusal | undefined {
  if (!needsDevice(ask) || !limitsDevices(rights)) return undefined
  const { device } = ask
  // A download in a browser names no device; downloads have limits of their own.
  if (device === null) return ask.action === 'play' ? 'device_required' : undefined
  const { total, annual } = limitsOf(rights)
  const others = devicesAt(rights.usage, now).filter((other) => other !== device.id)
  if (others.length >= total) return 'device_limit'
  const { year_devices } = inYear(rights, now)
  return year_devices.includes(device.id) || year_devices.length < annual ? undefined : 'annual_device_limit'
}

/** The usage with annual counts of the year that it is now. */
function inYear({ usage, ...rights }: Rights, now: Date): Usage {
  const year = yearOf(rights, now)
  return usage.year === year ? usage : { ...usage, year, year_downloads: 0, year_exports: 0, year_devices: [] }
}

function isUsedUp(limit: number, used: number): boolean {
  return limit !== UNLIMITED && used >= limit
}

function checkCount(rights: Rights, { action }: Ask, now: Date): Refusal | undefined {
  const { terms } = rights
  const usage = inYear(rights, now)
  if (action === 'download') {
    if (isUsedUp(terms.total_downloads, usage.downloads)) return 'downloads_used_up'
    if (isUsedUp(terms.annual_downloads, usage.year_downloads)) return 'annual_downloads_used_up'
  }
  if (terms.drm === 0) return undefined
  if (action === 'export') {
    if (isUsedUp(terms.total_export, usage.exports)) return 'exports_used_up'
    if (isUsedUp(terms.annual_export, usage.year_exports)) return 'annual_exports_used_up'
  }
  return action === 'burn' && isUsedUp(terms.burn_play, usage.burns) ? 'burns_used_up' : undefined
}

/** What the customer may do now, and if not, why not. */
export function decide(rights: Rights, ask: Ask, now: Date): Code {
  for (const { check } of RULES) {
    const refusal = check(rights, ask, now)
    if (refusal !== undefined) return refusal
  }
  return 'allowed'
}

const COUNTED: Partial<Record<Action, (usage: Usage) => Usage>> = {
  download: (usage) => ({ ...usage, downloads: usage.downloads + 1, year_downloads: usage.year_downloads + 1 }),
  export: (usage) => ({ ...usage, exports: usage.exports + 1, year_exports: usage.year_exports + 1 }),
  burn: (usage) => ({ ...usage, burns: usage.burns + 1 }),
  print: (usage) => ({ ...usage, prints: usage.prints + 1 }),
}

/**
 * The rights after an action that was asked for. A refused one counts nothing and starts nothing; only a clock that was
 * set back has consequences. Every allowed action starts the time from first use.
 */
export function afterAction(
  rights: Rights,
  ask: Ask,
  code: Code,
  now: Date,
  until: Date | null,
  license?: string,
): Rights {
  if (code !== 'allowed') return afterRefusal(rights, code)
  const counted = (COUNTED[ask.action] ?? ((usage) => usage))(inYear(rights, now))
  const ofLicense = license === undefined ? {} : { license }
  const held =
    needsDevice(ask) && ask.device !== null
      ? withHold(rights, counted, { device: ask.device.id, until, ...ofLicense }, now)
      : counted
  return { ...rights, first_used_at: rights.first_used_at ?? now, suspended: false, usage: held }
}

/** What is told of an action: one that has ended the license says so, and not that the clock could be corrected. */
export function toldCode(code: Code, after: Rights): Code {
  return after.revoked === 'clock' && code === 'clock_set_back' ? 'ended_by_clock' : code
}

function afterRefusal(rights: Rights, code: Code): Rights {
  if (code !== 'clock_set_back') return rights
  if (rights.terms.delete_on_clock_rollback === 1) return { ...rights, revoked: 'clock' }
  return { ...rights, suspended: true }
}

/** A device that holds the content longer already keeps the later end, but for a license, which says when it ends. */
function withHold(rights: Rights, usage: Usage, hold: Hold, now: Date): Usage {
  if (!limitsDevices(rights)) return usage
  const { device, until, license } = hold
  const current = holdsAt(usage, now)
  const own = current.find((other) => other.device === device && other.license === license)
  const isLonger = own !== undefined && (own.until === null || (until !== null && own.until > until))
  const kept = current.filter((other) => other !== own)
  const isNew = limitsOf(rights).annual < Number.POSITIVE_INFINITY && !usage.year_devices.includes(device)
  return {
    ...usage,
    holds: [...kept, isLonger && license === undefined ? own : hold],
    year_devices: isNew ? [...usage.year_devices, device] : usage.year_devices,
  }
}

/**
 * The rights after a device has given the content back. A file to play without a connection stays valid on the device, so
 * the device keeps its place until the file ends.
 */
export function withoutHold(rights: Rights, device: string, now: Date): Rights {
  const isOffline = ({ until, license }: Hold) =>
    license !== undefined || (until !== null && until.getTime() > now.getTime() + HOLD_MS)
  const holds = rights.usage.holds.filter((hold) => hold.device !== device || isOffline(hold))
  return { ...rights, usage: { ...rights.usage, holds } }
}

/** The rights after a device has returned the license with which it held the content. */
export function withoutLicense(rights: Rights, license: string): Rights {
  const holds = rights.usage.holds.filter((hold) => hold.license !== license)
  return { ...rights, usage: { ...rights.usage, holds } }
}

/** How often each action may still be done. */
export function remainingOf(rights: Rights, now: Date): Remaining {
  const { terms } = rights
  const usage = inYear(rights, now)
  const left = (...pairs: [limit: number, used: number][]): number | null => {
    const limited = pairs.filter(([limit]) => limit !== UNLIMITED && limit !== Number.POSITIVE_INFINITY)
    return limited.length === 0 ? null : Math.max(0, Math.min(...limited.map(([limit, used]) => limit - used)))
  }
  const downloads = left([terms.total_downloads, usage.downloads], [terms.annual_downloads, usage.year_downloads])
  if (terms.drm === 0) return { downloads, exports: null, burns: null, prints: null, devices: null }
  const limits = limitsOf(rights)
  return {
    downloads,
    exports: mayExport(terms, rights.product_type)
      ? left([terms.total_export, usage.exports], [terms.annual_export, usage.year_exports])
      : 0,
    burns: mayBurn(terms) ? left([terms.burn_play, usage.burns]) : 0,
    prints: terms.export_pdf_print === 1 ? null : 0,
    devices: left([limits.total, devicesAt(usage, now).length], [limits.annual, usage.year_devices.length]),
  }
}

/** Refusals that end by themselves. */
const AHEAD: ReadonlySet<Refusal> = new Set<Refusal>(['membership_not_started', 'not_in_group_yet'])

/** The status of an entitlement, and the refusal that explains it. */
export function statusOf(rights: Rights, now: Date): { state: EntitlementStatus; refusal: Refusal | null } {
  const revoked = checkRevoked(rights)
  if (revoked !== undefined) return { state: 'revoked', refusal: revoked }
  if (rights.on_hold) return { state: 'suspended', refusal: 'order_not_confirmed' }
  const kept = checkMembership(rights.membership, now)
  if (kept !== undefined) return { state: AHEAD.has(kept) ? 'not_started' : 'expired', refusal: kept }
  if (!isReleased(rights, now)) return { state: 'not_started', refusal: 'not_released' }
  if (isExpired(rights, now)) return { state: 'expired', refusal: 'expired' }
  if (rights.suspended && minds(rights.terms)) return { state: 'suspended', refusal: 'clock_set_back' }
  return { state: 'active', refusal: null }
}

const NO_PROTECTION: Protection = {
  copp_aps: 0,
  copp_cgms: 0,
  copp_hdcp: 0,
  copy_prot_level_analog: 0,
  copy_prot_level_digital: 0,
  play_prot_level_analog: 0,
  play_prot_level_digital: 0,
}

/** The protection that a player has to ask its outputs for. */
export function protectionOf({ terms }: Pick<Rights, 'terms'>): Protection {
  if (terms.drm === 0) return NO_PROTECTION
  const { copp_aps, copp_cgms, copp_hdcp } = terms
  const { copy_prot_level_analog, copy_prot_level_digital, play_prot_level_analog, play_prot_level_digital } = terms
  return {
    copp_aps,
    copp_cgms,
    copp_hdcp,
    copy_prot_level_analog,
    copy_prot_level_digital,
    play_prot_level_analog,
    play_prot_level_digital,
  }
}
