import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#platform/db/database.ts'
import type { Columns } from '#platform/db/expressions.ts'
import { prepare } from '#platform/db/prepared.ts'
import { readMemberships } from '#rights/entitlements/memberships/queries.ts'
import { isRunning } from '#rights/entitlements/memberships/rules.ts'
import type { ShopVisit } from '#shop/site/state.ts'
import { plansOfClub } from '../queries.ts'
import type { OfferedGroup } from '../state.ts'

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

/** Groups that people can sign up to, the oldest first. */
const offeredGroups = (columns: RawBuilder<unknown>, companyId: number) =>
  sql`select ${columns} from groups as club
    left join licenses as license on license.id = club.license_id and license.company_id in (0, club.company_id)
    where club.company_id = ${companyId} and club.valid and (club.license_id is null or license.valid = 1)
      and exists (select from plans as plan
        join prices as price on price.company_id = plan.company_id and price.id = plan.price_id and price.valid = 1
        where plan.company_id = club.company_id and plan.group_id = club.group_id and plan.valid)
    order by club.id`

const offered = prepare((db: Db, companyId: number) =>
  sql<Columns<'groups', 'group_id' | 'title'>>`${offeredGroups(sql`club.group_id, club.title`, companyId)}`.compile(db),
)

/** The groups that people can sign up to. A company has a hundred plans at most. */
export function readOfferedGroups(db: Db, companyId: number): Promise<Columns<'groups', 'group_id' | 'title'>[]> {
  return offered(db, companyId)
}

/** More are not named on one page. */
const SHOWN_MAX = 3

const shown = prepare((db: Db, companyId: number) =>
  sql<
    Columns<'groups', 'group_id' | 'title'> & Pick<OfferedGroup, 'locales' | 'plans'>
  >`${offeredGroups(sql`club.group_id, club.title, club.locales, ${plansOfClub} as plans`, companyId)}
    limit ${sql.lit(SHOWN_MAX)}`.compile(db),
)

/** The first groups that people can sign up to, with their plans. */
export function readShownGroups(db: Db, companyId: number): Promise<OfferedGroup[]> {
  return shown(db, companyId)
}
