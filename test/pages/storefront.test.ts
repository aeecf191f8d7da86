import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { DESK, expectAccessible, PHONE, screenshot, useBrowser } from '../browser.ts'
import { aCategory, aPrice, aThemeSetting, BUY, RENT, usePictureHost } from '../factories.ts'
import { useService } from '../harness.ts'
import { aFilm } from '../orders.ts'
import { inspect, press, watch } from './inspect.ts'
import { overflow } from './look.ts'

const service = useService()
const browser = useBrowser()
const pictures = usePictureHost()

/** Browsers take every name below this one for the machine itself. */
const originOf = (label: string) => `http://${label}.localhost:${new URL(service.url).port}`

const ENGLISH = {
  language_id: 'en',
  shop_name: 'Harbour Light Books',
  shop_description:
    '<p>Used and new books on ships, lighthouses and the weather, picked by two people who have read them.</p><p>We send on Tuesdays and Fridays.<br>Downloads are there at once.</p>',
  offline_message: '<p>We are taking stock until Monday.</p><p>Orders that you have placed are on their way.</p>',
}

describe('a shop', () => {
  test('shows who it is, and says so where there is nothing', async () => {
    const homepage = { homepage_url: 'https://www.harbour-light.example/about' }
    const { id } = await aThemeSetting(await service.openShop(), { ...homepage, locales: [ENGLISH] })
    const watched = await watch(browser, originOf(id))
    const { page } = watched
    await page.goto('/')
    const { stops } = await inspect(watched, 'shop', /^Harbour Light Books$/)
    assert.deepEqual(stops, [
      'a Skip to content',
      'a H Harbour Light Books',
      'a Search',
      'a My Content',
      'a Sign in',
      'a Cart',
      'a www.harbour-light.example',
      'a Withdraw from a purchase',
    ])
    await page.goto('/nothing')
    await inspect(watched, 'shop-nothing', /^There is nothing here · Harbour Light Books$/)
    await press(page, 'a Go to Harbour Light Books')
    assert.equal(new URL(page.url()).pathname, '/')
  })

  test('has a long name, a right-to-left one, or none, and still fits', async () => {
    const shop = await service.openShop()
    const long = 'Donaudampfschifffahrtsgesellschaftskapitänsmützenmanufaktur'
    const names = [
      {
        label: 'long',
        locales: [{ language_id: 'de', shop_name: `${long} & ${long}`, shop_description: long.repeat(9) }],
      },
      {
        label: 'hebrew',
        locales: [{ language_id: 'he', shop_name: 'ספרי המגדלור', shop_description: 'ספרים על הים.' }],
      },
      { label: 'nameless', locales: [] },
    ]
    for (const { label, locales } of names) {
      const { id } = await aThemeSetting(shop, { locales })
      const watched = await watch(browser, originOf(id))
      await watched.page.goto('/')
      await inspect(watched, `shop-${label}`, /\S/)
    }
  })

  test('that is offline shows its message', async () => {
    const { id } = await aThemeSetting(await service.openShop(), { shop_offline: true, locales: [ENGLISH] })
    const watched = await watch(browser, originOf(id))
    assert.equal((await watched.page.goto('/'))?.status(), 503)
    await inspect(watched, 'shop-offline', /^Harbour Light Books$/)
    assert.match((await watched.page.textContent('main')) ?? '', /taking stock until Monday/)
  })
})

test('a host without a shop says so', async () => {
  const watched = await watch(browser, originOf('nobody'))
  assert.equal((await watched.page.goto('/'))?.status(), 404)
  await inspect(watched, 'no-shop', /^There is no shop here$/)
})

test('an address of the service at which there is nothing says so', async () => {
  const watched = await watch(browser, service.url)
  assert.equal((await watched.page.goto('/nothing'))?.status(), 404)
  await inspect(watched, 'nothing')
})

/** A shop with a film in a category, and other things beside it. */
async function aCatalog() {
  const shop = await service.openShop()
  const { id } = await aThemeSetting(shop, {
    newsletter_enabled: true,
    accent_color: '#ffd400',
    facebook_url: 'https://facebook.example/harbour',
    locales: [ENGLISH, { language_id: 'de', shop_name: 'Hafenlicht' }],
  })
  const category = await aCategory(shop, { title: 'Films', enabled: true })
  await aCategory(shop, { title: 'Short films', enabled: true, parent_id: category.id })
  const [buy, rent] = [
    await aPrice(service, shop, { currencies: [{ currency: 'eur', price: 1499 }] }),
    await aPrice(service, shop, {
      currencies: [
        { currency: 'eur', price: 399 },
        { currency: 'usd', price: 449 },
      ],
    }),
  ]
  const film = (title: string, more: object = {}) =>
    aFilm(service, shop, 0, {
      product_type: 9,
      title,
      runtime: 6420,
      categories: [{ category_id: category.id }],
      tagging: { year: 2025, age: 12 },
      tagging_genre: [{ value: 'Drama' }],
      tagging_director: [{ person: 'Jane Roe' }],
      price_license_binding: [
        { license_id: BUY, price_id: buy.id, hd: true },
        { license_id: RENT, price_id: rent.id, compare_price_id: buy.id, hd: false },
      ],
      locales: [
        {
          language_id: 'en',
          title,
          description: '<h2>A storm</h2><p>And a <a href="https://example.com">ferry</a>.</p><ul><li>One</li></ul>',
        },
      ],
      ...more,
    })
  await film('Without a picture')
  const { id: productId } = await film('The Last Ferry', {
    images: [{ src: pictures.url('/a.png') }, { src: pictures.url('/b.png') }],
  })
  await service.runJobs()
  return {
    origin: originOf(id),
    paths: {
      home: '/',
      category: `/categories/${category.id}`,
      product: `/products/${productId}`,
      search: '/search?q=ferry',
    },
  }
}

describe('the catalog of a shop', () => {
  test('can be read by everybody, on phones and desks, in light and dark', async () => {
    const { origin, paths } = await aCatalog()
    const page = await browser.newPage({ baseURL: origin })
    const complaints: string[] = []
    page.on('console', (message) => complaints.push(message.text()))
    page.on('request', (request) => {
      if (!request.url().startsWith(origin) && !request.url().startsWith('data:')) complaints.push(request.url())
    })
    for (const [name, path] of Object.entries(paths)) {
      assert.equal((await page.goto(path))?.status(), 200)
      for (const [size, viewport] of Object.entries({ phone: PHONE, desk: DESK }))
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.setViewportSize(viewport)
          await page.emulateMedia({ colorScheme })
          await expectAccessible(page, size === 'desk' && colorScheme === 'light' ? 'everything' : 'colours')
          assert.ok((await overflow(page)) <= 0, `${name} is wider than a ${size}`)
          await screenshot(page, `catalog-${name}-${size}-${colorScheme}`)
        }
    }
    assert.deepEqual(complaints, [])
  })

  test('shows every offer of a film on the first screen of a phone', async () => {
    const { origin, paths } = await aCatalog()
    const page = await browser.newPage({ baseURL: origin, viewport: PHONE })
    await page.goto(paths.product)
    const bottoms = await page
      .locator('.offer')
      .evaluateAll((offers) => offers.map((offer) => offer.getBoundingClientRect().bottom))
    const bar = await page.locator('.buybar').boundingBox()
    assert.equal(bottoms.length, 2)
    assert.ok(bar !== null && Math.max(...bottoms) <= bar.y, `${bottoms} are above ${bar?.y}`)
  })

  test('suggests products while somebody types, and finds them without script', async () => {
    const { origin } = await aCatalog()
    const page = await browser.newPage({ baseURL: origin })
    await page.goto('/search')
    await page.getByLabel('Search for').fill('last fer')
    await page.getByRole('link', { name: 'The Last Ferry' }).click()
    await page.waitForURL(/\/products\/\d+-the-last-ferry$/)
    const plain = await browser.newPage({ baseURL: origin, javaScriptEnabled: false })
    await plain.goto('/search')
    await plain.getByLabel('Search for').fill('last')
    await plain.keyboard.press('Enter')
    await plain.getByRole('link', { name: /The Last Ferry/ }).click()
    assert.equal(await plain.getByRole('heading', { level: 1 }).textContent(), 'The Last Ferry')
    await plain.getByRole('button', { name: 'Deutsch' }).click()
    assert.equal(await plain.getAttribute('html', 'lang'), 'de')
    assert.match(plain.url(), /\/products\/\d+-the-last-ferry$/)
  })

  test('is light: little to load before it is seen', async () => {
    const { origin, paths } = await aCatalog()
    const page = await browser.newPage({ baseURL: origin })
    const bytes = { first: 0, script: 0 }
    page.on('response', async (response) => {
      const { responseBodySize } = await response.request().sizes()
      const type = response.request().resourceType()
      if (type === 'document' || type === 'stylesheet') bytes.first += responseBodySize
      if (type === 'script') bytes.script += responseBodySize
    })
    for (const path of Object.values(paths)) {
      bytes.first = 0
      bytes.script = 0
      const context = await page.context().newCDPSession(page)
      await context.send('Network.clearBrowserCache')
      await page.goto(path, { waitUntil: 'networkidle' })
      assert.ok(bytes.first > 0 && bytes.first <= 14 * 1024, `${path}: ${bytes.first} bytes before the first paint`)
      assert.ok(bytes.script < 20 * 1024, `${path}: ${bytes.script} bytes of script`)
    }
  })
})
