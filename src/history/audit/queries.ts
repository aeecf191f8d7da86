import type { Db } from '#platform/db/database.ts'
import { condition } from '#platform/db/expressions.ts'
import { type Filters, narrow, type Optional } from '#platform/db/filters.ts'
import { prepareList, type RowList } from '#platform/db/pages.ts'
import { prepareFamily } from '#platform/db/prepared.ts'
import { readTime } from '#platform/wire/times.ts'
import type { AuditFilters } from './schema.ts'
import type { AuditEntryState, ListedEntry } from './state.ts'

/** Every read of the audit log for a company starts here, so none can forget the company. */
export function auditEntriesOf(db: Db, companyId: number) {
  return db.selectFrom('audit_entries').where('audit_entries.company_id', '=', companyId)
}

type Entries = ReturnType<typeof auditEntriesOf>

const COLUMNS = [
  'audit_entries.id',
  'audit_entries.created_at',
  'audit_entries.action',
  'audit_entries.subject',
  'audit_entries.user_id',
  'audit_entries.app_id',
  'audit_entries.address',
  'audit_entries.request_id',
] as const

type GivenFilters = Optional<{
  created_at_min: Date
  created_at_max: Date
  user_id: number
  action: string
  since_id: number
}>

const FILTERS: Filters<Entries, GivenFilters> = {
  created_at_min: (entries, time) => entries.where('audit_entries.created_at', '>=', time),
  created_at_max: (entries, time) => entries.where('audit_entries.created_at', '<=', time),
  user_id: (entries, id) => entries.where('audit_entries.user_id', '=', id),
  action: (entries, action) => entries.where('audit_entries.action', '=', action),
  since_id: (entries, id) => entries.where('audit_entries.id', '>', id),
}

function readFilters(filters: AuditFilters & { since_id?: number | undefined }): GivenFilters {
  const { created_at_min, created_at_max, user_id, action, since_id } = filters
  return {
    created_at_min: readTime(created_at_min),
    created_at_max: readTime(created_at_max),
    user_id,
    action,
    since_id,
  }
}

const listed = prepareList((db: Db, { company, ...filters }: GivenFilters & { company: number }) =>
  narrow(auditEntriesOf(db, company), FILTERS, filters)
    .select(COLUMNS)
    // The user of a partner is one of another company.
    .select(({ selectFrom }) =>
      selectFrom('users').select('email').whereRef('users.id', '=', 'audit_entries.user_id').as('user_email'),
    ),
)

export function listAuditEntries(db: Db, companyId: number, filters: AuditFilters): RowList<ListedEntry> {
  // Paging applies since_id itself.
  return listed(db, { ...readFilters({ ...filters, since_id: undefined }), company: companyId })
}

const counted = prepareFamily((db: Db, filters: GivenFilters, companyId: number) =>
  narrow(auditEntriesOf(db, companyId), FILTERS, filters)
    .select((select) => select.fn.countAll<number>().as('count'))
    .compile(),
)

export type DeedEntry = Pick<AuditEntryState, 'action' | 'created_at' | 'user_id' | 'app_id'>

/** The latest that was done to an order, newest first. The condition on the action is that of the index. */
export function readDeedsOn(
  db: Db,
  companyId: number,
  subjects: readonly string[],
  limit: number,
): Promise<DeedEntry[]> {
  return auditEntriesOf(db, companyId)
    .select(['audit_entries.action', 'audit_entries.created_at', 'audit_entries.user_id', 'audit_entries.app_id'])
    .where(condition`audit_entries.action like 'order %'`)
    .where('audit_entries.subject', 'in', subjects)
    .orderBy('audit_entries.id', 'desc')
    .limit(limit)
    .execute()
}

/** Counts in the index, without a counter: the log grows with every sign-in, is rarely counted, ends after a year. */
export async function countAuditEntries(
  db: Db,
  companyId: number,
  filters: AuditFilters & { since_id?: number },
): Promise<number> {
  const [row] = await counted(db, readFilters(filters), companyId)
  return row?.count ?? 0
}

/** The latest entries, newest first. Without a company: all entries, also those of no company, for the operator. */
export function latestAuditEntries(
  db: Db,
  companyId: number | undefined,
  limit: number,
): Promise<(AuditEntryState & { company_id: number | null })[]> {
  return (companyId === undefined ? db.selectFrom('audit_entries') : auditEntriesOf(db, companyId))
    .select([...COLUMNS, 'audit_entries.company_id'])
    .orderBy('audit_entries.created_at', 'desc')
    .orderBy('audit_entries.id', 'desc')
    .limit(limit)
    .execute()
}
