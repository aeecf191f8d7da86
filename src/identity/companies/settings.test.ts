import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { adminPage, ownerPage } from '#test/admin.ts'
import { useService } from '#test/harness.ts'
import { askHost } from '#test/hosts.ts'
import { aBuyer, aFilm, anOrder, order } from '#test/orders.ts'
import { aMember } from '#test/people.ts'
import { auditOf } from '#test/terms.ts'

const service = useService()

async function open() {
  const shop = await service.openShop()
  const page = await ownerPage(service, shop)
  const set = async (company: object) => {
    const answer = await page.put('/company.json', { company })
    assert.equal(answer.status, 200, answer.text)
    return answer.body.company
  }
  return { shop, page, set }
}

describe('a signed-in user', () => {
  test('reads the own company as apps do', async () => {
    const { shop, page } = await open()
    assert.equal((await page.get('/company.json')).text, (await shop.get('/api/companies.json?self=1')).text)
  })

  // Whoever has the secret can sign in as any customer.
  test('reads the signing secret only with the permission to manage users', async () => {
    const { shop, page } = await open()
    const { visitor } = await aMember(service, shop)
    const { external_access_token: secret, ...rest } = (await page.get('/company.json')).body.company
    assert.ok(secret)
    const helper = adminPage(service, visitor)
    const answer = await helper.get('/company.json')
    assert.deepEqual(answer.body, { company: rest })
    assert.doesNotMatch(answer.text, new RegExp(secret))
    assert.deepEqual((await helper.get('/company.json?fields=external_access_token')).body, { company: {} })
    const headers = { 'if-none-match': answer.headers.get('etag') ?? '' }
    assert.equal((await helper.call('GET', '/company.json', undefined, headers)).status, 304)
  })

  test('learns that the company and its settings have not changed', async () => {
    const { page } = await open()
    for (const path of ['/company.json', '/payment_settings.json', '/invoice_settings.json']) {
      const etag = (await page.get(path)).headers.get('etag') ?? ''
      const again = await page.call('GET', path, undefined, { 'if-none-match': etag })
      assert.deepEqual([again.status, again.text], [304, ''], path)
    }
  })

  test('decides whether prices are for consumers or businesses', async () => {
    const { shop, set } = await open()
    const [film, buyer] = [await aFilm(service, shop), await aBuyer(shop)]
    const before = await anOrder(shop, buyer, [film])
    assert.equal((await set({ tax_options: 2 })).tax_options, 2)
    const after = await anOrder(shop, buyer, [film])
    assert.deepEqual([before.taxes_included, before.total_price], [true, 1190])
    assert.deepEqual([after.taxes_included, after.subtotal_price], [false, 1190])
  })

  test('closes the shop and opens it again', async () => {
    const { shop, set } = await open()
    const { ThemeSettings } = (await shop.get('/api/themesettings.json')).body
    const look = () => askHost(service.url, { host: `${ThemeSettings[0].sub_domain}.localhost` })
    assert.equal((await look()).status, 200)
    const closed = await set({ shop_active: false })
    assert.deepEqual([closed.shop_active, closed.shop_status.Disabled], [false, true])
    const page = await look()
    assert.equal(page.status, 503)
    assert.match(page.text, /This shop is closed at the moment/)
    const opened = await set({ shop_active: true })
    assert.deepEqual([opened.shop_active, opened.shop_status.Disabled], [true, false])
    assert.equal((await look()).status, 200)
  })

  test('sells through the API while the shop is closed', async () => {
    const { shop, set } = await open()
    const [{ product_id }, { token }] = [await aFilm(service, shop), await aBuyer(shop)]
    await set({ shop_active: false })
    const answer = await order(shop, { customer_token: token, line_items: [{ product_id }] })
    assert.equal(answer.status, 201, answer.text)
  })

  test('corrects the country, which decides about taxes', async () => {
    const { shop, page, set } = await open()
    const company = await set({ country: 'austria' })
    assert.deepEqual([company.country, company.country_details.Country_id], ['Austria', 'AT'])
    const made = await anOrder(shop, await aBuyer(shop, 'AT'), [await aFilm(service, shop)])
    assert.equal(made.tax_lines[0].rate, 0.2)
    const wrong = await page.put('/company.json', { company: { country: 'Atlantis' } })
    assert.deepEqual([wrong.status, Object.keys(wrong.body.errors)], [422, ['country']])
  })

  test('changes nothing else, and is on record with what changed', async () => {
    const { shop, page, set } = await open()
    const before = (await page.get('/company.json')).body.company
    const after = await set({ company_disabled: true, account_level: 3, restricted: 1, currency: 'USD', id: 1 })
    assert.deepEqual(after, before)
    await set({ tax_options: 2, shop_active: false })
    await set({ tax_options: 2 })
    const wrong = await page.put('/company.json', { company: { tax_options: 3 } })
    assert.equal(wrong.status, 422)
    const entries = (await auditOf(service, shop)).filter(({ action }) => action === 'company changed')
    assert.deepEqual(
      entries.map(({ subject, user_id }) => [subject, user_id]),
      [['tax_options 2, shop_active false', shop.userId]],
    )
  })
})

test('an app cannot change these settings', async () => {
  const { shop } = await open()
  const company = { tax_options: 2, shop_active: false, country: 'Austria' }
  const answer = await shop.put(`/api/companies/${shop.companyId}.json`, { company })
  const { tax_options, shop_active, country } = answer.body.company
  assert.deepEqual([answer.status, tax_options, shop_active, country], [200, 0, true, 'Germany'])
})
