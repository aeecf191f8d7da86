import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { nowInSeconds } from '#platform/clock.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { savePosition } from '#rights/entitlements/positions/commands.ts'
import { aCustomer } from '../customers.ts'
import { contentOf } from '../entitlements.ts'
import { type Shop, useService } from '../harness.ts'
import { aBuyer, aFilm, anOrder } from '../orders.ts'
import { aMember } from '../people.ts'
import { refund } from '../sales.ts'
import { aView } from '../statistics.ts'
import { aClub, signUp } from '../subscriptions.ts'
import { inspect, settled, signIn, useAdmin } from './admin-pages.ts'

const service = useService()
const openAdmin = useAdmin(service)
const DAY = 86_400

/** A shop that has sold before and this week, with visits, a refund, and a film that one of two has watched to its end. */
async function aBusyShop(): Promise<Shop> {
  let shop = await service.openShop()
  const [salt, tide] = [
    await aFilm(service, shop, 1499, { title: 'Salt House' }),
    await aFilm(service, shop, 499, { title: 'Low Tide' }),
  ]
  const [ines, paul] = [await aBuyer(shop, 'DE'), await aBuyer(shop, 'CH')]
  await anOrder(shop, ines, [salt])
  service.clock.advance(10 * DAY)
  shop = await shop.asUser(shop.userId)
  service.app.pageViews.add(aView(shop, service.clock.now(), { referrerHost: 'news.example' }))
  await service.app.pageViews.flush()
  await anOrder(shop, ines, [salt, tide], { referring_site: 'https://news.example/', source_name: 'webshop' })
  const returned = await anOrder(shop, paul, [tide])
  await refund(shop, returned.id, { amount: 200, note: 'Picture too dark' })
  for (const [buyer, fraction] of [
    [ines, 0.99],
    [paul, 0.4],
  ] as const) {
    const owned = (await contentOf(shop, buyer)).find(({ title }) => title === 'Low Tide')
    const owner = { companyId: shop.companyId, customerId: buyer.id }
    const place = { entitlement_id: Number(owned?.id), file_id: 1, seconds: 60, place: '', fraction }
    await inTransaction(service.db, (tx) => savePosition(tx, owner, place, nowInSeconds(service.clock)))
  }
  return shop
}

describe('statistics in the admin interface', () => {
  test('an owner sees what sells and what does not, against the time before, and takes the numbers along', async () => {
    const shop = await aBusyShop()
    const { page, complaints } = await openAdmin(shop)
    await page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name: 'Statistics' }).click()
    const figures = page.locator('.figures')
    await figures.getByText('€37.96').waitFor()
    await page.getByRole('radio', { name: '7 days' }).check()
    await page.waitForURL(/range=7_days/)
    await figures.getByText('€22.97').waitFor()
    await figures.getByText('from €14.99').first().waitFor()
    await figures.getByText('€2.00', { exact: true }).waitFor()
    await page.getByRole('region', { name: 'What sells' }).getByText('Salt House').waitFor()
    const watched = page.getByRole('region', { name: 'Watched to the end' })
    await watched.getByText('50%').waitFor()
    await watched.getByText('1 of 2 who started').waitFor()
    await page.getByRole('region', { name: 'Where visitors come from' }).getByText('news.example').waitFor()
    await page.getByRole('region', { name: 'Refunds' }).getByText('Picture too dark').waitFor()
    await inspect(page, 'statistics')

    for (const [name, seen] of [
      ['Visits', 'Visitors'],
      ['Carts left', 'Worth'],
      ['Devices', 'Android'],
      ['Products', 'Sold'],
      ['Use', 'To the end'],
      ['Countries', 'Switzerland'],
    ] as const) {
      await page.getByRole('radio', { name, exact: true }).check()
      const report = page.getByRole('region', { name, exact: true }).last()
      await report.getByText(seen).first().waitFor()
    }
    await page.waitForURL(/report=countries/)
    const download = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Download CSV' }).click()
    const file = await (await download).createReadStream()
    const text = Buffer.concat(await file.toArray()).toString()
    assert.match(text, /^country_code,order_count,order_amount,currency\r\n/)
    assert.match(text, /CH,1,299,eur/)

    await page.getByRole('radio', { name: 'Choose days' }).check()
    const today = service.clock.now().toISOString().slice(0, 10)
    await page.getByLabel('From', { exact: true }).fill(today)
    await page.waitForURL(new RegExp(`from=${today}`))
    await figures.getByText('€22.97').waitFor()
    await page.getByRole('radio', { name: '12 months' }).check()
    await figures.getByText('€37.96').waitFor()
    await settled(page)
    assert.deepEqual(complaints, [])
  })

  test('an owner sees how subscriptions do, day by day', async () => {
    const { shop, plan, customer } = await aClub(service, { trial_days: 7 })
    await signUp(shop, { plan_id: plan.id, customer_token: customer.token, paid: true })
    const other = await aCustomer(shop)
    const own = await signUp(shop, { plan_id: plan.id, customer_token: other.token, paid: true, trial_days: 0 })
    service.clock.advance(DAY)
    assert.equal((await shop.post(`/api/subscriptions/${own.id}/cancel.json?at=now`)).status, 200)
    const { page, complaints } = await openAdmin(shop)
    await page.goto('/admin/statistics?report=subscriptions&range=7_days')
    const report = page.getByRole('region', { name: 'Subscriptions', exact: true }).last()
    const rows = report.getByRole('row')
    await rows.nth(1).getByText('50%').waitFor()
    /** The numbers of a row, without the names that they have on a phone. */
    const numbersOf = async (place: number) => {
      const cells = await rows.nth(place).getByRole('cell').allTextContents()
      return cells.slice(1).map((text) => text.replace(/^\D+/, ''))
    }
    assert.deepEqual(await numbersOf(1), ['1', '0.00', '0', '0', '0', '1', '1', '50%', '0', '0'])
    assert.deepEqual((await numbersOf(2)).slice(0, 4), ['2', '7.90', '2', '1'])
    await report.getByText('Per month, Running').first().waitFor()
    await inspect(page, 'statistics-subscriptions')
    assert.deepEqual(complaints, [])
  })

  test('an accountant sees them in German and nothing else that is set up, and others do not', async () => {
    const shop = await service.openShop()
    const member = await aMember(service, shop)
    const only = { web_access: 1, accounting: 1 }
    const permissions = { request_products: 0, unlock: 0, create_users: 0, ...only }
    await shop.put(`/api/users/${member.id}.json`, { user: { permissions, language: 'de' } })
    const { page } = await openAdmin(await shop.asUser(shop.userId))
    await page.context().clearCookies()
    await page.goto('/sign-in')
    await signIn(page, member)
    await page.waitForURL('**/admin')
    await page.goto('/admin/statistics')
    await page.getByRole('heading', { level: 1, name: 'Statistik' }).waitFor()
    await page.getByText('In diesen Tagen wurde nichts verkauft.').waitFor()
    const menu = page.getByRole('navigation', { name: 'Hauptmenü' }).first()
    assert.equal(await menu.getByRole('link', { name: 'Statistik' }).count(), 1)
    for (const name of ['E-Mails', 'Kategorien', 'Apps und Webhooks'])
      assert.equal(await menu.getByRole('link', { name }).count(), 0, name)
    await inspect(page, 'statistics-empty')
  })
})
