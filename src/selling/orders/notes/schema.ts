import { type Static, Type } from 'typebox'
import { Id, nullable, Text, Time } from '#platform/wire/schema.ts'

const TEXT_MAX = 5000

export const OrderNote = Type.Object(
  {
    id: Id('Id of the note.'),
    order_id: Id('The order.'),
    text: Text(TEXT_MAX, 'What was written. Customers do not see it.'),
    user_id: nullable(Id('The user who wrote it; null if there was none.')),
    app_id: nullable(Id('The app that wrote it; null if there was none.')),
    created_at: Time('When it was written.'),
  },
  { $id: 'OrderNote' },
)

export const OrderNoteInput = Type.Object(
  {
    text: Type.String({ minLength: 1, maxLength: TEXT_MAX, description: 'What to remember. Customers do not see it.' }),
  },
  { $id: 'OrderNoteInput', examples: [{ text: 'Called: wants it delivered to the neighbour.' }] },
)

export type OrderNote = Static<typeof OrderNote>
