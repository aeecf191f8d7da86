import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { DESK, expectAccessible, PHONE, screenshot, useBrowser } from '../browser.ts'
import { mailsTo } from '../checkout.ts'
import { withContent } from '../content.ts'
import { anEmail } from '../customers.ts'
import { aPrice, aProduct, aThemeSetting, BUY, RENT, type Wire } from '../factories.ts'
import { useService } from '../harness.ts'
import { offer } from '../payments.ts'
import { upload } from '../uploads.ts'
import { NARROWEST, press, tabTo, type, type Watched, watch } from './inspect.ts'
import { overflow } from './look.ts'

const service = useService()
const browser = useBrowser()

const originOf = (label: string) => `http://${label}.localhost:${new URL(service.url).port}`

/** Looks at a page on a phone and on a desk, in light and dark. */
async function inspect({ page, withScript }: Watched, name: string, title: RegExp): Promise<void> {
  assert.match(await page.title(), title)
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    await withScript(() => expectAccessible(page, colorScheme === 'dark' ? 'colours' : 'everything'))
  }
  for (const [width, size] of Object.entries({ PHONE, DESK, NARROWEST })) {
    await page.setViewportSize(size)
    assert.ok((await overflow(page)) <= 0, `${name} is too wide at ${size.width}`)
    await screenshot(page, `${name}-${width.toLowerCase()}`)
  }
  await page.setViewportSize(DESK)
}

/** A shop in two languages with a film to rent or to buy, and a mug. */
async function aShop() {
  const shop = await service.openShop()
  await offer(service, shop, { test: { enabled: true } })
  const { id } = await aThemeSetting(shop, {
    locales: [
      { language_id: 'en', shop_name: 'Kino Nord' },
      { language_id: 'de', shop_name: 'Kino Nord' },
    ],
  })
  const price = async (cents: number) =>
    (await aPrice(service, shop, { currencies: [{ currency: 'eur', price: cents }] })).id
  const film = await aProduct(shop, {
    product_type: 9,
    title: 'The Last Ferry',
    published: true,
    runtime: 6420,
    price_license_binding: [
      { license_id: BUY, price_id: await price(1499), hd: true },
      { license_id: RENT, price_id: await price(399), hd: false },
    ],
  })
  await aProduct(shop, {
    product_type: 6,
    title: 'Ferry mug',
    published: true,
    price_license_binding: [{ price_id: await price(1290) }],
  })
  return { shop, origin: originOf(id), film: await withContent(service, shop, film) }
}

describe('a stranger without script', () => {
  test('finds, rents and pays for a film by keyboard, watches it, and may rent it again when the time is over', async () => {
    const { shop, origin, film } = await aShop()
    const bytes = await readFile(join(import.meta.dirname, '../../src/program/demo/media/film-sd.mp4'))
    await upload(service, shop, film, bytes, { name: 'film.mp4', role: 'main_sd' })
    const watched = await watch(browser, origin)
    const { page } = watched
    await page.goto('/')
    await press(page, 'a Search')
    await type(page, { 'Search for': 'ferry' })
    await press(page, 'button Search')
    await press(page, /^a .*The Last Ferry/)
    await press(page, 'button Rent for €3.99')
    await inspect(watched, 'shop-cart', /^Your cart · Kino Nord$/)
    await press(page, 'a Check out')
    await type(page, { Email: 'marta' })
    await tabTo(page, /^select Country/)
    await page.keyboard.type('Germany')
    await press(page, 'button Continue to payment')
    assert.match((await page.textContent('#email-e')) ?? '', /Enter an email address/)
    await inspect(watched, 'shop-checkout', /^Error: Your details · Kino Nord$/)
    const email = anEmail()
    await type(page, { Email: email })
    await press(page, 'button Continue to payment')
    await inspect(watched, 'shop-pay', /^Payment · Kino Nord$/)
    await type(page, { 'Card number': '4000 0000 0000 0002' })
    await tabTo(page, /^input Start right away/)
    await page.keyboard.press('Space')
    await press(page, 'button Order and pay €3.99')
    assert.match((await page.textContent('[role="alert"]')) ?? '', /declined/)
    await inspect(watched, 'shop-declined', /^Error: Your order · Kino Nord$/)
    await type(page, { 'Card number': '4242 4242 4242 4242' })
    await press(page, 'button Pay €3.99')
    assert.equal((await page.textContent('h1'))?.trim(), 'Thank you for your purchase')
    await inspect(watched, 'shop-order', /^Your order · Kino Nord$/)
    const { orders } = (await shop.get('/api/orders.json')).body
    assert.deepEqual(
      orders.map((order: Wire) => [order.email, order.financial_status]),
      [[email, 'paid']],
    )

    await press(page, 'a Go to My Content')
    await press(page, /^a .*The Last Ferry/)
    const playPage = page.url()
    await press(page, 'button Play')
    const hasPicture = (video: Wire) => video.readyState >= 2 && video.videoWidth > 0
    await watched.withScript(async () => void (await page.waitForFunction(hasPicture, await page.$('video'))))
    assert.match(await page.innerText('.p-top'), /24 h left/)
    service.clock.advance(25 * 3600)
    await page.goto('/my-content')
    assert.match(await page.innerText('.held'), /The Last Ferry[\s\S]*The time to use it ended on/)
    await page.goto(playPage)
    assert.match(await page.innerText('[role=alert]'), /The time to use it ended on/)
    await press(page, 'a Rent again')
    await tabTo(page, 'button Rent for €3.99')
    watched.expectQuiet()
  })

  test('buys for a company with a VAT id, on the narrowest phone', async () => {
    const { origin } = await aShop()
    const watched = await watch(browser, origin)
    const { page } = watched
    await page.setViewportSize(NARROWEST)
    await page.goto('/search?q=ferry')
    await press(page, /^a .*The Last Ferry/)
    await press(page, /^button Buy for/)
    await press(page, 'a Check out')
    const email = anEmail()
    await page.fill('#email', email)
    await page.selectOption('#country', 'AT')
    await tabTo(page, /^summary .*(company|business)/i)
    await page.keyboard.press('Enter')
    await page.fill('#company', 'Lichtspiele GmbH')
    await page.fill('#vat_id', 'ATU12345678')
    await press(page, 'button Continue to payment')
    assert.match((await page.textContent('#vat_id-e')) ?? '', /VAT/)
    await inspect(watched, 'shop-company', /^Error: Your details · Kino Nord$/)
    await page.fill('#vat_id', 'ATU 1358 5627')
    await press(page, 'button Continue to payment')
    assert.ok(!(await page.isVisible('#now')), 'a company cannot withdraw')
    await page.fill('#card', '4242424242424242')
    await press(page, /^button Order and pay/)
    assert.match(await page.innerText('.totals >> visible=true'), /Reverse charge/)
    await service.runJobs()
    const [mail = ''] = await mailsTo(service, email)
    assert.match(mail, /reverse charge/i)
    assert.match(mail, /ATU13585627/)
    watched.expectQuiet()
  })

  test('orders a mug in German, with an address', async () => {
    const { origin } = await aShop()
    const watched = await watch(browser, origin)
    const { page } = watched
    await page.setExtraHTTPHeaders({ 'accept-language': 'de-DE' })
    await page.goto('/search?q=mug')
    await page.click('text=Ferry mug')
    await page.locator('form[action="/cart"] button').first().click()
    await press(page, 'a Zur Kasse')
    await page.fill('#email', anEmail())
    await press(page, 'button Weiter zur Zahlung')
    assert.match((await page.textContent('#address1-e')) ?? '', /Bitte ausfüllen/)
    for (const [id, value] of Object.entries({
      first_name: 'Marta',
      last_name: 'Keller',
      address1: 'Weg 1',
      zip: '24103',
      city: 'Kiel',
    }))
      await page.fill(`#${id}`, value)
    await inspect(watched, 'shop-address', /^Fehler: Ihre Angaben · Kino Nord$/)
    await press(page, 'button Weiter zur Zahlung')
    await page.fill('#card', '4242424242424242')
    await press(page, 'button Zahlungspflichtig bestellen, 12,90 €')
    assert.equal((await page.textContent('h1'))?.trim(), 'Vielen Dank für Ihren Einkauf')
  })
})
