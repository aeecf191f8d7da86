import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createProducts } from '#catalog/products/commands.ts'
import { statementCount } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { type Shop, useService } from '#test/harness.ts'
import { aFilm } from '#test/orders.ts'
import { SEARCH_START, type SearchPlace, searchCards } from './search.queries.ts'

const service = useService()

/** What they are called, and whether they are published: without a license and a price, no shop shows them. */
async function addHidden({ companyId }: Shop, count: number, published: boolean, texts = {}): Promise<void> {
  const input = { product_type: 9, title: 'A ferry', published, ...texts }
  const inputs = Array.from({ length: count }, () => ({ input, now: new Date() }))
  await inTransaction(service.db, (tx) => createProducts(tx, companyId, inputs))
}

test('a search ends after so many rounds, however many products match that the shop does not show', async () => {
  const shop = await service.openShop()
  const { id } = await aFilm(service, shop, 1000, { title: 'The last ferry' })
  const search = async () => {
    const start = statementCount()
    const request = { companyId: shop.companyId, themeId: 1, words: 'ferry', place: SEARCH_START }
    const found = await searchCards(service.db, request, new Date())
    return { ids: found.map((card) => card.id), statements: statementCount() - start }
  }
  const alone = { ids: [id], statements: 2 }
  assert.deepEqual(await search(), alone)
  await addHidden(shop, 300, false)
  assert.deepEqual(await search(), alone)
  // Published, but without a license and a price.
  await addHidden(shop, 1100, true)
  assert.deepEqual(await search(), { ids: [id], statements: 8 })
  await addHidden(shop, 600, true)
  assert.deepEqual(await search(), { ids: [], statements: 10 })
})

test('a product is found from the moment when it is published, and by its new title', async () => {
  const shop = await service.openShop()
  const { id } = await aFilm(service, shop, 1000, { title: 'The last ferry', published: false })
  const found = async (words: string) => {
    const request = { companyId: shop.companyId, themeId: 1, words, place: SEARCH_START }
    return (await searchCards(service.db, request, new Date())).map((card) => card.id)
  }
  const change = (product: object) => shop.put(`/api/products/${id}.json`, { product })
  assert.deepEqual(await found('ferry'), [])
  await change({ published: true })
  assert.deepEqual(await found('ferry'), [id])
  await change({ title: 'The first tram' })
  assert.deepEqual(await found('ferry'), [])
  assert.deepEqual(await found('first tr'), [id])
  await change({ published: false })
  assert.deepEqual(await found('tram'), [])
})

test('titles come before descriptions on every page, also where they are older than what a search looks through', async () => {
  const shop = await service.openShop()
  const old = []
  for (const title of ['Ferry one', 'Ferry two']) old.push((await aFilm(service, shop, 1000, { title })).id)
  const locales = [{ language_id: 'en', title: 'A tram', description: 'It meets the ferry.' }]
  const described = []
  for (let number = 0; number < 3; number += 1) described.push((await aFilm(service, shop, 1000, { locales })).id)
  await addHidden(shop, 1600, false)
  const recent = (await aFilm(service, shop, 1000, { title: 'Ferry three' })).id
  const from = async (place: SearchPlace) => {
    const request = { companyId: shop.companyId, themeId: 1, words: 'ferry', place }
    return (await searchCards(service.db, request, new Date())).map((card) => card.id)
  }
  const texts = described.toReversed()
  assert.deepEqual(await from(SEARCH_START), [recent, ...old.toReversed(), ...texts])
  assert.deepEqual(await from({ part: 'titles', before: recent }), [...old.toReversed(), ...texts])
  assert.deepEqual(await from({ part: 'titles', before: old[1] ?? 0 }), [old[0], ...texts])
  assert.deepEqual(await from({ part: 'texts', before: described[1] ?? 0 }), [described[0]])
})

test('a title is found that is old, with words that are rare in titles and common in descriptions', async () => {
  const shop = await service.openShop()
  const { id } = await aFilm(service, shop, 1000, { title: 'The last ferry' })
  const locales = [{ language_id: 'en', title: 'A tram', description: 'It meets the ferry.' }]
  await addHidden(shop, 1600, true, { title: 'A tram', locales })
  const request = { companyId: shop.companyId, themeId: 1, words: 'ferry', place: SEARCH_START }
  assert.deepEqual(
    (await searchCards(service.db, request, new Date())).map((card) => card.id),
    [id],
  )
})

/** So much text that the words after it are not indexed: a vector of words has a limit. */
const LONG = 'All about the sea and its harbours. '.repeat(1800)

test('an old product is found by each of its titles, however much text is before them or whatever is in them', async () => {
  const shop = await service.openShop()
  const locales = [
    { language_id: 'en', title: 'A ship', description: LONG },
    { language_id: 'de', title: 'Ein Schiff', description: LONG },
    { language_id: 'fr', title: 'Un paquebot', description: 'De la mer.' },
  ]
  const long = (await aFilm(service, shop, 1000, { locales })).id
  const tag = { language_id: 'en', title: 'Less <bridge', description: 'is more> than nothing.' }
  const tagged = (await aFilm(service, shop, 1000, { locales: [tag] })).id
  const found = async (words: string) => {
    const request = { companyId: shop.companyId, themeId: 1, words, place: SEARCH_START }
    return (await searchCards(service.db, request, new Date())).map((card) => card.id)
  }
  const both = async () => [await found('paquebot'), await found('bridge')]
  assert.deepEqual(await both(), [[long], [tagged]])
  await addHidden(shop, 1600, false)
  assert.deepEqual(await both(), [[long], [tagged]])
})

test('words with a hyphen, a slash or a dot are found while they are typed, and by each of their parts', async () => {
  const shop = await service.openShop()
  const description = '<p>An e-book about <b>and/or</b>, in node.js.</p><p>Film-2</p>'
  const { id } = await aFilm(service, shop, 1000, {
    locales: [{ language_id: 'en', title: 'The E-Book of AC/DC', description }],
  })
  const found = async (words: string) => {
    const request = { companyId: shop.companyId, themeId: 1, words, place: SEARCH_START }
    return (await searchCards(service.db, request, new Date())).map((card) => card.id)
  }
  for (const words of ['e-bo', 'e-book', 'e book', 'AC/D', 'dc', 'or', 'and/o', 'node.js', 'js', 'node.j', 'film-2'])
    assert.deepEqual(await found(words), [id], words)
  // Tags are no words.
  for (const words of ['p', 'bo-', 'ebook b']) assert.deepEqual(await found(words), words === 'bo-' ? [id] : [], words)
})
