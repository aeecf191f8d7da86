import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { inTransaction } from '#platform/db/transaction.ts'
import { aSale, contentOf } from '#test/entitlements.ts'
import type { Wire } from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'
import { someVideo, upload } from '#test/uploads.ts'
import { deleteUnneededOf } from '../commands.ts'

const service = useService()

async function namesOf(shop: Shop, { id }: Wire): Promise<string[]> {
  const { files } = (await shop.get(`/api/entitlements/${id}/files.json`)).body
  return files.map(({ name }: Wire) => name)
}

async function remove(shop: Shop, { id }: Wire): Promise<void> {
  assert.equal((await shop.delete(`/api/files/${id}.json`)).status, 200)
  await inTransaction(service.db, (tx) => deleteUnneededOf(tx, shop.companyId, service.clock.now()))
}

async function later(shop: Shop): Promise<Shop> {
  service.clock.advance(60)
  return shop.asUser(shop.userId)
}

describe('a file that is removed', () => {
  test('stays with an order that is confirmed afterwards', async () => {
    const { shop: opened, film, order, content } = await aSale(service, {}, { confirmed: false })
    const file = await upload(service, opened, film, someVideo())
    const shop = await later(opened)
    await remove(shop, file)
    await shop.put(`/api/orders/${order.id}.json`, { order: { confirmed: true } })
    assert.deepEqual(await namesOf(shop, content[0]), [file.name])
  })

  test('stays with those who bought the product before the file was there', async () => {
    const { shop: opened, film, content } = await aSale(service)
    const shop = await later(opened)
    const file = await upload(service, shop, film, someVideo())
    await remove(await later(shop), file)
    assert.deepEqual(await namesOf(await later(shop), content[0]), [file.name])
  })

  test('stays for a code that is redeemed afterwards', async () => {
    const { shop: opened, film, customer, order } = await aSale(service, {}, { generate_codes: true })
    const file = await upload(service, opened, film, someVideo())
    const shop = await later(opened)
    await remove(shop, file)
    const [{ code }] = order.line_items
    const redeemed = await shop.post(`/api/customers/${customer.token}/redeem.json`, { redeem: { code } })
    assert.equal(redeemed.status, 201, redeemed.text)
    const [owned] = await contentOf(shop, customer)
    assert.deepEqual(await namesOf(shop, owned), [file.name])
  })
})

test('a trailer of a product that is hidden is not public', async () => {
  const { shop, film } = await aSale(service)
  const trailer = await upload(service, shop, film, someVideo(), { role: 'trailer' })
  assert.equal((await fetch(trailer.public_url)).status, 200)
  await shop.put(`/api/products/${film.id}.json`, { product: { published: false } })
  assert.equal((await fetch(trailer.public_url)).status, 404)
})

test('an address stops working for a customer who is disabled', async () => {
  const { shop, film, customer, content } = await aSale(service)
  await upload(service, shop, film, someVideo())
  const { body } = await shop.post(`/api/entitlements/${content[0].id}/download.json`, { download: {} })
  assert.equal((await fetch(body.download.url)).status, 200)
  await service.db.updateTable('customers').set({ state: 'disabled' }).where('token', '=', customer.token).execute()
  assert.notEqual((await fetch(body.download.url)).status, 200)
})
