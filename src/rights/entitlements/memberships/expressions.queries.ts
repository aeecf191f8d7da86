import { sql } from 'kysely'
import { termsOfLicense } from '#catalog/licenses/terms.queries.ts'
import type { StoredMembership } from '../rules.ts'

/** The names under which somebody or something is in a group: its own, and that of all groups of its kind. */
const namesOfGroup = sql`(club.group_id, left(club.group_id, 1) || '-1')`

/**
 * What a group decides on an entitlement that a member has opened, or null for what a customer owns. A person who is in the
 * group twice, by its own name and that of all groups of its kind, stays for as long as the longer of the two.
 */
export const membership = sql<StoredMembership | null>`case when entitlements.group_id is not null then (
  select json_build_object('is_valid', club.valid and (club.license_id is null or license.id is not null),
    'terms', case when license.id is not null then ${termsOfLicense} end,
    'is_member', person.joined_at is not null, 'joined_at', person.joined_at,
    'starts_at', person.start_at, 'ends_at', person.end_at,
    'is_included', entry.created_at is not null, 'opens_at', entry.start_at, 'closes_at', entry.end_at,
    'usage', used.usage)
  from groups as club
  left join licenses as license on license.id = club.license_id and license.company_id in (0, club.company_id)
  left join lateral (
    select coalesce(member.start_at, member.created_at) as joined_at, member.start_at, member.end_at
    from group_members as member where member.customer_token = entitlements.customer_token
      and member.company_id = club.company_id and member.group_id in ${namesOfGroup}
    union all
    select subscriber.created_at, null, subscriber.ends_at
    from subscribers as subscriber where subscriber.customer_token = entitlements.customer_token
      and subscriber.company_id = club.company_id and subscriber.group_id in ${namesOfGroup}
    order by end_at desc nulls first limit 1) as person on true
  left join lateral (
    select named.created_at, named.start_at, named.end_at from product_groups as named
    where named.company_id = club.company_id and named.product_key = entitlements.group_product_key
      and named.group_id in ${namesOfGroup}
    order by named.end_at desc nulls first limit 1) as entry on true
  left join membership_uses as used on used.company_id = club.company_id and used.group_id = club.group_id
    and used.customer_id = case when club.group_id like 'p%' then 0 else entitlements.customer_id end
  where club.company_id = entitlements.company_id and club.group_id = entitlements.group_id) end`
