import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { updatePrice } from '#catalog/prices/commands.ts'
import { createProducts } from '#catalog/products/commands.ts'
import { createTermFollowers } from '#catalog/products/terms/follow.worker.ts'
import { FOLLOW_TERMS } from '#catalog/term-changes/jobs.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { aCategory, aPrice, aProduct, BUY } from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'
import { claimDue, handlerOf } from '#test/jobs.ts'

const service = useService()

async function aShop() {
  service.app.baseUrl = service.url
  const shop = await service.openShop()
  const { id } = (await shop.get('/api/themesettings.json')).body.ThemeSettings[0]
  const category = await aCategory(shop, { title: 'Films' })
  const prices = new Map<number, number>()
  const film = async (
    title: string,
    attributes: { cents?: number; genres?: string[]; year?: number } & object = {},
  ) => {
    const { cents = 999, genres = [], year, ...more } = attributes
    const price = await aPrice(service, shop, { currencies: [{ currency: 'eur', price: cents }] })
    const { id: film } = await aProduct(shop, {
      product_type: 9,
      title,
      published: true,
      categories: [{ category_id: category.id }],
      price_license_binding: [{ license_id: BUY, price_id: price.id }],
      tagging_genre: genres.map((value) => ({ value })),
      tagging: { year: year ?? null },
      ...more,
    })
    prices.set(film, price.id)
    return film
  }
  const open = async (path: string, language = 'en') =>
    service.call('GET', `/shop/${id}${path}`, { headers: { accept: 'text/html', 'accept-language': language } })
  /** The titles on a page, in their order. */
  const titles = async (path: string) => {
    const { status, text } = await open(path)
    assert.equal(status, 200, text)
    return [...text.matchAll(/<span class="t">([^<]*)<\/span>/g)].map(([, title]) => title)
  }
  return {
    shop,
    settingId: id,
    category: `/categories/${category.id}`,
    categoryId: category.id,
    film,
    open,
    titles,
    prices,
  }
}

const NOTHING = 'Nothing matches these filters'

describe('the list of a category', () => {
  test('is filtered by genre, year and price, and says how many are left', async () => {
    const { shop, settingId, category, film, open, titles } = await aShop()
    await film('Ferry', { cents: 499, genres: ['Drama', 'Road film'], year: 2020 })
    await film('Kelp', { cents: 999, genres: ['Documentary'], year: 2024 })
    await film('Salt', { cents: 1999, genres: ['Drama'], year: 2024 })
    assert.deepEqual(await titles(`${category}?genre=drama`), ['Ferry', 'Salt'])
    assert.deepEqual(await titles(`${category}?genre=road-film&genre=documentary`), ['Ferry', 'Kelp'])
    assert.deepEqual(await titles(`${category}?year_from=2021`), ['Kelp', 'Salt'])
    assert.deepEqual(await titles(`${category}?price_to=9.99`), ['Ferry', 'Kelp'])
    assert.deepEqual(await titles(`${category}?price_from=5&price_to=15&genre=drama`), [])
    const { text } = await open(`${category}?genre=drama&year_from=2021`)
    assert.ok(text.includes('1 of 3 products'), text)
    assert.match(text, /<meta name="robots" content="noindex">/)
    assert.match(text, /href="\?year_from=2021"/)
    const plain = await open(category)
    assert.ok(plain.text.includes('3 products'))
    assert.doesNotMatch(plain.text, /noindex/)
    assert.match((await open(`${category}?genre=western`)).text, new RegExp(NOTHING))
    const locales = ['en', 'de'].map((language_id) => ({ language_id, shop_name: 'Kino' }))
    await shop.put(`/api/themesettings/${settingId}.json`, { ThemeSetting: { locales } })
    assert.match((await open(category, 'de')).text, /Dokumentarfilm/)
  })

  test('is sorted by price, title and age', async () => {
    const { category, film, titles } = await aShop()
    await film('Élan', { cents: 700 })
    await film('Zebra', { cents: 300 })
    await film('Apple', { cents: 500 })
    assert.deepEqual(await titles(`${category}?sort=price`), ['Zebra', 'Apple', 'Élan'])
    assert.deepEqual(await titles(`${category}?sort=price-desc`), ['Élan', 'Apple', 'Zebra'])
    assert.deepEqual(await titles(`${category}?sort=title`), ['Apple', 'Élan', 'Zebra'])
    assert.deepEqual(await titles(`${category}?sort=newest`), ['Apple', 'Zebra', 'Élan'])
  })

  test('follows a change of the price, of the genre and of the category', async () => {
    const { shop, category, film, titles, prices } = await aShop()
    const ferry = await film('Ferry', { cents: 500, genres: ['Drama'] })
    await film('Kelp', { cents: 900 })
    const price = String(prices.get(ferry))
    const input = { currencies: [{ currency: 'eur', price: 2500 }] }
    await inTransaction(service.db, (tx) => updatePrice(tx, shop, price, input, new Date()))
    for (const job of await claimDue(service.db, FOLLOW_TERMS, new Date(Date.now() + 60_000)))
      await handlerOf(createTermFollowers(service), FOLLOW_TERMS).run(job)
    assert.deepEqual(await titles(`${category}?sort=price`), ['Kelp', 'Ferry'])
    await shop.put(`/api/products/${ferry}.json`, { product: { tagging_genre: [{ value: 'Comedy' }] } })
    assert.deepEqual(await titles(`${category}?genre=drama`), [])
    assert.deepEqual(await titles(`${category}?genre=comedy`), ['Ferry'])
    await shop.put(`/api/products/${ferry}.json`, { product: { categories: [] } })
    assert.deepEqual(await titles(`${category}?sort=price`), ['Kelp'])
  })

  test('leaves out what it does not understand', async () => {
    const { category, film, open, titles } = await aShop()
    await film('Ferry')
    for (const query of [
      'sort=upside-down',
      'price_from=-1&price_to=much',
      'year_from=20',
      'kind=spaceship',
      'after=x',
    ])
      assert.deepEqual(await titles(`${category}?${query}`), ['Ferry'], query)
    assert.deepEqual(await titles(`${category}?genre=%27%20%7C%20%27&sort=title`), ['Ferry'])
    assert.deepEqual(await titles(`${category}?genre=%5C%27drama&sort=title`), [])
    const many = Array.from({ length: 51 }, () => 'genre=drama').join('&')
    assert.equal((await open(`${category}?${many}`)).status, 422)
  })
})

/** More products than are counted, so that the index finds them. */
async function fill(shop: Shop, categoryId: number): Promise<void> {
  const price = await aPrice(service, shop, { currencies: [{ currency: 'eur', price: 1000 }] })
  const dear = await aPrice(service, shop, { currencies: [{ currency: 'eur', price: 3000 }] })
  const inputs = Array.from({ length: 1300 }, (_, number) => ({
    input: {
      product_type: 9,
      title: `Film ${String(number).padStart(4, '0')}`,
      published: true,
      categories: [{ category_id: categoryId }],
      tagging: { year: 1900 + (number % 100) },
      tagging_genre: [{ value: number % 100 === 7 ? 'Western' : 'Drama' }],
      price_license_binding: [{ license_id: BUY, price_id: number < 1250 ? price.id : dear.id }],
    },
    now: new Date(),
  }))
  await inTransaction(service.db, (tx) => createProducts(tx, shop.companyId, inputs))
}

test('a large category is filtered and sorted as a small one is, page by page', async () => {
  const { shop, category, categoryId, film, open, titles } = await aShop()
  await fill(shop, categoryId)
  await film('Another', { genres: ['Western'] })
  const numbered = (numbers: number[]) => numbers.map((number) => `Film ${String(number).padStart(4, '0')}`)
  const westerns = numbered(Array.from({ length: 13 }, (_, place) => 100 * place + 7))
  assert.deepEqual(await titles(`${category}?genre=western&sort=title`), ['Another', ...westerns])
  assert.ok((await open(category)).text.includes('More than 500 products'))
  assert.ok((await open(`${category}?genre=western`)).text.includes('14 products'))
  assert.deepEqual(await titles(`${category}?price_from=25&year_to=1951&sort=title`), numbered([1250, 1251]))
  assert.deepEqual(await titles(`${category}?genre=drama&genre=western&price_from=25&sort=newest`), [
    ...numbered(Array.from({ length: 30 }, (_, place) => 1299 - place)),
  ])
  for (const query of ['year_from=2200', 'year_from=1950&year_to=1940', 'price_from=20&price_to=10'])
    assert.deepEqual(await titles(`${category}?${query}`), [], query)
  const first = await titles(`${category}?sort=price`)
  for (const after of ['1e400', '1.5', '-5', '0x10', '99999999999999999999', 'x'])
    assert.deepEqual(await titles(`${category}?sort=price&after=${after}`), first, after)
  // Most of the films are of this genre, so the list is walked through.
  const seen: (string | undefined)[] = []
  let address: string | undefined = `${category}?genre=drama&sort=price-desc`
  while (address !== undefined) {
    const { text } = await open(address)
    seen.push(...[...text.matchAll(/<span class="t">([^<]*)<\/span>/g)].map(([, title]) => title))
    const [, next] = /rel="next" href="([^"]*)"/.exec(text) ?? []
    address = next && `${category}${next.replaceAll('&amp;', '&')}`
  }
  const dramas = numbered(
    Array.from({ length: 1300 }, (_, place) => 1299 - place).filter((number) => number % 100 !== 7),
  )
  assert.deepEqual(seen, dramas)
})

test('a search is filtered and sorted, and says how much it found', async () => {
  const { film, open, titles } = await aShop()
  await film('Ferry of old', { cents: 900, year: 1999 })
  await film('Ferry of today', { cents: 500, year: 2025 })
  await film('Tram', { year: 2025 })
  assert.deepEqual(await titles('/search?q=ferry&sort=price'), ['Ferry of today', 'Ferry of old'])
  assert.deepEqual(await titles('/search?q=ferry&year_to=2000'), ['Ferry of old'])
  assert.deepEqual(await titles('/search?q=ferry&kind=book'), [])
  assert.ok((await open('/search?q=ferry')).text.includes('2 results'))
  assert.match((await open('/search?q=ferry&kind=book')).text, new RegExp(NOTHING))
})
