import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { type Shop, useService } from '../harness.ts'
import { aCsvImport } from '../imports.ts'
import { aFilm } from '../orders.ts'
import { inspect, settled, useAdmin } from './admin-pages.ts'

const service = useService()
const openAdmin = useAdmin(service)

const LINES = 5000
/** Lines of the file, which begins with its headings. */
const WRONG = { price: 21, title: 2187, stock: 4903 }

/** A file of another shop: its own names for columns, and three lines with a mistake each. */
function catalogue(): string {
  const rows = Array.from({ length: LINES }, (_, index) => {
    const line = index + 2
    const [title, price, stock] = [`Print ${line}`, '12,50', '3']
    return [
      `print-${line}`,
      line === WRONG.title ? '' : title,
      line === WRONG.price ? 'on request' : price,
      line === WRONG.stock ? 'many' : stock,
      'A4',
    ].join(';')
  })
  return ['Handle;Bezeichnung;Price;Inventory quantity;Format', ...rows, ''].join('\r\n')
}

async function countProducts(shop: Shop): Promise<number> {
  return (await shop.get('/api/products/count.json')).body.count
}

/** Lets the worker do what was asked for, as a process of its own would. */
async function workFor(page: Page, button: string | RegExp): Promise<void> {
  await page.getByRole('button', { name: button }).click()
  await page.locator('.import-progress').waitFor()
  await service.runJobs()
}

describe('an import in the admin interface', () => {
  test('of 5,000 products with three wrong lines is mended in place, and imported', async () => {
    const shop = await service.openShop()
    const { page, complaints } = await openAdmin(shop)
    await page.goto('/admin/products')
    await page.getByRole('link', { name: 'Import', exact: true }).click()
    await page.getByRole('heading', { name: 'Import products' }).waitFor()
    await inspect(page, 'import-file')
    const file = { name: 'old-shop.csv', mimeType: 'text/csv', buffer: Buffer.from(catalogue()) }
    await page.getByLabel('Choose a file').setInputFiles(file)

    await page.getByLabel('Field of the column Bezeichnung').selectOption({ label: 'Title' })
    assert.equal(await page.getByLabel('Field of the column Format').inputValue(), '')
    assert.match(page.url(), /\/admin\/imports\/\d+\?step=columns$/)
    await inspect(page, 'import-columns')
    await workFor(page, 'Check the file')

    await page.getByRole('heading', { name: '3 of 5,000 entries need you' }).waitFor()
    assert.equal(await countProducts(shop), 0)
    await inspect(page, 'import-fix')
    const line = (name: string) => page.getByRole('region', { name: `Line ${name}`, exact: true })
    await line('21').getByLabel('Price').fill('19,90')
    await line('2,187').getByLabel('Bezeichnung').fill('The lighthouse')
    await line('4,903')
      .getByRole('button', { name: /^Leave out/ })
      .click()
    await page.getByText('3 of 3 done').waitFor()
    await workFor(page, 'Check again')

    await page.getByRole('heading', { name: '4,999 entries are ready' }).waitFor()
    await page.getByText('1 line is left out.').waitFor()
    await inspect(page, 'import-ready')
    await workFor(page, 'Import 4,999 entries')
    await page.getByRole('heading', { name: '4,999 entries imported' }).waitFor()
    await inspect(page, 'import-done')
    assert.equal(await countProducts(shop), LINES - 1)
    await page.getByRole('link', { name: 'Show products' }).click()
    await page.getByRole('link', { name: 'Print 5001' }).waitFor()
    assert.deepEqual(complaints, [])
  })

  test('says why a file is none, names what broke a line, and forgets a file', async () => {
    const shop = await service.openShop()
    const { page, complaints } = await openAdmin(shop, 'de-DE')
    await page.goto('/admin/customers')
    await page.getByRole('link', { name: 'Importieren', exact: true }).click()
    const choose = page.getByLabel('Datei auswählen')
    const send = (name: string, text: string) =>
      choose.setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })
    await send('table.xlsx', 'PK\x03\x04')
    await page.getByRole('alert').filter({ hasText: 'table.xlsx is a spreadsheet' }).waitFor()
    await send('people.csv', 'Mail;Name\njane@example.com;Jane\njane@example.com;Jane\n')
    // The columns do not tell, but the way here does.
    const kind = page.getByLabel('Worum es geht')
    assert.equal(await kind.inputValue(), 'customers')
    await page.getByLabel('Feld der Spalte Mail').selectOption('email')
    await workFor(page, 'Datei prüfen')
    await page.getByText('Das steht schon in einer anderen Zeile.').waitFor()
    await workFor(page, '1 Zeile auslassen')
    await workFor(page, '1 Eintrag importieren')
    await page.getByRole('heading', { name: '1 Eintrag importiert' }).waitFor()
    await page.getByRole('link', { name: 'Weitere Datei importieren' }).click()
    await page.getByRole('button', { name: 'people.csv löschen' }).click()
    await page.getByRole('link', { name: 'people.csv' }).waitFor({ state: 'detached' })
    // The refused file is a message of the browser's own.
    assert.deepEqual(
      complaints.filter((complaint) => !complaint.includes('422')),
      [],
    )
    const { customers } = (await shop.get('/api/customers.json')).body
    assert.deepEqual(
      customers.map(({ email }: { email: string }) => email),
      ['jane@example.com'],
    )
  })

  test('of past sales is known as an export of another shop, and matched with products', async () => {
    const shop = await service.openShop()
    await aFilm(service, shop, 1000, { title: 'Winter Light' })
    const { page, complaints } = await openAdmin(shop)
    await page.goto('/admin/imports?kind=sales')
    const sales = [
      'Purchase ID,Item Name,Buyer Name,Purchase Email,Purchase Date,Sale Price ($),Fully Refunded?,License Key',
      'g1,My winter film,Jane Roe,jane@example.com,2024-03-01,12.00,0,',
      'g2,My winter film,Bert Berg,bert@example.com,2024-03-02,12.00,1,',
      'g3,An old song,Carl Cole,carl@example.com,2024-03-03,1.00,0,',
      '',
    ].join('\n')
    const file = { name: 'gumroad.csv', mimeType: 'text/csv', buffer: Buffer.from(sales) }
    await page.getByLabel('Choose a file').setInputFiles(file)
    await page.getByText('This looks like an export of Gumroad.').waitFor()
    assert.equal(await page.getByLabel('Exported from').inputValue(), 'gumroad')
    assert.equal(await page.getByLabel('Field of the column Item Name').inputValue(), 'product')
    await page.getByText('Keys are imported at the product itself.').waitFor()
    await inspect(page, 'import-known')
    await workFor(page, 'Check the file')

    const matching = page.getByRole('region', { name: 'Products that this shop calls otherwise' })
    await matching.getByLabel('Product for My winter film').fill('winter')
    await inspect(page, 'import-matching')
    await matching.getByRole('button', { name: 'Winter Light' }).click()
    await matching.getByRole('button', { name: 'Leave out An old song' }).click()
    await matching.getByText('2 of 2 done').waitFor()
    await workFor(page, 'Match and check again')
    await workFor(page, /^Import 3 entries$/)
    await page.getByText('Customers have what they bought.').waitFor()
    await inspect(page, 'import-sold')
    assert.deepEqual(complaints, [])
    const { customers } = (await shop.get('/api/customers.json')).body
    assert.deepEqual(
      customers.map(({ email }: { email: string }) => email),
      ['jane@example.com'],
    )
  })

  test('is undone after a look at what that does, and says what stays', async () => {
    const shop = await service.openShop()
    const { id } = await aCsvImport(service, shop, 'handle,title,price\na,Poster,5\nb,Postcard,1\n')
    await shop.post(`/api/imports/${id}/run.json`)
    await service.runJobs()
    const { products } = (await shop.get('/api/products.json')).body
    await shop.put(`/api/products/${products[1].id}.json`, { product: { comment: 'By hand' } })
    const { page, complaints } = await openAdmin(shop)
    await page.goto(`/admin/imports/${id}`)
    await page.getByRole('button', { name: 'Undo this import' }).click()
    const question = page.getByRole('dialog', { name: 'Undo the import of import.csv?' })
    await question.getByText('was changed since.').waitFor()
    await inspect(page, 'import-undo')
    assert.equal(await countProducts(shop), 2)
    await question.getByRole('button', { name: 'Undo the import', exact: true }).click()
    await page.locator('.import-progress').waitFor()
    await service.runJobs()
    await page.getByRole('heading', { name: 'The import is undone', level: 1 }).waitFor()
    await page.getByRole('listitem').filter({ hasText: 'Postcard' }).getByText('was changed since.').waitFor()
    await inspect(page, 'import-undone')
    assert.equal(await countProducts(shop), 1)
    assert.deepEqual(complaints, [])
  })

  test('that somebody else changes meanwhile is not overwritten', async () => {
    const shop = await service.openShop()
    const { id } = await aCsvImport(service, shop, 'handle,title,price\na,A,much\n')
    const { page } = await openAdmin(shop)
    await shop.post(`/api/imports/${id}/check.json`)
    await service.runJobs()
    await page.goto(`/admin/imports/${id}`)
    await page.getByLabel('price').fill('9.90')
    await shop.put(`/api/imports/${id}.json`, { import: { left_out: [9] } })
    await page.getByRole('button', { name: 'Check again' }).click()
    await page.getByText('Somebody else has changed this import.').waitFor()
    await settled(page)
    // It is still said, and what was typed is still there.
    await page.getByText('Somebody else has changed this import.').waitFor()
    assert.equal(await page.getByLabel('price').inputValue(), '9.90')
    assert.deepEqual((await shop.get(`/api/imports/${id}.json`)).body.import.left_out, [9])
  })
})
