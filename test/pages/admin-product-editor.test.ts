import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setOwnThemes } from '#catalog/theme-settings/themes.facts.ts'
import { aProduct, usePictureHost, type Wire } from '../factories.ts'
import { aFailedCopy } from '../failed-copies.ts'
import { useService } from '../harness.ts'
import { aFilm } from '../orders.ts'
import { sell } from '../sales.ts'
import { inspect, inspectDialog, useAdmin } from './admin-pages.ts'

const service = useService()
const openAdmin = useAdmin(service)
const pictures = usePictureHost()

const SALT_HOUSE = { title: 'Salt House', locales: [{ language_id: 'en', title: 'Salt House' }] }

describe('the editor of a product', () => {
  test('has its languages side by side, and says what is missing before it is published', async () => {
    const shop = await service.openShop()
    const film = await aFilm(service, shop, 1190, {
      ...SALT_HOUSE,
      published: false,
      preview_pictures: [{ src: pictures.url('/cover.png') }],
    })
    await service.runJobs()
    const { page, complaints } = await openAdmin(shop)
    await page.goto(`/admin/products/${film.id}`)
    const steps = page.getByRole('region', { name: 'Before you publish' })
    await steps.getByText('3 of 4').waitFor()
    await page.getByText('1 of 2 missing').waitFor()
    await page.getByLabel('Description in English').fill('A house, and the sea.')
    await steps.getByText('4 of 4').waitFor()
    await page.getByLabel('Add a language').selectOption('de')
    await page.getByText('2 of 2 missing').waitFor()
    await page.getByLabel('Title in German').fill('Das Salzhaus')
    await steps.getByText('4 of 5').waitFor()
    const preview = page.getByRole('region', { name: 'Preview' })
    await preview.getByLabel('German').check()
    await preview.getByText('Das Salzhaus').waitFor()
    await preview.getByText('Ihnen').or(preview.getByText('Gerät')).first().waitFor()
    await page.getByLabel('Released on').fill('2099-05-01T20:00')
    await page.getByLabel('Show it in the shop').check()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('“Salt House” is saved.').waitFor()
    await page.getByText('From 1 May 2099').first().waitFor()
    await inspect(page, 'product-editor')
    const saved = (await shop.get(`/api/products/${film.id}.json`)).body.product
    assert.equal(saved.published_at, '2099-05-01T18:00:00')
    assert.deepEqual(
      saved.locales.map(({ language_id, title }: Wire) => [language_id, title]),
      [
        ['en', 'Salt House'],
        ['de', 'Das Salzhaus'],
      ],
    )
    await page.getByLabel('Remove German').click()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Unsaved changes').waitFor({ state: 'detached' })
    const { locales } = (await shop.get(`/api/products/${film.id}.json`)).body.product
    assert.deepEqual(
      locales.map(({ language_id }: Wire) => language_id),
      ['en'],
    )
    assert.deepEqual(complaints, [])
  })

  test('makes a license and a price in two currencies where an offer needs them', async () => {
    const shop = await service.openShop()
    const film = await aFilm(service, shop, 1190, { ...SALT_HOUSE, price_license_binding: [] })
    const { page, complaints } = await openAdmin(shop)
    await page.goto(`/admin/products/${film.id}`)
    await page.getByRole('button', { name: 'Add an offer' }).click()
    await page.getByRole('button', { name: 'New license' }).click()
    const license = page.getByRole('region', { name: 'New license' })
    await license.getByLabel('Name').fill('Weekend')
    await license.getByLabel('Rent', { exact: true }).check()
    await license.getByLabel('Hours from first play').fill('72')
    await license.getByLabel('Devices at once').fill('2')
    await license.getByText('72 hours').waitFor()
    await inspect(page, 'product-license')
    await license.getByRole('button', { name: 'Create the license' }).click()
    await license.waitFor({ state: 'detached' })
    await page.getByLabel('Amount in EUR').fill('4.99')
    await page.getByLabel('Add a currency').selectOption('CHF')
    await page.getByLabel('Amount in CHF').fill('5.50')
    await page.getByText('€4.99 · CHF 5.50').first().waitFor()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('“Salt House” is saved.').waitFor()
    const [offer] = (await shop.get(`/api/products/${film.id}.json`)).body.product.price_license_binding
    const made = (await shop.get(`/api/licenses/${offer.license_id}.json`)).body.license
    assert.deepEqual(
      [made.name, made.expire_after_first_use, made.expire_after_acquisition, made.total_concurrent_devices],
      ['Weekend', 72, 30, 2],
    )
    assert.deepEqual([made.expire_after_first_use_mode, made.expire_after_acquisition_mode], [0, 1])
    const { currencies } = (await shop.get(`/api/prices/${offer.price_id}.json`)).body.price
    assert.deepEqual(
      currencies.map(({ currency, price }: Wire) => [currency, price]),
      [
        ['eur', 499],
        ['chf', 550],
      ],
    )
    await page.getByRole('button', { name: 'Remove the offer “Weekend”' }).click()
    await page.getByText('Without an offer it cannot be bought.').waitFor()
    assert.deepEqual(complaints, [])
  })

  test('fills a collection, in an order, and its parts name it', async () => {
    const shop = await service.openShop()
    const [one, two] = [
      await aFilm(service, shop, 1190, { title: 'First' }),
      await aFilm(service, shop, 1190, { title: 'Second' }),
    ]
    const { body } = await shop.post('/api/products.json', { product: { product_type: 8, title: 'Winter bundle' } })
    const { page, complaints } = await openAdmin(shop)
    await page.goto(`/admin/products/${body.product.id}`)
    for (const title of ['First', 'Second']) {
      await page.getByLabel('Find a product to add').fill(title)
      await page.getByRole('list', { name: 'Products found' }).getByRole('button', { name: title }).click()
    }
    await page.getByLabel('Find a product to add').fill('Winter')
    await page.getByText('No products match.').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Move Second, 2 of 2' }).focus()
    await page.keyboard.press('ArrowUp')
    await page.getByText('Second is now 1 of 2.').waitFor()
    // A part without its file is nothing that buyers get.
    await aProduct(shop, { product_type: 1, title: 'Third', published: true })
    await page.getByLabel('Find a product to add').fill('Third')
    await page.getByRole('list', { name: 'Products found' }).getByRole('button', { name: 'Third' }).click()
    await page.getByText('Buyers do not get this part yet, because its file is missing: Third.').waitFor()
    const parts = page.getByRole('list', { name: 'What it includes' }).getByRole('listitem')
    await parts.filter({ hasText: 'First' }).getByText('In the shop').waitFor()
    await inspect(page, 'product-collection')
    await page.getByRole('button', { name: 'Remove Third' }).click()
    await page.getByText('Buyers do not get this part yet').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('“Winter bundle” is saved.').waitFor()
    const { included_products } = (await shop.get(`/api/products/${body.product.id}.json`)).body.product
    assert.deepEqual(
      included_products.map(({ product_id }: Wire) => product_id),
      [two.product_id, one.product_id],
    )
    await page.goto(`/admin/products/${one.id}`)
    await page.getByRole('region', { name: 'Where it stands' }).getByRole('link', { name: 'Winter bundle' }).waitFor()
    assert.deepEqual(complaints, [])
  })

  test('says in which of several shops it is shown', async () => {
    setOwnThemes(new Map([[77, { name: 'Night', folder: 'default' }]]))
    try {
      const shop = await service.openShop()
      const film = await aFilm(service, shop, 1190, SALT_HOUSE)
      const { page, complaints } = await openAdmin(shop)
      await page.goto(`/admin/products/${film.id}`)
      const standing = page.getByRole('region', { name: 'Where it stands' })
      await standing.getByRole('link', { name: 'Make a group first' }).waitFor()
      assert.equal(await standing.getByText('Shown in these shops').count(), 0, 'there is one shop')
      await shop.post('/api/themesettings.json', { ThemeSetting: { theme_id: 77 } })
      const { group } = (await shop.post('/api/groups.json', { group: { title: 'Kino Club', kind: 'access' } })).body
      await page.reload()
      await standing.getByLabel('Kino Club').check()
      await standing.getByText('Without a choice, in all shops.').waitFor()
      await standing.getByLabel(/^Night/).check()
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await page.getByText('“Salt House” is saved.').waitFor()
      const { themes, groups } = (await shop.get(`/api/products/${film.id}.json`)).body.product
      assert.deepEqual(
        groups.map(({ group_id }: Wire) => group_id),
        [group.id],
      )
      assert.deepEqual(
        themes.map(({ theme_id }: Wire) => theme_id),
        [77],
      )
      assert.deepEqual(complaints, [])
    } finally {
      setOwnThemes(new Map())
    }
  })

  test('shows a hidden product in the shop, says who has one that is deleted, and brings a draft back', async () => {
    const shop = await service.openShop()
    const film = await aFilm(service, shop, 1190, { ...SALT_HOUSE, published: false })
    const { page, complaints } = await openAdmin(shop)
    await page.goto(`/admin/products/${film.id}`)
    const opened = page.waitForEvent('popup')
    await page.getByRole('link', { name: 'View in shop' }).click()
    const preview = await opened
    await preview.getByText('Only you can see this page.').waitFor()
    await preview.close()

    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('Nobody has bought it.').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No products yet.').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('link', { name: 'Salt House' }).waitFor()
    assert.equal((await shop.get(`/api/products/${film.id}.json`)).status, 200)

    await page.getByRole('button', { name: 'Publish' }).click()
    await page.getByText('“Salt House” is in the shop.').waitFor()
    await page.getByRole('button', { name: 'Hide' }).click()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('button', { name: 'Hide' }).waitFor()
    assert.equal((await shop.get(`/api/products/${film.id}.json`)).body.product.published, true)

    await sell(shop, [{ product: film }])
    await page.goto(`/admin/products/${film.id}`)
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('One customer has it and keeps it.').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('“Salt House” is deleted.').waitFor()
    assert.equal((await shop.get(`/api/products/${film.id}.json`)).status, 404)
    assert.equal((await shop.get('/api/entitlements/count.json')).body.count, 1)
    assert.deepEqual(complaints, [])
  })

  test('says of which file no copy could be made for a buyer, and Home leads there', async () => {
    const shop = await service.openShop()
    const film = await aFilm(service, shop, 1190, SALT_HOUSE)
    const [file] = (await shop.get(`/api/files.json?product_id=${film.product_id}`)).body.files
    for (const entitlement_id of [1, 2]) await aFailedCopy(service, shop, { file_id: file.id, entitlement_id })
    const { page, complaints } = await openAdmin(shop)
    await page.getByRole('link', { name: 'A file cannot be delivered' }).click()
    const files = page.getByRole('region', { name: 'Files' })
    await files.getByText('No copy could be made for 2 buyers: The PDF is damaged or incomplete.').waitFor()
    await files.getByText('Copies fail').waitFor()
    await inspect(page, 'product-file-failed')
    assert.deepEqual(complaints, [])
  })

  test('asks for the language of subtitles, changes what is said about a file, and asks before it removes one', async () => {
    const shop = await service.openShop()
    const film = await aFilm(service, shop, 1190, SALT_HOUSE)
    const { page, complaints } = await openAdmin(shop)
    await page.goto(`/admin/products/${film.id}`)
    const files = page.getByRole('region', { name: 'Files' })
    const subtitles = async () =>
      (await shop.get(`/api/files.json?product_id=${film.product_id}`)).body.files.find(
        ({ name }: Wire) => name === 'salt.vtt',
      )
    await files.getByLabel('What the next files are').selectOption('Subtitles')
    await files.getByText('Choose a language first.').waitFor()
    const choose = files.locator('input[type=file][multiple]')
    assert.equal(await choose.isDisabled(), true)
    await files.getByLabel('Language').selectOption('German')
    const buffer = Buffer.from('WEBVTT\n\n00:00.000 --> 00:02.000\nDas Meer.\n')
    await choose.setInputFiles({ name: 'salt.vtt', mimeType: 'text/vtt', buffer })
    await files.getByText(/^Subtitles, .*German/).waitFor()
    await inspect(page, 'product-files')
    const uploaded = await subtitles()
    assert.deepEqual([uploaded.role, uploaded.language], ['subtitles', 'de'])

    const dialog = page.getByRole('dialog')
    await files.getByRole('button', { name: 'Change salt.vtt' }).click()
    await dialog.getByLabel('Language').selectOption('French')
    await inspectDialog(page)
    // Somebody else is faster, and nothing of theirs is overwritten.
    const faster = await shop.put(`/api/files/${uploaded.id}.json`, { file: { language: 'it' } })
    assert.equal(faster.status, 200, faster.text)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByRole('button', { name: 'Show the other version' }).click()
    await dialog.locator('option[value=it]:checked').waitFor({ state: 'attached' })
    await dialog.getByLabel('What it is').selectOption('Extra')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('“salt.vtt” is changed.').waitFor()
    const changed = await subtitles()
    assert.deepEqual([changed.role, changed.language], ['extra', 'it'])

    await files.getByRole('button', { name: 'Remove salt.vtt' }).click()
    await dialog.getByText('It cannot be brought back.').waitFor()
    await shop.delete(`/api/files/${uploaded.id}.json`)
    await dialog.getByRole('button', { name: 'Remove' }).click()
    await dialog.getByText('This is not here, or not any more.').waitFor()
    assert.equal(complaints.length, 2, `the browser reports the two refusals: ${complaints}`)
  })
})
