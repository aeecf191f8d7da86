import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { anOffer, aPrice, aProduct, BUY, usePictureHost, type Wire } from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'

const service = useService()
const host = usePictureHost()

/** A film and its mirror, shown in both shops. */
async function aPair() {
  const [owner, buyer] = [await service.openShop(), await service.openShop()]
  const price = await aPrice(service, owner)
  const film = await aProduct(owner, { price_license_binding: [{ license_id: BUY, price_id: price.id }] })
  const marketId = await anOffer(service, owner, { cost_to_licensees_percent: 30 })
  const [mirror] = (await buyer.post(`/api/marketplace/${marketId}/activate.json`)).body.products
  return { owner, buyer, film, mirror, marketId }
}

async function mirrorsOf(shop: Shop, query = ''): Promise<Wire[]> {
  const answer = await shop.get(`/api/mirrored_products.json${query}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.mirrored_products
}

async function change(owner: Shop, film: Wire, product: object): Promise<void> {
  assert.equal((await owner.put(`/api/products/${film.id}.json`, { product })).status, 200)
  await service.runJobs()
}

describe('GET /api/mirrored_products.json', () => {
  test('shows what a company sells for others, and to nobody else', async () => {
    const { owner, buyer, mirror, film } = await aPair()
    const { company_name } = (await owner.get(`/api/companies/${owner.companyId}.json`)).body.company
    const [shown, ...others] = await mirrorsOf(buyer)
    assert.deepEqual(others, [])
    const { taken_at, ...rest } = shown
    assert.match(taken_at, /^\d{4}-/)
    assert.deepEqual(rest, {
      id: mirror.id,
      product_id: mirror.product_id,
      title: film.title,
      product_type: film.product_type,
      src: '',
      published: true,
      standing: 'offered',
      company_name,
      cost_to_licensees_percent: 30,
      offered_percent: 30,
      changed_at: null,
      changes: [],
    })
    assert.deepEqual(await mirrorsOf(owner), [])
  })

  test('tells what the owner changed, and keeps the share that was agreed', async () => {
    const { owner, buyer, film } = await aPair()
    await change(owner, film, { title: 'Renamed' })
    const [renamed] = await mirrorsOf(buyer)
    assert.deepEqual([renamed.title, renamed.changes], ['Renamed', ['texts']])
    assert.match(renamed.changed_at, /^\d{4}-/)
    await change(owner, film, { preview_pictures: [{ src: host.url('/new.png') }], published_at: '2030-01-01' })
    assert.deepEqual((await mirrorsOf(buyer))[0]?.changes, ['pictures', 'release', 'texts'])
    await anOffer(service, owner, { cost_to_licensees_percent: 45 })
    const [dearer] = await mirrorsOf(buyer)
    assert.deepEqual([dearer.cost_to_licensees_percent, dearer.offered_percent], [30, 45])
  })

  test('does not call it a change of the owner if the company itself hides it', async () => {
    const { buyer, mirror } = await aPair()
    await buyer.put(`/api/products/${mirror.id}.json`, { product: { published: false } })
    await service.runJobs()
    const [hidden] = await mirrorsOf(buyer)
    assert.deepEqual([hidden.published, hidden.standing, hidden.changed_at], [false, 'offered', null])
  })

  test('tells what is held back from what has ended', async () => {
    const { owner, buyer, film, marketId } = await aPair()
    await change(owner, film, { published: false })
    const [held] = await mirrorsOf(buyer)
    assert.deepEqual([held.standing, held.published, held.changes], ['held_back', true, ['offer']])
    await change(owner, film, { published: true })
    assert.equal((await mirrorsOf(buyer))[0]?.standing, 'offered')
    assert.equal((await owner.delete(`/api/market_offers/${marketId}.json`)).status, 200)
    // Nothing can be sold from that moment on, even before the mirrors have followed.
    assert.equal((await mirrorsOf(buyer))[0]?.standing, 'ended')
    await service.runJobs()
    const [ended] = await mirrorsOf(buyer)
    assert.deepEqual([ended.standing, ended.published, ended.offered_percent], ['ended', false, null])
  })

  test('is narrowed by words and by what became of them', async () => {
    const { owner, buyer, film, mirror } = await aPair()
    const idsOf = async (query: string) => (await mirrorsOf(buyer, query)).map(({ id }) => id)
    assert.deepEqual(await idsOf('?state=shown'), [mirror.id])
    assert.deepEqual(await idsOf('?state=hidden'), [])
    assert.deepEqual(await idsOf('?state=not_offered'), [])
    assert.deepEqual(await idsOf('?q=nothing'), [])
    await buyer.put(`/api/products/${mirror.id}.json`, { product: { published: false } })
    assert.deepEqual(await idsOf('?state=hidden'), [mirror.id])
    await owner.delete(`/api/products/${film.id}.json`)
    assert.deepEqual(await idsOf('?state=not_offered'), [mirror.id])
    assert.equal((await mirrorsOf(buyer))[0]?.standing, 'ended')
    assert.equal((await buyer.get('/api/mirrored_products.json?state=x')).status, 422)
  })
})
