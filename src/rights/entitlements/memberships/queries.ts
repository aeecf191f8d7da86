import { type RawBuilder, sql } from 'kysely'
import { termsOfLicense } from '#catalog/licenses/terms.queries.ts'
import { productsOf } from '#catalog/products/queries.ts'
import { queryFor } from '#catalog/products/search/terms.rules.ts'
import { typesWith } from '#catalog/products/types.facts.ts'
import { groupNotFound } from '#people/groups/errors.ts'
import type { Db } from '#platform/db/database.ts'
import { type Columns, condition, type Row } from '#platform/db/expressions.ts'
import { type Filters, narrow, type Optional } from '#platform/db/filters.ts'
import { prepareList, type RowList } from '#platform/db/pages.ts'
import { prepare } from '#platform/db/prepared.ts'
import {
  NO_LICENSE,
  readMembership,
  readTerms,
  type StoredGroup,
  type StoredMembership,
  type StoredTerms,
} from '../rules.ts'
import { factsOfGroup, firstToCount, licenseOfGroup, membership } from './expressions.queries.ts'
import type { IncludedState, MembershipState, Opening } from './state.ts'

/** A member of a company, by the token that lists of people have. */
export type Member = { companyId: number; customerId: number; token: string }

/** Everybody's own entries, under the name of one group or that of all groups of a kind. */
const entriesOf = (companyId: number, token: string) => sql`(
  select person.id, person.group_id, coalesce(person.start_at, person.created_at) as joined_at, person.start_at, person.end_at
  from group_members as person where person.customer_token = ${token} and person.company_id = ${companyId}
  union all
  select person.id, person.group_id, person.created_at, null, person.ends_at
  from subscribers as person where person.customer_token = ${token} and person.company_id = ${companyId})`

const isNamed = sql`person.group_id in (club.group_id, left(club.group_id, 1) || '-1')`

const ofMember = prepare((db: Db, companyId: number, token: string) =>
  sql<
    Columns<'groups', 'group_id' | 'title' | 'license_id' | 'valid'> &
      Pick<MembershipState, 'id' | 'locales' | 'joined_at' | 'starts_at' | 'ends_at'> & { terms: StoredTerms | null }
  >`select distinct on (club.id) person.id, club.group_id,
      club.title, club.locales, club.license_id, club.valid and (club.license_id is null or license.id is not null) as valid,
      case when license.id is not null then ${termsOfLicense} end as terms,
      person.joined_at, person.start_at as starts_at, person.end_at as ends_at
    from ${entriesOf(companyId, token)} as person
    join groups as club on club.company_id = ${companyId} and ${isNamed}
    left join ${licenseOfGroup}
    order by club.id, ${firstToCount}`.compile(db),
)

/** The groups that a customer is or was in. Those that only exist as a name are left out: they open nothing. */
export async function readMemberships(db: Db, { companyId, token }: Member): Promise<MembershipState[]> {
  const rows = await ofMember(db, companyId, token)
  return rows.map(({ terms, ...rest }) => ({ ...rest, terms: terms === null ? NO_LICENSE : readTerms(terms) }))
}

/** One of them; a group that the customer is not in is not found. */
export async function getMembership(db: Db, member: Member, ref: string): Promise<MembershipState> {
  const found = (await readMemberships(db, member)).find(({ group_id }) => group_id === ref.toLowerCase())
  if (found === undefined) throw groupNotFound(ref)
  return found
}

const openingsOf = prepare((db: Db, companyId: number, customerId: number, token: string, productKey: number) =>
  sql<
    Columns<'groups', 'group_id' | 'title' | 'license_id'> & Pick<Opening, 'locales'> & { membership: StoredMembership }
  >`select entitlements.group_id, entitlements.title,
      entitlements.locales, entitlements.license_id, ${membership} as membership
    from (
      select distinct on (club.id) club.id, club.company_id, club.group_id, club.title, club.locales, club.license_id,
        ${customerId}::bigint as customer_id, ${token}::text as customer_token, ${productKey}::bigint as group_product_key
      from ${entriesOf(companyId, token)} as person
      join groups as club on club.company_id = ${companyId} and ${isNamed}
      order by club.id) as entitlements
    order by entitlements.id`.compile(db),
)

/** What every group of a customer says of a product, whether it includes it or not. */
export async function readOpenings(
  db: Db,
  { companyId, customerId, token }: Member,
  productKey: number,
): Promise<Opening[]> {
  const rows = await openingsOf(db, companyId, customerId, token, productKey)
  return rows.map(({ membership: stored, ...rest }) => ({ ...rest, membership: readMembership(rest.group_id, stored) }))
}

const factsOf = prepare((db: Db, companyId: number, groupId: string) =>
  sql<
    Columns<'groups', 'group_id'> & { facts: StoredGroup }
  >`select club.group_id, ${factsOfGroup} as facts from groups as club left join ${licenseOfGroup}
    where club.company_id = ${companyId} and club.group_id = ${groupId}`.compile(db),
)

/** How to find out what a group says of all its members. */
export type GroupFacts = (companyId: number, groupId: string) => Promise<StoredGroup | undefined>

/** What a group says of all its members; undefined if there is no such group. */
export async function readGroupFacts(db: Db, companyId: number, groupId: string): Promise<StoredGroup | undefined> {
  const [row] = await factsOf(db, companyId, groupId)
  return row?.facts
}

type Given = Optional<{ words: string }>

/** Products that name a group, if they are shown and the company's own. */
function productsNaming(db: Db, companyId: number, groupId: RawBuilder<Row<'product_groups'>['group_id']>) {
  return productsOf(db, companyId)
    .innerJoin('product_groups', (join) =>
      join
        .onRef('product_groups.company_id', '=', 'products.company_id')
        .onRef('product_groups.product_key', '=', 'products.id')
        .on('product_groups.group_id', '=', groupId),
    )
    .where('products.published', '=', true)
    .where('products.valid', '=', true)
    .where('products.mirrored', '=', false)
    .where(condition`products.product_type = any(${sql.lit(CONTENT_TYPES)}::smallint[])`)
}

const CONTENT_TYPES = `{${typesWith(({ use }) => use !== undefined).join(',')}}`

const FILTERS: Filters<ReturnType<typeof productsNaming>, Given> = {
  words: (rows, query) =>
    rows.where(condition`exists (select from product_words as words where words.company_id = products.company_id
      and words.product_key = products.id and words.title_words @@ ${query}::text::tsquery)`),
}

type ListOf = Given & { company: number; group: string; now: Date }

/** Those that name the group itself, and those that name all groups of its kind: of both, the one that runs now. */
const included = prepareList((db: Db, { company, group, now, ...given }: ListOf) => {
  const listed = (rows: ReturnType<typeof productsNaming>) =>
    narrow(rows, FILTERS, given)
      .where(condition`(product_groups.end_at is null or product_groups.end_at > ${now})`)
      .select(['products.id', 'products.product_id', 'products.product_type', 'products.title'])
      .select(['product_groups.start_at as opens_at', 'product_groups.end_at as closes_at'])
  const named = (name: RawBuilder<Row<'product_groups'>['group_id']>) => sql`select from product_groups as other
    where other.company_id = products.company_id and other.product_key = products.id and other.group_id = ${name}
      and (other.end_at is null or other.end_at > ${now})`
  const itself = sql<Row<'product_groups'>['group_id']>`${group}::text`
  const allOfKind = sql<Row<'product_groups'>['group_id']>`left(${group}::text, 1) || '-1'`
  const hasBegun = condition`coalesce(product_groups.start_at <= ${now}, true)`
  const otherHasBegun = condition`coalesce(other.start_at <= ${now}, true)`
  return [
    listed(productsNaming(db, company, itself)).where(
      condition`(${hasBegun} or not exists (${named(allOfKind)} and ${otherHasBegun}))`,
    ),
    listed(productsNaming(db, company, allOfKind)).where(
      condition`not exists (${named(itself)} and (${otherHasBegun} or not ${hasBegun}))`,
    ),
  ]
})

export function listIncluded(
  db: Db,
  companyId: number,
  groupId: string,
  search: string | undefined,
  now: Date,
): RowList<IncludedState> {
  const words = search?.trim() ? queryFor(companyId, search) : undefined
  return included(db, { company: companyId, group: groupId, now, words })
}
