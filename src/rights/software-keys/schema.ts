import { type Static, Type } from 'typebox'
import { Id, nullable, Text, Time } from '#platform/wire/schema.ts'
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

export const LISTED_STATES = ['left', 'given', 'replaced'] as const
const LEVELS = ['enough', 'low', 'empty'] as const

const listedState = {
  type: 'string',
  enum: [...LISTED_STATES],
  description: '`left`: nobody has it yet. `given`: a customer has it. `replaced`: the customer has another one now.',
}

export const ListedKey = Type.Object(
  {
    id: Id('Id of the key.'),
    key: Text(KEY_MAX, 'The key.', ['AAAA-1111']),
    state: Type.Unsafe<(typeof LISTED_STATES)[number]>(listedState),
    imported: Type.Boolean({ description: 'Was it imported? Otherwise the service has generated it.' }),
    customer_token: nullable(
      Text(50, 'The customer who has it; null: nobody, or a customer of a company that sells the product, too.'),
    ),
    entitlement_id: nullable(Type.Integer({ description: 'What the customer owns; null as above.' })),
    given_at: nullable(Time('When the customer got it; null: nobody has it yet.')),
    created_at: Time('When it was imported or generated.'),
  },
  { $id: 'ListedKey' },
)

export const KeyStock = Type.Object(
  {
    id: Id('Id of the product.'),
    product_id: Text(50, 'The product, by its `product_id`.'),
    title: Text(1000, 'Title of the product.'),
    left: KeyImport.properties.left,
    given: KeyImport.properties.given,
    waiting: Type.Integer({ minimum: 0, description: 'Customers who wait for a key.' }),
    level: Type.Unsafe<(typeof LEVELS)[number]>({
      type: 'string',
      enum: [...LEVELS],
      description:
        '`low`: fewer than 10, or than a tenth of the last import; the owner has got a mail. `empty`: none is left.',
    }),
  },
  { $id: 'KeyStock' },
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
export type ListedKey = Static<typeof ListedKey>
export type KeyStock = Static<typeof KeyStock>
export type KeyCount = Static<typeof KeyCount>
export type ActivationInput = Static<typeof ActivationInput>
export type KeyQuestion = Static<typeof KeyQuestion>
