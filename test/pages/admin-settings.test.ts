import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, test } from 'node:test'
import { adminPage, ownerPage } from '../admin.ts'
import { PASSWORD, useService } from '../harness.ts'
import { aMember, codeAt, ownerOf, signedIn, toNextStep, turnOnSecondFactor } from '../people.ts'
import { inspect, inspectDialog, signIn, useAdmin } from './admin-pages.ts'

const service = useService()
const openAdmin = useAdmin(service)
const NEW = 'a few good words'

describe('the settings of a user', () => {
  test('are their name and language, which the admin interface then speaks', async () => {
    const shop = await service.openShop()
    const { page, complaints } = await openAdmin(shop)
    await page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name: 'Settings' }).click()
    await page.getByLabel('First name').fill('Jette')
    await page.getByLabel('Last name').fill('Petersen')
    await inspect(page, 'settings-profile')
    await page.getByLabel('Language').selectOption('de')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Your profile is saved.').waitFor()
    await page.getByRole('button', { name: 'Jette Petersen' }).first().waitFor()
    await page.reload()
    await page.getByRole('heading', { name: 'Profil' }).waitFor()
    assert.equal(await page.locator('html').getAttribute('lang'), 'de')
    await inspect(page, 'settings-profile-de')
    assert.deepEqual(complaints, [])
  })

  test('have the time zone of the browser from the first visit on, or the one that is chosen', async () => {
    const shop = await service.openShop()
    const { page } = await openAdmin(shop, 'en-GB', true)
    const zoneOf = async () => (await shop.get(`/api/users/${shop.userId}.json`)).body.user.time_zone
    await page.waitForResponse((answer) => answer.url().endsWith('/user.json') && answer.request().method() === 'PUT')
    const berlin = await zoneOf()
    assert.ok(berlin === 60 || berlin === 120, berlin)
    await page.goto('/admin/settings')
    const field = page.getByLabel('Time zone')
    assert.equal(await field.inputValue(), 'Europe/Berlin')
    await field.selectOption('Asia/Tokyo')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Your profile is saved.').waitFor()
    assert.equal(await zoneOf(), 540)
    // Home leaves alone what was chosen.
    await page.goto('/admin')
    await page.getByRole('heading', { name: 'Home' }).waitFor()
    await page.goto('/admin/settings')
    await page.getByLabel('Time zone').and(page.locator(':has(option[value="Asia/Tokyo"]:checked)')).waitFor()
    assert.equal(await zoneOf(), 540)
    await page.getByLabel('Time zone').selectOption('UTC')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Your profile is saved.').waitFor()
    assert.equal(await zoneOf(), 0)
  })

  test('are the password and the sessions, which end elsewhere or everywhere', async () => {
    const shop = await service.openShop()
    const owner = await ownerOf(service, shop)
    const { page, complaints } = await openAdmin(shop)
    const elsewhere = await signedIn(service, shop, { 'user-agent': 'Mozilla/5.0 (iPhone) Safari/604' })
    await page.goto('/admin/settings/security')
    await page.getByText('Safari on iPhone').waitFor()
    const card = page.getByRole('region', { name: 'Password', exact: true })
    const change = async (current: string, password: string, again = password) => {
      await card.getByLabel('Current password').fill(current)
      await card.getByLabel('New password', { exact: true }).fill(password)
      await card.getByLabel('New password again').fill(again)
      await card.getByRole('button', { name: 'Change password' }).click()
    }
    await change(PASSWORD, NEW, 'other words')
    await card.getByText('This differs from the password above.').waitFor()
    await change('something else', NEW)
    await card.getByText('This is not your current password.').waitFor()
    await change(PASSWORD, 'short')
    await card.getByText('The password has to have 8 to 64 characters.').waitFor()
    await inspect(page, 'settings-security')
    await change(PASSWORD, NEW)
    await page.getByText('You are signed out everywhere else.').waitFor()
    assert.equal((await adminPage(service, elsewhere).get('/session.json')).status, 401)
    await page.getByText('Safari on iPhone').waitFor({ state: 'detached' })
    assert.equal(await page.getByRole('button', { name: 'Sign out everywhere else' }).count(), 0)

    await page.getByRole('button', { name: 'Sign out everywhere' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click()
    await page.getByText('You are signed out everywhere.').waitFor()
    await signIn(page, { ...owner, password: NEW })
    await page.waitForURL('**/admin')
    // The browser says what it was refused.
    assert.deepEqual(
      complaints.filter((each) => !/status of 422/.test(each)),
      [],
    )
  })

  test('are the second step: set up with a picture, kept with codes, turned off with the password', async () => {
    const shop = await service.openShop()
    const { page } = await openAdmin(shop)
    toNextStep(service)
    await page.goto('/admin/settings/security')
    const card = page.getByRole('region', { name: 'Two-step sign-in' })
    await card.getByText('Password only').waitFor()
    await card.getByRole('button', { name: 'Set it up' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Current password').fill('something else')
    await dialog.getByRole('button', { name: 'Set it up' }).click()
    await dialog.getByText('This is not your current password.').waitFor()
    await dialog.getByLabel('Current password').fill(PASSWORD)
    await page.keyboard.press('Enter')
    const picture = card.getByRole('img', { name: /^QR code/ })
    await picture.waitFor()
    assert.ok(await picture.evaluate((image: { naturalWidth: number }) => image.naturalWidth > 0))
    const key = ((await card.locator('code').textContent()) ?? '').replaceAll(' ', '')
    await card.getByLabel('2. Type the code that the app shows').fill('000000')
    await card.getByRole('button', { name: 'Turn it on' }).click()
    await card.getByText('This is not the code that the app shows now.').waitFor()
    await inspect(page, 'settings-second-step')
    await card.getByLabel('2. Type the code that the app shows').fill(codeAt(key, service.clock.now()))
    await card.getByRole('button', { name: 'Turn it on' }).click()
    await card.getByText('They are shown only now.').waitFor()
    const codes = await card.locator('.recovery-codes li').allTextContents()
    assert.equal(codes.length, 10)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      card.getByRole('link', { name: 'Save as a file' }).click(),
    ])
    assert.deepEqual((await readFile(await download.path(), 'utf8')).trim().split('\n').slice(2), codes)
    await inspect(page, 'settings-recovery-codes')
    await card.getByRole('button', { name: 'I have kept them' }).click()
    await card.getByText('You have 10 recovery codes left').waitFor()
    await card.getByRole('button', { name: 'Turn it off' }).click()
    await dialog.getByLabel('Current password').fill(PASSWORD)
    await dialog.getByRole('button', { name: 'Turn it off' }).click()
    await page.getByText('Two-step sign-in is turned off.').waitFor()
    await card.getByText('Password only').waitFor()
  })
})

describe('the settings of a company', () => {
  test('are two-step sign-in for everybody, which leads those without it there and nowhere else', async () => {
    const shop = await service.openShop()
    const member = await aMember(service, shop, PASSWORD)
    const { page } = await openAdmin(shop)
    await page.goto('/admin/settings/people')
    const card = page.getByRole('region', { name: 'Two-step sign-in for everybody' })
    await card.getByText('2 people have not set it up.').waitFor()
    await card.getByRole('button', { name: 'Require it' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Require it' }).click()
    await dialog.getByText('Set it up for yourself first').waitFor()
    await turnOnSecondFactor(service, await signedIn(service, shop))
    await dialog.getByRole('button', { name: 'Require it' }).click()
    await page.getByText('Two-step sign-in is required of everybody now.').waitFor()
    await card.getByText('One person has not set it up.').waitFor()
    await inspect(page, 'settings-second-step-required')

    await page.context().clearCookies()
    await page.goto('/sign-in')
    await signIn(page, member)
    await page.waitForURL('**/admin/settings/security')
    await page.getByText('Your company asks everybody to sign in in two steps.').waitFor()
    const menu = page.getByRole('navigation', { name: 'Main menu' }).first()
    assert.deepEqual(await menu.getByRole('link').allTextContents(), ['Settings'])
    await inspect(page, 'settings-second-step-asked')
    await turnOnSecondFactor(service, member.visitor)
    await page.goto('/admin')
    await page.getByRole('heading', { level: 1 }).waitFor()
    await menu.getByRole('link', { name: 'Home' }).waitFor()
  })

  test('are reached from the checklist at the very field, say what is wrong there, and overwrite nothing', async () => {
    const shop = await service.openShop()
    const { page } = await openAdmin(shop)
    await page.getByRole('link', { name: 'Fill it in' }).click()
    await page.waitForURL('**/admin/settings/company?field=street')
    await page.getByLabel('Street and number').waitFor()
    await page.locator('input[name=street]:focus').waitFor()
    await page.getByLabel('Street and number').fill('Harbour 1')
    await page.getByLabel('Email').fill('nobody')
    await page.getByRole('button', { name: 'Save' }).click()
    await page
      .locator('.field', { has: page.getByLabel('Email') })
      .locator('.wrong')
      .waitFor()
    assert.equal(await page.getByLabel('Street and number').inputValue(), 'Harbour 1')
    await page.getByLabel('Email').fill('hello@example.com')
    await page.getByLabel('Country').selectOption('AT')
    await inspect(page, 'settings-company')
    await shop.put(`/api/companies/${shop.companyId}.json`, { company: { city: 'Graz' } })
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Somebody else has changed this meanwhile.').waitFor()
    await page.getByRole('button', { name: 'Save mine over it' }).click()
    await page.getByText('The company data is saved.').waitFor()
    const { company } = (await shop.get(`/api/companies/${shop.companyId}.json`)).body
    assert.deepEqual(
      [company.street, company.email, company.country, company.city],
      ['Harbour 1', 'hello@example.com', 'Austria', 'Graz'],
    )
    await page.getByLabel('VAT ID', { exact: true }).fill('DE123')
    await page.getByLabel('City').fill('Linz')
    await page.getByRole('button', { name: 'Save' }).click()
    await page
      .locator('.field', { has: page.getByLabel('VAT ID', { exact: true }) })
      .locator('.wrong')
      .waitFor()
    await page.getByLabel('VAT ID', { exact: true }).fill('ATU62895905')
    await page.getByLabel('Invoice numbers begin with').fill('2026-')
    await page.getByLabel('Credit note numbers begin with').fill('G-')
    await page.getByLabel('Days to pay a bill').fill('30')
    await page.getByLabel('Sentence at the end of each document').fill('Linz, FN 1234 a')
    await page.getByLabel(/^Check VAT IDs/).check()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Unsaved changes').waitFor({ state: 'detached' })
    const after = (await shop.get(`/api/companies/${shop.companyId}.json`)).body.company
    const owner = await ownerPage(service, shop)
    const { invoice_settings } = (await owner.get('/invoice_settings.json')).body
    assert.equal(after.city, 'Linz')
    const { vat_id, prefix, credit_prefix, payment_days, note, check_vat_ids } = invoice_settings
    assert.deepEqual(
      [vat_id, prefix, credit_prefix, payment_days, note, check_vat_ids],
      ['ATU62895905', '2026-', 'G-', 30, 'Linz, FN 1234 a', true],
    )
  })

  test('of a sandbox say that it is one, and move its clock', async () => {
    const shop = await service.openShop({ sandbox: true })
    const { page, complaints } = await openAdmin(shop)
    await page.getByText('Nothing is sold, and no email leaves it.').waitFor()
    await page.getByRole('link', { name: 'Move the clock' }).click()
    const card = page.getByRole('region', { name: 'Clock of the sandbox' })
    await card.getByLabel('Move it forward').selectOption('by a week')
    const before = (await shop.get('/api/test_clock.json')).body.test_clock.now
    const moved = page.waitForResponse((answer) => answer.request().method() === 'POST')
    await card.getByRole('button', { name: 'Move forward' }).click()
    let isMoved = false
    void moved.then(() => {
      isMoved = true
    })
    while (!isMoved) await service.runJobs()
    await card.getByText('What happened').waitFor()
    await card.getByText('Nothing was due.').waitFor()
    await inspect(page, 'settings-sandbox')
    const { now } = (await shop.get('/api/test_clock.json')).body.test_clock
    assert.ok(Date.parse(now) - Date.parse(before) >= 7 * 86_400_000)
    assert.deepEqual(complaints, [])
    const { page: other } = await openAdmin(await service.openShop())
    await other.getByRole('heading', { name: 'Home' }).waitFor()
    assert.equal(await other.getByText('no email leaves it').count(), 0)
  })

  test('are the people of the company: one is invited as an accountant, changed, and disabled', async () => {
    const shop = await service.openShop()
    const member = await aMember(service, shop)
    const { page, complaints } = await openAdmin(shop)
    await page.goto('/admin/settings/people')
    await page.getByRole('button', { name: 'Invite' }).click()
    const dialog = page.getByRole('dialog')
    await inspectDialog(page)
    await dialog.getByLabel('Email').fill('nobody')
    await dialog.getByRole('radio', { name: /^Accountant/ }).check()
    assert.ok(await dialog.getByLabel('create, cancel and refund orders').isChecked())
    await dialog.getByLabel('Email').fill('books@example.com')
    await dialog.getByRole('button', { name: 'Send the invitation' }).click()
    await page.getByText('An invitation is on its way to books@example.com.').waitFor()
    const row = page.getByRole('listitem').filter({ hasText: 'books@example.com' })
    await row.getByText('Invited').waitFor()
    await row.getByText(/^Accountant\./).waitFor()
    await inspect(page, 'settings-people')
    await row.getByRole('link').click()
    await page.getByRole('button', { name: 'Send the invitation again' }).click()
    await page.getByText('An invitation is on its way').waitFor()

    await page.goto(`/admin/settings/people/${member.id}`)
    await page.getByRole('radio', { name: /^Editor/ }).check()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText(/is saved\./).waitFor()
    await page.getByRole('button', { name: 'Disable' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click()
    await page.getByRole('button', { name: 'Enable' }).waitFor()
    await inspect(page, 'settings-person')
    const { user } = (await shop.get(`/api/users/${member.id}.json`)).body
    assert.deepEqual([user.state, user.permissions.request_products, user.permissions.accounting], ['disabled', 1, 0])
    assert.deepEqual(complaints, [])
  })

  test('are the audit log, in words, by filters that the address keeps, and paged by key', async () => {
    const shop = await service.openShop()
    const rows = Array.from({ length: 60 }, (_, index) => ({
      company_id: shop.companyId,
      user_id: index % 5 === 0 ? null : shop.userId,
      action: index % 3 === 0 ? 'sign-in refused' : 'price changed',
      subject: index % 3 === 0 ? 'wrong second factor' : `Price ${index}`,
      address: '2001:db8:85a3::8a2e:370:7334',
      request_id: 'test',
      created_at: new Date(Date.UTC(2026, 2, 1 + Math.floor(index / 20), 8, index)),
    }))
    await service.db.insertInto('audit_entries').values(rows).execute()
    const { page, complaints } = await openAdmin(shop)
    await page.goto('/admin/settings/activity')
    const expectRows = async (count: number) => {
      await page
        .locator('tbody tr')
        .nth(count - 1)
        .waitFor()
      await page.locator('tbody tr').nth(count).waitFor({ state: 'detached' })
    }
    await page.getByText('Price 59').waitFor()
    await expectRows(50)
    await inspect(page, 'settings-activity')
    await page.getByRole('button', { name: 'Older' }).click()
    await page.getByText('Price 1', { exact: true }).waitFor()
    await page.getByLabel('What').selectOption({ label: 'Sign-in refused' })
    await page.waitForURL('**/admin/settings/activity?action=sign-in+refused')
    await expectRows(20)
    await page.getByText('wrong code').first().waitFor()
    await page.getByLabel('Until').fill('2026-03-01')
    await page.waitForURL('**until=2026-03-01')
    await expectRows(7)
    await page.goBack()
    await expectRows(20)
    assert.deepEqual(complaints, [])
  })
})

describe('somebody who looks after several shops', () => {
  test('changes between them, and a tab that shows another one changes nothing', async () => {
    const partner = await service.openShop()
    const associate = await service.openShop({ partnerId: partner.companyId })
    for (const [shop, company_name] of [
      [partner, 'Kino Nord'],
      [associate, 'Kino Süd'],
    ] as const)
      await shop.put(`/api/companies/${shop.companyId}.json`, { company: { company_name } })
    const { page } = await openAdmin(partner)
    const second = await page.context().newPage()
    await second.goto('/admin/settings/company')
    await second.getByLabel('City').fill('Kiel')
    await page.getByRole('button', { name: 'Kino Nord change shop' }).first().click()
    await page.getByRole('menuitem', { name: 'Kino Süd' }).click()
    await page.getByRole('button', { name: 'Kino Süd change shop' }).first().waitFor()
    await inspect(page, 'switched')

    await second.getByRole('button', { name: 'Save' }).click()
    await second.getByText('This tab still shows Kino Nord.').waitFor()
    assert.equal(await second.getByLabel('City').inputValue(), 'Kiel')
    await inspect(second, 'switched-elsewhere')
    for (const shop of [partner, associate])
      assert.notEqual((await shop.get(`/api/companies/${shop.companyId}.json`)).body.company.city, 'Kiel')
    second.on('dialog', (dialog) => void dialog.accept())
    await second.getByRole('button', { name: 'Show the other shop' }).click()
    await second.getByRole('button', { name: 'Kino Süd change shop' }).first().waitFor()
  })
})

describe('a session', () => {
  test('ends by a press, and leads back to where one was after it has ended elsewhere', async () => {
    const shop = await service.openShop()
    const owner = await ownerOf(service, shop)
    const { page } = await openAdmin(shop)
    await page.goto('/admin/settings')
    await page.getByLabel('First name').fill('Jette')
    await adminPage(service, await signedIn(service, shop)).delete('/sessions.json')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('What you typed is still here.').waitFor()
    await inspect(page, 'signed-out')
    const [other] = await Promise.all([page.waitForEvent('popup'), page.getByRole('link', { name: 'Sign in' }).click()])
    await signIn(other, owner)
    await other.waitForURL('**/admin')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Your profile is saved.').waitFor()
    await page.getByText('What you typed is still here.').waitFor({ state: 'detached' })

    await adminPage(service, await signedIn(service, shop)).delete('/sessions.json')
    await page.getByRole('link', { name: 'Activity' }).first().click()
    await page.getByText('You were signed out. Sign in to go on where you were.').waitFor()
    await signIn(page, owner)
    await page.waitForURL('**/admin/settings/activity')
    await page.getByRole('button', { name: 'Jette' }).first().click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByText('You are signed out.').waitFor()
  })

  test('of a user who may not use the service shows their own sign-in, and nothing else', async () => {
    const shop = await service.openShop()
    const member = await aMember(service, shop)
    await shop.put(`/api/users/${member.id}.json`, { user: { permissions: { web_access: 0 } } })
    const { page, complaints } = await openAdmin(await service.openShop())
    await page.context().clearCookies()
    await page.goto('/sign-in')
    await signIn(page, member)
    await page.waitForURL('**/admin/settings')
    await page.getByLabel('First name').waitFor()
    assert.deepEqual(await page.locator('.menu a').allTextContents(), ['Settings'])
    assert.deepEqual(await page.locator('.tabs a').allTextContents(), ['Profile', 'Sign-in'])
    await page.goto('/admin/orders')
    await page.waitForURL('**/admin/settings')
    assert.deepEqual(complaints, [])
  })
})
