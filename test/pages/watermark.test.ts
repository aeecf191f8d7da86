import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import type { Page } from 'playwright-core'
import { expectAccessible, screenshot, useBrowser } from '../browser.ts'
import type { Wire } from '../factories.ts'
import { type Shop, useService } from '../harness.ts'
import { aFilm } from '../media.ts'
import { ownedContent } from '../owned-content.ts'
import { baseOf } from '../shop-pages.ts'
import { enterPlayer, until } from './media.ts'

const service = useService({ trustProxy: ['127.0.0.1'] })
const browser = useBrowser()

let shop: Shop
let base: string

const setWatermark = async (player_watermark: boolean) => {
  const [{ id }] = (await shop.get('/api/themesettings.json')).body.ThemeSettings
  const { status, body } = await shop.put(`/api/themesettings/${id}.json`, { ThemeSetting: { player_watermark } })
  assert.equal(status, 200)
  assert.equal(body.ThemeSetting.player_watermark, player_watermark)
}

beforeEach(async () => {
  service.app.baseUrl = service.url
  shop ??= await service.openShop()
  base ??= await baseOf(shop)
  await setWatermark(true)
})

async function aFilmOf(terms: object, product: object = {}) {
  const files = [{ bytes: await aFilm(), name: 'film.mp4' }]
  const owned = await ownedContent(service, shop, { files, terms: { allow_play: 1, ...terms }, product })
  await service.runJobs()
  return owned
}

async function openPlayer({ id, customer }: { id: number; customer: Wire }) {
  const { page, complaints } = await enterPlayer(browser, service, { shop, base, customer })
  await page.goto(`${base}/my-content/${id}/play`)
  await page.click('button.play')
  await until(page, 0.3)
  return { page, complaints }
}

/** Where the mark is on the picture some seconds after it was shown, in percent. */
const placeAt = (page: Page, seconds: number) =>
  page.evaluate(`(() => {
    const mark = document.querySelector('[data-mark]')
    for (const each of mark.getAnimations()) each.currentTime = ${seconds * 1000}
    const [one, all] = [mark.getBoundingClientRect(), document.querySelector('video').getBoundingClientRect()]
    return [one.left - all.left, one.top - all.top, all.right - one.right, all.bottom - one.bottom].map(Math.round)
  })()`) as Promise<number[]>

for (const [name, product] of [
  ['protected', { drm_protected: true }],
  ['plain', {}],
] as const)
  test(`the picture of a ${name} film names its buyer, in changing places, also in full screen`, async () => {
    const { page, complaints } = await openPlayer(await aFilmOf({ drm: 1 }, product))
    const { email } = (await shop.get('/api/customers.json')).body.customers.at(-1)
    assert.equal(await page.innerText('[data-mark]'), email)
    assert.ok(await page.isVisible('[data-mark]'))
    const places = await Promise.all([0, 20, 40, 60, 90].map((seconds) => placeAt(page, seconds)))
    assert.equal(new Set(places.map(String)).size, places.length, 'it stays where it is')
    for (const distances of places) assert.ok(Math.min(...distances) >= 0, `outside of the picture: ${distances}`)
    assert.equal(await page.$('[data-do="pip"]'), null, 'a small window would be without it')
    assert.notEqual(await page.getAttribute('video', 'disableremoteplayback'), null)
    await expectAccessible(page)
    await screenshot(page, `watermark-${name}`)
    await page.keyboard.press('f')
    await page.waitForSelector('[data-screen]:fullscreen [data-mark]')
    assert.ok(await page.isVisible('[data-mark]'))
    assert.deepEqual(complaints, [])
  })

test('nobody is named under a license without DRM, or in a shop that does not want it', async () => {
  const free = await openPlayer(await aFilmOf({ drm: 0 }))
  assert.equal(await free.page.$('[data-mark]'), null)
  await setWatermark(false)
  const off = await openPlayer(await aFilmOf({ drm: 1 }))
  assert.equal(await off.page.$('[data-mark]'), null)
})
