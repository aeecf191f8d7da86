import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { browserIn } from '#identity/users/sessions/rules.ts'
import { translatorOf } from '#platform/text/messages.ts'
import { aCustomer, anEmail, CUSTOMER_PASSWORD, readCustomer, shareCustomer } from '#test/customers.ts'
import type { Wire } from '#test/factories.ts'
import { useService } from '#test/harness.ts'
import { aBuyer, aFilm, anOrder } from '#test/orders.ts'
import { useReceiver } from '#test/receiver.ts'
import { assertPrivatePage, baseOf, useShopPages } from '#test/shop-pages.ts'
import type { PageAnswer, Visitor } from '#test/visitor.ts'
import { change } from '#test/webhooks.ts'

const service = useService()
const pages = useShopPages(service)
const receiver = useReceiver()
const NEW_PASSWORD = 'another good password'

/** Asks for the link that deletes the account, and finds it in the mail. */
async function mailAgain(visitor: Visitor, email: string): Promise<string> {
  await visitor.get(`${pages.base}/account/delete`)
  await visitor.submit(`${pages.base}/account/delete`)
  return pages.linkTo(email, 'customer')
}

describe('the account of a customer', () => {
  test('gets a new password through a link, which ends all sessions', async () => {
    const { email } = await aCustomer(pages.shop)
    const elsewhere = await pages.signIn(email)
    const visitor = pages.comeIn()
    await visitor.get(`${pages.base}/reset`)
    await visitor.submit(`${pages.base}/reset`, { email })
    const link = await pages.linkTo(email, 'customer')
    assertPrivatePage(await visitor.get(link), 200, /Choose a new password/)
    const done = await visitor.submit(link, { password: NEW_PASSWORD })
    assert.deepEqual([done.status, done.location], [303, `${pages.base}/account?done=password`])
    assert.match((await visitor.follow(done)).text, /role="status">Your password was changed\./)
    assert.equal(await pages.isSignedIn(elsewhere), false)
    assert.match((await pages.lastMailTo(email)).subject, /Your password was changed/)
    await pages.signIn(email, NEW_PASSWORD)
    assertPrivatePage(await pages.comeIn().get(link), 410, /This link no longer works/)
  })

  test('gets a new password from somebody who knows the old one', async () => {
    const { email } = await aCustomer(pages.shop)
    const elsewhere = await pages.signIn(email)
    const visitor = await pages.signIn(email)
    await visitor.get(`${pages.base}/account/password`)
    const wrong = await visitor.submit(`${pages.base}/account/password`, {
      current_password: 'wrong password',
      password: NEW_PASSWORD,
    })
    assertPrivatePage(wrong, 422, /Change password/)
    assert.match(wrong.text, /id="current_password-error">This is not your current password\./)
    const done = await visitor.submit(`${pages.base}/account/password`, {
      current_password: CUSTOMER_PASSWORD,
      password: NEW_PASSWORD,
    })
    assert.equal(done.location, `${pages.base}/account?done=password`)
    assert.deepEqual([await pages.isSignedIn(visitor), await pages.isSignedIn(elsewhere)], [true, false])
    await pages.signIn(email, NEW_PASSWORD)
  })

  // Otherwise the site of one shop could choose the password of an account that other shops know.
  test('gets its first password through a link alone', async () => {
    const { email, id } = await aCustomer(pages.shop)
    const visitor = await pages.signIn(email)
    await service.db.updateTable('customers').set({ password_hash: null }).where('id', '=', id).execute()
    for (const path of ['password', 'email'])
      assert.equal((await visitor.get(`${pages.base}/account/${path}`)).location, `${pages.base}/reset`)
    const form = { current_password: '', password: NEW_PASSWORD, email: anEmail() }
    assert.equal((await visitor.post(`${pages.base}/account/password`, { ...form, email: '' })).status, 422)
  })

  test('gets a new email address that the customer reads', async () => {
    const { email, token } = await aCustomer(pages.shop)
    const newEmail = anEmail()
    const visitor = await pages.signIn(email)
    await visitor.get(`${pages.base}/account/email`)
    assertPrivatePage(
      await visitor.submit(`${pages.base}/account/email`, { email: newEmail, current_password: 'wrong password' }),
      422,
      /email/,
    )
    const sent = await visitor.submit(`${pages.base}/account/email`, {
      email: newEmail,
      current_password: CUSTOMER_PASSWORD,
    })
    assertPrivatePage(sent, 200, /Check your email/)
    assert.equal((await readCustomer(pages.shop, token)).email, email)
    const link = await pages.linkTo(newEmail, 'customer')
    assertPrivatePage(await visitor.get(link), 200, /Confirm your new email address/)
    assert.equal((await visitor.submit(link)).location, `${pages.base}/account?done=email`)
    assert.equal((await readCustomer(pages.shop, token)).email, newEmail)
    assert.match((await pages.lastMailTo(email)).subject, /Your email address was changed/)
  })

  test('tells apps with a data change sync URL of both changes', async () => {
    await change(service, pages.shop, { dataChangeSyncUrl: receiver.url('/sync') })
    const { email, token } = await aCustomer(pages.shop)
    const newEmail = anEmail()
    const visitor = await pages.signIn(email)
    const passwords = { current_password: CUSTOMER_PASSWORD, password: NEW_PASSWORD }
    await visitor.post(`${pages.base}/account/password`, passwords)
    await visitor.post(`${pages.base}/account/email`, { email: newEmail, current_password: NEW_PASSWORD })
    await visitor.post(await pages.linkTo(newEmail, 'customer'), {})
    await service.runJobs()
    const told = receiver.at('/sync').filter(({ body }) => body.customer_token === token)
    assert.deepEqual(
      told.map(({ body }) => [body.new_email, body.password_changed]),
      [
        [email, true],
        [newEmail, false],
      ],
    )
  })

  test('does not tell whether a new address belongs to somebody', async () => {
    const other = await aCustomer(pages.shop)
    const visitor = await pages.signIn((await aCustomer(pages.shop)).email)
    const answer = await visitor.post(`${pages.base}/account/email`, {
      email: other.email,
      current_password: CUSTOMER_PASSWORD,
    })
    assertPrivatePage(answer, 200, /Check your email/)
    assert.equal(await pages.countMailsTo(other.email), 0)
  })

  test('lists its sessions, and ends one or all of them', async () => {
    const { email } = await aCustomer(pages.shop)
    const [first, second, third] = [await pages.signIn(email), await pages.signIn(email), await pages.signIn(email)]
    const page = await first.get(`${pages.base}/account/sessions`)
    assert.equal(page.text.match(/Firefox on Linux/g)?.length, 3)
    assert.equal(page.text.match(/This browser/g)?.length, 1)
    assert.equal((await first.submit(`${pages.base}/account/sessions/end`)).status, 303)
    const left = [await pages.isSignedIn(second), await pages.isSignedIn(third)]
    assert.deepEqual(left.sort(), [false, true])
    assert.equal((await first.post(`${pages.base}/account/sessions/end-all`, {})).location, `${pages.base}/`)
    for (const visitor of [first, second, third]) assert.equal(await pages.isSignedIn(visitor), false)
  })

  test('cannot end the session of somebody else', async () => {
    const victim = await pages.signIn((await aCustomer(pages.shop)).email)
    const page = await victim.get(`${pages.base}/account/sessions`)
    assert.equal(page.status, 200)
    const { token_hash } = await service.db
      .selectFrom('customer_sessions')
      .select('token_hash')
      .where('company_id', '=', pages.shop.companyId)
      .orderBy('created_at', 'desc')
      .executeTakeFirstOrThrow()
    const attacker = await pages.signIn((await aCustomer(pages.shop)).email)
    await attacker.post(`${pages.base}/account/sessions/end`, { key: token_hash.toString('hex') })
    assert.equal(await pages.isSignedIn(victim), true)
  })

  test('shows the titles of an order in the language of the customer, until the product is renamed', async () => {
    const shop = await service.openShop()
    const base = await baseOf(shop)
    const names = [
      { language_id: 'en', shop_name: 'Shop' },
      { language_id: 'de', shop_name: 'Laden' },
    ]
    await shop.put(`/api/themesettings/${base.split('/').at(-1)}.json`, { ThemeSetting: { locales: names } })
    const locales = [
      { language_id: 'en', title: 'The Ferry' },
      { language_id: 'de', title: 'Die Fähre' },
    ]
    const film = await aFilm(service, shop, 1190, { title: 'The Ferry', locales })
    const buyer = await aBuyer(shop)
    const order = await anOrder(shop, buyer, [{ product_id: film.product_id, quantity: 1 }])
    const visitor = await pages.signIn(buyer.email, CUSTOMER_PASSWORD, base)
    await visitor.post(`${base}/preferences`, { language: 'de' })
    const path = `${base}/account/orders/${order.id}`
    const { text } = await visitor.get(path)
    assert.match(text, /1 × Die Fähre/)
    assert.doesNotMatch(text, /The Ferry/)
    await shop.put(`/api/products/${film.id}.json`, { product: { title: 'The Last Ferry' } })
    assert.match((await visitor.get(path)).text, /1 × The Ferry/)
  })

  test('shows the orders of the customer, and those of nobody else', async () => {
    const film = await aFilm(service, pages.shop)
    const buyer = await aBuyer(pages.shop)
    const order = await anOrder(pages.shop, buyer, [{ product_id: film.product_id, quantity: 2 }])
    const visitor = await pages.signIn(buyer.email)
    const list = await visitor.get(`${pages.base}/account/orders`)
    assert.ok(list.text.includes(`href="${pages.base}/account/orders/${order.id}"`), list.text)
    const page = await visitor.get(`${pages.base}/account/orders/${order.id}`)
    assertPrivatePage(page, 200, /Order/)
    assert.match(page.text, /€23\.80/)
    const stranger = await pages.signIn((await aCustomer(pages.shop)).email)
    assert.equal((await stranger.get(`${pages.base}/account/orders/${order.id}`)).status, 404)
    const other = await service.openShop()
    await shareCustomer(other, buyer)
    const there = await pages.signIn(buyer.email, CUSTOMER_PASSWORD, await baseOf(other))
    assert.equal((await there.get(`${await baseOf(other)}/account/orders/${order.id}`)).status, 404)
  })

  test('shows every order page by page, latest first, and gives all of them out', async () => {
    const shop = await service.openShop()
    const base = await baseOf(shop)
    const film = await aFilm(service, shop)
    const buyer = await aBuyer(shop)
    const order = await anOrder(shop, buyer, [{ product_id: film.product_id }])
    await sql`insert into orders select (jsonb_populate_record(orders, jsonb_build_object('id', orders.id + more))).*
      from orders cross join generate_series(1, 520) as more where orders.id = ${order.id}
      and orders.company_id = ${shop.companyId}`.execute(service.db)
    const ids = Array.from({ length: 521 }, (_, more) => order.id + more)
    const visitor = await pages.signIn(buyer.email, CUSTOMER_PASSWORD, base)
    assert.match((await visitor.get(`${base}/account`)).text, />Show all 521 orders</)

    const shown: number[] = []
    for (let query: string | undefined = ''; query !== undefined; ) {
      const { text }: PageAnswer = await visitor.get(`${base}/account/orders${query}`)
      const onPage = [...text.matchAll(/\/account\/orders\/(\d+)"/g)].map(([, id]) => Number(id))
      assert.ok(onPage.length > 0 && onPage.length <= 50, `${onPage.length} orders on a page`)
      shown.push(...onPage)
      query = /rel="next" href="(\?after=\d+)"/.exec(text)?.[1]
    }
    assert.deepEqual(shown, ids.toReversed())
    const first = await visitor.get(`${base}/account/orders?after=no-number`)
    assert.ok(first.text.includes(`/account/orders/${ids.at(-1)}"`), first.text)

    const { orders } = JSON.parse((await visitor.get(`${base}/account/export`)).text)
    assert.deepEqual(
      orders.map(({ name }: Wire) => name),
      ids.map(() => order.name),
    )
  })

  test('lists devices, and removes one', async () => {
    const { email, token } = await aCustomer(pages.shop)
    const device = { device_id: 'tv-1', name: 'Living room' }
    const path = `/api/customers/${token}/devices.json`
    assert.equal((await pages.shop.post(path, { device })).status, 201)
    const visitor = await pages.signIn(email)
    assert.match((await visitor.get(`${pages.base}/account/devices`)).text, /Living room/)
    assert.equal((await visitor.submit(/\/remove$/)).location, `${pages.base}/account/devices`)
    assert.deepEqual((await pages.shop.get(path)).body.devices, [])
  })

  test('gives out everything that the company knows, and nothing of other companies', async () => {
    const film = await aFilm(service, pages.shop)
    const buyer = await aBuyer(pages.shop, 'DE', { first_name: 'Jane' })
    const order = await anOrder(pages.shop, buyer, [{ product_id: film.product_id }])
    await pages.shop.post(`/api/customers/${buyer.token}/devices.json`, { device: { device_id: 'tv-1' } })
    const other = await service.openShop()
    await shareCustomer(other, buyer, { first_name: 'Secret' })
    const declared = { order: String(order.id), email: buyer.email, goods: 'all', reason: '' }
    assert.equal((await pages.comeIn().post(`${pages.base}/withdrawal`, declared)).status, 303)
    await service.runJobs()
    const answer = await (await pages.signIn(buyer.email)).get(`${pages.base}/account/export`)
    assert.match(answer.headers.get('content-disposition') ?? '', /^attachment/)
    const data = JSON.parse(answer.text)
    assert.equal(data.customer.token, buyer.token)
    assert.equal(data.customer.addresses.length, buyer.addresses.length)
    assert.deepEqual(
      data.orders.map(({ id }: Wire) => id),
      [order.id],
    )
    assert.deepEqual([data.entitlements.length, data.devices.length], [1, 1])
    assert.deepEqual(
      data.withdrawals.map(({ order_id, goods }: Wire) => [order_id, goods]),
      [[order.id, 'all']],
    )
    assert.doesNotMatch(answer.text, /Secret|password_hash/)
  })

  test('is deleted by the page behind a mailed link, after it has said what goes and what stays', async () => {
    const { email, token } = await aCustomer(pages.shop)
    const other = await service.openShop()
    await shareCustomer(other, { email })
    const film = await aFilm(service, pages.shop)
    await anOrder(pages.shop, { token }, [film])
    const visitor = await pages.signIn(email)
    const page = await visitor.get(`${pages.base}/account/delete`)
    assertPrivatePage(page, 200, /Delete my account/)
    for (const words of ['You lose 1 thing in My Content', '1 order stays with us', `a link to ${email}`])
      assert.ok(page.text.includes(words), words)
    assertPrivatePage(await visitor.submit(`${pages.base}/account/delete`), 200, /Check your email/)
    assert.equal(await pages.isSignedIn(visitor), true)
    const [first, link] = [await pages.linkTo(email, 'customer'), await mailAgain(visitor, email)]
    assert.equal((await visitor.get(first)).status, 410, 'only the last link works')
    assert.match((await pages.lastMailTo(email)).text ?? '', /The link works once, for 60 minutes\./)
    assert.equal(
      (await service.call('GET', link.slice(pages.base.length), {})).status,
      410,
      'nothing but a shop knows it',
    )
    // A mail scanner may open it, and another browser may follow it.
    const elsewhere = pages.comeIn()
    assertPrivatePage(await elsewhere.get(link), 200, /Delete my account/)
    assert.equal(await pages.isSignedIn(visitor), true)
    const [one, two] = await Promise.all([elsewhere.submit(link), visitor.post(link, {})])
    assert.deepEqual([one.status, two.status].sort(), [303, 410])
    assert.equal((await elsewhere.get(link)).status, 410)
    assert.equal(await pages.isSignedIn(visitor), false)
    assert.equal((await pages.shop.get(`/api/customers/${token}.json`)).status, 404)
    assert.equal((await other.get(`/api/customers/${token}.json`)).status, 200)
  })

  test('marks the part of it that is open, in the header too', async () => {
    const { email } = await aCustomer(pages.shop)
    const visitor = await pages.signIn(email)
    for (const [path, current] of [
      ['/account', 'page">Your details'],
      ['/account/orders', 'page">Orders'],
      ['/account/wish-list', 'page">Wish list'],
      ['/account/devices', 'page">Devices'],
      ['/account/sessions', 'page">Where you are signed in'],
      ['/account/email', 'true">Your details'],
    ] as const) {
      const { text } = await visitor.get(`${pages.base}${path}`)
      assert.ok(text.includes(`aria-current="${current}`), path)
      assert.match(text, new RegExp(`href="${pages.base}/account" aria-current="true"><svg`), path)
    }
    assert.doesNotMatch((await visitor.get(`${pages.base}/`)).text, /\/account" aria-current/)
  })

  test('names browsers in the language of the visitor, and devices that have their own name as it is', async () => {
    const t = (language: string, name: string) => browserIn(translatorOf(language), name)
    assert.equal(t('en', 'Chrome on Windows'), 'Chrome on Windows')
    assert.equal(t('de', 'Chrome on Windows'), 'Chrome unter Windows')
    assert.equal(t('de', 'Safari on iPhone'), 'Safari auf dem iPhone')
    assert.equal(t('fr', 'A browser on Linux'), 'Un navigateur sous Linux')
    assert.equal(t('pt', 'A browser'), 'Um navegador')
    assert.equal(t('de', 'TV on the wall'), 'TV on the wall')
    const { body } = await pages.shop.get('/api/themesettings.json')
    const locales = ['en', 'de'].map((language_id) => ({ language_id, shop_name: 'Kino' }))
    await pages.shop.put(`/api/themesettings/${body.ThemeSettings[0].id}.json`, { ThemeSetting: { locales } })
    const visitor = await pages.signIn((await aCustomer(pages.shop)).email)
    await visitor.post(`${pages.base}/preferences`, { language: 'de' })
    assert.match((await visitor.get(`${pages.base}/account/sessions`)).text, /Firefox unter Linux/)
  })

  test('speaks the language of the visitor', async () => {
    const { body } = await pages.shop.get('/api/themesettings.json')
    const locales = ['en', 'de', 'fr', 'es', 'it', 'pt'].map((language_id) => ({ language_id, shop_name: 'Kino' }))
    await pages.shop.put(`/api/themesettings/${body.ThemeSettings[0].id}.json`, { ThemeSetting: { locales } })
    for (const [language, title] of [
      ['de', 'Anmelden'],
      ['fr', 'Se connecter'],
      ['es', 'Iniciar sesión'],
      ['it', 'Accedi'],
      ['pt', 'Iniciar sessão'],
    ])
      assertPrivatePage(
        await pages.comeIn({ 'accept-language': language ?? '' }).get(`${pages.base}/login`),
        200,
        new RegExp(title ?? ''),
      )
  })

  test('needs a session for every page', async () => {
    for (const path of [
      '',
      '/orders',
      '/orders/1',
      '/password',
      '/email',
      '/sessions',
      '/devices',
      '/export',
      '/delete',
    ]) {
      const answer = await pages.comeIn().get(`${pages.base}/account${path}`)
      assert.equal(answer.status, 303, path)
      assert.match(answer.location ?? '', new RegExp(`^${pages.base}/login\\?return_to=`))
    }
    for (const path of ['/password', '/email', '/sessions/end', '/sessions/end-all', '/devices/1/remove', '/delete'])
      assert.match(
        (await pages.comeIn().post(`${pages.base}/account${path}`, {})).location ?? '',
        new RegExp(`^${pages.base}/login`),
        path,
      )
  })

  test('is not deleted by a link that is older than an hour, or of another shop', async () => {
    const { email } = await aCustomer(pages.shop)
    const visitor = await pages.signIn(email)
    const link = await mailAgain(visitor, email)
    const stranger = await baseOf(await service.openShop())
    assert.equal((await visitor.post(link.replace(pages.base, stranger), {})).status, 410)
    service.clock.advance(3601)
    assert.equal((await visitor.get(link)).status, 410)
    assert.equal((await visitor.post(link, {})).status, 410)
    await pages.signIn(email)
  })
})
