import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { ownerPage } from '#test/admin.ts'
import { aCustomer, anEmail, CUSTOMER_PASSWORD, disableCustomer } from '#test/customers.ts'
import { eventsOf, type Wire } from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'
import { nameShop } from '#test/mails.ts'
import { registerApp, signedIn, untilRefused } from '#test/people.ts'
import { mailsTo } from '#test/users.ts'
import { type PageAnswer, visit } from '#test/visitor.ts'

const service = useService({ trustProxy: ['127.0.0.1'] })
const BACK = 'https://app.example.com/back'

// On a slow machine, a wait of a second would be over before the next attempt.
before(() => service.clock.stop())

type Client = { client_id: string; id: number }

const exchange = (parameters: Record<string, string>) =>
  service.call('POST', '/token', {
    body: new URLSearchParams(parameters).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })

const refresh = ({ client_id }: Client, refresh_token: string, more: Record<string, string> = {}) =>
  exchange({ grant_type: 'refresh_token', refresh_token, client_id, ...more })

const ask = ({ client_id }: Client, more: Record<string, string> = {}) =>
  `/oauth2/auth?${new URLSearchParams({ client_id, scope: 'player', redirect_uri: BACK, ...more })}`

const backOf = ({ location }: PageAnswer) => new URL(location ?? 'https://nowhere.example').searchParams

/** A shop with an app of its own and a customer. */
async function scene(details: { scopes?: ('player' | 'orders')[] } = {}) {
  const shop = await service.openShop()
  const app = await registerApp(service, shop, [BACK], details)
  return { shop, app, customer: await aCustomer(shop) }
}

/** Lets a customer sign in at the prompt and answer it. */
async function answerPrompt(app: Client, typed: Record<string, string>, more: Record<string, string> = {}) {
  const visitor = visit(service.url)
  await visitor.follow(await visitor.get(ask(app, more)))
  return visitor.submit(/oauth2\/player/, { decision: 'allow', ...typed })
}

async function tokensOf(app: Client, { email }: Wire) {
  const answer = await answerPrompt(app, { email, password: CUSTOMER_PASSWORD })
  const tokens = await refresh(app, backOf(answer).get('code') ?? '')
  assert.equal(tokens.status, 200, tokens.text)
  return tokens.body
}

describe('the prompt for customers', () => {
  test('names app, maker and shop, in the language of the browser, and cannot be framed', async () => {
    const { shop, app } = await scene()
    await nameShop(shop, [{ language_id: 1, shop_name: 'Films & More' }])
    const visitor = visit(service.url, { 'accept-language': 'de-CH,de;q=0.9' })
    const page = await visitor.follow(await visitor.get(ask(app)))
    assert.equal(page.status, 200)
    for (const words of ['lang="de"', 'Shelf', 'Films &amp; More', 'abspielen und lesen', 'app.example.com'])
      assert.ok(page.text.replaceAll('&#38;', '&amp;').includes(words), words)
    const policy = page.headers.get('content-security-policy') ?? ''
    assert.match(policy, /frame-ancestors 'none'/)
    assert.match(policy, /form-action 'self' https:\/\/app\.example\.com;/)
  })

  test('says in every language what the app can use up, and that it cannot buy', async () => {
    const { app } = await scene()
    const said = {
      en: /redeem codes[^<]*use up downloads and start rental times[^<]*cannot buy anything or change your account/,
      de: /Codes einlösen[^<]*Downloads verbrauchen und Leihfristen[^<]*nichts kaufen und Ihr Konto nicht ändern/,
      fr: /utiliser des codes[^<]*téléchargements et[^<]*location[^<]*rien acheter ni modifier votre compte/,
      es: /canjear códigos[^<]*consumir descargas[^<]*alquiler[^<]*comprar nada ni modificar su cuenta/,
      it: /riscattare codici[^<]*consumare download[^<]*noleggio[^<]*acquistare nulla né modificare il suo account/,
      pt: /resgatar códigos[^<]*gastar transferências[^<]*aluguer[^<]*comprar nada nem alterar a sua conta/,
    }
    for (const [language, words] of Object.entries(said)) {
      const visitor = visit(service.url, { 'accept-language': language })
      assert.match((await visitor.follow(await visitor.get(ask(app)))).text, words)
    }
  })

  test('lets an app in with the password, and its token acts for that customer', async () => {
    const { shop, app, customer } = await scene()
    const answer = await answerPrompt(app, { email: customer.email, password: CUSTOMER_PASSWORD }, { state: 'a b&c' })
    assert.equal(answer.status, 303, answer.text)
    assert.equal(backOf(answer).get('state'), 'a b&c')
    assert.equal(backOf(answer).get('companyid'), String(shop.companyId))
    const { body } = await refresh(app, backOf(answer).get('code') ?? '')
    assert.equal(body.scope, 'player')
    assert.equal(body.userName, customer.email)
    assert.equal(body.customer_token, customer.token)
    const info = await service.call('GET', '/api/tokeninfo', { token: body.access_token })
    assert.deepEqual(
      { ...info.body, expires_in: '' },
      {
        issued_to: app.client_id,
        user_id: String(customer.id),
        scope: 'player',
        expires_in: '',
        access_type: 'offline',
        company_id: String(shop.companyId),
        customer_token: customer.token,
      },
    )
    // A customer does not install an app, and an app that was never installed is not uninstalled.
    const next = await refresh(app, body.refresh_token)
    assert.equal(next.status, 200)
    await service.call('POST', `/oauth2/revoke?client_id=${app.client_id}&token=${next.body.refresh_token}`)
    await untilRefused(service, next.body.access_token)
    const events = await eventsOf(service, shop)
    assert.ok(!events.some(({ topic }) => topic === 'app/uninstalled'))
  })

  test('asks for the code verifier, and a code works once', async () => {
    const { app, customer } = await scene()
    const verifier = randomBytes(32).toString('base64url')
    const code_challenge = createHash('sha256').update(verifier).digest('base64url')
    const answer = await answerPrompt(
      app,
      { email: customer.email, password: CUSTOMER_PASSWORD },
      { code_challenge, code_challenge_method: 'S256' },
    )
    const code = backOf(answer).get('code') ?? ''
    assert.equal((await refresh(app, code)).status, 400)
    assert.equal((await refresh(app, code, { code_verifier: verifier })).status, 200)
    assert.equal((await refresh(app, code, { code_verifier: verifier })).body.error, 'invalid_grant')
  })

  test('takes the shop from company_id or theme_setting_id, and tells the app of one that does not exist', async () => {
    const { app } = await scene()
    const other = await service.openShop()
    const customer = await aCustomer(other)
    const { body } = await other.get('/api/themesettings.json')
    const typed = { email: customer.email, password: CUSTOMER_PASSWORD }
    const company_id = String(other.companyId)
    for (const more of [{ company_id }, { theme_setting_id: String(body.ThemeSettings[0].id) }])
      assert.equal(backOf(await answerPrompt(app, typed, more)).get('companyid'), company_id)
    const visitor = visit(service.url)
    for (const more of [{ company_id: '999999' }, { theme_setting_id: '999999' }, { company_id: 'x' }]) {
      const first = await visitor.get(ask(app, { ...more, state: 'kept' }))
      const answer = await visitor.get(first.location ?? '')
      assert.equal(backOf(answer).get('error'), 'invalid_request', JSON.stringify(more))
      assert.equal(backOf(answer).get('state'), 'kept')
    }
  })

  test('says the same of a wrong password, an unknown address and a disabled customer', async () => {
    const { app, customer, shop } = await scene()
    const disabled = await aCustomer(shop)
    await disableCustomer(service, disabled)
    const answers = [
      await answerPrompt(app, { email: customer.email, password: 'something else' }),
      await answerPrompt(app, { email: anEmail(), password: CUSTOMER_PASSWORD }),
      await answerPrompt(app, { email: disabled.email, password: CUSTOMER_PASSWORD }),
    ]
    for (const { status, text } of answers) {
      assert.equal(status, 422)
      assert.match(text, /The email address or the password is wrong/)
    }
  })

  // Everybody can open the page: guesses there must not keep the customer from ordering.
  test('limits wrong passwords, and keeps no customer from the API', async () => {
    const { app, customer, shop } = await scene()
    for (let tries = 0; tries < 5; tries += 1)
      await answerPrompt(app, { email: customer.email, password: `wrong ${tries}` })
    const answer = await answerPrompt(app, { email: customer.email, password: CUSTOMER_PASSWORD })
    assert.equal(answer.status, 429)
    assert.ok(Number(answer.headers.get('retry-after')) > 0)
    const email = encodeURIComponent(customer.email)
    const check = await shop.get(`/api/customers.json?email=${email}&password=${encodeURIComponent(CUSTOMER_PASSWORD)}`)
    assert.equal(check.status, 200, check.text)
  })

  test('refuses a customer of another company, whose password is right', async () => {
    const { app } = await scene()
    const stranger = await aCustomer(await service.openShop())
    const typed = { email: stranger.email, password: CUSTOMER_PASSWORD }
    // Until the address is proved, the password may be that of the other company.
    assert.match((await answerPrompt(app, typed)).text, /The email address or the password is wrong/)
    await service.db.updateTable('customers').set({ verified_email: true }).where('id', '=', stranger.id).execute()
    const answer = await answerPrompt(app, typed)
    assert.equal(answer.status, 422)
    assert.match(answer.text, /There is nothing at/)
  })

  test('tells the app that the customer does not allow it', async () => {
    const { app } = await scene()
    const answer = await answerPrompt(app, { decision: 'deny' }, { state: 'kept' })
    assert.equal(backOf(answer).get('error'), 'access_denied')
    assert.equal(backOf(answer).get('state'), 'kept')
  })

  test('is not for an app that is registered for other scopes', async () => {
    const { app } = await scene({ scopes: ['orders'] })
    const visitor = visit(service.url)
    const answer = await visitor.get((await visitor.get(ask(app))).location ?? '')
    assert.equal(backOf(answer).get('error'), 'invalid_scope')
  })

  // One answer cannot speak for the company and for a customer.
  test('drops the scope beside others, which a user grants', async () => {
    const { shop, app } = await scene()
    const visitor = await signedIn(service, shop)
    const page = await visitor.get(ask(app, { scope: 'orders,player' }))
    assert.match(page.text, /See, change and create orders/)
    assert.ok(!page.text.includes('Play and read'))
    const answer = await visitor.submit(/oauth2/, { decision: 'allow' })
    const { body } = await refresh(app, backOf(answer).get('code') ?? '')
    assert.equal(body.scope, 'orders')
  })
})

describe('a link by mail', () => {
  async function linkFor(app: Client, email: string) {
    const visitor = visit(service.url)
    await visitor.follow(await visitor.get(ask(app, { state: 'kept' })))
    const page = await visitor.submit(/oauth2\/player/, { decision: 'link', email })
    await service.runJobs()
    const mail = (await mailsTo(service, email)).at(-1)
    return { page, mail, path: /\/oauth2\/player\/[\w-]{43}/.exec(mail?.text ?? '')?.[0] }
  }

  test('lets in a customer without a password, once, in the language of the customer', async () => {
    const { shop, app } = await scene()
    const customer = await aCustomer(shop, { language: 'de' })
    const { mail, path } = await linkFor(app, customer.email)
    assert.match(mail?.subject ?? '', /^Ihr Link zur Anmeldung bei /)
    const visitor = visit(service.url)
    const page = await visitor.get(path ?? '')
    assert.match(page.text, /abspielen und lesen/)
    const answer = await visitor.submit(/oauth2\/player/, { decision: 'allow' })
    assert.equal(backOf(answer).get('state'), 'kept')
    const { body } = await refresh(app, backOf(answer).get('code') ?? '')
    assert.equal(body.customer_token, customer.token)
    assert.equal((await visitor.get(path ?? '')).status, 410)
  })

  test('ends after half an hour, and when the account changes', async () => {
    const { shop, app, customer } = await scene()
    const { path } = await linkFor(app, customer.email)
    await shop.put(`/api/customers/${customer.token}.json`, { customer: { password: 'another password' } })
    assert.equal((await visit(service.url).get(path ?? '')).status, 410)
    const later = await linkFor(app, customer.email)
    assert.equal((await visit(service.url).get(later.path ?? '')).status, 200)
    service.clock.advance(30 * 60)
    assert.equal((await visit(service.url).get(later.path ?? '')).status, 410)
  })

  test('goes to nobody whom the company does not know, and the page does not tell', async () => {
    const { app } = await scene()
    const stranger = await aCustomer(await service.openShop())
    for (const email of [stranger.email, anEmail()]) {
      const { page, mail } = await linkFor(app, email)
      assert.equal(page.status, 200)
      assert.match(page.text, /a link is on its way/)
      assert.equal(mail, undefined)
    }
  })

  test('is sent a few times only to one network, and more often to all together', async () => {
    const { app, customer } = await scene()
    const page = async (address: string) => {
      const visitor = visit(service.url, { 'x-forwarded-for': address })
      await visitor.follow(await visitor.get(ask(app)))
      return (await visitor.submit(/oauth2\/player/, { decision: 'link', email: customer.email })).status
    }
    const pages = []
    for (let times = 0; times < 4; times += 1) pages.push(await page('203.0.113.7'))
    assert.deepEqual(pages, [200, 200, 200, 429])
    const others = []
    for (let times = 0; times < 18; times += 1) others.push(await page(`198.51.100.${times}`))
    assert.deepEqual(others, [...Array(17).fill(200), 429])
  })
})

describe('a token of a customer', () => {
  test('reads what its customer owns, and nothing of another', async () => {
    const { shop, app, customer } = await scene()
    const other = await aCustomer(shop)
    const { access_token: token } = await tokensOf(app, customer)
    const read = (ref: string | number) => service.call('GET', `/api/customers/${ref}/content.json`, { token })
    assert.equal((await read(customer.token)).status, 200)
    assert.equal((await read(customer.id)).status, 200)
    assert.equal((await read(other.token)).status, 404)
    assert.equal((await shop.get(`/api/customers/${other.token}/content.json`)).status, 200)
  })

  async function refusedAfter(work: (all: { shop: Shop; customer: Wire; app: Client }) => Promise<unknown>) {
    const all = await scene()
    const tokens = await tokensOf(all.app, all.customer)
    await work(all)
    await untilRefused(service, tokens.access_token)
    assert.equal((await refresh(all.app, tokens.refresh_token)).body.error, 'invalid_grant')
  }

  test('ends when the customer is disabled', () => refusedAfter(({ customer }) => disableCustomer(service, customer)))

  test('ends when the password changes, and not when the email address does', async () => {
    await refusedAfter(({ shop, customer }) =>
      shop.put(`/api/customers/${customer.token}.json`, { customer: { password: 'another password' } }),
    )
    const { shop, app, customer } = await scene()
    const tokens = await tokensOf(app, customer)
    await shop.put(`/api/customers/${customer.token}.json`, { customer: { email: anEmail() } })
    assert.equal((await refresh(app, tokens.refresh_token)).status, 200)
  })

  test('ends when the company deletes the customer, erased or not', async () => {
    await refusedAfter(({ shop, customer }) => shop.delete(`/api/customers/${customer.token}.json`))
    await refusedAfter(async ({ shop, customer }) => {
      await aCustomer(await service.openShop(), { email: customer.email })
      await shop.delete(`/api/customers/${customer.token}.json`)
    })
  })

  test('ends when the shop removes the app, of which it knows how many customers use it', () =>
    refusedAfter(async ({ shop, app }) => {
      const page = await ownerPage(service, shop)
      const { app_permissions } = (await page.get('/app_permissions.json')).body
      const listed = app_permissions.find(({ id }: { id: number }) => id === app.id)
      assert.deepEqual([listed.customers, listed.scopes, listed.user_email], [1, ['player'], null])
      assert.equal((await page.delete(`/app_permissions/${app.id}.json`)).status, 200)
    }))

  test('stays when a user takes the permission of the company back, and keeps nothing installed', async () => {
    const { shop, app, customer } = await scene()
    const visitor = await signedIn(service, shop)
    await visitor.get(ask(app, { scope: 'orders' }))
    const code = backOf(await visitor.submit(/oauth2/, { decision: 'allow' })).get('code') ?? ''
    const tokens = await tokensOf(app, customer)
    await service.call('POST', `/oauth2/revoke?client_id=${app.client_id}&token=${code}`)
    assert.ok((await eventsOf(service, shop)).some(({ topic }) => topic === 'app/uninstalled'))
    assert.equal((await refresh(app, tokens.refresh_token)).status, 200)
  })

  test('stays out of the audit log of the shop', async () => {
    const { shop, app, customer } = await scene()
    const tokens = await tokensOf(app, customer)
    await refresh(app, tokens.refresh_token)
    const entries = await service.db
      .selectFrom('audit_entries')
      .select('action')
      .where('company_id', '=', shop.companyId)
      .where('action', '!=', 'app created')
      .execute()
    assert.deepEqual(entries, [])
  })
})
