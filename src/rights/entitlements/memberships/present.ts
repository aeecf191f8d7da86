import { kindOf, titleIn } from '#people/groups/rules.ts'
import { wireTime, wireTimeOrNull } from '#platform/wire/times.ts'
import type { Described } from '../rights/clauses.rules.ts'
import { termsInWords } from '../rights/sentences.rules.ts'
import { membershipIn, statusOfMembership } from './rules.ts'
import type { IncludedProduct, Membership } from './schema.ts'
import type { IncludedState, MembershipState } from './state.ts'

const FILM = 1

/** The terms of a membership, which are the same for everything that the group includes but for exports. */
export function describedBy(membership: MembershipState): Described {
  return { terms: membership.terms, product_type: FILM, users: 1, membership: membershipIn(membership) }
}

/** A membership as the API shows it, in the language of the customer. */
export function presentMembership(membership: MembershipState, language: string, now: Date): Membership {
  return {
    id: membership.id,
    group_id: membership.group_id,
    kind: kindOf(membership.group_id),
    title: titleIn(membership, language),
    license_id: membership.license_id,
    terms: termsInWords(describedBy(membership), language),
    joined_at: wireTime(membership.joined_at),
    starts_at: wireTimeOrNull(membership.starts_at),
    ends_at: wireTimeOrNull(membership.ends_at),
    state: statusOfMembership(membership, now),
  }
}

export function presentIncluded({ opens_at, closes_at, ...product }: IncludedState): IncludedProduct {
  return { ...product, opens_at: wireTimeOrNull(opens_at), closes_at: wireTimeOrNull(closes_at) }
}
