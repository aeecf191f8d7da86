import { type Static, Type } from 'typebox'
import { nullable, Text, Time } from '#platform/wire/schema.ts'
import { AskInput, type Decision, Device } from '#rights/entitlements/schema.ts'

export const KEY_MAX = 200
export const KEYS_MAX = 10_000
const NAME_MAX = 100
const REQUEST_MAX = 4000
const STATES = ['active', 'waiting', 'revoked'] as const

export const Activation = Type.Object(
  {
    fingerprint: Text(200, 'The device, by the id that the program gives it.'),
    name: Text(NAME_MAX, 'Name of the device, as the program sent it.', ['Office PC']),
    activated_at: Time('When the program was activated there.'),
  },
  { $id: 'Activation' },
)

export const SoftwareKey = Type.Object(
  {
    key: nullable(Text(KEY_MAX, 'The key; null: the customer has none yet.', ['Q7KXM-2VHRA-9TCWE-BZ4NP-6YDSG'])),
    state: Type.Unsafe<(typeof STATES)[number]>({
      type: 'string',
      enum: [...STATES],
      description:
        '`waiting`: the order is not confirmed, the product is not released, or the list of keys is empty; the key follows by itself. `revoked`: the customer may no longer use the software.',
    }),
    seats: nullable(
      Type.Integer({ minimum: 0, description: 'On how many devices it can be active at once. Null: no limit.' }),
    ),
    seats_used: Type.Integer({ minimum: 0, description: 'The devices that take a seat now.' }),
    activations: Type.Array(Type.Unsafe<Static<typeof Activation>>({ $ref: 'Activation#' }), {
      description: 'The devices on which the program is activated, oldest first.',
    }),
    created_at: nullable(Time('When the customer got the key.')),
  },
  { $id: 'SoftwareKey' },
)

export const KeysInput = Type.Object({
  keys: Type.Array(Type.String({ minLength: 1, maxLength: KEY_MAX }), {
    minItems: 1,
    maxItems: KEYS_MAX,
    description: 'The keys, in the order in which they are given. Case, blanks and hyphens tell no two keys apart.',
    examples: [['AAAA-1111', 'BBBB-2222']],
  }),
})

export const KeyImport = Type.Object(
  {
    imported: Type.Integer({ minimum: 0, description: 'How many keys are new.' }),
    duplicates: Type.Array(Type.String(), {
      description: 'Keys that were left out, because they are there already or are twice in the request.',
    }),
    left: Type.Integer({ minimum: 0, description: 'Keys that nobody has yet.' }),
    given: Type.Integer({ minimum: 0, description: 'Keys of the list that customers have, or had.' }),
  },
  { $id: 'KeyImport' },
)

export const KeyCount = Type.Object(
  { left: KeyImport.properties.left, given: KeyImport.properties.given },
  { $id: 'KeyCount' },
)

const Key = Type.String({ minLength: 1, maxLength: KEY_MAX, description: 'The key, as the customer typed it.' })

export const ActivationInput = Type.Object({
  key: Key,
  fingerprint: Type.Optional(Device),
  name: Type.Optional(Text(NAME_MAX, 'Name of the device, for the customer.', ['Office PC'])),
  client_time: AskInput.properties.client_time,
  request: Type.Optional(
    Text(
      REQUEST_MAX,
      'For a program without a connection, instead of `fingerprint` and `name`: base64url of the JSON `{"fingerprint", "nonce", "name"}`, which the program shows.',
    ),
  ),
})

export const KeyQuestion = Type.Object({
  key: Key,
  fingerprint: Device,
  client_time: AskInput.properties.client_time,
})

export const ActivationLicense = Type.Object(
  {
    jws: Type.String({
      description:
        'The signed activation (JWS, compact, EdDSA). Its `typ` is `activation+jwt`. Check it with the keys at `/.well-known/jwks.json`.',
    }),
    kid: Text(100, 'The key that has signed it.'),
  },
  { $id: 'ActivationLicense' },
)

const orNull = <Shape>(name: string) => Type.Unsafe<Shape | null>({ anyOf: [{ $ref: `${name}#` }, { type: 'null' }] })

export const ActivationAnswer = Type.Object({
  decision: Type.Unsafe<Decision>({ $ref: 'Decision#' }),
  activation: orNull<Static<typeof Activation>>('Activation'),
})

export const NewActivationAnswer = Type.Object({
  ...ActivationAnswer.properties,
  license: orNull<Static<typeof ActivationLicense>>('ActivationLicense'),
})

export type Activation = Static<typeof Activation>
export type SoftwareKey = Static<typeof SoftwareKey>
export type KeyImport = Static<typeof KeyImport>
export type KeyCount = Static<typeof KeyCount>
export type ActivationInput = Static<typeof ActivationInput>
export type KeyQuestion = Static<typeof KeyQuestion>
