import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { useService } from '../harness.ts'
import { aBuyer, anOrder, someGoods } from '../orders.ts'
import { aTerm } from '../terms.ts'
import { inspect, openSettings, settled, useAdmin } from './admin-pages.ts'

const service = useService()
const openAdmin = useAdmin(service)

const menu = (page: Page) => page.getByRole('navigation', { name: 'Main menu' })

/** Adds Germany to the countries of the method that is shown. */
async function addGermany(page: Page): Promise<void> {
  await page.getByLabel('Add a country').fill('germ')
  await page.getByRole('button', { name: 'Germany' }).click()
  await page.getByRole('button', { name: 'Remove Germany' }).waitFor()
}

describe('shipping in the admin interface', () => {
  test('a method costs by weight and is free from an amount on, as an order learns', async () => {
    const shop = await service.openShop()
    const mug = await someGoods(service, shop, undefined, { title: 'Ferry mug', weight: 800 })
    const { page, complaints } = await openAdmin(shop)
    await openSettings(page, 'Shipping')
    await page.getByText('There is no shipping method yet.').waitFor()
    await page.getByRole('link', { name: 'Add a method' }).click()
    await page.getByRole('button', { name: 'Add the method' }).click()
    await page.getByText('is required').waitFor()
    await page.getByLabel('Name', { exact: true }).fill('Parcel')
    await addGermany(page)
    await page.getByRole('radio', { name: 'By weight' }).check()
    await page.getByLabel('Up to, in kg').fill('1')
    await page.getByLabel('Price in EUR').fill('4,90')
    await page.getByRole('button', { name: 'Add a weight' }).click()
    await page.getByLabel('Up to, in kg').nth(1).fill('heavy')
    await page.getByText('Type a weight in kg, such as 2 or 0.5.').waitFor()
    await page.getByLabel('Up to, in kg').nth(1).fill('1')
    await page.getByLabel('Price in EUR').nth(1).fill('9.90')
    await page.getByRole('button', { name: 'Add the method' }).click()
    await page.getByText('is the weight of another line').waitFor()
    await page.getByLabel('Up to, in kg').nth(1).fill('5')
    await page.getByLabel('Free from, in EUR').fill('100')
    await page.getByLabel('Days, at least').fill('2')
    await page.getByLabel('Days, at most').fill('4')
    await page.getByLabel('Carrier').fill('DHL')
    await page.getByLabel('Tracking address').fill('https://dhl.example.com/{tracking_number}')
    await inspect(page, 'shipping-new')
    await page.getByRole('button', { name: 'Add the method' }).click()
    await page.getByText('€4.90 to €9.90, by weight, free from €100.00').waitFor()
    await page.getByText('2 to 4 days').waitFor()

    const buyer = await aBuyer(shop, 'DE')
    const charged = async (quantity: number) =>
      (await anOrder(shop, buyer, [{ product_id: mug.product_id, quantity }])).shipping_lines[0].price
    assert.deepEqual([await charged(1), await charged(2)], [490, 990])

    await aTerm(shop, 'shipping_method', { title: 'Express' })
    await page.reload()
    await page.getByRole('button', { name: /Express/ }).focus()
    await page.keyboard.press('ArrowUp')
    await page.getByText('The order of the methods is saved.').waitFor()
    await inspect(page, 'shipping')
    const { body } = await shop.get('/api/shipping_methods.json')
    const places = Object.fromEntries(
      body.shipping_methods.map((each: { title: string; position: number }) => [each.title, each.position]),
    )
    assert.deepEqual(places, { Express: 1, Parcel: 2 })

    await page.getByRole('link', { name: 'Parcel' }).click()
    await page.getByLabel('Free from, in EUR').fill('50')
    const [{ id }] = body.shipping_methods
    await shop.put(`/api/shipping_methods/${id}.json`, { shipping_method: { tracking_company: 'GLS' } })
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Somebody else has changed this meanwhile.').waitFor()
    await page.getByRole('button', { name: 'Save mine over it' }).click()
    await page.getByText('“Parcel” is saved.').waitFor()
    const { body: after } = await shop.get(`/api/shipping_methods/${id}.json`)
    assert.deepEqual([after.shipping_method.free_from, after.shipping_method.tracking_company], [5000, 'GLS'])
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('“Parcel” is deleted.').waitFor()
    assert.equal((await shop.get('/api/shipping_methods/count.json')).body.count, 1)
    assert.deepEqual(
      complaints.filter((each) => !/422|412/.test(each)),
      [],
    )
  })
})

describe('packing in the admin interface', () => {
  test('parcels are packed, shipped one by one and together, and followed from a list', async () => {
    const shop = await service.openShop()
    await aTerm(shop, 'shipping_method', {
      title: 'Parcel',
      tracking_company: 'DHL',
      tracking_url: 'https://dhl.example.com/{tracking_number}',
    })
    const mug = await someGoods(service, shop, undefined, { title: 'Ferry mug', weight: 350 })
    const buyer = await aBuyer(shop, 'DE', { first_name: 'Ines', last_name: 'Brandt' })
    const orders = []
    for (let place = 0; place < 5; place += 1)
      orders.push(await anOrder(shop, buyer, [{ product_id: mug.product_id, quantity: place + 1 }]))
    const [first, second, third, fourth, fifth] = orders
    const { page, complaints } = await openAdmin(shop)
    await menu(page).getByRole('link', { name: 'Pack and ship' }).click()
    await page.getByText('5 × Ferry mug').waitFor()
    await page.getByLabel(`Select order #${first.id}`).check()
    await page.getByLabel(`Select order #${second.id}`).check()
    await inspect(page, 'fulfillments')
    const slips = await page.getByRole('link', { name: 'Packing slips' }).getAttribute('href')
    assert.equal(slips, `/admin/api/fulfillments/${first.id},${second.id}/packing_slip.pdf`)
    const pdf = await page.request.get(slips ?? '')
    assert.deepEqual([pdf.status(), pdf.headers()['content-type']], [200, 'application/pdf'])
    await page.getByRole('button', { name: 'Mark as shipped' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Mark as shipped' }).click()
    await page.getByText('2 parcels are on their way.').waitFor()

    await page.getByRole('button', { name: `Ship #${third.id}` }).click()
    await page.getByRole('dialog').getByLabel('Tracking number').fill('111')
    await page.getByRole('dialog').getByRole('button', { name: 'Mark as shipped' }).click()
    await page.getByText(`Order #${third.id} is on its way.`).waitFor()

    await page.getByRole('link', { name: 'Tracking from a file' }).click()
    await page.getByRole('button', { name: 'Look at the lines' }).click()
    await page.getByText('There is no line with an order in it.').waitFor()
    const lines = [
      'Order;Carrier;Number',
      `#${fourth.id};DHL;444`,
      `${third.id};DHL;112`,
      `${first.id + 9_999_999};GLS;"9;9"`,
      `#${fourth.id};DHL;445`,
    ]
    await page.getByRole('textbox', { name: 'Lines' }).fill(lines.join('\n'))
    await page.getByRole('button', { name: 'Look at the lines' }).click()
    await page.getByText('Is marked as shipped. Jane Roe gets an email.').waitFor()
    await page.getByText('Is shipped already. The tracking changes.').waitFor()
    await page.getByText('There is no such order with goods to ship.').waitFor()
    await page.getByText('The same order is in line 1 already.').waitFor()
    await page.getByText('2 lines need your attention.').waitFor()
    await settled(page)
    await inspect(page, 'fulfillments-import')
    await page.getByLabel('Order in line 3').fill(String(fifth.id))
    await page.getByRole('button', { name: 'Remove line 4' }).click()
    await page.getByRole('button', { name: 'Do this for 3 orders' }).click()
    await page.getByText('3 orders are done.').waitFor()
    const tracked = async ({ id }: { id: number }) => {
      const { fulfillment } = (await shop.get(`/api/fulfillments/${id}.json`)).body
      return [fulfillment.status, fulfillment.tracking_company, fulfillment.tracking_number]
    }
    assert.deepEqual(await tracked(first), [100, 'DHL', ''])
    assert.deepEqual(await tracked(third), [100, 'DHL', '112'])
    assert.deepEqual(await tracked(fourth), [100, 'DHL', '444'])
    assert.deepEqual(await tracked(fifth), [100, 'GLS', '9;9'])

    await page.goto('/admin/fulfillments?view=shipped')
    await page.getByRole('link', { name: 'DHL 444' }).waitFor()
    await menu(page).getByRole('link', { name: 'Pack and ship' }).click()
    await page.getByText('Nothing to pack.').waitFor()
    assert.deepEqual(
      complaints.filter((each) => !each.includes('404')),
      [],
    )
  })
})

describe('taxes in the admin interface', () => {
  test('say what applies today and since when; a rate of one’s own replaces it, and goes again', async () => {
    const shop = await service.openShop()
    const { page, complaints } = await openAdmin(shop)
    await openSettings(page, 'Taxes')
    const finland = page.getByRole('row', { name: /Finland/ })
    await finland.getByText('25.5%').waitFor()
    await page.getByText('You have not set a rate of your own').waitFor()
    await page.getByRole('button', { name: 'Set a rate of your own' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Country').selectOption('FI')
    await dialog.getByLabel('Percent').fill('lots')
    await dialog.getByRole('button', { name: 'Set the rate' }).click()
    await dialog.getByText('Type a number from 0 to 100, such as 8.1.').waitFor()
    await dialog.getByLabel('Percent').fill('24,5')
    await dialog.getByRole('button', { name: 'Set the rate' }).click()
    await page.getByText('The rate for Finland applies from now on.').waitFor()
    await finland.getByText('Own rate').waitFor()
    await inspect(page, 'taxes')
    const { body } = await shop.get('/api/tax_table.json')
    const germany = body.tax_table.rates.find(({ country_code }: { country_code: string }) => country_code === 'DE')
    assert.deepEqual([germany.percent, germany.since], [19, '2021-01-01'])
    const own = body.tax_table.rates.filter(({ source }: { source: string }) => source === 'own')
    assert.deepEqual(
      own.map(({ country_code, tax_class, percent }: Record<string, unknown>) => [country_code, tax_class, percent]),
      [['FI', 'standard', 24.5]],
    )
    await page.getByRole('button', { name: 'Delete the rate for Finland' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('The rate for Finland is deleted.').waitFor()
    await finland.getByText('25.5%').waitFor()
    assert.deepEqual(complaints, [])
  })
})

describe('a dialog of the admin interface', () => {
  const CONFLICT = 'Somebody else has changed this meanwhile'

  test('does not overwrite the rate that somebody else has set meanwhile, unless it is told to', async () => {
    const shop = await service.openShop()
    const { id } = await aTerm(shop, 'tax_rate', { country_code: 'FI', percent: 24 })
    const { page } = await openAdmin(shop)
    await openSettings(page, 'Taxes')
    await page.getByRole('button', { name: 'Change the rate for Finland' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Percent').fill('23')
    await shop.put(`/api/tax_rates/${id}.json`, { tax_rate: { percent: 22 } })
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText(CONFLICT).waitFor()
    const percent = async () => (await shop.get(`/api/tax_rates/${id}.json`)).body.tax_rate.percent
    assert.equal(await percent(), 22)
    await dialog.getByRole('button', { name: 'Show the other version' }).click()
    await dialog.getByText(CONFLICT).waitFor({ state: 'detached' })
    assert.equal(await dialog.getByLabel('Percent').inputValue(), '22')
    await dialog.getByLabel('Percent').fill('21')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    assert.equal(await percent(), 21)
  })

  test('does not overwrite the tracking that somebody else has entered meanwhile, unless it is told to', async () => {
    const shop = await service.openShop()
    const mug = await someGoods(service, shop, undefined, { title: 'Ferry mug', weight: 350 })
    const { id } = await anOrder(shop, await aBuyer(shop), [{ product_id: mug.product_id }])
    const { page } = await openAdmin(shop)
    await menu(page).getByRole('link', { name: 'Pack and ship' }).click()
    await page.getByRole('button', { name: `Ship #${id}` }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Tracking number').fill('111')
    await shop.put(`/api/fulfillments/${id}.json`, { fulfillment: { status: 100, tracking_number: '222' } })
    await dialog.getByRole('button', { name: 'Mark as shipped' }).click()
    await dialog.getByText(CONFLICT).waitFor()
    const number = async () => (await shop.get(`/api/fulfillments/${id}.json`)).body.fulfillment.tracking_number
    assert.equal(await number(), '222')
    await dialog.getByRole('button', { name: 'Save mine over it' }).click()
    await dialog.waitFor({ state: 'detached' })
    assert.equal(await number(), '111')
  })
})
