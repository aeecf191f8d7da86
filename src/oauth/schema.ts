import { type Static, Type } from 'typebox'

export const TokenInformation = Type.Object(
  {
    issued_to: Type.String({ description: 'Client id of the app that the token was issued to.' }),
    user_id: Type.String({ description: 'Id of the user who let the app in.' }),
    scope: Type.String({ description: 'What the token allows, separated by commas.', examples: ['orders,products'] }),
    expires_in: Type.String({ description: 'Seconds for which it is still good.', examples: ['1731'] }),
    access_type: Type.String({ description: 'How the app may use it.', examples: ['offline'] }),
  },
  { $id: 'TokenInformation' },
)

export type TokenInformation = Static<typeof TokenInformation>
