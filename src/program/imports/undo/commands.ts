import { recordChange } from '#history/audit/commands.ts'
import type { Tx } from '#platform/db/database.ts'
import type { Author } from '#platform/identity/caller.ts'
import type { Origin } from '#platform/identity/origin.ts'
import { enqueue } from '#platform/jobs/queue.ts'
import { asciiJson } from '#platform/wire/times.ts'
import type { Written } from '#platform/wire/written.ts'
import { undoTooLate } from '../errors.ts'
import { UNDO_IMPORT } from '../jobs.ts'
import { presentImport } from '../present.ts'
import { getImport, lockImport } from '../queries.ts'
import { mayUndo } from '../rules.ts'
import type { ImportState } from '../state.ts'
import { countChanges } from './changes.queries.ts'
import type { UndoReport } from './state.ts'

type Asker = Author & { origin: Origin }

/** Has the worker undo an import. Asked a second time, it is still undone once. */
export async function startUndo(tx: Tx, asker: Asker, ref: string, now: Date): Promise<Written<ImportState>> {
  const { companyId, userId, appId, origin } = asker
  const before = await lockImport(tx, companyId, ref)
  if (before.state === 'undoing' || before.state === 'undone')
    return { state: before, document: asciiJson(presentImport(before)) }
  if (!mayUndo(before, now)) throw undoTooLate()
  const { all, open } = await countChanges(tx, { companyId, importId: before.id })
  const revision = before.revision + 1
  await tx
    .updateTable('imports')
    .set({ state: 'undoing', revision, done: all - open, total: all, problem: null, updated_at: now })
    .where('company_id', '=', companyId)
    .where('id', '=', before.id)
    .execute()
  const data = { id: before.id, revision, userId: userId ?? null, appId: appId ?? null, origin }
  await enqueue(tx, { kind: UNDO_IMPORT, companyId, data }, now)
  const state = await getImport(tx, companyId, ref)
  return { state, document: asciiJson(presentImport(state)) }
}

/** Counts what was undone. Returns false if nobody wants it any more. */
export async function noteUndoProgress(
  tx: Tx,
  { companyId, id, revision }: { companyId: number; id: number; revision: number },
  more: number,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('imports')
    .set((set) => ({ done: set('done', '+', more) }))
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .where('revision', '=', revision)
    .where('state', '=', 'undoing')
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Ends undoing, and puts it on record. */
export async function endUndo(
  tx: Tx,
  author: Author,
  { id, file_name }: ImportState,
  undo: UndoReport,
  now: Date,
): Promise<void> {
  const { removed, restored, kept } = undo
  await tx
    .updateTable('imports')
    .set({ state: 'undone', undo: JSON.stringify(undo), updated_at: now })
    .where('company_id', '=', author.companyId)
    .where('id', '=', id)
    .execute()
  const subject = `${file_name}: ${removed} removed, ${restored} restored, ${kept} kept`
  await recordChange(tx, author, 'import undone', subject, now)
}

/** Gives up: what is undone stays so, and the rest can be tried again. */
export async function failUndo(
  tx: Tx,
  { companyId, id, revision }: { companyId: number; id: number; revision: number },
  message: string,
  now: Date,
): Promise<void> {
  await tx
    .updateTable('imports')
    .set({
      state: 'imported',
      problem: JSON.stringify({ reason: 'internal', line: null, message }),
      updated_at: now,
    })
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .where('revision', '=', revision)
    .where('state', '=', 'undoing')
    .execute()
}
