import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as oauth from 'oauth4webapi'
import { type FetchOptions, fetchHeld } from '#test/contract.ts'
import { useService } from '#test/harness.ts'
import { registerApp, signedIn } from '#test/people.ts'

const service = useService()
const BACK = 'https://app.example.com/back?from=licet'
/** The library refuses plain http unless it is told that this is a test. */
const LOCAL = {
  [oauth.allowInsecureRequests]: true,
  [oauth.customFetch]: (url: string, init?: FetchOptions) => fetchHeld(url, init),
}

/** Discovers the service, sends the user through the prompt, and returns the parameters of the redirect. */
async function authorize(secret?: 'with secret') {
  const shop = await service.openShop()
  const app = await registerApp(service, shop, [BACK])
  const issuer = new URL(service.url)
  const discovered = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...LOCAL })
  const server = await oauth.processDiscoveryResponse(issuer, discovered)
  const client: oauth.Client = { client_id: app.client_id }
  const authentication = secret === undefined ? oauth.None() : oauth.ClientSecretBasic(app.client_secret)

  const verifier = oauth.generateRandomCodeVerifier()
  const state = oauth.generateRandomState()
  const address = new URL(server.authorization_endpoint ?? '')
  address.search = new URLSearchParams({
    client_id: app.client_id,
    response_type: 'code',
    redirect_uri: BACK,
    scope: 'products orders',
    access_type: 'offline',
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  }).toString()

  const visitor = await signedIn(service, shop)
  await visitor.get(`${address.pathname}${address.search}`)
  const answer = await visitor.submit(/oauth2/, { decision: 'allow' })
  const parameters = oauth.validateAuthResponse(server, client, new URL(answer.location ?? ''), state)
  return { shop, server, client, authentication, verifier, parameters }
}

describe('a published OAuth client', () => {
  test('completes the flow of the API: the code is a refresh token', async () => {
    const { shop, server, client, authentication, verifier, parameters } = await authorize()
    assert.equal(parameters.get('companyid'), String(shop.companyId))
    const first = await oauth.refreshTokenGrantRequest(server, client, authentication, parameters.get('code') ?? '', {
      additionalParameters: { code_verifier: verifier },
      ...LOCAL,
    })
    const tokens = await oauth.processRefreshTokenResponse(server, client, first)
    assert.equal(tokens.token_type, 'bearer')
    assert.equal(tokens.scope, 'products,orders')

    const resource = await oauth.protectedResourceRequest(
      tokens.access_token,
      'GET',
      new URL('/api/products.json', service.url),
      undefined,
      undefined,
      LOCAL,
    )
    assert.equal(resource.status, 200)

    const next = await oauth.refreshTokenGrantRequest(server, client, authentication, tokens.refresh_token ?? '', LOCAL)
    const renewed = await oauth.processRefreshTokenResponse(server, client, next)
    assert.notEqual(renewed.refresh_token, tokens.refresh_token)

    const revoked = await oauth.revocationRequest(server, client, authentication, renewed.refresh_token ?? '', LOCAL)
    await oauth.processRevocationResponse(revoked)
    const dead = await oauth.refreshTokenGrantRequest(
      server,
      client,
      authentication,
      renewed.refresh_token ?? '',
      LOCAL,
    )
    await assert.rejects(oauth.processRefreshTokenResponse(server, client, dead), { error: 'invalid_grant' })
  })

  test('completes the standard flow too: with authorization_code, PKCE and the secret in the header', async () => {
    const { server, client, authentication, verifier, parameters } = await authorize('with secret')
    const answer = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      authentication,
      parameters,
      BACK,
      verifier,
      LOCAL,
    )
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, answer)
    assert.ok(tokens.access_token)
    const again = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      authentication,
      parameters,
      BACK,
      verifier,
      LOCAL,
    )
    await assert.rejects(oauth.processAuthorizationCodeResponse(server, client, again), { error: 'invalid_grant' })
  })

  test('understands a denial', async () => {
    const shop = await service.openShop()
    const app = await registerApp(service, shop, [BACK])
    const issuer = new URL(service.url)
    const server = await oauth.processDiscoveryResponse(
      issuer,
      await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...LOCAL }),
    )
    const visitor = await signedIn(service, shop)
    const query = new URLSearchParams({ client_id: app.client_id, scope: 'orders', redirect_uri: BACK, state: 's' })
    await visitor.get(`/oauth2/auth?${query}`)
    const { location = '' } = await visitor.submit(/oauth2/, { decision: 'deny' })
    assert.throws(() => oauth.validateAuthResponse(server, { client_id: app.client_id }, new URL(location), 's'), {
      error: 'access_denied',
    })
  })
})
