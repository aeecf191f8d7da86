import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inTransaction } from '#platform/db/transaction.ts'
import { grant } from '#rights/entitlements/commands.ts'
import { readEntitlements } from '#rights/entitlements/queries.ts'
import { expectAccessible, screenshot, useBrowser } from '../browser.ts'
import { useService } from '../harness.ts'
import { ownedContent } from '../owned-content.ts'
import { useShopPages } from '../shop-pages.ts'
import { NARROWEST, tabTo } from './inspect.ts'
import { overflow } from './look.ts'
import { enterPlayer } from './media.ts'

const service = useService()
const browser = useBrowser()
const pages = useShopPages(service)
const [FILM, BOOK] = [9, 16]

test('somebody with many things searches them without a mouse and without script', async () => {
  const { shop, base } = pages
  const { id, customer } = await ownedContent(service, shop, { files: [] })
  const [first] = await readEntitlements(service.db, shop.companyId, [id])
  assert.ok(first)
  const granted = Array.from({ length: 60 }, (_, at) => ({
    ...first.entitlement,
    title: `Number ${at + 1}`,
    product_type: at % 2 === 0 ? FILM : BOOK,
    pieces: 1,
  }))
  await inTransaction(service.db, (tx) => grant(tx, granted, 'en', service.clock.now()))
  const { page } = await enterPlayer(browser, service, { shop, base, customer }, { javaScriptEnabled: false })
  const items = () => page.locator('.shelf-row li').count()
  assert.equal(await items(), 30)
  await page.getByRole('link', { name: 'Show more' }).click()
  await page.getByRole('link', { name: 'Show more' }).click()
  assert.equal(await items(), 1)
  await page.getByRole('link', { name: /^Books/ }).click()
  assert.equal(await items(), 30)
  await tabTo(page, /^input Search your content/)
  await page.keyboard.insertText('number 60')
  await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')])
  assert.equal(await items(), 1)
  assert.equal(await page.inputValue('#q'), 'number 60')
  assert.equal(new URL(page.url()).searchParams.get('kind'), 'book')
})

for (const colorScheme of ['light', 'dark'] as const)
  test(`a long library can be used by everybody: ${colorScheme}`, async () => {
    const { shop, base } = pages
    const { id, customer } = await ownedContent(service, shop, { files: [] })
    const [first] = await readEntitlements(service.db, shop.companyId, [id])
    assert.ok(first)
    const granted = [FILM, BOOK].map((product_type) => ({ ...first.entitlement, product_type, pieces: 20 }))
    await inTransaction(service.db, (tx) => grant(tx, granted, 'en', service.clock.now()))
    const { page } = await enterPlayer(browser, service, { shop, base, customer }, { colorScheme })
    assert.equal(await page.locator('.choices a').count(), 3)
    await expectAccessible(page)
    await screenshot(page, `library-many-${colorScheme}`)
    await page.setViewportSize(NARROWEST)
    assert.ok((await overflow(page)) <= 0, 'the page is wider than the screen')
    for (const link of await page.locator('.choices a, .find button, .find input:visible').all())
      assert.ok(((await link.boundingBox())?.height ?? 0) >= 44)
  })
