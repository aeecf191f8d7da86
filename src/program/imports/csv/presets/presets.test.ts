import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Wire } from '#test/factories.ts'
import { useService } from '#test/harness.ts'
import { aCsvImport, importsOf } from '#test/imports.ts'
import { findPreset } from './rules.ts'

const service = useService()
const { work, change, undo } = importsOf(service)

/** A line of a CSV file, with quotation marks where a value needs them. */
const line = (values: readonly string[]) =>
  values.map((value) => (/[",]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value)).join(',')

function csv(headings: readonly string[], rows: readonly Record<string, string>[]): string {
  return [line(headings), ...rows.map((row) => line(headings.map((heading) => row[heading] ?? ''))), ''].join('\n')
}

const WOO = [
  'ID',
  'Type',
  'SKU',
  'Name',
  'Published',
  'Is featured?',
  'Short description',
  'Description',
  'Tax class',
  'In stock?',
  'Stock',
  'Weight (kg)',
  'Length (cm)',
  'Sale price',
  'Regular price',
  'Categories',
  'Tags',
  'Shipping class',
  'Images',
  'Download 1 URL',
  'Parent',
  'Attribute 1 name',
]

const WOO_PRODUCTS = csv(WOO, [
  {
    ID: '10',
    Type: 'variable',
    SKU: 'hood',
    Name: 'Hoodie',
    Published: '1',
    Categories: 'Clothes > Hoodies, Sale\\, now',
  },
  {
    ID: '11',
    Type: 'variation',
    Name: 'Hoodie - S',
    Parent: 'id:10',
    'Regular price': '40',
    'Weight (kg)': '0.5',
    Stock: '3',
  },
  {
    ID: '20',
    Type: 'simple, downloadable, virtual',
    SKU: 'score',
    Name: 'Score',
    Published: '-1',
    Description: '<p>Notes</p>',
    'Regular price': '12.50',
    'Sale price': '9.90',
    'Tax class': 'reduced-rate',
    Tags: 'music, notes',
    'Download 1 URL': 'https://example.com/score.pdf',
  },
  { ID: '12', Type: 'variation', Name: 'Hoodie - L', Parent: 'hood', 'Regular price': '45' },
  { ID: '30', Type: 'grouped', Name: 'Set', Published: '1' },
  { ID: '40', Type: 'variation', Name: 'Lost - red', Parent: 'id:999', 'Regular price': '1', Published: '1' },
])

const productsOf = async (shop: { get(path: string): Promise<Wire> }) =>
  (await shop.get('/api/products.json')).body.products

describe('an export of WooCommerce', () => {
  test('of products is known, and says which columns cannot be taken over and why', async () => {
    const shop = await service.openShop()
    const file = await aCsvImport(service, shop, WOO_PRODUCTS)
    assert.deepEqual([file.exported_from, file.kind], ['woocommerce', 'products'])
    const columns = Object.fromEntries(file.columns.map(({ heading, field, why }: Wire) => [heading, field ?? why]))
    assert.deepEqual(
      [columns.Name, columns.Type, columns['Weight (kg)'], columns['Sale price'], columns.Parent, columns.Tags],
      ['title', 'product_type', 'weight', 'sale_price', 'parent', 'seo_keywords'],
    )
    assert.deepEqual(
      [
        'Download 1 URL',
        'Attribute 1 name',
        'Length (cm)',
        'Shipping class',
        'Is featured?',
        'In stock?',
        'Short description',
      ].map((heading) => columns[heading]),
      ['files', 'variants', 'measures', 'shipping', 'marketing', 'settings', 'only_one'],
    )
  })

  test('becomes products: variations with their product, sale prices, categories, types and weights', async () => {
    const shop = await service.openShop()
    const file = await work(shop, await aCsvImport(service, shop, WOO_PRODUCTS), '/run')
    assert.equal(file.state, 'imported', JSON.stringify(file.report ?? file.problem))
    assert.deepEqual(file.report.counts, { created: 3, changed: 0, unchanged: 0, skipped: 1, refused: 0 })
    assert.deepEqual(file.report.notes, ['line 5: a further variant is not imported'])
    const skipped = file.report.warnings.find(({ reason }: Wire) => reason === 'grouped_product')
    assert.deepEqual([skipped.count, skipped.lines], [1, [6]])
    const products = await productsOf(shop)
    assert.deepEqual(
      products.map(({ title, product_type, weight, items_in_stock, published, tax_class }: Wire) => [
        title,
        product_type,
        weight,
        items_in_stock,
        published,
        tax_class,
      ]),
      [
        ['Hoodie', 6, 500, 3, true, 'standard'],
        ['Score', 27, null, null, false, 'reduced'],
        ['Lost - red', 6, null, null, true, 'standard'],
      ],
    )
    const prices = (await shop.get('/api/prices.json')).body.prices
    const titleOf = (id: number) => prices.find((price: Wire) => price.id === id)?.title
    const [hoodie, score] = products
    assert.deepEqual(
      [hoodie, score].map(({ price_license_binding: [binding] }: Wire) => [
        titleOf(binding.price_id),
        titleOf(binding.compare_price_id),
      ]),
      [
        ['40.00 EUR', undefined],
        ['9.90 EUR', '12.50 EUR'],
      ],
    )
    const { categories } = (await shop.get('/api/categories.json')).body
    assert.deepEqual(categories.map(({ title }: Wire) => title).sort(), ['Clothes', 'Hoodies', 'Sale, now'])
    // Sent again, it changes nothing; undone, nothing is left.
    const again = await work(shop, await aCsvImport(service, shop, WOO_PRODUCTS), '/run')
    assert.deepEqual([again.report.counts.created, again.report.counts.unchanged], [0, 3])
    assert.deepEqual((await undo(shop, file)).undo.lines, [])
    assert.deepEqual(await productsOf(shop), [])
  })

  test('of customers is known in the forms of plug-ins and of the statistics', async () => {
    const shop = await service.openShop()
    const plugin = csv(
      [
        'customer_id',
        'email',
        'first_name',
        'last_name',
        'billing_first_name',
        'billing_address_1',
        'billing_city',
        'billing_postcode',
        'billing_country',
        'shipping_city',
        'total_spent',
      ],
      [
        {
          customer_id: '5',
          email: 'jane@example.com',
          first_name: 'Jane',
          last_name: 'Roe',
          billing_first_name: 'J',
          billing_address_1: 'Main Street 1',
          billing_city: 'Town',
          billing_postcode: '10115',
          billing_country: 'DE',
          total_spent: '99.00',
        },
      ],
    )
    const analytics = csv(
      [
        'Name',
        'Username',
        'Last Active',
        'Sign Up',
        'Email',
        'Orders',
        'Total Spend',
        'AOV',
        'Country / Region',
        'City',
        'Region',
        'Postal Code',
      ],
      [
        {
          Name: 'Bert van Dyck',
          Username: 'bert',
          Email: 'bert@example.com',
          Orders: '3',
          'Country / Region': 'BE',
          City: 'Gent',
          'Postal Code': '9000',
        },
      ],
    )
    for (const content of [plugin, analytics]) {
      const file = await aCsvImport(service, shop, content)
      assert.deepEqual([file.exported_from, file.kind], ['woocommerce', 'customers'])
      const done = await work(shop, file, '/run')
      assert.equal(done.state, 'imported', JSON.stringify(done.report ?? done.problem))
    }
    const { customers } = (await shop.get('/api/customers.json')).body
    assert.deepEqual(
      customers.map(({ email, first_name, last_name, addresses: [address] }: Wire) => [
        email,
        first_name,
        last_name,
        address.city,
        address.zip,
        address.country_code,
      ]),
      [
        ['jane@example.com', 'Jane', 'Roe', 'Town', '10115', 'DE'],
        ['bert@example.com', 'Bert van', 'Dyck', 'Gent', '9000', 'BE'],
      ],
    )
  })

  test('is read as another file if somebody says so', async () => {
    const shop = await service.openShop()
    const file = await aCsvImport(service, shop, WOO_PRODUCTS)
    const plain = await change(shop, file, { exported_from: null })
    const fieldOf = (columns: Wire[], name: string) => columns.find(({ heading }) => heading === name)?.field
    assert.deepEqual(
      [plain.exported_from, fieldOf(plain.columns, 'Type'), fieldOf(plain.columns, 'Regular price')],
      [null, 'category', null],
    )
    const again = await change(shop, file, { exported_from: 'woocommerce' })
    assert.equal(fieldOf(again.columns, 'Regular price'), 'price')
    const wrong = await shop.put(`/api/imports/${file.id}.json`, { import: { exported_from: 'ebay' } })
    assert.deepEqual([wrong.status, Object.keys(wrong.body.errors)], [422, ['exported_from']])
  })
})

describe('an export of Shopify', () => {
  test('of products puts variants and pictures of several lines into one product', async () => {
    const shop = await service.openShop()
    const headings = [
      'Handle',
      'Title',
      'Option1 Name',
      'Option1 Value',
      'Variant SKU',
      'Variant Price',
      'Image Src',
      'Image Position',
      'Variant Image',
      'Status',
    ]
    const content = csv(headings, [
      {
        Handle: 'mug',
        Title: 'Mug',
        'Option1 Name': 'Size',
        'Option1 Value': 'S',
        'Variant SKU': 'm-s',
        'Variant Price': '9',
        'Image Src': 'https://example.com/1.jpg',
        'Image Position': '1',
        'Variant Image': 'https://example.com/s.jpg',
        Status: 'active',
      },
      {
        Handle: 'mug',
        'Option1 Value': 'L',
        'Variant SKU': 'm-l',
        'Variant Price': '12',
        'Image Src': 'https://example.com/2.jpg',
        'Image Position': '2',
        'Variant Image': 'https://example.com/1.jpg',
      },
      { Handle: 'mug', 'Image Src': 'https://example.com/3.jpg', 'Image Position': '3' },
    ])
    const file = await aCsvImport(service, shop, content)
    assert.deepEqual([file.exported_from, file.kind], ['shopify', 'products'])
    assert.equal(file.columns.find(({ heading }: Wire) => heading === 'Option1 Name').why, 'variants')
    const { report } = await work(shop, file, '/check')
    assert.deepEqual([report.counts.created, report.notes], [1, ['line 3: a further variant is not imported']])
  })

  test('is not taken for another file, nor another file for it', () => {
    const shopOf = (...headings: string[]) => findPreset(headings)?.shop
    assert.deepEqual(
      [
        shopOf('Handle', 'Title', 'Body (HTML)', 'Variant Price'),
        shopOf('URL handle', 'Title', 'Price', 'Requires shipping'),
        shopOf('First Name', 'Last Name', 'Email', 'Accepts Email Marketing'),
        shopOf('ID', 'Typ', 'Artikelnummer', 'Name', 'Regulärer Preis'),
        shopOf('handle', 'title', 'price'),
        shopOf('email', 'first_name'),
        shopOf('Type', 'Name', 'SKU'),
      ],
      ['shopify', 'shopify', 'shopify', 'woocommerce', undefined, undefined, undefined],
    )
  })
})
