import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { request } from 'node:http'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, beforeEach, test } from 'node:test'
import type { Frame } from 'playwright-core'
import { anEpub, aPdf } from '../books.ts'
import { expectAccessible, screenshot, useBrowser } from '../browser.ts'
import { selfSigned } from '../certificate.ts'
import { proveDomains } from '../domains.ts'
import { aThemeSetting, type Wire } from '../factories.ts'
import { type Shop, useService } from '../harness.ts'
import { loginPath, ownedContent } from '../owned-content.ts'
import { baseOf } from '../shop-pages.ts'
import { enterPlayer, mediaOf, readMedia, seek, until } from './media.ts'
import { moves, placeIn } from './reading.ts'

const service = useService({ trustProxy: ['127.0.0.1'] })
const browser = useBrowser()
const MEDIA = join(import.meta.dirname, '../../src/program/demo/media')
const demo = (name: string) => readFile(join(MEDIA, name))

let shop: Shop
let base: string

beforeEach(async () => {
  service.app.baseUrl = service.url
  shop ??= await service.openShop()
  base ??= await baseOf(shop)
})

const enter = (customer: Wire) => enterPlayer(browser, service, { shop, base, customer })

/** The service hears of a page that was left after the next page is shown. */
async function positionOf(id: number): Promise<number> {
  const rows = service.db.selectFrom('content_positions').select('seconds').where('entitlement_id', '=', id)
  return (await rows.executeTakeFirst())?.seconds ?? 0
}

/** The place in a book that was left, once the service has heard of it. */
/** Is what was stored of a book the place at which its page was left? The page says so after another one is shown. */
async function isStoredAt(id: number, fraction: number): Promise<boolean> {
  const rows = service.db.selectFrom('content_positions').select('fraction').where('entitlement_id', '=', id)
  return Math.abs(((await rows.executeTakeFirst())?.fraction ?? -1) - fraction) < 0.01
}

/** Is there a text or a picture of one in the frame of a book? */
async function showsText(frame: Frame | undefined): Promise<boolean> {
  const canvas = await frame?.$('canvas')
  if (canvas === undefined || canvas === null)
    return (await Promise.all((frame?.childFrames() ?? []).map((each) => each.innerText('body')))).some((text) =>
      text.includes('Paragraph of chapter'),
    )
  return canvas.evaluate((drawn: Wire) => {
    const { data } = drawn.getContext('2d').getImageData(0, 0, drawn.width, drawn.height)
    return data.some((value: number, at: number) => at % 4 === 0 && value < 100)
  })
}

test('a film plays, seeks, and goes on where the customer stopped', async () => {
  const subtitles = Buffer.from('1\n00:00:00,000 --> 00:00:09,000\nTwo ships at sea.\n')
  const { id, customer } = await ownedContent(service, shop, {
    files: [
      { bytes: await demo('film-sd.mp4'), name: 'film.mp4', role: 'main_sd' },
      { bytes: subtitles, name: 'film.en.srt', role: 'subtitles', language: 'en' },
    ],
    terms: { expire_after_first_use: 48 },
  })
  const { page, complaints } = await enter(customer)
  await page.goto(`${base}/my-content/${id}`)
  await page.click('text=Play')
  await expectAccessible(page)
  await screenshot(page, 'play-before')
  await page.click('button.play')
  await until(page, 0.2)
  assert.ok((await readMedia(page, 'videoWidth')) > 0, 'there is no picture')
  // The time of the rental has begun, and the page says so without being loaded again.
  await page.waitForSelector('.p-top :text("48 h left")')
  await screenshot(page, 'play')
  await page.keyboard.press('k')
  assert.equal(await readMedia(page, 'paused'), true)
  await seek(page, 3)
  await until(page, 3)
  await page.keyboard.press('c')
  await page.waitForFunction((video: Wire) => video.textTracks[0].cues?.length === 1, await mediaOf(page))
  // Leaving tells the service where the customer is.
  await page.goto(`${base}/my-content`)
  while ((await positionOf(id)) < 3) await page.goto(`${base}/my-content`)
  await page.goto(`${base}/my-content/${id}/play`)
  assert.match(await page.innerText('button.play'), /Resume/)
  await page.click('button.play')
  await until(page, 3)
  assert.deepEqual(complaints, [])
})

test('an album goes on from track to track, and a refused thing says why', async () => {
  const files = ['track-1.mp3', 'track-2.mp3'].map(async (name) => ({ bytes: await demo(name), name, role: 'main_sd' }))
  const { id, customer } = await ownedContent(service, shop, {
    files: await Promise.all(files),
    product: { product_type: 5 },
    terms: { drm: 1, allow_play: 1, total_concurrent_devices: 1, annual_concurrent_devices: -1 },
  })
  const { page, complaints } = await enter(customer)
  await page.goto(`${base}/my-content/${id}/play`)
  await page.click('button.play')
  await until(page, 0.1)
  await seek(page, 1000)
  await page.waitForSelector('[aria-current]:has-text("track-2")')
  await until(page, 0.1)
  assert.deepEqual(complaints, [])
  const second = await enter(customer)
  await second.page.goto(`${base}/my-content/${id}/play`)
  await expectAccessible(second.page)
  await screenshot(second.page, 'play-refused')
  assert.match(await second.page.innerText('[role=alert]'), /device/)
  await second.page.click('[role=alert] a')
  assert.equal(new URL(second.page.url()).pathname, `${base}/account/devices`)
})

for (const { name, bytes, turns, where } of [
  { name: 'book.epub', bytes: async () => anEpub(), turns: 4, where: /^[1-9]\d* %$/ },
  { name: 'book.pdf', bytes: () => aPdf(8), turns: 4, where: /^Page 5 of 8$/ },
])
  test(`${name} is read to a page, and goes on there`, async () => {
    const files = [{ bytes: await bytes(), name }]
    const { id, customer } = await ownedContent(service, shop, {
      files,
      terms: { stamp: 0 },
      product: { product_type: 16 },
    })
    const { page, complaints } = await enter(customer)
    await page.goto(`${base}/my-content/${id}`)
    await page.click('a:has-text("Read")')
    await page.waitForSelector('[data-where]:not(:empty)')
    const frame = page.frames().find((each) => each.url().includes('/read/'))
    assert.match(new URL(frame?.url() ?? '').hostname, /^reader-\d+\.localhost$/)
    for (let turn = 0; turn < turns; turn += 1) await moves(page, () => page.click('[data-do="next"]'))
    const at = await placeIn(page)
    assert.match(at, where)
    await expectAccessible(page)
    await screenshot(page, `read-${name.split('.')[1]}`)
    assert.ok(await showsText(frame), 'the page is empty')
    for (const each of page.frames()) assert.notEqual(await each.title(), 'A script ran')
    const left = Number(await page.inputValue('[data-seek]'))
    await page.goto(`${base}/my-content`)
    while (!(await isStoredAt(id, left))) await page.goto(`${base}/my-content`)
    await page.goto(`${base}/my-content/${id}/read`)
    // A book opens at its beginning before it goes on.
    await page.locator('[data-where]', { hasText: at }).waitFor()
    assert.equal(await placeIn(page), at)
    assert.deepEqual(
      complaints.filter((complaint) => !/script-src/.test(complaint)),
      [],
    )
  })

/** Sites with TLS, which browsers want for cookies in frames: the service behind a proxy, and others that frame it. */
let sites: Server | undefined
after(() => void sites?.close())

async function openSites(framed: () => string): Promise<(name: string) => string> {
  sites = createServer(selfSigned('*.test'), (asked, answer) => {
    const { host = '' } = asked.headers
    if (/^(portal|stranger)\./.test(host)) {
      answer.writeHead(200, { 'content-type': 'text/html' }).end(`<!doctype html><iframe src="${framed()}"></iframe>`)
      return
    }
    const headers = { ...asked.headers, 'x-forwarded-proto': 'https' }
    const passed = request(`${service.url}${asked.url}`, { method: asked.method, headers, setHost: false })
    passed.on('response', (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers)
      response.pipe(answer)
    })
    passed.on('error', () => answer.destroy())
    asked.pipe(passed)
  })
  sites.listen(0, '127.0.0.1')
  await once(sites, 'listening')
  const { port } = sites.address() as AddressInfo
  return (name) => `https://${name}.test:${port}`
}

test('a film plays and a book opens in a frame of a site that the owner named, on the domain of My Content', async () => {
  let framed = ''
  const at = await openSites(() => framed)
  const { id } = await aThemeSetting(shop, { access_domain: 'my-cinema.test', frame_origins: [at('portal')] })
  await proveDomains(service, shop, 'my-cinema.test')
  const film = await ownedContent(service, shop, {
    files: [{ bytes: await demo('film-sd.mp4'), name: 'film.mp4', role: 'main_sd' }],
    product: { title: 'The film' },
  })
  await ownedContent(service, shop, {
    files: [{ bytes: anEpub(), name: 'book.epub' }],
    terms: { stamp: 0 },
    product: { title: 'The book', product_type: 16 },
    customer: film.customer,
  })
  const login = async () => `${at('my-cinema')}${await loginPath(service, shop, `/shop/${id}`, film.customer)}`
  const page = await browser.newPage({ ignoreHTTPSErrors: true })
  const complaints: string[] = []
  page.on('console', (message) => {
    if (/Content Security Policy/i.test(message.text())) complaints.push(message.text())
  })
  service.app.baseUrl = at('licet')
  framed = await login()
  await page.goto(at('portal'))
  const inside = page.frameLocator('iframe')
  await inside.locator('a.item', { hasText: 'The film' }).click()
  await inside.locator('button.play').click()
  const isPlaying = (media: Wire) => media.readyState >= 2 && media.currentTime > 0
  const [, frame] = page.frames()
  assert.equal(new URL(frame?.url() ?? '').origin, at('my-cinema'))
  await frame?.waitForFunction(isPlaying, await frame.waitForSelector('video'))
  await inside.locator('.p-top a').click()
  await inside.locator('a.item', { hasText: 'The book' }).click()
  await inside.locator('[data-where]:not(:empty)').waitFor()
  assert.ok(await showsText(page.frames().find((each) => each.url().includes('/read/'))), 'the book is empty')
  assert.deepEqual(
    complaints.filter((complaint) => !/script-src/.test(complaint)),
    [],
  )

  framed = await login()
  await page.goto(at('stranger'))
  assert.ok(
    complaints.some((complaint) => /frame-ancestors/.test(complaint)),
    `${complaints}`,
  )
  assert.doesNotMatch((await page.frames()[1]?.content()) ?? '', /The film/)
})
