import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { CURRENCY_CODES } from '#catalog/currency-rates/currencies.facts.ts'
import { COUNTRY_CODES, countryDetails } from '#identity/addresses/countries.facts.ts'
import { nowInSeconds } from '#platform/clock.ts'
import type { Tx } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { Problem } from '#platform/errors/problem.ts'
import { asciiJson } from '#platform/wire/times.ts'
import type { Written } from '#platform/wire/written.ts'
import { rebuild } from '#program/rebuild.ts'
import { aPrice, type Wire } from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'
import { createPrice, invalidatePrice, updatePrice } from './commands.ts'
import { presentPrice } from './present.ts'
import { readPrices } from './queries.ts'
import type { PriceInput } from './schema.ts'

const service = useService()
const now = () => nowInSeconds(service.clock)
const write = async (work: (tx: Tx) => Promise<Written<unknown>>): Promise<Wire> =>
  JSON.parse((await inTransaction(service.db, work)).document)
const make = (shop: Shop, input: object) => write((tx) => createPrice(tx, shop, input as PriceInput, now()))
const change = (shop: Shop, id: number | string, input: object) =>
  write((tx) => updatePrice(tx, shop, String(id), input as PriceInput, now()))
const read = async (shop: Shop, id: number) => (await shop.get(`/api/prices/${id}.json`)).body.price
const EURO = [{ currency: 'eur', price: 999 }]

/** Asserts that it is refused with 422 and blames exactly these attributes. */
async function assertRefused(work: Promise<unknown>, paths: string[]): Promise<void> {
  await assert.rejects(work, (error: Problem) => {
    assert.ok(error instanceof Problem)
    assert.deepEqual([error.status, error.code], [422, 'validation_failed'])
    assert.deepEqual(Object.keys(error.fields ?? {}).sort(), [...paths].sort())
    return true
  })
}

async function assertPresentedFresh(shop: Shop, id: number): Promise<void> {
  const [price] = await readPrices(service.db, shop.companyId, [id])
  const { document } = await service.db
    .selectFrom('prices')
    .select('document')
    .where('company_id', '=', shop.companyId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  assert.equal(document, asciiJson(presentPrice(price!)))
  assert.deepEqual(await read(shop, id), JSON.parse(document))
}

describe('a price model', () => {
  const WRONG: [string, object][] = [
    ['title', { title: '' }],
    ['title', { title: '  ' }],
    ['title', { title: 'a\0b' }],
    ['valid', { valid: 2 }],
    ['valid', { valid: -1 }],
    ['currencies', { currencies: [] }],
    ['currencies[0].currency', { currencies: [{ currency: 'xxx', price: 1 }] }],
    ['currencies[0].currency', { currencies: [{ currency: 'dem', price: 1 }] }],
    ['currencies[0].currency', { currencies: [{ currency: 'euro', price: 1 }] }],
    ['currencies[1].currency', { currencies: [...EURO, { currency: 'EUR', price: 1 }] }],
    ['currencies[0].price', { currencies: [{ currency: 'eur', price: -1 }] }],
    ['currencies[0].price', { currencies: [{ currency: 'eur', price: 1.5 }] }],
    ['currencies[0].price', { currencies: [{ currency: 'eur', price: Number.NaN }] }],
    ['currencies[0].price', { currencies: [{ currency: 'eur', price: 10_000_000_000 }] }],
    ['countries[0].country_code', { countries: [{ country_code: 'XX', price: 1 }] }],
    ['countries[0].country_code', { countries: [{ country_code: 'AQ', price: 1 }] }],
    [
      'countries[1].country_code',
      {
        countries: [
          { country_code: 'DE', price: 1 },
          { country_code: 'de', price: 1 },
        ],
      },
    ],
    ['countries[0].price', { countries: [{ country_code: 'DE', price: -1 }] }],
    ['countries[0].price', { countries: [{ country_code: 'DE', price: 1e300 }] }],
  ]
  for (const [index, [path, wrong]] of WRONG.entries()) {
    test(`is refused for its ${path} (case ${index + 1}), when made and when changed`, async () => {
      const shop = await service.openShop()
      const price = await make(shop, { title: 'Film', currencies: EURO })
      await assertRefused(make(shop, { title: 'Film', currencies: EURO, ...wrong }), [path])
      await assertRefused(change(shop, price.id, wrong), [path])
      assert.deepEqual((await shop.get('/api/prices.json')).body, { prices: [price] })
      assert.deepEqual((await shop.get('/api/prices/count.json')).body, { count: 1 })
    })
  }

  test('gets all faults at once', async () => {
    const shop = await service.openShop()
    await assertRefused(make(shop, {}), ['title', 'currencies'])
    const prices = { countries: [{ country_code: 'XX', price: -1 }], currencies: [{ currency: 'zzz', price: 0.5 }] }
    await assertRefused(make(shop, { title: 'Film', ...prices }), [
      'countries[0].country_code',
      'countries[0].price',
      'currencies[0].currency',
      'currencies[0].price',
    ])
  })

  test('takes the largest price and the smallest, in every country and currency', async () => {
    const shop = await service.openShop()
    const countries = [...COUNTRY_CODES]
      .filter((code) => countryDetails(code).Currency !== '')
      .map((country_code) => ({ country_code, price: 9_999_999_999 }))
    const currencies = [...CURRENCY_CODES].map((currency) => ({ currency, price: 0 }))
    const { id } = await make(shop, { title: 'All', countries, currencies })
    const price = await read(shop, id)
    assert.deepEqual([price.countries.length, price.currencies.length], [countries.length, currencies.length])
    assert.equal(price.countries[0].price, 9_999_999_999)
  })

  test('takes countries by code and by name', async () => {
    const shop = await service.openShop()
    const countries = ['che', 'Deutschland', 'United Kingdom', 'XK'].map((country_code) => ({ country_code, price: 1 }))
    const { id } = await make(shop, { title: 'Film', countries })
    const codes = (await read(shop, id)).countries.map(({ country_code }: { country_code: string }) => country_code)
    assert.deepEqual(codes, ['CH', 'DE', 'GB', 'XK'])
  })

  test('changes by what is named: lists are replaced, the rest stays, and the time moves', async () => {
    const shop = await service.openShop()
    const made = await make(shop, { title: 'Film', currencies: EURO, countries: [{ country_code: 'CH', price: 1 }] })
    service.clock.advance(60)
    const renamed = await change(shop, made.id, { title: 'Movie' })
    assert.deepEqual({ ...renamed, title: 'Film', modified_at: made.modified_at }, made)
    assert.ok(renamed.modified_at > made.modified_at)
    const replaced = await change(shop, made.id, { countries: [] })
    assert.deepEqual([replaced.countries, replaced.currencies, replaced.title], [[], EURO, 'Movie'])
    await assertRefused(change(shop, made.id, { currencies: [] }), ['currencies'])
    assert.deepEqual(await read(shop, made.id), replaced)
    assert.equal(replaced.created_at, made.created_at)
  })

  test('stays when it is taken out of use, still counts, and can be taken back into use', async () => {
    const shop = await service.openShop()
    const price = await aPrice(service, shop)
    const gone = await write((tx) => invalidatePrice(tx, shop, String(price.id), now()))
    assert.deepEqual({ ...gone, modified_at: '' }, { ...price, valid: 0, modified_at: '' })
    assert.deepEqual((await shop.get('/api/prices.json')).body, { prices: [gone] })
    assert.deepEqual((await shop.get('/api/prices/count.json')).body, { count: 1 })
    await write((tx) => invalidatePrice(tx, shop, String(price.id), now()))
    assert.equal((await change(shop, price.id, { valid: 1 })).valid, 1)
  })

  test('of another company is none', async () => {
    const [shop, stranger] = [await service.openShop(), await service.openShop()]
    const price = await aPrice(service, shop)
    for (const work of [
      () => change(stranger, price.id, { title: 'Stolen' }),
      () => write((tx) => invalidatePrice(tx, stranger, String(price.id), now())),
      () => change(shop, 'abc', { title: 'None' }),
    ])
      await assert.rejects(work, { status: 404, code: 'not_found' })
    assert.deepEqual(await read(shop, price.id), price)
  })

  test('loses no change of several at once', async () => {
    const shop = await service.openShop()
    const { id } = await aPrice(service, shop)
    await Promise.all([
      change(shop, id, { title: 'New' }),
      change(shop, id, { countries: [{ country_code: 'CH', price: 5 }] }),
      change(shop, id, { currencies: [{ currency: 'usd', price: 7 }] }),
      write((tx) => invalidatePrice(tx, shop, String(id), now())),
    ])
    const { title, valid, countries, currencies } = await read(shop, id)
    assert.deepEqual([title, valid, countries[0].price, currencies], ['New', 0, 5, [{ currency: 'usd', price: 7 }]])
    await assertPresentedFresh(shop, id)
  })

  test('is counted once for each that was made, and not for one that was rolled back', async () => {
    const shop = await service.openShop()
    await Promise.all(Array.from({ length: 12 }, () => aPrice(service, shop)))
    const failing = inTransaction(service.db, async (tx) => {
      await createPrice(tx, shop, { title: 'Film', currencies: EURO }, now())
      throw new Error('no')
    })
    await assert.rejects(failing, /no/)
    assert.deepEqual((await shop.get('/api/prices/count.json')).body, { count: 12 })
    assert.equal((await shop.get('/api/prices.json')).body.prices.length, 12)
  })
})

describe('the stored document of a price model', () => {
  const cents = fc.integer({ min: 0, max: 9_999_999_999 })
  const text = fc
    .oneof(fc.constantFrom('Füm 🎬', '"\\', '<b>'), fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme' }))
    .filter((value) => value.trim() !== '' && !value.includes('\0') && value.isWellFormed())
  const currencies = fc.uniqueArray(
    fc.record({ currency: fc.constantFrom('eur', 'USD', 'jpy', 'chf'), price: cents }),
    {
      selector: ({ currency }) => currency,
      minLength: 1,
    },
  )
  const countries = fc.uniqueArray(fc.record({ country_code: fc.constantFrom('DE', 'fr', 'CH'), price: cents }), {
    selector: ({ country_code }) => country_code,
  })
  const changes = fc.array(
    fc.record({ title: text, countries, currencies, valid: fc.constantFrom(0, 1) }, { requiredKeys: [] }),
    { maxLength: 4 },
  )

  // Reads send only the document: if it differed from the row, orders and reads would disagree.
  test('is what the presenter makes of the row, after any sequence of changes', async () => {
    const shop = await service.openShop()
    await fc.assert(
      fc.asyncProperty(text, currencies, changes, async (title, first, rest) => {
        const { id } = await make(shop, { title, currencies: first })
        await assertPresentedFresh(shop, id)
        for (const input of rest) {
          const after = await change(shop, id, input)
          assert.deepEqual(await read(shop, id), after)
          await assertPresentedFresh(shop, id)
        }
      }),
      { numRuns: 15 },
    )
  })

  test('is repaired by a rebuild, and so is the counter', async () => {
    const shop = await service.openShop()
    const price = await aPrice(service, shop)
    await service.db.updateTable('prices').set({ document: '{}' }).where('company_id', '=', shop.companyId).execute()
    await service.db.updateTable('counters').set({ amount: 77 }).where('company_id', '=', shop.companyId).execute()
    service.clock.advance(5)
    assert.ok(Number((await rebuild(service.db)).prices) > 0)
    assert.deepEqual(await read(shop, price.id), price)
    assert.deepEqual((await shop.get('/api/prices/count.json')).body, { count: 1 })
  })
})
