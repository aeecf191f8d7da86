import { type Static, Type } from 'typebox'

const customerToken = Type.String({
  description: 'Only with scope `player`: token of the customer for whom the app acts.',
  examples: ['TNFEQBBVTEDXLUPN'],
})

export const TokenInformation = Type.Object(
  {
    issued_to: Type.String({ description: 'Client id of the app that the token was issued to.' }),
    user_id: Type.String({ description: 'Id of the user or the customer who let the app in.' }),
    scope: Type.String({ description: 'What the token allows, separated by commas.', examples: ['orders,products'] }),
    expires_in: Type.String({ description: 'Seconds for which it is still good.', examples: ['1731'] }),
    access_type: Type.String({ description: 'How the app may use it.', examples: ['offline'] }),
    company_id: Type.Optional(Type.String({ description: 'Only with scope `player`: id of the company.' })),
    customer_token: Type.Optional(customerToken),
  },
  { $id: 'TokenInformation' },
)

const HttpDate = (description: string) => Type.String({ description, examples: ['Mon, 10 Jun 2024 09:30:00 GMT'] })

export const TokenAnswer = Type.Object(
  {
    access_token: Type.String({ description: 'Opens what the scopes say, until it expires.' }),
    token_type: Type.Literal('bearer'),
    expires_in: Type.Integer({ description: 'Seconds for which the access token is good.', examples: [1800] }),
    refresh_token: Type.String({
      description: 'Good for one exchange, and the only way to the next access token: keep it, each time.',
    }),
    scope: Type.String({ description: 'What was allowed, separated by commas.', examples: ['orders,products'] }),
    access_type: Type.String({ examples: ['offline'] }),
    'as:client_id': Type.String({ description: 'Client id of the app.' }),
    userName: Type.String({ description: 'Email address of the user or the customer who allowed it.' }),
    customer_token: Type.Optional(customerToken),
    issued: HttpDate('When the access token was issued.'),
    expires: HttpDate('When the access token expires.'),
    '.issued': HttpDate('The same as `issued`.'),
    '.expires': HttpDate('The same as `expires`.'),
  },
  { $id: 'TokenAnswer' },
)

export type TokenAnswer = Static<typeof TokenAnswer>

export const OAuthErrorBody = Type.Object(
  {
    error: Type.String({ description: 'A word of RFC 6749.', examples: ['invalid_grant'] }),
    error_description: Type.String({ description: 'What is wrong, for the developer of the app.' }),
  },
  { $id: 'OAuthError' },
)

export type TokenInformation = Static<typeof TokenInformation>
