import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { nowInSeconds } from '#platform/clock.ts'
import { listOffers } from '#selling/payments/queries.ts'
import { ownerPage } from '../admin.ts'
import { aPrice } from '../factories.ts'
import { useService } from '../harness.ts'
import { aBuyer, aFilm, anOrder, readOrder, someGoods } from '../orders.ts'
import { offer, placeToPay } from '../payments.ts'
import { STRIPE_KEY, useStripe } from '../stripe.ts'
import { inspect, inspectDialog, openSettings, useAdmin } from './admin-pages.ts'

const stripe = useStripe(() => service.clock.now())
const service = useService({ serviceUrls: () => ({ gateways: { stripe: stripe.url }, vies: '' }) })
const openAdmin = useAdmin(service)

/** A shop in which Ines Brandt has bought a film and two mugs. */
async function aShop() {
  const shop = await service.openShop()
  const [film, mug] = [
    await aFilm(service, shop, 1190, { title: 'Salt House' }),
    await someGoods(service, shop, 5, { title: 'Ferry mug' }),
  ]
  const buyer = await aBuyer(shop, 'DE', { first_name: 'Ines', last_name: 'Brandt' })
  const order = await anOrder(shop, buyer, [film, { ...mug, quantity: 2, license_id: undefined }])
  return { shop, film, mug, buyer, order }
}

describe('the admin interface', () => {
  test('shows an owner the orders, ships and refunds one, and says why a customer is refused', async () => {
    const { shop, film, buyer, order } = await aShop()
    const received_at = nowInSeconds(service.clock)
    const declared = { goods: 'Both mugs', reason: 'Too small', email: buyer.email, received_at }
    await service.db
      .insertInto('withdrawals')
      .values({ company_id: shop.companyId, order_id: order.id, ...declared })
      .execute()
    const { page, complaints } = await openAdmin(shop)
    await page.getByRole('link', { name: 'Ines Brandt' }).waitFor()
    await page.getByRole('link', { name: '1 order to ship' }).waitFor()
    await inspect(page, 'home')

    await page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name: 'Orders' }).first().click()
    await page.getByRole('searchbox').fill('brandt')
    await page.waitForURL('**/admin/orders?q=brandt')
    await page.getByRole('cell', { name: order.name, exact: true }).waitFor()
    await inspect(page, 'orders')
    await page.getByRole('searchbox').fill('nobody')
    await page.getByText('No orders match.').waitFor()
    await page.goBack()
    await page.getByRole('cell', { name: order.name, exact: true }).waitFor()
    assert.equal(await page.getByRole('searchbox').inputValue(), 'brandt')

    await page.getByRole('link', { name: 'Ines Brandt' }).click()
    await page.getByRole('heading', { name: order.name }).waitFor()
    await page.getByRole('button', { name: 'Ship' }).click()
    await page.getByLabel('Tracking number').fill('DHL-77')
    await page.getByRole('button', { name: 'Mark as shipped' }).click()
    await page.getByText(`Order ${order.name} is on its way.`).waitFor()
    assert.equal((await readOrder(shop, order.id)).fulfillment_status, 'fulfilled')

    const withdrawn = page.getByRole('region', { name: 'The customer has withdrawn' })
    await withdrawn.getByText('Reason: Too small').waitFor()
    await withdrawn.getByRole('button', { name: 'Refund' }).click()
    await page.getByLabel(/^Salt House/).check()
    await page.getByLabel('Reason').fill('Bought by mistake')
    await page.getByRole('button', { name: 'Refund €11.90' }).waitFor()
    await inspect(page, 'order')
    await page.getByRole('button', { name: 'Refund €11.90' }).click()
    await page.getByText(`€11.90 of order ${order.name} is refunded.`).waitFor()
    const refunded = await readOrder(shop, order.id)
    assert.deepEqual([refunded.financial_status, refunded.refunds[0].note], ['partially_refunded', 'Bought by mistake'])
    await page.getByText('Partly refunded').waitFor()

    await page.getByRole('link', { name: 'Open' }).click()
    await page.getByRole('heading', { name: 'Ines Brandt' }).waitFor()
    await page.getByRole('button', { name: 'Why?' }).first().click()
    await page.locator('.explanation .refused').first().waitFor()
    assert.equal(await page.getByLabel('What the customer does').inputValue(), 'play')
    await page.getByLabel('What the customer does').selectOption('Download')
    await page.locator('.explanation .refused').first().waitFor()
    await inspect(page, 'customer')
    await page.getByRole('button', { name: 'Disable' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click()
    await page.getByText('Ines Brandt is disabled.').waitFor()
    assert.equal((await shop.get(`/api/customers/${buyer.token}.json`)).body.customer.state, 'disabled')

    await page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name: 'Products' }).first().click()
    await page
      .getByRole('row', { name: /Salt House/ })
      .getByRole('button', { name: 'Hide' })
      .click()
    await page.getByText('“Salt House” is hidden.').waitFor()
    assert.equal((await shop.get(`/api/products/${film.id}.json`)).body.product.published, false)
    await inspect(page, 'products')
    await page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name: 'Customers' }).first().click()
    await page.getByRole('link', { name: 'Ines Brandt' }).waitFor()
    await inspect(page, 'customers')
    assert.deepEqual(complaints, [])
  })

  test('speaks German, and opens at any of its addresses', async () => {
    const { shop, order } = await aShop()
    const { page, complaints } = await openAdmin(shop, 'de-AT')
    await page.goto(`/admin/orders/${order.id}`)
    await page.getByRole('button', { name: 'Erstatten' }).waitFor()
    assert.equal(await page.locator('html').getAttribute('lang'), 'de')
    await page.getByText('€ 11,90').first().waitFor()
    await inspect(page, 'order-de')
    await page.goto('/admin/nowhere')
    await page.getByRole('heading', { name: 'Diese Seite gibt es nicht' }).waitFor()
    assert.deepEqual(complaints, [])
  })

  test('exports the orders of a view, sends a confirmation again, keeps a note, and erases a customer', async () => {
    const { shop, order, buyer } = await aShop()
    const { page, complaints } = await openAdmin(shop)
    await page.goto('/admin/orders?view=to_ship')
    await page.getByRole('cell', { name: order.name, exact: true }).waitFor()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Export CSV' }).click(),
    ])
    assert.match(await readFile(await file.path(), 'utf8'), new RegExp(`^id,number,[^]*\\n${order.id},${order.name},`))
    await page.goto(`/admin/orders/${order.id}`)
    await page.getByRole('button', { name: 'Send confirmation again' }).click()
    await page.getByText(`The confirmation goes to ${buyer.email} again.`).waitFor()
    await page.goto(`/admin/customers/${buyer.token}`)
    await page.getByLabel('Only you and your colleagues see it').fill('Likes ferries.')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The note is saved.').waitFor()
    assert.equal((await shop.get(`/api/customers/${buyer.token}.json`)).body.customer.note, 'Likes ferries.')
    await page.getByRole('button', { name: 'Erase' }).click()
    await inspectDialog(page)
    await page.getByRole('dialog').getByRole('button', { name: 'Erase' }).click()
    await page.getByText('Ines Brandt is erased.').waitFor()
    assert.equal((await shop.get(`/api/customers/${buyer.token}.json`)).status, 404)
    assert.deepEqual(complaints, [])
  })

  test('pages by key through a long list, and back', async () => {
    const { shop, film, buyer } = await aShop()
    for (let each = 0; each < 55; each += 1) await anOrder(shop, buyer, [film])
    const { page } = await openAdmin(shop)
    await page.goto('/admin/orders')
    const names = () => page.locator('tbody tr td:nth-child(2)').allTextContents()
    await page.getByText('50 of 56 orders').waitFor()
    const first = await names()
    await page.getByRole('button', { name: 'Older' }).click()
    await page.getByText('6 of 56 orders').waitFor()
    const rest = await names()
    assert.equal(new Set([...first, ...rest]).size, 56)
    assert.ok(await page.getByRole('button', { name: 'Older' }).isDisabled())
    await page.getByRole('button', { name: 'Newer' }).click()
    await page.getByText('50 of 56 orders').waitFor()
    assert.deepEqual(await names(), first)
    assert.ok(await page.getByRole('button', { name: 'Newer' }).isDisabled())
    // What a customer owns is as long.
    await page.goto(`/admin/customers/${buyer.token}`)
    const owned = page.getByRole('region', { name: 'What the customer owns' })
    const entries = owned.getByRole('listitem')
    await entries.nth(19).waitFor()
    await owned.getByRole('button', { name: 'Older' }).click()
    await owned.locator('button:enabled', { hasText: 'Newer' }).waitFor()
    await owned.getByRole('button', { name: 'Older' }).click()
    await entries.nth(16).waitFor({ state: 'detached' })
    await entries.nth(15).waitFor()
    assert.ok(await owned.getByRole('button', { name: 'Older' }).isDisabled())
  })

  test('shows nothing that the permissions of a user forbid', async () => {
    const { shop, order, film, buyer } = await aShop()
    const { page, complaints } = await openAdmin(shop)
    const none = { accounting: 0, request_products: 0, unlock: 0 }
    await service.db
      .updateTable('users')
      .set({ permissions: sql`permissions || ${JSON.stringify(none)}::jsonb` })
      .where('id', '=', shop.userId)
      .execute()
    await page.goto(`/admin/orders/${order.id}`)
    await page.getByRole('button', { name: 'Ship' }).waitFor()
    for (const name of ['Refund', 'Cancel order']) assert.equal(await page.getByRole('button', { name }).count(), 0)
    await page.goto(`/admin/customers/${buyer.token}`)
    await page.getByRole('button', { name: 'Why?' }).waitFor()
    for (const name of ['Disable', 'Take back']) assert.equal(await page.getByRole('button', { name }).count(), 0)
    await page.goto(`/admin/products/${film.id}`)
    assert.ok(await page.getByLabel('Title', { exact: true }).isDisabled())
    await page.goto('/admin')
    await page.getByRole('link', { name: 'Ines Brandt' }).waitFor()
    assert.equal(await page.getByText('Revenue').count(), 0)
    assert.deepEqual(complaints, [])
  })

  test('finds orders, products, customers and places by a few letters, with the keyboard alone', async () => {
    const { shop, order, film } = await aShop()
    const price = await aPrice(service, shop, { title: 'Matinee' })
    const { page, complaints } = await openAdmin(shop)
    await page.getByRole('button', { name: 'Find anything' }).waitFor()
    await page.keyboard.press('Control+k')
    const finder = page.getByRole('dialog', { name: 'Find anything' })
    await finder.getByRole('combobox').fill('brandt')
    await finder.getByRole('option', { name: new RegExp(`${order.name} Ines Brandt`) }).waitFor()
    await finder.getByRole('group', { name: 'Customers' }).getByRole('option').waitFor()
    await inspect(page, 'finder')
    await finder.getByRole('combobox').fill('salt')
    await finder.getByRole('option', { name: /Salt House/, selected: true }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/admin/products/${film.id}`)
    await page.keyboard.press('Control+k')
    await finder.getByRole('combobox').fill('mati')
    await finder.getByRole('option', { name: /Matinee/, selected: true }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/admin/licenses/prices/${price.id}`)
    await page.keyboard.press('Control+k')
    await finder.getByRole('combobox').fill('create ord')
    await finder.getByRole('option', { name: /Create order/, selected: true }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/admin/orders/new')
    await page.keyboard.press('Control+k')
    await finder.getByRole('combobox').fill('pay')
    await finder.getByRole('option', { name: 'Payments', selected: true }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/admin/settings/payments')
    await page.locator('main').focus()
    await page.keyboard.press('Shift+?')
    await page.getByRole('dialog', { name: 'Keys' }).getByText('Search the list').waitFor()
    await inspectDialog(page)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog', { name: 'Keys' }).waitFor({ state: 'detached' })
    await page.goto('/admin/orders')
    await page.getByRole('cell', { name: order.name, exact: true }).waitFor()
    await page.keyboard.press('/')
    assert.equal(await page.locator(':focus').getAttribute('type'), 'search')
    assert.deepEqual(complaints, [])
  })

  test('leads whoever has been signed out to the sign-in, and back to the same place', async () => {
    const { shop, order } = await aShop()
    const { page } = await openAdmin(shop)
    await page.goto('/admin/orders')
    await page.getByRole('link', { name: 'Ines Brandt' }).waitFor()
    await page.context().clearCookies()
    await page.getByRole('link', { name: 'Ines Brandt' }).click()
    await page.waitForURL(`**/sign-in?told=ended&return_to=${encodeURIComponent(`/admin/orders/${order.id}`)}`)
  })
})

describe('payments', () => {
  test('are switched on by an owner: bank transfer with its text, Stripe by its key, which Stripe has to take', async () => {
    const shop = await service.openShop()
    const { page, complaints } = await openAdmin(shop)
    await openSettings(page, 'Payments')
    await page.getByText('No way to pay is on yet').waitFor()
    const bank = page.getByRole('region', { name: 'Bank transfer' })
    assert.equal(await bank.getByRole('switch').count(), 0)
    await bank.getByLabel('What customers have to do').fill('IBAN DE02 1203 0000 0000 2020 51')
    await bank.getByLabel(/^Hours that a bill/).fill('72')
    await bank.getByRole('button', { name: 'Turn on bank transfer' }).click()
    await page.getByText('Customers can pay by bank transfer.').waitFor()
    assert.deepEqual(
      (await listOffers(service.db, shop.companyId)).map(({ name, instructions }) => [name, instructions]),
      [['Manual', 'IBAN DE02 1203 0000 0000 2020 51']],
    )

    const settings = await ownerPage(service, shop)
    const { manual } = (await settings.get('/payment_settings.json')).body.payment_settings
    assert.equal(manual.guest_bill_hours, 72)

    const cards = page.getByRole('region', { name: /by Stripe$/ })
    await cards.getByLabel('Secret key').fill('sk_live_wrong')
    await cards.getByRole('button', { name: 'Check and connect' }).click()
    await cards.getByText('Invalid API Key provided').waitFor()
    assert.equal(await cards.getByLabel('Secret key').inputValue(), 'sk_live_wrong')
    await cards.getByLabel('Secret key').fill(STRIPE_KEY)
    await cards.getByRole('button', { name: 'Check and connect' }).click()
    await page.getByText('Connected to Kino Nord at Stripe.').waitFor()
    await cards.getByText('payments are noticed up to ten minutes late').waitFor()
    await inspect(page, 'payments')
    await cards.getByRole('switch').click()
    await page.getByText('Stripe is off.').waitFor()
    await cards.getByRole('button', { name: 'Disconnect' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click()
    await page.getByText('Stripe is disconnected.').waitFor()
    assert.equal(await cards.getByText('Connected with the key').count(), 0)
    // The browser tells of every answer that is an error.
    assert.deepEqual(
      complaints.filter((complaint) => !/status of 422/.test(complaint)),
      [],
    )
    await page.close()
  })

  test('that need a look are found from Home, say what to do, and are done with on their order', async () => {
    const { shop, film, buyer } = await aShop()
    await offer(service, shop, { test: { enabled: true } })
    const { orderId, payment } = await placeToPay(service, shop, buyer, [film], 'Test')
    await service.db
      .updateTable('payments')
      .set({ flags: ['refund_failed', 'disputed'] })
      .where('id', '=', payment.id)
      .execute()
    const { page, complaints } = await openAdmin(shop)
    await page.getByRole('link', { name: 'A payment needs a look' }).click()
    const card = page.getByRole('region', { name: 'Payments that need a look' })
    await card.getByText('Disputed', { exact: true }).waitFor()
    await inspect(page, 'payments-flagged')
    await card.getByRole('link', { name: `#${orderId}` }).click()
    await page.getByRole('heading', { level: 1, name: `#${orderId}` }).waitFor()
    await card.getByText(/disputed the charge at their bank/).waitFor()
    const asked = page.waitForRequest((request) => request.url().endsWith(`/orders/${orderId}/retry_refunds.json`))
    await card.getByRole('button', { name: 'Try the refund again' }).click()
    await asked
    await card.getByRole('button', { name: 'Done' }).click()
    await card.waitFor({ state: 'detached' })
    assert.equal((await shop.get('/api/payments/count.json?flagged=true')).body.count, 0)
    assert.deepEqual(
      complaints.filter((complaint) => !/status of 4/.test(complaint)),
      [],
    )
    await page.close()
  })
})
