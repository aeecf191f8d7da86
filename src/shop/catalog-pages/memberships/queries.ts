import { sql } from 'kysely'
import type { Db } from '#platform/db/database.ts'
import type { Columns } from '#platform/db/expressions.ts'
import { prepare } from '#platform/db/prepared.ts'
import { readMemberships } from '#rights/entitlements/memberships/queries.ts'
import { isRunning } from '#rights/entitlements/memberships/rules.ts'
import type { ShopVisit } from '#shop/site/state.ts'

/** The groups that open something for the visitor now. Nothing is read for somebody who is in none. */
export async function readRunningGroups(
  db: Db,
  { customer, session }: Pick<ShopVisit, 'customer' | 'session'>,
  now: Date,
): Promise<string[]> {
  if (customer === undefined || session?.isInGroup !== true) return []
  const member = { companyId: session.companyId, customerId: customer.id, token: customer.token }
  const memberships = await readMemberships(db, member)
  return memberships.filter((each) => isRunning(each, now)).map(({ group_id }) => group_id)
}

const offered = prepare((db: Db, companyId: number) =>
  sql<Columns<'groups', 'group_id' | 'title'>>`select club.group_id, club.title from groups as club
    left join licenses as license on license.id = club.license_id and license.company_id in (0, club.company_id)
    where club.company_id = ${companyId} and club.valid and (club.license_id is null or license.valid = 1)
      and exists (select from plans as plan
        join prices as price on price.company_id = plan.company_id and price.id = plan.price_id and price.valid = 1
        where plan.company_id = club.company_id and plan.group_id = club.group_id and plan.valid)
    order by club.id`.compile(db),
)

/** The groups that people can sign up to. A company has a hundred plans at most. */
export function readOfferedGroups(db: Db, companyId: number): Promise<Columns<'groups', 'group_id' | 'title'>[]> {
  return offered(db, companyId)
}
