import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Wire } from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'
import { aShippingMethod, readOrder } from '#test/orders.ts'
import { anOrderOfGoods, readFulfillment, ship } from '#test/shipping.ts'

const service = useService()

const idsIn = async (shop: Shop, path: string): Promise<number[]> =>
  (await shop.get(path)).body.fulfillments.map(({ id }: Wire) => id)
const countIn = async (shop: Shop, query = ''): Promise<number> =>
  (await shop.get(`/api/fulfillments/count.json${query}`)).body.count

/** A shop whose goods another company ships. */
async function shopWith(partner: Shop): Promise<Shop> {
  const shop = await service.openShop()
  await aShippingMethod(service, shop, { shipping_partner_id: partner.companyId })
  return shop
}

describe('a shipping partner', () => {
  test('sees what it ships for others among its own, in the order of ids', async () => {
    const partner = await service.openShop()
    const shops = [await shopWith(partner), partner, await shopWith(partner), await service.openShop()]
    const owners = new Map<number, number>()
    const seen: number[] = []
    for (const shop of [...shops, ...shops]) {
      const { id } = await anOrderOfGoods(service, shop)
      if (shop !== shops[3]) seen.push(id)
      owners.set(id, shop.companyId)
    }
    assert.equal(seen.length, 6)
    const { fulfillments } = (await partner.get('/api/fulfillments.json')).body
    assert.deepEqual(
      fulfillments.map(({ id, owner_company }: Wire) => [id, owner_company]),
      seen.map((id) => [id, owners.get(id)]),
    )
    assert.equal(await countIn(partner), 6)
    assert.equal(await countIn(partner, `?since_id=${seen[1]}`), 4)
    assert.equal(await countIn(partner, '?created_at_min=2000-01-01'), 6)
    assert.equal(await countIn(partner, '?created_at_max=2000-01-01'), 0)
    assert.deepEqual(await idsIn(partner, '/api/fulfillments.json?created_at_min=2000-01-01'), seen)
    assert.deepEqual(await idsIn(partner, '/api/fulfillments.json?created_at_max=2000-01-01'), [])
    assert.deepEqual(await idsIn(partner, '/api/fulfillments.json?limit=2&page=2'), seen.slice(2, 4))
    await ship(shops[0]!, seen[0]!)
    await ship(partner, seen[3]!)
    assert.deepEqual(await idsIn(partner, '/api/fulfillments/complete.json'), [seen[0], seen[3]])
    assert.deepEqual(await idsIn(partner, '/api/fulfillments/open.json'), [seen[1], seen[2], seen[4], seen[5]])
    assert.deepEqual(await idsIn(shops[0]!, '/api/fulfillments/complete.json'), [seen[0], seen[3]])
    assert.deepEqual(await idsIn(shops[2]!, '/api/fulfillments.json'), [seen[2], seen[5]])
  })

  test('pages through both kinds by key, each once', async () => {
    const partner = await service.openShop()
    const shop = await shopWith(partner)
    const all: number[] = []
    for (const owner of [shop, shop, partner, shop, partner, partner, shop])
      all.push((await anOrderOfGoods(service, owner)).id)
    const seen: number[] = []
    let path: string | undefined = '/api/fulfillments/open.json?limit=2'
    while (path !== undefined) {
      const page = await partner.get(path)
      seen.push(...page.body.fulfillments.map(({ id }: Wire) => id))
      path = /<(.*)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1]?.replace(service.url, '')
    }
    assert.deepEqual(seen, all)
  })

  test('ships for the owner, whose order and counts follow', async () => {
    const partner = await service.openShop()
    const shop = await shopWith(partner)
    const order = await anOrderOfGoods(service, shop)
    assert.deepEqual(await readFulfillment(partner, order.id), await readFulfillment(shop, order.id))
    const after = await ship(partner, order.id, { tracking_number: 'P-1' })
    assert.equal(after.owner_company, shop.companyId)
    assert.deepEqual(await readFulfillment(shop, order.id), after)
    const { fulfillment_status, fulfillments } = await readOrder(shop, order.id)
    assert.deepEqual([fulfillment_status, fulfillments.length], ['fulfilled', 1])
    const counts = async (of: Shop) => (await of.get('/api/orders/count.json?fulfillment_status=fulfilled')).body.count
    assert.deepEqual([await counts(shop), await counts(partner)], [1, 0])
    const undone = await partner.put(`/api/fulfillments/${order.id}.json`, { fulfillment: { status: 0 } })
    assert.equal(undone.status, 409)
  })

  test('sees nothing else of the order, the customer or the shop', async () => {
    const partner = await service.openShop()
    const shop = await shopWith(partner)
    const order = await anOrderOfGoods(service, shop)
    const closed = [
      `/api/orders/${order.id}.json`,
      `/api/customers/${order.customer.token}.json`,
      `/api/customers/${order.customer.token}/addresses.json`,
      `/api/products/${order.line_items[0].product_id}.json`,
      `/api/companies/${shop.companyId}.json`,
    ]
    for (const path of closed) assert.equal((await partner.get(path)).status, 404, path)
    assert.deepEqual((await partner.get('/api/orders.json')).body, { orders: [] })
    assert.equal((await partner.delete(`/api/orders/${order.id}.json`)).status, 404)
    const put = await partner.put(`/api/orders/${order.id}.json`, { order: { po_number: 'X' } })
    assert.equal(put.status, 404)
  })

  test('can try out shipping with a test order', async () => {
    const partner = await service.openShop()
    const shop = await shopWith(partner)
    const { id } = await anOrderOfGoods(service, shop, { test: true })
    assert.equal((await ship(partner, id)).status, 100)
    assert.equal((await readOrder(shop, id)).fulfillment_status, 'fulfilled')
  })

  test('no longer sees what was cancelled', async () => {
    const partner = await service.openShop()
    const shop = await shopWith(partner)
    const [gone, kept] = [await anOrderOfGoods(service, shop), await anOrderOfGoods(service, shop)]
    assert.equal(await countIn(partner), 2)
    await shop.delete(`/api/orders/${gone.id}.json`)
    assert.deepEqual(await idsIn(partner, '/api/fulfillments.json'), [kept.id])
    assert.deepEqual([await countIn(partner), await countIn(shop)], [1, 1])
    assert.equal((await partner.get(`/api/fulfillments/${gone.id}.json`)).status, 404)
    const put = await partner.put(`/api/fulfillments/${gone.id}.json`, { fulfillment: { status: 100 } })
    assert.equal(put.status, 404)
  })

  test('is that of the shipping method alone', async () => {
    const partner = await service.openShop()
    const stranger = await service.openShop()
    const shop = await service.openShop()
    await aShippingMethod(service, shop, { title: 'Own' })
    await aShippingMethod(service, shop, { title: 'Theirs', shipping_partner_id: partner.companyId })
    const own = await anOrderOfGoods(service, shop, { shipping_lines: [{ title: 'own' }] })
    const theirs = await anOrderOfGoods(service, shop, { shipping_lines: [{ title: 'THEIRS' }] })
    assert.deepEqual(await idsIn(partner, '/api/fulfillments.json'), [theirs.id])
    assert.deepEqual(await idsIn(stranger, '/api/fulfillments.json'), [])
    for (const [who, id] of [
      [partner, own.id],
      [stranger, own.id],
      [stranger, theirs.id],
    ] as const) {
      assert.equal((await who.get(`/api/fulfillments/${id}.json`)).status, 404)
      const put = await who.put(`/api/fulfillments/${id}.json`, { fulfillment: { status: 100 } })
      assert.deepEqual([put.status, put.body.code], [404, 'not_found'])
    }
    assert.equal((await readFulfillment(shop, own.id)).status, 0)
    // The partner of a company, which sells for it, ships nothing by that.
    const seller = await service.openShop({ partnerId: stranger.companyId })
    const sold = await anOrderOfGoods(service, seller)
    assert.equal((await stranger.get(`/api/fulfillments/${sold.id}.json`)).status, 404)
  })
})
