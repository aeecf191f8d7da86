import { productTypeOf } from '#catalog/products/types.facts.ts'
import { wireTime } from '#platform/wire/times.ts'
import { filesOf } from '#rights/content-files/access.rules.ts'
import { booksOf, formatOf, readableName, titlesOf } from '#rights/content-files/media.rules.ts'
import type { FileOfPurchase, Grant } from '#rights/content-files/state.ts'
import { endOf } from '#rights/entitlements/rights/periods.rules.ts'
import {
  decide,
  deviceLimitOf,
  mayDownload,
  type Refusal,
  remainingOf,
  statusOf,
} from '#rights/entitlements/rights/rules.ts'
import type { Membership } from '#rights/entitlements/rights/state.ts'
import { rightsOf } from '#rights/entitlements/rules.ts'
import type { EntitlementState } from '#rights/entitlements/state.ts'
import { type Kind, kindOf, type OwnedPart, type Picture, titleOfSold } from '#shop/catalog-pages/cards.present.ts'
import { clausesOnPage, refusalOnPage } from '#shop/site/rights-sentences.rules.ts'
import type { Place } from '#shop/themes/formats.rules.ts'
import { remedyFor } from '../player/rules.ts'
import type { KeepOffer } from './keep.queries.ts'
import { type TimeLeft, timeLeft } from './rules.ts'

/** Where these are protected, they are given to nobody as files. */
const PLAYED_OR_READ: ReadonlySet<string> = new Set(['watch', 'listen', 'read'])

const DOWNLOAD = { action: 'download', device: null, client_time: null, pages: 1 } as const

/** Something that the customer owns, in words: what remains, until when, and why it cannot be used. */
export type OwnedItem = Kind & {
  id: number
  title: string
  picture: Picture | undefined
  /** What the license allows, in sentences. */
  terms: string
  /** Why it cannot be used; empty if it can. */
  reason: string
  state: ReturnType<typeof statusOf>['state']
  /** The name of the license, or of the group that includes it. */
  license: string
  /** Is it used by a membership, and not owned? */
  is_included: boolean
  /** What is left of each right; nothing where there is no limit. */
  remaining: ReturnType<typeof remainingOf>
  /** On how many devices it can be used; nothing for any number. */
  devices_max: number | null
  /** How long it can be used, as long as nobody has begun to. */
  period: string
  is_usable: boolean
  /** The time since which the customer owns it. */
  acquired_at: string
  /** The time of its end; empty if it has none. */
  ends_at: string
  /** The time from which it can be used; empty if it always could. */
  starts_at: string
  /** How long it can still be used, if that is not long. */
  left: TimeLeft | undefined
}

/** Templates compare the time of something that has none with an empty text. */
export const timeText = (time: Date | null) => (time === null ? '' : `${wireTime(time)}Z`)

function shown(entitlement: EntitlementState, place: Place, now: Date, part?: OwnedPart): OwnedItem {
  const rights = rightsOf(entitlement)
  const { state, refusal } = statusOf(rights, now)
  const clauses = clausesOnPage(rights, place)
  const remaining = remainingOf(rights, now)
  const end = endOf(rights)
  const { use = '' } = productTypeOf(entitlement.product_type)
  const isProtected = rights.terms.drm === 1 && part?.is_protected === true && PLAYED_OR_READ.has(use)
  return {
    id: entitlement.id,
    picture: part?.picture,
    ...kindOf(entitlement.product_type),
    title: titleOfSold(entitlement.title, part),
    terms: clauses.map(({ text }) => text).join(' '),
    reason: refusal === null ? '' : refusalOnPage(refusal, rights, now, place),
    state,
    license: entitlement.license_title ?? '',
    is_included: entitlement.group_id !== null,
    // Downloads that were never offered are not mentioned, and neither are those of what is given to nobody as a file.
    remaining: mayDownload(rights.terms) && !isProtected ? remaining : { ...remaining, downloads: null },
    devices_max: deviceLimitOf(rights),
    period: end === null ? periodIn(clauses) : '',
    is_usable: state === 'active',
    acquired_at: timeText(entitlement.acquired_at),
    ends_at: timeText(end),
    starts_at: timeText(entitlement.released_at),
    left: timeLeft(end, now),
  }
}

function periodIn(clauses: ReturnType<typeof clausesOnPage>): string {
  const period = clauses.find(({ kind }) => kind === 'ends after first use')
  return period?.text.replace(/\.$/, '') ?? ''
}

/** Why something cannot be used, in a word, and since or from when; an empty time if there is none to say. */
export type Standing = {
  kind:
    | 'refunded'
    | 'cancelled'
    | 'ended'
    | 'waiting'
    | 'unpaid'
    | 'refused'
    | 'membership_ended'
    | 'no_longer_included'
    | 'group_closed'
  at: string
}

function standingOf(entitlement: EntitlementState, now: Date): Standing | undefined {
  const rights = rightsOf(entitlement)
  const { refusal } = statusOf(rights, now)
  if (refusal === null) return undefined
  if (refusal === 'refunded' || refusal === 'cancelled') return { kind: refusal, at: timeText(entitlement.revoked_at) }
  if (refusal === 'expired') return { kind: 'ended', at: timeText(endOf(rights)) }
  const inGroup = standingInGroup(refusal, rights.membership)
  if (inGroup !== undefined) return inGroup
  if (refusal === 'not_released') return { kind: 'waiting', at: timeText(entitlement.released_at) }
  return { kind: refusal === 'order_not_confirmed' ? 'unpaid' : 'refused', at: '' }
}

/** A member who was taken off the list, or a product that was taken out, has no time of its end. */
function standingInGroup(refusal: Refusal, membership: Membership | null): Standing | undefined {
  const { starts_at = null, ends_at = null, opens_at = null, closes_at = null } = membership ?? {}
  if (refusal === 'membership_ended') return { kind: 'membership_ended', at: timeText(ends_at) }
  if (refusal === 'no_longer_in_group') return { kind: 'no_longer_included', at: timeText(closes_at) }
  if (refusal === 'group_closed') return { kind: 'group_closed', at: '' }
  if (refusal === 'membership_not_started') return { kind: 'waiting', at: timeText(starts_at) }
  return refusal === 'not_in_group_yet' ? { kind: 'waiting', at: timeText(opens_at) } : undefined
}

/** Something on a shelf. */
export type ShelvedItem = OwnedItem & {
  /** Why it cannot be used, if it cannot. */
  standing: Standing | undefined
  /** What the customer agrees to by starting it now; empty if there is nothing to agree to. */
  consent_text: string
  /** One thing to do about it if it cannot be used. */
  remedy: ReturnType<typeof remedyOf>
  /** How it is kept for good, if it is rented. */
  keep: KeepOffer | undefined
}

/** What is known about something beside itself: is it in the shop, and can people sign up to the group that included it? */
type Around = { consentText: string; keep: KeepOffer | undefined; isInShop?: boolean; canJoin?: boolean }

export function shelved(
  entitlement: EntitlementState,
  part: OwnedPart | undefined,
  place: Place,
  now: Date,
  { consentText, keep, isInShop = false, canJoin = false }: Around,
): ShelvedItem {
  return {
    ...shown(entitlement, place, now, part),
    standing: standingOf(entitlement, now),
    consent_text: consentText,
    remedy: remedyOf(entitlement, part, { isInShop, canJoin }, now),
    keep,
  }
}

/** One thing to do about something that cannot be used. A product that is gone cannot be bought again. */
function remedyOf(
  entitlement: EntitlementState,
  part: OwnedPart | undefined,
  { isInShop, canJoin }: Required<Pick<Around, 'isInShop' | 'canJoin'>>,
  now: Date,
) {
  const { refusal } = statusOf(rightsOf(entitlement), now)
  if (refusal === 'membership_ended' && canJoin)
    return { path: `/memberships/${entitlement.group_id}`, text: 'subscription.join_again', is_in_shop: true }
  // Somebody who is no longer a member can buy it, unless it left the shop together with the group.
  if (entitlement.group_id !== null && isInShop)
    return { path: `/products/${entitlement.product_key}`, text: 'player.remedies.in_shop', is_in_shop: true }
  const remedy = refusal === null ? undefined : remedyFor(refusal, entitlement)
  if (remedy === undefined || remedy.path === '/my-content') return undefined
  const leadsToShop = remedy.path.startsWith('/products/')
  return leadsToShop && part === undefined ? undefined : { ...remedy, is_in_shop: leadsToShop }
}

/** The end of the address at which something is used: the player, the reader, or else its own page. */
export function placeToUse(grant: Grant, now: Date): '/play' | '/read' | '' {
  if (statusOf(rightsOf(grant.entitlement), now).state !== 'active') return ''
  const files = filesOf(grant)
  if (titlesOf(files).length > 0) return '/play'
  return booksOf(files).length > 0 ? '/read' : ''
}

/** What is protected is not downloaded: it is read on the page and in reading apps. */
const isGivenOut = ({ protection }: FileOfPurchase) => protection === null

/** One thing with its files, and whether they can be downloaded now. */
export function presentOwned(grant: Grant, part: OwnedPart | undefined, place: Place, now: Date) {
  const rights = rightsOf(grant.entitlement)
  const code = decide(rights, DOWNLOAD, now)
  const files = filesOf(grant)
  const is_playable = titlesOf(files).length > 0
  const is_readable = booksOf(files).length > 0
  // Somebody who can watch or read it does not miss files that were never offered.
  const isListed = mayDownload(rights.terms) || !(is_playable || is_readable)
  return {
    item: shown(grant.entitlement, place, now, part),
    /** What can be downloaded. */
    files: isListed
      ? files.filter(isGivenOut).map(({ id, name, size }) => ({
          id,
          name: readableName(name),
          file_name: name,
          format: formatOf(name),
          size,
        }))
      : [],
    /** Can it be played in the browser? */
    is_playable,
    /** Can it be read in the browser? */
    is_readable,
    /** Why the files cannot be downloaded; empty if they can. */
    download_reason: code === 'allowed' ? '' : refusalOnPage(code, rights, now, place),
  }
}
