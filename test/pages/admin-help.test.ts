import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { useService } from '../harness.ts'
import { inspect, useAdmin } from './admin-pages.ts'

const service = useService()
const openAdmin = useAdmin(service)

describe('help', () => {
  test('stands beside hard words, opens by key or press, and closes by Escape or by leaving it', async () => {
    const { page, complaints } = await openAdmin(await service.openShop())
    await page.goto('/admin/licenses')
    const mark = page.getByRole('button', { name: 'What is this: License?' })
    const text = page.getByText('A license says what a customer may do')
    await mark.focus()
    assert.equal(await text.isVisible(), false)
    await page.keyboard.press('Enter')
    await text.waitFor()
    assert.equal(await mark.getAttribute('aria-expanded'), 'true')
    await inspect(page, 'help-open')
    await page.keyboard.press('Tab')
    assert.equal(await page.locator(':focus').textContent(), 'More words')
    await page.keyboard.press('Escape')
    await text.waitFor({ state: 'hidden' })
    assert.equal(await page.locator(':focus').getAttribute('aria-label'), 'What is this: License?')
    await mark.click()
    await text.waitFor()
    await page.getByRole('heading', { level: 1 }).click()
    await text.waitFor({ state: 'hidden' })
    for (const [path, name] of [
      ['/admin/licenses/prices', 'Price'],
      ['/admin/settings/taxes', 'Tax class'],
      ['/admin/apps', 'Scope'],
      ['/admin/apps/webhooks', 'Webhook'],
      ['/admin/discounts/codes', 'Redemption code'],
      ['/admin/discounts/keys', 'Software key'],
    ] as const) {
      await page.goto(path)
      await page.getByRole('button', { name: `What is this: ${name}?` }).waitFor()
    }
    assert.deepEqual(complaints, [])
  })

  test('says what is new, with a dot until it was looked at', async () => {
    const { page, complaints } = await openAdmin(await service.openShop())
    const own = page.locator('.whoami button')
    await own.locator('.news-dot').waitFor()
    await own.click()
    await page.getByRole('menuitem', { name: 'Help' }).click()
    const news = page.getByRole('region', { name: "What's new" })
    await news.getByText(/^Backups in Settings of the admin interface/).waitFor()
    // Endpoints and settings are for programs and operators.
    assert.doesNotMatch((await news.textContent()) ?? '', /`|LICET_|\.json/)
    await own.locator('.news-dot').waitFor({ state: 'detached' })
    await inspect(page, 'help-news')
    await page.reload()
    await page.getByRole('heading', { name: 'Help' }).waitFor()
    await own.getByText('@').waitFor()
    assert.equal(await own.locator('.news-dot').count(), 0)
    assert.deepEqual(complaints, [])
  })

  test('is a page with all of them, in the language of the reader', async () => {
    const { page } = await openAdmin(await service.openShop(), 'de-DE')
    await page.goto('/admin/apps/webhooks')
    await page.getByRole('button', { name: 'Was ist das: Webhook?' }).click()
    await page.getByRole('link', { name: 'Weitere Wörter' }).click()
    await page.getByRole('heading', { name: 'Hilfe' }).waitFor()
    await page.getByText('Ein gespiegeltes Produkt gehört einer anderen Firma.').waitFor()
    await inspect(page, 'help')
  })

  test('leads through the screens by keyboard, and not again unasked once it was left', async () => {
    const { page, complaints } = await openAdmin(await service.openShop())
    await page.goto('/admin/tour')
    const tour = page.getByRole('region', { name: 'Tour' })
    await tour.getByText('1 of 7').waitFor()
    const seen: (string | null)[] = []
    for (const next of ['Orders', 'Products', 'Customers', 'Licenses and prices', 'Shop', 'Statistics']) {
      await tour.getByRole('button', { name: `On to ${next}` }).focus()
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { level: 1, name: next }).waitFor()
      seen.push(await tour.getByRole('status').textContent())
    }
    assert.equal(new Set(seen).size, 6)
    assert.match(seen.at(-1) ?? '', /^7 of 7 Statistics/)
    await tour.getByRole('button', { name: 'Back' }).click()
    await page.getByRole('heading', { level: 1, name: 'Shop' }).waitFor()
    await inspect(page, 'tour')
    await page.reload()
    await tour.getByText('6 of 7').waitFor()
    await tour.getByRole('button', { name: 'Leave the tour' }).click()
    await tour.waitFor({ state: 'detached' })
    await page.goto('/admin/tour')
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
    assert.equal(await tour.count(), 0)
    await page.goto('/admin/help')
    await page.getByRole('link', { name: 'Show me around' }).click()
    await tour.getByText('1 of 7').waitFor()
    assert.deepEqual(complaints, [])
  })
})
