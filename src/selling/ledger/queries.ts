import { sql } from 'kysely'
import type { Db } from '#platform/db/database.ts'
import type { Columns } from '#platform/db/expressions.ts'
import { type Filters, narrow, type Optional } from '#platform/db/filters.ts'
import { type DocumentList, prepareList } from '#platform/db/pages.ts'
import { prepareFamily } from '#platform/db/prepared.ts'
import { readTime } from '#platform/wire/times.ts'
import type { LedgerFilters } from './schema.ts'
import type { Balance, LedgerEntryState } from './state.ts'

export const LEDGER_ENTRIES = 'ledger_entries'

const counterpartName = sql<Columns<'companies', 'company_name'>['company_name']>`(select company_name from companies
  where companies.id = ledger_entries.counterpart_id)`

/** Every read of the ledger starts here, so none can forget the company. */
function ledgerEntriesOf(db: Db, companyId: number) {
  return db.selectFrom('ledger_entries').where('ledger_entries.company_id', '=', companyId)
}

type Entries = ReturnType<typeof ledgerEntriesOf>

type GivenFilters = Optional<{ created_at_min: Date; created_at_max: Date; counterpart_id: number; since_id: number }>

const FILTERS: Filters<Entries, GivenFilters> = {
  created_at_min: (entries, time) => entries.where('ledger_entries.created_at', '>=', time),
  created_at_max: (entries, time) => entries.where('ledger_entries.created_at', '<=', time),
  counterpart_id: (entries, id) => entries.where('ledger_entries.counterpart_id', '=', id),
  since_id: (entries, id) => entries.where('ledger_entries.id', '>', id),
}

function readFilters({
  created_at_min,
  created_at_max,
  counterpart_id,
  since_id,
}: LedgerFilters & { since_id?: number | undefined }): GivenFilters {
  return {
    created_at_min: readTime(created_at_min),
    created_at_max: readTime(created_at_max),
    counterpart_id,
    since_id,
  }
}

const listed = prepareList((db: Db, { company, ...filters }: GivenFilters & { company: number }) =>
  narrow(ledgerEntriesOf(db, company), FILTERS, filters).select(['ledger_entries.id', 'ledger_entries.document']),
)

export function listLedgerEntries(db: Db, companyId: number, filters: LedgerFilters): DocumentList {
  // The paging handles `since_id`.
  return listed(db, { ...readFilters({ ...filters, since_id: undefined }), company: companyId })
}

const exported = prepareList((db: Db, { company, ...filters }: GivenFilters & { company: number }) =>
  narrow(ledgerEntriesOf(db, company), FILTERS, filters).select([
    'ledger_entries.id',
    'ledger_entries.document',
    counterpartName.as('counterpart'),
  ]),
)

/** The same with the names of the companies on the other side, for a file. */
export function listNamedEntries(db: Db, companyId: number, filters: LedgerFilters) {
  return exported(db, { ...readFilters({ ...filters, since_id: undefined }), company: companyId })
}

const counted = prepareFamily((db: Db, filters: GivenFilters, companyId: number) =>
  narrow(ledgerEntriesOf(db, companyId), FILTERS, filters)
    .select((select) => select.fn.countAll<number>().as('count'))
    .compile(),
)

/**
 * Entries are counted in an index. A stored counter would be written by every sale of the owner's products in any shop,
 * and all those sales would wait for each other.
 */
export async function countLedgerEntries(
  db: Db,
  companyId: number,
  filters: LedgerFilters & { since_id?: number },
): Promise<number> {
  const [row] = await counted(db, readFilters(filters), companyId)
  return row?.count ?? 0
}

/** The amounts that a company gets from other companies, or owes them (negative), by company and currency. */
export function readBalances(db: Db, companyId: number): Promise<Balance[]> {
  return ledgerEntriesOf(db, companyId)
    .select(['ledger_entries.counterpart_id', counterpartName.as('company_name'), 'ledger_entries.currency'])
    .select((select) => [
      select.cast<number>(select.fn.sum('ledger_entries.amount_cents'), 'bigint').as('amount'),
      select.fn.countAll<number>().as('entries'),
    ])
    .groupBy(['ledger_entries.counterpart_id', 'ledger_entries.currency'])
    .orderBy('ledger_entries.counterpart_id')
    .orderBy('ledger_entries.currency')
    .execute()
}

/** The latest entries, newest first. */
export async function latestLedgerEntries(db: Db, companyId: number, limit: number): Promise<LedgerEntryState[]> {
  const rows = await ledgerEntriesOf(db, companyId)
    .selectAll()
    .$narrowType<Pick<LedgerEntryState, 'kind'>>()
    .orderBy('ledger_entries.id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ document: _document, ...entry }) => entry)
}

/** The ids of entries after one id, in order. */
export async function readLedgerEntryIds(db: Db, companyId: number, after: number, limit: number): Promise<number[]> {
  const rows = await ledgerEntriesOf(db, companyId)
    .select('ledger_entries.id')
    .where('ledger_entries.id', '>', after)
    .orderBy('ledger_entries.id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

export async function readLedgerEntries(
  db: Db,
  companyId: number,
  ids: readonly number[],
): Promise<LedgerEntryState[]> {
  const rows = await ledgerEntriesOf(db, companyId)
    .selectAll()
    .$narrowType<Pick<LedgerEntryState, 'kind'>>()
    .where('ledger_entries.id', 'in', ids)
    .execute()
  return rows.map(({ document: _document, ...entry }) => entry)
}
