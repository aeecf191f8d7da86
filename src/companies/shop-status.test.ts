import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aPrice, aProduct, aThemeSetting, BUY } from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'

const service = useService()

async function statusOf(shop: Shop): Promise<Record<string, boolean>> {
  return (await shop.get(`/api/companies/${shop.companyId}.json`)).body.company.shop_status
}

test('the state of a shop follows its products', async () => {
  const shop = await service.openShop()
  const productsOf = async () => {
    const status = await statusOf(shop)
    return [status['No products'], status['Products incomplete']]
  }
  const price = await aPrice(service, shop)
  const priced = { price_license_binding: [{ license_id: BUY, price_id: price.id }] }
  // Another shop's products say nothing of this one.
  await aProduct(await service.openShop())
  assert.deepEqual(await productsOf(), [true, false])
  await aProduct(shop, priced)
  assert.deepEqual(await productsOf(), [false, false])
  const { id } = await aProduct(shop, { price_license_binding: [{ license_id: BUY }] })
  assert.deepEqual(await productsOf(), [false, true])
  await shop.put(`/api/products/${id}.json`, { product: priced })
  assert.deepEqual(await productsOf(), [false, false])
  await shop.put(`/api/products/${id}.json`, { product: { price_license_binding: [] } })
  assert.deepEqual(await productsOf(), [false, true])
  for (const { id } of (await shop.get('/api/products.json?fields=id')).body.products)
    await shop.delete(`/api/products/${id}.json`)
  assert.deepEqual(await productsOf(), [true, false])
})

test('the state of a shop tells which company data is missing by being incomplete', async () => {
  const shop = await service.openShop()
  const complete = { first_name: 'Jane', last_name: 'Roe', street: 'Main Street 1', zip: '10115', city: 'Berlin' }
  const put = async (company: object) => {
    const { valid, shop_status } = (await shop.put(`/api/companies/${shop.companyId}.json`, { company })).body.company
    assert.equal(valid, !shop_status['Incomplete company data'])
    return valid
  }
  assert.equal(await put(complete), true)
  for (const name of Object.keys(complete)) {
    assert.equal(await put({ [name]: ' ' }), false, name)
    assert.equal(await put(complete), true)
  }
})

test('the state of a shop tells that the operator has closed or restricted it', async () => {
  const shop = await service.openShop()
  const set = (values: { company_disabled?: boolean; restricted?: number }) =>
    service.db.updateTable('companies').set(values).where('id', '=', shop.companyId).execute()
  const read = async () => {
    const status = await statusOf(shop)
    return [status.Disabled, status['Limited access mode']]
  }
  assert.deepEqual(await read(), [false, false])
  await set({ company_disabled: true })
  assert.deepEqual(await read(), [true, false])
  for (const restricted of [1, 2]) {
    await set({ company_disabled: false, restricted })
    assert.deepEqual(await read(), [false, true])
  }
})

test('the state of a shop tells that customers can visit none', async () => {
  const shop = await service.openShop()
  const isMissing = async () => (await statusOf(shop))['No active theme/domain']
  const { id: first } = (await shop.get('/api/themesettings.json')).body.ThemeSettings[0]
  const setOffline = (id: number, shop_offline: boolean) =>
    shop.put(`/api/themesettings/${id}.json`, { ThemeSetting: { shop_offline } })
  const setEnabled = (id: number, enabled: boolean) =>
    service.db.updateTable('theme_settings').set({ enabled }).where('id', '=', id).execute()
  assert.equal(await isMissing(), false)
  await setOffline(first, true)
  assert.equal(await isMissing(), true)
  const { id: second } = await aThemeSetting(shop)
  assert.equal(await isMissing(), false)
  await setEnabled(second, false)
  assert.equal(await isMissing(), true)
  await setOffline(first, false)
  assert.equal(await isMissing(), false)
  // Another company's shop says nothing of this one.
  for (const id of [first, second]) await shop.delete(`/api/themesettings/${id}.json`)
  assert.equal(await isMissing(), true)
})

test('there are no payments yet', async () => {
  assert.equal((await statusOf(await service.openShop()))['No payment system'], true)
})
