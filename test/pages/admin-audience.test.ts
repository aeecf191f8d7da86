import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { aGroupMember, aNewsRecipient, listPeople } from '../audience.ts'
import { aCustomer } from '../customers.ts'
import { aLicense, aPrice, type Wire } from '../factories.ts'
import { type Shop, useService } from '../harness.ts'
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

const plansOf = async (shop: Shop): Promise<Wire[]> => (await shop.get('/api/plans.json')).body.plans

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

  test('a membership is made, sold by plans, filled with people, closed and deleted', async () => {
    const shop = await service.openShop()
    await aPrice(service, shop, { title: 'Club', currencies: [{ currency: 'eur', price: 7900 }] })
    const { page, complaints } = await openAdmin(shop)
    await page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name: 'Memberships' }).click()
    await page.getByText('No groups yet.').waitFor()
    await inspect(page, 'groups-empty')
    const dialog = page.getByRole('dialog')
    await page.getByRole('button', { name: 'New group' }).click()
    await dialog.getByRole('button', { name: 'Create the group' }).click()
    await dialog.locator('.hint.wrong').waitFor()
    await dialog.getByLabel('Name', { exact: true }).fill('Kino Club')
    await inspect(page, 'group-new')
    await dialog.getByRole('button', { name: 'Create the group' }).click()
    await page.getByRole('heading', { level: 1, name: 'Kino Club' }).waitFor()

    const plans = page.getByRole('region', { name: 'Plans' })
    await plans.getByText('No plans yet.').waitFor()
    await plans.getByRole('button', { name: 'New plan' }).click()
    await dialog.getByRole('button', { name: 'Create the plan' }).click()
    await dialog.getByText('Type an amount such as 7.90.').waitFor()
    await dialog.getByLabel('Amount in EUR').fill('7.90')
    await dialog.getByRole('button', { name: 'Create the plan' }).click()
    await dialog.locator('.hint.wrong').waitFor()
    await dialog.getByLabel('Name', { exact: true }).fill('Monthly')
    await dialog.getByLabel('Free days').fill('7')
    await inspect(page, 'plan-new')
    await dialog.getByRole('button', { name: 'Create the plan' }).click()
    await plans.getByText('€7.90 every month', { exact: true }).waitFor()
    await plans.getByText('7 days free', { exact: true }).waitFor()
    await plans.getByRole('button', { name: 'New plan' }).click()
    await dialog.getByLabel('Name', { exact: true }).fill('Yearly')
    await dialog.getByLabel('Price of each period').selectOption({ label: 'Club · €79.00' })
    await dialog.getByLabel('Counted in').selectOption('year')
    await dialog.getByLabel('Minimum periods').fill('9')
    await dialog.getByLabel('It lasts').selectOption('times')
    await dialog.getByLabel('Renewals').fill('4')
    await dialog.getByRole('button', { name: 'Create the plan' }).click()
    await dialog.getByText('must be at most 5').waitFor()
    await dialog.getByLabel('Minimum periods').fill('2')
    await dialog.getByRole('button', { name: 'Create the plan' }).click()
    await plans.getByText('at least 2 years, ends after 5 years').waitFor()
    const [monthly, yearly] = await plansOf(shop)
    assert.deepEqual([monthly?.trial_days, monthly?.renewals, yearly?.renewals], [7, null, 4])

    // Somebody else is faster: whoever changes it now sees that, and chooses.
    await plans.getByRole('button', { name: 'Change “Monthly”' }).click()
    await dialog.getByText('cannot be changed, because people have agreed').waitFor()
    await shop.put(`/api/plans/${monthly?.id}.json`, { plan: { trial_days: 14 } })
    await dialog.getByText('Description and other languages').click()
    await dialog.getByLabel('Add a language').selectOption('de')
    await dialog.getByLabel('Name, German').fill('Monatlich')
    await inspect(page, 'plan-change')
    await dialog.getByRole('button', { name: 'Save', exact: true }).click()
    await dialog.getByText('Somebody else has changed this').waitFor()
    await dialog.getByRole('button', { name: 'Save mine over it' }).click()
    await page.getByText('“Monthly” is saved.').waitFor()
    await plans.getByText('14 days free').waitFor()
    const german = [{ language_id: 'de', title: 'Monatlich', description: '' }]
    assert.deepEqual((await plansOf(shop))[0]?.locales, german)
    await plans.getByRole('button', { name: 'Stop “Yearly”' }).click()
    await dialog.getByRole('button', { name: 'Stop' }).click()
    await plans.getByText('Stopped').waitFor()
    assert.equal((await plansOf(shop))[1]?.valid, false)
    await plans.getByRole('button', { name: 'Open “Yearly” again' }).click()
    await page.getByText('“Yearly” is open again.').waitFor()

    const people = page.getByRole('region', { name: 'Subscribers' })
    await people.getByText('Nobody has subscribed yet.').waitFor()
    await people.getByRole('button', { name: 'Add subscriber' }).click()
    await dialog.getByRole('searchbox').fill('ines@example.com')
    await dialog.getByRole('button', { name: /ines@example\.com/ }).click()
    assert.equal(await dialog.getByLabel('Group').inputValue(), 's1')
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    await people.getByRole('link', { name: 'ines@example.com' }).waitFor()

    await page.getByRole('checkbox', { name: 'Members can use what belongs to it' }).uncheck()
    await page.getByLabel('License').selectOption({ index: 1 })
    await page.getByRole('region', { name: 'Other languages' }).getByLabel('Add a language').selectOption('de')
    await page.getByLabel('Name, German').fill('Kinoklub')
    await inspect(page, 'group')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('“Kino Club” is saved.').waitFor()
    await page.getByText('Closed').waitFor()
    const [group] = (await shop.get('/api/groups.json')).body.groups
    assert.deepEqual([group.valid, group.locales[0].title, group.members], [false, 'Kinoklub', 1])

    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await dialog.getByText('is sold by plans').waitFor()
    await dialog.getByRole('button', { name: 'Back' }).click()
    for (const title of ['Monthly', 'Yearly']) {
      await plans.getByRole('button', { name: `Delete “${title}”` }).click()
      await dialog.getByRole('button', { name: 'Delete' }).click()
      await page.getByText(`“${title}” is deleted.`).waitFor()
    }
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No groups yet.').waitFor()
    assert.deepEqual(
      complaints.filter((each) => !/409|412|422/.test(each)),
      [],
    )
  })

  test('groups are listed and found, also from anywhere, and only shown to those who may not change them', async () => {
    const shop = await service.openShop()
    const license = await aLicense(service, shop, { name: 'Press' })
    for (const group of [
      { kind: 'access', title: 'Presse', license_id: license.id },
      { kind: 'sharing', title: 'Familie', valid: false },
      { kind: 'subscription', title: 'Kino Club' },
    ])
      await shop.post('/api/groups.json', { group })
    for (const place of Array.from({ length: 6 }).keys())
      await aGroupMember(shop, { email: `press${place}@example.com`, group_id: 'c1' })
    const { page, complaints } = await openAdmin(shop, 'de-DE')
    await page.goto('/admin/memberships')
    const row = page.getByRole('row', { name: /Presse/ })
    await row.getByText('Press', { exact: true }).waitFor()
    assert.match((await row.textContent()) ?? '', /Presse.*c1.*Zugang.*Press.*6.*Offen/)
    assert.match((await page.getByRole('row', { name: /Familie/ }).textContent()) ?? '', /Ohne Grenzen.*Geschlossen/)
    await inspect(page, 'groups')
    await page.getByRole('searchbox', { name: 'Name oder Nummer' }).fill('fam')
    await row.waitFor({ state: 'detached' })
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('presse')
    await page.getByRole('option', { name: /Presse.*Zugang/ }).click()
    await page.getByRole('heading', { level: 1, name: 'Presse' }).waitFor()
    assert.equal(await page.getByRole('region', { name: 'Abo-Pläne' }).count(), 0)
    await page.getByRole('link', { name: 'Alle Mitglieder anzeigen' }).click()
    await page.getByText('6 von 6 Mitgliedern').waitFor()

    await page.goto('/admin/discounts/codes')
    await page.getByRole('button', { name: 'Codes erzeugen' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('radio', { name: 'Eine Mitgliedschaft' }).check()
    await dialog.getByLabel('Mitgliedschaft', { exact: true }).selectOption('s1')
    await dialog.getByLabel('Wie lange').selectOption('days')
    await dialog.getByLabel('Tage ab dem Einlösen').fill('14')
    await inspect(page, 'codes-membership')
    await dialog.getByRole('button', { name: 'Codes erzeugen' }).click()
    await page.getByRole('list').getByText('Kino Club').waitFor()
    const [code] = (await shop.get('/api/redemption_codes.json')).body.redemption_codes
    assert.deepEqual([code.group_id, code.member_days, code.member_until], ['s1', 14, null])
    await page.goto(`/admin/discounts/codes/${code.id}`)
    await page.getByText('14 Tage ab dem Einlösen').waitFor()

    const permissions = { unlock: 0, request_products: 0 }
    await shop.put(`/api/users/${shop.userId}.json`, { user: { permissions } })
    await page.goto('/admin/memberships/s1')
    await page.getByText('Noch keine Pläne.').waitFor()
    assert.equal(await page.getByLabel('Name', { exact: true }).isEnabled(), false)
    assert.equal(
      await page
        .getByRole('main')
        .getByRole('button', { name: /Neu|Löschen|hinzufügen/ })
        .count(),
      0,
    )
    assert.deepEqual(complaints, [])
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
