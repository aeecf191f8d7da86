import { type Static, Type } from 'typebox'
import { Text, Time } from '#platform/wire/schema.ts'
import { AskInput, type Decision } from '../schema.ts'

export const LicenseFileQuery = Type.Object({
  device: AskInput.properties.device,
  country: AskInput.properties.country,
  client_time: AskInput.properties.client_time,
})

export const LicenseFile = Type.Object(
  {
    jws: Type.String({
      description:
        'The signed file (JWS, compact, EdDSA). Its `typ` is `license+jwt`. Check it with the keys at `/.well-known/jwks.json`.',
    }),
    expires_at: Time('When the file ends. Ask for a new one before.'),
    kid: Text(100, 'The key that has signed it.'),
  },
  { $id: 'LicenseFile' },
)
export type LicenseFile = Static<typeof LicenseFile>

export const LicenseFileAnswer = Type.Object({
  license_file: Type.Unsafe<LicenseFile | null>({ anyOf: [{ $ref: 'LicenseFile#' }, { type: 'null' }] }),
  decision: Type.Unsafe<Decision>({ $ref: 'Decision#' }),
})
