import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { listOffers } from '#selling/payments/queries.ts'
import { DESK, expectAccessible, PHONE, screenshot, useBrowser } from '../browser.ts'
import { type Shop, useService } from '../harness.ts'
import { aBuyer, aFilm, anOrder, readOrder, someGoods } from '../orders.ts'
import { ownerOf } from '../people.ts'
import { temporaryFolder } from '../start/program.ts'
import { STRIPE_KEY, useStripe } from '../stripe.ts'
import { aProduct, sha256, someVideo, tus } from '../uploads.ts'
import { NARROWEST } from './inspect.ts'
import { overflow } from './look.ts'

const stripe = useStripe(() => service.clock.now())
const service = useService({ serviceUrls: () => ({ gateways: { stripe: stripe.url }, vies: '' }) })
const browser = useBrowser()

type Admin = {
  page: Page
  /** Everything that the browser complained about. */
  complaints: string[]
}

/** A browser in which the owner of a shop has signed in, at the admin interface. */
async function openAdmin(shop: Shop, locale = 'en-GB'): Promise<Admin> {
  const page = await browser.newPage({ baseURL: service.url, locale, timezoneId: 'Europe/Berlin' })
  const complaints: string[] = []
  page.on('console', (message) => complaints.push(`${message.type()}: ${message.text()}`))
  page.on('pageerror', (error) => complaints.push(error.message))
  const { email, password } = await ownerOf(service, shop)
  await page.goto('/sign-in')
  await page.locator('input[name=email]').fill(email)
  await page.locator('input[name=password]').fill(password)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/admin')
  return { page, complaints }
}

/** Waits until everything is there that the screen has asked for. */
async function settled(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle')
  await page.locator('.skeleton').first().waitFor({ state: 'detached' })
}

/** Looks at a screen: for people with a screen reader, in light and dark, and at every width. */
async function inspect(page: Page, name: string): Promise<void> {
  await settled(page)
  assert.match(await page.title(), /\S · Licet$/)
  assert.equal(await page.locator('h1').count(), 1)
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    // A listener in the page chooses the colours.
    await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor()
    await expectAccessible(page, colorScheme === 'dark' ? 'colours' : 'everything')
  }
  for (const size of [NARROWEST, PHONE, DESK]) {
    await page.setViewportSize(size)
    assert.ok((await overflow(page)) <= 0, `${name} is too wide at ${size.width}`)
  }
  await screenshot(page, `admin-${name}`)
}

/** A shop in which Ines Brandt has bought a film and two mugs. */
async function aShop() {
  const shop = await service.openShop()
  const [film, mug] = [
    await aFilm(service, shop, 1190, { title: 'Salt House' }),
    await someGoods(service, shop, 5, { title: 'Ferry mug' }),
  ]
  const buyer = await aBuyer(shop, 'DE', { first_name: 'Ines', last_name: 'Brandt' })
  const order = await anOrder(shop, buyer, [film, { ...mug, quantity: 2, license_id: undefined }])
  return { shop, film, mug, buyer, order }
}

describe('the admin interface', () => {
  test('shows an owner the orders, ships and refunds one, and says why a customer is refused', async () => {
    const { shop, film, buyer, order } = await aShop()
    const { page, complaints } = await openAdmin(shop)
    await page.getByRole('link', { name: 'Ines Brandt' }).waitFor()
    await page.getByRole('link', { name: '1 order to ship' }).waitFor()
    await inspect(page, 'home')

    await page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name: 'Orders' }).first().click()
    await page.getByRole('searchbox').fill('brandt')
    await page.waitForURL('**/admin/orders?q=brandt')
    await page.getByRole('cell', { name: order.name }).waitFor()
    await inspect(page, 'orders')
    await page.getByRole('searchbox').fill('nobody')
    await page.getByText('No order fits.').waitFor()
    await page.goBack()
    await page.getByRole('cell', { name: order.name }).waitFor()
    assert.equal(await page.getByRole('searchbox').inputValue(), 'brandt')

    await page.getByRole('link', { name: 'Ines Brandt' }).click()
    await page.getByRole('heading', { name: order.name }).waitFor()
    await page.getByRole('button', { name: 'Ship' }).click()
    await page.getByLabel('Tracking number').fill('DHL-77')
    await page.getByRole('button', { name: 'Mark as shipped' }).click()
    await page.getByText(`Order ${order.name} is on its way.`).waitFor()
    assert.equal((await readOrder(shop, order.id)).fulfillment_status, 'fulfilled')

    await page.getByRole('button', { name: 'Refund', exact: true }).click()
    await page.getByLabel(/^Salt House/).check()
    await page.getByLabel('Reason').fill('Bought by mistake')
    await page.getByRole('button', { name: 'Refund €11.90' }).waitFor()
    await inspect(page, 'order')
    await page.getByRole('button', { name: 'Refund €11.90' }).click()
    await page.getByText(`€11.90 of order ${order.name} is refunded.`).waitFor()
    const refunded = await readOrder(shop, order.id)
    assert.deepEqual([refunded.financial_status, refunded.refunds[0].note], ['partially_refunded', 'Bought by mistake'])
    await page.getByText('Partly refunded').waitFor()

    await page.getByRole('link', { name: 'Open' }).click()
    await page.getByRole('heading', { name: 'Ines Brandt' }).waitFor()
    await page.getByRole('button', { name: 'Why?' }).first().click()
    await page.locator('.explanation .refused').first().waitFor()
    await inspect(page, 'customer')
    await page.getByRole('button', { name: 'Disable' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click()
    await page.getByText('Ines Brandt is disabled.').waitFor()
    assert.equal((await shop.get(`/api/customers/${buyer.token}.json`)).body.customer.state, 'disabled')

    await page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name: 'Products' }).first().click()
    await page
      .getByRole('row', { name: /Salt House/ })
      .getByRole('button', { name: 'Hide' })
      .click()
    await page.getByText('“Salt House” is hidden.').waitFor()
    assert.equal((await shop.get(`/api/products/${film.id}.json`)).body.product.published, false)
    await inspect(page, 'products')
    await page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name: 'Customers' }).first().click()
    await page.getByRole('link', { name: 'Ines Brandt' }).waitFor()
    await inspect(page, 'customers')
    assert.deepEqual(complaints, [])
  })

  test('speaks German, and opens at any of its addresses', async () => {
    const { shop, order } = await aShop()
    const { page, complaints } = await openAdmin(shop, 'de-AT')
    await page.goto(`/admin/orders/${order.id}`)
    await page.getByRole('button', { name: 'Erstatten' }).waitFor()
    assert.equal(await page.locator('html').getAttribute('lang'), 'de')
    await page.getByText('€ 11,90').first().waitFor()
    await inspect(page, 'order-de')
    await page.goto('/admin/nowhere')
    await page.getByRole('heading', { name: 'Diese Seite gibt es nicht' }).waitFor()
    assert.deepEqual(complaints, [])
  })

  test('pages by key through a long list, and back', async () => {
    const { shop, film, buyer } = await aShop()
    for (let each = 0; each < 55; each += 1) await anOrder(shop, buyer, [film])
    const { page } = await openAdmin(shop)
    await page.goto('/admin/orders')
    const names = () => page.locator('tbody tr td:first-child').allTextContents()
    await page.getByText('50 of 56 orders').waitFor()
    const first = await names()
    await page.getByRole('button', { name: 'Older' }).click()
    await page.getByText('6 of 56 orders').waitFor()
    const rest = await names()
    assert.equal(new Set([...first, ...rest]).size, 56)
    assert.ok(await page.getByRole('button', { name: 'Older' }).isDisabled())
    await page.getByRole('button', { name: 'Newer' }).click()
    await page.getByText('50 of 56 orders').waitFor()
    assert.deepEqual(await names(), first)
    assert.ok(await page.getByRole('button', { name: 'Newer' }).isDisabled())
  })

  test('shows nothing that the permissions of a user forbid', async () => {
    const { shop, order, film, buyer } = await aShop()
    const { page, complaints } = await openAdmin(shop)
    const none = { accounting: 0, request_products: 0, unlock: 0 }
    await service.db
      .updateTable('users')
      .set({ permissions: sql`permissions || ${JSON.stringify(none)}::jsonb` })
      .where('id', '=', shop.userId)
      .execute()
    await page.goto(`/admin/orders/${order.id}`)
    await page.getByRole('button', { name: 'Ship' }).waitFor()
    for (const name of ['Refund', 'Cancel order']) assert.equal(await page.getByRole('button', { name }).count(), 0)
    await page.goto(`/admin/customers/${buyer.token}`)
    await page.getByRole('button', { name: 'Why?' }).waitFor()
    for (const name of ['Disable', 'Take back']) assert.equal(await page.getByRole('button', { name }).count(), 0)
    await page.goto(`/admin/products/${film.id}`)
    assert.ok(await page.getByLabel('Title', { exact: true }).isDisabled())
    await page.goto('/admin')
    await page.getByRole('link', { name: 'Ines Brandt' }).waitFor()
    assert.equal(await page.getByText('Revenue').count(), 0)
    assert.deepEqual(complaints, [])
  })

  test('leads whoever has been signed out to the sign-in, and back to the same place', async () => {
    const { shop, order } = await aShop()
    const { page } = await openAdmin(shop)
    await page.goto('/admin/orders')
    await page.getByRole('link', { name: 'Ines Brandt' }).waitFor()
    await page.context().clearCookies()
    await page.getByRole('link', { name: 'Ines Brandt' }).click()
    await page.waitForURL(`**/sign-in?return_to=${encodeURIComponent(`/admin/orders/${order.id}`)}`)
  })
})

describe('payments', () => {
  test('are switched on by an owner: bank transfer with its text, Stripe by its key, which Stripe has to take', async () => {
    const shop = await service.openShop()
    const { page, complaints } = await openAdmin(shop)
    await page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name: 'Payments' }).first().click()
    await page.getByText('No way to pay is on yet').waitFor()
    const bank = page.getByRole('region', { name: 'Bank transfer' })
    assert.equal(await bank.getByRole('switch').count(), 0)
    await bank.getByLabel('What customers have to do').fill('IBAN DE02 1203 0000 0000 2020 51')
    await bank.getByRole('button', { name: 'Turn on bank transfer' }).click()
    await page.getByText('Customers can pay by bank transfer.').waitFor()
    assert.deepEqual(
      (await listOffers(service.db, shop.companyId)).map(({ name, instructions }) => [name, instructions]),
      [['Manual', 'IBAN DE02 1203 0000 0000 2020 51']],
    )

    const cards = page.getByRole('region', { name: /by Stripe$/ })
    await cards.getByLabel('Secret key').fill('sk_live_wrong')
    await cards.getByRole('button', { name: 'Check and connect' }).click()
    await cards.getByText('Invalid API Key provided').waitFor()
    assert.equal(await cards.getByLabel('Secret key').inputValue(), 'sk_live_wrong')
    await cards.getByLabel('Secret key').fill(STRIPE_KEY)
    await cards.getByRole('button', { name: 'Check and connect' }).click()
    await page.getByText('Connected to Kino Nord at Stripe.').waitFor()
    await cards.getByText('payments are noticed up to ten minutes late').waitFor()
    await inspect(page, 'payments')
    await cards.getByRole('switch').click()
    await page.getByText('Stripe is off.').waitFor()
    await cards.getByRole('button', { name: 'Disconnect' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click()
    await page.getByText('Stripe is disconnected.').waitFor()
    assert.equal(await cards.getByText('Connected with the key').count(), 0)
    // The browser tells of every answer that is an error.
    assert.deepEqual(
      complaints.filter((complaint) => !/status of 422/.test(complaint)),
      [],
    )
    await page.close()
  })
})

describe('a product in the admin interface', () => {
  /** A file of so many bytes, as a browser would send it. */
  const aFile = (name: string, size: number) => ({ name, mimeType: 'video/mp4', buffer: someVideo(size) })

  test('is made, described, offered, given its film, and published', async () => {
    const shop = await service.openShop()
    const { page, complaints } = await openAdmin(shop)
    await page.goto('/admin/products')
    await page.getByText('No products yet.').waitFor()
    await page.getByRole('link', { name: 'New product' }).click()
    await inspect(page, 'product-new')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByText(/Title/).first().waitFor()
    await page.getByLabel('Title').fill('Salt House')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('heading', { name: 'Salt House' }).waitFor()

    await page.getByLabel('Description in English').fill('A house, and the sea.')
    await page.getByLabel('Length in minutes').fill('97')
    await page.getByRole('button', { name: 'Add an offer' }).click()
    await page.getByLabel('License').selectOption({ label: 'Buy' })
    await page.getByRole('button', { name: 'New price' }).click()
    await page.getByLabel('Amount in EUR').fill('a lot')
    await page.getByRole('button', { name: 'Use this price' }).click()
    await page.getByText('Type an amount such as 14.99.').waitFor()
    await page.getByLabel('Amount in EUR').fill('14,99')
    await page.getByRole('button', { name: 'Use this price' }).click()
    await page.getByLabel('Amount in EUR').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('“Salt House” is saved.').waitFor()
    await page.getByText('There are unsaved changes.').waitFor({ state: 'detached' })

    const film = aFile('salt-house.mp4', 300_000)
    await page.locator('input[type=file]').setInputFiles(film)
    await page.getByText('Ready').waitFor()
    await page.getByLabel('Show it in the shop').check()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('In the shop').first().waitFor()
    await inspect(page, 'product')

    const [product] = (await shop.get('/api/products.json')).body.products
    assert.deepEqual([product.published, product.runtime, product.product_type], [true, 97 * 60, 9])
    assert.equal(product.locales[0].description, 'A house, and the sea.')
    const [{ price_id }] = product.price_license_binding
    const { price } = (await shop.get(`/api/prices/${price_id}.json`)).body
    assert.deepEqual(price.currencies, [{ currency: 'eur', price: 1499 }])
    const [file] = (await shop.get('/api/files.json')).body.files
    assert.deepEqual([file.role, file.status, file.sha256], ['main_hd', 'ready', sha256(film.buffer)])
    assert.deepEqual(
      complaints.filter((each) => !/422/.test(each)),
      [],
    )
  })

  test('is not overwritten by somebody who has read an older version', async () => {
    const { shop, film } = await aShop()
    const { page } = await openAdmin(shop)
    await page.goto(`/admin/products/${film.id}`)
    await page.getByLabel('Title', { exact: true }).fill('Mine')
    assert.equal((await shop.put(`/api/products/${film.id}.json`, { product: { title: 'Theirs' } })).status, 200)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Somebody else has changed this meanwhile.').waitFor()
    assert.equal((await shop.get(`/api/products/${film.id}.json`)).body.product.title, 'Theirs')
    await page.getByRole('button', { name: 'Save mine over it' }).click()
    await page.getByText('“Mine” is saved.').waitFor()
    assert.equal((await shop.get(`/api/products/${film.id}.json`)).body.product.title, 'Mine')
  })

  test('gets a file whose line was lost in the middle, byte by byte', async () => {
    const shop = await service.openShop()
    const film = await aProduct(shop)
    const { page } = await openAdmin(shop)
    await page.goto(`/admin/products/${film.id}`)
    let lost = 0
    await page.route('**/files/uploads/**', (route) => {
      if (route.request().method() !== 'PATCH' || lost > 1) return route.continue()
      lost += 1
      return route.abort('connectionreset')
    })
    const sent = aFile('long.mp4', 2_000_000)
    await page.locator('input[type=file]').setInputFiles(sent)
    await page.getByText('Ready').waitFor()
    assert.equal(lost, 2)
    const [file] = (await shop.get('/api/files.json')).body.files
    assert.equal(file.sha256, sha256(sent.buffer))
  })

  test('gets the file that was chosen, and not the rest of another one of the same name', async () => {
    const shop = await service.openShop()
    const film = await aProduct(shop)
    const begun = { product_id: film.product_id, name: 'film.mp4', role: 'main_hd', size: 200_000 }
    const { upload_url } = (await shop.post('/api/files.json', { file: begun })).body.file
    await tus(service, shop, 'PATCH', upload_url, { 'upload-offset': '0' }, someVideo(100_000))
    const { page } = await openAdmin(shop)
    await page.goto(`/admin/products/${film.id}`)
    await page.getByText('Not complete').waitFor()
    const chosen = aFile('film.mp4', 200_000)
    await page.getByLabel('What the next files are').selectOption('main_hd')
    await page.locator('input[type=file]').setInputFiles(chosen)
    await page.getByText('Ready').waitFor()
    const files: { status: string; sha256: string | null }[] = (await shop.get('/api/files.json')).body.files
    assert.deepEqual(
      files.map(({ status, sha256: hash }) => [status, hash]),
      [
        ['uploading', null],
        ['ready', sha256(chosen.buffer)],
      ],
    )
  })

  test('goes on with a file that is chosen again after a reload', async () => {
    const shop = await service.openShop()
    const film = await aProduct(shop)
    const { page } = await openAdmin(shop)
    await page.goto(`/admin/products/${film.id}`)
    const path = join(await temporaryFolder(), 'long.mp4')
    const bytes = someVideo(17 * 1024 * 1024)
    await writeFile(path, bytes)
    const offsets: string[] = []
    let isCut = true
    await page.route('**/files/uploads/**', async (route) => {
      const { 'upload-offset': offset = '' } = await route.request().allHeaders()
      if (route.request().method() !== 'PATCH') return route.continue()
      if (isCut && offset !== '0') return route.abort('connectionreset')
      offsets.push(offset)
      return route.continue()
    })
    await page.locator('input[type=file]').setInputFiles(path)
    await page.getByText('it goes on by itself').waitFor()
    await page.reload()
    isCut = false
    await page.getByText('Not complete').waitFor()
    await page.locator('input[type=file]').setInputFiles(path)
    await page.getByText('Ready').waitFor()
    assert.deepEqual(offsets, ['0', String(16 * 1024 * 1024)])
    const [file, ...others] = (await shop.get('/api/files.json')).body.files
    assert.deepEqual([file.sha256, others], [sha256(bytes), []])
  })
})
