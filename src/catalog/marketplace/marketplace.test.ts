import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { inTransaction } from '#platform/db/transaction.ts'
import { proveDomains } from '#test/domains.ts'
import { aCategory, anOffer, aPrice, aProduct, aThemeSetting, BUY, type Wire } from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'
import { changeOffer, offerProducts, withdrawOffer } from './commands.ts'
import { OfferedProduct, type OfferInput } from './schema.ts'

const service = useService()
const now = () => service.clock.now()

/** A product with everything that it takes to appear. */
async function aFilm(shop: Shop, attributes: object = {}): Promise<Wire> {
  const price = await aPrice(service, shop)
  return aProduct(shop, { price_license_binding: [{ license_id: BUY, price_id: price.id }], ...attributes })
}

async function entryOf(shop: Shop, marketId: number): Promise<Wire> {
  const { status, body } = await shop.get('/api/marketplace.json')
  assert.equal(status, 200)
  return body.marketplace.find(({ market_id }: Wire) => market_id === marketId)
}

async function offered(shop: Shop, marketId: number): Promise<Wire[]> {
  const answer = await shop.get(`/api/marketplace/${marketId}.json`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.products
}

const offer = (shop: Shop, input: OfferInput) =>
  inTransaction(service.db, (tx) => offerProducts(tx, shop, input, now()))
const change = (shop: Shop, input: OfferInput) => inTransaction(service.db, (tx) => changeOffer(tx, shop, input, now()))
const withdraw = (shop: Shop) => inTransaction(service.db, (tx) => withdrawOffer(tx, shop, now()))

describe('GET /api/marketplace.json', () => {
  test('shows an entry with every field to every company, in the language of the owner', async () => {
    const [owner, stranger] = [await service.openShop(), await service.openShop()]
    await owner.put(`/api/companies/${owner.companyId}.json`, {
      company: { company_name: 'Films & Co', language: 'de' },
    })
    const locales = [
      { language_id: 'en', shop_name: 'Films', shop_description: 'All of them.' },
      { language_id: 'de', shop_name: 'Filme', shop_description: 'Alle.' },
    ]
    const icon = 'https://example.com/icon.png'
    const vanity = `films-${owner.companyId}`
    const shop = await aThemeSetting(owner, { locales, shop_icon: icon, vanity_domain: vanity })
    await aFilm(owner)
    const marketId = await anOffer(service, owner, { theme_setting_id: shop.id, cost_to_licensees_percent: 12.5 })
    const expected = {
      market_id: marketId,
      company_name: 'Films & Co',
      company_logo: icon,
      shop_name: 'Filme',
      shop_description: 'Alle.',
      shop_icon: icon,
      shop_url: `http://${vanity}.localhost:${new URL(service.url).port}/`,
      product_count: 1,
      cost_to_licensees_percent: 12.5,
    }
    assert.deepEqual(await entryOf(stranger, marketId), expected)
    assert.deepEqual(await entryOf(owner, marketId), expected)
  })

  test('shows another shop when its own is deleted, and none when there is none', async () => {
    const owner = await service.openShop()
    const shop = await aThemeSetting(owner, { shop_domain: `films-${owner.companyId}.example.com` })
    const marketId = await anOffer(service, owner, { theme_setting_id: shop.id })
    assert.match((await entryOf(owner, marketId)).shop_url, new RegExp(`^http://${shop.id}\\.localhost:`))
    await proveDomains(service, owner, `films-${owner.companyId}.example.com`)
    assert.equal((await entryOf(owner, marketId)).shop_url, `http://films-${owner.companyId}.example.com/`)
    await owner.delete(`/api/themesettings/${shop.id}.json`)
    const [first] = (await owner.get('/api/themesettings.json')).body.ThemeSettings
    assert.match((await entryOf(owner, marketId)).shop_url, new RegExp(`^http://${first.id}\\.localhost:`))
    await owner.delete(`/api/themesettings/${first.id}.json`)
    const { shop_url, shop_name, company_name } = await entryOf(owner, marketId)
    assert.deepEqual([shop_url, shop_name], ['', company_name])
  })

  test('counts what is offered now', async () => {
    const owner = await service.openShop()
    const film = await aFilm(owner)
    await aProduct(owner)
    const marketId = await anOffer(service, owner)
    assert.equal((await entryOf(owner, marketId)).product_count, 1)
    await owner.put(`/api/products/${film.id}.json`, { product: { published: false } })
    assert.equal((await entryOf(owner, marketId)).product_count, 0)
  })

  test('takes pages and fields', async () => {
    const [one, other] = [await service.openShop(), await service.openShop()]
    const first = await anOffer(service, one)
    const second = await anOffer(service, other)
    const { body, headers } = await one.get(`/api/marketplace.json?since_id=${first - 1}&limit=1&fields=market_id`)
    assert.deepEqual(body, { marketplace: [{ market_id: first }] })
    const next = /<[^>]*?(\/api[^>]*)>/.exec(headers.get('link') ?? '')?.[1] ?? ''
    assert.deepEqual((await one.get(next)).body.marketplace, [{ market_id: second }])
  })
})

describe('GET /api/marketplace/{market_id}.json', () => {
  test('shows the products without what is the own business of their owner', async () => {
    const [owner, stranger] = [await service.openShop(), await service.openShop()]
    const film = await aFilm(owner, {
      title: 'The Long Way Home',
      comment: 'Bought for 3 euros',
      supplier: 'S-77',
      locales: [{ language_id: 'en', title: 'Home', email_text: 'Secret link' }],
    })
    const [shown, ...more] = await offered(stranger, await anOffer(service, owner))
    assert.deepEqual(more, [])
    assert.deepEqual(Object.keys(shown), Object.keys(OfferedProduct.properties))
    assert.doesNotMatch(JSON.stringify(shown), /Bought for|S-77|Secret link/)
    const { locales, ...rest } = shown
    const [{ email_text: _text, ...locale }] = film.locales
    assert.deepEqual(locales, [locale])
    for (const [name, value] of Object.entries(rest)) assert.deepEqual(value, film[name], name)
    for (const name of ['comment', 'supplier', 'attribute_set_id', 'categories', 'groups', 'themes', 'items_in_stock'])
      assert.ok(!(name in shown), name)
    assert.equal(shown.title, 'The Long Way Home')
  })

  test('shows the products of the named categories only, and of enabled ones', async () => {
    const owner = await service.openShop()
    const [films, books] = [await aCategory(owner), await aCategory(owner)]
    const inFilms = await aFilm(owner, { categories: [{ category_id: films.id }] })
    const inBooks = await aFilm(owner, { categories: [{ category_id: books.id }] })
    const inNone = await aFilm(owner)
    const marketId = await anOffer(service, owner)
    const ids = async () => (await offered(owner, marketId)).map(({ id }) => id)
    assert.deepEqual(await ids(), [inFilms.id, inBooks.id, inNone.id])
    await change(owner, { category_ids: [films.id] })
    assert.deepEqual(await ids(), [inFilms.id])
    await owner.put(`/api/categories/${films.id}.json`, { category: { enabled: false } })
    assert.deepEqual(await ids(), [])
    await change(owner, { category_ids: null })
    assert.deepEqual(await ids(), [inBooks.id, inNone.id])
  })

  test('answers 404 for an entry that is unknown or withdrawn, and 200 for one without products', async () => {
    const [owner, stranger] = [await service.openShop(), await service.openShop()]
    const marketId = await anOffer(service, owner)
    assert.deepEqual(await offered(stranger, marketId), [])
    await withdraw(owner)
    for (const ref of [marketId, 0, -1, 999_999_999, 'abc', '9223372036854775808', '%00']) {
      for (const [verb, tail] of [
        ['get', ''],
        ['post', '/add'],
        ['post', '/activate'],
      ] as const) {
        const answer = await stranger[verb](`/api/marketplace/${ref}${tail}.json`)
        assert.deepEqual([answer.status, answer.body.code], [404, 'not_found'], `${verb} ${ref}${tail}`)
      }
    }
    assert.equal(await entryOf(stranger, marketId), undefined)
  })
})

describe('an offer', () => {
  const refusals: [string, (own: Wire, foreign: Wire) => OfferInput, string[]][] = [
    ['without a percentage', () => ({}), ['cost_to_licensees_percent']],
    ['below nothing', () => ({ cost_to_licensees_percent: -0.01 }), ['cost_to_licensees_percent']],
    ['above everything', () => ({ cost_to_licensees_percent: 100.01 }), ['cost_to_licensees_percent']],
    ['of no number', () => ({ cost_to_licensees_percent: Number.NaN }), ['cost_to_licensees_percent']],
    ['too exact', () => ({ cost_to_licensees_percent: 33.333 }), ['cost_to_licensees_percent']],
    [
      'with the shop of another company',
      (_own, { shop }) => ({ cost_to_licensees_percent: 1, theme_setting_id: shop }),
      ['theme_setting_id'],
    ],
    [
      'with the category of another company',
      ({ category: own }, { category }) => ({ cost_to_licensees_percent: 1, category_ids: [own, category] }),
      ['category_ids[1]'],
    ],
    ['of no category', () => ({ cost_to_licensees_percent: 1, category_ids: [] }), ['category_ids']],
  ]
  for (const [name, input, blamed] of refusals) {
    test(`${name} is refused, and nothing is offered`, async () => {
      const thingsOf = async (shop: Shop) => ({
        shop: (await aThemeSetting(shop)).id,
        category: (await aCategory(shop)).id,
      })
      const [owner, other] = [await service.openShop(), await service.openShop()]
      const refused = offer(owner, input(await thingsOf(owner), await thingsOf(other)))
      await assert.rejects(refused, (problem: Wire) => {
        assert.deepEqual([problem.status, Object.keys(problem.fields)], [422, blamed])
        return true
      })
      const found = await service.db
        .selectFrom('market_offers')
        .select('id')
        .where('company_id', '=', owner.companyId)
        .execute()
      assert.deepEqual(found, [])
    })
  }

  test('is made once, even by two at once', async () => {
    const owner = await service.openShop()
    const made = await Promise.allSettled(
      [1, 2, 3].map((percent) => offer(owner, { cost_to_licensees_percent: percent })),
    )
    assert.deepEqual(made.map(({ status }) => status).sort(), ['fulfilled', 'rejected', 'rejected'])
    for (const result of made) if (result.status === 'rejected') assert.equal(result.reason.status, 409)
  })

  test('that is not there can be neither changed nor withdrawn', async () => {
    const owner = await service.openShop()
    await assert.rejects(change(owner, {}), { status: 404 })
    await assert.rejects(withdraw(owner), { status: 404 })
  })

  test('comes back as another entry after it was withdrawn', async () => {
    const owner = await service.openShop()
    const first = await anOffer(service, owner)
    await withdraw(owner)
    const second = await anOffer(service, owner)
    assert.ok(second > first)
    assert.equal(await entryOf(owner, first), undefined)
    assert.ok(await entryOf(owner, second))
  })
})
