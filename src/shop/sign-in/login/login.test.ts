import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { findCustomerSession } from '#people/customers/sessions/queries.ts'
import { tokenHash } from '#platform/identity/crypto.ts'
import { aCustomer, anEmail, CUSTOMER_PASSWORD, disableCustomer, readCustomer } from '#test/customers.ts'
import { proveDomains } from '#test/domains.ts'
import { aThemeSetting, type Wire } from '#test/factories.ts'
import { type Answer, type Shop, useService } from '#test/harness.ts'
import { askHost } from '#test/hosts.ts'
import { aLoginToken, encryptLogin } from '#test/login-tokens.ts'

const service = useService()
const OWN = 'shops.example.com'
const TITLE = /<h1>This link is no longer valid<\/h1>/

let shop: Shop
let shopId: number

beforeEach(async () => {
  shop ??= await service.openShop()
  shopId ??= await firstShopOf(shop)
  service.app.baseUrl = `https://${OWN}`
})

async function firstShopOf(owner: Shop): Promise<number> {
  return (await owner.get('/api/themesettings.json')).body.ThemeSettings[0].id
}

type Sent = { host?: string; cookie?: string; method?: string; language?: string }

const open = (
  token: string,
  id: number | string = shopId,
  { host = OWN, cookie = '', method = 'GET', language = 'en' }: Sent = {},
) =>
  askHost(service.url, {
    host,
    method,
    path: `/api/customers/login/${id}/${token}`,
    headers: { cookie, 'accept-language': language, 'user-agent': 'Mozilla/5.0 (X11; Linux) Firefox/140.0' },
  })

/** Follows the redirect to another host of the shop, if there is one. */
async function follow(answer: Answer): Promise<Answer> {
  const location = answer.headers.get('location') ?? ''
  if (!location.startsWith('https://')) return answer
  const { host, pathname, search } = new URL(location)
  return askHost(service.url, { host, path: pathname + search })
}

const cookieOf = ({ headers }: Answer, name: string) =>
  new RegExp(`${name}=([\\w-]{43});`).exec(headers.get('set-cookie') ?? '')?.[1]

/** The customer whose session a login has started. */
async function entered(answer: Answer, owner = shop, id = shopId, name = '__Secure-licet_customer') {
  assert.equal(answer.status, 303, answer.text)
  const token = cookieOf(answer, name)
  assert.ok(token, answer.headers.get('set-cookie') ?? 'no cookie')
  const session = { company_id: owner.companyId, id }
  return findCustomerSession(service.db, session, tokenHash(token), service.clock.now())
}

const lastReason = () => /"why":"([^"]+)"/.exec(service.log.findLast((line) => line.includes('login of a')) ?? '')?.[1]

describe('GET /api/customers/login/{themesettings_id}/{login_token}', () => {
  test('signs a known customer in, by token or by address and password', async () => {
    const customer = await aCustomer(shop, { first_name: 'Jane' })
    for (const content of [
      { customer_token: customer.token },
      { token: customer.token.toLowerCase() },
      { email: customer.email.toUpperCase(), password: CUSTOMER_PASSWORD },
    ]) {
      const answer = await open(await aLoginToken(service, shop, content))
      assert.equal(answer.headers.get('location'), `/shop/${shopId}/my-content`)
      assert.equal(answer.headers.get('cache-control'), 'no-store')
      const visit = await entered(answer)
      assert.equal(visit?.customer.token, customer.token)
      assert.equal(visit?.customer.first_name, 'Jane')
    }
  })

  test('answers as the OpenAPI document says to an address that nobody was sent to', async () => {
    service.app.baseUrl = service.url
    const token = await aLoginToken(service, shop, { token: (await aCustomer(shop)).token })
    const path = `/api/customers/login/${shopId}/${token}`
    for (const query of ['?moved=11', '?moved=1&moved=1', `?moved=${'x'.repeat(2000)}`])
      assert.equal((await service.call('GET', `${path}${query}`)).status, 422, query)
    assert.equal((await service.call('HEAD', path)).status, 405)
    assert.equal((await service.call('GET', `/api/customers/login/${'0'.repeat(3000)}/${token}`)).status, 414)
    for (const none of [`/api/customers/login/${shopId}/`, `${path}/more`, `/api/customers/login/${shopId}//`])
      assert.equal((await service.call('GET', none)).status, 410, none)
    service.app.baseUrl = `http://${OWN}`
    assert.equal((await service.call('GET', path, { headers: { host: OWN } })).status, 403)
    service.app.baseUrl = service.url
    assert.equal((await service.call('GET', path)).status, 303)
    assert.equal((await service.call('GET', path)).status, 410)
  })

  test('sets a cookie for this shop alone, out of reach of scripts', async () => {
    const { token } = await aCustomer(shop)
    const answer = await open(await aLoginToken(service, shop, { token }))
    const cookies = answer.headers.get('set-cookie') ?? ''
    assert.match(
      cookies,
      new RegExp(
        `__Secure-licet_customer=[\\w-]{43}; Max-Age=7776000; Path=/shop/${shopId}; HttpOnly; Secure; SameSite=Lax`,
      ),
    )
    const onHost = await open(await aLoginToken(service, shop, { token }), shopId, { host: `${shopId}.${OWN}` })
    assert.match(
      onHost.headers.get('set-cookie') ?? '',
      /__Host-licet_customer=[\w-]{43}; Max-Age=7776000; Path=\/; HttpOnly; Secure; SameSite=Lax/,
    )
    assert.equal(onHost.headers.get('location'), '/my-content')
    service.app.baseUrl = service.url
    const local = await open(await aLoginToken(service, shop, { token }), shopId, { host: 'localhost' })
    assert.match(local.headers.get('set-cookie') ?? '', /licet_customer=[\w-]{43};[^,]*HttpOnly; SameSite=Lax/)
    assert.doesNotMatch(local.headers.get('set-cookie') ?? '', /licet_customer=[\w-]{43};[^,]*Secure/)
  })

  test('keeps browser and network of the session, without the whole address', async () => {
    const { token, id } = await aCustomer(shop)
    await open(await aLoginToken(service, shop, { token }))
    const row = await service.db
      .selectFrom('customer_sessions')
      .selectAll()
      .where('company_id', '=', shop.companyId)
      .where('customer_id', '=', id)
      .executeTakeFirstOrThrow()
    assert.deepEqual([row.browser, row.network], ['Firefox on Linux', '127.0.0.0/24'])
  })

  test('refuses to sign anybody in over http from another machine', async () => {
    service.app.baseUrl = `http://${OWN}`
    const { token } = await aCustomer(shop)
    assert.equal((await open(await aLoginToken(service, shop, { token }))).status, 403)
  })

  test('creates the account that is missing, under the company of the theme setting', async () => {
    const other = await service.openShop()
    const content = { email: anEmail(), password: CUSTOMER_PASSWORD, first_name: 'Jane', identifier: 'x' }
    const id = await firstShopOf(other)
    const visit = await entered(await open(await aLoginToken(service, other, content), id), other, id)
    assert.ok(visit)
    assert.equal((await readCustomer(other, visit.customer.token)).first_name, 'Jane')
    assert.equal((await shop.get(`/api/customers/${visit.customer.token}.json`)).status, 404)
    // The secret of one company opens no shop of another.
    assert.equal((await open(await aLoginToken(service, other, content), shopId)).status, 410)
  })

  test('lets one in of fifty at once', async () => {
    const token = await aLoginToken(service, shop, { email: anEmail(), password: CUSTOMER_PASSWORD })
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => open(index % 2 === 0 ? token : token.replaceAll('=', ''))),
    )
    assert.equal(answers.filter(({ status }) => status === 303).length, 1)
    assert.equal(answers.filter(({ status }) => status === 410).length, 49)
    assert.equal(lastReason(), 'the token was used already')
  })

  test('does not use a token up when only the headers are asked for', async () => {
    const { token } = await aCustomer(shop)
    const login = await aLoginToken(service, shop, { token })
    assert.notEqual((await open(login, shopId, { method: 'HEAD' })).status, 303)
    assert.equal((await open(login)).status, 303)
  })

  test('takes a token that is longer than other parts of paths', async () => {
    const address = { address1: 'Main Street 1', city: 'Berlin', zip: '10115', country_code: 'DE', phone: '+49 30 1' }
    const content = { email: anEmail(), password: CUSTOMER_PASSWORD, addresses: Array(20).fill(address) }
    const token = await aLoginToken(service, shop, content)
    assert.ok(token.length > 2000)
    const visit = await entered(await open(token))
    assert.equal((await readCustomer(shop, visit?.customer.token ?? '')).addresses.length, 20)
  })

  test('ends the session that the browser had', async () => {
    const { token } = await aCustomer(shop)
    const first = await open(await aLoginToken(service, shop, { token }))
    assert.ok(await entered(first))
    const cookie = `__Secure-licet_customer=${cookieOf(first, '__Secure-licet_customer')}`
    const second = await open(await aLoginToken(service, shop, { token }), shopId, { cookie })
    assert.ok(await entered(second))
    assert.equal(await entered(first), undefined)
    assert.notEqual(cookieOf(first, 'licet_customer'), cookieOf(second, 'licet_customer'))
  })

  const ago = (seconds: number) => new Date(service.clock.now().getTime() - seconds * 1000).toISOString()
  const REFUSED: [string, string, (customer: Wire) => object | Promise<object>][] = [
    ['a token that is too old', 'the token is too old', ({ token }) => ({ token, created_at: ago(905) })],
    ['a token from the future', 'the token comes from the future', ({ token }) => ({ token, created_at: ago(-65) })],
    ['another address', 'the token is for another network address', ({ token }) => ({ token, remote_ip: '192.0.2.7' })],
    ['a wrong password', 'the password is wrong', ({ email }) => ({ email, password: 'something else' })],
    ['an unknown customer', 'the company does not know the customer', () => ({ token: 'AAAAAAAAAAAAAAAA' })],
    ['a content without a customer', 'the content is not that of a login token', ({ email }) => ({ email })],
    [
      'a disabled customer',
      'the customer is disabled',
      async (customer) => {
        await disableCustomer(service, customer)
        return { token: customer.token }
      },
    ],
  ]
  for (const [what, why, content] of REFUSED) {
    test(`refuses ${what} with one page, and only the log says why`, async () => {
      const answer = await open(await aLoginToken(service, shop, await content(await aCustomer(shop))))
      assert.equal(answer.status, 410)
      assert.match(answer.text, TITLE)
      assert.doesNotMatch(answer.text, new RegExp(why))
      assert.equal(answer.headers.get('set-cookie'), null)
      assert.equal(lastReason(), why)
    })
  }

  test('refuses a token that was changed, or that is none, and a shop that does not exist', async () => {
    const { token } = await aCustomer(shop)
    const right = await aLoginToken(service, shop, { token })
    const changed = `${right.slice(0, 30)}${right[30] === 'A' ? 'B' : 'A'}${right.slice(31)}`
    for (const text of [changed, right.slice(0, -8), 'x', '%25', 'x/y']) {
      const answer = await open(text)
      assert.equal(answer.status, 410, text)
      assert.match(answer.text, TITLE)
    }
    for (const id of ['999999', 'x', '-1', '1e3']) assert.equal((await open(right, id)).status, 410, id)
    assert.equal((await open(right)).status, 303)
  })

  test('says so in the language of the browser, with a link to the shop', async () => {
    const answer = await open('x', shopId, { language: 'de-AT, en;q=0.5' })
    assert.match(answer.text, /<html lang="de">/)
    assert.match(answer.text, /<h1>Dieser Link ist nicht mehr gültig<\/h1>/)
    assert.ok(answer.text.includes(`href="/shop/${shopId}/"`))
  })

  test('leaves the token out of the log', async () => {
    const { token } = await aCustomer(shop)
    for (const id of [shopId, '']) {
      const login = await aLoginToken(service, shop, { token })
      await open(login, id)
      assert.ok(!service.log.some((line) => line.includes(login.slice(0, 40))), `in /login/${id}/`)
    }
  })
})

describe('the shop of a login', () => {
  test('is the first one of the company without an id', async () => {
    const second = await aThemeSetting(shop)
    const { token } = await aCustomer(shop)
    for (const id of ['', 0]) {
      for (const host of [OWN, `${second.id}.${OWN}`]) {
        const answer = await follow(await open(await aLoginToken(service, shop, { token }), id, { host }))
        assert.ok(await entered(answer), `${id} at ${host}`)
        assert.equal(answer.headers.get('location'), `/shop/${shopId}/my-content`)
      }
    }
    const answer = await open(await aLoginToken(service, shop, { token }), second.id)
    assert.ok(await entered(answer, shop, second.id))
    assert.equal(answer.headers.get('location'), `/shop/${second.id}/my-content`)
  })

  test('gets its cookie on its own domain, wherever the login begins', async () => {
    const owner = await service.openShop()
    const id = await firstShopOf(owner)
    await owner.put(`/api/themesettings/${id}.json`, { ThemeSetting: { shop_domain: 'films.example.com' } })
    await proveDomains(service, owner, 'films.example.com')
    const { token } = await aCustomer(owner)
    const return_to = 'https://films.example.com/products/1?embedded=1'
    for (const host of [OWN, `${shopId}.${OWN}`]) {
      const login = await aLoginToken(service, owner, { token, return_to })
      const away = await open(login, id, { host })
      assert.equal(away.status, 303)
      assert.equal(away.headers.get('set-cookie'), null)
      assert.equal(away.headers.get('location'), `https://films.example.com/api/customers/login/${id}/${login}?moved=1`)
      const there = await follow(away)
      assert.ok(await entered(there, owner, id, '__Host-licet_customer'))
      assert.equal(there.headers.get('location'), '/products/1?embedded=1')
    }
    // A proxy that hides the host must not send the browser round in circles.
    const login = await aLoginToken(service, owner, { token, return_to })
    const answer = await open(`${login}?moved=1`, id)
    assert.ok(await entered(answer, owner, id))
    assert.equal(answer.headers.get('location'), `/shop/${id}/products/1?embedded=1`)
  })

  test('takes the published example', async () => {
    const owner = await service.openShop()
    const id = await firstShopOf(owner)
    await owner.put(`/api/themesettings/${id}.json`, { ThemeSetting: { shop_domain: 'shop.example.com' } })
    await proveDomains(service, owner, 'shop.example.com')
    const secret = 'multipass secret from company'
    await service.db
      .updateTable('companies')
      .set({ external_access_token: secret })
      .where('id', '=', owner.companyId)
      .execute()
    const customer = await aCustomer(owner)
    await service.db.updateTable('customers').set({ token: 'TNFEQBBVTEDXLUPN' }).where('id', '=', customer.id).execute()
    const iv = Buffer.from(Array.from({ length: 16 }, (_, index) => index))
    const json = String.raw`{"token":"TNFEQBBVTEDXLUPN","return_to":"https:\/\/shop.example.com\/?embedded=1","created_at":"2024-06-10T09:30:00+00:00"}`
    const seconds = (service.clock.now().getTime() - Date.parse('2024-06-10T09:31:00Z')) / 1000
    service.clock.advance(-seconds)
    try {
      const answer = await follow(await open(encryptLogin(secret, json, iv), id))
      assert.equal((await entered(answer, owner, id, '__Host-licet_customer'))?.customer.email, customer.email)
      assert.equal(answer.headers.get('location'), '/?embedded=1')
    } finally {
      service.clock.advance(seconds)
    }
  })
})

describe('a shop in a frame', () => {
  test('keeps the session of a login for each site that frames it', async () => {
    const owner = await service.openShop()
    const { id } = await aThemeSetting(owner, { frame_origins: ['https://Portal.example.com/', 'https://b.example'] })
    const { token } = await aCustomer(owner)
    const answer = await open(await aLoginToken(service, owner, { token }), id)
    assert.ok(await entered(answer, owner, id, '__Secure-licet_customer_framed'))
    assert.match(
      answer.headers.get('set-cookie') ?? '',
      /__Secure-licet_customer_framed=[\w-]{43};[^,]*HttpOnly; Secure; Partitioned; SameSite=None/,
    )
    const refused = await open('x', id)
    const policy = refused.headers.get('content-security-policy') ?? ''
    assert.match(policy, /frame-ancestors https:\/\/portal\.example\.com https:\/\/b\.example;/)
    assert.equal(refused.headers.get('x-frame-options'), null)
  })

  test('is refused to everybody whom the owner did not name', async () => {
    const refused = await open('x')
    assert.match(refused.headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/)
    assert.equal(refused.headers.get('x-frame-options'), 'DENY')
  })
})

describe('the session of a customer', () => {
  async function signIn() {
    const customer = await aCustomer(shop)
    const answer = await open(await aLoginToken(service, shop, { token: customer.token }))
    assert.ok(await entered(answer))
    return { customer, answer }
  }

  test('ends when the customer is disabled, deleted, or gets another password', async () => {
    const endings: ((customer: Wire) => Promise<unknown>)[] = [
      (customer) => disableCustomer(service, customer),
      ({ token }) => shop.delete(`/api/customers/${token}.json`),
      ({ token }) => shop.put(`/api/customers/${token}.json`, { customer: { password: 'another password' } }),
    ]
    for (const end of endings) {
      const { customer, answer } = await signIn()
      await end(customer)
      assert.equal(await entered(answer), undefined, String(end))
    }
  })

  test('stays when the company changes anything else', async () => {
    const { customer, answer } = await signIn()
    await shop.put(`/api/customers/${customer.token}.json`, { customer: { email: anEmail(), first_name: 'Jo' } })
    assert.ok(await entered(answer))
  })

  test('is worth nothing in another shop', async () => {
    const { answer } = await signIn()
    const second = await aThemeSetting(shop)
    assert.equal(await entered(answer, shop, second.id), undefined)
    const other = await service.openShop()
    assert.equal(await entered(answer, other, await firstShopOf(other)), undefined)
  })

  test('ends with its shop', async () => {
    const { id } = await aThemeSetting(shop)
    const { token } = await aCustomer(shop)
    const answer = await open(await aLoginToken(service, shop, { token }), id)
    assert.ok(await entered(answer, shop, id))
    assert.equal((await shop.delete(`/api/themesettings/${id}.json`)).status, 200)
    assert.equal(await entered(answer, shop, id), undefined)
  })

  test('ends after 30 days without use', async () => {
    const { answer } = await signIn()
    service.clock.advance(30 * 86_400 - 60)
    assert.ok(await entered(answer))
    service.clock.advance(120)
    assert.equal(await entered(answer), undefined)
  })
})
