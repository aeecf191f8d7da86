import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { usePictureHost, type Wire } from '../factories.ts'
import { useService } from '../harness.ts'
import { aFilm } from '../orders.ts'
import { temporaryFolder } from '../start/program.ts'
import { aProduct, aVideo, sha256, someVideo, tus } from '../uploads.ts'
import { inspect, useAdmin } from './admin-pages.ts'

const service = useService()
const openAdmin = useAdmin(service)
const pictures = usePictureHost()

const SALT_HOUSE = { title: 'Salt House', locales: [{ language_id: 'en', title: 'Salt House' }] }

/** The field for the content of the product, beside that for its pictures. */
const filesField = (page: Page) => page.getByLabel('Choose files', { exact: true })
const picturesField = (page: Page) => page.getByRole('region', { name: 'Pictures' }).locator('input[type=file]')

describe('a product in the admin interface', () => {
  /** A file of so many bytes, as a browser would send it. */
  const aFile = (name: string, size: number) => ({ name, mimeType: 'video/mp4', buffer: aVideo(size) })

  test('is made, described, offered, given its film, and published', async () => {
    const shop = await service.openShop()
    const { page, complaints } = await openAdmin(shop)
    await page.goto('/admin/products')
    await page.getByText('No products yet.').waitFor()
    await page.getByRole('link', { name: 'New product' }).click()
    await page.getByText('Something else').click()
    await page.getByRole('radio', { name: /^Web access/ }).check()
    await inspect(page, 'product-new')
    await page.getByRole('radio', { name: /^Film, HD/ }).check()
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByText(/Title/).first().waitFor()
    await page.getByLabel('Title').fill('Salt House')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('heading', { name: 'Salt House' }).waitFor()

    await page.getByLabel('Description in English').fill('A house, and the sea.')
    await page.getByLabel('Length in minutes').fill('97')
    await page.getByRole('button', { name: 'Add an offer' }).click()
    await page.getByLabel('License', { exact: true }).selectOption({ label: 'Buy' })
    await page.getByLabel('For how many people').fill('3')
    assert.equal(await page.getByLabel('Picture quality').inputValue(), 'hd')
    await page.getByLabel('Amount in EUR').fill('a lot')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Type an amount such as 14.99.').waitFor()
    await page.getByLabel('Amount in EUR').fill('14,99')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('“Salt House” is saved.').waitFor()
    await page.getByText('Unsaved changes').waitFor({ state: 'detached' })

    const film = aFile('salt-house.mp4', 300_000)
    await filesField(page).setInputFiles(film)
    await page.getByText('Ready', { exact: true }).waitFor()
    await page.getByLabel('Show it in the shop').check()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('In the shop').first().waitFor()
    await inspect(page, 'product')

    const [product] = (await shop.get('/api/products.json')).body.products
    assert.deepEqual([product.published, product.runtime, product.product_type], [true, 97 * 60, 9])
    assert.equal(product.locales[0].description, '<p>A house, and the sea.</p>')
    const [{ price_id, num_users }] = product.price_license_binding
    assert.equal(num_users, 3)
    const { price } = (await shop.get(`/api/prices/${price_id}.json`)).body
    assert.deepEqual(price.currencies, [{ currency: 'eur', price: 1499 }])
    const [file] = (await shop.get('/api/files.json')).body.files
    assert.deepEqual([file.role, file.status, file.sha256], ['main_hd', 'ready', sha256(film.buffer)])
    assert.deepEqual(
      complaints.filter((each) => !/422/.test(each)),
      [],
    )
  })

  test('gets a picture, a category, genres and texts for search engines, and is duplicated', async () => {
    const shop = await service.openShop()
    const film = await aFilm(service, shop, 1190, SALT_HOUSE)
    const { category } = (await shop.post('/api/categories.json', { category: { title: 'Dramas' } })).body
    const { page, complaints } = await openAdmin(shop)
    await page.goto(`/admin/products/${film.id}`)
    await page.getByText('Take a picture from an address').click()
    await page.getByLabel('Address of a picture').fill(pictures.url('/cover.png'))
    await page.getByRole('button', { name: 'Add picture' }).click()
    await page.getByLabel('Dramas').check()
    await page.getByLabel('Genres').fill('Drama, Sea')
    await page.getByLabel('Year').fill('2024')
    await page.getByLabel('Studios').fill('North')
    await page.getByLabel('Age rating').fill('22')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByLabel('Age rating').and(page.locator('[aria-invalid=true]')).waitFor()
    await page.getByLabel('Age rating').fill('12')
    await page.getByLabel('Title for search engines, English').fill('Salt House, a film')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('“Salt House” is saved.').waitFor()
    await service.runJobs()
    const saved = (await shop.get(`/api/products/${film.id}.json`)).body.product
    assert.match(saved.preview_pictures[0].src, /\/pictures\//)
    assert.deepEqual(
      saved.categories.map(({ category_id }: Wire) => category_id),
      [category.id],
    )
    assert.deepEqual(
      [saved.tagging_genre.map(({ value }: Wire) => value), saved.tagging.year, saved.tagging.age],
      [['Drama', 'Sea'], 2024, 12],
    )
    assert.equal(saved.locales[0].seo_title, 'Salt House, a film')
    await page.getByRole('button', { name: 'Duplicate' }).click()
    await page.getByRole('heading', { name: 'Copy of Salt House' }).waitFor()
    const { products } = (await shop.get('/api/products.json?sort=-id&limit=1')).body
    assert.deepEqual([products[0].title, products[0].published], ['Copy of Salt House', false])
    assert.deepEqual(products[0].price_license_binding.length, saved.price_license_binding.length)
    assert.equal(products[0].locales[0].seo_title, 'Salt House, a film')
    assert.deepEqual([products[0].tagging.age, products[0].tagging_studios[0].value], [12, 'North'])
    assert.deepEqual(
      complaints.filter((each) => !/422/.test(each)),
      [],
    )
  })

  test('gets pictures that are dropped or chosen, sorted with the arrow keys, and is told why one is refused', async () => {
    const shop = await service.openShop()
    const film = await aFilm(service, shop, 1190, SALT_HOUSE)
    const { page, complaints } = await openAdmin(shop)
    await page.goto(`/admin/products/${film.id}`)
    const paint = (background: string) =>
      sharp({ create: { width: 80, height: 120, channels: 3, background } })
        .png()
        .toBuffer()
    const chosen = await Promise.all(
      ['red', 'blue'].map(async (name) => ({ name: `${name}.png`, mimeType: 'image/png', buffer: await paint(name) })),
    )
    await picturesField(page).setInputFiles([
      ...chosen,
      { name: 'notes.png', mimeType: 'image/png', buffer: Buffer.from('no picture') },
    ])
    await page.getByText('“notes.png” was not taken. The file is not a JPEG').waitFor()
    const green = (await paint('green')).toString('base64')
    const dropped = await page.evaluateHandle(`(() => {
      const transfer = new DataTransfer()
      const bytes = Uint8Array.from(atob('${green}'), (letter) => letter.charCodeAt(0))
      transfer.items.add(new File([bytes], 'green.png', { type: 'image/png' }))
      return transfer
    })()`)
    await page.locator('.gallery-drop .drop').dispatchEvent('drop', { dataTransfer: dropped })
    await page.getByLabel('Picture 3 of 3').focus()
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowLeft')
    await page.getByText('The picture is now number 1 of 3.').waitFor()
    await page.getByLabel('Remove picture 2').click()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('“Salt House” is saved.').waitFor()
    const { preview_pictures } = (await shop.get(`/api/products/${film.id}.json`)).body.product
    const colours: number[][] = []
    for (const { src } of preview_pictures) {
      const raw = await sharp(Buffer.from(await (await fetch(src)).arrayBuffer()))
        .raw()
        .toBuffer()
      colours.push([...raw.subarray(0, 3)])
    }
    assert.deepEqual(colours, [
      [0, 128, 0],
      [0, 0, 255],
    ])
    assert.deepEqual(
      complaints.filter((each) => !/422/.test(each)),
      [],
    )
  })

  test('is not overwritten by somebody who has read an older version', async () => {
    const shop = await service.openShop()
    const film = await aFilm(service, shop, 1190, SALT_HOUSE)
    const { page } = await openAdmin(shop)
    await page.goto(`/admin/products/${film.id}`)
    await page.getByLabel('Title', { exact: true }).fill('Mine')
    assert.equal((await shop.put(`/api/products/${film.id}.json`, { product: { title: 'Theirs' } })).status, 200)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Somebody else has changed this meanwhile.').waitFor()
    assert.equal((await shop.get(`/api/products/${film.id}.json`)).body.product.title, 'Theirs')
    await page.getByRole('button', { name: 'Save mine over it' }).click()
    await page.getByText('“Mine” is saved.').waitFor()
    assert.equal((await shop.get(`/api/products/${film.id}.json`)).body.product.title, 'Mine')
  })

  test('gets a file whose line was lost in the middle, byte by byte', async () => {
    const shop = await service.openShop()
    const film = await aProduct(shop)
    const { page } = await openAdmin(shop)
    await page.goto(`/admin/products/${film.id}`)
    let lost = 0
    await page.route('**/files/uploads/**', (route) => {
      if (route.request().method() !== 'PATCH' || lost > 1) return route.continue()
      lost += 1
      return route.abort('connectionreset')
    })
    const sent = aFile('long.mp4', 2_000_000)
    await filesField(page).setInputFiles(sent)
    await page.getByText('Ready').waitFor()
    assert.equal(lost, 2)
    const [file] = (await shop.get('/api/files.json')).body.files
    assert.equal(file.sha256, sha256(sent.buffer))
  })

  test('gets the file that was chosen, and not the rest of another one of the same name', async () => {
    const shop = await service.openShop()
    const film = await aProduct(shop)
    const begun = { product_id: film.product_id, name: 'film.mp4', role: 'main_hd', size: 200_000 }
    const { upload_url } = (await shop.post('/api/files.json', { file: begun })).body.file
    await tus(service, shop, 'PATCH', upload_url, { 'upload-offset': '0' }, someVideo(100_000))
    const { page } = await openAdmin(shop)
    await page.goto(`/admin/products/${film.id}`)
    await page.getByText('Not complete').waitFor()
    const chosen = aFile('film.mp4', 200_000)
    await page.getByLabel('What the next files are').selectOption('main_hd')
    await filesField(page).setInputFiles(chosen)
    await page.getByText('Ready').waitFor()
    const files: { status: string; sha256: string | null }[] = (await shop.get('/api/files.json')).body.files
    assert.deepEqual(
      files.map(({ status, sha256: hash }) => [status, hash]),
      [
        ['uploading', null],
        ['ready', sha256(chosen.buffer)],
      ],
    )
  })

  test('goes on with a file that is chosen again after a reload', async () => {
    const shop = await service.openShop()
    const film = await aProduct(shop)
    const { page } = await openAdmin(shop)
    await page.goto(`/admin/products/${film.id}`)
    const path = join(await temporaryFolder(), 'long.mp4')
    const bytes = aVideo(17 * 1024 * 1024)
    await writeFile(path, bytes)
    const offsets: string[] = []
    let isCut = true
    await page.route('**/files/uploads/**', async (route) => {
      const { 'upload-offset': offset = '' } = await route.request().allHeaders()
      if (route.request().method() !== 'PATCH') return route.continue()
      if (isCut && offset !== '0') return route.abort('connectionreset')
      offsets.push(offset)
      return route.continue()
    })
    await filesField(page).setInputFiles(path)
    await page.getByText('it goes on by itself').waitFor()
    await page.reload()
    isCut = false
    await page.getByText('Visitors see no trailer yet.').waitFor()
    // 16 of 17 MB.
    await page.getByText('Interrupted at 94%. Choose the file again to go on.').waitFor()
    const again = page.getByRole('listitem').filter({ hasText: 'long.mp4' }).locator('input[type=file]')
    await again.setInputFiles(aFile('long.mp4', 1000))
    await page.getByText('long.mp4 is not the file whose upload was interrupted').waitFor()
    await again.setInputFiles(path)
    await page.getByText('Ready').waitFor()
    await page.getByText('1:00, 1920 × 1080, 17.8 MB').waitFor()
    assert.deepEqual(offsets, ['0', String(16 * 1024 * 1024)])
    const [file, ...others] = (await shop.get('/api/files.json')).body.files
    assert.deepEqual([file.sha256, others], [sha256(bytes), []])
  })
})
