import type { Db } from '#platform/db/database.ts'
import type { Undone } from './changes.commands.ts'
import { readOpenChanges } from './changes.queries.ts'
import { CHANGE_KINDS, type Change, type KeptLine, type Plan, type UndoReport } from './state.ts'
import { type Freed, nothingFreed, UNDOERS } from './undoers.ts'

const BATCH = 500
const LINES_MAX = 500

/**
 * What becomes of changes that follow each other, from the last to the first. Kinds are planned in an order in which what frees
 * a thing comes before it.
 */
export async function planChanges(
  db: Db,
  companyId: number,
  changes: readonly Change[],
  freed: Freed,
): Promise<Map<Change, Plan>> {
  const plans = new Map<Change, Plan>()
  for (const kind of CHANGE_KINDS) {
    const alike = changes.filter((change) => change.kind === kind)
    if (alike.length === 0) continue
    const planned = await UNDOERS[kind].plan(db, companyId, alike, freed)
    for (const [index, change] of alike.entries()) plans.set(change, planned[index] ?? { action: 'gone' })
  }
  return plans
}

/** What a plan comes to, once it is done. */
export function undoneBy(plan: Plan): Undone {
  if (plan.action === 'remove') return { outcome: 'removed', reason: null, fields: [] }
  if (plan.action === 'gone') return { outcome: 'gone', reason: null, fields: [] }
  if (plan.action === 'keep') return { outcome: 'kept', reason: plan.reason, fields: plan.left }
  return { outcome: 'restored', reason: plan.left.length === 0 ? null : 'changed', fields: plan.left }
}

export const NOTHING_TO_UNDO: UndoReport = { removed: 0, restored: 0, kept: 0, gone: 0, lines: [] }

/** What undoing an import would do now. */
export async function previewUndo(db: Db, companyId: number, importId: number): Promise<UndoReport> {
  const report = { ...NOTHING_TO_UNDO }
  const kept: (KeptLine & { number: number })[] = []
  const freed = nothingFreed()
  let last: number | undefined
  for (;;) {
    const changes: Change[] = await readOpenChanges(db, { companyId, importId }, BATCH, last)
    const plans = await planChanges(db, companyId, changes, freed)
    last = changes.at(-1)?.number
    for (const [{ number, line, kind, name }, plan] of plans) {
      const { outcome, reason, fields } = undoneBy(plan)
      report[outcome] += 1
      if (reason !== null) kept.push({ number, line, kind, name, reason, fields })
    }
    if (changes.length < BATCH) break
  }
  kept.sort((one, other) => one.line - other.line || one.number - other.number)
  return { ...report, lines: kept.slice(0, LINES_MAX).map(({ number: _number, ...line }) => line) }
}
