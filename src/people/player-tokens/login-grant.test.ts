import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { aCustomer, anEmail, CUSTOMER_PASSWORD, disableCustomer } from '#test/customers.ts'
import type { Wire } from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'
import { aLoginToken } from '#test/login-tokens.ts'
import { registerApp } from '#test/people.ts'

const service = useService()
const LIMIT = { burst: 10, perSecond: 0.001 }
const limited = useService({ rateLimit: LIMIT })
const BACK = 'https://app.example.com/back'

type Client = { client_id: string; id: number }

const exchange = (parameters: Record<string, string>) =>
  service.call('POST', '/token', {
    body: new URLSearchParams(parameters).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })

const refresh = ({ client_id }: Client, refresh_token: string, more: Record<string, string> = {}) =>
  exchange({ grant_type: 'refresh_token', refresh_token, client_id, ...more })

async function byLoginToken(app: Client, shop: Shop, content: object, more: Record<string, string> = {}) {
  const login_token = await aLoginToken(service, shop, content)
  return exchange({ grant_type: 'login_token', client_id: app.client_id, login_token, ...more })
}

describe('POST /token with a login token', () => {
  let shop: Shop
  let app: Client

  before(async () => {
    shop = await service.openShop()
    app = await registerApp(service, shop, [BACK])
  })

  test('lets a known customer in by token, or by address and password', async () => {
    const customer = await aCustomer(shop)
    const password = CUSTOMER_PASSWORD
    for (const content of [
      { customer_token: customer.token },
      { token: customer.token.toLowerCase() },
      { email: customer.email.toUpperCase(), password },
    ]) {
      const { status, body, text } = await byLoginToken(app, shop, content)
      assert.equal(status, 200, text)
      assert.equal(body.scope, 'player')
      assert.equal(body.customer_token, customer.token)
      assert.equal((await refresh(app, body.refresh_token)).status, 200)
    }
  })

  test('creates the account that is missing, under the company of the theme setting', async () => {
    const email = anEmail()
    const other = await service.openShop()
    const settings = await other.get('/api/themesettings.json')
    const theme_setting_id = String(settings.body.ThemeSettings[0].id)
    const content = {
      email,
      password: CUSTOMER_PASSWORD,
      first_name: 'Jane',
      last_name: null,
      addresses: [{ address1: 'Main Street 1', zip: 10115, city: 'Berlin', country_code: 'DE', default: true }],
    }
    const answer = await byLoginToken(app, other, content, { theme_setting_id })
    assert.equal(answer.status, 200, answer.text)
    const { body } = await other.get(`/api/customers/${answer.body.customer_token}.json`)
    assert.equal(body.customer.email, email)
    assert.equal(body.customer.first_name, 'Jane')
    assert.equal(body.customer.default_address.zip, '10115')
    assert.equal((await shop.get(`/api/customers/${answer.body.customer_token}.json`)).status, 404)
  })

  // The site of the shop owner cannot know whether the customer came in.
  test('takes a token once, of fifty at once too', async () => {
    const email = anEmail()
    const login_token = await aLoginToken(service, shop, { email, password: CUSTOMER_PASSWORD })
    const send = (text: string) => exchange({ grant_type: 'login_token', client_id: app.client_id, login_token: text })
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => send(index % 2 === 0 ? login_token : login_token.replaceAll('=', ''))),
    )
    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
    assert.equal(answers.filter(({ body }) => body.error === 'invalid_grant').length, 49)
    assert.equal((await send(login_token)).body.error, 'invalid_grant')
  })

  // Each check of the password counts until it is done, so a few more at once would have to wait.
  test('creates one account from several tokens at once', async () => {
    const email = anEmail()
    const content = { email, password: CUSTOMER_PASSWORD }
    const answers = await Promise.all(Array.from({ length: 4 }, () => byLoginToken(app, shop, content)))
    assert.deepEqual(
      answers.map(({ status }) => status),
      answers.map(() => 200),
    )
    assert.equal(new Set(answers.map(({ body }) => body.customer_token)).size, 1)
  })

  const ago = (seconds: number) => new Date(service.clock.now().getTime() - seconds * 1000).toISOString()
  const refusals: [string, (customer: Wire) => object | Promise<object>][] = [
    ['a token that is too old', ({ token }) => ({ token, created_at: ago(15 * 60 + 5) })],
    ['a token from the future', ({ token }) => ({ token, created_at: ago(-65) })],
    ['a time that is none', ({ token }) => ({ token, created_at: 'yesterday' })],
    ['another network address', ({ token }) => ({ token, remote_ip: '192.0.2.7' })],
    ['a wrong password', ({ email }) => ({ email, password: 'something else' })],
    ['an unknown customer token', () => ({ token: 'AAAAAAAAAAAAAAAA' })],
    ['neither customer nor password', ({ email }) => ({ email })],
    ['a password that is too short', () => ({ email: anEmail(), password: 'short' })],
    ['a content that is no object', () => []],
    ['an email address that is none', () => ({ email: 'nobody', password: CUSTOMER_PASSWORD })],
    [
      'a disabled customer',
      async (customer) => {
        await disableCustomer(service, customer)
        return { token: customer.token }
      },
    ],
    ['a customer of another company', async () => ({ token: (await aCustomer(await service.openShop())).token })],
  ]
  for (const [what, content] of refusals) {
    test(`refuses ${what}, and only the log says why`, async () => {
      const answer = await byLoginToken(app, shop, await content(await aCustomer(shop)))
      assert.equal(answer.status, 400)
      assert.equal(answer.body.error, 'invalid_grant')
      assert.ok(service.log.some((line) => line.includes('token exchange refused') && /"why":".+"/.test(line)))
    })
  }

  test('takes a token at the edges of its time, and from its network address', async () => {
    const { token } = await aCustomer(shop)
    for (const content of [
      { created_at: ago(15 * 60 - 5) },
      { created_at: ago(-55) },
      { remote_ip: '127.0.0.1' },
      { remote_ip: '::ffff:127.0.0.1' },
    ]) {
      const answer = await byLoginToken(app, shop, { token, ...content })
      assert.equal(answer.status, 200, `${JSON.stringify(content)} ${answer.text}`)
    }
  })

  test('refuses a token that was changed, cut, or made with another secret', async () => {
    const { token } = await aCustomer(shop)
    const other = await service.openShop()
    const right = await aLoginToken(service, shop, { token })
    const foreign = await aLoginToken(service, other, { token })
    const changed = `${right.slice(0, 30)}${right[30] === 'A' ? 'B' : 'A'}${right.slice(31)}`
    for (const login_token of [foreign, changed, right.slice(0, -8), right.slice(4), 'x', '%%', `${right}AAAA`]) {
      const answer = await exchange({ grant_type: 'login_token', client_id: app.client_id, login_token })
      assert.equal(answer.body.error, 'invalid_grant', login_token)
    }
    // A refusal uses nothing up.
    const urn = 'urn:licet:oauth:grant-type:login-token'
    const answer = await exchange({ grant_type: urn, client_id: app.client_id, login_token: right })
    assert.equal(answer.status, 200)
  })

  test('says what is missing or not allowed', async () => {
    const grant = { grant_type: 'login_token', client_id: app.client_id }
    assert.equal((await exchange(grant)).body.error, 'invalid_request')
    const { token } = await aCustomer(shop)
    const login_token = await aLoginToken(service, shop, { token })
    const elsewhere = await exchange({ ...grant, login_token, theme_setting_id: '999999' })
    assert.equal(elsewhere.body.error, 'invalid_request')
    const narrow = await registerApp(service, shop, [BACK], { scopes: ['orders'] })
    const refused = await exchange({ ...grant, login_token, client_id: narrow.client_id })
    assert.equal(refused.body.error, 'unauthorized_client')
  })
})

describe('the rate limit', () => {
  // Otherwise a few customers of a popular app could use up what all of them share.
  test('is one for each customer, beside that of the app for the company', async () => {
    const [one, other] = [await aCustomer(limitedShop()), await aCustomer(limitedShop())]
    const remainingOf = async ({ token }: Shop) =>
      Number((await limited.call('GET', '/api/tokeninfo', { token })).headers.get('ratelimit-remaining'))
    const [first, second] = [await limitedShop().asCustomer(one.id), await limitedShop().asCustomer(other.id)]
    assert.equal(await remainingOf(first), LIMIT.burst - 1)
    assert.equal(await remainingOf(first), LIMIT.burst - 2)
    assert.equal(await remainingOf(second), LIMIT.burst - 1)
    assert.equal(await remainingOf(limitedShop()), LIMIT.burst - 3)
  })

  let opened: Shop | undefined
  const limitedShop = () => opened ?? assert.fail('the shop opens in a before hook')
  before(async () => {
    opened = await limited.openShop()
  })
})
