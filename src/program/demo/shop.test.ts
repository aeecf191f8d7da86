import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Wire } from '#test/factories.ts'
import { useService } from '#test/harness.ts'
import { addDemoCovers } from './covers.ts'
import { demoAccess } from './shop.ts'

const service = useService()

test('the demo shop belongs to a complete company, and sells under existing licenses and prices', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'licet-demo-'))
  try {
    const access = await demoAccess(service.db, service.vault, folder, service.url, service.clock)
    assert.ok(access)
    const answer = await service.call('GET', '/api/companies.json', { token: access.access_token })
    assert.equal(answer.status, 200, answer.text)
    const { company } = answer.body
    assert.deepEqual([company.id, company.valid, company.country], [access.company_id, true, 'Germany'])
    assert.equal(company.shop_status['Incomplete company data'], false)
    assert.equal(company.shop_status['No products'], false)
    assert.equal(company.shop_status['No active theme/domain'], false)
    assert.equal(company.shop_status['Products incomplete'], false)
    await assertSold(access.access_token)
    await assertExampleIsSold(access.access_token)
    await assertReadmeIsSold(access.access_token)
    await assertLooksLikeAShop(access.company_id, access.access_token)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

/** Asserts that the demo shop sells what the API reference orders in its example. */
async function assertExampleIsSold(token: string): Promise<void> {
  const { body: document } = await service.call('GET', '/openapi.json')
  const [order] = document.components.schemas.OrderInput.examples
  const answer = await service.call('POST', '/api/orders.json', { token, body: { order } })
  assert.equal(answer.status, 201, answer.text)
  assert.equal(answer.body.order.line_items[0].product_id, order.line_items[0].product_id)
}

/** Asserts that a newcomer who pastes the order of the README buys the film. */
async function assertReadmeIsSold(token: string): Promise<void> {
  const readme = await readFile(join(import.meta.dirname, '../../../README.md'), 'utf8')
  const [, body = ''] = /-d '(\{"order": [^']*)'/.exec(readme) ?? []
  const answer = await service.call('POST', '/api/orders.json', { token, body: JSON.parse(body) })
  assert.equal(answer.status, 201, answer.text)
  assert.equal(answer.body.order.line_items[0].title, 'The Last Ferry')
}

/** Asserts that every product has a cover, that a second start adds none, and that the home page shows them. */
async function assertLooksLikeAShop(companyId: number, token: string): Promise<void> {
  const options = { db: service.db, files: service.files, now: () => service.clock.now() }
  await addDemoCovers(options, companyId)
  await addDemoCovers(options, companyId)
  const { products } = (await service.call('GET', '/api/products.json', { token })).body
  for (const { title, images } of products) assert.equal(images.length, title === 'The Last Ferry' ? 2 : 1, title)
  const [shop] = (await service.call('GET', '/api/themesettings.json', { token })).body.ThemeSettings
  const page = await service.call('GET', `/shop/${shop.id}`, { headers: { accept: 'text/html' } })
  assert.match(page.text, /<h1 id="hero-t">The Last Ferry<\/h1>/)
  assert.match(page.text, /<h2 id="shelf-1">Films</)
  const [picture = ''] = /\/pictures\/[^" ]+_640\.webp/.exec(page.text) ?? []
  assert.equal((await service.call('GET', picture)).headers.get('content-type'), 'image/webp')
}

/** Asserts that every product has a price, and that its bindings are accepted when they are sent again. */
async function assertSold(token: string): Promise<void> {
  const read = async (path: string) => (await service.call('GET', path, { token })).body
  const { products } = await read('/api/products.json')
  const [licenses, prices] = [await read('/api/licenses.json'), await read('/api/prices.json')]
  const known = {
    license: new Set([null, ...licenses.licenses.map(({ id }: Wire) => id)]),
    price: new Set(prices.prices.map(({ id }: Wire) => id)),
  }
  for (const { id, product_type, price_license_binding } of products) {
    assert.ok(price_license_binding.length > 0, `${id}`)
    for (const binding of price_license_binding) {
      assert.ok(known.license.has(binding.license_id) && known.price.has(binding.price_id), JSON.stringify(binding))
      assert.equal(binding.license_id === null, [6, 17].includes(product_type))
    }
    const bindings = price_license_binding.map(({ id: _id, ...binding }: Wire) => binding)
    const product = { price_license_binding: bindings }
    assert.equal((await service.call('PUT', `/api/products/${id}.json`, { token, body: { product } })).status, 200)
  }
}
