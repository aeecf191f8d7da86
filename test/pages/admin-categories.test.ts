import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { aCategory, readCategory, type Wire } from '../factories.ts'
import { type Shop, useService } from '../harness.ts'
import { aFilm } from '../orders.ts'
import { visit } from '../visitor.ts'
import { inspect, useAdmin } from './admin-pages.ts'

const service = useService()
const openAdmin = useAdmin(service)

/** The tree as the service has it: `Films(Drama) Music`. */
async function treeOf(shop: Shop): Promise<string> {
  const { categories } = (await shop.get('/api/categories.json')).body
  const below = (parent: number): string =>
    categories
      .filter(({ parent_id }: Wire) => parent_id === parent)
      .sort((one: Wire, other: Wire) => one.position - other.position || one.id - other.id)
      .map(({ id, title }: Wire) => `${title}${below(id) === '' ? '' : `(${below(id)})`}`)
      .join(' ')
  return below(0)
}

/** Waits until the service has the tree that the screen shows. */
async function untilTree(page: Page, shop: Shop, tree: string): Promise<void> {
  for (let tries = 0; (await treeOf(shop)) !== tree && tries < 1000; tries += 1) await page.waitForTimeout(50)
  assert.equal(await treeOf(shop), tree)
}

describe('categories in the admin interface', () => {
  test('are moved with the keyboard alone, and with the mouse', async () => {
    const shop = await service.openShop()
    for (const title of ['Films', 'Drama', 'Music']) await aCategory(shop, { title, enabled: true })
    const { page, complaints } = await openAdmin(shop)
    await page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name: 'Categories' }).click()
    await page.getByRole('button', { name: 'Move Drama' }).focus()
    await page.keyboard.press('ArrowRight')
    await page.getByText('Drama is now number 1 below Films.').waitFor()
    await untilTree(page, shop, 'Films(Drama) Music')
    await page.getByRole('button', { name: 'Move Music' }).focus()
    await page.keyboard.press('ArrowUp')
    await page.getByText('Music is now number 1 at the top.').waitFor()
    await untilTree(page, shop, 'Music Films(Drama)')
    // The row has moved, and is still the one that the keyboard moves.
    await page.keyboard.press('ArrowDown')
    // The service may have it before the screen shows it, and the next press is about what the screen shows.
    await page.getByText('Music is now number 2 at the top.').waitFor()
    await untilTree(page, shop, 'Films(Drama) Music')
    await page.keyboard.press('ArrowUp')
    await page.getByText('Music is now number 1 at the top.').waitFor()
    await untilTree(page, shop, 'Music Films(Drama)')
    await page.getByRole('button', { name: 'Move Drama' }).focus()
    await page.keyboard.press('ArrowLeft')
    await untilTree(page, shop, 'Music Films Drama')
    await inspect(page, 'categories')

    const box = async (name: string) => {
      const found = await page.getByRole('button', { name: `Move ${name}` }).boundingBox()
      return found ?? assert.fail(name)
    }
    const [from, to] = [await box('Drama'), await box('Music')]
    await page.mouse.move(from.x + 8, from.y + 8)
    await page.mouse.down()
    await page.mouse.move(to.x + 8, to.y + 4, { steps: 5 })
    await page.mouse.up()
    await untilTree(page, shop, 'Drama Music Films')
    assert.deepEqual(complaints, [])
  })

  test('are made, named in a language, filled and shown in the shop, and deleting says what it means', async () => {
    const shop = await service.openShop()
    const [salt, tide] = [
      await aFilm(service, shop, 999, { title: 'Salt House' }),
      await aFilm(service, shop, 999, { title: 'Low Tide' }),
    ]
    const films = await aCategory(shop, { title: 'Films', enabled: true })
    const { page, complaints } = await openAdmin(shop)
    await page.goto('/admin/categories')
    await page.getByRole('button', { name: 'New category' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Create' }).click()
    await dialog.locator('.hint.wrong').waitFor()
    await dialog.getByLabel('Name').fill('Drama')
    await dialog.getByLabel('Below').selectOption(String(films.id))
    await dialog.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('heading', { level: 1, name: 'Drama' }).waitFor()
    await page.getByText('Below Films').waitFor()
    const id = Number(page.url().split('/').at(-1))

    await page.getByLabel('Add a language').selectOption('de')
    await page.getByLabel('Name (German)').fill('Drama auf Deutsch')
    const picture = await sharp({ create: { width: 300, height: 200, channels: 3, background: 'teal' } })
      .png()
      .toBuffer()
    await page
      .locator('.picture-field input[type=file]')
      .setInputFiles({ name: 'drama.png', mimeType: 'image/png', buffer: picture })
    await page.getByRole('button', { name: 'Remove', exact: true }).waitFor()
    for (const title of ['Salt House', 'Low Tide']) {
      await page.getByLabel('Add a product').fill(title)
      await page.getByRole('button', { name: title }).click()
    }
    await page.getByRole('button', { name: 'Move Low Tide, 2 of 2' }).focus()
    await page.keyboard.press('ArrowUp')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('“Drama” is saved.').waitFor()
    await inspect(page, 'category')
    const saved = await readCategory(shop, id)
    assert.deepEqual(
      saved.entries.map(({ product_id }: Wire) => product_id),
      [tide.product_id, salt.product_id],
    )
    const [german] = saved.locales
    assert.deepEqual([german.language, german.title, german.src !== ''], ['de', 'Drama auf Deutsch', true])
    const link = await page.getByRole('link', { name: 'View in shop' }).getAttribute('href')
    assert.match((await visit(service.url).get(`${link}?lang=de`)).text, /Drama auf Deutsch/)

    // Somebody else is faster, and is not overwritten unnoticed.
    await shop.put(`/api/categories/${id}.json`, { category: { comment: 'Theirs' } })
    await page.getByLabel('Comment').fill('Mine')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText(/Somebody else has changed this/).waitFor()
    await page.getByRole('button', { name: 'Show the other version' }).click()

    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByText(/Its 2 products stay in the shop/).waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByText('“Drama” is deleted.').waitFor()
    assert.equal(await treeOf(shop), 'Films')
    assert.deepEqual(
      complaints.filter((each) => !/422|412/.test(each)),
      [],
    )
  })
})
