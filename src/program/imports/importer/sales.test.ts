import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { eventsOf, type Wire } from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'
import { aCsvImport, importsOf, pathOf } from '#test/imports.ts'
import { aFilm, someGoods } from '#test/orders.ts'
import { aUser } from '#test/users.ts'

const service = useService()
const { work, change, undo, read } = importsOf(service)

const SHOPIFY = [
  'Name,Email,Financial Status,Paid at,Currency,Total,Lineitem quantity,Lineitem name,Lineitem price,Lineitem sku,Created at,Billing Name',
  '#1001,jane@example.com,paid,,EUR,30.00,2,Winter Light,10.00,,2024-03-01 10:00:00 +0100,Jane Roe',
  '#1001,,,,,,1,Mug,10.00,MUG,,',
  '#1002,bert@example.com,refunded,,EUR,10.00,1,Winter Light,10.00,,2024-03-02 10:00:00 +0100,Bert Berg',
  '#1003,bert@example.com,pending,,EUR,10.00,1,Winter Light,10.00,,2024-03-03 10:00:00 +0100,Bert Berg',
  '#1004,carl@example.com,partially_refunded,,EUR,10.00,1,Old Name - HD,10.00,,2024-03-04 10:00:00 +0100,Carl Cole',
  '#1005,dora@example.com,paid,,EUR,10.00,1,Old Name - HD,10.00,,2024-03-05 10:00:00 +0100,Dora Dean',
  '',
].join('\n')

async function stocked(): Promise<{ shop: Shop; film: Wire }> {
  const shop = await service.openShop()
  const film = await aFilm(service, shop, 1000, { title: 'Winter Light' })
  await someGoods(service, shop, 5)
  return { shop, film }
}

async function ownedBy(shop: Shop, email: string): Promise<Wire[]> {
  const { customers } = (await shop.get(`/api/customers/search.json?query=email:${email}`)).body
  if (customers.length === 0) return []
  const { entitlements } = (await shop.get(`/api/entitlements.json?customer_token=${customers[0].token}`)).body
  return entitlements
}

describe('sales of Shopify', () => {
  test('give nothing of another company, whose product they are matched with', async () => {
    const [{ shop }, { film }] = [await stocked(), await stocked()]
    const file = await aCsvImport(service, shop, SHOPIFY)
    await change(shop, file, { matches: [{ name: 'Old Name - HD', product_id: film.product_id }] })
    const { report } = await work(shop, file, '/check')
    assert.deepEqual([report.counts.created, report.counts.refused], [1, 2])
    await work(shop, file, '/run')
    assert.deepEqual(await ownedBy(shop, 'dora@example.com'), [])
  })

  test('are known, and ask once for each product that is called otherwise', async () => {
    const { shop, film } = await stocked()
    const file = await aCsvImport(service, shop, SHOPIFY)
    assert.deepEqual([file.exported_from, file.kind], ['shopify', 'sales'])
    const { report } = await work(shop, file, '/check')
    assert.deepEqual(report.counts, { created: 1, changed: 0, unchanged: 0, skipped: 3, refused: 2 })
    assert.deepEqual(report.unmatched, [{ name: 'Old Name - HD', count: 2 }])
    assert.deepEqual(
      report.mistakes.map(({ line, field, column, value, reason }: Wire) => [line, field, column, value, reason]),
      [
        [6, 'product', 'Lineitem name', 'Old Name - HD', 'sale_product_unknown'],
        [7, 'product', 'Lineitem name', 'Old Name - HD', 'sale_product_unknown'],
      ],
    )
    const reasons = report.warnings.map(({ message, lines }: Wire) => [message, lines])
    assert.deepEqual(reasons, [
      ['goods and services were delivered: there is nothing to give', [3]],
      ['it was refunded', [4]],
      ['it was not paid (pending)', [5]],
    ])
    const matched = await change(shop, file, { matches: [{ name: 'Old Name - HD', product_id: film.product_id }] })
    assert.deepEqual(matched.matches, [{ name: 'Old Name - HD', product_id: film.product_id }])
    assert.equal((await work(shop, file, '/check')).report.counts.created, 3)
    await change(shop, file, { matches: [{ name: 'Old Name - HD', product_id: null }] })
    const left = (await work(shop, file, '/check')).report
    assert.deepEqual([left.counts.created, left.counts.skipped, left.unmatched], [1, 5, []])
  })

  test('give customers what they bought, with its date and its number, and nothing else', async () => {
    const { shop, film } = await stocked()
    const before = (await shop.get('/api/products.json')).body.products
    const file = await aCsvImport(service, shop, SHOPIFY)
    await change(shop, file, { matches: [{ name: 'Old Name - HD', product_id: film.product_id }] })
    const done = await work(shop, file, '/run')
    assert.deepEqual([done.state, done.report.counts.created], ['imported', 3], JSON.stringify(done.report))
    const owned = await ownedBy(shop, 'jane@example.com')
    assert.deepEqual(
      owned.map(({ title, acquired_at, order_id, state }: Wire) => [title, acquired_at, order_id, state]),
      [
        ['Winter Light', '2024-03-01T09:00:00', null, 'active'],
        ['Winter Light', '2024-03-01T09:00:00', null, 'active'],
      ],
    )
    assert.equal((await ownedBy(shop, 'carl@example.com')).length, 1)
    assert.deepEqual(await ownedBy(shop, 'bert@example.com'), [])
    const { redemption_codes: codes } = (await shop.get('/api/redemption_codes.json')).body
    assert.deepEqual(
      codes.map(({ note, state }: Wire) => [note, state]),
      [
        ['Shopify, #1001, 2024-03-01', 'used_up'],
        ['Shopify, #1004, 2024-03-04', 'used_up'],
        ['Shopify, #1005, 2024-03-05', 'used_up'],
      ],
    )
    // No order, no charge, no stock, no mail.
    assert.equal((await shop.get('/api/orders/count.json')).body.count, 0)
    assert.deepEqual((await shop.get('/api/products.json')).body.products, before)
    const mails = await service.db.selectFrom('mails').select('id').where('company_id', '=', shop.companyId).execute()
    assert.deepEqual(mails, [])
    const topics = new Set((await eventsOf(service, shop)).map(({ topic }) => topic))
    assert.ok(!topics.has('order/create'))
    // Sent again, nothing is given twice.
    const again = await aCsvImport(service, shop, SHOPIFY)
    await change(shop, again, { matches: [{ name: 'Old Name - HD', product_id: film.product_id }] })
    const { counts } = (await work(shop, again, '/run')).report
    assert.deepEqual([counts.created, counts.unchanged], [0, 3])
    assert.equal((await ownedBy(shop, 'jane@example.com')).length, 2)
  })

  test('are undone, but for what somebody has used', async () => {
    const { shop, film } = await stocked()
    const file = await aCsvImport(service, shop, SHOPIFY)
    await change(shop, file, { matches: [{ name: 'Old Name - HD', product_id: film.product_id }] })
    await work(shop, file, '/run')
    const [used] = await ownedBy(shop, 'dora@example.com')
    const play = await shop.post(`/api/entitlements/${used.id}/use.json`, { use: { action: 'play', device: 'tv' } })
    assert.deepEqual([play.status, play.body.decision?.code], [200, 'allowed'])
    const promised = (await shop.get(pathOf(file, '/undo_preview'))).body.undo
    const { undo: report } = await undo(shop, file)
    assert.deepEqual(report, promised)
    // Three codes and three customers were new; one of each stays.
    assert.deepEqual([report.removed, report.kept], [4, 2])
    assert.deepEqual(
      report.lines.map(({ line, kind, reason }: Wire) => [line, kind, reason]),
      [
        [7, 'customers', 'sold'],
        [7, 'redemption_codes', 'in_use'],
      ],
    )
    assert.deepEqual(await ownedBy(shop, 'jane@example.com'), [])
    assert.equal((await ownedBy(shop, 'dora@example.com')).length, 1)
  })
})

describe('sales of other shops', () => {
  const FILES: [string, string, string][] = [
    [
      'gumroad',
      'Purchase ID,Item Name,Buyer Name,Purchase Email,Purchase Date,Sale Price ($),Refunded?,Fully Refunded?,License Key,Quantity\ng1,Winter Light,Jane Roe,jane@example.com,2023-01-05,12,1,0,,1\ng2,Winter Light,Bert,bert@example.com,2023-01-06,12,1,1,,1\n',
      'Gumroad, g1, 2023-01-05',
    ],
    [
      'woocommerce',
      'Order Number,Order Status,Order Date,First Name (Billing),Last Name (Billing),Email (Billing),SKU,Item Name,Quantity (- Refund)\n77,Completed,2023-01-05 09:30,Jane,Roe,jane@example.com,,Winter Light,1\n78,Refunded,2023-01-05 09:30,Bert,B,bert@example.com,,Winter Light,1\n79,Completed,2023-01-05 09:30,Bert,B,bert@example.com,,Winter Light,0\n',
      'WooCommerce, 77, 2023-01-05',
    ],
    [
      '',
      'email,order_number,sold_at,product,quantity\njane@example.com,A-1,2023-01-05,winter light,1\n',
      'Past sale, A-1, 2023-01-05',
    ],
  ]

  for (const [from, content, note] of FILES)
    test(`are taken over from ${from || 'a file of our own'}`, async () => {
      const { shop } = await stocked()
      const file = await aCsvImport(service, shop, content)
      assert.deepEqual([file.exported_from, file.kind], [from || null, 'sales'])
      const done = await work(shop, file, '/run')
      assert.deepEqual([done.state, done.report.counts.created], ['imported', 1], JSON.stringify(done.report))
      assert.equal((await ownedBy(shop, 'jane@example.com')).length, 1)
      assert.deepEqual(await ownedBy(shop, 'bert@example.com'), [])
      const { redemption_codes: codes } = (await shop.get('/api/redemption_codes.json')).body
      assert.deepEqual(
        codes.map((code: Wire) => code.note),
        [note],
      )
    })

  test('with mistakes name them', async () => {
    const { shop } = await stocked()
    const content =
      'email,order_number,sold_at,product,quantity\nnobody,1,2023-01-05,Winter Light,1\na@example.com,2,yesterday,Winter Light,1\na@example.com,3,2023-01-05,Winter Light,500\n'
    const { report } = await work(shop, await aCsvImport(service, shop, content), '/check')
    assert.deepEqual(
      report.mistakes.map(({ line, field, reason }: Wire) => [line, field, reason]),
      [
        [2, 'email', 'field_invalid'],
        [3, 'sold_at', 'not_a_time'],
        [4, 'quantity', 'field_out_of_range'],
      ],
    )
  })

  test('are imported by those who may give content, and by nobody else', async () => {
    const { shop } = await stocked()
    const file = await aCsvImport(service, shop, SHOPIFY)
    const app = await shop.withScopes('products')
    const answer = await app.post(pathOf(file, '/run'))
    assert.deepEqual([answer.status, answer.body.reason], [403, 'scope_missing'])
    const member = await aUser(service, shop, { permissions: { request_products: 1 } })
    const refused = await (await shop.asUser(member.id)).post(pathOf(file, '/run'))
    assert.deepEqual([refused.status, refused.body.reason], [403, 'permission_missing'])
    assert.match(refused.body.error, /request_beta_code/)
    assert.equal((await read(shop, file)).state, 'draft')
  })
})
