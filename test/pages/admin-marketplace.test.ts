import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { aCategory, anOffer, type Wire } from '../factories.ts'
import { type Shop, useService } from '../harness.ts'
import { aFilm } from '../orders.ts'
import { refund, sell } from '../sales.ts'
import { inspect, useAdmin } from './admin-pages.ts'

const service = useService()
const openAdmin = useAdmin(service)

const rename = (shop: Shop, company_name: string) =>
  shop.put(`/api/companies/${shop.companyId}.json`, { company: { company_name } })

/** An owner who offers two films, and a shop that may sell them. */
async function aMarket() {
  const [owner, seller] = [await service.openShop(), await service.openShop()]
  await rename(owner, 'Lantern Films')
  await rename(seller, 'Harbour Shop')
  const texts = { description: '<p>A house by the sea.</p><p onclick="alert(1)">Two <b>sisters</b>.</p>' }
  const locales = [{ language_id: 'en', title: 'Salt House', ...texts }]
  const film = await aFilm(service, owner, 1190, { title: 'Salt House', locales })
  const other = await aFilm(service, owner, 2380, { title: 'Polar Night' })
  const marketId = await anOffer(service, owner, { cost_to_licensees_percent: 30 })
  return { owner, seller, film, other, marketId }
}

const tab = (page: Page, name: string) => page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name })
const takenOf = (page: Page, title: string) => page.getByRole('listitem').filter({ hasText: title })
const rowOf = (page: Page, title: string) => page.getByRole('row').filter({ hasText: title })

async function mirrorsOf(shop: Shop): Promise<Wire[]> {
  return (await shop.get('/api/mirrored_products.json')).body.mirrored_products
}

describe('the marketplace in the admin interface', () => {
  test('products of others are found, looked at, taken, shown, hidden, followed and removed', async () => {
    const { owner, seller, film, other } = await aMarket()
    const { page, complaints } = await openAdmin(seller)
    await page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name: 'Marketplace' }).click()
    await page.getByRole('link', { name: 'Polar Night' }).waitFor()
    await rowOf(page, 'Salt House').getByText('70%').waitFor()
    await rowOf(page, 'Salt House').getByText('€11.90').waitFor()
    await page.getByLabel('Title').fill('salt')
    await page.getByRole('link', { name: 'Polar Night' }).waitFor({ state: 'detached' })
    await page.getByLabel('Title').fill('')
    await page.getByRole('link', { name: 'Polar Night' }).waitFor()
    await page.getByText('Filter', { exact: true }).click()
    await page.getByLabel('Company').selectOption({ label: 'Lantern Films (2)' })
    await page.getByText('Company: Lantern Films').waitFor()
    await page.getByText('Its owner gets 30% of each sale, you keep 70%.').waitFor()
    await inspect(page, 'marketplace')

    await page.getByRole('link', { name: 'Salt House' }).click()
    await page.getByText('A house by the sea.').waitFor()
    // What another company wrote is text, whatever it contains.
    assert.equal(await page.locator('[onclick]').count(), 0)
    await page.getByText('You keep 70% of the price without tax').waitFor()
    await inspect(page, 'marketplace-product')
    await page.getByRole('button', { name: 'Add, hidden at first' }).click()
    await page.getByText('“Salt House” is among your products. Customers do not see it yet.').waitFor()
    assert.deepEqual(
      (await mirrorsOf(seller)).map(({ title, published }) => [title, published]),
      [['Salt House', false]],
    )
    await page.getByRole('button', { name: 'Publish' }).click()
    await page.getByText('In your shop', { exact: true }).first().waitFor()

    await page.goto(`/admin/marketplace/products/${other.id}`)
    await page.getByRole('button', { name: 'Add and show in the shop' }).click()
    await page.getByText('“Polar Night” is in your shop.').waitFor()
    await owner.put(`/api/products/${film.id}.json`, { product: { version: 'Second cut' } })
    await owner.put(`/api/products/${other.id}.json`, { product: { published: false } })
    await service.runJobs()
    await page.goto('/admin/marketplace/taken')
    await takenOf(page, 'Salt House')
      .getByText(/^Changed .*: texts$/)
      .waitFor()
    await takenOf(page, 'Polar Night').getByText('Paused').waitFor()
    await inspect(page, 'marketplace-taken')
    await page.getByLabel('Not offered').check()
    await takenOf(page, 'Salt House').waitFor({ state: 'detached' })
    await page.getByLabel('All', { exact: true }).check()
    await takenOf(page, 'Salt House').getByRole('button', { name: 'Hide' }).click()
    await page.getByRole('button', { name: 'Undo' }).click()
    await takenOf(page, 'Salt House').getByText('In your shop').waitFor()
    await page.getByRole('button', { name: 'Remove “Polar Night”' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByText('“Polar Night” is no longer in your shop.').waitFor()
    assert.deepEqual(
      (await mirrorsOf(seller)).map(({ title, published }) => [title, published]),
      [['Salt House', true]],
    )
    assert.deepEqual(complaints, [])
  })

  test('a company offers its products, changes the terms, sees who sells them, and stops', async () => {
    const [owner, seller] = [await service.openShop(), await service.openShop()]
    await rename(seller, 'Harbour Shop')
    const category = await aCategory(owner, { title: 'Classics' })
    const film = await aFilm(service, owner, 1190, {
      title: 'Salt House',
      categories: [{ category_id: category.id }],
    })
    await aFilm(service, owner, 1190, { title: 'Polar Night' })
    const { page, complaints } = await openAdmin(owner)
    await page.goto('/admin/marketplace')
    await tab(page, 'Your offer').click()
    await page.getByRole('heading', { name: 'Offer your products' }).waitFor()
    await page.getByLabel('Your share in percent').fill('250')
    await page.getByText('Type a number from 0 to 100, such as 30 or 12.5.').waitFor()
    await page.getByRole('button', { name: 'Offer them' }).click()
    assert.deepEqual((await owner.get('/api/market_offers.json')).body.market_offers, [])
    await page.getByLabel('Your share in percent').fill('12,5')
    await page.getByText('You get 12.5% of each sale without tax, the shop that sells keeps 87.5%.').waitFor()
    await inspect(page, 'marketplace-new-offer')
    await page.getByRole('button', { name: 'Offer them' }).click()
    await page.getByText('Your products are in the marketplace.').waitFor()
    await page.getByText('No company has taken a product yet.').waitFor()
    await page.getByRole('link', { name: 'Polar Night' }).waitFor()

    await seller.post(`/api/market_products/${film.id}/activate.json`)
    await page.reload()
    const takers = page.getByRole('region', { name: 'Who sells them' })
    await takers.getByText('Harbour Shop').waitFor()
    await takers.getByText('1 product taken, 1 of them in the shop').waitFor()
    await page.getByLabel('Some categories').check()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Choose at least one category.').waitFor()
    await page.getByLabel('Classics').check()
    await page.getByLabel('Your share in percent').fill('40')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Your offer is saved.').waitFor()
    await page.getByRole('link', { name: 'Polar Night' }).waitFor({ state: 'detached' })
    await takers.getByText('12.5%').waitFor()
    await inspect(page, 'marketplace-offer')
    const [offer] = (await owner.get('/api/market_offers.json')).body.market_offers
    assert.deepEqual([offer.cost_to_licensees_percent, offer.category_ids], [40, [category.id]])

    const stranger = await service.openShop()
    await page.getByLabel('Chosen companies').check()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Name at least one company.').waitFor()
    await page.getByLabel('Name or number of a company').fill('Nobody')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByText('There is no other company with this name or number.').waitFor()
    await page.getByLabel('Name or number of a company').fill('harbour shop')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('button', { name: 'Take Harbour Shop off the list' }).waitFor()
    await inspect(page, 'marketplace-offer-chosen')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Only the companies below see these products and can take them.').waitFor()
    const seen = await Promise.all([seller, stranger].map((shop) => shop.get(`/api/marketplace/${offer.id}.json`)))
    assert.deepEqual(
      seen.map(({ status }) => status),
      [200, 404],
    )

    await page.getByRole('button', { name: 'Stop offering' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Stop offering' }).click()
    await page.getByText('Your products are no longer offered.').waitFor()
    await page.getByRole('heading', { name: 'Offer your products' }).waitFor()
    assert.deepEqual((await owner.get('/api/market_offers.json')).body.market_offers, [])
    assert.deepEqual(complaints, [])
  })

  test('shares are told with balance, entries and statements by month, to print and as a file', async () => {
    const { owner, seller, film } = await aMarket()
    await seller.post(`/api/market_products/${film.id}/activate.json`)
    const [mirror] = await mirrorsOf(seller)
    assert.ok(mirror)
    const product = { product_id: mirror.product_id }
    const order = await sell(seller, [{ product, quantity: 2 }])
    await refund(seller, order.id, { refund_line_items: [{ line_item_id: order.line_items[0].id, quantity: 1 }] })
    const { page, complaints } = await openAdmin(seller)
    await page.goto('/admin/marketplace')
    await tab(page, 'Shares').click()
    const balance = page.getByRole('region', { name: 'Balance' })
    await balance.getByText('To pay').waitFor()
    await balance.getByText('€3.00').waitFor()
    await page
      .getByRole('link', { name: `Order ${order.id}` })
      .first()
      .waitFor()
    await inspect(page, 'marketplace-shares')
    const statements = page.getByRole('table', { name: 'Statements' })
    await statements.getByRole('link').click()
    await page.getByRole('heading', { name: /^Statement for / }).waitFor()
    await page.getByText('You, their products').waitFor()
    await page.getByText('To pay at the end').waitFor()
    await inspect(page, 'marketplace-statement')
    const file = await page.getByRole('link', { name: 'As CSV' }).getAttribute('href')
    const text = await page.evaluate(async (path) => (await fetch(path)).text(), file ?? '')
    assert.equal(text.trimEnd().split('\r\n').length, 3)
    assert.match(text, /,Lantern Films,/)
    await page.emulateMedia({ media: 'print' })
    assert.equal(await page.getByRole('navigation', { name: 'Main menu' }).isVisible(), false)
    assert.equal(await page.getByRole('button', { name: 'Print' }).isVisible(), false)
    assert.equal(await page.getByRole('heading', { name: /^Statement for / }).isVisible(), true)
    // What is printed has the whole sheet.
    const { width = 0 } = (await page.getByRole('table', { name: 'Entries' }).boundingBox()) ?? {}
    assert.ok(width > 900, String(width))
    await page.emulateMedia({ media: 'screen' })
    await page
      .getByRole('link', { name: `Order ${order.id}` })
      .first()
      .click()
    await page.getByRole('heading', { name: order.name }).waitFor()
    assert.deepEqual(complaints, [])

    const theirs = await openAdmin(owner, 'de-DE')
    await theirs.page.goto('/admin/marketplace/shares')
    await theirs.page.getByText('Zu erhalten').waitFor()
    // The order is in another shop, so nothing leads to it.
    await theirs.page.getByText(`Bestellung ${order.id} im anderen Shop`).first().waitFor()
    assert.equal(await theirs.page.getByRole('link', { name: `Bestellung ${order.id}` }).count(), 0)
    await inspect(theirs.page, 'marketplace-shares-german')
    assert.deepEqual(theirs.complaints, [])
  })
})
