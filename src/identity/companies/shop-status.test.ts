import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { invalidatePrice } from '#catalog/prices/commands.ts'
import { openDatabase } from '#platform/db/database.ts'
import { migrate } from '#platform/db/migrations/migrate.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { upgrade } from '#program/boot/store.ts'
import { anOffer, aPrice, aProduct, aThemeSetting, BUY } from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'
import { createDatabase } from '#test/server.ts'

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
  // Another shop's products have no influence.
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

test('the state of a shop detects a price that is no longer valid', async () => {
  const shop = await service.openShop()
  const isIncomplete = async () => (await statusOf(shop))['Products incomplete']
  const [first, second] = [await aPrice(service, shop), await aPrice(service, shop)]
  const bind = (...ids: (number | null)[]) => ({
    price_license_binding: ids.map((price_id) => ({ license_id: BUY, price_id })),
  })
  const end = ({ id }: { id: number }) =>
    inTransaction(service.db, (tx) => invalidatePrice(tx, shop, String(id), service.clock.now()))
  const { id } = await aProduct(shop, bind(first.id, null))
  await aProduct(shop, bind(first.id, second.id))
  assert.equal(await isIncomplete(), false)
  await end(first)
  assert.equal(await isIncomplete(), true)
  await shop.put(`/api/products/${id}.json`, { product: bind(second.id) })
  assert.equal(await isIncomplete(), false)
  await end(second)
  assert.equal(await isIncomplete(), true)
})

test('the state of a shop includes the prices of mirrored products', async () => {
  const [owner, shop] = [await service.openShop(), await service.openShop()]
  const price = await aPrice(service, owner)
  const bindings = { price_license_binding: [{ license_id: BUY, price_id: price.id }] }
  const { id } = await aProduct(owner, { ...bindings, published: true })
  const isIncomplete = async (of: Shop) => (await statusOf(of))['Products incomplete']
  const market = await anOffer(service, owner)
  assert.equal((await shop.post(`/api/marketplace/${market}/activate.json`)).status, 201)
  assert.deepEqual([await isIncomplete(owner), await isIncomplete(shop)], [false, false])
  await inTransaction(service.db, (tx) => invalidatePrice(tx, owner, String(price.id), service.clock.now()))
  assert.deepEqual([await isIncomplete(owner), await isIncomplete(shop)], [true, true])
  await owner.put(`/api/products/${id}.json`, { product: { price_license_binding: [{ license_id: BUY }] } })
  await service.runJobs()
  assert.deepEqual([await isIncomplete(owner), await isIncomplete(shop)], [true, true])
  const another = await aPrice(service, owner)
  const product = { price_license_binding: [{ license_id: BUY, price_id: another.id }] }
  await owner.put(`/api/products/${id}.json`, { product })
  await service.runJobs()
  assert.deepEqual([await isIncomplete(owner), await isIncomplete(shop)], [false, false])
})

test('the state of a shop is incomplete while company data is missing', async () => {
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

test('the state of a shop shows that the operator has closed or restricted it', async () => {
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

test('the state of a shop shows that no shop is online', async () => {
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
  // Another company's shop has no influence.
  for (const id of [first, second]) await shop.delete(`/api/themesettings/${id}.json`)
  assert.equal(await isMissing(), true)
})

test('payments are always missing', async () => {
  assert.equal((await statusOf(await service.openShop()))['No payment system'], true)
})

test('a migration checks older products for prices', async () => {
  const database = await createDatabase('empty')
  const { db, close } = openDatabase(database.connection, { poolMax: 2 })
  try {
    // Every migration with a lower number.
    await migrate(db, '0028')
    await sql`insert into companies (company_name, email, created_at, updated_at)
      values ('Old', 'old@example.com', now(), now())`.execute(db)
    await sql`insert into products select (json_populate_record(null::products, json_build_object(
        'company_id', 1000, 'id', number, 'product_id', number, 'title', 'Film', 'version', '', 'comment', '',
        'product_type', 1, 'created_at', now(), 'updated_at', now(), 'published', true, 'pre_sales', false,
        'drm_protected', false, 'allow_download_trial', 0, 'mirrored', false, 'valid', true, 'manage_stock', false,
        'locales', json '[]', 'chapters', json '[]', 'tagging', json '{}', 'document', '{}'))).*
      from generate_series(1, 3) as number`.execute(db)
    await sql`insert into product_bindings (company_id, id, product_key, position, price_id)
      values (1000, 1, 1, 0, 7), (1000, 2, 1, 1, null), (1000, 3, 2, 0, null)`.execute(db)
    await upgrade(db)
    const { rows } = await sql<{ priced: boolean }>`select priced from products order by id`.execute(db)
    assert.deepEqual(
      rows.map(({ priced }) => priced),
      [true, false, false],
    )
  } finally {
    await close()
    await database.drop()
  }
})
