import { type AliasedExpression, sql } from 'kysely'
import { accountsOf, relationsOf } from '#people/accounts/queries.ts'
import { type CustomerWords, readWords, relationsFitting } from '#people/accounts/search.queries.ts'
import { readCounter } from '#platform/db/counters.ts'
import type { Db } from '#platform/db/database.ts'
import { condition, type Row } from '#platform/db/expressions.ts'
import { type Filters, narrow, type Optional } from '#platform/db/filters.ts'
import { type DocumentList, prepareList } from '#platform/db/pages.ts'
import { prepare, prepareFamily } from '#platform/db/prepared.ts'
import type { SortColumns } from '#platform/db/sorts.ts'
import { searchInvalid } from '#platform/errors/faults.ts'
import { validationFailed } from '#platform/errors/problem.ts'
import { readTime } from '#platform/wire/times.ts'
import { CUSTOMERS, MATCHES } from '../queries.ts'
import { parseSearch, SEARCHED_FIELDS, type Search } from '../rules.ts'

const shown = [
  'customer_relations.customer_id as id',
  'customer_relations.document',
  'customer_relations.updated_at',
  sql<Row<'customer_relations'>['first_name']>`lower(customer_relations.first_name)`.as('first_name'),
  sql<Row<'customer_relations'>['last_name']>`lower(customer_relations.last_name)`.as('last_name'),
] as const

/** A customer is listed by the id of the account, which relations call `customer_id`. */
function listed(db: Db, customers: AliasedExpression<{ id: number; document: string }, 'seen'>) {
  return db.selectFrom(customers).select(['seen.id', 'seen.document'])
}

const SORTS: SortColumns = {
  first_name: { value: sql`seen.first_name`, type: 'text' },
  last_name: { value: sql`seen.last_name`, type: 'text' },
  updated_at: { value: sql`seen.updated_at`, type: 'timestamptz' },
}

export type CustomerFilters = {
  updated_at_min?: string
  created_at_min?: string
  created_at_max?: string
  state?: string
  q?: string
}

const allOf = prepareList(
  (db: Db, { company }: { company: number }) => listed(db, relationsOf(db, company).select(shown).as('seen')),
  SORTS,
)

const changedSince = prepareList(
  (db: Db, { company, time }: { company: number; time: Date }) =>
    listed(db, relationsOf(db, company).where('customer_relations.updated_at', '>=', time).select(shown).as('seen')),
  SORTS,
)

type GivenFilters = Optional<{ time: Date; from: Date; to: Date; is_disabled: true; is_enabled: true }>
type GivenWords = CustomerWords & GivenFilters & { company: number }

type Relations = ReturnType<typeof relationsOf>

const DISABLED = sql`(select id from customers where state = 'disabled')`

const FILTERS: Filters<Relations, GivenFilters> = {
  time: (rows, time) => rows.where('customer_relations.updated_at', '>=', time),
  from: (rows, time) => rows.where('customer_relations.created_at', '>=', time),
  to: (rows, time) => rows.where('customer_relations.created_at', '<=', time),
  // The condition is that of the index on the few who are disabled.
  is_disabled: (rows) => rows.where(condition`customer_relations.customer_id in ${DISABLED}`),
  is_enabled: (rows) => rows.where(condition`customer_relations.customer_id not in ${DISABLED}`),
}

function fitting(db: Db, { company, time, from, to, is_disabled, is_enabled, ...words }: GivenWords) {
  return narrow(relationsFitting(db, company, words), FILTERS, { time, from, to, is_disabled, is_enabled })
}

const found = prepareList((db: Db, given: GivenWords) => listed(db, fitting(db, given).select(shown).as('seen')), SORTS)

/** The values of a statement; undefined if all customers are asked for, or those changed since a time. */
function readGiven(companyId: number, filters: CustomerFilters): GivenWords | undefined {
  const { updated_at_min, created_at_min, created_at_max, state, q } = filters
  if ([created_at_min, created_at_max, state, q].every((value) => value === undefined)) return undefined
  return {
    ...(q === undefined ? {} : readWords(q)),
    company: companyId,
    time: readTime(updated_at_min),
    from: readTime(created_at_min),
    to: readTime(created_at_max),
    is_disabled: state === 'disabled' || undefined,
    is_enabled: state === 'enabled' || undefined,
  }
}

export function listCustomers(db: Db, companyId: number, filters: CustomerFilters): DocumentList {
  const { updated_at_min } = filters
  const given = readGiven(companyId, filters)
  if (given !== undefined) return found(db, given)
  return updated_at_min === undefined
    ? allOf(db, { company: companyId })
    : changedSince(db, { company: companyId, time: readTime(updated_at_min) })
}

type Searched = { company: number; value: string }

const byAccount = (field: 'email' | 'token') =>
  prepareList((db: Db, { company, value }: Searched) =>
    listed(db, accountsOf(db, company).where(MATCHES[field](value)).select(shown).as('seen')),
  )

const byName = (field: 'first_name' | 'last_name') =>
  prepareList((db: Db, { company, value }: Searched) =>
    listed(db, relationsOf(db, company).where(MATCHES[field](value)).select(shown).as('seen')),
  )

const SEARCHES: Record<Search['field'], ReturnType<typeof byAccount>> = {
  email: byAccount('email'),
  token: byAccount('token'),
  first_name: byName('first_name'),
  last_name: byName('last_name'),
}

/** The company's customers with this value in a field, in any case. */
export function searchCustomers(db: Db, companyId: number, query: string | undefined): DocumentList {
  const search = parseSearch(query)
  if (search === undefined)
    throw validationFailed('query', searchInvalid(`field:value, with one of the fields ${SEARCHED_FIELDS}`))
  return SEARCHES[search.field](db, { company: companyId, value: search.value })
}

const countAfter = prepare((db: Db, companyId: number, since: Date | null, after: number) =>
  relationsOf(db, companyId)
    .where('customer_relations.customer_id', '>', after)
    .where(
      'customer_relations.updated_at',
      '>=',
      sql<Row<'customer_relations'>['updated_at']>`coalesce(${since}::timestamptz, '-infinity')`,
    )
    .select((select) => select.fn.countAll<number>().as('count'))
    .compile(),
)

const countFound = prepareFamily((db: Db, given: GivenWords, after: number) =>
  fitting(db, given)
    .where('customer_relations.customer_id', '>', after)
    .select((select) => select.fn.countAll<number>().as('count'))
    .compile(),
)

/** The counter has the number of all customers; filtered customers are counted in the index. */
export async function countCustomers(
  db: Db,
  companyId: number,
  { since_id, ...filters }: CustomerFilters & { since_id?: number },
): Promise<number> {
  const { updated_at_min } = filters
  const given = readGiven(companyId, filters)
  if (given !== undefined) {
    const [row] = await countFound(db, given, since_id ?? 0)
    return row?.count ?? 0
  }
  if (updated_at_min === undefined && since_id === undefined) return readCounter(db, companyId, CUSTOMERS)
  const [row] = await countAfter(db, companyId, readTime(updated_at_min) ?? null, since_id ?? 0)
  return row?.count ?? 0
}
