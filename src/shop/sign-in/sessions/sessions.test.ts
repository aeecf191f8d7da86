import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { aCustomer, anEmail, CUSTOMER_PASSWORD, disableCustomer, readCustomer } from '#test/customers.ts'
import { useService } from '#test/harness.ts'
import { aFilm } from '#test/orders.ts'
import { assertPrivatePage, baseOf, useShopPages } from '#test/shop-pages.ts'

const service = useService()
// Waits of a second would be over before the next request on a slow machine.
before(() => service.clock.stop())
const pages = useShopPages(service)
const NEW_PASSWORD = 'another good password'

describe('signing in to a shop', () => {
  test('works with the password, and returns to the page that asked for it', async () => {
    const { email } = await aCustomer(pages.shop)
    const visitor = pages.comeIn()
    const away = await visitor.get(`${pages.base}/account/orders`)
    assert.equal(away.location, `${pages.base}/login?return_to=${encodeURIComponent(`${pages.base}/account/orders`)}`)
    assertPrivatePage(await visitor.follow(away), 200, /Sign in/)
    const back = await visitor.submit(`${pages.base}/login`, {
      email: ` ${email.toUpperCase()} `,
      password: CUSTOMER_PASSWORD,
    })
    assert.deepEqual([back.status, back.location], [303, `${pages.base}/account/orders`])
    const cookie = back.headers.getSetCookie().find((line) => line.startsWith('licet_customer=')) ?? ''
    assert.match(cookie, new RegExp(`; Path=${pages.base}; HttpOnly; SameSite=Lax$`))
    assertPrivatePage(await visitor.get(`${pages.base}/account`), 200, /Account/)
  })

  test('leads to no address outside the shop', async () => {
    const { email } = await aCustomer(pages.shop)
    for (const return_to of [
      'https://evil.example/',
      '//evil.example',
      '/\\evil.example',
      `${pages.base}/..//evil.example`,
      '/account',
    ]) {
      const answer = await pages.comeIn().post(`${pages.base}/login`, { email, password: CUSTOMER_PASSWORD, return_to })
      assert.deepEqual([answer.status, answer.location], [303, `${pages.base}/`], return_to)
    }
  })

  test('refuses an unknown address, a wrong password and a disabled customer in the same words', async () => {
    const customer = await aCustomer(pages.shop)
    const disabled = await aCustomer(pages.shop)
    await disableCustomer(service, disabled)
    const answers = [
      await pages.comeIn().post(`${pages.base}/login`, { email: anEmail(), password: CUSTOMER_PASSWORD }),
      await pages.comeIn().post(`${pages.base}/login`, { email: customer.email, password: 'wrong password' }),
      await pages.comeIn().post(`${pages.base}/login`, { email: disabled.email, password: CUSTOMER_PASSWORD }),
    ]
    for (const page of answers) {
      assertPrivatePage(page, 422, /Sign in/)
      assert.match(page.text, /role="alert">The email address or the password is wrong, or .* with a link instead\./)
      assert.equal(page.headers.getSetCookie().length, 0)
    }
  })

  test('makes a guesser wait', async () => {
    const { email } = await aCustomer(pages.shop)
    const guess = () => pages.comeIn().post(`${pages.base}/login`, { email, password: 'wrong password' })
    let answer = await guess()
    for (let count = 0; count < 10 && answer.status === 422; count += 1) answer = await guess()
    assert.equal(answer.status, 429)
    assert.ok(Number(answer.headers.get('retry-after')) > 0)
  })

  test('takes no form from elsewhere', async () => {
    const { email } = await aCustomer(pages.shop)
    for (const site of ['cross-site', 'same-site', 'none']) {
      const answer = await pages.comeIn({ 'sec-fetch-site': site }).post(`${pages.base}/login`, {
        email,
        password: CUSTOMER_PASSWORD,
      })
      assert.equal(answer.status, 403, site)
      assert.equal(answer.headers.getSetCookie().length, 0)
    }
  })

  // A session that somebody else has put into the browser must not become the customer's.
  test('gives the browser another session than it had', async () => {
    const { email } = await aCustomer(pages.shop)
    const visitor = await pages.signIn(email)
    const before = visitor.cookies.get('licet_customer') ?? ''
    await visitor.post(`${pages.base}/login`, { email, password: CUSTOMER_PASSWORD })
    assert.notEqual(visitor.cookies.get('licet_customer'), before)
    const old = pages.comeIn()
    old.cookies.set('licet_customer', before)
    assert.equal(await pages.isSignedIn(old), false)
  })

  test('works with a link by mail, once', async () => {
    const { email, token } = await aCustomer(pages.shop)
    const visitor = pages.comeIn()
    await visitor.get(`${pages.base}/login?return_to=${pages.base}/account/devices`)
    assertPrivatePage(await visitor.submit(`${pages.base}/login`, { email, decision: 'link' }), 200, /Check your email/)
    const link = await pages.linkTo(email, 'login')
    assert.equal((await pages.lastMailTo(email)).company_id, null)
    // Mail scanners open links.
    assertPrivatePage(await pages.comeIn().get(link), 200, /Sign in/)
    await visitor.get(link)
    const back = await visitor.submit(link)
    assert.deepEqual([back.status, back.location], [303, `${pages.base}/account/devices`])
    assert.equal((await readCustomer(pages.shop, token)).verified_email, true)
    assertPrivatePage(await pages.comeIn().get(link), 410, /This link no longer works/)
    assertPrivatePage(await pages.comeIn().post(link, {}), 410, /This link no longer works/)
  })

  test('tells nobody whether an address has an account', async () => {
    const email = anEmail()
    for (const [path, fields] of [
      ['login', { email, decision: 'link' }],
      ['reset', { email }],
    ] as const)
      assertPrivatePage(await pages.comeIn().post(`${pages.base}/${path}`, fields), 200, /Check your email/)
    assert.equal(await pages.countMailsTo(email), 0)
  })

  test('makes the customer of another company known to this one, which learns nothing else', async () => {
    const other = await service.openShop()
    const { email, token } = await aCustomer(other, { first_name: 'Jane' })
    // The company chose the password, so it opens no shop but its own until the customer has proved the address.
    const guesser = pages.comeIn()
    await guesser.post(`${pages.base}/login`, { email, password: CUSTOMER_PASSWORD })
    assert.equal(await pages.isSignedIn(guesser), false)
    assert.equal((await pages.shop.get(`/api/customers/${token}.json`)).status, 404)
    const visitor = await pages.signIn(email)
    assert.equal((await readCustomer(pages.shop, token)).first_name, '')
    assert.equal(await pages.isSignedIn(visitor), true)
    assert.equal(await pages.isSignedIn(visitor, await baseOf(other)), false)
  })

  test('ends with a form, and not with a link', async () => {
    const visitor = await pages.signIn((await aCustomer(pages.shop)).email)
    assert.equal((await visitor.get(`${pages.base}/logout`)).status, 404)
    await visitor.get(`${pages.base}/account`)
    const cookie = visitor.cookies.get('licet_customer') ?? ''
    const answer = await visitor.submit(`${pages.base}/logout`)
    assert.deepEqual([answer.status, answer.location, visitor.cookies.size], [303, `${pages.base}/`, 0])
    visitor.cookies.set('licet_customer', cookie)
    assert.equal(await pages.isSignedIn(visitor), false)
  })
})

describe('the password that a company chose', () => {
  const hashOf = async (token: string) =>
    (
      await service.db
        .selectFrom('customers')
        .select('password_hash')
        .where('token', '=', token)
        .executeTakeFirstOrThrow()
    ).password_hash
  const followLink = async (email: string) => {
    const visitor = pages.comeIn()
    await visitor.get(`${pages.base}/login`)
    await visitor.submit(`${pages.base}/login`, { email, decision: 'link' })
    await service.runJobs()
    await visitor.get(await pages.linkTo(email, 'login'))
    await visitor.submit(/\/login\//)
    assert.equal(await pages.isSignedIn(visitor), true)
  }

  test('stays for its apps when the customer proves the address, and ends where others know the customer', async () => {
    const own = await aCustomer(pages.shop)
    const before = await hashOf(own.token)
    await followLink(own.email)
    assert.equal(await hashOf(own.token), before)
    const shared = await aCustomer(await service.openShop())
    const film = await aFilm(service, pages.shop)
    const order = { customer: { email: shared.email }, line_items: [{ product_id: film.product_id }] }
    assert.equal((await pages.shop.post('/api/orders.json', { order })).status, 201)
    await followLink(shared.email)
    assert.equal(await hashOf(shared.token), null)
  })
})

describe('signing up in a shop', () => {
  test('creates the account once the address is confirmed', async () => {
    const email = anEmail()
    const visitor = pages.comeIn({ 'accept-language': 'en' })
    await visitor.get(`${pages.base}/register`)
    const sent = await visitor.submit(`${pages.base}/register`, { email, first_name: 'Jane', last_name: 'Roe' })
    assertPrivatePage(sent, 200, /Check your email/)
    const link = await pages.linkTo(email, 'register')
    assert.equal((await pages.shop.get(`/api/customers/search.json?query=email:${email}`)).body.customers.length, 0)
    assertPrivatePage(await visitor.get(link), 200, /Choose a password/)
    assertPrivatePage(await visitor.submit(link, { password: 'short' }), 422, /Choose a password/)
    const done = await visitor.submit(link, { password: NEW_PASSWORD })
    assert.deepEqual([done.status, done.location], [303, `${pages.base}/account`])
    assert.equal(await pages.isSignedIn(visitor), true)
    const [customer] = (await pages.shop.get(`/api/customers/search.json?query=email:${email}`)).body.customers
    assert.deepEqual([customer.first_name, customer.verified_email], ['Jane', true])
    await pages.signIn(email, NEW_PASSWORD)
    assertPrivatePage(await pages.comeIn().get(link), 410, /This link no longer works/)
  })

  test('sends somebody who has an account a link to sign in', async () => {
    const { email } = await aCustomer(pages.shop)
    assertPrivatePage(await pages.comeIn().post(`${pages.base}/register`, { email }), 200, /Check your email/)
    assert.match((await pages.lastMailTo(email)).subject, /You already have an account/)
    await pages.linkTo(email, 'login')
  })

  test('names what is wrong beside the field', async () => {
    const answer = await pages.comeIn().post(`${pages.base}/register`, { email: 'nobody', first_name: 'x'.repeat(200) })
    assertPrivatePage(answer, 422, /Create an account/)
    assert.match(answer.text, /id="email-error">This is not an email address\./)
    assert.match(answer.text, /id="first_name-error">This name is too long\./)
  })

  test('works in no other shop than the one that sent the link', async () => {
    const email = anEmail()
    await pages.comeIn().post(`${pages.base}/register`, { email })
    const link = await pages.linkTo(email, 'register')
    const other = await baseOf(await service.openShop())
    assertPrivatePage(await pages.comeIn().get(link.replace(pages.base, other)), 410, /This link no longer works/)
  })
})
