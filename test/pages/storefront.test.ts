import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { useBrowser } from '../browser.ts'
import { aThemeSetting } from '../factories.ts'
import { useService } from '../harness.ts'
import { inspect, press, watch } from './inspect.ts'

const service = useService()
const browser = useBrowser()

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
    assert.deepEqual(stops, ['a Skip to content', 'a H Harbour Light Books', 'a www.harbour-light.example'])
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
