import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import type { Page } from 'playwright-core'
import { makeDemoBook } from '#program/demo/books/book.ts'
import { aPdf } from '../books.ts'
import { expectAccessible, screenshot, useBrowser } from '../browser.ts'
import type { Wire } from '../factories.ts'
import { type Shop, useService } from '../harness.ts'
import { ownedContent } from '../owned-content.ts'
import { baseOf } from '../shop-pages.ts'
import { enterPlayer } from './media.ts'
import { moves, placeIn } from './reading.ts'

const service = useService({ trustProxy: ['127.0.0.1'] })
const browser = useBrowser()
let shop: Shop
let base: string

beforeEach(async () => {
  service.app.baseUrl = service.url
  shop ??= await service.openShop()
  base ??= await baseOf(shop)
})

async function openBook(bytes: Buffer, name: string) {
  const product = { product_type: 16, title: 'The Ferryman’s Almanac' }
  const { id, customer } = await ownedContent(service, shop, { files: [{ bytes, name }], terms: { stamp: 0 }, product })
  const { page, complaints } = await enterPlayer(browser, service, { shop, base, customer })
  await page.goto(`${base}/my-content`)
  await page.click('a.item')
  await page.waitForSelector('[data-where]:not(:empty)')
  return { page, id, complaints }
}

const textOf = async (page: Page) => {
  const frame = page.frames().find((each) => each.url().includes('/read/'))
  const styles = async (child: Wire) =>
    child.evaluate(() => {
      const { getComputedStyle, document } = globalThis as Wire
      const { fontFamily, fontSize, lineHeight, color } = getComputedStyle(document.querySelector('p'))
      return { fontFamily, fontSize: Number.parseFloat(fontSize), lineHeight: Number.parseFloat(lineHeight), color }
    })
  const [child] = frame?.childFrames() ?? []
  assert.ok(child)
  return styles(child)
}

test('a book fills the screen at the first press, and its arrow leads back', async () => {
  const { page, id, complaints } = await openBook(makeDemoBook(), 'almanac.epub')
  assert.equal(new URL(page.url()).pathname, `${base}/my-content/${id}/read`)
  assert.equal(await page.locator('header.top, footer.foot').count(), 0)
  const { height } = (await page.locator('.reading').boundingBox()) ?? {}
  assert.equal(height, page.viewportSize()?.height)
  await expectAccessible(page)
  await screenshot(page, 'reader')
  // The bars fade while somebody reads, and come back.
  await page.waitForSelector('.reading.idle')
  await page.mouse.move(200, 20)
  await page.waitForSelector('.reading:not(.idle)')
  await page.click('.r-top a')
  assert.equal(new URL(page.url()).pathname, `${base}/my-content`)
  await page.goto(`${base}/my-content/${id}`)
  await page.click('a:has-text("Read")')
  await page.waitForSelector('[data-where]:not(:empty)')
  assert.equal(await page.getAttribute('.r-top a', 'href'), `${base}/my-content/${id}`)
  assert.deepEqual(complaints, [])
})

test('pages turn by key, by tap and by the slider, and contents and search lead to places', async () => {
  const { page } = await openBook(makeDemoBook(), 'almanac.epub')
  const { width = 0, height = 0 } = (await page.locator('iframe').boundingBox()) ?? {}
  await moves(page, () => page.keyboard.press('ArrowRight'))
  await moves(page, () => page.mouse.click(width * 0.95, height / 2))
  await moves(page, () => page.mouse.click(width * 0.2, height / 2))
  await moves(page, () => page.keyboard.press('ArrowLeft'))
  await page.click('[data-panel="r-contents"]')
  await expectAccessible(page)
  await screenshot(page, 'reader-contents')
  assert.equal(await page.locator('[data-entries] button').count(), 3)
  await moves(page, () => page.click('[data-entries] li:nth-child(3) button'))
  assert.match(await page.innerText('[data-chapter]'), /\S/)
  await page.click('[data-panel="r-search"]')
  await page.fill('[name="words"]', 'almanac')
  await page.click('[data-find] button')
  await page.waitForSelector('[data-found] mark')
  await expectAccessible(page)
  await moves(page, () => page.click('[data-found] li:first-child button'))
  await page.click('[data-panel="r-search"]')
  await page.fill('[name="words"]', 'zeppelin')
  await page.click('[data-find] button')
  await page.waitForSelector('[data-nothing]:has-text("Nothing found")')
  await page.keyboard.press('Escape')
  assert.equal(await page.locator('.r-panel:visible').count(), 0)
})

test('type and colours are those that the reader chose, also the next time', async () => {
  const { page } = await openBook(makeDemoBook(), 'almanac.epub')
  const before = await textOf(page)
  assert.match(before.fontFamily, /Georgia/)
  await page.click('[data-panel="r-text"]')
  await expectAccessible(page)
  await screenshot(page, 'reader-text')
  await page.check('[name="font"][value="sans"]')
  await page.check('[name="spacing"][value="wide"]')
  await page.check('[name="colours"][value="sepia"]')
  for (let press = 0; press < 3; press += 1) await page.click('[data-do="larger"]')
  const changed = async () => {
    const after = await textOf(page)
    assert.match(after.fontFamily, /sans-serif/)
    assert.ok(after.fontSize > before.fontSize, `${after.fontSize}`)
    assert.ok(after.lineHeight / after.fontSize > 1.8)
    assert.equal(after.color, 'rgb(58, 47, 33)')
    assert.equal(await page.getAttribute('.reading', 'data-colours'), 'sepia')
  }
  await changed()
  await screenshot(page, 'reader-sepia')
  await page.reload()
  await page.waitForSelector('[data-where]:not(:empty)')
  await changed()
})

test('a PDF is searched and turned, and has no type of its own', async () => {
  const { page } = await openBook(await aPdf(8), 'book.pdf')
  assert.equal(await placeIn(page), 'Page 1 of 8')
  assert.equal(await moves(page, () => page.keyboard.press('ArrowRight')), 'Page 2 of 8')
  await page.click('[data-panel="r-search"]')
  await page.fill('[name="words"]', 'page 7')
  await page.click('[data-find] button')
  assert.equal(await moves(page, () => page.click('[data-found] button')), 'Page 7 of 8')
  await page.click('[data-panel="r-text"]')
  assert.equal(await page.locator('fieldset:visible').count(), 1)
})
