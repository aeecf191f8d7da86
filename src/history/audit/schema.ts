import { type Static, Type } from 'typebox'
import { Id, nullable, Time, TimeInput } from '#platform/wire/schema.ts'

export const AuditEntry = Type.Object(
  {
    id: Id('Id of the entry.'),
    created_at: Time('When it was done.'),
    action: Type.String({ description: 'What was done.', examples: ['signed in'] }),
    subject: Type.String({ description: 'What or whom it was done to.', examples: ['jane@example.com'] }),
    user_id: nullable(Id('The user who did it; null if nobody was signed in.')),
    user_email: nullable(Type.String({ description: 'Email address of that user.', examples: ['jane@example.com'] })),
    app_id: nullable(Id('The app through which it was done, or to which; null if there was none.')),
    address: Type.String({ description: 'Where the request came from.', examples: ['192.0.2.7'] }),
    request_id: Type.String({
      description: 'The `X-Request-Id` of the request; empty if there was none.',
      examples: ['01a1dd41-c861-7fdc-b80d-7a180f6384d3'],
    }),
  },
  { $id: 'AuditEntry' },
)

export const AuditFilters = Type.Object({
  created_at_min: Type.Optional(TimeInput('Done at or after this time.')),
  created_at_max: Type.Optional(TimeInput('Done at or before this time.')),
  user_id: Type.Optional(Id('Done by this user.')),
  action: Type.Optional(
    Type.String({ minLength: 1, maxLength: 100, description: 'What was done, in exactly these words.' }),
  ),
})

export type AuditEntry = Static<typeof AuditEntry>
export type AuditFilters = Static<typeof AuditFilters>
