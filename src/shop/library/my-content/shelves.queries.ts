import { MEDIA, typesOf } from '#catalog/products/types.facts.ts'
import type { CustomerSession, SignedInCustomer } from '#people/customers/sessions/state.ts'
import { titleIn } from '#people/groups/rules.ts'
import type { Db } from '#platform/db/database.ts'
import { readStarted } from '#rights/entitlements/positions/queries.ts'
import type { Position } from '#rights/entitlements/positions/state.ts'
import { statusOf } from '#rights/entitlements/rights/rules.ts'
import { rightsOf } from '#rights/entitlements/rules.ts'
import { COUNTED_MAX, countShelf, readOpenedShelf, readShelf } from '#rights/entitlements/shelves/queries.ts'
import type { EntitlementState } from '#rights/entitlements/state.ts'
import { consentText } from '#selling/orders/withdrawals/consent.rules.ts'
import { readOwed } from '#selling/subscriptions/owed/queries.ts'
import type { OwedPayment } from '#selling/subscriptions/owed/state.ts'
import { kindOf, type Reader } from '#shop/catalog-pages/cards.present.ts'
import { readParts } from '#shop/catalog-pages/parts.queries.ts'
import { readListedCards } from '#shop/catalog-pages/queries.ts'
import { productIdsOf, readJoinable, readShelvedMemberships, shownMemberships } from '../memberships/queries.ts'
import { type Buyer, readKeepOffers } from './keep.queries.ts'
import { type OwnedItem, type ShelvedItem, type Standing, shelved } from './library.present.ts'
import { findHeldIds } from './library.queries.ts'
import { type LibraryRequest, placeIn, wordsIn } from './rules.ts'

/** As many as fill the rows of every screen: two, three or five in a row. */
const PAGE_SIZE = 30
const STARTED_MAX = 6
/** Of what was begun last, some has ended meanwhile and cannot be continued. */
const STARTED_READ = 30
const NOTHING_OWED: OwedPayment[] = []
/** Of what was opened by memberships last, what can no longer be used is shown. */
const OPENED_READ = 30

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

const OVER: ReadonlySet<Standing['kind']> = new Set([
  'refunded',
  'cancelled',
  'ended',
  'membership_ended',
  'no_longer_included',
  'group_closed',
])

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

/** Those of the products that members had opened, and cannot use any more, which are in the shop. */
async function readShown(
  db: Db,
  { shop }: Buyer,
  opened: readonly EntitlementState[],
  now: Date,
): Promise<Set<number>> {
  const lost = opened.filter((each) => statusOf(rightsOf(each), now).state === 'expired')
  if (lost.length === 0) return new Set()
  const ids = [...new Set(lost.map(({ product_key }) => product_key))]
  const cards = await readListedCards(db, { companyId: shop.company_id, themeId: shop.theme_id, ids }, now)
  return new Set(cards.map(({ id }) => id))
}

/**
 * What the customer got from the company, the newest first: one page of it, and where the next page begins. What is begun
 * comes before the first page. Somebody whose things fill several pages can search them, and choose a kind.
 */
export async function readLibrary(
  db: Db,
  { session, customer }: { session: CustomerSession; customer: SignedInCustomer },
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
  const isInGroup = isStart && orderIds === null && session.isInGroup
  const member = isInGroup ? { companyId, customerId, token: customer.token } : undefined
  const [rows, counts, begun, memberships] = await Promise.all([
    readShelf(
      db,
      owner,
      { types, words: words.length === 0 ? undefined : words },
      { before: before ?? Number.MAX_SAFE_INTEGER, limit: PAGE_SIZE + 1 },
    ),
    countShelf(db, owner),
    isStart ? readStarted(db, owner, STARTED_READ) : [],
    readShelvedMemberships(db, member, now),
  ])
  const hasOpened = isStart && counts.some(({ is_opened }) => is_opened)
  const opened = hasOpened ? await readOpenedShelf(db, owner, OPENED_READ) : []
  const page = rows.slice(0, PAGE_SIZE)
  const entitlements = [...page, ...opened, ...begun.map(({ entitlement }) => entitlement)]
  const ids = [...entitlements.map(({ product_id }) => product_id), ...productIdsOf(memberships)]
  const isLooking = opened.length > 0 || memberships.notices.length > 0
  const [parts, held, offers, inShop, offered, owed] = await Promise.all([
    readParts(db, companyId, ids, visit),
    findHeldIds(db, companyId, page, now),
    readKeepOffers(db, session, visit, page, now),
    readShown(db, visit, opened, now),
    readJoinable(db, companyId, isLooking),
    memberships.all.length === 0 ? NOTHING_OWED : readOwed(db, companyId, customerId, visit.language),
  ])
  const itemOf = (entitlement: (typeof rows)[number]) => {
    const text = held.has(entitlement.id) ? consentText(visit.language) : ''
    const isInShop = inShop.has(entitlement.product_key)
    const canJoin = entitlement.group_id !== null && offered.has(entitlement.group_id)
    const more = { consentText: text, keep: offers.get(entitlement.id), isInShop, canJoin }
    const item = shelved(entitlement, parts.get(entitlement.product_id), visit, now, more)
    const group = memberships.all.find(({ group_id }) => group_id === entitlement.group_id)
    return group === undefined ? item : { ...item, license: titleIn(group, visit.language) }
  }
  const items = page.map(itemOf)
  const started = begun
    .map(({ position, entitlement }) => ({ position, item: itemOf(entitlement) }))
    .filter(({ item }) => item.is_usable)
    .slice(0, STARTED_MAX)
  const usable = new Set(page.filter((_, at) => items[at]?.is_usable).map(({ product_id }) => product_id))
  // What the customer has bought meanwhile is no loss.
  const lost = opened
    .filter(({ product_id }) => !usable.has(product_id))
    .map(itemOf)
    .filter((item) => !item.is_usable)
  const kinds = kindsOf(counts.filter(({ is_opened }) => !is_opened))
  const total = kinds.reduce((sum, { count }) => sum + count, 0)
  const isWhole = isStart && rows.length <= PAGE_SIZE
  return {
    /** What was begun last, before the first page. */
    started: started.map(({ position, item }) => startedItem(position, item)),
    /** What the customer owns: by kind, or in one list if it fills several pages. */
    shelves: isWhole
      ? shelvesOf([...items, ...lost])
      : [shelfOf(types === undefined ? 'all' : request.kind, items), ...shelvesOf(lost)],
    ...shownMemberships(memberships, parts, visit, now, offered),
    /** What the customer is late with, by subscription. */
    owed,
    /** The value of `after` in the address of the next page, if there is one. */
    next: rows.length > PAGE_SIZE ? page.at(-1)?.id : undefined,
    /** How many things there are. */
    total,
    /** Is there more than was counted? */
    is_more: counts.reduce((sum, { count }) => sum + count, 0) >= COUNTED_MAX,
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
