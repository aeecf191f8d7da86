import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { parse } from 'csv-parse/sync'
import { PHYSICAL } from '#catalog/products/types.facts.ts'
import { COMMAND_LINE } from '#platform/identity/origin.ts'
import { demoAccess } from '#program/demo/shop.ts'
import { aCustomer, anEmail } from '#test/customers.ts'
import type { Wire } from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'
import { aCsvImport, importsOf } from '#test/imports.ts'
import { openJson } from './importer/json-source.ts'
import { importSource } from './importer/run.ts'

const service = useService()
const { work } = importsOf(service)

type Read = (path: string) => Promise<string>

const readerOf =
  (token: string): Read =>
  async (path) => {
    const { status, text } = await service.call('GET', path, { token })
    assert.equal(status, 200, text)
    return text
  }

const csvOf = (read: Read, list: string, query = '') => read(`/api/${list}.json?format=csv${query}`)

/** The rows of a file, without columns that cannot be the same in another company. */
function rowsOf(text: string, ...without: string[]): Record<string, string>[] {
  const rows: Record<string, string>[] = parse(text, { columns: true })
  return rows.map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => !without.includes(name))))
}

/** A file without some columns, as somebody would delete them in a spreadsheet. */
function withoutColumn(text: string, name: string): string {
  const [heading = [], ...rows]: string[][] = parse(text)
  const place = heading.indexOf(name)
  const quoted = (value: string) => `"${value.replaceAll('"', '""')}"`
  return [heading, ...rows]
    .map((row) =>
      row
        .filter((_, index) => index !== place)
        .map(quoted)
        .join(','),
    )
    .join('\n')
}

async function bringIn(shop: Shop, text: string, kind: string): Promise<void> {
  const { state, report, problem } = await work(shop, await aCsvImport(service, shop, text, `?kind=${kind}`), '/run')
  assert.equal(state, 'imported', JSON.stringify([problem, report?.mistakes]))
}

/** Licenses have no CSV file: a shop that moves takes them along as JSON. */
async function copyLicenses(read: Read, shop: Shop): Promise<void> {
  const { licenses } = JSON.parse(await read('/api/licenses.json'))
  const own = licenses.filter(({ assignment }: Wire) => assignment !== 1)
  const report = await importSource(service.db, openJson(JSON.stringify({ licenses: own })), {
    companyId: shop.companyId,
    author: { companyId: shop.companyId, origin: COMMAND_LINE },
    isDryRun: false,
    now: service.clock.now(),
    baseUrl: service.url,
    onProgress: () => {},
  })
  assert.ok(report.results.every(({ action }) => action !== 'refused'))
}

describe('what is exported as CSV', () => {
  test('is imported into an empty company, and exported again as it was: the demo shop', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'licet-demo-'))
    try {
      const access = await demoAccess(service.db, service.vault, folder, service.url, service.clock)
      assert.ok(access)
      const demo = readerOf(access.access_token)
      const shop = await service.openShop()
      const own = readerOf(shop.token)
      await copyLicenses(demo, shop)
      const prices = await csvOf(demo, 'prices')
      await bringIn(shop, prices, 'prices')
      assert.equal(await csvOf(own, 'prices'), prices)
      assert.ok(rowsOf(prices).length > 5)
      const products = await csvOf(demo, 'products')
      // The pictures of another company would be fetched from there.
      await bringIn(shop, withoutColumn(products, 'image'), 'products')
      const first = rowsOf(products, 'image').filter((row) => Object.values(row).filter(Boolean).length > 1)
      assert.deepEqual(rowsOf(await csvOf(own, 'products'), 'image'), first)
      assert.ok(first.length > 10)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })

  const AWKWARD = [
    '=SUM(A1:A9)',
    '+49 30 1234',
    '-5 degrees',
    '@home',
    "'=quoted",
    "''+twice",
    "'90s",
    '"Quotes", and; separators',
    'Line one\nline two\n\nline four',
    'Tab\there',
    'Ünïcödé 漢字 🎬',
    "O'Brien",
    '0012',
    'null',
    'a > b | c \\ d',
  ]

  test('survives quotes, line breaks and formulas, and no value becomes a formula', async () => {
    const shop = await service.openShop()
    const empty = await service.openShop()
    const [here, there] = [readerOf(shop.token), readerOf(empty.token)]
    for (const text of AWKWARD) {
      const title = text.replaceAll('\n', ' ')
      const { body } = await shop.post('/api/categories.json', { category: { title } })
      const product = {
        product_type: PHYSICAL,
        title: `${title} for us`,
        comment: text,
        supplier: title,
        version: title,
        published: true,
        published_at: '2031-02-03T04:05:06',
        tax_class: 'reduced',
        weight: 12.5,
        items_in_stock: -3,
        categories: [{ category_id: body.category.id }],
        locales: [
          { language_id: 'en', title, description: text, seo_title: text.replaceAll('\n', ' ') },
          { language_id: 'de', title: `${title} (de)`, description: `<p>${text}</p>` },
        ],
      }
      const made = await shop.post('/api/products.json', { product })
      assert.equal(made.status, 201, made.text)
    }
    const products = await csvOf(here, 'products')
    for (const row of rowsOf(products))
      for (const value of Object.values(row)) assert.doesNotMatch(value, /^[=+@\t\r]|^-\D/)
    await bringIn(empty, products, 'products')
    assert.equal(await csvOf(there, 'products'), products)
    // In its own company, the file changes nothing.
    const again = await work(shop, await aCsvImport(service, shop, products, '?kind=products'), '/run')
    assert.deepEqual([again.report.counts.created, again.report.counts.changed], [0, 0])
    const [, second] = JSON.parse(await there('/api/products.json?sort=id')).products
    assert.deepEqual([second.title, second.comment], ['+49 30 1234 for us', '+49 30 1234'])
  })

  test('has every address of a customer, and changes nothing where it comes from', async () => {
    const shop = await service.openShop()
    for (const text of AWKWARD.map((each) => each.replaceAll('\n', ' ').slice(0, 40)))
      await aCustomer(shop, {
        first_name: text,
        note: `${text}\nsecond line`,
        addresses: [
          { first_name: text, address1: text, city: 'Berlin', country_code: 'DE', phone: '+49 30 1' },
          { first_name: 'Otto', last_name: text, address1: 'Elsewhere 1', country_code: 'AT', default: true },
        ],
      })
    await aCustomer(shop, { addresses: [] })
    const customers = await csvOf(readerOf(shop.token), 'customers')
    const again = await work(shop, await aCsvImport(service, shop, customers), '/run')
    assert.deepEqual(
      [again.state, again.report?.counts],
      ['imported', { created: 0, changed: 0, unchanged: AWKWARD.length + 1, skipped: 0, refused: 0 }],
      JSON.stringify(again.report?.mistakes),
    )
    // Accounts are those of the platform, so another company gets customers with other addresses.
    const others = customers.replaceAll('@example.com', `@${anEmail().split('@')[0]}.example.com`)
    const empty = await service.openShop()
    await bringIn(empty, others, 'customers')
    assert.equal(await csvOf(readerOf(empty.token), 'customers'), others)
  })

  test('tells price models of the same title apart, and follows the filters of the list', async () => {
    const shop = await service.openShop()
    const empty = await service.openShop()
    const lines = ['title,copy,price,currency,country', 'Sale,,14.99,EUR,', 'Sale,,16.99,USD,', 'Sale,2,9.99,CHF,']
    await bringIn(shop, `${lines.join('\n')}\n"=Rent; ""now""",,4.99,EUR,\n"=Rent; ""now""",,5.99,,CH\n`, 'prices')
    const prices = await csvOf(readerOf(shop.token), 'prices')
    assert.deepEqual(prices.split('\r\n').slice(0, 4), lines)
    await bringIn(empty, prices, 'prices')
    assert.equal(await csvOf(readerOf(empty.token), 'prices'), prices)
    const [first, second] = JSON.parse(await readerOf(shop.token)('/api/prices.json')).prices
    assert.deepEqual(
      [first.title, second.title, second.currencies],
      ['Sale', 'Sale', [{ currency: 'chf', price: 999 }]],
    )
    const one = await csvOf(readerOf(shop.token), 'prices', `&ids=${second.id}`)
    assert.equal(one.split('\r\n').length, 3)
    const none = await csvOf(readerOf(empty.token), 'prices', `&ids=${second.id},,${'9'.repeat(30)}`)
    assert.equal(none.split('\r\n').length, 2)
    // An offer names the second price of the title.
    const product = { product_type: PHYSICAL, title: 'Mug', price_license_binding: [{ price_id: second.id }] }
    assert.equal((await shop.post('/api/products.json', { product })).status, 201)
    const products = await csvOf(readerOf(shop.token), 'products')
    assert.match(products, /,Sale #2,/)
    await bringIn(empty, products, 'products')
    const [mug] = JSON.parse(await readerOf(empty.token)('/api/products.json')).products
    const chosen = JSON.parse(await readerOf(empty.token)('/api/prices.json')).prices[1]
    assert.equal(mug.price_license_binding[0].price_id, chosen.id)
    const unknown = await work(
      empty,
      await aCsvImport(service, empty, products.replace('Sale #2', 'Sale #3')),
      '/check',
    )
    assert.deepEqual(
      unknown.report.mistakes.map(({ line, field, reason }: Wire) => [line, field, reason]),
      [[2, 'offer_price', 'price_unknown']],
    )
  })
})
