import type { BrowserContextOptions, Page } from 'playwright-core'
import type { TestBrowser } from '../browser.ts'
import type { Wire } from '../factories.ts'
import type { Service, Shop } from '../harness.ts'
import { loginPath } from '../owned-content.ts'

/** A page of a browser in which the customer is signed in. It complains if a policy blocks something. */
export async function enterPlayer(
  browser: TestBrowser,
  service: Service,
  { shop, base, customer }: { shop: Shop; base: string; customer: Wire },
  options: BrowserContextOptions = {},
): Promise<{ page: Page; complaints: string[] }> {
  const page = await browser.newPage({ baseURL: service.url, ...options })
  const complaints: string[] = []
  page.on('console', (message) => {
    if (/Content Security Policy/i.test(message.text())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  await page.goto(await loginPath(service, shop, base, customer))
  return { page, complaints }
}

/** The film or the track of a page. Functions run in the page, whose types are not known here. */
export const mediaOf = (page: Page) => page.waitForSelector('video, audio', { state: 'attached' })

/** Waits until the film or the track has reached a time, and shows what it has there. */
export async function until(page: Page, seconds: number): Promise<void> {
  const isThere = ([media, from]: [Wire, number]) => media.readyState >= 2 && media.currentTime >= from
  await page.waitForFunction(isThere, [await mediaOf(page), seconds] as [Wire, number])
}

export async function seek(page: Page, seconds: number): Promise<void> {
  await (await mediaOf(page)).evaluate((media: Wire, to) => {
    media.currentTime = Math.min(to, media.duration)
  }, seconds)
}

export const readMedia = async (page: Page, name: string) =>
  (await mediaOf(page)).evaluate((media: Wire, property) => media[property], name)
