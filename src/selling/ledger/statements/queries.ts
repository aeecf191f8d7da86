import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#platform/db/database.ts'
import type { Columns } from '#platform/db/expressions.ts'
import { prepare } from '#platform/db/prepared.ts'
import type { Month, MonthRow, StatementLine, StatementTotal } from './state.ts'

const cents = (which: RawBuilder<unknown>) => sql`coalesce(sum(entry.amount_cents) filter (where ${which}), 0)::bigint`
const sales = cents(sql`entry.kind = 'sale'`)
const refunds = cents(sql`entry.kind <> 'sale'`)

const offset = (companyId: number) => sql`coalesce((select time_zone from users where users.company_id = ${companyId}
  order by users.id limit 1), 0)`

const offsetOf = prepare((db: Db, companyId: number) =>
  sql<Columns<'users', 'time_zone'>>`select ${offset(companyId)} as time_zone`.compile(db),
)

/** The offset of a company's time zone to UTC in minutes, which is that of its first user. */
export async function readUtcOffset(db: Db, companyId: number): Promise<number> {
  const [user] = await offsetOf(db, companyId)
  return user?.time_zone ?? 0
}

const months = prepare((db: Db, companyId: number) =>
  sql<Columns<'ledger_entries', 'currency'> & MonthRow>`select month.*,
      sum(month.sales_cents + month.refunds_cents) over (partition by month.currency order by month.month)::bigint
        as closing_cents
    from (
      select to_char(entry.created_at at time zone 'UTC' + ${offset(companyId)} * interval '1 minute', 'YYYY-MM') as month,
        entry.currency, count(*) as entries, ${sales} as sales_cents, ${refunds} as refunds_cents
      from ledger_entries as entry where entry.company_id = ${companyId} group by 1, 2) as month
    order by month.month desc, month.currency`.compile(db),
)

/** The months in which something was booked, newest first, in each currency. A month is that of the company's time zone. */
export function readMonths(db: Db, companyId: number): Promise<MonthRow[]> {
  return months(db, companyId)
}

const lines = prepare((db: Db, companyId: number, from: Date, to: Date) =>
  sql<Columns<'ledger_entries', 'counterpart_id' | 'currency'> & StatementLine>`select entry.counterpart_id,
      (select company_name from companies where companies.id = entry.counterpart_id) as company_name, entry.currency,
      entry.order_company_id = entry.company_id as is_seller, count(*) as entries,
      ${sales} as sales_cents, ${refunds} as refunds_cents
    from ledger_entries as entry
    where entry.company_id = ${companyId} and entry.created_at between ${from} and ${to}
    group by 1, 3, 4 order by 2, 1, 3, 4`.compile(db),
)

/** What was booked with each company in a month. */
export function readStatementLines(db: Db, companyId: number, { from, to }: Month): Promise<StatementLine[]> {
  return lines(db, companyId, from, to)
}

const totals = prepare((db: Db, companyId: number, from: Date, to: Date) =>
  sql<Columns<'ledger_entries', 'currency'> & StatementTotal>`select entry.currency,
      ${cents(sql`entry.created_at < ${from}`)} as opening_cents,
      ${cents(sql`entry.created_at >= ${from}`)} as amount_cents
    from ledger_entries as entry
    where entry.company_id = ${companyId} and entry.created_at <= ${to}
    group by 1 order by 1`.compile(db),
)

/** What was owed before a month, and what the month added, by currency. */
export function readStatementTotals(db: Db, companyId: number, { from, to }: Month): Promise<StatementTotal[]> {
  return totals(db, companyId, from, to)
}
