import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { aProduct, type Wire } from '../factories.ts'
import { useService } from '../harness.ts'
import { aFilm, aPriceId, someGoods } from '../orders.ts'
import { inspect, useAdmin } from './admin-pages.ts'

const service = useService()
const openAdmin = useAdmin(service)

describe('the list of products in the admin interface', () => {
  test('says of each product whether it can be bought, and why not', async () => {
    const shop = await service.openShop()
    await aFilm(service, shop, 1190, { title: 'Salt House' })
    await aFilm(service, shop, 1190, { title: 'Ahead', published_at: '2100-01-01T00:00:00' })
    await aFilm(service, shop, 1190, { title: 'Soon', published_at: '2100-01-01T00:00:00', pre_sales: true })
    await aProduct(shop, { title: 'Polar Night', published: true })
    await aProduct(shop, { title: 'Service', product_type: 17, published: true })
    await aProduct(shop, { title: 'Draft', published: false })
    await someGoods(service, shop, 5, { title: 'Ferry mug' })
    const { page, complaints } = await openAdmin(shop)
    await page.goto('/admin/products')
    const states: Record<string, RegExp> = {
      'Salt House': /In the shop/,
      Ahead: /From 1 Jan 2100/,
      Soon: /Pre-order until 1 Jan 2100/,
      'Polar Night': /No price, no file/,
      Service: /No price/,
      Draft: /Hidden/,
      'Ferry mug': /In the shop/,
    }
    for (const [title, state] of Object.entries(states))
      await page
        .getByRole('row', { name: new RegExp(title) })
        .getByText(state)
        .waitFor()
    await inspect(page, 'products-states')

    const titles = () => page.locator('tbody td:first-child a').allTextContents()
    assert.deepEqual((await titles())[0], 'Ferry mug')
    await page.getByLabel('Sort by').selectOption('title')
    await page.waitForURL('**/admin/products?sort=title')
    await page.getByRole('row').nth(1).getByText('Ahead').waitFor()
    assert.deepEqual(await titles(), Object.keys(states).toSorted())
    await page.getByRole('searchbox').fill('polar')
    await page.getByText('1 of 1 product').waitFor()
    assert.deepEqual(await titles(), ['Polar Night'])
    await page.getByRole('link', { name: 'Scheduled' }).click()
    await page.getByText('2 of 2 products').waitFor()
    assert.deepEqual((await titles()).toSorted(), ['Ahead', 'Soon'])
    await page.getByRole('link', { name: 'All', exact: true }).click()
    await page.getByLabel('Type').selectOption('Goods')
    await page.waitForURL(/[?&]type=6/)
    await page.getByText('1 of 1 product').waitFor()
    assert.deepEqual(await titles(), ['Ferry mug'])
    await page.getByLabel('Type').selectOption('Album')
    await page.getByText('No products match.').waitFor()
    assert.deepEqual(complaints, [])
  })

  test('turns the pages of a sorted list', async () => {
    const shop = await service.openShop()
    for (let each = 0; each < 51; each += 1) await aProduct(shop, { title: `Film ${String(each).padStart(2, '0')}` })
    const { page } = await openAdmin(shop)
    await page.goto('/admin/products?sort=title')
    await page.getByText('50 of 51 products').waitFor()
    assert.ok(await page.getByRole('button', { name: 'Previous' }).isDisabled())
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByRole('link', { name: 'Film 50' }).waitFor()
    assert.match(page.url(), /[?&]cursor=/)
    await page.reload()
    await page.getByRole('link', { name: 'Film 50' }).waitFor()
    assert.ok(await page.getByRole('button', { name: 'Next' }).isDisabled())
    await page.getByRole('button', { name: 'Previous' }).click()
    await page.getByRole('link', { name: 'Film 00' }).waitFor()
    await page.getByRole('link', { name: 'Film 49' }).waitFor()
    assert.ok(await page.getByRole('button', { name: 'Previous' }).isDisabled())
  })

  test('publishes and hides many at once, and says which somebody else has changed', async () => {
    const shop = await service.openShop()
    const made = []
    for (const title of ['One', 'Two', 'Three']) made.push(await aProduct(shop, { title, published: false }))
    const { page, complaints } = await openAdmin(shop)
    await page.goto('/admin/products')
    await page.getByLabel('Select “One”').check()
    await page.getByText('1 product selected').waitFor()
    await page.getByRole('button', { name: 'Select all 3' }).click()
    await page.getByText('3 products selected').waitFor()
    await inspect(page, 'products-chosen')
    service.clock.advance(60)
    await shop.put(`/api/products/${made[1].id}.json`, { product: { title: 'Two, again' } })
    const chosen = page.getByRole('region', { name: 'Selected products' })
    await chosen.getByRole('button', { name: 'Publish' }).click()
    await page.getByText('2 products are in the shop.').waitFor()
    await page.getByText('“Two”: Somebody has changed it meanwhile.').waitFor()
    const published = async () =>
      (await shop.get('/api/products.json')).body.products.map((product: { published: boolean }) => product.published)
    assert.deepEqual(await published(), [true, false, true])
    await inspect(page, 'products-failed')
    await page.getByRole('button', { name: 'Close' }).click()
    await page.getByLabel('Select “One”').check()
    await page.getByLabel('Select “Three”').check()
    await chosen.getByRole('button', { name: 'Hide' }).click()
    await page.getByText('2 products are hidden.').waitFor()
    assert.deepEqual(await published(), [false, false, false])
    assert.deepEqual(complaints, [])
  })

  test('puts many into a category and gives them a price, and says which have several offers', async () => {
    const shop = await service.openShop()
    const { category } = (await shop.post('/api/categories.json', { category: { title: 'Dramas' } })).body
    const one = await aFilm(service, shop, 1190, { title: 'One' })
    const price_license_binding = [...one.price_license_binding, { ...one.price_license_binding[0], license_id: 2 }]
    await aFilm(service, shop, 1190, {
      title: 'Two',
      price_license_binding: price_license_binding.map(({ license_id, price_id }: Wire) => ({ license_id, price_id })),
    })
    const price = await aPriceId(service, shop, 777)
    const { page, complaints } = await openAdmin(shop)
    await page.goto('/admin/products')
    const chooseBoth = async () => {
      await page.getByLabel('Select “One”').check()
      await page.getByLabel('Select “Two”').check()
    }
    await chooseBoth()
    await page.getByLabel('Add to category').selectOption('Dramas')
    await page.getByText('2 products are changed.').waitFor()
    await chooseBoth()
    await page.getByLabel('Set the price').selectOption('€7.77')
    await page.getByText('1 product is changed.').waitFor()
    await page.getByText('“Two”: It has several offers.').waitFor()
    const { products } = (await shop.get('/api/products.json')).body
    for (const product of products)
      assert.deepEqual(
        product.categories.map(({ category_id }: Wire) => category_id),
        [category.id],
      )
    const priced = products.filter(({ price_license_binding: [offer] }: Wire) => offer.price_id === price)
    assert.deepEqual(
      priced.map(({ id }: Wire) => id),
      [one.id],
    )
    assert.deepEqual(complaints, [])
  })
})
