import assert from 'node:assert/strict'
import { test } from 'node:test'
import { statementCount } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { grant } from '#rights/entitlements/commands.ts'
import { noteDevice } from '#rights/entitlements/devices/commands.ts'
import { readEntitlements } from '#rights/entitlements/queries.ts'
import type { Wire } from '#test/factories.ts'
import { useService } from '#test/harness.ts'
import { enterShop, ownedContent } from '#test/owned-content.ts'
import { useShopPages } from '#test/shop-pages.ts'
import { someVideo } from '#test/uploads.ts'
import type { Visitor } from '#test/visitor.ts'

const service = useService()
const pages = useShopPages(service)
const [FILM, BOOK] = [9, 16]

const film = () => ({ bytes: someVideo(), name: 'film.mp4', role: 'main_sd' })

/** Gives the customer more of what they own, under other titles. */
async function giveMore(id: number, titles: readonly string[], productType = FILM): Promise<void> {
  const now = service.clock.now()
  const [first] = await readEntitlements(service.db, pages.shop.companyId, [id])
  assert.ok(first)
  const granted = titles.map((title) => ({ ...first.entitlement, title, product_type: productType, pieces: 1 }))
  await inTransaction(service.db, (tx) => grant(tx, granted, 'en', now))
}

const numbered = (name: string, count: number) => Array.from({ length: count }, (_, at) => `${name} ${at + 1}`)

const titlesOn = (text: string) =>
  [...text.matchAll(/<span class="t">([^<]*)<\/span><span class="m">License/g)].map(([, title]) => title ?? '')

const plain = (text: string) => text.replaceAll('&amp;', '&')

/** The titles of a list of pages from the first to the last. */
async function walk(visitor: Visitor, path: string): Promise<string[][]> {
  const found: string[][] = []
  for (let next: string | undefined = path; next !== undefined; ) {
    const { status, text } = await visitor.get(`${pages.base}${next}`)
    assert.equal(status, 200, text)
    found.push(titlesOn(text))
    const [, more] = /rel="next" href="([^"]*)"/.exec(text) ?? []
    next = more === undefined ? undefined : `/my-content${plain(more)}`
  }
  return found
}

async function aCollector() {
  const owned = await ownedContent(service, pages.shop, { files: [film()], product: { title: 'The very first' } })
  await giveMore(owned.id, numbered('Film', 899))
  await giveMore(owned.id, numbered('Book', 300), BOOK)
  return { ...owned, visitor: await enterShop(service, pages.shop, pages.base, owned.customer) }
}

test('titles are in the language of the customer, everywhere in My Content', async () => {
  const locales = [
    { language_id: 'en', shop_name: 'Shop' },
    { language_id: 'de', shop_name: 'Laden' },
  ]
  await pages.shop.put(`/api/themesettings/${pages.base.split('/').at(-1)}.json`, { ThemeSetting: { locales } })
  const product = {
    title: 'The Ferry',
    locales: [
      { language_id: 'en', title: 'The Ferry' },
      { language_id: 'de', title: 'Die Fähre' },
    ],
  }
  const { id, customer } = await ownedContent(service, pages.shop, { files: [film()], product })
  const visitor = await enterShop(service, pages.shop, pages.base, customer)
  await visitor.post(`${pages.base}/preferences`, { language: 'de' })
  for (const path of ['/my-content', `/my-content/${id}`, `/my-content/${id}/play`]) {
    const { text } = await visitor.get(`${pages.base}${path}`)
    assert.match(text, /<html lang="de"/)
    assert.match(text, /Die Fähre/, path)
    assert.doesNotMatch(text, /The Ferry/, path)
  }
})

test('pages write the day on which a license ends as they write every day', async () => {
  const terms = { expiration_date: '2999-11-30T12:00:00' }
  const { id, product, customer } = await ownedContent(service, pages.shop, { files: [film()], terms })
  const visitor = await enterShop(service, pages.shop, pages.base, customer)
  for (const path of [`/my-content/${id}`, `/products/${product.id}`]) {
    const { text } = await visitor.get(`${pages.base}${path}`)
    assert.match(text, /Until 30 November 2999/, path)
    assert.doesNotMatch(text, /UTC/, path)
  }
})

test('a customer with 1,200 things sees all of them, the newest first, at the same cost on each page', async () => {
  const { id, files, visitor } = await aCollector()
  const list = await walk(visitor, '/my-content')
  assert.equal(list.length, 40)
  assert.deepEqual(list[0]?.slice(0, 2), ['Book 300', 'Book 299'])
  assert.equal(list.at(-1)?.at(-1), 'The very first')
  assert.equal(new Set(list.flat()).size, 1200)

  const statements = async (path: string) => {
    const start = statementCount()
    await visitor.get(`${pages.base}${path}`)
    return statementCount() - start
  }
  const later = `/my-content?after=${id + 40}`
  await statements(later)
  const few = await enterShop(
    service,
    pages.shop,
    pages.base,
    (await ownedContent(service, pages.shop, { files: [] })).customer,
  )
  await few.get(`${pages.base}/my-content`)
  const start = statementCount()
  await few.get(`${pages.base}/my-content`)
  const alone = statementCount() - start
  assert.equal(await statements('/my-content'), alone)
  assert.equal(await statements(later), alone - 1, 'nothing is begun on a later page')

  // What was used last is found, however old it is.
  const place = { file: String(files[0]?.id), seconds: '1500', duration: '6000' }
  assert.equal((await visitor.post(`${pages.base}/my-content/${id}/progress`, place)).status, 204)
  const { text } = await visitor.get(`${pages.base}/my-content`)
  assert.match(text, new RegExp(`id="started"[\\s\\S]*href="${pages.base}/my-content/${id}/play\\?file=`))
  assert.equal(await statements('/my-content'), alone)
  assert.doesNotMatch((await visitor.get(`${pages.base}${later}`)).text, /id="started"/)
})

test('a customer with many things chooses a kind, and finds titles by words', async () => {
  const { id, visitor } = await aCollector()
  await giveMore(id, ['100 % sea', 'The Long Way Home'])
  const { text } = await visitor.get(`${pages.base}/my-content`)
  const choices = [...text.matchAll(/<li><a href="[^"]*\/my-content([^"]*)"[^>]*>([^<]+) <span class="num">([^<]+)</g)]
  assert.deepEqual(
    choices.map(([, query, name, count]) => [query, name, count]),
    [
      ['', 'Everything', '1,202'],
      ['?kind=film', 'Films', '902'],
      ['?kind=book', 'Books', '300'],
    ],
  )
  const books = await walk(visitor, '/my-content?kind=book')
  assert.equal(books.length, 10)
  assert.ok(books.flat().every((title) => title.startsWith('Book ')))
  assert.deepEqual(await walk(visitor, '/my-content?q=home+LONG'), [['The Long Way Home']])
  assert.deepEqual(await walk(visitor, '/my-content?q=%25'), [['100 % sea']])
  const found = await walk(visitor, '/my-content?kind=book&q=2')
  assert.ok(found.length > 1)
  assert.ok(
    found.flat().every((title) => /^Book \d*2/.test(title)),
    found.flat().join(),
  )
  assert.deepEqual(await walk(visitor, '/my-content?kind=film&q=Book'), [[]])
  const nothing = await visitor.get(`${pages.base}/my-content?q=${encodeURIComponent('<b>')}`)
  assert.match(
    nothing.text,
    /You own nothing with “&lt;b&gt;” in its title\. <a href="[^"]*\/my-content">Show everything/,
  )
  // What nobody can have typed into the page shows everything.
  assert.equal((await walk(visitor, '/my-content?kind=toString&after=x'))[0]?.[0], 'The Long Way Home')
})

test('few things stand on a shelf for each kind, without a search', async () => {
  const { id, customer } = await ownedContent(service, pages.shop, { files: [film()] })
  await giveMore(id, numbered('Book', 29), BOOK)
  const visitor = await enterShop(service, pages.shop, pages.base, customer)
  const shelves = (text: string) => [...text.matchAll(/<h2 id="shelf-\d">([^<]+)</g)].map(([, name]) => name)
  const few = await visitor.get(`${pages.base}/my-content`)
  assert.deepEqual(shelves(few.text), ['Films', 'Books'])
  assert.doesNotMatch(few.text, /role="search"|rel="next"/)
  await giveMore(id, ['One more'])
  const many = await visitor.get(`${pages.base}/my-content`)
  assert.deepEqual(shelves(many.text), ['Everything'])
  assert.match(many.text, /role="search"/)
})

test('the page of devices shows all of them, the last used first', async () => {
  const { customer } = await ownedContent(service, pages.shop, { files: [film()] })
  const owner = { companyId: pages.shop.companyId, customerId: customer.id }
  await inTransaction(service.db, async (tx) => {
    for (let number = 1; number <= 210; number += 1) {
      const device = { device_id: `device-${number}`, name: `Player ${number}`, client_time: null }
      // Two devices at a time are used in the same second.
      await noteDevice(tx, owner, device, new Date(service.clock.now().getTime() + 1000 * Math.floor(number / 2)))
    }
  })
  const visitor = await enterShop(service, pages.shop, pages.base, customer)
  const names: string[] = []
  for (let query: string | undefined = ''; query !== undefined; ) {
    const { text } = await visitor.get(`${pages.base}/account/devices${query}`)
    names.push(...[...text.matchAll(/Player (\d+)</g)].map(([, number]) => number ?? ''))
    query = /rel="next" href="([^"]*)"/.exec(text)?.[1]
  }
  assert.deepEqual(
    names,
    Array.from({ length: 210 }, (_, at) => String(210 - at)),
  )
})

// It moves the clock, so it comes last.
test('what has ended does not keep what can be continued from the shelf', async () => {
  const kept = await ownedContent(service, pages.shop, { files: [film()], product: { title: 'Mine' } })
  const { customer } = kept
  const visitor = await enterShop(service, pages.shop, pages.base, customer)
  const begin = async ({ id, files }: { id: number; files: Wire[] }) => {
    const place = { file: String(files[0]?.id), seconds: '1500', duration: '6000' }
    await visitor.post(`${pages.base}/my-content/${id}/progress`, place)
    service.clock.advance(1)
  }
  await begin(kept)
  for (const title of numbered('Rental', 7)) {
    const terms = { expire_after_acquisition: 1 }
    await begin(await ownedContent(service, pages.shop, { files: [film()], product: { title }, terms, customer }))
  }
  service.clock.advance(2 * 86_400)
  const { text } = await visitor.get(`${pages.base}/my-content`)
  const [row = ''] = /<section class="row first-row"[\s\S]*?<\/section>/.exec(text) ?? []
  assert.deepEqual(
    [...row.matchAll(/<span class="t">([^<]+)</g)].map(([, title]) => title),
    ['Mine'],
  )
})
