import { sql } from 'kysely'
import { termsOfLicense } from '#catalog/licenses/terms.queries.ts'
import type { StoredMembership, StoredParts } from '../rules.ts'

/** The clock of the database, moved as that of the sandbox is. */
const timeOfClub = sql`(now() + coalesce((select ahead_ms * interval '1 millisecond' from test_clocks
  where test_clocks.company_id = club.company_id), interval '0'))`

/**
 * Of two times of the same person or product, by the name of the group and that of all groups of its kind: the one that runs, or
 * else the one that comes, or else the one that ended last. Only this choice goes by the clock of the database; whether
 * the time runs is decided by the engine.
 */
export const firstToCount = sql`(end_at is null or end_at > ${timeOfClub}) desc,
  (start_at is null or start_at <= ${timeOfClub}) desc, end_at desc nulls first`

/** What a group says of everybody and everything in it. The statement calls it `club`, and its license `license`. */
export const factsOfGroup = sql`json_build_object('is_valid', club.valid and (club.license_id is null or license.id is not null),
  'terms', case when license.id is not null then ${termsOfLicense} end, 'created_at', club.created_at)`

export const licenseOfGroup = sql`licenses as license
  on license.id = club.license_id and license.company_id in (0, club.company_id)`

const parts = sql`membership_parts(entitlements.company_id, entitlements.group_id, entitlements.group_product_key,
  entitlements.customer_id, entitlements.customer_token)`

/** What is stored of a member, a product and their uses, without the group. The function costs nothing where it is not called. */
export const membershipParts =
  sql`case when entitlements.group_id is not null then ${parts} end`.$castTo<StoredParts | null>()

/** What a group decides on an entitlement that a member has opened, or null for what a customer owns. */
export const membership = sql<StoredMembership | null>`case when entitlements.group_id is not null then (
  select json_build_object('group', ${factsOfGroup}, 'parts', ${parts})
  from groups as club left join ${licenseOfGroup}
  where club.company_id = entitlements.company_id and club.group_id = entitlements.group_id) end`
