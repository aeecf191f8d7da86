import { Type } from 'typebox'
import { Id, nullable, Time } from '#platform/wire/schema.ts'

export const AppPermission = Type.Object(
  {
    id: Id('Id of the app.'),
    name: Type.String({ description: 'Name of the app.', examples: ['Shelf'] }),
    scopes: Type.Array(Type.String(), { description: 'What it may use.', examples: [['orders']] }),
    user_email: nullable(Type.String({ description: 'Who let it in last; null: customers did, each for themselves.' })),
    customers: Type.Integer({ minimum: 0, description: 'How many customers have let it in.' }),
    created_at: Time('When it was let in last.'),
    last_token_at: nullable(
      Time(
        'When it last got a token, which an app in use does every half hour; null if it never did, or acts for customers.',
      ),
    ),
  },
  { $id: 'AppPermission' },
)
