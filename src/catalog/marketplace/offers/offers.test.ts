import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { aCategory, anOffer, aPrice, aProduct, BUY, type Wire } from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'
import { aMember } from '#test/people.ts'

const service = useService()

const create = (shop: Shop, market_offer: object) => shop.post('/api/market_offers.json', { market_offer })
const change = (shop: Shop, id: number, market_offer: object, headers?: Record<string, string>) =>
  shop.put(`/api/market_offers/${id}.json`, { market_offer }, headers)

async function offersOf(shop: Shop): Promise<Wire[]> {
  return (await shop.get('/api/market_offers.json')).body.market_offers
}

describe('an own offer', () => {
  test('is made, read, changed and withdrawn', async () => {
    const shop = await service.openShop()
    assert.deepEqual(await offersOf(shop), [])
    const made = await create(shop, { cost_to_licensees_percent: 12.5 })
    assert.equal(made.status, 201, made.text)
    const offer = made.body.market_offer
    const [first] = (await shop.get('/api/themesettings.json')).body.ThemeSettings
    assert.deepEqual(
      [offer.cost_to_licensees_percent, offer.category_ids, offer.theme_setting_id],
      [12.5, null, first.id],
    )
    assert.deepEqual(await offersOf(shop), [offer])
    const category = await aCategory(shop)
    const changed = await change(shop, offer.id, { category_ids: [category.id] })
    assert.deepEqual(changed.body.market_offer.category_ids, [category.id])
    assert.equal(changed.body.market_offer.cost_to_licensees_percent, 12.5)
    const read = await shop.get(`/api/market_offers/${offer.id}.json`)
    assert.deepEqual(read.body, changed.body)
    assert.equal((await shop.delete(`/api/market_offers/${offer.id}.json`)).status, 200)
    assert.deepEqual(await offersOf(shop), [])
    assert.equal((await shop.get(`/api/market_offers/${offer.id}.json`)).status, 404)
    assert.equal((await shop.delete(`/api/market_offers/${offer.id}.json`)).status, 404)
    assert.equal((await create(shop, { cost_to_licensees_percent: 5 })).status, 201)
  })

  test('is refused with what is wrong, all at once', async () => {
    const [shop, other] = [await service.openShop(), await service.openShop()]
    const theirs = await aCategory(other)
    for (const [market_offer, fields] of [
      [{}, ['cost_to_licensees_percent']],
      [{ cost_to_licensees_percent: 101 }, ['cost_to_licensees_percent']],
      [{ cost_to_licensees_percent: 'much' }, ['cost_to_licensees_percent']],
      [{ cost_to_licensees_percent: 33.333 }, ['cost_to_licensees_percent']],
      [{ cost_to_licensees_percent: 10, category_ids: [] }, ['category_ids']],
      [{ cost_to_licensees_percent: 10, category_ids: [theirs.id] }, ['category_ids[0]']],
      [{ cost_to_licensees_percent: 10, theme_setting_id: 1 }, ['theme_setting_id']],
    ] as const) {
      const answer = await create(shop, market_offer)
      assert.equal(answer.status, 422, JSON.stringify(market_offer))
      assert.deepEqual(Object.keys(answer.body.errors), fields, answer.text)
    }
    assert.deepEqual(await offersOf(shop), [])
  })

  test('is one at most, also if two are made at once', async () => {
    const shop = await service.openShop()
    const answers = await Promise.all([1, 2, 3].map((percent) => create(shop, { cost_to_licensees_percent: percent })))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409])
    assert.equal((await offersOf(shop)).length, 1)
  })

  test('is not overwritten by somebody who has read an older one', async () => {
    const shop = await service.openShop()
    const { id } = (await create(shop, { cost_to_licensees_percent: 10 })).body.market_offer
    const etag = (await shop.get(`/api/market_offers/${id}.json`)).headers.get('etag') ?? ''
    assert.equal((await change(shop, id, { cost_to_licensees_percent: 20 }, { 'if-match': etag })).status, 200)
    assert.equal((await change(shop, id, { cost_to_licensees_percent: 30 }, { 'if-match': etag })).status, 412)
  })

  test('is for those who manage products', async () => {
    const shop = await service.openShop()
    const member = await aMember(service, shop)
    await shop.put(`/api/users/${member.id}.json`, { user: { permissions: { request_products: 0 } } })
    const limited = await shop.asUser(member.id)
    assert.equal((await create(limited, { cost_to_licensees_percent: 10 })).status, 403)
  })
})

describe('the companies that sell what is offered', () => {
  test('are told to the owner alone, with the shares that were agreed', async () => {
    const [owner, buyer, stranger] = [await service.openShop(), await service.openShop(), await service.openShop()]
    const price = await aPrice(service, owner)
    const film = (title: string) =>
      aProduct(owner, { title, price_license_binding: [{ license_id: BUY, price_id: price.id }] })
    const first = await film('One')
    const id = await anOffer(service, owner, { cost_to_licensees_percent: 30 })
    await buyer.post(`/api/market_products/${first.id}/activate.json`)
    await anOffer(service, owner, { cost_to_licensees_percent: 40 })
    await buyer.post(`/api/market_products/${(await film('Two')).id}/add.json`)
    const { company_name } = (await buyer.get(`/api/companies/${buyer.companyId}.json`)).body.company
    assert.deepEqual((await owner.get(`/api/market_offers/${id}/takers.json`)).body.takers, [
      {
        id: buyer.companyId,
        company_name,
        product_count: 2,
        published_count: 1,
        percent_min: 30,
        percent_max: 40,
      },
    ])
    for (const shop of [buyer, stranger])
      assert.equal((await shop.get(`/api/market_offers/${id}/takers.json`)).status, 404)
  })
})
