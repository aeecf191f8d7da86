import { MEDIA, typesOf } from '#catalog/products/types.facts.ts'
import type { CustomerSession } from '#people/customers/sessions/state.ts'
import type { Db } from '#platform/db/database.ts'
import { readStarted } from '#rights/entitlements/positions/queries.ts'
import type { Position } from '#rights/entitlements/positions/state.ts'
import { COUNTED_MAX, countShelf, readShelf } from '#rights/entitlements/shelves/queries.ts'
import { consentText } from '#selling/orders/withdrawals/consent.rules.ts'
import { kindOf, type Reader } from '#shop/catalog-pages/cards.present.ts'
import { readParts } from '#shop/catalog-pages/parts.queries.ts'
import { type Buyer, readKeepOffers } from './keep.queries.ts'
import { type OwnedItem, type ShelvedItem, type Standing, shelved } from './library.present.ts'
import { findHeldIds } from './library.queries.ts'
import { type LibraryRequest, placeIn, wordsIn } from './rules.ts'

/** As many as fill the rows of every screen: two, three or five in a row. */
const PAGE_SIZE = 30
const STARTED_MAX = 6
/** Of what was begun last, some has ended meanwhile and cannot be continued. */
const STARTED_READ = 30

/** Where the customer stopped: how much is behind, and in a film or track how many seconds are ahead. */
function startedItem(position: Position, item: OwnedItem) {
  const { seconds, fraction, place, file_id } = position
  const isRead = place !== ''
  return {
    id: item.id,
    title: item.title,
    art: item.art,
    picture: item.picture,
    is_read: isRead,
    path: `/my-content/${item.id}/${isRead ? 'read' : 'play'}?file=${file_id}`,
    percent: Math.max(1, Math.round(fraction * 100)),
    // Whole minutes: nobody counts the seconds of what is left.
    seconds_left: isRead ? undefined : 60 * Math.max(1, Math.round((seconds / fraction - seconds) / 60)),
  }
}

/** The kinds of things that the customer owns, each with how many there are. */
function kindsOf(counts: readonly { product_type: number; count: number }[]) {
  const byKind = Map.groupBy(counts, ({ product_type }) => kindOf(product_type).kind)
  return MEDIA.flatMap((kind) => {
    const count = byKind.get(kind)?.reduce((sum, each) => sum + each.count, 0) ?? 0
    return count === 0 ? [] : [{ kind, count }]
  })
}

/** What cannot be used comes last on its shelf. */
function shelfOf(kind: string, items: readonly ShelvedItem[]) {
  return { kind, items: [...items.filter((item) => item.is_usable), ...items.filter((item) => !item.is_usable)] }
}

const OVER: ReadonlySet<Standing['kind']> = new Set(['refunded', 'cancelled', 'ended'])

/** What waits for the customer, a shelf for each kind, and what has ended. */
function shelvesOf(items: readonly ShelvedItem[]) {
  const byPlace = Map.groupBy(items, ({ standing, kind }) => {
    if (standing?.kind === 'waiting' || standing?.kind === 'unpaid') return 'waiting'
    return standing !== undefined && OVER.has(standing.kind) ? 'ended' : kind
  })
  return ['waiting' as const, ...MEDIA, 'ended' as const].flatMap((place) => {
    const shelf = byPlace.get(place)
    return shelf === undefined ? [] : [shelfOf(place, shelf)]
  })
}

/**
 * What the customer got from the company, the newest first: one page of it, and where the next page begins. What is begun
 * comes before the first page. Somebody whose things fill several pages can search them, and choose a kind.
 */
export async function readLibrary(
  db: Db,
  session: CustomerSession,
  visit: Reader & Buyer & { language: string },
  request: LibraryRequest,
  now: Date,
) {
  const { companyId, customerId, orderIds } = session
  const owner = { companyId, customerId, orderIds }
  const kind = MEDIA.find((medium) => medium === request.kind)
  const types = kind && typesOf(kind)
  const words = wordsIn(request.words)
  const isNarrowed = types !== undefined || words.length > 0
  const before = placeIn(request.after)
  const isStart = !isNarrowed && before === undefined
  const [rows, counts, begun] = await Promise.all([
    readShelf(
      db,
      owner,
      { types, words: words.length === 0 ? undefined : words },
      { before: before ?? Number.MAX_SAFE_INTEGER, limit: PAGE_SIZE + 1 },
    ),
    countShelf(db, owner),
    isStart ? readStarted(db, owner, STARTED_READ) : [],
  ])
  const page = rows.slice(0, PAGE_SIZE)
  const ids = [...page, ...begun.map(({ entitlement }) => entitlement)].map(({ product_id }) => product_id)
  const [parts, held, offers] = await Promise.all([
    readParts(db, companyId, ids, visit),
    findHeldIds(db, companyId, page, now),
    readKeepOffers(db, session, visit, page, now),
  ])
  const itemOf = (entitlement: (typeof rows)[number]) => {
    const text = held.has(entitlement.id) ? consentText(visit.language) : ''
    const more = { consentText: text, keep: offers.get(entitlement.id) }
    return shelved(entitlement, parts.get(entitlement.product_id), visit, now, more)
  }
  const items = page.map(itemOf)
  const started = begun
    .map(({ position, entitlement }) => ({ position, item: itemOf(entitlement) }))
    .filter(({ item }) => item.is_usable)
    .slice(0, STARTED_MAX)
  const kinds = kindsOf(counts)
  const total = kinds.reduce((sum, { count }) => sum + count, 0)
  const isWhole = isStart && rows.length <= PAGE_SIZE
  return {
    /** What was begun last, before the first page. */
    started: started.map(({ position, item }) => startedItem(position, item)),
    /** What the customer owns: by kind, or in one list if it fills several pages. */
    shelves: isWhole ? shelvesOf(items) : [shelfOf(types === undefined ? 'all' : request.kind, items)],
    /** The value of `after` in the address of the next page, if there is one. */
    next: rows.length > PAGE_SIZE ? page.at(-1)?.id : undefined,
    /** How many things there are. */
    total,
    /** Is there more than was counted? */
    is_more: total >= COUNTED_MAX,
    /** How to find something among many things. */
    finder: isWhole
      ? undefined
      : {
          words: words.join(' '),
          kind: types === undefined ? '' : request.kind,
          kinds: kinds.length < 2 ? [] : kinds.map((each) => ({ ...each, is_current: each.kind === request.kind })),
        },
  }
}
