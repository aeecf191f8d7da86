import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { statementCount } from '#platform/db/database.ts'
import { adminPage, ownerPage } from '#test/admin.ts'
import { proveDomains } from '#test/domains.ts'
import { aProduct, type Wire } from '#test/factories.ts'
import { type Service, type Shop, useService } from '#test/harness.ts'
import { useMailServer } from '#test/mail-server.ts'
import { nameShop } from '#test/mails.ts'
import { aBuyer, aFilm, anOrder, aShippingMethod, setCompany, someGoods } from '#test/orders.ts'
import { offer } from '#test/payments.ts'
import { signedIn } from '#test/people.ts'
import { plansOf, rowsRead, stepsOf } from '#test/plans.ts'

const service = useService()

async function readinessOf(shop: Shop): Promise<Wire> {
  const answer = await shop.get('/api/readiness.json')
  assert.equal(answer.status, 200, answer.text)
  return answer.body.readiness
}

async function stepOf(shop: Shop, key: string): Promise<Wire> {
  return (await readinessOf(shop)).steps.find((step: Wire) => step.key === key)
}

const missing = async (shop: Shop, key: string) => (await stepOf(shop, key)).missing

describe('GET /api/readiness.json', () => {
  test('says of a new company what is left to do, and in which order', async () => {
    const shop = await service.openShop()
    const { steps, done, total } = await readinessOf(shop)
    assert.deepEqual(
      steps.map(({ key, missing }: Wire) => [key, missing]),
      [
        ['company', ['street', 'zip', 'city', 'vat_id']],
        ['product', ['product']],
        ['payments', ['payment_method']],
        ['legal_texts', ['imprint', 'terms', 'withdrawal', 'privacy']],
        ['mails', ['mail_server']],
        ['domain', ['shop_domain']],
        ['order', ['paid_order']],
      ],
    )
    assert.deepEqual([done, total], [0, 7])
    const [setting] = (await shop.get('/api/themesettings.json')).body.ThemeSettings
    assert.equal((await stepOf(shop, 'order')).subject_id, setting.id)
  })

  test('is the same for the owner who has signed in', async () => {
    const shop = await service.openShop()
    const page = await ownerPage(service, shop)
    assert.deepEqual((await page.get('/readiness.json')).body.readiness, await readinessOf(shop))
  })

  test('is closed to a user who may not manage the company, and to a token without the scope', async () => {
    const shop = await service.openShop()
    const page = adminPage(service, await signedIn(service, shop))
    await service.db
      .updateTable('users')
      .set({ permissions: sql`permissions || '{"create_users": 0}'::jsonb` })
      .where('id', '=', shop.userId)
      .execute()
    assert.equal((await page.get('/readiness.json')).status, 403)
    const other = await service.openShop()
    assert.equal((await (await other.withScopes('orders')).get('/api/readiness.json')).status, 403)
  })

  test('asks for the data that invoices show, and for a VAT ID in the European Union only', async () => {
    const shop = await service.openShop()
    const address = { street: 'Am Markt 2', zip: '20095', city: ' ' }
    await shop.put(`/api/companies/${shop.companyId}.json`, { company: address })
    assert.deepEqual(await missing(shop, 'company'), ['city', 'vat_id'])
    await shop.put(`/api/companies/${shop.companyId}.json`, { company: { city: 'Hamburg' } })
    const page = await ownerPage(service, shop)
    await page.put('/invoice_settings.json', { invoice_settings: { vat_id: 'DE136695976' } })
    assert.deepEqual(await stepOf(shop, 'company'), {
      key: 'company',
      done: true,
      missing: [],
      subject: null,
      subject_id: null,
    })
    const abroad = await service.openShop()
    await setCompany(service, abroad, { country_code: 'US' })
    assert.deepEqual(await missing(abroad, 'company'), ['street', 'zip', 'city'])
    assert.deepEqual(await missing(abroad, 'legal_texts'), ['terms', 'privacy'])
  })

  test('takes bank transfer for a way to be paid, and test cards for none', async () => {
    const shop = await service.openShop()
    await offer(service, shop, { test: { enabled: true } })
    assert.deepEqual(await missing(shop, 'payments'), ['live_payment_method'])
    await offer(service, shop, { manual: { enabled: true, instructions: 'IBAN DE02' } })
    assert.deepEqual(await missing(shop, 'payments'), [])
    assert.deepEqual(await missing(await service.openShop(), 'payments'), ['payment_method'])
  })

  test('says what keeps the latest product from being bought', async () => {
    const shop = await service.openShop()
    const draft = await aProduct(shop, { title: 'Polar Night', published: false })
    const step = await stepOf(shop, 'product')
    assert.deepEqual([step.subject, step.subject_id], ['Polar Night', draft.id])
    assert.deepEqual(step.missing, ['published', 'price', 'content'])
    await shop.put(`/api/products/${draft.id}.json`, { product: { published: true } })
    assert.deepEqual(await missing(shop, 'product'), ['price', 'content'])
    const ahead = await aFilm(service, shop, 1190, { published_at: '2100-01-01T00:00:00' })
    assert.deepEqual(await missing(shop, 'product'), ['release'])
    await shop.put(`/api/products/${ahead.id}.json`, { product: { published_at: '2020-01-01T00:00:00' } })
    assert.equal((await stepOf(shop, 'product')).done, true)
    // One that can be bought is enough, whatever comes after it.
    await aProduct(shop, { title: 'Draft', published: false })
    assert.equal((await stepOf(shop, 'product')).done, true)
    await shop.delete(`/api/products/${ahead.id}.json`)
    assert.equal((await stepOf(shop, 'product')).done, false)
  })

  test('asks only who sells goods how they are shipped', async () => {
    const shop = await service.openShop()
    await aFilm(service, shop)
    assert.equal(await stepOf(shop, 'shipping'), undefined)
    await someGoods(service, shop)
    assert.deepEqual(await missing(shop, 'shipping'), ['shipping_method'])
    await aShippingMethod(service, shop)
    assert.deepEqual(await missing(shop, 'shipping'), [])
  })

  test('finds the legal texts in any language', async () => {
    const shop = await service.openShop()
    await nameShop(shop, [{ language_id: 'de', imprint: 'Kino Nord', terms: 'AGB' }])
    assert.deepEqual(await missing(shop, 'legal_texts'), ['withdrawal', 'privacy'])
  })

  test('wants a domain, and then its proof', async () => {
    const shop = await service.openShop()
    const [setting] = (await shop.get('/api/themesettings.json')).body.ThemeSettings
    const domain = `shop${shop.companyId}.example.com`
    await shop.put(`/api/themesettings/${setting.id}.json`, { ThemeSetting: { shop_domain: domain } })
    const step = await stepOf(shop, 'domain')
    assert.deepEqual([step.missing, step.subject], [['domain_proof'], domain])
    assert.deepEqual(step.record, { type: 'TXT', name: `_licet.${domain}`, value: `licet-company=${shop.companyId}` })
    await proveDomains(service, shop, domain)
    const proved = await stepOf(shop, 'domain')
    assert.deepEqual([proved.done, proved.subject, proved.record], [true, domain, undefined])
  })

  test('takes the first order that was paid, also a test', async () => {
    const shop = await service.openShop()
    const film = await aFilm(service, shop)
    await anOrder(shop, await aBuyer(shop), [film], { test: true })
    assert.equal((await stepOf(shop, 'order')).done, true)
    assert.equal((await stepOf(await service.openShop(), 'order')).done, false)
  })
})

describe('what a company with 20,000 products costs', () => {
  const COUNT = 20_000

  /** Copies a product many times, without its bindings. */
  async function copies(of: Service, shop: Shop, product: Wire): Promise<void> {
    const { rows } = await sql<{ column_name: string }>`select column_name from information_schema.columns
      where table_name = 'products' and is_generated = 'NEVER' and column_name not in ('id', 'product_id')`.execute(
      of.db,
    )
    const columns = sql.join(rows.map(({ column_name }) => sql.ref(column_name)))
    await sql`insert into products (id, product_id, ${columns})
      select nextval('products_id_seq'), 'COPY-' || number, ${columns} from products, generate_series(1, ${COUNT}::int) as number
      where company_id = ${shop.companyId} and id = ${product.id}`.execute(of.db)
    await sql`vacuum analyze products`.execute(of.db)
  }

  test('is the same as for one: a statement each, and an index for the products', async () => {
    const shop = await service.openShop()
    const film = await aFilm(service, shop, 1190, { title: 'Salt House' })
    await copies(service, shop, await aProduct(shop, { title: 'Nobody can buy it', published: true }))
    await readinessOf(shop)
    const before = statementCount()
    await readinessOf(shop)
    assert.equal(statementCount() - before, 8)
    const plans = await plansOf(service, 'products', () => readinessOf(shop))
    assert.ok(plans.length > 0)
    const read = plans.reduce((sum, plan) => sum + rowsRead(plan, 'products'), 0)
    assert.ok(read <= 10, `${read} rows were read`)
    const scans = plans.flatMap(stepsOf).filter((step) => step['Node Type'] === 'Seq Scan')
    assert.deepEqual(
      scans.filter((step) => step['Relation Name'] === 'products'),
      [],
    )
    assert.equal((await stepOf(shop, 'product')).done, true)
    assert.ok(film.id > 0)
  })
})

describe('with a mail server', () => {
  const server = useMailServer()
  const sending = useService({ smtpUrl: server.listening })

  test('mails are sent', async () => {
    const shop = await sending.openShop()
    assert.equal((await stepOf(shop, 'mails')).done, true)
  })
})
