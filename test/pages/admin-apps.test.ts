import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { verifyWebhook } from '#client/webhooks.ts'
import { aProduct, type Wire } from '../factories.ts'
import { useService } from '../harness.ts'
import { aBuyer } from '../orders.ts'
import { registerApp, signedIn } from '../people.ts'
import { useReceiver } from '../receiver.ts'
import { startSender } from '../senders.ts'
import { inspect, inspectDialog, useAdmin } from './admin-pages.ts'

const service = useService()
const openAdmin = useAdmin(service)
const receiver = useReceiver()
const BACK = 'https://shelf.example.com/back'

/** Registers an app as its developer, and returns what the screen shows once. */
async function register(page: Page): Promise<{ secret: string; clientId: string }> {
  await page.getByRole('button', { name: 'Register an app' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Shelf')
  await dialog.getByLabel('Redirect addresses').fill('http://shelf.example.com/back')
  await dialog.getByLabel('Products').check()
  await dialog.getByRole('button', { name: 'Register an app' }).click()
  await dialog.getByText('must be a whole https address').waitFor()
  await dialog.getByLabel('Redirect addresses').fill(BACK)
  await dialog.getByRole('button', { name: 'Register an app' }).click()
  const secret = await dialog.getByLabel('Secret', { exact: true }).inputValue()
  await dialog.getByRole('button', { name: 'I have copied it' }).click()
  await page.getByRole('heading', { name: 'Shelf' }).waitFor()
  return { secret, clientId: await page.locator('.page-head code').innerText() }
}

/** Lets the app in as its users do, and exchanges the code as the app does. */
async function connect(page: Page, { secret, clientId }: { secret: string; clientId: string }): Promise<string> {
  const query = new URLSearchParams({
    client_id: clientId,
    redirect_uri: BACK,
    response_type: 'code',
    scope: 'products',
  })
  await page.goto(`/oauth2/auth?${query}`)
  // Nobody is there, but the browser is sent there with the code, and shows a page of its own. Until it does, it goes
  // nowhere else.
  const sent = page.waitForRequest((request) => request.url().startsWith(BACK))
  await page.getByRole('button', { name: 'Allow', exact: true }).click()
  const code = new URL((await sent).url()).searchParams.get('code') ?? ''
  await page.waitForURL(/^chrome-error:/)
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    code,
    client_id: clientId,
    client_secret: secret,
    redirect_uri: BACK,
  })
  const answer = await fetch(`${service.url}/token`, { method: 'POST', body })
  return ((await answer.json()) as Wire).access_token
}

describe('apps and webhooks in the admin interface', () => {
  test('an app is registered and let in, its webhook fails, is seen, mended, and sent again', async () => {
    const shop = await service.openShop()
    const { page, complaints } = await openAdmin(shop)
    await page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name: 'Apps and webhooks' }).click()
    await inspect(page, 'apps')
    const app = await register(page)
    await inspect(page, 'app')
    const token = await connect(page, app)
    assert.equal((await service.call('GET', '/api/products.json', { token })).status, 200)

    await page.goto('/admin/apps/webhooks')
    await page.getByText('No webhooks yet.').waitFor()
    await page.getByRole('button', { name: 'Add webhook' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Address').fill(receiver.url('/hooks'))
    await dialog.getByLabel('When').selectOption('product/create')
    await dialog.getByLabel('Signed for').selectOption({ label: 'Shelf' })
    await inspectDialog(page)
    await dialog.getByRole('button', { name: 'Add webhook' }).click()
    await page.getByText('The webhook is added.').waitFor()
    await page.getByText('Nothing was sent yet.').waitFor()

    receiver.answer = (_event, response) => void response.writeHead(500).end('out of order')
    const sender = startSender(service)
    const product = await aProduct(shop)
    const row = page.getByRole('button', { name: new RegExp(`New product Product ${product.id}`) })
    await row.filter({ hasText: 'Failing' }).waitFor()
    await page.getByText(/One attempt has failed since/).waitFor()
    await row.click()
    await page.getByText('The receiver answered 500.').waitFor()
    await page.getByRole('radio', { name: 'Answer' }).check()
    assert.equal(await page.getByRole('textbox', { name: 'Answer' }).inputValue(), 'out of order')
    await inspect(page, 'webhooks')

    receiver.answer = (_event, response) => void response.end('thank you')
    // After a failure, nothing is sent to an app for a minute.
    service.clock.advance(61)
    await page.getByRole('button', { name: 'Send this one again' }).click()
    await row.filter({ hasText: 'Delivered' }).waitFor()
    await sender.stop()
    const last = receiver.at('/hooks').at(-1)
    assert.ok(last)
    const event = await verifyWebhook(last.text, last.headers, app.secret, { now: service.clock.now() })
    assert.equal(event.scope, 'product/create')

    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByText('It is paused.').waitFor()
    await page.getByRole('button', { name: 'Activate' }).click()
    await page.getByText('It is paused.').waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Events' }).click()
    await page.getByRole('cell', { name: `Product ${product.id}`, exact: true }).waitFor()
    await inspect(page, 'events')
    assert.deepEqual(
      complaints.filter((each) => !/422|ERR_NAME_NOT_RESOLVED|ERR_INTERNET_DISCONNECTED/.test(each)),
      [],
    )
  })

  test('a secret is replaced, a token made for a script, a customer tried, and the interface explored', async () => {
    const shop = await service.openShop()
    const buyer = await aBuyer(shop, 'DE', { first_name: 'Ines', last_name: 'Brandt' })
    const { id } = await registerApp(service, shop, [BACK], { name: 'Shelf' })
    const { page, complaints } = await openAdmin(shop)
    await page.goto(`/admin/apps/${id}`)
    await page.getByRole('button', { name: 'Make a new secret' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Make a new secret' }).click()
    await page.getByLabel('Secret', { exact: true }).waitFor()
    await page.getByText(/The secret before works until/).waitFor()
    const tokens = page.getByRole('region', { name: 'Access token' })
    await tokens.getByLabel('Orders').check()
    await tokens.getByRole('button', { name: 'Make a token' }).click()
    const token = await tokens.getByLabel('Access token', { exact: true }).inputValue()
    assert.equal((await service.call('GET', '/api/orders.json', { token })).status, 200)
    await page.getByLabel('Name').fill('Shelf 2')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Shelf 2 is saved.').waitFor()

    await page.goto('/admin/apps/login')
    await page.getByRole('combobox').or(page.getByRole('searchbox')).first().fill('brandt')
    await page.getByRole('button', { name: /Ines Brandt/ }).click()
    await page.getByRole('button', { name: 'Make a link' }).click()
    const link = await page.getByLabel('Link', { exact: true }).inputValue()
    assert.match(link, /\/login\//)
    await inspect(page, 'login')
    assert.ok(buyer)

    await page.goto('/admin/apps/explorer')
    await page.getByLabel('Path').fill('/api/customers.json?q=brandt')
    await page.getByRole('button', { name: 'Send' }).click()
    const answer = page.getByRole('textbox', { name: 'Answer' })
    await answer.waitFor()
    assert.match(await answer.inputValue(), /"last_name": "Brandt"/)
    await inspect(page, 'explorer')
    assert.deepEqual(complaints, [])
  })

  test('the apps that were let in leave after a second thought', async () => {
    const shop = await service.openShop()
    const visitor = await signedIn(service, shop)
    const { client_id } = await registerApp(service, shop, [BACK], { name: 'Shelf' })
    for (const state of ['one', 'two']) {
      const query = new URLSearchParams({ client_id, redirect_uri: BACK, scope: 'products,orders', state })
      await visitor.get(`/oauth2/auth?${query}`)
      await visitor.submit(/oauth2/, { decision: 'allow' })
    }
    const { page, complaints } = await openAdmin(shop, 'de-DE')
    await page.goto('/admin/apps')
    const row = page.getByRole('listitem').filter({ hasText: 'Erlaubt von' }).filter({ hasText: 'Shelf' })
    await row.getByText('Produkte, Bestellungen').waitFor()
    await inspect(page, 'apps-de')
    await page.getByRole('button', { name: 'Shelf entfernen' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Zurück' }).click()
    await page.getByRole('button', { name: 'Shelf entfernen' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Entfernen' }).click()
    await page.getByText('Shelf ist entfernt.').waitFor()
    await row.waitFor({ state: 'detached' })
    assert.deepEqual(complaints, [])
  })
})
