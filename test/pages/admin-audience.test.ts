import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { aGroupMember, aNewsRecipient, listPeople } from '../audience.ts'
import { aCustomer } from '../customers.ts'
import { useService } from '../harness.ts'
import { aFilm } from '../orders.ts'
import { inspect, useAdmin } from './admin-pages.ts'

const service = useService()
const openAdmin = useAdmin(service)

/** What a button to download gives. */
async function downloaded(page: Page, name: string): Promise<string> {
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name, exact: true }).click()
  return readFile(await (await download).path(), 'utf8')
}

describe('the people around a shop in the admin interface', () => {
  test('newsletter recipients are added with a consent or asked, found, unsubscribed and deleted', async () => {
    const shop = await service.openShop()
    const jane = await aCustomer(shop, { first_name: 'Jane', last_name: 'Roe' })
    const { page, complaints } = await openAdmin(shop)
    await page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name: 'Customers' }).click()
    await page.getByRole('link', { name: 'Newsletter' }).click()
    await page.getByText('Nobody gets the newsletter yet.').waitFor()
    await inspect(page, 'audience-empty')
    const dialog = page.getByRole('dialog')
    await page.getByRole('button', { name: 'Add recipient' }).click()
    await dialog.getByRole('button', { name: 'Ask by email' }).click()
    await dialog.getByText('Choose a customer, or type an email address.').waitFor()
    await dialog.getByRole('searchbox').fill('max@example.com')
    await dialog.getByRole('button', { name: 'New customer: max@example.com' }).click()
    await dialog.getByRole('button', { name: 'Ask by email' }).click()
    await page.getByText('max@example.com is asked to confirm.').waitFor()
    await page.getByRole('button', { name: 'Add recipient' }).click()
    await dialog.getByRole('searchbox').fill('jane')
    await dialog.getByRole('button', { name: 'Jane Roe' }).click()
    await dialog.getByLabel('This person has agreed').check()
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    await dialog.getByText('Needed as evidence of the consent.').first().waitFor()
    await dialog.getByLabel('Agreed on').fill('2024-06-10')
    await dialog.getByLabel('Where the consent comes from').fill('Book fair, list 4')
    await inspect(page, 'audience-new')
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByText(`${jane.email} gets the newsletter.`).waitFor()
    const row = page.getByRole('row', { name: new RegExp(jane.email) })
    await row.getByText('Book fair, list 4').waitFor()
    await inspect(page, 'audience-newsletter')
    assert.match(await downloaded(page, 'Export CSV'), /,2024-06-10T10:00:00,"Book fair, list 4",confirmed,/)

    await page.getByText('Filter', { exact: true }).click()
    await page.getByLabel('State').selectOption({ label: 'Not confirmed' })
    await row.waitFor({ state: 'detached' })
    await page.getByText('1 of 1 recipient').waitFor()
    assert.doesNotMatch(await downloaded(page, 'Export CSV'), /Book fair/)
    await page.getByRole('button', { name: 'Remove the filter “State”' }).click()
    await page.getByRole('searchbox', { name: 'Email' }).fill('nobody')
    await page.getByText('No recipients match.').waitFor()
    await page.getByRole('button', { name: 'Show all recipients' }).click()
    await row.getByRole('link', { name: `Open the customer ${jane.email}` }).click()
    await page.getByRole('heading', { name: 'Jane Roe' }).waitFor()
    await page.goBack()

    await page.getByRole('link', { name: 'max@example.com' }).click()
    await page.getByRole('button', { name: 'Unsubscribe' }).click()
    await dialog.getByRole('button', { name: 'Unsubscribe' }).click()
    await page.getByText('max@example.com is unsubscribed.').waitFor()
    await page.getByLabel('Agreed on').fill('2024-01-01')
    await page.getByLabel('Where the consent comes from').fill('Old list')
    await page.getByRole('button', { name: 'Save the consent' }).click()
    await page.getByText('max@example.com has left after that day').waitFor()
    await inspect(page, 'audience-recipient')
    await page.getByRole('button', { name: 'Delete' }).click()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('max@example.com is deleted.').waitFor()
    await page.getByText('1 of 1 recipient').waitFor()
    const left = await listPeople(shop, 'newsrecipient')
    assert.deepEqual(
      left.map(({ email, consent_source }) => [email, consent_source]),
      [[jane.email, 'Book fair, list 4']],
    )
    assert.deepEqual(complaints, [])
  })

  test('members and subscribers are added, changed, found by their last day, and ended', async () => {
    const shop = await service.openShop()
    await aGroupMember(shop, { email: 'old@example.com', group_id: 'c1', end_at: '2031-02-01' })
    const { page, complaints } = await openAdmin(shop, 'de-DE')
    await page.goto('/admin/customers/members')
    const dialog = page.getByRole('dialog')
    await page.getByRole('button', { name: 'Mitglied hinzufügen' }).click()
    await dialog.getByRole('searchbox').fill('max@example.com')
    await dialog.getByRole('button', { name: /max@example\.com/ }).click()
    await dialog.getByRole('button', { name: 'Hinzufügen' }).click()
    await dialog.getByText('Geben Sie eine Gruppe so ein').waitFor()
    await dialog.getByLabel('Gruppe').fill('x9')
    await dialog.getByRole('button', { name: 'Hinzufügen' }).click()
    await dialog.locator('.hint.wrong').waitFor()
    await dialog.getByLabel('Gruppe').fill('c12')
    await dialog.getByLabel('Bis', { exact: true }).fill('2031-06-30')
    await dialog.getByRole('button', { name: 'Hinzufügen' }).click()
    await page.getByText('max@example.com ist Mitglied.').waitFor()
    await inspect(page, 'audience-members')
    const [, max] = await listPeople(shop, 'groupmember')
    assert.deepEqual([max?.group_id, max?.end_at], ['c12', '2031-06-30T22:00:00'])
    await page.getByText('Filtern', { exact: true }).click()
    await page.getByLabel('Endet ab').fill('2031-06-30')
    await page.getByRole('link', { name: 'old@example.com' }).waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'max@example.com' }).click()
    await page.getByRole('textbox', { name: 'Gruppe' }).fill('p7')
    await page.getByRole('button', { name: 'Speichern', exact: true }).click()
    await page.getByText('max@example.com ist gespeichert.').waitFor()
    await inspect(page, 'audience-member')
    await page.getByRole('button', { name: 'Jetzt beenden' }).click()
    await dialog.getByRole('button', { name: 'Jetzt beenden' }).click()
    await page.getByText('Die Mitgliedschaft von max@example.com ist beendet.').waitFor()
    const [, ended] = await listPeople(shop, 'groupmember')
    assert.deepEqual([ended?.group_id, ended?.state], ['p7', 'ended'])

    await page.goto('/admin/customers/subscribers')
    await page.getByText('Noch hat niemand ein Abo.').waitFor()
    await page.getByRole('button', { name: 'Abonnenten hinzufügen' }).click()
    await dialog.getByRole('searchbox').fill('ines@example.com')
    await dialog.getByRole('button', { name: /ines@example\.com/ }).click()
    await dialog.getByLabel('Gruppe').fill('s3')
    await dialog.getByRole('button', { name: 'Hinzufügen' }).click()
    await page.getByText('ines@example.com ist Abonnent.').waitFor()
    await inspect(page, 'audience-subscribers')
    assert.deepEqual(
      complaints.filter((each) => !each.includes('422')),
      [],
    )
  })

  test('newsletter recipients are imported with the consent of the file', async () => {
    const shop = await service.openShop()
    await aNewsRecipient(shop, { email: 'first@example.com' })
    const { page, complaints } = await openAdmin(shop)
    await page.goto('/admin/customers/newsletter')
    await page.getByRole('link', { name: 'Import', exact: true }).click()
    await page.getByRole('heading', { name: 'Import newsletter recipients' }).waitFor()
    const content = 'Email;Agreed;Where\njane@example.com;2024-06-10;\nmax@example.com;;\n'
    const file = { name: 'list.csv', mimeType: 'text/csv', buffer: Buffer.from(content) }
    await page.getByLabel('Choose a file').setInputFiles(file)
    await page.getByLabel('Field of the column Agreed').selectOption({ label: 'Agreed on' })
    await page.getByRole('region', { name: 'Consent' }).getByLabel('Where the consent comes from').fill('Old shop')
    await inspect(page, 'import-consent')
    const work = async (button: string) => {
      await page.getByRole('button', { name: button }).click()
      await page.locator('.import-progress').waitFor()
      await service.runJobs()
    }
    await work('Check the file')
    // A source without a day proves nothing.
    await page.getByText('Say when this person agreed, in this line or for the whole file.').waitFor()
    await page.getByRole('region', { name: 'Line 3', exact: true }).getByRole('textbox').fill('2024-07-01')
    await work('Check again')
    await work('Import 2 entries')
    await page.getByRole('heading', { name: '2 entries imported' }).waitFor()
    await page.getByRole('link', { name: 'Show recipients' }).click()
    await page.getByRole('link', { name: 'max@example.com' }).waitFor()
    assert.deepEqual(
      (await listPeople(shop, 'newsrecipient')).map(({ email, state, consent_source }) => [
        email,
        state,
        consent_source,
      ]),
      [
        ['first@example.com', 'pending', null],
        ['jane@example.com', 'confirmed', 'Old shop'],
        ['max@example.com', 'confirmed', 'Old shop'],
      ],
    )
    assert.deepEqual(complaints, [])
  })

  test('products, customers and prices are exported as the list shows them', async () => {
    const shop = await service.openShop()
    await aFilm(service, shop, 1190, { title: 'Salt House' })
    await aFilm(service, shop, 1190, { title: 'Harbour' })
    const jane = await aCustomer(shop, { first_name: 'Jane' })
    const otto = await aCustomer(shop, { first_name: 'Otto' })
    const { page, complaints } = await openAdmin(shop)
    await page.goto('/admin/products?q=salt')
    const products = await downloaded(page, 'Export CSV')
    assert.match(products, /Salt House/)
    assert.doesNotMatch(products, /Harbour/)
    await page.goto('/admin/customers?q=jane')
    const customers = await downloaded(page, 'Export CSV')
    assert.ok(customers.includes(jane.email) && !customers.includes(otto.email), customers)
    await page.goto('/admin/licenses/prices?q=nothing')
    await page
      .getByText('No prices match.')
      .or(page.getByRole('link', { name: 'Show all' }))
      .first()
      .waitFor()
    assert.equal(await downloaded(page, 'Export CSV'), 'title,copy,price,currency,country\r\n')
    assert.deepEqual(complaints, [])
  })
})
