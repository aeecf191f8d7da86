import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ownerPage } from '#test/admin.ts'
import { ask, contentOf } from '#test/entitlements.ts'
import type { Wire } from '#test/factories.ts'
import { useService } from '#test/harness.ts'
import { aBuyer, aFilm, anOrder, someGoods } from '#test/orders.ts'

const service = useService()

async function anOrderOfBoth() {
  const shop = await service.openShop()
  const [film, mug] = [await aFilm(service, shop), await someGoods(service, shop)]
  const customer = await aBuyer(shop)
  const order = await anOrder(shop, customer, [film, mug])
  return { shop, customer, order, page: await ownerPage(service, shop) }
}

const kindsOf = (timeline: Wire[]) => timeline.map(({ kind }) => kind)

describe('the timeline of an order', () => {
  test('tells what happened, oldest first, and who did it', async () => {
    const { shop, customer, order, page } = await anOrderOfBoth()
    const { timeline: before } = (await page.get(`/orders/${order.id}/timeline.json`)).body
    assert.deepEqual(kindsOf(before), ['placed', 'paid'])
    assert.equal(before[0].by, 'app')

    service.clock.advance(60)
    const owner = await shop.asUser(shop.userId)
    const [content] = await contentOf(owner, customer)
    await ask(owner, 'use', content?.id, { action: 'download', device: 'tv' })
    service.clock.advance(60)
    const shipped = { fulfillment: { status: 100, tracking_number: 'DHL-77' } }
    assert.equal((await page.put(`/fulfillments/${order.id}.json`, shipped)).status, 200)
    service.clock.advance(60)
    const refund = { refund: { amount: 100, note: 'Late' } }
    assert.equal((await page.post(`/orders/${order.id}/refunds.json`, refund)).status, 201)
    service.clock.advance(60)
    assert.equal((await page.post(`/orders/${order.id}/notes.json`, { note: { text: ' Called. ' } })).status, 201)
    service.clock.advance(60)
    assert.equal((await page.delete(`/orders/${order.id}.json`)).status, 200)

    const { timeline } = (await page.get(`/orders/${order.id}/timeline.json`)).body
    assert.deepEqual(kindsOf(timeline), [
      'placed',
      'paid',
      'first_used',
      'downloaded',
      'shipped',
      'refunded',
      'note',
      'cancelled',
    ])
    const of = (kind: string) => timeline.find((entry: Wire) => entry.kind === kind)
    assert.deepEqual([of('shipped').text, of('refunded').amount, of('refunded').text], ['DHL-77', 100, 'Late'])
    assert.deepEqual([of('downloaded').by, of('downloaded').text], ['customer', content?.title])
    assert.equal(of('note').text, 'Called.')
    for (const kind of ['shipped', 'refunded', 'note', 'cancelled'])
      assert.deepEqual([of(kind).by, typeof of(kind).name], ['user', 'string'], kind)
  })

  test('does not tell apps the names of users, and strangers nothing', async () => {
    const { shop, order, page } = await anOrderOfBoth()
    await page.post(`/orders/${order.id}/notes.json`, { note: { text: 'Mine' } })
    const { timeline } = (await shop.get(`/api/orders/${order.id}/timeline.json`)).body
    const note = timeline.find(({ kind }: Wire) => kind === 'note')
    assert.deepEqual([note.by, note.name], ['user', null])
    const stranger = await service.openShop()
    assert.equal((await stranger.get(`/api/orders/${order.id}/timeline.json`)).status, 404)
  })
})

describe('notes of an order', () => {
  test('are deleted one by one, and refused if they say nothing', async () => {
    const { shop, order } = await anOrderOfBoth()
    const path = `/api/orders/${order.id}/notes`
    const add = (text: unknown) => shop.post(`${path}.json`, { note: { text } })
    const { note } = (await add('One')).body
    for (const text of ['', '   ', null, 7 > 8, '\0', 'x'.repeat(5001)]) assert.equal((await add(text)).status, 422)
    assert.equal((await shop.delete(`${path}/${note.id}.json`)).status, 200)
    assert.equal((await shop.delete(`${path}/${note.id}.json`)).status, 404)
    assert.deepEqual((await shop.get(`${path}.json`)).body.notes, [])
  })
})
