import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { DESK, expectAccessible, screenshot, useBrowser } from '../browser.ts'
import { usePictureHost, type Wire } from '../factories.ts'
import { useService } from '../harness.ts'
import { ownedContent } from '../owned-content.ts'
import { useShopPages } from '../shop-pages.ts'
import { enterPlayer, seek } from './media.ts'

const service = useService({ trustProxy: ['127.0.0.1'] })
const pages = useShopPages(service)
const browser = useBrowser()
const pictures = usePictureHost()
const MEDIA = join(import.meta.dirname, '../../src/program/demo/media')

const SESSION = () => {
  const { metadata } = (globalThis as Wire).navigator.mediaSession
  return { title: metadata?.title, album: metadata?.album, artwork: metadata?.artwork.length }
}

test('an album is heard beside its cover, from track to track and by the keys for media', async () => {
  const { shop, base } = pages
  const bytes = await readFile(join(MEDIA, 'track-1.mp3'))
  const { id, customer } = await ownedContent(service, shop, {
    files: ['Ropes', 'Rain', 'Fog'].map((name) => ({ bytes, name: `${name}.mp3`, role: 'main_sd' })),
    product: {
      product_type: 24,
      title: 'Harbour Sounds',
      runtime: 3480,
      preview_pictures: [{ src: pictures.url('/cover.png') }],
    },
  })
  await service.runJobs()
  const { page, complaints } = await enterPlayer(browser, service, { shop, base, customer }, { viewport: DESK })
  // The keys for media call these, which a page cannot.
  await page.addInitScript(() => {
    const global = globalThis as Wire
    global.handlers = {}
    global.navigator.mediaSession.setActionHandler = (name: string, handler: unknown) => {
      global.handlers[name] = handler
    }
  })
  await page.goto(`${base}/my-content`)
  await page.click('a.item')
  await page.waitForSelector('button.play')
  assert.match(await page.innerText('.p-facts'), /^3 tracks, 58 min$/)
  await expectAccessible(page)
  await screenshot(page, 'listen-before')
  const [cover, tracks] = [await page.locator('.screen-art').boundingBox(), await page.locator('.tracks').boundingBox()]
  assert.ok(cover && tracks && cover.x + cover.width < tracks.x, 'the tracks are not beside the cover')
  const press = (key: string) => page.evaluate((name) => (globalThis as Wire).handlers[name]({}), key)
  const isCurrent = (name: string) => page.waitForSelector(`.tracks [aria-current]:has-text("${name}")`)
  /** Waits until a track is heard. The tracks are short, so it stops there: nothing goes on by itself meanwhile. */
  const hear = async (name: string) => {
    await isCurrent(name)
    await page.waitForFunction((title) => (globalThis as Wire).navigator.mediaSession.metadata?.title === title, name)
    await press('pause')
  }
  await page.click('button.play')
  await hear('Ropes')
  assert.match(await page.innerText('.tracks [aria-current] [data-length]'), /^\d+:\d\d$/)
  assert.deepEqual(await page.evaluate(SESSION), { title: 'Ropes', album: 'Harbour Sounds', artwork: 1 })
  await page.click('[data-skip="1"]')
  await hear('Rain')
  await press('nexttrack')
  await hear('Fog')
  // There is nothing after the last track, and it goes on.
  assert.equal(await page.evaluate(() => (globalThis as Wire).handlers.nexttrack), null)
  await page.click('[data-skip="-1"]')
  await hear('Rain')
  // Some way into a track, the key leads to its own beginning.
  await seek(page, 6)
  await press('previoustrack')
  await isCurrent('Rain')
  await screenshot(page, 'listen')
  // The place that was kept last counts, to the second.
  service.clock.advance(60)
  const kept = page.waitForResponse(/\/progress$/)
  await press('play')
  await press('pause')
  await kept
  await page.click('.p-top a')
  assert.equal(new URL(page.url()).pathname, `${base}/my-content`)
  await page.goto(`${base}/my-content/${id}/play`)
  assert.equal(await page.innerText('.tracks [aria-current] [data-track]'), 'Rain')
  assert.deepEqual(complaints, [])
})
