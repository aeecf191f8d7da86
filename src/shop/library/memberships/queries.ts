import type { Db } from '#platform/db/database.ts'
import { readOpened } from '#rights/entitlements/memberships/opened.queries.ts'
import { getMembership, listIncluded, type Member, readMemberships } from '#rights/entitlements/memberships/queries.ts'
import { isRunning, statusOfMembership } from '#rights/entitlements/memberships/rules.ts'
import type { IncludedState, MembershipState } from '#rights/entitlements/memberships/state.ts'
import type { Part, Reader } from '#shop/catalog-pages/cards.present.ts'
import { readOfferedGroups } from '#shop/catalog-pages/memberships/queries.ts'
import { readParts } from '#shop/catalog-pages/parts.queries.ts'
import type { Place } from '#shop/themes/formats.rules.ts'
import { shelved } from '../my-content/library.present.ts'
import { placeIn, wordsIn } from '../my-content/rules.ts'
import { includedCard, type MembershipShelf, type MembershipView, viewOf } from './present.ts'

/** One row of cards on a desk. */
const ROW = 5
/** Somebody may be in all groups of a kind, of which there may be a thousand. */
const SHELVES_MAX = 4
const NOTICES_MAX = 6
const PAGE_SIZE = 30
export const INCLUDED_MAX = 10_000

type Counted = { membership: MembershipState; products: IncludedState[]; count: number }

/** The memberships of a customer: those that open something, the first of them with what they include, and the others. */
export type Memberships = {
  all: MembershipState[]
  shelves: Counted[]
  further: MembershipState[]
  notices: MembershipState[]
}

const NONE: Memberships = { all: [], shelves: [], further: [], notices: [] }

/** Nothing is read for somebody who is in no group. */
export async function readShelvedMemberships(db: Db, member: Member | undefined, now: Date): Promise<Memberships> {
  if (member === undefined) return NONE
  const memberships = await readMemberships(db, member)
  const running = memberships.filter((each) => isRunning(each, now))
  const shelves = await Promise.all(
    running.slice(0, SHELVES_MAX).map(async (membership) => {
      const list = listIncluded(db, member.companyId, membership.group_id, undefined, now)
      const [products, count] = await Promise.all([
        list({ after: 0, before: Number.MAX_SAFE_INTEGER, limit: ROW, offset: 0 }),
        list.countUpTo(INCLUDED_MAX),
      ])
      return { membership, products: products.slice(0, ROW), count }
    }),
  )
  const others = memberships.filter((each) => !isRunning(each, now))
  const notices = latest(others).slice(0, NOTICES_MAX)
  return { all: memberships, shelves, further: running.slice(SHELVES_MAX), notices }
}

function latest(memberships: readonly MembershipState[]): MembershipState[] {
  const end = ({ ends_at }: MembershipState) => ends_at?.getTime() ?? Number.POSITIVE_INFINITY
  return memberships.toSorted((one, other) => end(other) - end(one) || other.id - one.id)
}

/** The products on the shelves, by their `product_id`. */
export function productIdsOf({ shelves }: Memberships): string[] {
  return shelves.flatMap(({ products }) => products.map(({ product_id }) => product_id))
}

/** The groups that people can sign up to. Only who was a member of one can join again, and nothing is read for others. */
export async function readJoinable(db: Db, companyId: number, isLooking: boolean): Promise<ReadonlySet<string>> {
  const groups = isLooking ? await readOfferedGroups(db, companyId) : []
  return new Set(groups.map(({ group_id }) => group_id))
}

/** The same as a page shows it. */
export function shownMemberships(
  { shelves, further, notices }: Memberships,
  parts: ReadonlyMap<string, Part>,
  place: Place,
  now: Date,
  offered: ReadonlySet<string>,
): {
  /** What memberships include, by group: the first row of it. */
  memberships: MembershipShelf[]
  /** Memberships beyond these. */
  further_memberships: MembershipView[]
  /** Memberships that open nothing: they have ended or not begun, or the group is closed. */
  membership_notices: MembershipView[]
} {
  return {
    memberships: shelves.map(({ membership, products, count }) => ({
      ...viewOf(membership, place, now),
      cards: products.map((product) => includedCard(product, parts.get(product.product_id), now)),
      count: Math.min(count, INCLUDED_MAX),
      is_more: count > INCLUDED_MAX,
    })),
    further_memberships: further.map((each) => viewOf(each, place, now)),
    membership_notices: notices.map((each) => viewOf(each, place, now, offered)),
  }
}

/** Which part of a membership is asked for, as an address says it. */
export type MembershipRequest = { words: string; after: string; opened: string }

/** One membership and a page of what it includes, the newest first. A group that the customer is not in is not found. */
export async function readMembershipPage(
  db: Db,
  member: Member,
  ref: string,
  visit: Reader & Place,
  request: MembershipRequest,
  now: Date,
) {
  const membership = await getMembership(db, member, ref)
  const status = statusOfMembership(membership, now)
  const isListed = isRunning(membership, now) || (status === 'not_started' && membership.valid)
  const words = wordsIn(request.words).join(' ')
  const before = placeIn(request.after) ?? Number.MAX_SAFE_INTEGER
  const opened = placeIn(request.opened)
  const list = listIncluded(db, member.companyId, membership.group_id, words, now)
  const [rows, count, parts, offered] = await Promise.all([
    isListed && opened === undefined ? list({ after: 0, before, limit: PAGE_SIZE, offset: 0 }) : [],
    isListed ? list.countUpTo(INCLUDED_MAX) : 0,
    opened === undefined ? [] : readOpened(db, member, membership.group_id, opened),
    readJoinable(db, member.companyId, status === 'ended'),
  ])
  const page = rows.slice(0, PAGE_SIZE)
  const ids = [...page, ...parts].map(({ product_id }) => product_id)
  const named = await readParts(db, member.companyId, ids, visit)
  const none = { consentText: '', keep: undefined }
  return {
    membership: viewOf(membership, visit, now, offered),
    /** What it includes. */
    cards: page.map((product) => includedCard(product, named.get(product.product_id), now)),
    /** The value of `after` in the address of the next page, if there is one. */
    next: rows.length > PAGE_SIZE ? page.at(-1)?.id : undefined,
    /** How many things it includes, or the search finds. */
    count: Math.min(count, INCLUDED_MAX),
    /** Are there more than were counted? */
    is_more: count > INCLUDED_MAX,
    /** What is searched for in the titles; empty without a search. */
    words,
    /** The parts of a collection that the customer has just opened. */
    opened: parts.map((entitlement) => shelved(entitlement, named.get(entitlement.product_id), visit, now, none)),
  }
}
