import { wireTime } from '#platform/wire/times.ts'
import type { OrderNote } from './schema.ts'
import type { OrderNoteState } from './state.ts'

export function presentNote({ id, order_id, text, user_id, app_id, created_at }: OrderNoteState): OrderNote {
  return { id, order_id, text, user_id, app_id, created_at: wireTime(created_at) }
}
