import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Wire } from '../factories.ts'
import { useService } from '../harness.ts'
import { visit } from '../visitor.ts'
import { inspect, useAdmin } from './admin-pages.ts'

const service = useService()
const openAdmin = useAdmin(service)

async function readShop(shop: Wire): Promise<Wire> {
  const [settings] = (await shop.get('/api/themesettings.json')).body.ThemeSettings
  return settings
}

describe('the shop in the admin interface', () => {
  test('is named, coloured and described by its owner, and visitors see it', async () => {
    const shop = await service.openShop()
    const { id } = await readShop(shop)
    const { page, complaints } = await openAdmin(shop)
    await page.getByRole('link', { name: 'Shop', exact: true }).first().click()
    await page.getByLabel('Name of the shop').fill('Kino Nord')
    await page.getByRole('textbox', { name: 'What the shop is about' }).click()
    await page.keyboard.type('Films from the north.')
    await page.getByLabel('Accent colour').fill('#ffcc00')
    // A yellow is too light for text on a light page, so a darker one is used, and the owner is told.
    await page
      .getByText(/We use #[0-9a-f]{6}/)
      .first()
      .waitFor()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('The shop is saved.').waitFor()
    await inspect(page, 'shop-design')
    const saved = await readShop(shop)
    assert.equal(saved.accent_color, '#ffcc00')
    const [english] = saved.locales
    assert.deepEqual([english.shop_name, english.shop_description], ['Kino Nord', '<p>Films from the north.</p>'])
    assert.match((await visit(service.url).get(`/shop/${id}`)).text, /Kino Nord/)
    assert.deepEqual(complaints, [])
  })

  test('gets its legal pages from templates, and keeps markup that the editor does not know', async () => {
    const shop = await service.openShop()
    const { id } = await readShop(shop)
    const table = '<table><tbody><tr><td>Since 1998</td></tr></tbody></table>'
    const locales = [{ language_id: 'en', about: table }]
    assert.equal((await shop.put(`/api/themesettings/${id}.json`, { ThemeSetting: { locales } })).status, 200)
    const { page, complaints } = await openAdmin(shop)
    await page.goto('/admin/shop?part=pages')
    assert.equal(await page.getByLabel('Text of the page “About us”').inputValue(), table)
    const imprint = page.getByRole('region', { name: 'Imprint' })
    await imprint.getByRole('button', { name: 'Start from a template' }).click()
    await imprint.getByText('[Street and number]').waitFor()
    await inspect(page, 'shop-pages')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('The shop is saved.').waitFor()
    const [english] = (await readShop(shop)).locales
    assert.equal(english.about, table)
    assert.match(english.imprint, /<h2>Contact<\/h2><p>Email: \[email address\]<br>/)
    assert.match((await visit(service.url).get(`/shop/${id}/pages/imprint`)).text, /\[Street and number\]/)
    assert.deepEqual(complaints, [])
  })

  test('says which record proves a domain, refuses a bad one at its field, and is closed', async () => {
    const shop = await service.openShop()
    const { id } = await readShop(shop)
    const { page } = await openAdmin(shop)
    await page.goto('/admin/shop?part=domain')
    await page.getByLabel('Domain of your own').fill('not a domain')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.locator('[aria-invalid=true]').waitFor()
    assert.equal(await page.getByLabel('Domain of your own').inputValue(), 'not a domain')
    await page.getByLabel('Domain of your own').fill('shop.example.com')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('_licet.shop.example.com').waitFor()
    await page.getByText('Waiting for DNS').waitFor()
    assert.deepEqual(await page.locator('.tabs [aria-current]').allInnerTexts(), ['Domain'])
    await inspect(page, 'shop-domain')
    await page.getByRole('link', { name: 'Visitors' }).click()
    await page.getByLabel('Close the shop').check()
    await page.getByRole('textbox', { name: 'Message while the shop is closed' }).click()
    await page.keyboard.type('Back in May.')
    await page
      .getByLabel('Sites that may show the shop in a frame')
      .fill('https://www.example.com\nhttps://blog.example.com')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('The shop is saved.').waitFor()
    await inspect(page, 'shop-visitors')
    const closed = await visit(service.url).get(`/shop/${id}`)
    assert.equal(closed.status, 503)
    assert.match(closed.text, /Back in May\./)
    assert.deepEqual((await readShop(shop)).frame_origins, ['https://www.example.com', 'https://blog.example.com'])
  })
})
