import { filesOf } from '#content-files/access.ts'
import { getGrant } from '#content-files/delivery/queries.ts'
import { isCopyBeingMade } from '#content-files/delivery/stamped.ts'
import type { Grant } from '#content-files/state.ts'
import type { CustomerSession } from '#customers/sessions/state.ts'
import { presentEntitlement } from '#entitlements/present.ts'
import { listEntitlements, readEntitlements } from '#entitlements/queries.ts'
import { decide } from '#entitlements/rights/rules.ts'
import { refusalInWords } from '#entitlements/rights/words.ts'
import { rightsOf } from '#entitlements/rules.ts'
import type { EntitlementState } from '#entitlements/state.ts'
import type { Db } from '#platform/db/database.ts'
import { kindOf, type Part, partOf, type Reader } from '../catalog/cards.ts'
import { readNamedProducts } from '../catalog/queries.ts'
import { titlesOf } from '../player/rules.ts'
import { booksOf } from '../reader/rules.ts'
import { timeLeft } from './rules.ts'

/** A shelf is a page, so it has an end. */
const SHELF_MAX = 500

const DOWNLOAD = { action: 'download', device: null, client_time: null, pages: 1 } as const

/** Something that the customer owns, in words: what remains, until when, and why it cannot be used. */
function shown(entitlement: EntitlementState, language: string, now: Date, part?: Part) {
  const { title, terms, ends_at, starts_at, remaining, state, reason, license_title, acquired_at } = presentEntitlement(
    entitlement,
    language,
    now,
  )
  return {
    id: entitlement.id,
    picture: part?.picture,
    art: kindOf(entitlement.product_type).art,
    ...{ title, terms, remaining, state, reason: reason ?? '', license: license_title ?? '' },
    is_usable: state === 'active',
    // The times of the API are GMT without saying so.
    acquired_at: `${acquired_at}Z`,
    ends_at: ends_at === null ? '' : `${ends_at}Z`,
    starts_at: starts_at === null ? '' : `${starts_at}Z`,
    left: timeLeft(ends_at === null ? null : new Date(`${ends_at}Z`), now),
  }
}

export type OwnedItem = ReturnType<typeof shown>

/** Everything that the customer got from the company, latest first, what can be used before what cannot. */
export async function readLibrary(
  db: Db,
  { companyId, customerId, orderIds }: CustomerSession,
  visit: Reader & { language: string },
  now: Date,
): Promise<{ usable: OwnedItem[]; refused: OwnedItem[] }> {
  const rows = await listEntitlements(
    db,
    { companyId, customerId, orderIds },
    {},
    now,
  )({ after: 0, limit: SHELF_MAX, offset: 0 })
  const owned = await readEntitlements(
    db,
    companyId,
    rows.map(({ id }) => id),
  )
  const ids = new Set(owned.map(({ entitlement }) => entitlement.product_id))
  const parts = await readNamedProducts(db, companyId, [...ids])
  const byId = new Map(parts.map((row) => [row.product_id, partOf(row, visit)]))
  const items = owned
    .reverse()
    .map(({ entitlement }) => shown(entitlement, visit.language, now, byId.get(entitlement.product_id)))
  return { usable: items.filter((item) => item.is_usable), refused: items.filter((item) => !item.is_usable) }
}

/** One thing with its files, and whether they can be downloaded now. */
export function presentOwned(grant: Grant, language: string, now: Date) {
  const rights = rightsOf(grant.entitlement)
  const code = decide(rights, DOWNLOAD, now)
  const files = filesOf(grant)
  return {
    item: shown(grant.entitlement, language, now),
    files: files.map(({ id, name, size }) => ({ id, name, size })),
    is_playable: titlesOf(files).length > 0,
    is_readable: booksOf(files).length > 0,
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
