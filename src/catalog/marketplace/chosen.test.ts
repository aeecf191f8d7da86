import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readHiddenReasons } from '#catalog/products/lists/appearance.queries.ts'
import { anOffer, aPrice, aProduct, BUY, readProduct, type Wire } from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'
import { aBuyer, anOrder, order } from '#test/orders.ts'

const service = useService()
const THEME = 1

async function aFilmOf(shop: Shop, title: string): Promise<Wire> {
  const price = await aPrice(service, shop)
  return aProduct(shop, { title, price_license_binding: [{ license_id: BUY, price_id: price.id }] })
}

/** An owner whose film is offered to one company, and not to another. */
async function aScene() {
  const [owner, chosen, other] = [await service.openShop(), await service.openShop(), await service.openShop()]
  const film = await aFilmOf(owner, 'Salt House')
  const id = await anOffer(service, owner, { company_ids: [chosen.companyId] })
  return { owner, chosen, other, film, id }
}

const offerTo = (owner: Shop, id: number, company_ids: number[] | null) =>
  owner.put(`/api/market_offers/${id}.json`, { market_offer: { company_ids } })

/** Everything that a company can see of an offer. */
async function seenBy(shop: Shop, id: number, film: Wire) {
  const entries = await shop.get('/api/marketplace.json?total_count=true')
  const products = await shop.get('/api/market_products.json?total_count=true')
  const [ofEntry, one] = [
    await shop.get(`/api/marketplace/${id}.json`),
    await shop.get(`/api/market_products/${film.id}.json`),
  ]
  return {
    isListed: entries.body.marketplace.some(({ market_id }: Wire) => market_id === id),
    entries: entries.headers.get('total-count'),
    films: products.body.market_products.filter((each: Wire) => each.id === film.id).length,
    filtered: (await shop.get(`/api/market_products.json?market_id=${id}`)).body.market_products.length,
    products: products.headers.get('total-count'),
    statuses: [ofEntry.status, one.status],
  }
}

const takeAll = (shop: Shop, id: number) =>
  Promise.all(['add', 'activate'].map((how) => shop.post(`/api/marketplace/${id}/${how}.json`)))
const takeOne = (shop: Shop, film: Wire) =>
  Promise.all(['add', 'activate'].map((how) => shop.post(`/api/market_products/${film.id}/${how}.json`)))

async function isOnSale(shop: Shop, { id }: Wire): Promise<boolean> {
  const reasons = await readHiddenReasons(service.db, shop.companyId, [id], THEME, service.clock.now())
  return reasons.get(id) === null
}

async function standingOf(shop: Shop): Promise<string[]> {
  const { mirrored_products } = (await shop.get('/api/mirrored_products.json')).body
  return mirrored_products.map(({ standing }: Wire) => standing)
}

describe('an offer for chosen companies', () => {
  test('is seen and taken by these, and does not exist for others', async () => {
    const { owner, chosen, other, film, id } = await aScene()
    const hidden = await seenBy(other, id, film)
    assert.deepEqual(
      [hidden.isListed, hidden.films, hidden.filtered, hidden.statuses],
      [false, 0, 0, [404, 404]],
      'nothing leaks',
    )
    const seen = await seenBy(chosen, id, film)
    assert.deepEqual([seen.isListed, seen.films, seen.filtered, seen.statuses], [true, 1, 1, [200, 200]])
    assert.equal(Number(seen.entries) - Number(hidden.entries), 1)
    assert.equal(Number(seen.products) - Number(hidden.products), 1)
    // It cannot be told from one that never was.
    const unknown = await other.get(`/api/marketplace/${id + 1_000_000}.json`)
    const answer = await other.get(`/api/marketplace/${id}.json`)
    assert.equal(answer.body.reason, unknown.body.reason)
    for (const { status } of [...(await takeAll(other, id)), ...(await takeOne(other, film))]) assert.equal(status, 404)
    assert.deepEqual((await other.get('/api/mirrored_products.json')).body.mirrored_products, [])
    for (const { status } of await takeAll(chosen, id)) assert.equal(status, 201)
    // Its owner sees the entry as others see it.
    const own = await owner.get(`/api/marketplace/${id}.json`)
    assert.deepEqual([own.status, own.body.products.length], [200, 1])
    const { marketplace } = (await owner.get('/api/marketplace.json')).body
    assert.ok(marketplace.some(({ market_id }: Wire) => market_id === id))
  })

  test('ends for a company that is taken off the list, as if it were withdrawn, and for nobody else', async () => {
    const { owner, chosen, other, id } = await aScene()
    assert.equal((await offerTo(owner, id, [chosen.companyId, other.companyId])).status, 200)
    const [, mine] = await takeAll(chosen, id)
    const [, theirs] = await takeAll(other, id)
    const [mirror, kept] = [mine?.body.products[0], theirs?.body.products[0]]
    const buyer = await aBuyer(chosen)
    const sold = await anOrder(chosen, buyer, [mirror])
    assert.equal((await offerTo(owner, id, [other.companyId])).status, 200)
    // It is not sold from this moment on, before the worker has hidden it.
    assert.equal(await isOnSale(chosen, mirror), false)
    assert.deepEqual(await standingOf(chosen), ['ended'])
    const line_items = [{ product_id: mirror.product_id, quantity: 1 }]
    const refused = await order(chosen, { customer_token: buyer.token, line_items })
    assert.deepEqual([refused.status, refused.body.reason], [422, 'product_not_offered'], refused.text)
    await service.runJobs()
    const { published, valid } = await readProduct(chosen, mirror.id)
    assert.deepEqual([published, valid], [false, false])
    assert.equal((await chosen.get(`/api/orders/${sold.id}.json`)).body.order.line_items.length, 1)
    const again = await chosen.put(`/api/products/${mirror.id}.json`, { product: { published: true } })
    assert.equal(again.body.reason, 'product_no_longer_offered', again.text)
    assert.deepEqual([await isOnSale(other, kept), await standingOf(other)], [true, ['offered']])
    // The owner still sees who has taken something, and what was agreed.
    const { takers } = (await owner.get(`/api/market_offers/${id}/takers.json`)).body
    assert.deepEqual(
      takers.map((taker: Wire) => [taker.id, taker.published_count]),
      [
        [chosen.companyId, 0],
        [other.companyId, 1],
      ],
    )
    // Put on the list again, the company decides again.
    assert.equal((await offerTo(owner, id, null)).status, 200)
    await service.runJobs()
    const back = await readProduct(chosen, mirror.id)
    assert.deepEqual([back.published, back.valid], [false, true])
    assert.deepEqual(await standingOf(chosen), ['offered'])
  })

  test('is not taken by a company that is taken off the list at the same time', async () => {
    const { owner, chosen, other, film, id } = await aScene()
    const [taken] = await Promise.all([
      chosen.post(`/api/marketplace/${id}/activate.json`),
      offerTo(owner, id, [other.companyId]),
    ])
    assert.ok([201, 404].includes(taken.status), taken.text)
    await service.runJobs()
    const { mirrored_products: mirrors } = (await chosen.get('/api/mirrored_products.json')).body
    assert.deepEqual(
      mirrors.map(({ published, standing }: Wire) => [published, standing]),
      taken.status === 201 ? [[false, 'ended']] : [],
    )
    assert.equal((await chosen.get(`/api/market_products/${film.id}.json`)).status, 404)
  })

  test('names other companies that exist, each once, and can be for all again', async () => {
    const { owner, chosen, other, id, film } = await aScene()
    for (const [company_ids, field] of [
      [[], 'company_ids'],
      [[chosen.companyId, owner.companyId], 'company_ids[1]'],
      [[999_999_999], 'company_ids[0]'],
      [['Shop'], 'company_ids[0]'],
      [[null], 'company_ids[0]'],
      [Array.from({ length: 1001 }, () => chosen.companyId), 'company_ids'],
    ] as const) {
      const answer = await offerTo(owner, id, company_ids as never)
      assert.equal(answer.status, 422, answer.text)
      assert.deepEqual(Object.keys(answer.body.errors), [field])
    }
    const twice = await offerTo(owner, id, [other.companyId, chosen.companyId, other.companyId])
    assert.deepEqual(twice.body.market_offer.company_ids, [other.companyId, chosen.companyId])
    // A change of something else leaves them as they are.
    const changed = await owner.put(`/api/market_offers/${id}.json`, { market_offer: { cost_to_licensees_percent: 5 } })
    assert.deepEqual(changed.body.market_offer.company_ids, [other.companyId, chosen.companyId])
    assert.equal((await offerTo(owner, id, null)).body.market_offer.company_ids, null)
    assert.equal((await seenBy(await service.openShop(), id, film)).isListed, true)
  })
})

describe('GET /api/market_companies.json', () => {
  test('names those that the marketplace shows, and no others', async () => {
    const { owner, chosen, other, id } = await aScene()
    const companiesOf = async (shop: Shop): Promise<Map<number, string | null>> => {
      const { market_companies } = (await shop.get('/api/market_companies.json?limit=250')).body
      return new Map(market_companies.map(({ id: company, company_name }: Wire) => [company, company_name]))
    }
    const nameOf = async (shop: Shop) =>
      (await shop.get(`/api/companies/${shop.companyId}.json`)).body.company.company_name
    // One that is named, but neither offers nor takes anything, keeps its name to itself.
    const before = await companiesOf(owner)
    assert.deepEqual([before.get(chosen.companyId), before.has(other.companyId)], [null, false])
    assert.equal(before.has(owner.companyId), false)
    await takeAll(chosen, id)
    assert.equal((await companiesOf(owner)).get(chosen.companyId), await nameOf(chosen))
    await aFilmOf(other, 'Polar Night')
    const theirs = await anOffer(service, other, { company_ids: [chosen.companyId] })
    assert.equal((await companiesOf(owner)).has(other.companyId), false)
    assert.equal((await companiesOf(chosen)).get(other.companyId), await nameOf(other))
    assert.equal((await offerTo(other, theirs, null)).status, 200)
    assert.equal((await companiesOf(owner)).get(other.companyId), await nameOf(other))
  })
})
