import type { ForSale } from '#catalog/products/sale/state.ts'
import { isContent, productTypeOf } from '#catalog/products/types.facts.ts'
import { titleIn } from '#people/groups/rules.ts'
import { contentsOf } from '../contents.rules.ts'
import { checkMembership } from '../rights/rules.ts'
import type { Membership } from '../rights/state.ts'
import { NO_LICENSE } from '../rules.ts'
import type { Content, NewEntitlement } from '../state.ts'
import type { MembershipState, Opening } from './state.ts'

export type MembershipStatus = 'not_started' | 'active' | 'ended' | 'closed'

export function statusOfMembership({ valid, starts_at, ends_at }: MembershipState, now: Date): MembershipStatus {
  if (ends_at !== null && ends_at <= now) return 'ended'
  if (starts_at !== null && starts_at > now) return 'not_started'
  return valid ? 'active' : 'closed'
}

/** Does a membership open anything now? */
export function isRunning(membership: MembershipState, now: Date): boolean {
  return statusOfMembership(membership, now) === 'active' && membership.terms.valid === 1
}

/** What a membership says of anything that the group includes. */
export function membershipIn({ valid, joined_at, starts_at, ends_at }: MembershipState): Membership {
  const included = { is_included: true, opens_at: null, closes_at: null }
  return { is_valid: valid, is_member: true, counted_from: joined_at, starts_at, ends_at, ...included }
}

/** The group that opens a product now; of several the one that lasts longest. */
export function chooseOpening(openings: readonly Opening[], now: Date): Opening | undefined {
  const lasts = ({ membership: { ends_at, closes_at } }: Opening) =>
    Math.min(ends_at?.getTime() ?? Infinity, closes_at?.getTime() ?? Infinity)
  return openings
    .filter(({ membership }) => checkMembership(membership, now) === undefined)
    .reduce<Opening | undefined>(
      (best, each) => (best === undefined || lasts(each) > lasts(best) ? each : best),
      undefined,
    )
}

/** What a member can open of a product: the company's own content. Nobody would pay the owner of other content. */
export function openableContents(product: ForSale, companyId: number, now: Date): Content[] {
  if (!isContent(product.product_type)) return []
  return contentsOf(product, product.parts, companyId, now).filter(
    ({ content_company_id }) => content_company_id === companyId,
  )
}

/** What a member has opened. The terms are those of the group, whatever they are when it is used. */
export function openedContent(
  content: Content,
  { group_id, license_id, ...group }: Opening,
  {
    company_id,
    customer,
    product,
  }: {
    company_id: number
    customer: { id: number; token: string; language: string }
    product: ForSale
  },
): NewEntitlement {
  return {
    ...content,
    company_id,
    customer_id: customer.id,
    customer_token: customer.token,
    order_id: null,
    line_id: null,
    pieces: 1,
    test: false,
    hd: productTypeOf(content.product_type).hasVersions === true,
    audio_type: null,
    num_users: null,
    license_id,
    license_title: titleIn(group, customer.language),
    group_id,
    group_product_key: product.id,
    on_hold: false,
    terms: NO_LICENSE,
  }
}
