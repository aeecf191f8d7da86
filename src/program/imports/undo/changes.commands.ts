import { sql } from 'kysely'
import type { Tx } from '#platform/db/database.ts'
import type { Change, KeptReason, UndoOutcome } from './state.ts'

const NAME_MAX = 200

type Of = { companyId: number; importId: number }

/** Writes down what an import has done, in the transaction that does it. */
export async function keepChanges(tx: Tx, { companyId, importId }: Of, changes: readonly Change[]): Promise<void> {
  if (changes.length === 0) return
  const rows = changes.map(({ name, ...change }) => ({ ...change, name: name.slice(0, NAME_MAX).toWellFormed() }))
  await sql`insert into import_changes (company_id, import_id, number, line, kind, thing_id, name, before, after)
    select ${companyId}, ${importId}, number, line, kind, thing_id, name, before, after
    from json_to_recordset(${JSON.stringify(rows)}::json) as made (number integer, line integer, kind text,
      thing_id bigint, name text, before json, after json)`.execute(tx)
}

export type Undone = { outcome: UndoOutcome; reason: KeptReason | null; fields: string[] }

/** Notes what has become of changes. */
export async function noteUndone(
  tx: Tx,
  { companyId, importId }: Of,
  undone: readonly (Undone & { number: number })[],
): Promise<void> {
  await sql`update import_changes set outcome = done.outcome, reason = done.reason, fields = done.fields
    from json_to_recordset(${JSON.stringify(undone)}::json) as done (number integer, outcome text, reason text, fields json)
    where import_changes.company_id = ${companyId} and import_changes.import_id = ${importId}
      and import_changes.number = done.number`.execute(tx)
}
