import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { ownerPage } from '../admin.ts'
import { aPrice, aProduct } from '../factories.ts'
import { useService } from '../harness.ts'
import { inspect, inspectDialog, useAdmin } from './admin-pages.ts'

const service = useService()
const openAdmin = useAdmin(service)

/** Writes a rental in plain words. */
async function writeRental(page: Page): Promise<void> {
  await page.getByLabel('Name', { exact: true }).fill('Weekend')
  await page.getByRole('radio', { name: 'From first use' }).check()
  await page.getByLabel('How long it lasts', { exact: true }).fill('48')
  await page.getByRole('checkbox', { name: 'Has to be started within' }).check()
  await page.getByLabel('Time to start', { exact: true }).fill('30')
  await page.getByLabel('At the same time: number').fill('2')
  await page.getByRole('group', { name: 'Downloads' }).getByLabel('In all', { exact: true }).selectOption('None')
  await page.getByLabel('Add a country').selectOption('DE')
}

/** Sets a field for a day and a time. */
const setTime = (page: Page, label: string, value: string) => page.getByLabel(label, { exact: true }).fill(value)

describe('licenses in the admin interface', () => {
  test('one is written in words, tried with the real rules, and used in an offer', async () => {
    const shop = await service.openShop()
    const product = await aProduct(shop, { title: 'Harbour' })
    await aPrice(service, shop, { title: 'Evening' })
    const { page, complaints } = await openAdmin(shop)
    await page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name: 'Licenses and prices' }).click()
    await page
      .getByRole('cell', { name: /Yours to keep\. On 5 devices at a time\./ })
      .first()
      .waitFor()
    await inspect(page, 'licenses')
    await page.getByRole('link', { name: 'New license' }).click()
    await writeRental(page)
    const said = page.getByRole('region', { name: 'What the customer may do' })
    await said.getByText('For 48 hours from first use.').waitFor()
    await said.getByText('On 2 devices at a time.').waitFor()
    await said.getByText('Sold in Germany.').waitFor()

    const trial = page.getByRole('region', { name: 'Try it out' })
    await setTime(page, 'Bought on', '2026-03-01T12:00')
    await setTime(page, 'First used on', '2026-03-03T03:15')
    await setTime(page, 'Asked on', '2026-03-03T20:15')
    await trial.getByRole('status').filter({ hasText: 'Allowed' }).waitFor()
    await trial.getByLabel('Other devices playing now').fill('2')
    await trial.getByRole('status').filter({ hasText: 'as many devices as the license allows' }).waitFor()
    await trial.getByLabel('Customer in').selectOption('JP')
    await trial.getByRole('status').filter({ hasText: 'It is not sold in Japan.' }).waitFor()
    await trial.getByLabel('Customer in').selectOption('')
    await trial.getByLabel('Other devices playing now').fill('0')
    await trial.getByRole('status').filter({ hasText: 'Allowed' }).waitFor()

    // The time line is moved by the keyboard, to the end and back.
    const line = trial.getByRole('slider', { name: 'Move through time' })
    await line.press('End')
    await trial.getByRole('status').filter({ hasText: 'The time to use it ended on' }).waitFor()
    assert.match((await line.getAttribute('aria-valuetext')) ?? '', /: Refused$/)
    await line.press('Home')
    await trial.getByRole('status').filter({ hasText: 'Allowed' }).waitFor()
    const before = await page.getByLabel('Asked on', { exact: true }).inputValue()
    await line.press('ArrowRight')
    assert.notEqual(await page.getByLabel('Asked on', { exact: true }).inputValue(), before)
    const box = await line.boundingBox()
    assert.ok(box)
    await page.mouse.move(box.x + 8, box.y + box.height / 2)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width - 8, box.y + box.height / 2, { steps: 4 })
    await page.mouse.up()
    await trial.getByRole('status').filter({ hasText: 'Refused' }).waitFor()
    await inspect(page, 'license-new')

    await page.getByRole('button', { name: 'Create the license' }).click()
    await page.getByText('“Weekend” is created.').waitFor()
    await page.getByText('No product is sold under it yet.').first().waitFor()
    await page.goto(`/admin/products/${product.id}`)
    await page.getByRole('button', { name: 'Add an offer' }).click()
    await page.getByLabel('License', { exact: true }).selectOption('Weekend')
    await page.getByRole('button', { name: 'Choose a price that you have' }).click()
    await page.getByLabel('Price', { exact: true }).selectOption({ index: 1 })
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('“Harbour” is saved.').waitFor()

    await page.goto('/admin/licenses?view=own')
    await page
      .getByRole('row', { name: /Weekend/ })
      .getByText('1 product')
      .waitFor()
    await page.getByRole('link', { name: 'Weekend' }).click()
    await page.getByRole('region', { name: 'Used by 1 product' }).getByRole('link', { name: 'Harbour' }).waitFor()
    await page.getByLabel('At the same time: number').fill('3')
    await page.getByText(/Whoever has bought keeps the terms they bought/).waitFor()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('“Weekend” is saved.').waitFor()
    await page.getByRole('button', { name: 'Delete' }).click()
    const question = page.getByRole('dialog')
    await question.getByText(/Give it another license first/).waitFor()
    assert.ok(await question.getByRole('button', { name: 'Delete' }).isDisabled())
    assert.deepEqual(complaints, [])
  })

  test('an included one is read only, and is duplicated, compared and deleted', async () => {
    const shop = await service.openShop()
    const { page, complaints } = await openAdmin(shop)
    await page.goto('/admin/licenses/1')
    await page.getByText(/comes with the service and cannot be changed/).waitFor()
    assert.ok(await page.getByLabel('Name', { exact: true }).isDisabled())
    assert.equal(await page.getByRole('button', { name: 'Delete' }).count(), 0)
    await page.getByRole('link', { name: 'Duplicate' }).click()
    await page.getByLabel('At the same time: number').fill('9')
    await page.getByRole('button', { name: 'Create the license' }).click()
    await page.getByText('“Buy (copy)” is created.').waitFor()
    await page.getByRole('link', { name: 'Compare' }).click()
    await page.getByLabel('Second license').selectOption('Buy')
    const marks = page.locator('.compare mark')
    await marks.filter({ hasText: 'On 9 devices at a time.' }).waitFor()
    assert.deepEqual(
      await marks.locator(':scope').evaluateAll((found) => found.map((each) => each.firstChild?.textContent)),
      ['On 9 devices at a time.', 'On 5 devices at a time.'],
    )
    await inspect(page, 'licenses-compared')
    await page.goBack()
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('“Buy (copy)” is deleted.').waitFor()
    assert.deepEqual(complaints, [])
  })

  test('a second editor is told, a wrong number is said at its field, and who may only look changes nothing', async () => {
    const shop = await service.openShop()
    const { page, complaints } = await openAdmin(shop)
    await page.goto('/admin/licenses/new')
    await page.getByRole('button', { name: 'Create the license' }).click()
    await page.locator('.wrong').first().waitFor()
    assert.equal(await page.getByLabel('Name', { exact: true }).getAttribute('aria-invalid'), 'true')
    await page.getByLabel('Name', { exact: true }).fill('Loan')
    await page.getByRole('button', { name: 'Create the license' }).click()
    await page.getByText('“Loan” is created.').waitFor()
    await page.waitForURL(/\/licenses\/\d+$/)
    await page.getByRole('heading', { name: 'Loan' }).waitFor()
    const id = page.url().split('/').at(-1)
    await page.getByLabel('Name', { exact: true }).fill('Borrowed')
    await (await ownerPage(service, shop)).put(`/licenses/${id}.json`, { license: { name: 'Lent' } })
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText(/Somebody else has changed this/).waitFor()
    await page.getByRole('button', { name: 'Show the other version' }).click()
    await page.getByRole('heading', { name: 'Lent' }).waitFor()

    await service.db
      .updateTable('users')
      .set({ permissions: sql`permissions || '{"request_products": 0}'::jsonb` })
      .where('id', '=', shop.userId)
      .execute()
    await page.goto(`/admin/licenses/${id}`)
    await page.getByRole('region', { name: 'Try it out' }).getByRole('status').waitFor()
    assert.ok(await page.getByLabel('Name', { exact: true }).isDisabled())
    for (const name of ['Delete', 'Duplicate', 'Save'])
      assert.equal(await page.getByText(name, { exact: true }).count(), 0)
    const links = page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name: 'Licenses and prices' })
    assert.equal(await links.count(), 0)
    assert.deepEqual(
      complaints.filter((each) => !/412|422/.test(each)),
      [],
    )
  })
})

describe('prices in the admin interface', () => {
  test('one is made in currencies and countries, and many change by percent after a preview', async () => {
    const shop = await service.openShop()
    const book = await aPrice(service, shop, { title: 'Book', currencies: [{ currency: 'eur', price: 1999 }] })
    const { page, complaints } = await openAdmin(shop)
    await page.goto('/admin/licenses/prices')
    await page.getByRole('link', { name: 'New price' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Film')
    await page.getByLabel('Amount in EUR').fill('10')
    await page.getByLabel('Add a country').selectOption('CH')
    await page.getByLabel('Amount in Switzerland').fill('12,50')
    await page.getByText('Converted today').first().waitFor()
    await page.getByText('Fixed').waitFor()
    await inspect(page, 'price-new')
    await page.getByRole('button', { name: 'Create the price' }).click()
    await page.getByText('“Film” is created.').waitFor()
    await page.getByLabel('Amount in EUR').fill('12.00')
    await page.getByText('Orders that exist keep the price they were sold for.').waitFor()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('“Film” is saved.').waitFor()

    await page.goto('/admin/licenses/prices')
    await page.getByRole('checkbox', { name: 'Select all prices on this page' }).check()
    await page.getByRole('button', { name: 'Change by percent' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Percent').fill('ten')
    await dialog.getByText('Type a number such as 5').waitFor()
    await inspectDialog(page)
    await dialog.getByLabel('Percent').fill('10')
    await dialog.getByLabel('Round to').selectOption('… .99')
    await dialog.getByRole('row', { name: /Film €12\.00 €12\.99/ }).waitFor()
    await dialog.getByRole('row', { name: /Film, Switzerland CHF\s12\.50 CHF\s13\.99/ }).waitFor()
    await dialog.getByRole('row', { name: /Book €19\.99 €21\.99/ }).waitFor()
    await inspect(page, 'prices-by-percent')

    // Somebody else is faster: nothing changes, and the preview shows the new amount.
    const other = await ownerPage(service, shop)
    await other.put(`/prices/${book.id}.json`, { price: { currencies: [{ currency: 'eur', price: 3000 }] } })
    await dialog.getByRole('button', { name: 'Change 2 prices' }).click()
    await dialog.getByText(/Somebody else has changed one of these prices/).waitFor()
    await dialog.getByRole('row', { name: /Book €30\.00 €32\.99/ }).waitFor()
    await dialog.getByRole('button', { name: 'Change 2 prices' }).click()
    await page.getByText('2 prices are changed.').waitFor()
    await page.getByRole('cell', { name: '€32.99' }).waitFor()
    await page.getByRole('cell', { name: /€12\.99/ }).waitFor()
    await inspect(page, 'prices')

    await page.getByRole('link', { name: 'Book' }).click()
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('“Book” is deleted.').waitFor()
    assert.deepEqual(
      complaints.filter((each) => !/422/.test(each)),
      [],
    )
  })
})
