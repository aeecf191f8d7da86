import assert from 'node:assert/strict'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, describe, test } from 'node:test'
import type { LinkKind } from '#identity/users/links/rules.ts'
import { collectRoutes } from '#test/audit/collect-routes.ts'
import { aCustomer, CUSTOMER_PASSWORD } from '#test/customers.ts'
import { type Service, type Shop, useService } from '#test/harness.ts'
import { codeAt, ownerOf, registerApp, signedIn, signOut, tryToSignIn, turnOnSecondFactor } from '#test/people.ts'
import { aSharedCustomer, askFor, pathTo } from '#test/self-service.ts'
import { snapshot } from '#test/snapshot.ts'
import { aLink } from '#test/users.ts'
import { csrfTokenOn, type PageAnswer, type Visitor, visit } from '#test/visitor.ts'

const allRoutes = collectRoutes()
const service = useService()

/** The protocol endpoints and the links of newsletters and reminders require their own secrets, which no browser sends by itself. */
const PROTOCOL = [
  ...['activate', 'deactivate', 'validate'].map((action) => `/api/keys/${action}.json`),
  ...['newsletter/confirm', 'newsletter/unsubscribe', 'cart-reminders/stop'].map((action) => `/${action}/:token`),
  '/oauth2/revoke',
  '/payments/:company/:gateway',
  '/token',
]

type Arrived = { path: string; fields: Record<string, string>; token: string }
/** Opens a form; submitting the returned values would make a change, with a right CSRF token. */
type Way = (visitor: Visitor, shop: Shop) => Promise<Arrived>

const PASSWORDS = { password: 'a new password', password_confirmation: 'a new password' }

async function at(visitor: Visitor, page: string, fields: Record<string, string>, path = page): Promise<Arrived> {
  return { path, fields, token: csrfTokenOn(await visitor.get(page)) }
}

const inside =
  (page: string, fields: Record<string, string>, path = page): Way =>
  async (visitor, shop) => {
    await tryToSignIn(visitor, await ownerOf(service, shop))
    return at(visitor, page, fields, path)
  }

/** One link for each shop: a second one would end the first. */
const links = new Map<string, Promise<string>>()
function linkOf(shop: Shop, kind: LinkKind): Promise<string> {
  const key = `${kind} ${shop.companyId}`
  const link = links.get(key) ?? aLink(service, shop, kind)
  links.set(key, link)
  return link
}

const apps = new Map<Shop, Promise<string>>()
async function promptOf(shop: Shop): Promise<string> {
  const uri = 'https://app.example.com/back'
  const id = apps.get(shop) ?? registerApp(service, shop, [uri]).then(({ client_id }) => client_id)
  apps.set(shop, id)
  return `/oauth2/auth?${new URLSearchParams({ client_id: await id, scope: 'orders', redirect_uri: uri })}`
}

const secrets = new Map<Shop, string>()

const WAYS: Record<string, Way> = {
  '/customer/:token': async (visitor) => {
    const { shop, customer } = await aSharedCustomer(service)
    await askFor(shop, customer, { password: 'another password' })
    return at(visitor, await pathTo(service, customer.email), PASSWORDS)
  },
  '/demo/:token': async (visitor, shop) => at(visitor, `/demo/${await linkOf(shop, 'demo')}`, {}),
  '/first-run/:token': async (visitor, shop) => {
    // There are companies, so the page does not work, but the CSRF token is checked first all the same.
    const { token } = await at(visitor, '/sign-in', {})
    return { path: `/first-run/${await linkOf(shop, 'first run')}`, fields: PASSWORDS, token }
  },
  '/invitation/:token': async (visitor, shop) =>
    at(visitor, `/invitation/${await linkOf(shop, 'invitation')}`, {
      first_name: 'Jane',
      last_name: 'Roe',
      ...PASSWORDS,
    }),
  '/oauth2/auth': async (visitor, shop) =>
    inside(await promptOf(shop), { decision: 'allow', company: String(shop.companyId) })(visitor, shop),
  '/oauth2/player': async (visitor, shop) => {
    const { email } = await aCustomer(shop)
    const prompt = (await promptOf(shop)).replace('/auth', '/player').replace('scope=orders', 'scope=player')
    return at(visitor, prompt, { decision: 'allow', email, password: CUSTOMER_PASSWORD })
  },
  '/oauth2/player/:token': async (visitor) => {
    // The link is none, but the CSRF token is checked first all the same.
    const { token } = await at(visitor, '/sign-in', {})
    return { path: '/oauth2/player/x', fields: { decision: 'allow' }, token }
  },
  '/reset': (visitor) => at(visitor, '/reset', { email: 'somebody@example.com' }),
  '/reset/:token': async (visitor, shop) => at(visitor, `/reset/${await linkOf(shop, 'reset')}`, PASSWORDS),
  '/sign-in': async (visitor, shop) => at(visitor, '/sign-in', await ownerOf(service, shop)),
  '/sign-in/second-factor': async (visitor, shop) => {
    if (!secrets.has(shop)) {
      const browser = await signedIn(service, shop)
      secrets.set(shop, (await turnOnSecondFactor(service, browser)).secret)
      service.clock.advance(30)
    }
    await tryToSignIn(visitor, await ownerOf(service, shop))
    const code = codeAt(secrets.get(shop) ?? '', service.clock.now())
    return at(visitor, '/sign-in/second-factor', { code })
  },
  '/sign-out': inside('/reset', {}, '/sign-out'),
}

/** A browser that was signed in before, and the CSRF token that it had then. */
async function aBrowserWithAPast(shop: Shop): Promise<{ visitor: Visitor; stale: string }> {
  const visitor = await signedIn(service, shop)
  const stale = csrfTokenOn(await visitor.get('/reset'))
  await signOut(visitor)
  return { visitor, stale }
}

function assertRefused(answer: PageAnswer, what: string): void {
  assert.equal(answer.status, 403, `${what}: ${answer.text}`)
  assert.match(answer.headers.get('content-type') ?? '', /^text\/html/)
  assert.match(answer.text, /<h1>/)
  assert.equal(answer.location, undefined)
}

/** Reading apps speak a protocol of their own: no cookie counts there, and the address of a license is its secret. */
const READING_APPS = '/lcp/'

/** Forms of shops have no CSRF tokens: shop-forms.test.ts holds them to their origin. */
const isOfShop = ({ url, site }: { url: string; site: string | undefined }) =>
  (site ?? 'own') !== 'own' || url.startsWith('/shop/:shop')

describe('every form', () => {
  test('is tested here, except the endpoints that are not forms', () => {
    const posts = allRoutes().filter(
      ({ method, url, site, scopes }) =>
        method !== 'GET' &&
        method !== 'HEAD' &&
        scopes.length === 0 &&
        !url.startsWith('/admin/api/') &&
        !url.startsWith(READING_APPS) &&
        !isOfShop({ url, site }),
    )
    assert.deepEqual(
      posts.map(({ method }) => method).filter((method) => method !== 'POST'),
      [],
    )
    assert.deepEqual([...new Set(posts.map(({ url }) => url))].sort(), [...PROTOCOL, ...Object.keys(WAYS)].sort())
  })

  for (const [route, arrive] of Object.entries(WAYS)) {
    test(`that goes to ${route} needs the CSRF token of its page, browser and session`, async () => {
      const shop = await service.openShop()
      const { visitor, stale } = await aBrowserWithAPast(shop)
      const other = (await arrive(visit(service.url), shop)).token
      const { path, fields, token } = await arrive(visitor, shop)
      const changed = `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`
      const wrong: [string, Record<string, string>][] = [
        ['no token', {}],
        ['an empty token', { _csrf: '' }],
        ['a text that is no token', { _csrf: 'x-y-z' }],
        ['a changed token', { _csrf: changed }],
        ['the token of another visitor', { _csrf: other }],
        ['the token of an earlier session', { _csrf: stale }],
      ]
      const before = await snapshot(service.db)
      for (const [what, field] of wrong) assertRefused(await visitor.post(path, { ...fields, ...field }), what)
      const cookie = visitor.cookies.get('licet_form') ?? ''
      visitor.cookies.delete('licet_form')
      assertRefused(await visitor.post(path, { ...fields, _csrf: token }), 'no cookie')
      visitor.cookies.set('licet_form', cookie)
      assert.deepEqual(await snapshot(service.db), before)
      const answer = await visitor.post(path, { ...fields, _csrf: token })
      assert.notEqual(answer.status, 403, answer.text)
      if (answer.status !== 410) assert.notDeepEqual(await snapshot(service.db), before, 'the right token changes it')
    })
  }

  test('is sent urlencoded, with each field once, up to the maximum size', async () => {
    const visitor = visit(service.url)
    const _csrf = csrfTokenOn(await visitor.get('/sign-in'))
    const send = async (type: string, body: string | Buffer) => {
      const cookie = `licet_form=${visitor.cookies.get('licet_form')}`
      const headers = { cookie, 'content-type': type, host: '127.0.0.1' }
      const { statusCode, headers: answered } = await service.app.inject({
        method: 'POST',
        url: '/sign-in',
        headers,
        payload: body,
      })
      assert.match(String(answered['content-type']), /^text\/html/)
      return statusCode
    }
    const before = await snapshot(service.db)
    assert.equal(await send('application/json', JSON.stringify({ _csrf, email: 'a@b', password: 'x' })), 415)
    assert.equal(await send('text/plain', `_csrf=${_csrf}`), 415)
    assert.equal(await send('multipart/form-data; boundary=x', '--x--'), 415)
    const form = 'application/x-www-form-urlencoded'
    assert.equal(await send(form, `_csrf=${_csrf}&_csrf=${_csrf}&email=a%40b&password=x`), 400)
    assert.equal(await send(form, `_csrf=${_csrf}&email=a%40b&email=c%40d&password=x`), 400)
    assert.equal(await send(form, `_csrf=${_csrf}&email=${'a'.repeat(70_000)}`), 413)
    assert.equal(await send(form, `_csrf[]=${_csrf}&__proto__=1&constructor=2`), 403)
    assert.deepEqual(await snapshot(service.db), before)
  })
})

/** Sends the request of a browser for an address with this host. */
async function askHost({ app }: Service, host: string, headers: Record<string, string> = {}) {
  const answer = await app.inject({ url: '/sign-in', headers: { host, ...headers } })
  return { status: answer.statusCode, body: answer.body, cookies: [answer.headers['set-cookie'] ?? []].flat() }
}

/** The answer of the service to these bytes. */
async function sendBytes(bytes: string): Promise<string> {
  const { port } = service.app.server.address() as AddressInfo
  const socket = connect(port, '127.0.0.1')
  socket.end(bytes)
  return text(socket)
}

const proxied = useService({ trustProxy: ['127.0.0.1'] })

describe('a page that asks for a password', () => {
  afterEach(() => {
    service.app.baseUrl = service.url
  })

  test('opens without TLS only on the machine itself', async () => {
    for (const host of ['localhost', 'localhost:3000', 'LOCALHOST', '127.0.0.1:3000', '127.8.9.1', '[::1]:3000']) {
      const { status, cookies } = await askHost(service, host)
      assert.equal(status, 200, host)
      assert.match(cookies.join(), /^licet_form=[\w-]{24}; Path=\/; HttpOnly; SameSite=Lax$/)
    }
    service.app.baseUrl = 'http://shop.example.com'
    for (const host of ['shop.example.com', '192.168.1.5:3000', '0.0.0.0', 'xlocalhost']) {
      const { status, body, cookies } = await askHost(service, host)
      assert.equal(status, 403, host)
      assert.match(body, /https/)
      assert.ok(!body.includes('<form'), host)
      assert.deepEqual(cookies, [])
      const css = /href="(\/assets\/[^"]+)"/.exec(body)?.[1] ?? ''
      assert.equal((await service.app.inject({ url: css, headers: { host } })).statusCode, 200)
    }
  })

  // Other hosts belong to their owners: people must not type passwords of the service there.
  test('does not exist on other hosts than the own, with TLS or without', async () => {
    for (const baseUrl of ['http://shop.example.com', 'https://shop.example.com']) {
      service.app.baseUrl = baseUrl
      for (const host of ['1000.shop.example.com', 'other.example', 'localhost.example.com', '127.0.0.1.example.com']) {
        const { status, body, cookies } = await askHost(service, host)
        assert.equal(status, 404, host)
        assert.ok(!body.includes('<form'), host)
        assert.deepEqual(cookies, [])
      }
    }
    service.app.baseUrl = service.url
    assert.equal((await askHost(service, '1000.localhost')).status, 404)
  })

  test('does not open to a request without a host, or with an absolute address', async () => {
    const requests = ['GET /sign-in HTTP/1.0\r\n\r\n', 'GET /sign-in HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n']
    for (const request of requests) assert.match(await sendBytes(request), /^HTTP\/1\.1 403 /, request)
    const whole = 'GET http://evil.example/account HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'
    const [, location = ''] = /^location: (.*)\r$/im.exec(await sendBytes(whole)) ?? []
    assert.ok(!location.startsWith('http'), location)
  })

  test('accepts no password there either', async () => {
    const shop = await service.openShop()
    const visitor = visit(service.url)
    const _csrf = csrfTokenOn(await visitor.get('/sign-in'))
    service.app.baseUrl = 'http://shop.example.com'
    const answer = await service.app.inject({
      method: 'POST',
      url: '/sign-in',
      headers: {
        host: 'shop.example.com',
        cookie: `licet_form=${visitor.cookies.get('licet_form')}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      payload: new URLSearchParams({ _csrf, ...(await ownerOf(service, shop)) }).toString(),
    })
    assert.equal(answer.statusCode, 403)
    assert.equal(answer.headers['set-cookie'], undefined)
  })

  // Only a trusted proxy may set these headers.
  test('counts as encrypted if a trusted proxy says so, and not if another client does', async () => {
    const forwarded = { 'x-forwarded-proto': 'https' }
    for (const { app } of [proxied, service]) app.baseUrl = 'http://shop.example.com'
    const { status, cookies } = await askHost(proxied, 'shop.example.com', forwarded)
    assert.equal(status, 200)
    assert.match(cookies.join(), /^__Host-licet_form=[\w-]{24}; Path=\/; HttpOnly; Secure; SameSite=Lax$/)
    assert.equal((await askHost(proxied, 'shop.example.com', { 'x-forwarded-proto': 'http' })).status, 403)
    assert.equal((await askHost(proxied, 'shop.example.com')).status, 403)
    assert.equal((await askHost(service, 'shop.example.com', forwarded)).status, 403)
  })

  test('has cookies that no other subdomain can set, if it is reached over https', async () => {
    const shop = await service.openShop()
    service.app.baseUrl = 'https://shop.example.com'
    const visitor = visit(service.url)
    const page = await visitor.get('/sign-in')
    assert.match(page.headers.get('strict-transport-security') ?? '', /max-age=\d{8}/)
    const answer = await visitor.submit('/sign-in', await ownerOf(service, shop))
    assert.equal(answer.location, '/admin')
    const lines = answer.headers.getSetCookie()
    assert.equal(lines.length, 2)
    for (const line of lines)
      assert.match(
        line,
        /^__Host-licet_(session|browser)=[\w-]{43}; Max-Age=\d+; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
      )
    assert.equal((await visitor.get('/admin')).status, 200)
    const planted = visit(service.url)
    planted.cookies.set('licet_session', visitor.cookies.get('__Host-licet_session') ?? '')
    assert.equal((await planted.get('/admin')).status, 303)
    const _csrf = csrfTokenOn(await planted.get('/sign-in'))
    planted.cookies.set('licet_form', planted.cookies.get('__Host-licet_form') ?? '')
    planted.cookies.delete('__Host-licet_form')
    assertRefused(
      await planted.post('/sign-in', { _csrf, email: 'a@b', password: 'x' }),
      'a form cookie without prefix',
    )
    const out = await signOut(visitor)
    assert.match(out.headers.getSetCookie().join(), /^__Host-licet_session=; Max-Age=0; Path=\/; .*; Secure;/)
    service.app.baseUrl = service.url
  })
})

describe('every page', () => {
  test('runs no script, cannot be framed or cached, and sends no referrer', async () => {
    const shop = await service.openShop()
    const visitor = await signedIn(service, shop)
    const gets = allRoutes().filter(
      ({ method, url, site, scopes }) =>
        method === 'GET' && scopes.length === 0 && !url.includes('.') && !isOfShop({ url, site }),
    )
    const elsewhere = /^\/(admin\b|docs|files|invoices|health|lcp\/|ready|metrics|openapi|pictures|assets|\*$)/
    const pages = gets.map(({ url }) => url.replace(':token', 'x')).filter((url) => !elsewhere.test(url))
    assert.ok(pages.length >= 12, `${pages}`)
    for (const who of [visitor, visit(service.url)]) {
      for (const path of pages) {
        const page = await who.get(path)
        assert.ok([200, 303, 308, 400, 410].includes(page.status), `${path}: ${page.status}`)
        if (page.status === 303 || page.status === 308) continue
        const policy = page.headers.get('content-security-policy') ?? ''
        const expected =
          "default-src 'none'; style-src 'self'; img-src 'self' data:; font-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
        assert.equal(policy, expected, path)
        assert.equal(page.headers.get('cache-control'), 'no-store')
        assert.equal(page.headers.get('referrer-policy'), 'no-referrer')
        assert.equal(page.headers.get('x-content-type-options'), 'nosniff')
        assert.equal(page.headers.get('x-frame-options'), 'DENY')
        // An app that opens the prompt in a window of its own waits for that window.
        assert.equal(page.headers.get('cross-origin-opener-policy'), null)
        assert.ok(!/<script|\son\w+=|style=/i.test(page.text), path)
      }
    }
  })

  test('with a token in its address is logged without it', async () => {
    const token = 'x'.repeat(43)
    const paths = allRoutes()
      .filter(({ method, url, scopes }) => method === 'GET' && scopes.length === 0 && url.endsWith('/:token'))
      .map(({ url }) => url)
    assert.ok(paths.length >= 4, `${paths}`)
    for (const path of paths) {
      const before = service.log.length
      await visit(service.url).get(path.replace(':token', token))
      const lines = service.log.slice(before).join('\n')
      assert.ok(lines.includes(path.replace(':token', '…')), `${path}: ${lines}`)
      assert.ok(!lines.includes(token), lines)
    }
  })

  test('that fails is a page with the id that is in the log, without internal details', async () => {
    const shop = await service.openShop()
    const visitor = await signedIn(service, shop)
    await service.db.schema.alterTable('sessions').renameTo('sessions_away').execute()
    const page = await visitor.get('/reset')
    await service.db.schema.alterTable('sessions_away').renameTo('sessions').execute()
    assert.equal(page.status, 500)
    assert.match(page.headers.get('content-type') ?? '', /^text\/html/)
    const id = page.headers.get('x-request-id') ?? ''
    assert.ok(page.text.includes(id))
    assert.ok(!/sessions|relation|select/.test(page.text))
    assert.ok(service.log.some((line) => line.includes(id) && line.includes('defect')))
    assert.equal((await visitor.get('/reset')).status, 200)
  })
})
