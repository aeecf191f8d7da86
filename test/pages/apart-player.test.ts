import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { screenshot, useBrowser } from '../browser.ts'
import type { Wire } from '../factories.ts'
import { useService } from '../harness.ts'
import { aFilm } from '../media.ts'
import { ownedContent } from '../owned-content.ts'
import { refund } from '../sales.ts'
import { baseOf } from '../shop-pages.ts'
import { enterPlayer, mediaOf, readMedia, seek, until } from './media.ts'

const service = useService({ trustProxy: ['127.0.0.1'] })
const browser = useBrowser()

beforeEach(() => {
  service.app.baseUrl = service.url
})

const TERMS = { drm: 1, allow_play: 1, total_concurrent_devices: 2, annual_concurrent_devices: -1 }
/** Asks for protection of the outputs, and forbids neither HD nor a small window. */
const ASKS = { ...TERMS, copy_prot_level_digital: 100 }

type Files = { bytes: Buffer; name: string; role?: string; language?: string }[]

/** The page of a film that a customer owns, and what it loads. */
async function openFilm(files: Files, terms: object = ASKS, product: object = {}) {
  const shop = await service.openShop()
  const base = await baseOf(shop)
  const owned = await ownedContent(service, shop, { files, terms, product: { drm_protected: true, ...product } })
  await service.runJobs()
  const { page, complaints } = await enterPlayer(browser, service, { shop, base, customer: owned.customer })
  const loaded: string[] = []
  page.on('request', (request) => void loaded.push(new URL(request.url()).pathname))
  await page.goto(`${base}/my-content/${owned.id}/play`)
  return { page, complaints, loaded, shop, id: owned.id }
}

/** How bright the brightest point of the picture is if the page draws it. */
async function drawn(page: Page): Promise<number> {
  return (await mediaOf(page)).evaluate((media: Wire) => {
    const { document } = globalThis as Wire
    const canvas = Object.assign(document.createElement('canvas'), { width: 64, height: 36 })
    const context = canvas.getContext('2d')
    context.drawImage(media, 0, 0, 64, 36)
    const { data } = context.getImageData(0, 0, 64, 36) as { data: Uint8Array }
    return data.reduce((most, value, index) => (index % 4 === 3 ? most : Math.max(most, value)), 0)
  })
}

describe('a film whose license asks for output protection, in a browser with Clear Key', () => {
  test('plays, has its subtitles, changes its language, seeks back and forth and goes on, and nobody can draw it', async () => {
    const subtitles = Buffer.from('1\n00:00:00,000 --> 00:00:59,000\nTwo ships at sea.\n')
    const { page, complaints, loaded } = await openFilm([
      { bytes: await aFilm({ times: 3, languages: ['eng', 'deu'] }), name: 'film.mp4', role: 'main_sd' },
      { bytes: subtitles, name: 'film.en.srt', role: 'subtitles', language: 'en' },
    ])
    await page.click('button.play')
    // Over the end of the first keys.
    await until(page, 9)
    assert.ok(Number(await readMedia(page, 'videoWidth')) > 0, 'there is no picture')
    assert.ok(loaded.filter((path) => path.endsWith('/license')).length >= 2)
    assert.ok(loaded.some((path) => /0-v-cbcs-\d+\.m4s$/.test(path)))
    assert.ok(
      !loaded.some((path) => path.endsWith('.key') || /0-v-\d+\.m4s$/.test(path)),
      'it was sent in the other way',
    )
    assert.ok(await readMedia(page, 'mediaKeys'))
    assert.equal(await drawn(page), 0)
    await page.keyboard.press('c')
    await page.waitForSelector('.p-sub:has-text("Two ships at sea.")', { state: 'attached' })
    await page.hover('[data-screen]')
    await page.click('[data-languages] [data-menu]')
    await page.check('[data-languages] input[value="1"]')
    await seek(page, 50)
    await until(page, 50.5)
    assert.ok(
      loaded.some((path) => /0-a1-cbcs-\d+\.m4s$/.test(path)),
      'the other language is not played',
    )
    await seek(page, 3)
    await page.waitForFunction(
      (media: Wire) => media.currentTime > 3.5 && media.currentTime < 20,
      (await mediaOf(page)) as never,
    )
    await (await mediaOf(page)).evaluate((media: { pause(): void }) => media.pause())
    await page.waitForTimeout(1000)
    const at = Number(await readMedia(page, 'currentTime'))
    await page.reload()
    await page.click('button.play')
    await until(page, Math.floor(at) + 0.2)
    assert.deepEqual(complaints, [])
  })

  test('stops in the middle after a refund, and says why', async () => {
    const { page, shop } = await openFilm([{ bytes: await aFilm({ times: 3 }), name: 'film.mp4' }])
    await page.click('button.play')
    await until(page, 1)
    await refund(shop, (await shop.get('/api/orders.json')).body.orders[0].id)
    const start = Date.now()
    // Whichever comes first says why: the next key, or on a slow machine the next heartbeat, after which the page says it.
    const why = await page.waitForSelector('[data-stopped]:not([hidden]) [data-why], .p-refused', { timeout: 30_000 })
    const seconds = (Date.now() - start) / 1000
    assert.ok(seconds <= 20, `it went on for ${seconds} s`)
    assert.match(await why.innerText(), /refunded/)
    assert.equal(await page.evaluate('document.querySelector("video")?.paused ?? true'), true)
    await screenshot(page, 'apart-stopped')
  })

  test('goes on in SD where HD is refused in the middle of it', async () => {
    const files = [
      { bytes: await aFilm({ times: 2 }), name: 'film.mp4', role: 'main_hd' },
      { bytes: await aFilm({ times: 2, version: 'sd' }), name: 'film.mp4', role: 'main_sd' },
    ]
    const { page, shop, id } = await openFilm(files, ASKS, { product_type: 9 })
    await page.click('button.play')
    await until(page, 0.5)
    await page.hover('[data-screen]')
    await page.click('[aria-controls="p-speed"]')
    const [, hd] = await page.$$('input[name="quality"]')
    await hd?.check()
    const isOf = async (isHd: boolean) =>
      page.waitForFunction(
        ([media, wanted]: [Wire, boolean]) => media.videoHeight > 0 && media.videoHeight >= 720 === wanted,
        [await mediaOf(page), isHd] as [Wire, boolean],
      )
    await isOf(true)
    await service.db
      .updateTable('entitlements')
      .set({ hd: false })
      .where('company_id', '=', shop.companyId)
      .where('id', '=', id)
      .execute()
    await seek(page, 40)
    await until(page, 41)
    await isOf(false)
    assert.equal(await page.isVisible('[data-stopped]'), false)
  })

  test('is sent in the other way where the browser has no Clear Key', async () => {
    const { page, loaded } = await openFilm([{ bytes: await aFilm(), name: 'film.mp4' }])
    for (const broken of ['undefined', '() => Promise.reject(new DOMException("no", "NotSupportedError"))']) {
      await page.addInitScript(
        `Object.defineProperty(Navigator.prototype, 'requestMediaKeySystemAccess', { value: ${broken}, configurable: true })`,
      )
      loaded.length = 0
      await page.reload()
      await page.click('button.play')
      await until(page, 0.5)
      assert.ok(
        loaded.some((path) => path.endsWith('.key')),
        broken,
      )
      assert.ok(!loaded.some((path) => path.endsWith('/license')), broken)
      assert.ok((await drawn(page)) > 0, broken)
    }
  })
})

test('a film whose license asks for no protection of the outputs is sent in the simple way', async () => {
  const { page, loaded } = await openFilm([{ bytes: await aFilm(), name: 'film.mp4' }], TERMS)
  await page.click('button.play')
  await until(page, 0.5)
  assert.ok(loaded.some((path) => path.endsWith('.key')))
  assert.ok(!loaded.some((path) => path.includes('cbcs')))
})
