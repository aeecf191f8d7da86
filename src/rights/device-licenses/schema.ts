import { type Static, Type } from 'typebox'
import { Id, nullable, Reference, Text, Time, TimeInput } from '#platform/wire/schema.ts'
import { AskInput, type Decision, Device } from '#rights/entitlements/schema.ts'

const STATUSES = ['active', 'not_started', 'expired', 'suspended', 'revoked', 'returned', 'replaced'] as const
const CHANGES = ['end', 'terms', 'tracks', 'keys'] as const
const PLAYS_MAX = 200
/** A coordinate of both curves has 32 bytes, in base64url. */
const Coordinate = (description: string) => Type.String({ pattern: '^[A-Za-z0-9_-]{43}$', description })

export const DeviceLicenseShown = Type.Object(
  {
    id: Id('Id of the license.'),
    entitlement_id: Id('What the customer owns.'),
    file_id: Id('The content file.'),
    name: Text(255, 'Name of that file.', ['film.mp4']),
    device: Device,
    thumbprint: Text(50, 'The key of the device, by its thumbprint (RFC 7638).'),
    status: Type.Unsafe<(typeof STATUSES)[number]>({
      type: 'string',
      enum: [...STATUSES],
      description:
        '`active`; `expired`: refresh it; `returned`; `replaced`: the device has one for another key. Otherwise what the entitlement is.',
    }),
    issued_at: Time('When the device got it.'),
    refreshed_at: Time('When it was issued or refreshed last.'),
    ends_at: Time('Until when the device plays it without a connection.'),
    closed_at: nullable(Time('When it was returned or replaced.')),
  },
  { $id: 'DeviceLicense' },
)
export type DeviceLicenseShown = Static<typeof DeviceLicenseShown>

export const IssuedDeviceLicense = Type.Object(
  {
    ...DeviceLicenseShown.properties,
    jws: Type.String({
      description:
        'The signed license (JWS, compact, EdDSA). Its `typ` is `device-license+jwt`. Check it with the keys at `/.well-known/jwks.json`.',
    }),
    kid: Text(100, 'The key that has signed it.'),
    tracks: Type.Array(
      Type.Object({
        id: Text(30, 'The track, as the license names it.', ['v', 'a0']),
        url: Text(500, 'Where its encrypted bytes are. It needs the access token, as every request does.'),
        bytes: Type.Integer({ minimum: 0, description: 'How many they are.' }),
      }),
      { description: 'What is downloaded, track by track.' },
    ),
  },
  { $id: 'IssuedDeviceLicense' },
)
export type IssuedDeviceLicense = Static<typeof IssuedDeviceLicense>

const Decided = { decision: Type.Unsafe<Decision>({ $ref: 'Decision#' }) }
const OrNull = Type.Unsafe<IssuedDeviceLicense | null>({
  anyOf: [{ $ref: 'IssuedDeviceLicense#' }, { type: 'null' }],
})

export const DeviceLicenseAnswer = Type.Object({ device_license: OrNull, ...Decided })
export const RefreshAnswer = Type.Object({
  device_license: OrNull,
  ...Decided,
  changed: Type.Array(Type.Unsafe<(typeof CHANGES)[number]>({ type: 'string', enum: [...CHANGES] }), {
    description:
      'What is different from before: its `end`, its `terms`, its `tracks`, or their `keys`, after which they are downloaded again.',
  }),
})

export const DeviceKey = Type.Object(
  {
    kty: Type.Union([Type.Literal('OKP'), Type.Literal('EC')]),
    crv: Type.Union([Type.Literal('X25519'), Type.Literal('P-256')]),
    x: Coordinate('The key, or its first coordinate.'),
    y: Type.Optional(Coordinate('The second coordinate of a key of P-256.')),
  },
  {
    $id: 'DeviceKey',
    description: 'The public half of a key pair that was made on the device, as a JSON Web Key (RFC 7517, RFC 8037).',
  },
)

export const DeviceLicenseInput = Type.Object(
  {
    device: Device,
    public_key: DeviceKey,
    file_id: Type.Optional(Reference('The content file. Without one it is the best version of the first title.')),
    country: AskInput.properties.country,
    client_time: AskInput.properties.client_time,
  },
  { $id: 'DeviceLicenseInput' },
)
export type DeviceLicenseInput = Static<typeof DeviceLicenseInput>

const Plays = Type.Optional(
  Type.Array(TimeInput('When it began.'), {
    maxItems: PLAYS_MAX,
    description: 'When it was played without a connection since the last report. Each is counted once.',
  }),
)

export const RefreshInput = Type.Object(
  { client_time: TimeInput('The time on the device, to notice a clock that was set back.'), plays: Plays },
  { $id: 'RefreshInput' },
)
export type RefreshInput = Static<typeof RefreshInput>

export const ReturnInput = Type.Object({ plays: Plays }, { $id: 'ReturnInput' })
export type ReturnInput = Static<typeof ReturnInput>
