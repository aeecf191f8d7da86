import { type Static, Type } from 'typebox'
import { Id, nullable, Text, Time } from '#platform/wire/schema.ts'
import { ALL_SCOPES, type Scope } from '../scopes.facts.ts'

const URI_MAX = 2000
const URIS_MAX = 20
/** A year, in seconds. */
const LIFETIME_MAX = 31_536_000

const ScopeName = Type.Unsafe<Scope>({ type: 'string', enum: ALL_SCOPES })
const name = Text(100, 'Name of the app, as people see it when they let it in.', ['Shelf'])
const redirectUris = Type.Array(Text(URI_MAX, 'A whole https address, or one on the same machine.'), {
  maxItems: URIS_MAX,
  description: 'Where people return to after they have let the app in.',
  examples: [['https://app.example.com/callback']],
})
const scopes = Type.Array(ScopeName, {
  maxItems: 50,
  description: 'What it may ask for. An empty list means everything.',
  examples: [['orders', 'products']],
})
const developerEmail = Text(100, 'Where the developer is told that a webhook fails.', ['dev@example.com'])
const syncUrl = Text(URI_MAX, 'Where the app is told that a customer has another email address or password.', [
  'https://app.example.com/sync',
])

const registered = {
  id: Id('Id of the app. Read-only.'),
  client_id: Type.String({ description: 'What the app calls itself when it asks to be let in. It never changes.' }),
  name,
  redirect_uris: redirectUris,
  scopes,
  developer_email: developerEmail,
  data_change_sync_url: nullable(syncUrl),
  is_installed: Type.Boolean({ description: 'Has the company let it in? Read-only.' }),
  previous_secret_until: nullable(Time('Until when the secret before the last one works, too. Read-only.')),
  created_at: Time('When it was registered. Read-only.'),
  updated_at: Time('When it was last changed. Read-only.'),
}

export const RegisteredApp = Type.Object(registered, { $id: 'RegisteredApp' })

export const RegisteredAppWithSecret = Type.Object(
  { ...registered, client_secret: Type.String({ description: 'The secret. It is shown this once.' }) },
  { $id: 'RegisteredAppWithSecret' },
)

const changeable = {
  name: Type.Optional(name),
  redirect_uris: Type.Optional(redirectUris),
  scopes: Type.Optional(scopes),
  developer_email: Type.Optional(developerEmail),
  data_change_sync_url: Type.Optional(nullable(syncUrl)),
}

export const RegisteredAppInput = Type.Object(changeable, { $id: 'RegisteredAppInput' })

export const NewRegisteredApp = Type.Object(
  {
    ...changeable,
    client_id: Type.Optional(Text(100, 'For a client that has a fixed one. The service makes one otherwise.')),
  },
  {
    $id: 'NewRegisteredApp',
    examples: [{ name: 'Shelf', redirect_uris: ['https://app.example.com/callback'], scopes: ['orders'] }],
  },
)

export const SecretRotation = Type.Object(
  {
    overlap_seconds: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 2_592_000, description: 'How long both secrets work. A day if absent.' }),
    ),
  },
  { $id: 'SecretRotation', examples: [{ overlap_seconds: 86_400 }] },
)

export const NewAccessToken = Type.Object(
  {
    scopes: Type.Array(ScopeName, {
      minItems: 1,
      maxItems: 50,
      description: 'What it may use.',
      examples: [['orders']],
    }),
    expires_in: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: LIFETIME_MAX,
        description: 'How many seconds it works. Half an hour if absent.',
      }),
    ),
  },
  { $id: 'NewAccessToken', examples: [{ scopes: ['orders'], expires_in: 86_400 }] },
)

export const AccessToken = Type.Object(
  {
    access_token: Type.String({ description: 'The token. It is shown this once.' }),
    scope: Type.String({ description: 'What it may use.', examples: ['orders'] }),
    expires_in: Type.Integer({ description: 'How many seconds it works.' }),
  },
  { $id: 'AccessToken' },
)

export type RegisteredApp = Static<typeof RegisteredApp>
export type RegisteredAppInput = Static<typeof RegisteredAppInput>
export type NewRegisteredApp = Static<typeof NewRegisteredApp>
export type NewAccessToken = Static<typeof NewAccessToken>
