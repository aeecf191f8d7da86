import type { FastifyError, FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { nowInSeconds } from '#platform/clock.ts'
import { asProblem, DEFECT } from '#platform/http/errors.ts'
import { orNone, readForms } from '#platform/http/requests/forms.ts'
import { originOf } from '#platform/http/requests/origin.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { sameBytes, tokenHash } from '#platform/identity/crypto.ts'
import { named, Text } from '#platform/wire/schema.ts'
import { OAuthError } from '../errors.ts'
import { findApp } from '../queries.ts'
import { OAuthErrorBody, TokenAnswer } from '../schema.ts'
import { ALL_SCOPES } from '../scopes.facts.ts'
import type { App } from '../state.ts'
import { exchangeToken, refuseSecret, revokeToken } from './commands.ts'
import type { ExtensionGrant } from './extensions.commands.ts'
import { notAForm, readBasic, readParameters } from './parameters.rules.ts'
import { presentTokens } from './present.ts'
import { isSecretOf } from './rules.ts'

const config = { public: true, priority: 'high' } as const
const tags = ['Authorization']
const NO_STORE = { 'cache-control': 'no-store', pragma: 'no-cache' }

const refusal = named(OAuthErrorBody)
const REFUSALS = { 400: refusal, 401: refusal, 413: refusal }

const TOKEN_MAX = 1000
const URI_MAX = 4000
const FORM = ['application/x-www-form-urlencoded']

const clientParameters = {
  client_id: Type.Optional(Text(TOKEN_MAX, 'Client id of the app that the token was issued to.')),
  client_secret: Type.Optional(Text(TOKEN_MAX, 'Not needed; one that is sent must be right.')),
}

const ownParameters = {
  grant_type: Type.Optional(
    Text(TOKEN_MAX, '`refresh_token`; `authorization_code` is understood too.', ['refresh_token']),
  ),
  refresh_token: Type.Optional(Text(TOKEN_MAX, 'The `code` of the redirect, later the token of the answer before.')),
  code: Type.Optional(Text(TOKEN_MAX, 'The `code` of the redirect, with `authorization_code`.')),
  ...clientParameters,
  code_verifier: Type.Optional(
    Text(TOKEN_MAX, 'Needed if the prompt had a `code_challenge` (PKCE, S256), refused if it had none.'),
  ),
  redirect_uri: Type.Optional(
    Text(
      URI_MAX,
      'The one of the prompt. Needed with `authorization_code`; with `refresh_token` it is compared if it is sent.',
    ),
  ),
}

const Revocation = Type.Object({
  token: Type.Optional(Text(TOKEN_MAX, 'The token to give back.')),
  token_type_hint: Type.Optional(Text(TOKEN_MAX, 'Not needed.')),
  ...clientParameters,
})

/** The options of these routes: other resources may add grant types. */
export type ExchangeOptions = ResourceOptions & { extensions: readonly ExtensionGrant[] }

export const exchangeRoutes: FastifyPluginCallback<ExchangeOptions> = (app, { db, now, clock, extensions }, done) => {
  const Parameters = Type.Object({
    ...ownParameters,
    ...Object.assign({}, ...extensions.map(({ parameters }) => parameters)),
  })
  const byType = new Map(
    extensions.flatMap(({ grantTypes, create }) => {
      const exchange = create({ db, now, clock, change: (work) => app.change(work) })
      return grantTypes.map((name) => [name, exchange] as const)
    }),
  )
  readForms(app)
  app.setErrorHandler(answerWithOAuthError)

  /** The app behind the request. A secret is optional, but a wrong one is refused, in the header as in the body. */
  async function getClient(request: FastifyRequest, parameters: Record<string, string>): Promise<App> {
    const basic = readBasic(request.headers.authorization)
    const clientId = basic?.clientId ?? parameters.client_id
    const secret = basic?.secret || parameters.client_secret
    if (clientId === undefined || clientId === '') throw new OAuthError('invalid_request', 'client_id is missing')
    const client = await findApp(db, clientId)
    const isRight =
      client !== undefined &&
      (secret === undefined || secret === '' || isSecretOf(client, tokenHash(secret), nowInSeconds(clock), sameBytes))
    if (isRight) return client
    if (client !== undefined) await app.change((tx) => refuseSecret(tx, client, originOf(request), nowInSeconds(clock)))
    const challenge: Record<string, string> = basic === undefined ? {} : { 'www-authenticate': 'Basic realm="licet"' }
    throw new OAuthError('invalid_client', 'the client id or the secret is not right', challenge)
  }

  app.post(
    '/token',
    {
      config,
      schema: {
        tags,
        operationId: 'exchangeToken',
        summary: 'Exchange a refresh token for an access token',
        description:
          'The parameters are taken from the query or from a form body. A refresh token can be exchanged once; one that comes a second time, more than a minute later, ends the whole permission, because somebody else may have it. The `code` of the redirect has to be exchanged within ten minutes.',
        querystring: Parameters,
        consumes: FORM,
        body: orNone(Parameters),
        response: { 200: named(TokenAnswer), ...REFUSALS },
      },
    },
    async (request, reply) => {
      const parameters = readParameters(request)
      const grantType = parameters.grant_type
      if (grantType === undefined) throw new OAuthError('invalid_request', 'grant_type is missing')
      const extension = byType.get(grantType)
      if (extension !== undefined) {
        const client = await getClient(request, parameters)
        const acceptLanguage = request.headers['accept-language'] ?? ''
        const issued = await extension({ app: client, parameters, address: request.ip, acceptLanguage })
        if (issued.kind === 'refused') {
          request.log.info({ app: client.client_id, why: issued.why }, 'token exchange refused')
          throw new OAuthError('invalid_grant', 'the token is unknown, used, expired or revoked, or its customer is')
        }
        return reply
          .headers(NO_STORE)
          .send(presentTokens({ clientId: client.client_id, ...issued }, nowInSeconds(clock)))
      }
      if (grantType !== 'refresh_token' && grantType !== 'authorization_code')
        throw new OAuthError('unsupported_grant_type', 'grant_type must be refresh_token')
      const token = grantType === 'refresh_token' ? parameters.refresh_token : parameters.code
      const { client_id: clientId } = await getClient(request, parameters)
      if (token === undefined || token === '')
        throw new OAuthError('invalid_request', `${grantType === 'refresh_token' ? grantType : 'code'} is missing`)
      const exchange = await app.change((tx) =>
        exchangeToken(
          tx,
          {
            grantType,
            token,
            clientId,
            // An empty parameter counts as absent (RFC 6749, 3.1).
            verifier: parameters.code_verifier || undefined,
            redirectUri: parameters.redirect_uri || undefined,
          },
          originOf(request),
          nowInSeconds(clock),
        ),
      )
      if (exchange.kind === 'refused')
        throw new OAuthError(
          'invalid_grant',
          'the token is unknown, used, expired or revoked, its user may not grant it any more, or its proof is wrong',
        )
      return reply.headers(NO_STORE).send(presentTokens({ clientId, ...exchange }, nowInSeconds(clock)))
    },
  )

  app.post(
    '/oauth2/revoke',
    {
      config,
      schema: {
        tags,
        operationId: 'revokeToken',
        summary: 'Give a token back (RFC 7009)',
        description:
          'A refresh token takes the whole permission with it, an access token goes alone. Unknown tokens are answered the same.',
        querystring: Revocation,
        consumes: FORM,
        body: orNone(Revocation),
        response: { 200: Type.Object({}), ...REFUSALS },
      },
    },
    async (request, reply) => {
      const parameters = readParameters(request)
      const { client_id } = await getClient(request, parameters)
      const { token } = parameters
      if (token === undefined || token === '') throw new OAuthError('invalid_request', 'token is missing')
      await app.change((tx) => revokeToken(tx, token, client_id, originOf(request), nowInSeconds(clock)))
      return reply.headers(NO_STORE).send({})
    },
  )

  app.get(
    '/.well-known/oauth-authorization-server',
    // RFC 8414: the metadata of the authorization server.
    { config, schema: { hide: true } },
    async () => ({
      issuer: app.baseUrl,
      authorization_endpoint: `${app.baseUrl}/oauth2/auth`,
      token_endpoint: `${app.baseUrl}/token`,
      revocation_endpoint: `${app.baseUrl}/oauth2/revoke`,
      scopes_supported: ALL_SCOPES.filter((scope) => app.servedScopes().has(scope)),
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: ['authorization_code', 'refresh_token', ...byType.keys()],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none', 'client_secret_post', 'client_secret_basic'],
      revocation_endpoint_auth_methods_supported: ['none', 'client_secret_post', 'client_secret_basic'],
      service_documentation: `${app.baseUrl}/docs`,
    }),
  )

  done()
}

/** RFC 6749 answers a wrong media type, and a parameter that is too long or repeated, with 400. */
const IN_400 = new Set([415, 422])

/** Every failure here has the shape of RFC 6749. */
function answerWithOAuthError(thrown: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const error = thrown.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE' ? notAForm() : thrown
  if (error instanceof OAuthError)
    return reply
      .code(error.status)
      .headers({ ...NO_STORE, ...error.headers })
      .send(error.body)
  const problem = asProblem(error)
  if (problem === undefined) request.log.error({ err: error }, 'defect')
  const { headers, message, status: found } = problem ?? DEFECT
  const status = IN_400.has(found) ? 400 : found
  const word = status === 503 ? 'temporarily_unavailable' : status >= 500 ? 'server_error' : 'invalid_request'
  return reply
    .code(status)
    .headers({ ...NO_STORE, ...headers })
    .send({ error: word, error_description: message })
}
