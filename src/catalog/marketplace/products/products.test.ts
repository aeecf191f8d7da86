import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { aCategory, anOffer, aPrice, aProduct, BUY, type Wire } from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'

const service = useService()

type Market = { owner: Shop; buyer: Shop; films: Wire[]; marketId: number }

/** An owner with films of a word that no other test uses, and a company that looks for some. */
async function aMarket(word: string, count = 2): Promise<Market> {
  const [owner, buyer] = [await service.openShop(), await service.openShop()]
  const price = await aPrice(service, owner, { currencies: [{ currency: 'eur', price: 1499 }] })
  const films: Wire[] = []
  for (let number = 1; number <= count; number += 1)
    films.push(
      await aProduct(owner, {
        product_type: number === 1 ? 1 : 16,
        title: `${word} ${number}`,
        comment: 'Ask Jane',
        locales: [
          { language_id: 'en', title: `${word} ${number}`, description: '<p>In English.</p>' },
          { language_id: 'de', title: `${word} auf Deutsch`, description: '<p>Auf Deutsch.</p>' },
        ],
        price_license_binding: [{ license_id: BUY, price_id: price.id }],
      }),
    )
  return { owner, buyer, films, marketId: await anOffer(service, owner, { cost_to_licensees_percent: 30 }) }
}

async function found(shop: Shop, query: string): Promise<Wire[]> {
  const answer = await shop.get(`/api/market_products.json${query}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.market_products
}

describe('GET /api/market_products.json', () => {
  test('shows what others offer, with terms, share and what was taken, and nothing private', async () => {
    const { buyer, films, marketId, owner } = await aMarket('Heather')
    const [film, book] = films
    assert.ok(film && book)
    const [first, second, ...others] = await found(buyer, '?q=heather')
    assert.ok(first && second && others.length === 0)
    const { company_name } = (await owner.get(`/api/companies/${owner.companyId}.json`)).body.company
    assert.deepEqual(first, {
      id: film.id,
      market_id: marketId,
      company_name,
      cost_to_licensees_percent: 30,
      title: 'Heather 1',
      version: '',
      product_type: 1,
      published_at: film.published_at,
      description: '<p>In English.</p>',
      src: '',
      pictures: [],
      terms: [{ license: first.terms[0].license, prices: [{ amount: 1499, currency: 'EUR' }] }],
      mirror: null,
    })
    assert.match(String(first.terms[0]?.license), /^\w/)
    assert.equal(second.id, book.id)
    assert.deepEqual(await found(owner, '?q=heather'), [])
  })

  test('speaks the language of the company that reads', async () => {
    const { buyer } = await aMarket('Gorse')
    await buyer.put(`/api/companies/${buyer.companyId}.json`, { company: { language: 'de' } })
    const [first] = await found(buyer, '?q=gorse')
    assert.deepEqual([first.title, first.description], ['Gorse auf Deutsch', '<p>Auf Deutsch.</p>'])
  })

  test('is narrowed by words, type and entry', async () => {
    const { buyer, films, marketId } = await aMarket('Bracken')
    const other = await aMarket('Bracken', 1)
    const idsOf = async (query: string) => (await found(buyer, query)).map(({ id }) => id)
    assert.deepEqual(
      await idsOf('?q=brack'),
      [...films, ...other.films].map(({ id }) => id).sort((a, b) => a - b),
    )
    assert.deepEqual(await idsOf(`?q=brack&product_type=16`), [films[1].id])
    assert.deepEqual(
      await idsOf(`?market_id=${marketId}`),
      films.map(({ id }) => id),
    )
    assert.deepEqual(await idsOf('?q=brack%20missing'), [])
    assert.deepEqual(await idsOf(`?market_id=${marketId}&sort=-id&limit=1`), [films[1].id])
    const counted = await buyer.get(`/api/market_products.json?market_id=${marketId}&limit=1&total_count=1`)
    assert.equal(counted.headers.get('total-count'), '2')
    assert.equal((await buyer.get('/api/market_products.json?market_id=x')).status, 422)
  })

  test('leaves out what the owner holds back, and companies that are disabled', async () => {
    const { buyer, owner, films, marketId } = await aMarket('Furze')
    await owner.put(`/api/products/${films[0].id}.json`, { product: { published: false } })
    assert.deepEqual(
      (await found(buyer, '?q=furze')).map(({ id }) => id),
      [films[1].id],
    )
    const category = await aCategory(owner)
    await anOffer(service, owner, { category_ids: [category.id] })
    assert.deepEqual(await found(buyer, '?q=furze'), [])
    await anOffer(service, owner, { category_ids: null })
    const { db } = service
    const disable = (company_disabled: boolean) =>
      db.updateTable('companies').set({ company_disabled }).where('id', '=', owner.companyId).execute()
    await disable(true)
    assert.deepEqual(await found(buyer, `?market_id=${marketId}`), [])
    await disable(false)
  })
})

describe('GET /api/market_products/{id}.json', () => {
  test('is one of them; the own ones and those of nobody are not found', async () => {
    const { owner, buyer, films } = await aMarket('Sedge')
    const [film] = films
    const { body } = await buyer.get(`/api/market_products/${film.id}.json`)
    assert.deepEqual([body.market_product], await found(buyer, '?q=sedge%201'))
    for (const [shop, ref] of [
      [owner, film.id],
      [buyer, 0],
      [buyer, 'x'],
      [buyer, '9'.repeat(15)],
      [buyer, '9'.repeat(40)],
    ] as const) {
      const answer = await shop.get(`/api/market_products/${ref}.json`)
      assert.deepEqual([answer.status, answer.body.reason], [404, 'market_product_not_found'], String(ref))
    }
  })
})

describe('POST /api/market_products/{id}/add.json and activate.json', () => {
  test('take one product, hidden or shown, and never twice', async () => {
    const { buyer, films } = await aMarket('Rush')
    const [film] = films
    const added = await buyer.post(`/api/market_products/${film.id}/add.json`)
    assert.equal(added.status, 201, added.text)
    assert.deepEqual([added.body.added, added.body.products.length, added.body.products[0].published], [1, 1, false])
    assert.equal((await buyer.get('/api/products/count.json')).body.count, 1)
    const [{ mirror }] = await found(buyer, '?q=rush%201')
    assert.deepEqual(mirror, { id: added.body.products[0].id, published: false })
    const shown = await buyer.post(`/api/market_products/${film.id}/activate.json`)
    assert.deepEqual(shown.body, {
      products: [{ ...added.body.products[0], published: true }],
      added: 0,
    })
    const both = await Promise.all([1, 2].map(() => buyer.post(`/api/market_products/${films[1].id}/activate.json`)))
    assert.deepEqual(both.map(({ body }) => body.added).sort(), [0, 1])
  })

  test('refuse what is not offered, and a user without the permission', async () => {
    const { owner, buyer, films } = await aMarket('Thrift')
    const [film] = films
    assert.equal((await owner.post(`/api/market_products/${film.id}/add.json`)).status, 404)
    await owner.put(`/api/products/${film.id}.json`, { product: { published: false } })
    const answer = await buyer.post(`/api/market_products/${film.id}/add.json`)
    assert.deepEqual([answer.status, answer.body.reason], [404, 'market_product_not_found'])
    assert.equal((await buyer.get('/api/products/count.json')).body.count, 0)
  })
})
