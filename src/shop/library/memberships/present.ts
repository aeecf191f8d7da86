import { titleIn } from '#people/groups/rules.ts'
import { describedBy } from '#rights/entitlements/memberships/present.ts'
import { isRunning, type MembershipStatus, statusOfMembership } from '#rights/entitlements/memberships/rules.ts'
import type { IncludedState, MembershipState } from '#rights/entitlements/memberships/state.ts'
import { type Kind, kindOf, type Part, type Picture } from '#shop/catalog-pages/cards.present.ts'
import { clausesOnPage } from '#shop/site/rights-sentences.rules.ts'
import type { Place } from '#shop/themes/formats.rules.ts'
import { timeText } from '../my-content/library.present.ts'

/** A group that the customer is or was in. */
export type MembershipView = {
  group_id: string
  /** The name of the group, in the language of the visitor. */
  title: string
  /** What the owner says about it in this language; empty if nothing. */
  description: string
  /** What members may do with what it includes, in sentences. */
  terms: string
  /** `closed`: it opens nothing at the moment. */
  state: MembershipStatus
  /** The time from which it opens something, if that lies ahead; empty otherwise. */
  starts_at: string
  /** The time of its end; empty if none is known. */
  ends_at: string
  /** Its page, below `base`. */
  path: string
  /** Where somebody whose membership has ended joins again, below `shop_base`; empty if nobody can. */
  join_path: string
}

/** `offered`: the groups that people can sign up to. */
export function viewOf(
  membership: MembershipState,
  place: Place,
  now: Date,
  offered: ReadonlySet<string> = new Set(),
): MembershipView {
  const { group_id, locales, starts_at, ends_at } = membership
  const state = statusOfMembership(membership, now)
  return {
    group_id,
    title: titleIn(membership, place.language),
    description: locales.find(({ language }) => language === place.language)?.description ?? '',
    terms: clausesOnPage(describedBy(membership), place)
      .map(({ text }) => text)
      .join(' '),
    state: state === 'active' && !isRunning(membership, now) ? 'closed' : state,
    starts_at: state === 'not_started' ? timeText(starts_at) : '',
    ends_at: timeText(ends_at),
    path: `/my-content/memberships/${group_id}`,
    join_path: state === 'ended' && offered.has(group_id) ? `/memberships/${group_id}` : '',
  }
}

/** Something that a membership includes. */
export type IncludedCard = Kind & {
  /** The product. */
  id: number
  title: string
  picture: Picture | undefined
  /** In seconds. */
  runtime: number | null
  /** The path of the product in the shop, below `shop_base`. */
  path: string
  /** The time from which members can use it, if that lies ahead; empty if they can. */
  opens_at: string
  /** Until when members can use it; empty if no end is known. */
  closes_at: string
}

export function includedCard(product: IncludedState, part: Part | undefined, now: Date): IncludedCard {
  const { id, product_type, opens_at, closes_at } = product
  return {
    ...kindOf(product_type),
    id,
    title: part?.title ?? product.title,
    picture: part?.picture,
    runtime: part?.runtime ?? null,
    path: `/products/${id}`,
    opens_at: opens_at !== null && opens_at > now ? timeText(opens_at) : '',
    closes_at: timeText(closes_at),
  }
}

/** A membership with the first of what it includes. */
export type MembershipShelf = MembershipView & {
  cards: IncludedCard[]
  /** How many things it includes. */
  count: number
  /** Are there more than were counted? */
  is_more: boolean
}
