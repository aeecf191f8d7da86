import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { useService } from '#test/harness.ts'
import { aBuyer, aFilm, anOrder, someGoods } from '#test/orders.ts'
import { textsOf } from '#test/pdf-text.ts'

const service = useService()

async function read(path: string, token: string): Promise<{ status: number; type: string | null; texts: string[] }> {
  const answer = await fetch(`${service.url}${path}`, { headers: { authorization: `Bearer ${token}` } })
  const body = Buffer.from(await answer.arrayBuffer())
  return { status: answer.status, type: answer.headers.get('content-type'), texts: textsOf(body) }
}

async function twoParcels() {
  const shop = await service.openShop()
  const mug = await someGoods(service, shop, undefined, { title: 'Ferry mug' })
  const film = await aFilm(service, shop, 1190, { title: 'Salt House' })
  const buyer = await aBuyer(shop, 'DE', { language: 'de' })
  const first = await anOrder(shop, buyer, [film, { product_id: mug.product_id, quantity: 3 }])
  return { shop, film, buyer, mug, first, second: await anOrder(shop, buyer, [mug]) }
}

describe('a packing slip', () => {
  test('says where the goods go and how many of them, in the language of the customer, and no price', async () => {
    const { shop, first } = await twoParcels()
    const { status, type, texts } = await read(`/api/fulfillments/${first.id}/packing_slip.pdf`, shop.token)
    assert.deepEqual([status, type], [200, 'application/pdf'])
    const all = texts.join('\n')
    for (const said of [
      `Lieferschein #${first.id}`,
      'Jane Roe',
      'Main Street 1',
      '10115 Town',
      'Ferry mug',
      '3',
      '4006381333931',
    ])
      assert.ok(all.includes(said), `${said} in ${all}`)
    assert.ok(!/Salt House|€|EUR|23,80|71,40/.test(all), all)
  })

  test('leaves out what was refunded', async () => {
    const { shop, first } = await twoParcels()
    const line = first.line_items.find(({ title }: { title: string }) => title === 'Ferry mug')
    const refund = { refund_line_items: [{ line_item_id: line.id, quantity: 1 }] }
    assert.equal((await shop.post(`/api/orders/${first.id}/refunds.json`, { refund })).status, 201)
    const { texts } = await read(`/api/fulfillments/${first.id}/packing_slip.pdf`, shop.token)
    assert.equal(texts.at(-1), '2')
  })

  test('is one of several in one document, in the order in which they are asked for', async () => {
    const { shop, first, second } = await twoParcels()
    const { texts } = await read(`/api/fulfillments/${second.id},${first.id},${second.id}/packing_slip.pdf`, shop.token)
    const titles = texts.filter((text) => text.startsWith('Lieferschein'))
    assert.deepEqual(titles, [`Lieferschein #${second.id}`, `Lieferschein #${first.id}`])
  })

  test('is not there for orders without goods, for others, nor for anything else', async () => {
    const { shop, film, buyer, first } = await twoParcels()
    const digital = await anOrder(shop, buyer, [film])
    const stranger = await service.openShop()
    const many = Array.from({ length: 51 }, (_, place) => place + 1).join(',')
    for (const ids of [digital.id, `${first.id},${digital.id}`, 'x', `${first.id},`, many])
      assert.equal((await read(`/api/fulfillments/${ids}/packing_slip.pdf`, shop.token)).status, 404, String(ids))
    assert.equal((await read(`/api/fulfillments/${first.id}/packing_slip.pdf`, stranger.token)).status, 404)
  })
})
