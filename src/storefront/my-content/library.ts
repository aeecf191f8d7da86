import { filesOf } from '#content-files/access.ts'
import { getGrant } from '#content-files/delivery/queries.ts'
import { isCopyBeingMade } from '#content-files/delivery/stamped.ts'
import type { Grant } from '#content-files/state.ts'
import type { CustomerSession } from '#customers/sessions/state.ts'
import { readStarted } from '#entitlements/positions/queries.ts'
import type { Position } from '#entitlements/positions/state.ts'
import { presentEntitlement } from '#entitlements/present.ts'
import { listEntitlements, readEntitlements } from '#entitlements/queries.ts'
import { decide, deviceLimitOf, mayDownload, statusOf } from '#entitlements/rights/rules.ts'
import type { Rights } from '#entitlements/rights/state.ts'
import { clausesInWords, refusalInWords } from '#entitlements/rights/words.ts'
import { rightsOf } from '#entitlements/rules.ts'
import type { EntitlementState } from '#entitlements/state.ts'
import type { Db } from '#platform/db/database.ts'
import { kindOf, type Part, partOf, type Reader } from '../catalog/cards.ts'
import { readNamedProducts } from '../catalog/queries.ts'
import { remedyFor, titlesOf } from '../player/rules.ts'
import { booksOf } from '../reader/rules.ts'
import { timeLeft } from './rules.ts'

/** A shelf is a page, so it has an end. */
const SHELF_MAX = 500
const STARTED_MAX = 6

const DOWNLOAD = { action: 'download', device: null, client_time: null, pages: 1 } as const

/** Something that the customer owns, in words: what remains, until when, and why it cannot be used. */
function shown(entitlement: EntitlementState, language: string, now: Date, part?: Part) {
  const { title, terms, ends_at, starts_at, remaining, state, reason, license_title, acquired_at } = presentEntitlement(
    entitlement,
    language,
    now,
  )
  const rights = rightsOf(entitlement)
  return {
    id: entitlement.id,
    picture: part?.picture,
    art: kindOf(entitlement.product_type).art,
    ...{ title, terms, state, reason: reason ?? '', license: license_title ?? '' },
    // Downloads that were never offered are not mentioned.
    remaining: mayDownload(rights.terms) ? remaining : { ...remaining, downloads: null },
    devices_max: deviceLimitOf(rights),
    /** How long it can be used, as long as nobody has begun to. */
    period: ends_at === null ? periodInWords(rights, language) : '',
    is_usable: state === 'active',
    // The times of the API are GMT without saying so.
    acquired_at: `${acquired_at}Z`,
    ends_at: ends_at === null ? '' : `${ends_at}Z`,
    starts_at: starts_at === null ? '' : `${starts_at}Z`,
    left: timeLeft(ends_at === null ? null : new Date(`${ends_at}Z`), now),
  }
}

function periodInWords(rights: Rights, language: string): string {
  const period = clausesInWords(rights, language).find(({ kind }) => kind === 'ends after first use')
  return period?.text.replace(/\.$/, '') ?? ''
}

export type OwnedItem = ReturnType<typeof shown>

/** One thing to do about something that cannot be used. A product that is gone cannot be bought again. */
function remedyOf(entitlement: EntitlementState, part: Part | undefined, now: Date) {
  const { refusal } = statusOf(rightsOf(entitlement), now)
  const remedy = refusal === null ? undefined : remedyFor(refusal, entitlement.product_key)
  if (remedy === undefined || remedy.path === '/my-content') return undefined
  const isInShop = remedy.path.startsWith('/products/')
  return isInShop && part === undefined ? undefined : { ...remedy, is_in_shop: isInShop }
}

/** Where the customer stopped: how much is behind, and in a film or track how many seconds are ahead. */
function startedItem(position: Position, item: OwnedItem) {
  const { seconds, fraction, place, file_id } = position
  const isRead = place !== ''
  return {
    ...{ id: item.id, title: item.title, art: item.art, picture: item.picture, is_read: isRead },
    path: `/my-content/${item.id}/${isRead ? 'read' : 'play'}?file=${file_id}`,
    percent: Math.max(1, Math.round(fraction * 100)),
    // Whole minutes: nobody counts the seconds of what is left.
    seconds_left: isRead ? undefined : 60 * Math.max(1, Math.round((seconds / fraction - seconds) / 60)),
  }
}

/** Everything that the customer got from the company, latest first: what is begun, what can be used, what cannot. */
export async function readLibrary(
  db: Db,
  { companyId, customerId, orderIds }: CustomerSession,
  visit: Reader & { language: string },
  now: Date,
) {
  const [rows, positions] = await Promise.all([
    listEntitlements(db, { companyId, customerId, orderIds }, {}, now)({ after: 0, limit: SHELF_MAX, offset: 0 }),
    readStarted(db, { companyId, customerId }, STARTED_MAX),
  ])
  const owned = await readEntitlements(
    db,
    companyId,
    rows.map(({ id }) => id),
  )
  const ids = new Set(owned.map(({ entitlement }) => entitlement.product_id))
  const parts = await readNamedProducts(db, companyId, [...ids])
  const byId = new Map(parts.map((row) => [row.product_id, partOf(row, visit)]))
  const items = owned.reverse().map(({ entitlement }) => {
    const part = byId.get(entitlement.product_id)
    return { ...shown(entitlement, visit.language, now, part), remedy: remedyOf(entitlement, part, now) }
  })
  const usable = items.filter((item) => item.is_usable)
  const started = positions.flatMap((position) => {
    const item = usable.find(({ id }) => id === position.entitlement_id)
    return item === undefined ? [] : [startedItem(position, item)]
  })
  return { started, usable, refused: items.filter((item) => !item.is_usable) }
}

/** One thing with its files, and whether they can be downloaded now. */
export function presentOwned(grant: Grant, language: string, now: Date) {
  const rights = rightsOf(grant.entitlement)
  const code = decide(rights, DOWNLOAD, now)
  const files = filesOf(grant)
  const is_playable = titlesOf(files).length > 0
  const is_readable = booksOf(files).length > 0
  // Somebody who can watch or read it does not miss files that were never offered.
  const isListed = mayDownload(rights.terms) || !(is_playable || is_readable)
  return {
    item: shown(grant.entitlement, language, now),
    files: isListed ? files.map(({ id, name, size }) => ({ id, name, size })) : [],
    is_playable,
    is_readable,
    download_reason: code === 'allowed' ? '' : refusalInWords(code, rights, now, language),
  }
}

/** Is the copy of a file that names the customer being made? */
export async function isBeingPrepared(db: Db, grant: Grant, fileId: string): Promise<boolean> {
  return /^\d{1,15}$/.test(fileId) && isCopyBeingMade(db, grant, Number(fileId))
}

/** One of the things that the customer owns; anything else is not found. */
export function getOwned(db: Db, { companyId, customerId, orderIds }: CustomerSession, ref: string): Promise<Grant> {
  return getGrant(db, { companyId, customerId, orderIds }, ref)
}
