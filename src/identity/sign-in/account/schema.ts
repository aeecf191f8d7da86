import { Type } from 'typebox'
import { nullable, Time } from '#platform/wire/schema.ts'

const PASSWORD_MAX = 1000

/** What is typed may be longer than a password can be: it is refused as a wrong one. */
export const TypedPassword = (description: string) => Type.String({ maxLength: PASSWORD_MAX, description })

export const PasswordInput = Type.Object({
  current_password: TypedPassword('The password until now.'),
  password: TypedPassword('The new one: 8 to 64 characters.'),
})

export const OwnSession = Type.Object(
  {
    browser: nullable(
      Type.String({ description: 'Name of the browser; null: it is not known.', examples: ['Firefox'] }),
    ),
    system: nullable(Type.String({ description: 'What it runs on; null: it is not known.', examples: ['Windows'] })),
    address: Type.String({ description: 'Where the sign-in came from.', examples: ['192.0.2.7'] }),
    created_at: Time('When the user signed in.'),
    seen_at: Time('When it was last used, within five minutes.'),
    current: Type.Boolean({ description: 'The session of this request.' }),
  },
  { $id: 'OwnSession' },
)
