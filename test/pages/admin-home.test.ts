import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { ownerPage } from '../admin.ts'
import { proveDomains } from '../domains.ts'
import { aProduct } from '../factories.ts'
import { useService } from '../harness.ts'
import { useMailServer } from '../mail-server.ts'
import { nameShop } from '../mails.ts'
import { aBuyer, aFilm, anOrder, setCompany, someGoods } from '../orders.ts'
import { offer } from '../payments.ts'
import { inspect, useAdmin } from './admin-pages.ts'

const mails = useMailServer()
const service = useService({ smtpUrl: mails.listening })
const openAdmin = useAdmin(service)

describe('Home of the admin interface', () => {
  test('leads a new owner from step to step, and puts the list away when all is done', async () => {
    const shop = await service.openShop()
    const { page, complaints } = await openAdmin(shop)
    const ready = page.getByRole('region', { name: 'Get ready to sell' })
    await ready.getByText('1 of 7 done').waitFor()
    await ready.getByText('Still missing: street, postal code, city and VAT ID').waitFor()
    await page.getByText('No sales yet').waitFor()
    await page.getByText('No orders yet').first().waitFor()
    await page.getByText('Nothing is waiting for you.').waitFor()
    await inspect(page, 'home-new')

    await ready.getByRole('link', { name: 'New product' }).click()
    await page.waitForURL('**/admin/products/new')
    const draft = await aProduct(shop, { title: 'Polar Night', published: false })
    await page.goto('/admin')
    await ready.getByText('“Polar Night” still lacks: being shown, a price and its file.').waitFor()
    await ready.getByRole('link', { name: 'Complete it' }).click()
    await page.waitForURL(`**/admin/products/${draft.id}`)
    await page.goto('/admin')
    await ready.getByRole('link', { name: 'Set up payments' }).click()
    await page.waitForURL('**/admin/settings/payments')
    await page.goBack()
    await ready.getByRole('link', { name: 'Write them' }).click()
    await page.waitForURL('**/admin/shop?part=pages')
    await page.goBack()
    await ready.getByRole('link', { name: 'Choose a domain' }).click()
    await page.waitForURL('**/admin/shop?part=domain')

    const film = await aFilm(service, shop, 1190, { title: 'Salt House' })
    await offer(service, shop, { manual: { enabled: true, instructions: 'IBAN DE02' } })
    const address = { street: 'Am Markt 2', zip: '20095', city: 'Hamburg' }
    await shop.put(`/api/companies/${shop.companyId}.json`, { company: address })
    const owner = await ownerPage(service, shop)
    await owner.put('/invoice_settings.json', { invoice_settings: { vat_id: 'DE136695976' } })
    await nameShop(shop, [{ language_id: 'en', imprint: 'I', terms: 'T', withdrawal: 'W', privacy: 'P' }])
    const [setting] = (await shop.get('/api/themesettings.json')).body.ThemeSettings
    const domain = `shop${shop.companyId}.example.com`
    await shop.put(`/api/themesettings/${setting.id}.json`, { ThemeSetting: { shop_domain: domain } })
    await page.goto('/admin')
    await ready.getByText(`_licet.${domain} TXT licet-company=${shop.companyId}`).waitFor()
    assert.equal(await ready.getByRole('link', { name: 'Open the shop' }).getAttribute('href'), `/shop/${setting.id}`)
    await inspect(page, 'home-nearly-ready')
    await proveDomains(service, shop, domain)
    await anOrder(shop, await aBuyer(shop), [film])
    await page.goto('/admin')
    const done = page.getByRole('region', { name: 'Your shop is ready to sell' })
    await done.getByText('7 of 7 done').waitFor()
    await done.getByText(/^7 done: company data/).click()
    await done.getByText(domain).waitFor()
    await done.getByRole('button', { name: 'Put away' }).click()
    await done.waitFor({ state: 'detached' })
    await page.reload()
    await page.getByRole('heading', { name: 'Latest orders' }).waitFor()
    await page.waitForLoadState('networkidle')
    assert.equal(await done.count(), 0)
    assert.deepEqual(complaints, [])
  })

  test('compares today with the same weekday, and shows each day to whoever cannot see the chart', async () => {
    let shop = await service.openShop()
    const film = await aFilm(service, shop, 1000, { title: 'Salt House' })
    const buyer = await aBuyer(shop, 'DE', { first_name: 'Ines', last_name: 'Brandt' })
    await anOrder(shop, buyer, [{ ...film, quantity: 2, license_id: undefined }])
    service.clock.advance(7 * 86_400)
    shop = await shop.asUser(shop.userId)
    await anOrder(shop, buyer, [{ ...film, quantity: 3, license_id: undefined }])
    const { page, complaints } = await openAdmin(shop)
    const figures = page.getByRole('region', { name: 'How it is going' })
    await figures.getByText('€30.00').first().waitFor()
    await figures.getByText('from €20.00').waitFor()
    await figures.getByText('50%').waitFor()
    await page.getByText(/until now, against all of last \w+day$/).waitFor()
    const chart = figures.getByRole('list', { name: /last 7 days/ })
    assert.equal(await chart.getByRole('listitem').count(), 7)
    await chart.getByText(/: €30\.00 from 1 order, 0 visits\. €20\.00 before\./).waitFor()
    await page.getByLabel('30 days').check()
    await page.getByText(/against the 30 days before$/).waitFor()
    assert.equal(await figures.getByRole('listitem').count(), 30)
    await figures.getByText('€50.00').first().waitFor()
    await inspect(page, 'home-sold')
    assert.deepEqual(complaints, [])
  })

  test('leads from what needs attention to exactly that, and says what just happened', async () => {
    const shop = await service.openShop()
    const mug = await someGoods(service, shop, 5, { title: 'Ferry mug' })
    await setCompany(service, shop, { inventory_management_active: true, warn_at_stock_level_below: 5 })
    await anOrder(shop, await aBuyer(shop, 'DE', { first_name: 'Ines', last_name: 'Brandt' }), [
      { ...mug, quantity: 2, license_id: undefined },
    ])
    await aProduct(shop, { title: 'Polar Night', published: true })
    await aProduct(shop, { title: 'Harbour', published: true })
    const owner = await ownerPage(service, shop)
    await owner.put('/company.json', { company: { tax_options: 1 } })
    const { page, complaints } = await openAdmin(shop)
    const attention = page.getByRole('region', { name: 'Needs attention' })
    await attention.getByRole('link').first().waitFor()
    assert.deepEqual(await attention.getByRole('link').allTextContents(), [
      '2 products cannot be bought',
      '1 order to ship',
      'Few pieces of a product are left',
    ])
    await page
      .getByRole('region', { name: 'Just happened' })
      .getByText(/Company changed/)
      .waitFor()
    await inspect(page, 'home-attention')
    await attention.getByRole('link', { name: '2 products cannot be bought' }).click()
    await page.waitForURL('**/admin/products?view=not_buyable')
    await page.getByText('2 of 2 products').waitFor()
    await page.goBack()
    await attention.getByRole('link', { name: 'Few pieces of a product are left' }).click()
    await page.waitForURL(`**/admin/products/${mug.id}`)
    await page.goto('/admin/products?view=low_stock')
    await page.getByRole('link', { name: 'Ferry mug' }).waitFor()
    await page.goBack()
    assert.deepEqual(complaints, [])
  })

  test('speaks German, with the words of a user who may not see the figures', async () => {
    const shop = await service.openShop()
    const { page } = await openAdmin(shop, 'de-DE')
    await page.getByRole('heading', { name: 'Bereit zum Verkaufen' }).waitFor()
    await page.getByText('Es fehlt noch: Straße, Postleitzahl, Ort und USt-ID.').waitFor()
    await inspect(page, 'home-de')
    await service.db
      .updateTable('users')
      .set({ permissions: sql`permissions || '{"accounting": 0, "create_users": 0}'::jsonb` })
      .where('id', '=', shop.userId)
      .execute()
    await page.reload()
    await page.getByRole('heading', { name: 'Neueste Bestellungen' }).waitFor()
    for (const name of ['Wie es läuft', 'Bereit zum Verkaufen', 'Gerade passiert'])
      assert.equal(await page.getByRole('region', { name }).count(), 0, name)
  })
})
