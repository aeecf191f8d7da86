import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { assertBlames, type Wire } from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'

const service = useService()

const TEXTS = {
  company_name: 'Bücher & Co 📚',
  company_additional_name: 'Second line',
  first_name: 'Jane',
  last_name: '<b>Roe</b>',
  email: 'jane@example.com',
  phone: '+1 555 0100',
  moblile_phone: '+1 555 0101',
  street: 'Main Street 1',
  zip: '10115',
  city: 'Köln',
  province: 'Texas',
  province_code: 'TX',
  creditcard_expiration: '11/2028',
  language: 'de',
}

const FLAGS = {
  affiliates_active: true,
  api_active: false,
  inventory_management_active: true,
  managed_users_active: true,
  show_recommended_products_player: false,
}

const NUMBERS = { partner_model: 3, stop_selling_at_stock_level_below: 4, warn_at_stock_level_below: 2_147_483_647 }

const CARD = '4111 1111-1111 1111'
const MASKED = '************1111'

const pathOf = ({ companyId }: Shop) => `/api/companies/${companyId}.json`

async function read(shop: Shop): Promise<Wire> {
  const answer = await shop.get(pathOf(shop))
  assert.equal(answer.status, 200, answer.text)
  return answer.body.company
}

async function put(shop: Shop, company: object): Promise<Wire> {
  const answer = await shop.put(pathOf(shop), { company })
  assert.equal(answer.status, 200, answer.text)
  assert.deepEqual(await read(shop), answer.body.company)
  return answer.body.company
}

describe('a company', () => {
  test('shows every field of the API', async () => {
    const shop = await service.openShop()
    const { id, company_name, email, creation_date, updated_at, external_access_token, ...rest } = await read(shop)
    assert.equal(id, shop.companyId)
    assert.match(`${company_name} ${email}`, /^Shop \w+ \w+@example\.com$/)
    assert.match(creation_date, /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/)
    assert.equal(updated_at, creation_date)
    assert.match(external_access_token, /^[\w-]{43}$/)
    assert.deepEqual(rest, {
      company_additional_name: '',
      first_name: '',
      last_name: '',
      phone: '',
      moblile_phone: '',
      street: '',
      zip: '',
      city: '',
      province: '',
      province_code: '',
      country: 'Germany',
      country_details: {
        ID: 276,
        Country: 'Germany',
        Eu: 1,
        Country_id: 'DE',
        Euro: 1,
        Culture: 'de-DE',
        Num: 276,
        VideoFormat: 1,
        DVDRegion: 2,
        Currency: 'EUR',
        VAT: 19,
        TimeOffset: 60,
      },
      language: 'en',
      creditcard_number: '',
      creditcard_expiration: '',
      account_level: 0,
      affiliate_mode: 0,
      company_type: 0,
      accounting_export_active: false,
      company_disabled: false,
      digital_products_only: false,
      sample_mode: false,
      shop_active: true,
      valid: false,
      affiliates_active: false,
      api_active: true,
      inventory_management_active: false,
      managed_users_active: false,
      show_recommended_products_player: true,
      esd_payment_route: 0,
      prod_payment_route: 0,
      payment_reminders: 0,
      restricted: 0,
      tax_options: 0,
      partner_model: 0,
      stop_selling_at_stock_level_below: 0,
      warn_at_stock_level_below: 0,
      shop_status: {
        'No payment system': true,
        'No products': true,
        Disabled: false,
        'Incomplete company data': true,
        'Products incomplete': false,
        'No active theme/domain': false,
        'Limited access mode': false,
      },
    })
  })

  test('has its own external access token', async () => {
    const [one, other] = [await read(await service.openShop()), await read(await service.openShop())]
    assert.notEqual(one.external_access_token, other.external_access_token)
  })

  test('answers 304 until it or its shop changes, and can be reduced to fields', async () => {
    const shop = await service.openShop()
    const etag = (await shop.get(pathOf(shop))).headers.get('etag') ?? ''
    const again = () => shop.get(pathOf(shop), undefined, { 'if-none-match': etag })
    assert.equal((await again()).status, 304)
    await shop.post('/api/products.json', { product: { product_type: 1, title: 'F' } })
    assert.equal((await again()).status, 200)
    const { body } = await shop.get(`${pathOf(shop)}?fields=id,moblile_phone,nothing`)
    assert.deepEqual(body, { company: { id: shop.companyId, moblile_phone: '' } })
  })
})

describe('PUT /api/companies/{token}.json', () => {
  test('changes each field alone and leaves every other as it was', async () => {
    const shop = await service.openShop()
    let before = await read(shop)
    for (const [name, value] of Object.entries({ ...TEXTS, ...FLAGS, ...NUMBERS })) {
      const after = await put(shop, { [name]: value })
      const { valid, shop_status, updated_at } = after
      assert.deepEqual(after, { ...before, [name]: value, valid, shop_status, updated_at })
      assert.notDeepEqual(after[name], before[name], name)
      before = after
    }
  })

  test('changes only the time when a whole company is sent back', async () => {
    const shop = await service.openShop()
    const before = await put(shop, { ...TEXTS, ...FLAGS, ...NUMBERS, creditcard_number: CARD })
    service.clock.advance(5)
    const after = await put(shop, before)
    assert.ok(after.updated_at > before.updated_at)
    assert.deepEqual(after, { ...before, updated_at: after.updated_at })
  })

  test('empties a text, leaves it alone by null, and accepts numbers and flags as text', async () => {
    const shop = await service.openShop()
    await put(shop, TEXTS)
    const { company_name: _name, email: _email, language: _language, ...texts } = TEXTS
    const allOf = (value: '' | null) => Object.fromEntries(Object.keys(texts).map((name) => [name, value]))
    const { updated_at: _time, ...before } = await read(shop)
    assert.partialDeepStrictEqual(await put(shop, allOf(null)), before)
    assert.partialDeepStrictEqual(await put(shop, allOf('')), allOf(''))
    const after = await put(shop, { api_active: 'false', partner_model: '7', zip: 10115, language: 'FR' })
    assert.deepEqual([after.api_active, after.partner_model, after.zip, after.language], [false, 7, '10115', 'fr'])
  })

  test('ignores read-only fields, unknown fields and the fields for partners', async () => {
    const shop = await service.openShop()
    const before = await read(shop)
    const { updated_at: _time, ...after } = await put(shop, {
      id: 1,
      country: 'France',
      country_code: 'FR',
      country_details: { Country: 'France' },
      creation_date: '2001-01-01T00:00:00',
      updated_at: '2001-01-01T00:00:00',
      account_level: 3,
      affiliate_mode: 1,
      company_type: 9,
      accounting_export_active: true,
      company_disabled: true,
      digital_products_only: true,
      sample_mode: true,
      shop_active: false,
      valid: true,
      esd_payment_route: 1,
      prod_payment_route: 1,
      external_access_token: 'mine',
      payment_reminders: 5,
      restricted: 1,
      tax_options: 2,
      comment: 'x',
      commission_model: 1,
      price_model: 1,
      sales_contact: 'x',
      partner: 1000,
      partner_id: 1000,
      shop_status: { Disabled: true },
      creditcard_last4: '9999',
      colour: 'red',
    })
    assert.deepEqual({ ...after, updated_at: before.updated_at }, before)
  })

  const WRONG: [string, object][] = [
    ...['company_name', 'company_additional_name', 'first_name', 'last_name', 'street', 'city', 'province'].map(
      (name): [string, object] => [name, { [name]: 'x'.repeat(101) }],
    ),
    ...['phone', 'moblile_phone', 'zip', 'province_code', 'creditcard_expiration'].map((name): [string, object] => [
      name,
      { [name]: 'x'.repeat(51) },
    ]),
    ['company_name', { company_name: '' }],
    ['company_name', { company_name: true }],
    ['email', { email: '' }],
    ['email', { email: 'jane' }],
    ['email', { email: 'jane roe@example.com' }],
    ['email', { email: `${'x'.repeat(89)}@example.com` }],
    ['language', { language: 'english' }],
    ['first_name', { first_name: 'x\0' }],
    ['city', { city: '\ud800' }],
    ['street', { street: {} }],
    ['api_active', { api_active: 'yes' }],
    ['partner_model', { partner_model: 1.5 }],
    ['partner_model', { partner_model: 2 ** 31 }],
    ['warn_at_stock_level_below', { warn_at_stock_level_below: -1 }],
    ['stop_selling_at_stock_level_below', { stop_selling_at_stock_level_below: 'many' }],
    ['creditcard_number', { creditcard_number: '4111111111111112' }],
    ['creditcard_number', { creditcard_number: '1111' }],
    ['creditcard_number', { creditcard_number: MASKED }],
  ]
  for (const [index, [path, wrong]] of WRONG.entries()) {
    test(`refuses a body for its ${path} (case ${index + 1}), and changes nothing`, async () => {
      const shop = await service.openShop()
      const before = await read(shop)
      assertBlames(await shop.put(pathOf(shop), { company: { last_name: 'Roe', ...wrong } }), [path])
      assert.deepEqual(await read(shop), before)
    })
  }

  test('accepts texts of the maximum length', async () => {
    const shop = await service.openShop()
    const [long, short] = ['ü'.repeat(100), '📚'.repeat(50)]
    const after = await put(shop, { company_name: long, street: long, zip: short, phone: short })
    assert.deepEqual([after.company_name, after.street, after.zip, after.phone], [long, long, short, short])
  })

  test('is 400 without its wrapper', async () => {
    const shop = await service.openShop()
    for (const body of [{ company_name: 'X' }, [], 'null', { company: null }, { company: [] }, '']) {
      const answer = await shop.put(pathOf(shop), body, { 'content-type': 'application/json' })
      assert.deepEqual([answer.status, answer.body.code], [400, 'malformed'])
    }
  })

  test('loses no change when different fields are changed at once', async () => {
    const shop = await service.openShop()
    const changes = Object.entries({ ...TEXTS, ...FLAGS, ...NUMBERS })
    const answers = await Promise.all(
      changes.map(([name, value]) => shop.put(pathOf(shop), { company: { [name]: value } })),
    )
    for (const { status, text } of answers) assert.equal(status, 200, text)
    const after = await read(shop)
    for (const [name, value] of changes) assert.equal(after[name], value, name)
  })
})

describe('card data', () => {
  test('is stored as its last four digits, shown masked, and removed by an empty number', async () => {
    const shop = await service.openShop()
    const first = await put(shop, { creditcard_number: CARD, creditcard_cvc: '737' })
    assert.equal(first.creditcard_number, MASKED)
    assert.ok(!('creditcard_cvc' in first))
    assert.equal((await put(shop, { creditcard_number: MASKED })).creditcard_number, MASKED)
    assert.equal((await put(shop, { creditcard_number: 5555555555554444 })).creditcard_number, '************4444')
    await put(shop, { creditcard_number: CARD })
    assert.equal((await put(shop, { creditcard_number: null })).creditcard_number, MASKED)
    assert.equal((await put(shop, { creditcard_number: '' })).creditcard_number, '')
  })

  // The number could be in any row: all tables and the whole log are searched.
  test('is in no table and no log, whether the body was accepted or refused', async () => {
    const shop = await service.openShop()
    const [number, cvc] = ['378282246310005', '918273']
    const bodies = [
      { creditcard_number: number, creditcard_cvc: cvc },
      { creditcard_number: number, creditcard_cvc: cvc, email: 'wrong' },
      { creditcard_number: `${number}9`, creditcard_cvc: cvc },
      { creditcard_number: number, creditcard_cvc: cvc.repeat(20) },
    ]
    for (const company of bodies) {
      const headers = { 'idempotency-key': 'card' }
      const answer = await shop.put(pathOf(shop), { company }, headers)
      for (const secret of [number, cvc]) assert.ok(!answer.text.includes(secret), answer.text)
    }
    assert.equal((await read(shop)).creditcard_number, '************0005')
    assert.ok(service.log.some((line) => line.includes(pathOf(shop))))
    for (const secret of [number, cvc]) assert.ok(!service.log.join('').includes(secret))
    const { rows: tables } = await sql<{ name: string }>`
      select table_name as name from information_schema.tables where table_schema = 'public'`.execute(service.db)
    assert.ok(tables.some(({ name }) => name === 'idempotency_keys') && tables.some(({ name }) => name === 'events'))
    for (const { name } of tables) {
      const { rows } = await sql<{ text: string | null }>`
        select string_agg(row_to_json(entry)::text, '') as text from ${sql.table(name)} as entry`.execute(service.db)
      for (const secret of [number, cvc]) assert.ok(!(rows[0]?.text ?? '').includes(secret), name)
    }
  })
})
