import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { useService } from '#test/harness.ts'
import { registerApp, signedIn } from '#test/people.ts'
import { visit } from '#test/visitor.ts'
import { ALL_SCOPES } from '../scopes.facts.ts'

const service = useService()
const BACK = 'https://app.example.com/back'

/** A shop whose owner is signed in, and an app that requests access. */
async function scene({ redirectUris = [BACK] }: { redirectUris?: string[] } = {}) {
  const shop = await service.openShop()
  const app = await registerApp(service, shop, redirectUris)
  return { shop, app, visitor: await signedIn(service, shop) }
}

const ask = (clientId: string, more: Record<string, string> = {}) =>
  `/oauth2/auth?${new URLSearchParams({ client_id: clientId, scope: 'orders,customers', access_type: 'offline', redirect_uri: BACK, ...more })}`

const actions = async (companyId: number) =>
  (
    await service.db
      .selectFrom('audit_entries')
      .select('action')
      .where('company_id', '=', companyId)
      .orderBy('id')
      .execute()
  ).map(({ action }) => action)

describe('GET /oauth2/auth', () => {
  test('requires a sign-in first, and returns to the request', async () => {
    const shop = await service.openShop()
    const app = await registerApp(service, shop, [BACK])
    const address = ask(app.client_id, { state: 'a b&c' })
    const answer = await visit(service.url).get(address)
    assert.equal(answer.status, 303)
    assert.equal(answer.location, `/sign-in?return_to=${encodeURIComponent(address)}`)
  })

  test('names the app, the company and each scope in words, runs no script and cannot be framed', async () => {
    const { app, visitor, shop } = await scene()
    const page = await visitor.get(ask(app.client_id))
    const { company_name } = await service.db
      .selectFrom('companies')
      .select('company_name')
      .where('id', '=', shop.companyId)
      .executeTakeFirstOrThrow()
    assert.equal(page.status, 200)
    for (const words of ['Shelf', company_name, 'See, change and create orders', 'delete customers', 'app.example.com'])
      assert.ok(page.text.includes(words), words)
    assert.ok(!page.text.includes('statistics'))
    const policy = page.headers.get('content-security-policy') ?? ''
    assert.match(policy, /default-src 'none'/)
    assert.match(policy, /frame-ancestors 'none'/)
    // Without this, a browser would not redirect from the form to the app.
    assert.match(policy, /form-action 'self' https:\/\/app\.example\.com;/)
    assert.ok(!page.text.includes('<script'))
  })

  const broken: [string, (clientId: string) => string, RegExp][] = [
    ['no client', () => ask(''), /client_id is missing/],
    ['an unknown client', () => ask('nobody'), /client_id is not known/],
    ['no redirect URI', (id) => `/oauth2/auth?client_id=${id}&scope=orders`, /redirect_uri is missing/],
    ['a foreign redirect URI', (id) => ask(id, { redirect_uri: 'https://evil.example/back' }), /not registered/],
    ['a redirect URI with more behind it', (id) => ask(id, { redirect_uri: `${BACK}/more` }), /not registered/],
    ['a redirect URI with less', (id) => ask(id, { redirect_uri: BACK.slice(0, -1) }), /not registered/],
    ['a redirect URI in another case', (id) => ask(id, { redirect_uri: BACK.toUpperCase() }), /not registered/],
    ['a parameter twice', (id) => `${ask(id)}&scope=products`, /twice/],
  ]
  for (const [what, address, words] of broken) {
    // A sender that may not be the app must not receive anything from the user's browser.
    test(`answers ${what} with a page and never with a redirect`, async () => {
      const { app, visitor } = await scene()
      for (const each of [visitor, visit(service.url)]) {
        const page = await each.get(address(app.client_id))
        assert.equal(page.status, 400)
        assert.equal(page.location, undefined)
        assert.match(page.text, words)
        assert.match(page.headers.get('content-type') ?? '', /text\/html/)
      }
    })
  }

  const refused: [string, Record<string, string>, string][] = [
    ['another response type', { response_type: 'token' }, 'unsupported_response_type'],
    ['a scope that does not exist', { scope: 'everything' }, 'invalid_scope'],
    ['no scope', { scope: '' }, 'invalid_scope'],
    ['a plain challenge', { code_challenge: 'x'.repeat(43), code_challenge_method: 'plain' }, 'invalid_request'],
    ['a challenge without a method', { code_challenge: 'x'.repeat(43) }, 'invalid_request'],
    ['a challenge that is none', { code_challenge: 'short', code_challenge_method: 'S256' }, 'invalid_request'],
  ]
  for (const [what, parameters, error] of refused) {
    test(`tells the app of ${what}`, async () => {
      const { app, visitor } = await scene()
      const answer = await visitor.get(ask(app.client_id, { ...parameters, state: 'kept' }))
      assert.equal(answer.status, 303)
      const back = new URL(answer.location ?? '')
      assert.equal(back.origin + back.pathname, BACK)
      assert.equal(back.searchParams.get('error'), error)
      assert.equal(back.searchParams.get('state'), 'kept')
      assert.equal(back.searchParams.get('code'), null)
    })
  }

  test('drops scopes that do not exist', async () => {
    const { app, visitor, shop } = await scene()
    await visitor.get(ask(app.client_id, { scope: 'orders,everything' }))
    await visitor.submit(/oauth2/, { decision: 'allow' })
    const [grant] = await grantsOf(shop.companyId, app.id)
    assert.deepEqual(grant?.scopes, ['orders'])
  })
})

const grantsOf = (companyId: number, appId: number) =>
  service.db
    .selectFrom('grants')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('app_id', '=', appId)
    .orderBy('id')
    .execute()

describe('the answer to the prompt', () => {
  test('is a code, the company and the state, untouched', async () => {
    const { app, visitor, shop } = await scene()
    const state = 'ünï & = ? # / %41 +'
    await visitor.get(ask(app.client_id, { state }))
    const answer = await visitor.submit(/oauth2/, { decision: 'allow' })
    assert.equal(answer.status, 303)
    const back = new URL(answer.location ?? '')
    assert.equal(back.origin + back.pathname, BACK)
    assert.match(back.searchParams.get('code') ?? '', /^[A-Za-z0-9_-]{43}$/)
    assert.equal(back.searchParams.get('companyid'), String(shop.companyId))
    assert.equal(back.searchParams.get('state'), state)
    assert.deepEqual([...back.searchParams.keys()].sort(), ['code', 'companyid', 'state'])
    assert.ok((await actions(shop.companyId)).includes('app allowed'))
  })

  test('has no state if the request had none', async () => {
    const { app, visitor } = await scene()
    await visitor.get(ask(app.client_id))
    const { location = '' } = await visitor.submit(/oauth2/, { decision: 'allow' })
    assert.deepEqual([...new URL(location).searchParams.keys()].sort(), ['code', 'companyid'])
  })

  test('is access_denied if the user denies, and nothing is granted', async () => {
    const { app, visitor, shop } = await scene()
    await visitor.get(ask(app.client_id, { state: 's' }))
    const answer = await visitor.submit(/oauth2/, { decision: 'deny' })
    assert.equal(answer.location, `${BACK}?error=access_denied&state=s`)
    assert.deepEqual(await grantsOf(shop.companyId, app.id), [])
    assert.ok((await actions(shop.companyId)).includes('app denied'))
  })

  test('is appended to a redirect URI that has a query of its own', async () => {
    const uri = 'https://host.example/x.php?action=cb'
    const { app, visitor } = await scene({ redirectUris: [uri] })
    await visitor.get(ask(app.client_id, { redirect_uri: uri }))
    const { location = '' } = await visitor.submit(/oauth2/, { decision: 'allow' })
    assert.ok(location.startsWith(`${uri}&code=`), location)
  })

  const unescaped: [string, string][] = [
    ['one pair', 'https://host.example/x.php?action=cb'],
    ['two pairs', 'https://host.example/x.php?action=cb&shop=7'],
    ['a pair with our own name', 'https://host.example/x.php?action=cb&state=theirs'],
  ]
  for (const [what, uri] of unescaped) {
    test(`finds a redirect URI that is unescaped at the end, with ${what}`, async () => {
      const { app, visitor } = await scene({ redirectUris: ['https://host.example/x.php', uri] })
      const address = `/oauth2/auth?client_id=${app.client_id}&scope=orders,customers&access_type=offline&redirect_uri=${uri}`
      const page = await visitor.get(address)
      assert.equal(page.status, 200, page.text)
      const { location = '' } = await visitor.submit(/oauth2/, { decision: 'allow' })
      assert.ok(location.startsWith(`${uri}&code=`), location)
      assert.ok(!location.endsWith('state=theirs'), 'what belongs to the redirect URI is no state of ours')
    })
  }

  test('needs the CSRF token of our own page', async () => {
    const { app, visitor, shop } = await scene()
    await visitor.get(ask(app.client_id))
    const answer = await visitor.post(ask(app.client_id), { decision: 'allow', company: String(shop.companyId) })
    assert.equal(answer.status, 403)
    assert.match(answer.text, /open for too long/)
    const elsewhere = await signedIn(service, shop)
    const page = await elsewhere.get(ask(app.client_id))
    const stolen = /name="_csrf" value="([^"]+)"/.exec(page.text)?.[1] ?? ''
    const fields = { decision: 'allow', company: String(shop.companyId), _csrf: stolen }
    assert.equal((await visitor.post(ask(app.client_id), fields)).status, 403)
    assert.deepEqual(await grantsOf(shop.companyId, app.id), [])
  })

  test('asks for a sign-in again if the session has ended in the middle', async () => {
    const { app, visitor, shop } = await scene()
    const address = ask(app.client_id)
    await visitor.get(address)
    service.clock.advance(13 * 3600)
    const answer = await visitor.submit(/oauth2/, { decision: 'allow' })
    assert.equal(answer.status, 303)
    assert.equal(answer.location, `/sign-in?return_to=${encodeURIComponent(address)}`)
    assert.deepEqual(await grantsOf(shop.companyId, app.id), [])
  })

  test('is refused for a company of others', async () => {
    const { app, visitor } = await scene()
    const stranger = await service.openShop()
    for (const company of [String(stranger.companyId), '', '0', 'x', '-1', '1e9', '99999999999999999999']) {
      await visitor.get(ask(app.client_id))
      const answer = await visitor.submit(/oauth2/, { decision: 'allow', company })
      assert.equal(answer.status, 400, company)
      assert.equal(answer.location, undefined)
    }
    assert.deepEqual(await grantsOf(stranger.companyId, app.id), [])
  })
})

describe('the prompt to a partner', () => {
  test('offers its own company and its associated companies, and lets the app act for the chosen one', async () => {
    const { shop, app, visitor } = await scene()
    const associate = await service.openShop({ partnerId: shop.companyId })
    const stranger = await service.openShop()
    const page = await visitor.get(ask(app.client_id))
    const offered = [...page.text.matchAll(/type="radio" name="company" value="(\d+)"/g)].map(([, id]) => Number(id))
    assert.deepEqual(offered, [shop.companyId, associate.companyId])
    assert.ok(!offered.includes(stranger.companyId))
    const { location = '' } = await visitor.submit(/oauth2/, {
      decision: 'allow',
      company: String(associate.companyId),
    })
    assert.equal(new URL(location).searchParams.get('companyid'), String(associate.companyId))
    const code = new URL(location).searchParams.get('code')
    const tokens = await service.call(
      'POST',
      `/token?grant_type=refresh_token&refresh_token=${code}&client_id=${app.client_id}`,
    )
    const info = await service.call('GET', '/api/tokeninfo', { token: tokens.body.access_token })
    assert.equal(info.body.user_id, String(shop.userId))
    const [grant] = await grantsOf(associate.companyId, app.id)
    assert.equal(grant?.user_id, shop.userId)
  })
})

describe('the prompt to a user who may not manage users', () => {
  test('does not grant admin scopes', async () => {
    const { shop, app, visitor } = await scene()
    await service.db
      .updateTable('users')
      .set({ permissions: JSON.stringify({ web_access: 1 }) })
      .where('company_id', '=', shop.companyId)
      .where('id', '=', shop.userId)
      .execute()
    const page = await visitor.get(ask(app.client_id, { scope: 'orders,users,companies' }))
    assert.match(page.text, /also asks for this: Company data, Users\. Your account cannot allow that\. Ask somebody/)
    await visitor.submit(/oauth2/, { decision: 'allow' })
    assert.deepEqual((await grantsOf(shop.companyId, app.id))[0]?.scopes, ['orders'])
    const nothing = await visitor.get(ask(app.client_id, { scope: 'users' }))
    assert.equal(nothing.status, 403)
    assert.match(nothing.text, /Your account cannot allow this/)
    assert.doesNotMatch(nothing.text, /not registered/)
  })
})

describe('the prompt of an app that is registered for some scopes', () => {
  test('says so, and what to do, instead of blaming the account', async () => {
    const shop = await service.openShop()
    const app = await registerApp(service, shop, [BACK], { scopes: ['orders'] })
    const visitor = await signedIn(service, shop)
    const some = await visitor.get(ask(app.client_id, { scope: 'orders,products' }))
    assert.equal(some.status, 200)
    assert.match(some.text, /also asks for this: Products\. It is not registered for that here, so it is left out\./)
    const none = await visitor.get(ask(app.client_id, { scope: 'products,customers' }))
    assert.equal(none.status, 403)
    assert.match(none.text, /<h1>This app is not registered for this<\/h1>/)
    assert.match(
      none.text,
      /asks for this: Products, Customers\. But it is not registered for that here[^<]*Tell the maker/,
    )
    assert.doesNotMatch(none.text, /[Yy]our account can/)
  })
})

test('every scope is served, and described as such', async () => {
  const served = service.app.servedScopes()
  assert.deepEqual(served, new Set(ALL_SCOPES))
  const metadata = (await service.call('GET', '/.well-known/oauth-authorization-server')).body
  const { body: document } = await service.call('GET', '/openapi.json')
  const described = Object.keys(document.components.securitySchemes.oauth2.flows.authorizationCode.scopes)
  for (const scopes of [metadata.scopes_supported, described]) assert.deepEqual(new Set(scopes), served)
})
