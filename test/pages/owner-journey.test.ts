import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { createLink } from '#identity/users/links/commands.ts'
import { nowInSeconds } from '#platform/clock.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { useBrowser } from '../browser.ts'
import { anEmail } from '../customers.ts'
import { useService } from '../harness.ts'
import { readMedia, until } from './media.ts'

const service = useService()
const browser = useBrowser()
const FILM = join(import.meta.dirname, '../../src/program/demo/media/film-sd.mp4')
/** Longer than a player goes on without asking whether it still may. */
const A_WHILE_MS = 5 * 60_000

/** The address that the service prints when it starts without a shop. */
async function firstAddress(): Promise<string> {
  const now = nowInSeconds(service.clock)
  const link = { kind: 'first run', companyId: null, userId: null } as const
  return `/first-run/${await inTransaction(service.db, (tx) => createLink(tx, link, now))}`
}

async function setUpShop(page: Page): Promise<void> {
  await page.goto(await firstAddress())
  await page.getByLabel('Shop name').fill('Kino Nord')
  await page.getByLabel('Country').selectOption('DE')
  await page.getByLabel('Your email').fill(anEmail())
  await page.getByLabel('Password', { exact: true }).fill('a few good words')
  await page.getByLabel('Password again').fill('a few good words')
  await page.getByRole('button', { name: 'Create shop' }).click()
  await page.waitForURL('**/admin')
}

async function takeTestCards(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Set up payments' }).click()
  await page.getByRole('switch', { name: 'Test cards' }).click()
  await page.getByText('Test cards are on.').waitFor()
}

/** Follows what the checklist of Home says, and nothing else. */
async function addFilm(page: Page): Promise<void> {
  await page.goto('/admin')
  await page.getByRole('link', { name: 'New product' }).click()
  await page.getByLabel('Title').fill('Salt House')
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('heading', { name: 'Salt House' }).waitFor()
  await page.getByRole('button', { name: 'Add an offer' }).click()
  await page.getByLabel('License', { exact: true }).selectOption({ label: 'Buy' })
  await page.getByLabel('Amount in EUR').fill('14.99')
  // The service looks at the file and notes that the film can be bought now: nobody else has changed what was typed.
  await page.getByLabel('Choose files', { exact: true }).setInputFiles(FILM)
  await page.getByText('Ready', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Publish' }).click()
  await page.getByText('“Salt House” is saved.').waitFor()
  await page.getByText('Unsaved changes').waitFor({ state: 'detached' })
}

async function buyAndWatch(page: Page, shop: string): Promise<void> {
  await page.goto(shop)
  await page
    .getByRole('link', { name: /Salt House/ })
    .first()
    .click()
  await page
    .getByRole('button', { name: /^Buy for €14\.99/ })
    .first()
    .click()
  await page.getByRole('link', { name: 'Check out' }).click()
  await page.fill('#email', anEmail())
  await page.selectOption('#country', 'DE')
  await page.getByRole('button', { name: 'Continue to payment' }).click()
  await page.fill('#card', '4242 4242 4242 4242')
  await page.check('#now')
  await page.getByRole('button', { name: 'Order and pay €14.99' }).click()
  await page
    .getByRole('button', { name: /^Watch now/ })
    .first()
    .click()
  await until(page, 0.2)
}

async function refundLatestOrder(page: Page): Promise<void> {
  await page.goto('/admin/orders')
  await page
    .getByRole('row', { name: /Salt House|#\d+/ })
    .getByRole('link')
    .first()
    .click()
  await page.getByRole('button', { name: 'Refund', exact: true }).click()
  await page.getByLabel(/^Salt House/).check()
  await page.getByRole('button', { name: 'Refund €14.99' }).click()
  await page.getByText(/€14\.99 of order \S+ is refunded\./).waitFor()
}

test('an owner goes from the first start to a sold film and its refund, and the player of the customer stops', async () => {
  const owner = await browser.newPage({ baseURL: service.url, locale: 'en-GB', timezoneId: 'Europe/Berlin' })
  await setUpShop(owner)
  await takeTestCards(owner)
  await addFilm(owner)
  await owner.goto('/admin')
  const shop = await owner.getByRole('link', { name: 'Open the shop' }).getAttribute('href')

  const customer = await browser.newPage({ baseURL: service.url, locale: 'en-GB' })
  await customer.clock.install()
  await buyAndWatch(customer, shop ?? '')
  assert.ok((await readMedia(customer, 'videoWidth')) > 0, 'there is no picture')

  await refundLatestOrder(owner)
  await customer.clock.fastForward(A_WHILE_MS)
  await customer.getByRole('alert').waitFor()
  assert.match(await customer.innerText('[role=alert]'), /refunded/i)
})
