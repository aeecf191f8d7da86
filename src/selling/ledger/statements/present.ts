import { wireTime } from '#platform/wire/times.ts'
import type { LedgerMonth, LedgerStatement } from './schema.ts'
import type { Month, MonthRow, StatementLine, StatementTotal } from './state.ts'

export function presentMonth(row: MonthRow): LedgerMonth {
  return {
    month: row.month,
    currency: row.currency,
    entries: row.entries,
    sales: row.sales_cents,
    refunds: row.refunds_cents,
    amount: row.sales_cents + row.refunds_cents,
    closing: row.closing_cents,
  }
}

export function presentStatement(
  { month, from, to }: Month,
  lines: readonly StatementLine[],
  totals: readonly StatementTotal[],
): LedgerStatement {
  return {
    month,
    from: wireTime(from),
    to: wireTime(to),
    lines: lines.map((line) => ({
      counterpart_id: line.counterpart_id,
      company_name: line.company_name,
      currency: line.currency,
      is_seller: line.is_seller,
      entries: line.entries,
      sales: line.sales_cents,
      refunds: line.refunds_cents,
      amount: line.sales_cents + line.refunds_cents,
    })),
    totals: totals.map(({ currency, opening_cents, amount_cents }) => ({
      currency,
      opening: opening_cents,
      amount: amount_cents,
      closing: opening_cents + amount_cents,
    })),
  }
}
