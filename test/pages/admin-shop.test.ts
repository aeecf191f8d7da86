import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import sharp from 'sharp'
import { aCategory, type Wire } from '../factories.ts'
import { useService } from '../harness.ts'
import { aFilm } from '../orders.ts'
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
    const logo = await sharp({ create: { width: 200, height: 200, channels: 3, background: 'teal' } })
      .png()
      .toBuffer()
    await page
      .locator('.picture-field input[type=file]')
      .setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: logo })
    await page.getByRole('button', { name: 'Remove', exact: true }).waitFor()
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
    const front = (await visit(service.url).get(`/shop/${id}`)).text
    assert.match(front, /Kino Nord/)
    const [, icon = ''] = /<a class="brand"[^>]*><img src="([^"]+)"/.exec(front) ?? []
    assert.equal((await service.call('GET', icon)).status, 200)
    assert.deepEqual(complaints, [])
  })

  test('is arranged by its owner, who sees it before it is saved', async () => {
    const shop = await service.openShop()
    const { id } = await readShop(shop)
    const films = await aCategory(shop, { title: 'Films', enabled: true, position: 0 })
    const music = await aCategory(shop, { title: 'Music', enabled: true, position: 1 })
    await aFilm(service, shop, 0, { title: 'Salt House', categories: [{ category_id: films.id }] })
    await aFilm(service, shop, 0, { title: 'Low Tide', categories: [{ category_id: music.id }] })
    const { page, complaints } = await openAdmin(shop)
    await page.goto('/admin/shop?part=home')
    const sections = page.getByRole('region', { name: 'Home page' })
    await sections.getByRole('button', { name: 'Arrange it yourself' }).click()
    await sections.getByRole('button', { name: 'Move Music, 3 of 3' }).focus()
    await page.keyboard.press('ArrowUp')
    await sections.getByText('Music is now 2 of 3.').waitFor()
    // The keyboard stays with what it moves, so that it can be moved on.
    await page.keyboard.press('ArrowUp')
    await sections.getByText('Music is now 1 of 3.').waitFor()
    await page.keyboard.press('ArrowDown')
    await sections.getByText('Music is now 2 of 3.').waitFor()
    const middleOf = async (name: string) => {
      const box = await sections.getByRole('button', { name }).boundingBox()
      return [(box?.x ?? 0) + (box?.width ?? 0) / 2, (box?.y ?? 0) + (box?.height ?? 0) / 2] as const
    }
    const [start, end] = [await middleOf('Move Large picture, 1 of 3'), await middleOf('Move Films, 3 of 3')]
    await page.mouse.move(...start)
    await page.mouse.down()
    await page.mouse.move(...(await middleOf('Move Music, 2 of 3')), { steps: 4 })
    await page.mouse.move(...end, { steps: 4 })
    await page.mouse.up()
    await sections.getByText('Large picture is now 3 of 3.').waitFor()
    // A hand is not as steady as that.
    await page.mouse.move(...end)
    await page.mouse.down()
    await page.mouse.move(start[0] + 200, start[1], { steps: 8 })
    await page.mouse.up()
    await sections.getByText('Large picture is now 1 of 3.').waitFor()
    await sections.getByRole('button', { name: 'Move Large picture, 1 of 3' }).focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowUp')
    await sections.getByText('Large picture is now 1 of 3.').waitFor()
    await sections.getByLabel('Add a section').selectOption('Chosen by hand')
    await sections.getByLabel('Title, English').fill('Our favourites')
    await sections.getByLabel('Choose a product').fill('Salt')
    await sections.getByRole('button', { name: 'Salt House' }).click()
    const menu = page.getByRole('region', { name: 'Menu' })
    await menu.getByRole('button', { name: 'Arrange it yourself' }).click()
    await menu.getByLabel('Add a link').selectOption('Link to an address')
    await menu.getByLabel('Title, English').fill('Blog')
    await menu.getByLabel('Address', { exact: true }).fill('https://blog.example.com/')
    // No script runs in the frame, so its page is read as any browser gets it.
    let shown = ''
    while (!shown.includes('Blog')) {
      await page.waitForTimeout(100)
      const address = await page.locator('.preview iframe').getAttribute('src')
      shown = (await visit(service.url).get(address ?? '')).text
    }
    assert.match(shown, /Our favourites/)
    assert.equal((await readShop(shop)).home_sections, null, 'nothing is saved yet')
    await inspect(page, 'shop-home')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('The shop is saved.').waitFor()
    const { home_sections, menu: saved } = await readShop(shop)
    assert.deepEqual(
      home_sections.map((section: Wire) => [section.kind, section.category_id, section.product_ids.length]),
      [
        ['hero', null, 0],
        ['category', music.id, 0],
        ['category', films.id, 0],
        ['products', null, 1],
      ],
    )
    assert.deepEqual(
      saved.map((entry: Wire) => entry.category_id ?? entry.url),
      [films.id, music.id, 'https://blog.example.com/'],
    )
    const headings = (await visit(service.url).get(`/shop/${id}`)).text.matchAll(/<h2 id="shelf-\d+">([^<]+)/g)
    assert.deepEqual(
      [...headings].map(([, title]) => title),
      ['Music', 'Films', 'Our favourites'],
    )
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
