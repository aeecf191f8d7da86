import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import type { Page, Route } from 'playwright-core'
import { adminPage } from '../admin.ts'
import { aProduct, type Wire } from '../factories.ts'
import { type Shop, useService } from '../harness.ts'
import { aFilm } from '../orders.ts'
import { ownerOf, signedIn } from '../people.ts'
import { temporaryFolder } from '../start/program.ts'
import { aVideo } from '../uploads.ts'
import { signIn, useAdmin } from './admin-pages.ts'

const service = useService()
const openAdmin = useAdmin(service)

/** Ends all sessions of the shop's owner, as another browser can. */
async function endSessions(shop: Shop): Promise<void> {
  await adminPage(service, await signedIn(service, shop)).delete('/sessions.json')
}

test('a session that ends while somebody fills in a form takes nothing of it away', async () => {
  const shop = await service.openShop()
  await aFilm(service, shop, 1190, { title: 'Polar Night' })
  const { page } = await openAdmin(shop)
  await page.goto('/admin/orders/new')
  await page.getByLabel('Who is it for?').fill('nora@example.com')
  await page.getByRole('button', { name: 'New customer: nora@example.com' }).click()
  await page.getByLabel('First name').fill('Nora')
  await endSessions(shop)
  // The screen reads what there is to choose from.
  await page.getByLabel('Product', { exact: true }).fill('polar')
  await page.getByText('What you typed is still here.').waitFor()
  assert.equal(await page.getByLabel('First name').inputValue(), 'Nora')
  const [other] = await Promise.all([page.waitForEvent('popup'), page.getByRole('link', { name: 'Sign in' }).click()])
  await signIn(other, await ownerOf(service, shop))
  await other.waitForURL('**/admin')
  await page.getByRole('radio', { name: /Already paid/ }).check()
  await page.getByLabel('Product', { exact: true }).fill('polar n')
  await page.getByRole('button', { name: 'Polar Night' }).click()
  await page.getByText('What you typed is still here.').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Create paid order' }).click()
  await page.waitForURL(/\/admin\/orders\/\d+$/)
  const [order] = (await shop.get('/api/orders.json')).body.orders
  assert.deepEqual([order.email, order.customer.first_name], ['nora@example.com', 'Nora'])
})

type Held = { first: Promise<void>; release: () => Promise<void> }

/** Keeps requests from reaching the service until they are let go. */
async function hold(page: Page, url: string, method: string): Promise<Held> {
  const requests: Route[] = []
  const first = Promise.withResolvers<void>()
  let isHolding = true
  await page.route(url, (route) => {
    if (!isHolding || route.request().method() !== method) return route.continue()
    requests.push(route)
    return first.resolve()
  })
  return {
    first: first.promise,
    async release() {
      isHolding = false
      // The page may have given some of them up.
      await Promise.all(requests.map((route) => route.continue().catch(() => undefined)))
    },
  }
}

async function aProductScreen() {
  const shop = await service.openShop()
  const product = await aProduct(shop)
  const { page } = await openAdmin(shop)
  await page.goto(`/admin/products/${product.id}`)
  const film = join(await temporaryFolder(), 'film.mp4')
  await writeFile(film, aVideo(300_000))
  const choose = (on: Page = page) =>
    on.getByRole('region', { name: 'Files' }).locator('input[type=file][multiple]').setInputFiles(film)
  const files = async (): Promise<Wire[]> =>
    (await shop.get(`/api/files.json?product_id=${product.product_id}`)).body.files
  return { shop, product, page, choose, files }
}

const UPLOADS = '**/admin/api/files/uploads/*'

describe('an upload', () => {
  test('that is stopped before the service has answered sends nothing', async () => {
    const { page, choose, files } = await aProductScreen()
    const sent: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/files/uploads/')) sent.push(request.method())
    })
    const held = await hold(page, '**/admin/api/files.json', 'POST')
    await choose()
    await page.getByRole('button', { name: 'Stop' }).click()
    const gone = page.waitForResponse((response) => response.request().method() === 'DELETE')
    await held.release()
    assert.equal((await gone).status(), 200)
    assert.deepEqual([sent, await files()], [[], []])
  })

  test('that is stopped or paused as it starts stays where it is, and goes on later', async () => {
    const { page, choose, files } = await aProductScreen()
    const held = await hold(page, UPLOADS, 'PATCH')
    await choose()
    await held.first
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByText('paused').waitFor()
    await held.release()
    const sent: string[] = []
    page.on('request', (request) => sent.push(`${request.method()} ${new URL(request.url()).pathname}`))
    // At once, before the upload has begun to start.
    await page.evaluate(`for (const name of ['Resume', 'Stop'])
      [...document.querySelectorAll('button')].find((button) => button.textContent === name).click()`)
    await page.getByText('Choose the file again', { exact: true }).waitFor()
    assert.deepEqual(
      sent.filter((each) => each.includes('/uploads/')),
      [],
    )
    await choose()
    await page.getByText('Ready', { exact: true }).waitFor()
    assert.deepEqual(
      (await files()).map(({ status }) => status),
      ['ready'],
    )
  })

  test('of the same file in two tabs is one file, and both tabs see its end', async () => {
    const { page, product, choose, files } = await aProductScreen()
    const second = await page.context().newPage()
    await second.goto(`/admin/products/${product.id}`)
    await second.getByRole('region', { name: 'Files' }).waitFor()
    const held = await hold(page, UPLOADS, 'PATCH')
    await choose()
    await held.first
    await choose(second)
    await second.getByText('Ready', { exact: true }).waitFor()
    await held.release()
    await page.getByText('Ready', { exact: true }).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Resume' }).count(), 0)
    assert.deepEqual(
      (await files()).map(({ status }) => status),
      ['ready'],
    )
  })
})
