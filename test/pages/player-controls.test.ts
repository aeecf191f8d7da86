import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { DESK, expectAccessible, screenshot, useBrowser } from '../browser.ts'
import type { Wire } from '../factories.ts'
import { useService } from '../harness.ts'
import { ownedContent } from '../owned-content.ts'
import { useShopPages } from '../shop-pages.ts'
import { NARROWEST } from './inspect.ts'
import { focused, overflow } from './look.ts'
import { enterPlayer, mediaOf, readMedia, until } from './media.ts'

const service = useService()
const browser = useBrowser()
const pages = useShopPages(service)
const MEDIA = join(import.meta.dirname, '../../src/program/demo/media')
const SCRIPTS_MAX_BYTES = 20 * 1024
const TARGET_MIN = 44

let film: Buffer
before(async () => {
  film = await readFile(join(MEDIA, 'film-sd.mp4'))
})

const subtitles = (text: string) => Buffer.from(`1\n00:00:00,000 --> 00:00:09,000\n${text}\n`)

/** A film that begins again at its end, so that no test has to hurry. */
async function aFilm(options: BrowserContextOptions = {}, isStarted = true) {
  const { id, customer } = await ownedContent(service, pages.shop, {
    files: [
      { bytes: film, name: 'film.mp4', role: 'main_sd' },
      { bytes: subtitles('Two ships at sea.'), name: 'film.en.srt', role: 'subtitles', language: 'en' },
      { bytes: subtitles('Deux navires en mer.'), name: 'film.fr.srt', role: 'subtitles', language: 'fr' },
    ],
  })
  const { shop, base } = pages
  const entered = await enterPlayer(browser, service, { shop, base, customer }, options)
  await entered.page.goto(`${base}/my-content/${id}/play`)
  if (isStarted) await start(entered.page)
  return { ...entered, id }
}

async function start(page: Page): Promise<void> {
  await (await mediaOf(page)).evaluate((media: Wire) => {
    media.loop = true
  })
  await page.locator('button.play').press('Enter')
  await until(page, 0.1)
}

const control = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

/** Waits until a property of the film or the track has a value. */
async function expectMedia(page: Page, name: string, value: unknown): Promise<void> {
  const isSo = ([media, key, wanted]: [Wire, string, unknown]) => media[key] === wanted
  await page.waitForFunction(isSo, [await mediaOf(page), name, value] as [Wire, string, unknown])
}

/** Waits until these subtitles are shown; the empty text means none. */
async function expectSubtitles(page: Page, text: string): Promise<void> {
  if (text === '') await page.waitForSelector('[data-shown]:empty', { state: 'attached' })
  else await page.locator('[data-shown]').getByText(text, { exact: true }).waitFor()
}

test('the film is played by the keyboard alone', async () => {
  const { page, complaints } = await aFilm()
  assert.equal(await readMedia(page, 'controls'), false)
  assert.match((await focused(page)).called, /^button/)
  assert.ok((await focused(page)).outline >= 2, 'nobody sees that the button has the focus')
  await page.keyboard.press('Space')
  await expectMedia(page, 'paused', true)
  assert.equal(await control(page, 'Play').count(), 1)
  await page.keyboard.press('k')
  await expectMedia(page, 'paused', false)
  assert.equal(await control(page, 'Pause').count(), 1)
  await page.keyboard.press('k')
  await page.locator('[data-seek]').press('Home')
  await expectMedia(page, 'currentTime', 0)
  await page.keyboard.press('ArrowRight')
  assert.ok((await readMedia(page, 'currentTime')) > 5)
  assert.match((await page.getAttribute('[data-seek]', 'aria-valuetext')) ?? '', /\d seconds of \d+ seconds$/)
  await page.keyboard.press('ArrowLeft')
  await expectMedia(page, 'currentTime', 0)
  await page.keyboard.press('m')
  await expectMedia(page, 'muted', true)
  assert.equal(await page.textContent('[role=status][data-say]'), 'Mute')
  assert.equal(await control(page, 'Unmute').count(), 1)
  await page.keyboard.press('m')
  await page.keyboard.press('ArrowDown')
  assert.equal(await page.textContent('[data-say]'), 'Volume: 95 %')
  for (const [key, rate] of [
    ['>', 1.25],
    ['>', 1.5],
    ['<', 1.25],
  ] as const) {
    await page.keyboard.press(key)
    await expectMedia(page, 'playbackRate', rate)
  }
  assert.equal(await page.textContent('[data-say]'), 'Speed: 1.25×')
  await page.keyboard.press('c')
  await expectSubtitles(page, 'Two ships at sea.')
  assert.equal(await page.textContent('[data-say]'), 'Subtitles: English')
  await page.keyboard.press('c')
  await expectSubtitles(page, '')
  await page.keyboard.press('f')
  await control(page, 'Leave full screen').waitFor()
  await page.keyboard.press('f')
  await control(page, 'Full screen').waitFor()
  assert.deepEqual(complaints, [])
})

test('subtitles and speed are chosen in menus, which Escape closes', async () => {
  const { page } = await aFilm()
  await control(page, 'Subtitles').press('Enter')
  assert.equal(await page.isChecked('input[name="subtitles"]:focus'), true)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await expectSubtitles(page, 'Deux navires en mer.')
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  assert.equal(await page.isVisible('#p-subtitles'), false)
  assert.equal(await page.getAttribute('[data-menu]:focus', 'aria-controls'), 'p-subtitles')
  // The key turns on again what was chosen.
  await page.keyboard.press('c')
  await page.keyboard.press('c')
  await expectSubtitles(page, 'Deux navires en mer.')
  // Controls are not hidden while the film is paused, so a slow machine has time to press them.
  await (await mediaOf(page)).evaluate((media: Wire) => media.pause())
  await control(page, 'Speed').click()
  await page.getByText('2×', { exact: true }).click()
  await expectMedia(page, 'playbackRate', 2)
  assert.equal(await page.isVisible('#p-speed'), false)
})

test('subtitles stand above the controls, and lower when those are hidden', async () => {
  const { page } = await aFilm()
  await page.keyboard.press('c')
  await expectSubtitles(page, 'Two ships at sea.')
  const bottom = async (part: string) => {
    const box = await page.locator(part).boundingBox()
    assert.ok(box)
    return box.y + box.height
  }
  const top = async (part: string) => (await page.locator(part).boundingBox())?.y ?? 0
  // They move there within a moment.
  while ((await bottom('[data-shown]')) > (await top('[data-seek]')));
  await page.waitForSelector('[data-screen].idle')
  while ((await bottom('[data-shown]')) <= (await top('[data-seek]')));
  assert.ok((await bottom('[data-shown]')) <= (await bottom('video')))
})

test('the mouse plays, seeks and changes the volume', async () => {
  const { page } = await aFilm()
  await page.click('video')
  await expectMedia(page, 'paused', true)
  const seek = await page.locator('[data-seek]').boundingBox()
  assert.ok(seek)
  await page.mouse.click(seek.x + seek.width / 2, seek.y + seek.height / 2)
  const half = (await readMedia(page, 'duration')) / 2
  assert.ok(Math.abs((await readMedia(page, 'currentTime')) - half) < half / 10)
  assert.match((await page.getAttribute('[data-seek]', 'style')) ?? '', /--played: (49|50|51)\.\d+%; --ready: [1-9]/)
  const [now, left] = await Promise.all([page.innerText('[data-now]'), page.innerText('[data-left]')])
  assert.match(`${now} ${left}`, /^0:1\d −0:1\d$/)
  await control(page, 'Back 10 seconds').click()
  assert.ok(Math.abs((await readMedia(page, 'currentTime')) - (half - 10)) < half / 10)
  await control(page, 'Back 10 seconds').click()
  await expectMedia(page, 'currentTime', 0)
  await page.locator('[data-volume]').fill('0')
  await expectMedia(page, 'volume', 0)
  await control(page, 'Unmute').click()
  await expectMedia(page, 'volume', 0.5)
})

test('the controls are hidden while the film plays, until something moves', async () => {
  const { page } = await aFilm()
  await page.mouse.move(300, 300)
  await page.waitForSelector('[data-screen].idle')
  const opacity = () =>
    page.locator('[data-controls]').evaluate((bar: Wire) => bar.checkVisibility({ checkOpacity: true }))
  while (await opacity());
  await page.mouse.move(310, 310)
  await page.waitForSelector('[data-screen]:not(.idle)')
  await page.waitForSelector('[data-screen].idle')
  await page.keyboard.press('Tab')
  await page.waitForSelector('[data-screen]:not(.idle)')
  await page.keyboard.press('k')
  // Nothing hides the controls of a film that stands still.
  await page.clock.install()
  await page.mouse.move(320, 320)
  await page.clock.fastForward(10_000)
  assert.equal(await page.locator('.idle').count(), 0)
})

test('a tap shows the controls, and the next one hides them', async () => {
  const { page } = await aFilm({ hasTouch: true, viewport: { width: 844, height: 390 } })
  await page.waitForSelector('[data-screen].idle')
  await page.tap('video', { position: { x: 300, y: 150 } })
  await page.waitForSelector('[data-screen]:not(.idle)')
  assert.equal(await readMedia(page, 'paused'), false)
  await page.tap('video', { position: { x: 300, y: 150 } })
  await page.waitForSelector('[data-screen].idle')
  assert.equal(await readMedia(page, 'paused'), false)
})

for (const [name, viewport] of Object.entries({ desk: DESK, phone: NARROWEST }))
  test(`every control can be pressed with a finger, and everybody can use the page: ${name}`, async () => {
    const { page } = await aFilm({ viewport, colorScheme: name === 'desk' ? 'light' : 'dark' })
    await page.keyboard.press('k')
    await expectAccessible(page)
    assert.ok((await overflow(page)) <= 0, 'the page is wider than the screen')
    const controls = await page.locator('[data-controls]').locator('button:visible, input:visible').all()
    assert.ok(controls.length >= 7)
    for (const each of controls) {
      const box = await each.boundingBox()
      assert.ok(box, 'a control is nowhere')
      assert.ok(Math.min(box.width, box.height) >= TARGET_MIN, `${await each.getAttribute('aria-label')} is small`)
      assert.ok(box.x >= 0 && box.x + box.width <= viewport.width, 'a control is beyond the edge')
    }
    for (const menu of await page.locator('[data-menu]').all()) {
      await menu.click()
      const box = await page.locator('.p-list:visible').boundingBox()
      assert.ok(box && box.x >= 0 && box.x + box.width <= viewport.width && box.y >= 0, 'a menu is beyond the edge')
      await page.keyboard.press('Escape')
    }
    await screenshot(page, `play-controls-${name}`)
  })

test('an album has the same controls, without those of a picture', async () => {
  const bytes = await readFile(join(MEDIA, 'track-1.mp3'))
  const { id, customer } = await ownedContent(service, pages.shop, {
    files: ['One', 'Two'].map((name) => ({ bytes, name: `${name}.mp3`, role: 'main_sd' })),
    product: { product_type: 5 },
  })
  const { shop, base } = pages
  const { page, complaints } = await enterPlayer(browser, service, { shop, base, customer }, { viewport: NARROWEST })
  await page.goto(`${base}/my-content/${id}/play`)
  await start(page)
  for (const name of ['Pause', 'Back 10 seconds', 'Forward 10 seconds', 'Mute', 'Speed'])
    assert.equal(await control(page, name).count(), 1, name)
  for (const name of ['Full screen', 'Picture in picture', 'Subtitles'])
    assert.equal(await control(page, name).count(), 0, name)
  await page.keyboard.press('>')
  await page.click('[data-title]:has-text("Two")')
  await page.waitForSelector('[aria-current]:has-text("Two")')
  // The next track goes on at the same speed.
  await until(page, 0.1)
  await expectMedia(page, 'playbackRate', 1.25)
  await expectAccessible(page)
  assert.ok((await overflow(page)) <= 0)
  await screenshot(page, 'play-audio')
  assert.deepEqual(complaints, [])
})

test('without script the browser shows its own controls', async () => {
  const { page } = await aFilm({ javaScriptEnabled: false }, false)
  await page.click('button.play')
  await page.waitForSelector('video[controls][src]')
  assert.equal(await page.isVisible('[data-controls]'), false)
  assert.equal(await page.locator('track').count(), 2)
})

test('the scripts of the page are small', async () => {
  const { page } = await aFilm({}, false)
  const sources = await page.locator('script[src]').evaluateAll((all: Wire[]) => all.map(({ src }) => src as string))
  assert.equal(sources.length, 2)
  const sizes = await Promise.all(sources.map(async (src) => gzipSync(await (await fetch(src)).bytes()).length))
  const sum = sizes.reduce((all, size) => all + size)
  assert.ok(sum < SCRIPTS_MAX_BYTES, `${sum} bytes`)
})
