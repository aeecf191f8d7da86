import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { inTransaction } from '#platform/db/transaction.ts'
import { upgrade } from '#program/boot/store.ts'
import type { Wire } from '#test/factories.ts'
import { useService } from '#test/harness.ts'
import { refreshRates, storeQuote } from './commands.ts'
import { readRates } from './queries.ts'
import { SNAPSHOT } from './snapshot.facts.ts'

const service = useService()
const PATH = '/api/currency_rates.json'

describe('GET /api/currency_rates.json', () => {
  test('answers the rates that came with the service, the euro first, each with its day', async () => {
    const shop = await service.openShop({ scopes: ['products'] })
    const { status, body } = await shop.get(PATH)
    assert.equal(status, 200)
    const expected = [['EUR', 1] as const, ...SNAPSHOT.rates].map(([currency, rate_to_eur]) => ({
      currency,
      rate_to_eur,
      date: '2026-07-06T00:00:00',
    }))
    assert.deepEqual(body, { currency_rates: expected })
  })

  test('answers every company the same', async () => {
    const [one, other] = [await service.openShop(), await service.openShop()]
    assert.equal((await one.get(PATH)).text, (await other.get(PATH)).text)
  })

  test('answers pages and single fields, as every list does', async () => {
    const shop = await service.openShop()
    const all = (await shop.get(PATH)).body.currency_rates
    const seen: Wire[] = []
    for (let path: string | undefined = `${PATH}?limit=7`; path !== undefined; ) {
      const { body, headers } = await shop.get(path)
      seen.push(...body.currency_rates)
      const next: string | undefined = /<([^>]+)>/.exec(headers.get('link') ?? '')?.[1]
      path = next?.slice(service.url.length)
    }
    assert.deepEqual(seen, all)
    assert.deepEqual((await shop.get(`${PATH}?fields=currency&limit=2`)).body, {
      currency_rates: [{ currency: 'EUR' }, { currency: 'USD' }],
    })
  })
})

describe('stored rates', () => {
  test('keep the last rate of a currency that is no longer quoted, with its own day', async () => {
    const shop = await service.openShop()
    const quote = { quotedAt: new Date('2026-07-07T00:00:00Z'), rates: new Map([['USD', 1.25]]) }
    assert.equal(await inTransaction(service.db, (tx) => storeQuote(tx, quote)), undefined)
    const rates = (await shop.get(PATH)).body.currency_rates
    const of = (code: string) => rates.find(({ currency }: Wire) => currency === code)
    assert.deepEqual(of('EUR'), { currency: 'EUR', rate_to_eur: 1, date: '2026-07-07T00:00:00' })
    assert.deepEqual(of('USD'), { currency: 'USD', rate_to_eur: 1.25, date: '2026-07-07T00:00:00' })
    assert.deepEqual(of('JPY'), { currency: 'JPY', rate_to_eur: 185.31, date: '2026-07-06T00:00:00' })
    assert.equal((await readRates(service.db)).get('USD'), 1.25)
  })

  // An upgrade brings the snapshot of the new version along, which may be older than what is known.
  test('are not taken back by an upgrade', async () => {
    const shop = await service.openShop()
    const before = (await shop.get(PATH)).text
    await upgrade(service.db)
    assert.equal((await shop.get(PATH)).text, before)
  })

  test('are shown as they are after a rebuild', async () => {
    const shop = await service.openShop()
    const before = (await shop.get(PATH)).text
    await service.db.updateTable('currency_rates').set({ document: '{}' }).execute()
    assert.equal(await inTransaction(service.db, refreshRates), 30)
    assert.equal((await shop.get(PATH)).text, before)
  })
})
