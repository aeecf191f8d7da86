import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { useBrowser } from '../browser.ts'
import { aCustomer, CUSTOMER_PASSWORD } from '../customers.ts'
import { type Shop, useService } from '../harness.ts'
import { ownerOf, registerApp, signedIn } from '../people.ts'
import { mailsTo } from '../users.ts'
import { carry, glance, inspect, press, tabTo, type, type Watched, watch } from './inspect.ts'

const service = useService()
const browser = useBrowser()

/** The web server of the app, to which the browser is redirected. */
let server: Server
let appUrl: string

before(async () => {
  server = createServer((request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' })
    const frame = `<iframe src="${service.url}/sign-in"></iframe>`
    const script = `<script>document.title = 'Script ran'</script>`
    response.end(`<!doctype html><title>Shelf</title>${request.url === '/frame' ? frame : script}`)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  appUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
after(() => void server.close().closeAllConnections())

const named = async (shop: Shop, company_name: string) => {
  const answer = await shop.put(`/api/companies/${shop.companyId}.json`, { company: { company_name } })
  assert.equal(answer.status, 200, answer.text)
  return shop
}

const ask = (clientId: string, more: Record<string, string> = {}) =>
  `/oauth2/auth?${new URLSearchParams({ client_id: clientId, scope: 'products,orders,customers', redirect_uri: `${appUrl}/back`, state: 'a b&c', ...more })}`

/** A shop, an app of another company, and a browser at the prompt in which the shop's owner has signed in. */
async function scene({ more, name = 'Shelf' }: { more?: Record<string, string>; name?: string } = {}) {
  const shop = await named(await service.openShop(), 'Lighthouse Books')
  const maker = await named(await service.openShop(), 'Northwind Software')
  const app = await registerApp(service, maker, [`${appUrl}/back`], { name })
  const watched = await watch(browser, service.url, [appUrl])
  return { shop, maker, app, watched, page: watched.page, address: ask(app.client_id, more) }
}

/** Opens the prompt as the owner of a shop. */
async function openAs(watched: Watched, shop: Shop, address: string): Promise<void> {
  await carry(watched, service.url, await signedIn(service, shop))
  await watched.page.goto(address)
}

/** The parameters that the app got with the redirect. */
function arrived(page: Page): Record<string, string> {
  const url = new URL(page.url())
  assert.equal(`${url.origin}${url.pathname}`, `${appUrl}/back`)
  return Object.fromEntries(url.searchParams)
}

describe('the prompt', () => {
  test('says who asks for what and for whom, and leads to the app with what it needs', async () => {
    const { shop, watched, page, address } = await scene()
    const { email, password } = await ownerOf(service, shop)
    await page.goto(address)
    await type(page, { 'Email address': email, Password: password })
    await press(page, 'button Sign in')
    await inspect(watched, 'consent')
    const text = (await page.textContent('main'))?.replace(/\s+/g, ' ') ?? ''
    const told = ['Allow Shelf?', 'Northwind Software', 'Lighthouse Books', 'Orders', new URL(appUrl).host, email]
    for (const words of told) assert.ok(text.includes(words), words)

    await press(page, 'button Allow')
    const { code = '', ...rest } = arrived(page)
    assert.match(code, /^[\w-]{43}$/)
    assert.deepEqual(rest, { companyid: String(shop.companyId), state: 'a b&c' })
    assert.equal(await page.title(), 'Shelf', 'all of this was to be without script')
    watched.expectQuiet()
  })

  test('leads back to the app with nothing if it is not allowed', async () => {
    const { shop, watched, page, address } = await scene()
    await openAs(watched, shop, address)
    await press(page, 'button Don’t allow')
    assert.deepEqual(arrived(page), { error: 'access_denied', state: 'a b&c' })
    watched.expectQuiet()
  })

  test('lets a partner choose the company by keyboard, in a list or among many', async () => {
    const { shop, watched, page, address } = await scene()
    const clients = []
    for (const name of ['Ampersand & Sons', 'Bookworm'])
      clients.push(await named(await service.openShop({ partnerId: shop.companyId }), name))
    await openAs(watched, shop, address)
    await inspect(watched, 'consent-partner')
    await tabTo(page, 'input Lighthouse Books')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await press(page, 'button Allow')
    assert.equal(arrived(page).companyid, String(clients[1]?.companyId))

    for (const name of ['Corner Records', 'Daylight Films', 'Echo Audio', 'Field Guides'])
      clients.push(await named(await service.openShop({ partnerId: shop.companyId }), name))
    await page.goto(address)
    await inspect(watched, 'consent-many')
    await tabTo(page, 'For which company?')
    await page.keyboard.press('e')
    await press(page, 'button Allow')
    assert.equal(arrived(page).companyid, String(clients[4]?.companyId))
    watched.expectQuiet()
  })

  test('lets one be somebody else, and comes back to what was asked', async () => {
    const { shop, watched, page, address } = await scene()
    const other = await named(await service.openShop(), 'Second Shop')
    await openAs(watched, shop, address)
    await press(page, 'button Use another account')
    assert.equal(await page.getByRole('status').textContent(), 'You are signed out.')
    const owner = await ownerOf(service, other)
    await type(page, { 'Email address': owner.email, Password: owner.password })
    await press(page, 'button Sign in')
    assert.match((await page.textContent('main')) ?? '', /Second Shop/)
    await press(page, 'button Allow')
    assert.equal(arrived(page).companyid, String(other.companyId))
  })

  test('tells somebody who may not give it what it holds back, or whom to ask', async () => {
    const { shop, watched, page, address } = await scene({ more: { scope: 'orders,users,companies' } })
    await service.db
      .updateTable('users')
      .set({ permissions: JSON.stringify({ web_access: 1 }) })
      .where('company_id', '=', shop.companyId)
      .where('id', '=', shop.userId)
      .execute()
    await openAs(watched, shop, address)
    await inspect(watched, 'consent-withheld')
    await page.goto(address.replace('orders%2C', ''))
    await inspect(watched, 'consent-nothing')
  })

  test('stays whole with names that are long, hostile or from right to left', async () => {
    const name = `${'W'.repeat(60)} "><b>‮ gnp.exe שלום`
    const more = { scope: 'products,customers,orders,themes,files,companies,users,statistics,webhooks' }
    const { shop, watched, page, address } = await scene({ name, more })
    await named(shop, `${'Verylongname'.repeat(8)}`)
    await openAs(watched, shop, address)
    await inspect(watched, 'consent-extreme')
    assert.equal(await page.locator('main b').count(), 0)
  })
})

describe('a page', () => {
  test('says what is wrong with a request that nobody can be sent back from', async () => {
    const { app, watched, page } = await scene()
    await page.goto(ask('nobody'))
    await inspect(watched, 'error-unknown-app')
    await page.goto(ask(app.client_id, { redirect_uri: 'https://elsewhere.example/' }))
    await glance(watched, 'error-redirect')
  })

  test('says so when it was open for too long', async () => {
    const { watched, page } = await scene()
    await page.goto('/sign-in')
    await page.context().clearCookies()
    await type(page, { 'Email address': 'jane@example.com', Password: 'some words' })
    await press(page, 'button Sign in')
    await glance(watched, 'error-too-old')
  })

  test('cannot be framed by another site', async () => {
    const { page } = await scene()
    await page.goto(`${appUrl}/frame`)
    const [, frame] = page.frames()
    assert.ok(frame)
    assert.match(frame.url(), /^chrome-error:/)
    assert.equal(await frame.locator('input').count(), 0)
  })
})

describe('the prompt for customers', () => {
  const ofShop = /^(Error: )?\S.* · \S.*$/

  test('takes the password or mails a link, and leads to the app with what it needs', async () => {
    const { shop, app, watched, page } = await scene()
    const customer = await aCustomer(shop)
    const address = ask(app.client_id, { scope: 'player', company_id: String(shop.companyId) })
    await page.goto(address)
    await inspect(watched, 'player-prompt', ofShop)
    const text = (await page.textContent('main'))?.replace(/\s+/g, ' ') ?? ''
    for (const words of ['Allow Shelf?', 'Northwind Software', new URL(appUrl).host])
      assert.ok(text.includes(words), words)
    await type(page, { 'Email address': customer.email, Password: 'something else' })
    await press(page, 'button Sign in and allow')
    const again = await inspect(watched, 'player-prompt-wrong', ofShop)
    assert.equal(again.alerts.length, 1)
    await type(page, { Password: CUSTOMER_PASSWORD })
    await press(page, 'button Sign in and allow')
    const { code = '', ...rest } = arrived(page)
    assert.match(code, /^[\w-]{43}$/)
    assert.deepEqual(rest, { companyid: String(shop.companyId), state: 'a b&c' })
    watched.expectQuiet()

    await page.goto(address)
    await type(page, { 'Email address': customer.email })
    await press(page, 'button Send me a link instead')
    await inspect(watched, 'player-mailed', ofShop)
    await service.runJobs()
    const mail = (await mailsTo(service, customer.email)).at(-1)
    const path = /\/oauth2\/player\/[\w-]{43}/.exec(mail?.text ?? '')?.[0] ?? ''
    await page.goto(path)
    await inspect(watched, 'player-link', ofShop)
    await press(page, 'button Allow')
    assert.deepEqual(Object.keys(arrived(page)), ['code', 'companyid', 'state'])
    await page.goto(path)
    await inspect(watched, 'player-link-void', /^This link no longer works$/)
  })
})
