import type { Db } from '#platform/db/database.ts'
import type { RowList } from '#platform/db/pages.ts'
import { runPrepared } from '#platform/db/prepared.ts'
import { readTime } from '#platform/wire.ts'
import type { AuditFilters } from './schema.ts'
import type { AuditEntryState } from './state.ts'

/** Every read of the record for a company starts here, so none can forget the company. */
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

const FILTERS = [
  { name: 'created_at_min', column: 'audit_entries.created_at', operator: '>=' },
  { name: 'created_at_max', column: 'audit_entries.created_at', operator: '<=' },
  { name: 'user_id', column: 'audit_entries.user_id', operator: '=' },
  { name: 'action', column: 'audit_entries.action', operator: '=' },
  { name: 'since_id', column: 'audit_entries.id', operator: '>' },
] as const

/** What a caller asks for, as a name that stands for the statement, the values in it, and the way to build it. */
function readFilters(filters: AuditFilters & { since_id?: number }) {
  const given = FILTERS.filter(({ name }) => filters[name] !== undefined)
  return {
    name: given.map(({ name }) => name).join(' '),
    values: given.map(({ name }) =>
      name === 'created_at_min' || name === 'created_at_max' ? readTime(filters[name] ?? '') : filters[name],
    ),
    narrow: (entries: Entries, values: never[]) =>
      given.reduce<Entries>((rows, { column, operator }, at) => rows.where(column, operator, values[at]!), entries),
  }
}

export function listAuditEntries(db: Db, companyId: number, filters: AuditFilters): RowList<AuditEntryState> {
  // Where the list begins is the page's business.
  const { name, values, narrow } = readFilters({ ...filters, since_id: undefined })
  return {
    name: `audit entries ${name}`,
    values: [companyId, ...values],
    rows: (company, ...given) => narrow(auditEntriesOf(db, company), given).select(COLUMNS),
  }
}

/** Counted in an index and not kept: the record grows with every sign-in, is rarely counted, and ends after a year. */
export async function countAuditEntries(
  db: Db,
  companyId: number,
  filters: AuditFilters & { since_id?: number },
): Promise<number> {
  const { name, values, narrow } = readFilters(filters)
  const [row] = await runPrepared(db, `count audit entries ${name}`, [companyId, ...values], (company, ...given) =>
    narrow(auditEntriesOf(db, company), given)
      .select((select) => select.fn.countAll<number>().as('count'))
      .compile(),
  )
  return row?.count ?? 0
}

/** The latest entries, newest first; without a company those of all and of none, which only the operator may see. */
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
