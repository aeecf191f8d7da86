import { Type } from 'typebox'
import { TypedPassword } from '../account/schema.ts'

export const SecondFactor = Type.Object(
  {
    enabled: Type.Boolean({ description: 'Signing in needs a code, too.' }),
    recovery_codes: Type.Integer({ minimum: 0, description: 'How many recovery codes have not been used.' }),
  },
  { $id: 'SecondFactor' },
)

export const SecondFactorSecret = Type.Object(
  {
    secret: Type.String({ description: 'The secret for the authenticator app, in base32.' }),
    qr_code: Type.String({ description: 'The same as a picture to scan, in SVG.' }),
  },
  { $id: 'SecondFactorSecret' },
)

export const RecoveryCodes = Type.Array(Type.String(), {
  description: 'Each signs in once in place of a code. They are shown this once.',
})

export const WithPassword = Type.Object({ current_password: TypedPassword('The password of the user, once more.') })

export const CodeInput = Type.Object({
  code: Type.String({ maxLength: 100, description: 'The six digits that the app shows now.' }),
})
