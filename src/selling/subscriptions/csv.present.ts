import { importableLine } from '#platform/wire/csv.ts'
import type { Subscription } from './schema.ts'

const COLUMNS = [
  'id',
  'email',
  'customer_token',
  'group_id',
  'plan_id',
  'status',
  'ended_because',
  'gateway',
  'currency',
  'amount',
  'period',
  'period_start',
  'period_end',
  'next_action_at',
  'failures',
  'ends_at',
  'created_at',
  'cancelled_at',
  'ended_at',
  'test',
] as const satisfies readonly (keyof Subscription)[]

export const HEADING = importableLine(COLUMNS)

/** Subscriptions as the lines of a file that a spreadsheet reads, without its heading. */
export function linesOf(rows: readonly Subscription[]): string {
  return rows.map((row) => importableLine(COLUMNS.map((name) => row[name]))).join('')
}
