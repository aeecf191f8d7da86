import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, test } from 'node:test'
import { TEST_CARDS } from '#selling/payments/gateways/test-cards/gateway.ts'
import { aCustomer } from '../customers.ts'
import { aPrice, type Wire } from '../factories.ts'
import { useService } from '../harness.ts'
import { aMember } from '../people.ts'
import { aClub, advanceTo, read, signUp, statusOf } from '../subscriptions.ts'
import { inspect, inspectDialog, openSettings, signIn, useAdmin } from './admin-pages.ts'

const service = useService()
const openAdmin = useAdmin(service)

/** A club that can be paused, with a plan for a year. */
async function aClubWithTwoPlans() {
  const club = await aClub(service, { pausable: true })
  const price = await aPrice(service, club.shop, { currencies: [{ price: 7900, currency: 'EUR' }] })
  const yearly = { group_id: club.plan.group_id, title: 'Yearly', price_id: price.id, interval: 'year' }
  assert.equal((await club.shop.post('/api/plans.json', { plan: yearly })).status, 201)
  return club
}

describe('subscriptions in the admin interface', () => {
  test('a customer is signed up by hand, found, extended, paused, resumed, moved to another plan and cancelled', async () => {
    const { shop, plan } = await aClubWithTwoPlans()
    await aCustomer(shop, { first_name: 'Jane', last_name: 'Roe', email: 'jane@club.example' })
    const { page, complaints } = await openAdmin(shop)
    await page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name: 'Memberships' }).click()
    await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Subscriptions' }).click()
    await page.getByText('Nobody has signed up to a plan yet.').waitFor()
    await inspect(page, 'subscriptions-empty')
    const dialog = page.getByRole('dialog')
    await page.getByRole('button', { name: 'Sign up customer' }).click()
    await dialog.getByRole('button', { name: 'Sign up', exact: true }).click()
    await dialog.getByText('Choose a customer, or type an email address.').waitFor()
    await dialog.getByRole('searchbox').fill('jane')
    await dialog.getByRole('button', { name: 'Jane Roe' }).waitFor()
    // A whole address is enough, of a known customer or of a new one.
    await dialog.getByRole('searchbox').fill('jane@club.example')
    await dialog.getByLabel('Plan').selectOption({ label: 'Kino Club · Monthly' })
    await dialog.getByText('€7.90 every month').waitFor()
    await dialog.getByRole('radio', { name: /Test card/ }).check()
    await dialog.getByLabel('Number of the test card').fill(TEST_CARDS.succeeds)
    await inspectDialog(page)
    await dialog.getByRole('button', { name: 'Sign up', exact: true }).click()
    await page.getByText('The customer is signed up.').waitFor()
    await page.getByRole('heading', { name: 'jane@club.example' }).waitFor()
    await page.getByText('Signed up to Monthly.').waitFor()
    await page.getByText('The membership began.').waitFor()
    await inspect(page, 'subscription')
    const { subscriptions } = (await shop.get('/api/subscriptions.json')).body
    const [own] = subscriptions as [Wire]
    assert.deepEqual([own.status, own.plan_id, own.test], ['active', plan.id, true])

    await page.getByRole('button', { name: 'Pause' }).click()
    await dialog.getByLabel('Last day').fill('2001-01-01')
    await dialog.getByRole('button', { name: 'Pause' }).click()
    await dialog.locator('.hint.wrong').waitFor()
    await dialog.getByLabel('Last day').fill(new Date(Date.parse(own.period_end) + 9e9).toISOString().slice(0, 10))
    await dialog.getByRole('button', { name: 'Pause' }).click()
    await page.getByText('A pause was planned.').waitFor()
    await page.getByRole('button', { name: 'Resume' }).click()
    await dialog.getByRole('button', { name: 'Resume' }).click()
    await page.getByText('Resumed.').waitFor()
    assert.equal((await read(shop, own)).paused_until, null)

    await page.getByRole('button', { name: 'Extend' }).click()
    const longer = new Date(Date.parse(own.period_end) + 5 * 86_400_000).toISOString().slice(0, 10)
    await dialog.getByLabel('Last day').fill(longer)
    await inspectDialog(page)
    await dialog.getByRole('button', { name: 'Extend' }).click()
    await page.getByText('Extended for nothing.').waitFor()
    assert.ok((await read(shop, own)).period_end > own.period_end)

    await page.getByRole('button', { name: 'Change plan' }).click()
    await dialog.getByRole('radio', { name: /^Now/ }).check()
    await dialog.getByText(/^To pay for/).waitFor()
    await inspectDialog(page)
    const shown = await dialog.locator('dd.total').textContent()
    await dialog.getByRole('button', { name: 'Change plan' }).click()
    await page.getByText('Changed to Yearly.').waitFor()
    await advanceTo(service, own.created_at)
    await page.reload()
    await page.getByText('The next period is paid.').waitFor()
    assert.match(shown ?? '', /^€7[01]\.\d\d$/)
    await page.getByText('€79.00 every year').first().waitFor()

    await page.getByRole('button', { name: 'Cancel' }).click()
    await inspectDialog(page)
    await dialog.getByRole('button', { name: 'Cancel the subscription' }).click()
    await page.getByText('Cancelled', { exact: true }).waitFor()
    assert.equal(await statusOf(shop, own), 'cancelled')
    await page
      .getByRole('link', { name: /^Order #/ })
      .first()
      .click()
    await page.getByRole('link', { name: 'Kino Club · Yearly' }).click()
    await page.getByRole('link', { name: 'Open the customer jane@club.example' }).click()
    await page.getByRole('heading', { name: 'Jane Roe' }).waitFor()
    await page.getByRole('link', { name: 'Kino Club · Yearly' }).waitFor()
    assert.deepEqual(
      complaints.filter((each) => !/409|422/.test(each)),
      [],
    )
  })

  test('a change is refused if somebody else was faster, unless the user insists', async () => {
    const { shop, plan, customer } = await aClub(service)
    const own = await signUp(shop, { plan_id: plan.id, customer_token: customer.token, paid: true })
    const { page } = await openAdmin(shop)
    await page.goto(`/admin/memberships/subscriptions/${own.id}`)
    await page.getByRole('button', { name: 'Cancel' }).click()
    const until = new Date(Date.parse(own.period_end) + 9e8).toISOString()
    assert.equal((await shop.post(`/api/subscriptions/${own.id}/extend.json`, { extend: { until } })).status, 200)
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Cancel the subscription' }).click()
    await dialog.getByText('Somebody else has changed this meanwhile.').waitFor()
    assert.equal(await statusOf(shop, own), 'active')
    await dialog.getByRole('button', { name: 'Save mine over it' }).click()
    await page.getByText('The subscription is cancelled.').waitFor()
    assert.equal(await statusOf(shop, own), 'cancelled')
  })

  test('those past due are named at home, say why, and are found by everything that the list offers', async () => {
    const { shop, plan, customer } = await aClub(service)
    const wish = { plan_id: plan.id, customer_token: customer.token, test_card: TEST_CARDS.failsRenewals }
    const own = await signUp(shop, wish)
    await advanceTo(service, own.period_end)
    assert.equal(await statusOf(shop, own), 'past_due')
    const other = await aCustomer(shop, { first_name: 'Max', last_name: 'Ode', email: 'max@club.example' })
    await signUp(shop, { plan_id: plan.id, customer_token: other.token, paid: true })
    const { page, complaints } = await openAdmin(shop, 'de-DE')
    await page.getByRole('link', { name: '1 Abo im Verzug' }).click()
    await page.waitForURL('**/memberships/subscriptions?state=past_due')
    await page.getByText('1 von 1 Abo').waitFor()
    await page.getByRole('link', { name: customer.email }).waitFor()
    assert.equal(await page.getByRole('link', { name: 'max@club.example' }).count(), 0)
    await page.getByRole('button', { name: 'Filter „Stand“ entfernen' }).click()
    await page.getByRole('link', { name: 'max@club.example' }).waitFor()
    await inspect(page, 'subscriptions')
    const download = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Als CSV exportieren' }).click()
    assert.match(await readFile(await (await download).path(), 'utf8'), /max@club\.example/)
    await page.getByRole('searchbox', { name: 'Name oder E-Mail' }).fill('max@')
    await page.getByRole('link', { name: customer.email }).waitFor({ state: 'detached' })
    await page.getByText('1 von 1 Abo').waitFor()
    await page.getByRole('searchbox', { name: 'Name oder E-Mail' }).fill('')
    await page.getByRole('link', { name: customer.email }).click()
    await page.getByText('7,90 € konnten nicht abgebucht werden: die Karte wurde abgelehnt.').waitFor()
    await page.getByText('Eine Abbuchung schlug fehl: die Karte wurde abgelehnt.').waitFor()
    await inspect(page, 'subscription-past-due')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('max@club')
    await page.getByRole('option', { name: /max@club\.example.*Aktiv/ }).click()
    await page.getByRole('heading', { name: 'max@club.example' }).waitFor()
    assert.deepEqual(complaints, [])
  })

  test('says in the settings when failed charges are tried again', async () => {
    const shop = await service.openShop()
    const { page, complaints } = await openAdmin(shop)
    await openSettings(page, 'Subscriptions')
    const retries = page.getByLabel('A failed charge is tried again after, in days')
    await page.waitForFunction('document.querySelector(\'input[value="1, 3, 5, 7"]\') !== null')
    await retries.fill('2, 99')
    await page.getByLabel('Bills are sent ahead, in days').fill('0')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.locator('.hint.wrong').nth(1).waitFor()
    await inspect(page, 'settings-subscriptions')
    await retries.fill('2, 9')
    await page.getByLabel('Bills are sent ahead, in days').fill('21')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('The settings are saved.').waitFor()
    const { retry_days, bill_days } = await service.db
      .selectFrom('subscription_settings')
      .select(['retry_days', 'bill_days'])
      .where('company_id', '=', shop.companyId)
      .executeTakeFirstOrThrow()
    assert.deepEqual([retry_days, bill_days], [[2, 9], 21])
    assert.deepEqual(
      complaints.filter((each) => !/409|422/.test(each)),
      [],
    )
  })

  test('those who may not account see subscriptions and change nothing', async () => {
    const { shop, plan, customer } = await aClub(service)
    const own = await signUp(shop, { plan_id: plan.id, customer_token: customer.token, paid: true })
    const member = await aMember(service, shop)
    const permissions = { web_access: 1, accounting: 0 }
    assert.equal((await shop.put(`/api/users/${member.id}.json`, { user: { permissions } })).status, 200)
    const { page } = await openAdmin(await service.openShop())
    await page.context().clearCookies()
    await page.goto('/sign-in')
    await signIn(page, member)
    await page.waitForURL('**/admin')
    await page.goto('/admin/memberships/subscriptions')
    await page.getByRole('link', { name: customer.email }).click()
    await page.getByText('The membership began.').waitFor()
    for (const name of ['Cancel', 'Extend', 'Change plan', 'Sign up customer'])
      assert.equal(await page.getByRole('button', { name }).count(), 0, name)
    assert.equal(await statusOf(shop, own), 'active')
  })
})
