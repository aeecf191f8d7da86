import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { DESK, expectAccessible, PHONE, screenshot, useBrowser } from '../browser.ts'
import { anEmail } from '../customers.ts'
import { aPrice, aProduct, aThemeSetting, BUY, RENT } from '../factories.ts'
import { useService } from '../harness.ts'
import { offer } from '../payments.ts'
import { press, type Watched, watch } from './inspect.ts'
import { overflow } from './look.ts'

const service = useService()
const browser = useBrowser()

const originOf = (label: string) => `http://${label}.localhost:${new URL(service.url).port}`

const NARROWEST = { width: 320, height: 640 }

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
  await aProduct(shop, {
    ...{ product_type: 9, title: 'The Last Ferry', published: true, runtime: 6420 },
    price_license_binding: [
      { license_id: BUY, price_id: await price(1499), hd: true },
      { license_id: RENT, price_id: await price(399), hd: false },
    ],
  })
  await aProduct(shop, {
    ...{ product_type: 6, title: 'Ferry mug', published: true },
    price_license_binding: [{ price_id: await price(1290) }],
  })
  return { shop, origin: originOf(id) }
}

describe('a stranger without script', () => {
  test('finds a film by its name, rents it, pays, and has it', async () => {
    const { shop, origin } = await aShop()
    const watched = await watch(browser, origin)
    const { page } = watched
    await page.goto('/search?q=ferry')
    await page.click('text=The Last Ferry')
    await press(page, 'button Rent for €3.99')
    await inspect(watched, 'shop-cart', /^Your cart · Kino Nord$/)
    await press(page, 'a Check out')
    await page.selectOption('#country', 'DE')
    await page.fill('#email', 'marta')
    await press(page, 'button Continue to payment')
    assert.match((await page.textContent('#email-e')) ?? '', /Enter an email address/)
    await inspect(watched, 'shop-checkout', /^Your details · Kino Nord$/)
    const email = anEmail()
    await page.fill('#email', email)
    await press(page, 'button Continue to payment')
    await inspect(watched, 'shop-pay', /^Payment · Kino Nord$/)
    await page.fill('#card', '4000 0000 0000 0002')
    await page.check('#now')
    await press(page, 'button Order and pay €3.99')
    assert.match((await page.textContent('[role="alert"]')) ?? '', /declined/)
    await inspect(watched, 'shop-declined', /^Your order · Kino Nord$/)
    await page.fill('#card', '4242 4242 4242 4242')
    await press(page, 'button Pay €3.99')
    assert.equal((await page.textContent('h1'))?.trim(), 'Thank you, it is yours')
    await inspect(watched, 'shop-order', /^Your order · Kino Nord$/)
    await press(page, 'a Go to My Content')
    assert.match((await page.textContent('main')) ?? '', /The Last Ferry/)
    const { orders } = (await shop.get('/api/orders.json')).body
    assert.deepEqual(
      orders.map((order: { email: string; financial_status: string }) => [order.email, order.financial_status]),
      [[email, 'paid']],
    )
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
      city: 'Kiel',
    }))
      await page.fill(`#${id}`, value)
    await inspect(watched, 'shop-address', /^Ihre Angaben · Kino Nord$/)
    await press(page, 'button Weiter zur Zahlung')
    await page.fill('#card', '4242424242424242')
    await press(page, 'button Zahlungspflichtig bestellen, 12,90 €')
    assert.equal((await page.textContent('h1'))?.trim(), 'Vielen Dank für Ihren Einkauf')
  })
})
