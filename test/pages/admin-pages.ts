import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { DESK, expectAccessible, PHONE, screenshot, useBrowser } from '../browser.ts'
import type { Service, Shop } from '../harness.ts'
import { signedIn } from '../people.ts'
import { NARROWEST } from './inspect.ts'
import { overflow } from './look.ts'

type Admin = {
  page: Page
  /** Everything that the browser complained about. */
  complaints: string[]
}

/** Opens the admin interface of a service in a browser. */
export function useAdmin(service: Service) {
  const browser = useBrowser()
  /** A browser in which the owner of a shop has signed in, at the admin interface. */
  return async (shop: Shop, locale = 'en-GB', isFirstVisit = false): Promise<Admin> => {
    const [language = 'en'] = locale.split('-')
    await service.db.updateTable('users').set({ language }).where('id', '=', shop.userId).execute()
    const page = await browser.newPage({ baseURL: service.url, locale, timezoneId: 'Europe/Berlin' })
    // Only the test of it begins with a browser that has never been here: the days of reports follow the time zone.
    if (!isFirstVisit)
      await page.addInitScript(
        // A browser that shows why it found no page has no storage there.
        `if (location.protocol === 'http:') localStorage['licet time zone ${shop.userId}'] ??= 'UTC'`,
      )
    const complaints: string[] = []
    page.on('console', (message) => complaints.push(`${message.type()}: ${message.text()}`))
    page.on('pageerror', (error) => complaints.push(error.message))
    // Two requests instead of a page; tests that are about signing in fill in the form.
    const agent = await page.evaluate<string>('navigator.userAgent')
    const { cookies } = await signedIn(service, shop, { 'user-agent': agent, 'accept-language': locale })
    await page.context().addCookies([...cookies].map(([name, value]) => ({ name, value, url: service.url })))
    await page.goto('/admin')
    return { page, complaints }
  }
}

/** Fills in the sign-in page that is shown. */
export async function signIn(page: Page, { email, password }: { email: string; password: string }): Promise<void> {
  await page.locator('input[name=email]').fill(email)
  await page.locator('input[name=password]').fill(password)
  await page.keyboard.press('Enter')
}

/** Goes to a part of the settings, as an owner would. */
export async function openSettings(page: Page, part: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: part }).click()
  await page.getByRole('heading', { level: 1, name: part }).waitFor()
}

/** Waits until everything is there that the screen has asked for. */
export async function settled(page: Page): Promise<void> {
  // Playwright never sees the end of what a frame without scripts has asked for.
  if ((await page.locator('iframe[sandbox]').count()) === 0) await page.waitForLoadState('networkidle')
  await page.locator('.skeleton').first().waitFor({ state: 'detached' })
}

/** A common small phone, and a wide screen: what is laid out at certain widths could break between or beyond them. */
const SMALL_PHONE = { width: 360, height: 740 }
const WIDEST = { width: 2560, height: 1440 }

/** Looks at a screen: for people with a screen reader, in light and dark, and at every width. */
export async function inspect(page: Page, name: string): Promise<void> {
  await settled(page)
  assert.match(await page.title(), /\S · Licet$/)
  assert.equal(await page.locator('h1').count(), 1)
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    // A listener in the page chooses the colours.
    await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor()
    await expectAccessible(page, colorScheme === 'dark' ? 'colours' : 'everything')
  }
  for (const size of [NARROWEST, SMALL_PHONE, PHONE, WIDEST, DESK]) {
    await page.setViewportSize(size)
    assert.ok((await overflow(page)) <= 0, `${name} is too wide at ${size.width}`)
  }
  await screenshot(page, `admin-${name}`)
}

/** How many pixels of what is in the open dialog are beyond its edge. */
const DIALOG_OVERFLOW = `(() => { const dialog = document.querySelector('dialog[open]'); return dialog.scrollWidth - dialog.clientWidth })()`

/** Looks at the dialog that is open: its colours in light and dark, and whether it fits every width. */
export async function inspectDialog(page: Page): Promise<void> {
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor()
    await expectAccessible(page, 'colours')
  }
  for (const size of [NARROWEST, DESK]) {
    await page.setViewportSize(size)
    const pixels = Math.max(await overflow(page), await page.evaluate<number>(DIALOG_OVERFLOW))
    assert.ok(pixels <= 0, `${pixels} pixels of the dialog are beyond its edge at ${size.width}`)
  }
}
