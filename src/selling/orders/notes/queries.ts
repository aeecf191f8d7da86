import type { Db } from '#platform/db/database.ts'
import { prepareList, type RowList } from '#platform/db/pages.ts'
import type { OrderNoteState } from './state.ts'

const COLUMNS = [
  'order_notes.id',
  'order_notes.order_id',
  'order_notes.text',
  'order_notes.user_id',
  'order_notes.app_id',
  'order_notes.created_at',
] as const

/** Every read of notes starts here, so none can forget the company and the order. */
function notesOf(db: Db, companyId: number, orderId: number) {
  return db
    .selectFrom('order_notes')
    .where('order_notes.company_id', '=', companyId)
    .where('order_notes.order_id', '=', orderId)
}

const listed = prepareList((db: Db, { company, order }: { company: number; order: number }) =>
  notesOf(db, company, order).select(COLUMNS),
)

export function listNotes(db: Db, companyId: number, orderId: number): RowList<OrderNoteState> {
  return listed(db, { company: companyId, order: orderId })
}

/** The latest notes of an order, newest first. */
export function readLatestNotes(db: Db, companyId: number, orderId: number, limit: number): Promise<OrderNoteState[]> {
  return notesOf(db, companyId, orderId).select(COLUMNS).orderBy('order_notes.id', 'desc').limit(limit).execute()
}

export function countNotes(db: Db, companyId: number, orderId: number): Promise<{ count: number }> {
  return notesOf(db, companyId, orderId)
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
}
