import { recordChange } from '#history/audit/commands.ts'
import type { Tx } from '#platform/db/database.ts'
import { fieldRequired } from '#platform/errors/faults.ts'
import { FieldReport, validationFailed } from '#platform/errors/problem.ts'
import type { Author } from '#platform/identity/caller.ts'
import { reportUnstorable } from '#platform/wire/storable.ts'
import { asciiJson } from '#platform/wire/times.ts'
import type { Written } from '#platform/wire/written.ts'
import { noteNotFound, tooManyNotes } from '../errors.ts'
import { lockOrder } from '../queries.ts'
import { orderName } from '../rules.ts'
import { presentNote } from './present.ts'
import { countNotes } from './queries.ts'
import type { OrderNoteState } from './state.ts'

const NOTES_MAX = 500

/** Writes down what the people of the company want to remember about an order. */
export async function addNote(
  tx: Tx,
  author: Author,
  ref: string,
  input: { text: string },
  now: Date,
): Promise<Written<OrderNoteState>> {
  const report = new FieldReport()
  reportUnstorable(input, report)
  report.throwIfAny()
  const text = input.text.trim()
  if (text === '') throw validationFailed('text', fieldRequired())
  const { id } = await lockOrder(tx, author.companyId, ref)
  const { count } = await countNotes(tx, author.companyId, id)
  if (count >= NOTES_MAX) throw tooManyNotes(NOTES_MAX)
  const state = await insertNote(tx, author, id, text, now)
  return { state, document: asciiJson(presentNote(state)) }
}

export function insertNote(tx: Tx, author: Author, orderId: number, text: string, now: Date): Promise<OrderNoteState> {
  const { companyId, userId, appId } = author
  return tx
    .insertInto('order_notes')
    .values({
      company_id: companyId,
      order_id: orderId,
      text,
      user_id: userId || null,
      app_id: appId || null,
      created_at: now,
    })
    .returning(['id', 'order_id', 'text', 'user_id', 'app_id', 'created_at'])
    .executeTakeFirstOrThrow()
}

export async function deleteNote(tx: Tx, author: Author, ref: string, noteRef: string, now: Date): Promise<void> {
  const { companyId } = author
  const { id } = await lockOrder(tx, companyId, ref)
  const isId = /^\d{1,15}$/.test(noteRef)
  const deleted = isId
    ? await tx
        .deleteFrom('order_notes')
        .where('company_id', '=', companyId)
        .where('order_id', '=', id)
        .where('id', '=', Number(noteRef))
        .executeTakeFirst()
    : undefined
  if (!deleted?.numDeletedRows) throw noteNotFound(noteRef)
  await recordChange(tx, author, 'order note deleted', orderName(id), now)
}
