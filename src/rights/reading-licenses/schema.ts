import { type Static, Type } from 'typebox'
import { Id, nullable, Reference, Text, Time } from '#platform/wire/schema.ts'
import type { Decision } from '#rights/entitlements/schema.ts'

const STATUSES = ['ready', 'active', 'expired', 'returned', 'revoked', 'cancelled'] as const

const Address = (description: string) => Text(500, description)

export const ReadingLicenseShown = Type.Object(
  {
    id: Id('Id of the license.'),
    entitlement_id: Id('What the customer owns.'),
    file_id: Id('The content file; of a recording, its first track.'),
    name: Text(255, 'Name of that file.', ['walden.epub']),
    status: Type.Unsafe<(typeof STATUSES)[number]>({
      type: 'string',
      enum: [...STATUSES],
      description:
        '`ready`: no reading app has opened it. `active`: one has. `expired`, `returned`; `revoked`: the customer may not read it; `cancelled`: so, and nobody has opened it.',
    }),
    issued_at: Time('When the customer got it.'),
    starts_at: Time('From when reading apps open it.'),
    ends_at: nullable(Time('Until when reading apps open it. Null: no end.')),
    renewable_until: nullable(Time('Until when it can be renewed. Null: it cannot.')),
    returned_at: nullable(Time('When it was returned.')),
    renewals: Type.Integer({ minimum: 0, description: 'How often reading apps have renewed it.' }),
    print: nullable(Type.Integer({ minimum: 0, description: 'How many pages can be printed. Null: no limit.' })),
    copy: nullable(Type.Integer({ minimum: 0, description: 'How many characters can be copied. Null: no limit.' })),
    license_url: Address('Where the license is, a `.lcpl` file. Whoever has the address needs the passphrase, too.'),
    download_url: Address('Where the encrypted publication is, with the license inside.'),
    status_url: Address('Where reading apps read the status.'),
    devices: Type.Array(
      Type.Object({
        name: Text(255, 'Name that the reading app gave.', ['Thorium Reader']),
        registered_at: Time('When it opened the license first.'),
      }),
      { description: 'The reading apps that have opened it.' },
    ),
  },
  { $id: 'ReadingLicense' },
)
export type ReadingLicenseShown = Static<typeof ReadingLicenseShown>

export const ReadingLicenseInput = Type.Object(
  { file_id: Type.Optional(Reference('The content file. Without one it is the first that is protected.')) },
  { $id: 'ReadingLicenseInput', examples: [{ file_id: 1004 }] },
)
export type ReadingLicenseInput = Static<typeof ReadingLicenseInput>

export const IssuedReadingLicense = Type.Object({
  reading_license: Type.Unsafe<ReadingLicenseShown | null>({ anyOf: [{ $ref: 'ReadingLicense#' }, { type: 'null' }] }),
  decision: Type.Unsafe<Decision>({ $ref: 'Decision#' }),
})

export const ReadingPassphrase = Type.Object(
  {
    passphrase: nullable(
      Text(50, 'What the customer types into a reading app. Null: there is no license yet.', ['ABCD-EFGH-JKMN-PQRS']),
    ),
  },
  { $id: 'ReadingPassphrase' },
)
export type ReadingPassphrase = Static<typeof ReadingPassphrase>
