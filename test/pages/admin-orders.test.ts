import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, test } from 'node:test'
import { aLicense, aPrice, aProduct, type Wire } from '../factories.ts'
import { type Shop, useService } from '../harness.ts'
import { aBuyer, aFilm, anOrder, aShippingMethod, readOrder, someGoods } from '../orders.ts'
import { offer } from '../payments.ts'
import { refund as giveBack } from '../sales.ts'
import { inspect, inspectDialog, useAdmin } from './admin-pages.ts'

const service = useService()
const openAdmin = useAdmin(service)

const RENTAL = {
  name: 'Rent',
  drm: 1,
  expire_after_acquisition: 2,
  expire_after_acquisition_mode: 1,
  total_downloads: 3,
}

/** A film to rent for two days. */
async function aRental(shop: Shop, title: string) {
  const [license, price] = [
    await aLicense(service, shop, RENTAL),
    await aPrice(service, shop, { currencies: [{ currency: 'eur', price: 499 }] }),
  ]
  const bindings = [{ license_id: license.id, price_id: price.id }]
  return aProduct(shop, { title, published: true, price_license_binding: bindings })
}

async function aShop() {
  const shop = await service.openShop()
  await offer(service, shop, { manual: { enabled: true, instructions: 'IBAN DE02 1203 0000 0000 2020 51' } })
  const film = await aFilm(service, shop, 1190, { title: 'Salt House' })
  const mug = await someGoods(service, shop, 9, { title: 'Ferry mug' })
  const [ines, tom] = [
    await aBuyer(shop, 'DE', { first_name: 'Ines', last_name: 'Brandt' }),
    await aBuyer(shop, 'DE', { first_name: 'Tom', last_name: 'Wrona' }),
  ]
  return { shop, film, mug, ines, tom }
}

describe('orders in the admin interface', () => {
  test('are shipped, exported and refunded together, and one that fails does not stop the rest', async () => {
    const { shop, film, mug, ines, tom } = await aShop()
    const [first, digital, second] = [
      await anOrder(shop, ines, [mug]),
      await anOrder(shop, ines, [film]),
      await anOrder(shop, tom, [mug]),
    ]
    const { page, complaints } = await openAdmin(shop)
    await page.goto('/admin/orders')
    await page.getByLabel('Select all orders on this page').check()
    const bar = page.getByRole('region', { name: 'Selected orders' })
    await bar.getByText('3 orders selected').waitFor()
    await inspect(page, 'orders-chosen')
    const slips = await bar.getByRole('link', { name: 'Packing slips' }).getAttribute('href')
    assert.equal(slips, `/admin/api/fulfillments/${second.id},${first.id}/packing_slip.pdf`)
    await bar.getByRole('button', { name: 'Ship' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Mark as shipped' }).click()
    await page.getByText('2 orders are on their way.').waitFor()
    await page.getByText(`${digital.name}: There is nothing to ship.`).waitFor()
    for (const { id } of [first, second]) assert.equal((await readOrder(shop, id)).fulfillment_status, 'fulfilled')

    await page.getByLabel(`Select order ${first.name}`).check()
    const [file] = await Promise.all([page.waitForEvent('download'), bar.getByRole('link', { name: 'Export' }).click()])
    const csv = await readFile(await file.path(), 'utf8')
    assert.ok(csv.includes(first.name) && !csv.includes(second.name), csv)
    await page.getByLabel(`Select order ${digital.name}`).check()
    await bar.getByRole('button', { name: 'Refund' }).click()
    const dialog = page.getByRole('dialog')
    const refund = dialog.getByRole('button', { name: 'Refund €35.70' })
    await dialog.getByLabel('Reason').fill('Recall')
    await inspectDialog(page)
    assert.ok(await refund.isDisabled())
    await dialog.getByLabel('Type the whole sum: €35.70').fill('35.07')
    assert.ok(await refund.isDisabled())
    await dialog.getByLabel('Type the whole sum: €35.70').fill('35,70')
    await refund.click()
    await page.getByText('2 orders are refunded.').waitFor()
    const statuses = await Promise.all([first, digital, second].map(({ id }) => readOrder(shop, id)))
    assert.deepEqual(
      statuses.map(({ financial_status }) => financial_status),
      ['refunded', 'refunded', 'paid'],
    )
    assert.equal(statuses[0]?.refunds[0].note, 'Recall')
    assert.deepEqual(complaints, [])
    await page.close()
  })

  test('are refunded by line with shipping, by an amount, and to the end, with the tax shown before', async () => {
    const { shop, mug, film, ines } = await aShop()
    const cost = await aPrice(service, shop, { currencies: [{ currency: 'eur', price: 500 }] })
    await aShippingMethod(service, shop, { price_id: cost.id })
    const order = await anOrder(shop, ines, [mug, film])
    const { page, complaints } = await openAdmin(shop)
    await page.goto(`/admin/orders/${order.id}`)
    await page.getByRole('button', { name: 'Refund' }).click()
    const card = page.getByRole('region', { name: 'Refund' })
    await card.getByLabel('Ferry mug').check()
    await card.getByRole('button', { name: 'Refund €23.80' }).waitFor()
    await card.getByLabel(/^Shipping/).check()
    await card.getByRole('button', { name: 'Refund €28.80' }).waitFor()
    await card.getByText('of which tax').waitFor()
    await card.getByText('€4.60').waitFor()
    await card.getByText('You pay the money back yourself, as you got it.').waitFor()
    await inspect(page, 'order-refund')
    await card.getByLabel('Amount in EUR').fill('10,50')
    await card.getByRole('button', { name: 'Refund €10.50' }).waitFor()
    await card.getByLabel('Amount in EUR').fill('99')
    await card.getByRole('alert').waitFor()
    assert.ok(await card.getByRole('button', { name: /^Refund/ }).isDisabled())
    await card.getByLabel('Amount in EUR').fill('23.80')
    await card.getByRole('button', { name: 'Refund €23.80' }).click()
    await page.getByText(`€23.80 of order ${order.name} is refunded.`).waitFor()

    await page.getByRole('button', { name: 'Refund' }).click()
    await card.getByLabel('An amount', { exact: true }).check()
    await card.getByText('For goodwill: the customer keeps everything.').waitFor()
    await card.getByLabel('Amount in EUR').fill('1')
    await card.getByRole('button', { name: 'Refund €1.00' }).click()
    await page.getByText(`€1.00 of order ${order.name} is refunded.`).waitFor()
    const { refunds } = await readOrder(shop, order.id)
    assert.deepEqual(
      refunds.map(({ refund_line_items, transactions }: Wire) => [refund_line_items.length, transactions[0].amount]),
      [
        [1, 2380],
        [0, 100],
      ],
    )
    await page.getByRole('button', { name: 'Refund' }).click()
    await card.getByLabel('Everything that is left').check()
    await card.getByRole('button', { name: 'Refund €15.90' }).click()
    await page.getByText(`€15.90 of order ${order.name} is refunded.`).waitFor()
    assert.equal((await readOrder(shop, order.id)).financial_status, 'refunded')

    // Where the things are given back already, what was paid for shipping is left.
    const other = await anOrder(shop, ines, [mug])
    await giveBack(shop, other.id, { refund_line_items: [{ line_item_id: other.line_items[0].id }] })
    await page.goto(`/admin/orders/${other.id}`)
    await page.getByRole('button', { name: 'Refund' }).click()
    await card.getByLabel(/^Shipping/).waitFor()
    await card.getByRole('button', { name: 'Refund €5.00' }).click()
    await page.getByText(`€5.00 of order ${other.name} is refunded.`).waitFor()
    assert.deepEqual(
      complaints.filter((each) => !each.includes('422')),
      [],
    )
    await page.close()
  })

  test('are filtered by payment, day and product, and each filter can be removed', async () => {
    const { shop, film, mug, ines } = await aShop()
    const [one, other] = [await anOrder(shop, ines, [film]), await anOrder(shop, ines, [mug])]
    const { page, complaints } = await openAdmin(shop)
    await page.goto('/admin/orders')
    await page.getByText('Filter', { exact: true }).click()
    await page.getByLabel('Product', { exact: true }).fill('salt')
    await page.getByRole('button', { name: 'Salt House' }).click()
    await page.waitForURL(`**/admin/orders?product=${film.product_id}`)
    await page.getByRole('cell', { name: other.name, exact: true }).waitFor({ state: 'detached' })
    await page.getByRole('cell', { name: one.name, exact: true }).waitFor()
    await page.getByLabel('Payment', { exact: true }).selectOption('Paid')
    await page.getByText('Payment: Paid').waitFor()
    await inspect(page, 'orders-filtered')
    await page.getByRole('button', { name: 'Remove the filter “Product”' }).click()
    await page.getByRole('cell', { name: other.name, exact: true }).waitFor()
    await page.goto('/admin/orders?to=2001-01-01')
    await page.getByText('No orders match.').waitFor()
    await page.goto('/admin/customers?state=disabled')
    await page.getByText('No customers match.').waitFor()
    await page.getByRole('button', { name: 'Remove the filter “State”' }).click()
    await page.getByRole('link', { name: 'Ines Brandt' }).waitFor()
    assert.deepEqual(complaints, [])
    await page.close()
  })

  test('are made by hand: a bill for somebody new, at the price of the service', async () => {
    const { shop } = await aShop()
    const { page, complaints } = await openAdmin(shop)
    await page.goto('/admin/orders')
    await page.getByRole('link', { name: 'Create order' }).click()
    await page.getByLabel('Who is it for?').fill('nora@example.com')
    await page.getByRole('button', { name: 'New customer: nora@example.com' }).click()
    await page.getByLabel('First name').fill('Nora')
    await page.getByLabel('Product', { exact: true }).fill('ferry')
    await page.getByRole('button', { name: 'Ferry mug' }).click()
    await page
      .getByText(/address/i)
      .first()
      .waitFor()
    const alert = page.getByRole('alert')
    await alert.waitFor()
    await page.getByLabel('Quantity of Ferry mug').fill('2')
    await page.getByLabel('Street and number').fill('Hafen 1')
    await page.getByLabel('Postal code').fill('24103')
    await page.getByLabel('City').fill('Kiel')
    await page.getByLabel('Country').fill('Germany')
    await page.getByText('€47.60').last().waitFor()
    await alert.waitFor({ state: 'detached' })
    await inspect(page, 'order-new')
    await page.getByRole('button', { name: 'Create bill' }).click()
    await page.getByText(/Order #\d+ is created\./).waitFor()
    const { orders } = (await shop.get('/api/orders.json')).body
    const [made] = orders
    assert.deepEqual(
      [made.financial_status, made.total_price, made.customer.first_name, made.shipping_address.city],
      ['pending', 4760, 'Nora', 'Kiel'],
    )
    await page.getByRole('button', { name: 'Mark as paid' }).waitFor()
    // The browser tells of every answer that is an error.
    assert.deepEqual(
      complaints.filter((complaint) => !/status of 422/.test(complaint)),
      [],
    )
    await page.close()
  })

  test('keep notes, and say who did what', async () => {
    const { shop, mug, ines } = await aShop()
    const [order, earlier] = [await anOrder(shop, ines, [mug]), await anOrder(shop, ines, [mug])]
    const { page, complaints } = await openAdmin(shop)
    await page.goto(`/admin/orders/${order.id}`)
    await page.getByRole('link', { name: 'Packing slip' }).waitFor()
    await page.getByRole('region', { name: 'Other orders' }).getByRole('link', { name: earlier.name }).waitFor()
    await page.getByLabel('Write a note for your team').fill('Called: wants it wrapped.')
    await page.getByRole('button', { name: 'Add note' }).click()
    const happened = page.getByRole('region', { name: 'What happened' })
    await happened.getByText('Called: wants it wrapped.').waitFor()
    await page.getByRole('button', { name: 'Ship' }).click()
    await page.getByLabel('Tracking number').fill('DHL-77')
    await page.getByRole('button', { name: 'Mark as shipped' }).click()
    await happened.getByText('DHL-77').waitFor()
    await inspect(page, 'order-happened')
    await happened.getByRole('button', { name: 'Delete this note' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
    await happened.getByText('Called: wants it wrapped.').waitFor({ state: 'detached' })
    assert.deepEqual(complaints, [])
    await page.close()
  })
})

describe('a customer in the admin interface', () => {
  test('is given something, gets more of it, and a way in', async () => {
    const { shop, film, ines } = await aShop()
    const rental = await aRental(shop, 'Polar Night')
    await anOrder(shop, ines, [film])
    const { page, complaints } = await openAdmin(shop)
    await page.goto(`/admin/customers/${ines.token}`)
    await page.getByRole('button', { name: 'Give access' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Product', { exact: true }).fill('polar')
    await dialog.getByRole('button', { name: 'Polar Night' }).click()
    const give = dialog.getByRole('button', { name: 'Give it' })
    assert.ok(await give.isDisabled())
    await dialog.getByLabel('Reason').fill('Won it')
    await give.click()
    await page.getByText('Ines Brandt has “Polar Night” now.').waitFor()
    const right = page.getByRole('listitem').filter({ hasText: rental.title }).filter({ hasText: 'Extend' })
    await right.getByRole('button', { name: 'Extend' }).click()
    await inspectDialog(page)
    await dialog.getByLabel('More time').selectOption('7 days more')
    await dialog.getByLabel('More downloads').fill('2')
    await dialog.getByLabel('Reason').fill('Was ill')
    await dialog.getByRole('button', { name: 'Extend' }).click()
    await page.getByText('“Polar Night” is extended.').waitFor()
    await right.getByText('Left: 5 downloads').waitFor()
    await inspect(page, 'customer-helped')

    await page.getByRole('button', { name: 'Sign-in link' }).click()
    await dialog.getByRole('button', { name: 'Make a link to copy' }).click()
    assert.match(await dialog.getByLabel('Link', { exact: true }).inputValue(), /\/api\/customers\/login\//)
    await dialog.getByRole('button', { name: 'Email the link' }).click()
    await page.getByText(`The link is on its way to ${ines.email}.`).waitFor()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export' }).click(),
    ])
    assert.equal(JSON.parse(await readFile(await file.path(), 'utf8')).customer.email, ines.email)
    assert.deepEqual(complaints, [])
    await page.close()
  })
})
