import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { anEmail, CUSTOMER_PASSWORD } from '#test/customers.ts'
import { type Shop, useService } from '#test/harness.ts'
import { aFilm, order } from '#test/orders.ts'

const service = useService()

/** Where the customer lives, what the browser asks for, and the language that follows from both. */
const CASES: [country: string | undefined, acceptLanguage: string | undefined, language: string][] = [
  ['FR', undefined, 'fr'],
  ['FR', 'de', 'fr'],
  ['AT', undefined, 'de'],
  ['US', undefined, 'en'],
  ['BR', undefined, 'pt'],
  ['NL', 'de', 'nl'],
  ['IE', undefined, 'en'],
  ['CH', undefined, 'de'],
  ['CH', 'it-CH, fr;q=0.9', 'it'],
  ['CA', 'fr-CA', 'fr'],
  ['AQ', 'es', 'es'],
  [undefined, 'es-MX, en;q=0.5', 'es'],
  [undefined, 'en;q=0.2, de-CH', 'de'],
  [undefined, 'tlh, xx', 'it'],
  [undefined, '*', 'it'],
  [undefined, '', 'it'],
  [undefined, undefined, 'it'],
]

const headersOf = (acceptLanguage: string | undefined): Record<string, string> =>
  acceptLanguage === undefined ? {} : { 'accept-language': acceptLanguage }

async function anItalianShop(): Promise<Shop> {
  const shop = await service.openShop()
  await shop.put(`/api/companies/${shop.companyId}.json`, { company: { language: 'it' } })
  return shop
}

const aNewcomer = (details: object) => ({ email: anEmail(), password: CUSTOMER_PASSWORD, ...details })

describe('the language of a customer who names none', () => {
  test('is that of the country, else that of the browser, else that of the company', async () => {
    const shop = await anItalianShop()
    for (const [country, acceptLanguage, language] of CASES) {
      const customer = aNewcomer(country === undefined ? {} : { addresses: [{ country }] })
      const answer = await shop.post('/api/customers.json', { customer }, headersOf(acceptLanguage))
      assert.deepEqual([answer.status, answer.body.customer.language], [201, language], `${country}, ${acceptLanguage}`)
    }
  })

  test('is found the same way for an order, also by its shipping address', async () => {
    const shop = await anItalianShop()
    const line_items = [{ product_id: (await aFilm(service, shop)).product_id }]
    for (const [country, acceptLanguage, language] of CASES) {
      const orders =
        country === undefined
          ? [{ customer: aNewcomer({}), line_items }]
          : [
              { customer: aNewcomer({ addresses: [{ country }] }), line_items, shipping_address: { country: 'JP' } },
              { customer: aNewcomer({}), line_items, shipping_address: { country_name: country } },
            ]
      for (const attributes of orders) {
        const answer = await order(shop, attributes, headersOf(acceptLanguage))
        assert.equal(answer.status, 201, answer.text)
        assert.equal(answer.body.order.customer.language, language, `${country}, ${acceptLanguage}`)
      }
    }
  })

  test('is that of the address, if the address names one', async () => {
    const shop = await anItalianShop()
    const addresses = [{ country: 'FR', language: 'de' }, { country: 'PT' }]
    const { body } = await shop.post('/api/customers.json', { customer: aNewcomer({ addresses }) })
    assert.equal(body.customer.language, 'de')
  })

  test('is no guess where the customer names one, in a customer or an order', async () => {
    const shop = await anItalianShop()
    const customer = aNewcomer({ language: 'PT', addresses: [{ country: 'FR', language: 'de' }] })
    const made = await shop.post('/api/customers.json', { customer }, { 'accept-language': 'es' })
    assert.equal(made.body.customer.language, 'pt')
    const line_items = [{ product_id: (await aFilm(service, shop)).product_id }]
    const empty = { customer: aNewcomer({ language: '', addresses: [{ country: 'FR' }] }), line_items }
    assert.equal((await order(shop, empty)).body.order.customer.language, 'fr')
  })

  test('is the one that mails are written in', async () => {
    const shop = await service.openShop()
    const line_items = [{ product_id: (await aFilm(service, shop)).product_id }]
    const customer = aNewcomer({ addresses: [{ country: 'FR' }] })
    const answer = await order(shop, { customer, line_items })
    await service.runJobs()
    const { html } = await service.db
      .selectFrom('mails')
      .select('html')
      .where('recipient', '=', answer.body.order.email)
      .executeTakeFirstOrThrow()
    assert.match(html ?? '', /<html[^>]* lang="fr"/)
  })
})
