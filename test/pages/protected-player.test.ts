import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { readEngine } from '#shop/library/stream/engine.files.ts'
import { DESK, expectAccessible, PHONE, screenshot, useBrowser } from '../browser.ts'
import { type Shop, useService } from '../harness.ts'
import { aFilm, demoTrack } from '../media.ts'
import { ownedContent } from '../owned-content.ts'
import { refund } from '../sales.ts'
import { baseOf } from '../shop-pages.ts'
import { enterPlayer, mediaOf, readMedia, seek, until } from './media.ts'

const service = useService({ trustProxy: ['127.0.0.1'] })
const browser = useBrowser()

let shop: Shop
let base: string

beforeEach(async () => {
  service.app.baseUrl = service.url
  shop ??= await service.openShop()
  base ??= await baseOf(shop)
})

const TERMS = { drm: 1, allow_play: 1, total_concurrent_devices: 2, annual_concurrent_devices: -1 }

/** A protected film that a customer owns. */
async function aFilmOf(
  files: { bytes: Buffer; name: string; role?: string; language?: string }[],
  product: object = {},
) {
  const owned = await ownedContent(service, shop, { files, terms: TERMS, product: { drm_protected: true, ...product } })
  await service.runJobs()
  return owned
}

test('the player of a protected film weighs less than 200 KB', async () => {
  const scripts = ['player.js', 'player-stream.js', 'player-controls.js'].map(async (name) => {
    const answer = await fetch(new URL(`/assets/themes/default/${name}`, service.url))
    assert.equal(answer.status, 200, name)
    return Buffer.from(await answer.arrayBuffer())
  })
  const all = [...(await Promise.all(scripts)), (await readEngine()).bytes]
  const bytes = all.reduce((sum, script) => sum + gzipSync(script).length, 0)
  assert.ok(bytes < 200_000, `${bytes} bytes`)
})

test('a protected film plays, changes its language, seeks and goes on, and stops with the reason after a refund', async () => {
  const subtitles = Buffer.from('1\n00:00:00,000 --> 00:00:09,000\nTwo ships at sea.\n')
  const { id, customer } = await aFilmOf([
    { bytes: await aFilm({ times: 3, languages: ['eng', 'deu'] }), name: 'film.mp4', role: 'main_sd' },
    { bytes: subtitles, name: 'film.en.srt', role: 'subtitles', language: 'en' },
  ])
  const { page, complaints } = await enterPlayer(browser, service, { shop, base, customer })
  const loaded: string[] = []
  page.on('request', (request) => void loaded.push(new URL(request.url()).pathname))
  const hasLibrary = () => loaded.some((path) => path.includes('/assets/player/'))
  await page.goto(`${base}/my-content`)
  assert.ok(!hasLibrary(), 'the library is loaded where nothing is played')
  await page.goto(`${base}/my-content/${id}/play`)
  await page.waitForLoadState('networkidle')
  assert.ok(hasLibrary(), 'the library is loaded only after the press')
  await page.click('button.play')
  await until(page, 0.5)
  assert.ok(Number(await readMedia(page, 'videoWidth')) > 0, 'there is no picture')
  assert.ok(!loaded.some((path) => path.startsWith('/files/')), 'the file was fetched')
  assert.ok(loaded.some((path) => path.endsWith('.key')))
  await page.hover('[data-screen]')
  await page.click('[data-languages] [data-menu]')
  await expectAccessible(page)
  await screenshot(page, 'protected-languages')
  await page.check('[data-languages] input[value="1"]')
  await page.waitForTimeout(1500)
  assert.ok(
    loaded.some((path) => /0-a1-ctr-\d+\.m4s$/.test(path)),
    'the other language is not played',
  )
  await page.keyboard.press('c')
  await page.waitForSelector('.p-sub:has-text("Two ships at sea.")', { state: 'attached' })
  await seek(page, 40)
  await until(page, 40.5)
  // Where it was left, it goes on.
  await (await mediaOf(page)).evaluate((media: { pause(): void }) => media.pause())
  await page.waitForTimeout(1000)
  await page.reload()
  await page.click('button.play')
  await until(page, 40.2)
  const { orders } = (await shop.get('/api/orders.json')).body
  await refund(shop, orders.at(-1).id)
  const start = Date.now()
  await page.waitForSelector('[data-stopped]:not([hidden])', { timeout: 30_000 })
  const seconds = (Date.now() - start) / 1000
  assert.ok(seconds <= 20, `it went on for ${seconds} s`)
  assert.match(await page.innerText('[data-why]'), /refunded/)
  assert.equal(await readMedia(page, 'paused'), true)
  await expectAccessible(page)
  await page.setViewportSize(DESK)
  await screenshot(page, 'protected-stopped')
  await page.setViewportSize(PHONE)
  await screenshot(page, 'protected-stopped-phone')
  assert.deepEqual(complaints, [])
})

test('HD and SD are versions of one film, and a license without HD plays SD', async () => {
  const files = [
    { bytes: await aFilm(), name: 'film.mp4', role: 'main_hd' },
    { bytes: await aFilm({ version: 'sd' }), name: 'film.mp4', role: 'main_sd' },
  ]
  const both = await aFilmOf(files)
  const { page } = await enterPlayer(browser, service, { shop, base, customer: both.customer })
  await page.goto(`${base}/my-content/${both.id}/play`)
  await page.click('button.play')
  await until(page, 0.3)
  await page.hover('[data-screen]')
  await page.click('[aria-controls="p-speed"]')
  const [, , sd] = await page.$$('input[name="quality"]')
  await sd?.check()
  const isSmall = (media: { videoHeight: number }) => media.videoHeight > 0 && media.videoHeight < 720
  await page.waitForFunction(isSmall, (await mediaOf(page)) as never, { timeout: 20_000 })
  const height = Number(await readMedia(page, 'videoHeight'))
  assert.ok(height > 0 && height < 720, String(height))
})

test('two windows of one browser do not play at once, and either goes on at a press', async () => {
  const { id, customer } = await aFilmOf([{ bytes: await aFilm({ times: 3 }), name: 'film.mp4' }])
  const { page } = await enterPlayer(browser, service, { shop, base, customer })
  await page.goto(`${base}/my-content/${id}/play`)
  await page.click('button.play')
  await until(page, 0.3)
  const other = await page.context().newPage()
  await other.goto(`${base}/my-content/${id}/play`)
  await other.click('button.play')
  await until(other, 0.3)
  await page.bringToFront()
  await page.waitForSelector('[data-stopped]:not([hidden])', { timeout: 25_000 })
  assert.match(await page.innerText('[data-why]'), /another window/)
  await page.click('[data-again]')
  await page.waitForSelector('[data-stopped]', { state: 'hidden' })
  const at = Number(await readMedia(page, 'currentTime'))
  await until(page, at + 0.5)
})

test('protected music plays', async () => {
  const { id, customer } = await aFilmOf([{ bytes: await demoTrack(), name: 'track.mp3' }], { product_type: 5 })
  const { page, complaints } = await enterPlayer(browser, service, { shop, base, customer })
  await page.goto(`${base}/my-content/${id}/play`)
  await page.click('button.play')
  await until(page, 0.5)
  assert.deepEqual(complaints, [])
})
