import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import { createDatabase, type TestDatabase } from '#test/server.ts'
import { temporaryFolder } from './program.ts'
import { run } from './terminal.ts'

let database: TestDatabase
let client: pg.Client
let settings: Record<string, string>

before(async () => {
  database = await createDatabase('empty')
  settings = { PORT: '0', LICET_DATA: await temporaryFolder(), DATABASE_URL: database.url }
  for (const name of ['a', 'b', 'c']) {
    const made = await licet('company', 'create', '--name', name, '--email', `${name}@example.com`, '--currency', 'EUR')
    assert.equal(made.code, 0, made.err)
  }
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
})

after(async () => {
  await client.end()
  await database.drop()
})

const licet = (...args: string[]) => run(args, settings)
const file = (name: string) => join(settings.LICET_DATA ?? '', name)

async function titles(): Promise<string[]> {
  const { rows } = await client.query('select title from products order by id')
  return rows.map(({ title }) => title)
}

/** The events of a company, oldest first. */
async function topicsOf(company: number): Promise<string[]> {
  const { rows } = await client.query('select topic from events where company_id = $1 order by id', [company])
  return rows.map(({ topic }) => topic)
}

const PRODUCT_ID = '0001-26ED-EA4F-AA32'

type Outcome = {
  imported: boolean
  ids: Record<string, { created: number[]; changed: number[]; unchanged: number[] }>
  entries: { kind: string; where: string; name: string; action: string; id?: number; faults?: string[] }[]
  notes: string[]
  warnings: { where: string; field: string; reason: string; message: string }[]
}

/** Imports a text into a company, and answers how many of each list were created, changed and left as they are. */
async function importText(company: number, name: string, text: string | Buffer, ...more: string[]) {
  await writeFile(file(name), text)
  const { code, out, err } = await licet('import', '--company', String(company), file(name), '--json', ...more)
  assert.equal(err, '')
  const outcome: Outcome = JSON.parse(out)
  const counts = Object.fromEntries(
    Object.entries(outcome.ids).map(([kind, { created, changed, unchanged }]) => [
      kind,
      [created.length, changed.length, unchanged.length],
    ]),
  )
  return { code, counts, ...outcome }
}

describe('import', () => {
  test('warns of published products that cannot be bought or delivered, in JSON and in words', async () => {
    const products = [
      { product_type: 1, title: 'Film', published: true },
      { product_type: 6, title: 'Mug', published: true },
      { product_type: 1, title: 'Draft', published: false },
    ]
    await writeFile(file('incomplete.json'), JSON.stringify({ products }))
    const json = await licet('import', '--company', '1000', file('incomplete.json'), '--dry-run', '--json')
    assert.equal(json.code, 0, json.err)
    const { warnings }: Outcome = JSON.parse(json.out)
    assert.deepEqual(warnings.map(({ where, field, reason }) => `${where} ${field} ${reason}`).sort(), [
      'products[0] content_files product_without_content',
      'products[0] price_license_binding product_without_price',
      'products[1] price_license_binding product_without_price',
    ])
    const { out } = await licet('import', '--company', '1000', file('incomplete.json'), '--dry-run')
    assert.match(out, /without a price, so nobody can buy it\. \(products\[[01]\], products\[[01]\]\)\n/)
    assert.match(out, /no content file, so there is nothing to deliver\. \(products\[0\]\)\n/)
  })

  test('brings in all of a file', async () => {
    const text = JSON.stringify({
      products: [
        { product_type: 1, title: 'Film' },
        { product_type: 16, title: 'Book', unknown: 1 },
      ],
      categories: [{ title: 'Imported' }],
    })
    const { code, counts, ids, entries } = await importText(1000, 'good.json', text)
    assert.deepEqual([code, counts], [0, { categories: [1, 0, 0], products: [2, 0, 0] }])
    assert.deepEqual(await topicsOf(1000), ['product/create', 'product/create'])
    assert.deepEqual(
      entries.map(({ where, name, action }) => [where, name, action]),
      [
        ['categories[0]', 'Imported', 'created'],
        ['products[0]', 'Film', 'created'],
        ['products[1]', 'Book', 'created'],
      ],
    )
    const { rows } = await client.query('select id::int, title from products order by id')
    assert.deepEqual(
      rows.map(({ id, title }) => [id, title]),
      ids.products?.created.map((id, index) => [id, ['Film', 'Book'][index]]),
    )
    await writeFile(
      file('words.json'),
      JSON.stringify({ prices: [{ title: 'P', currencies: [{ currency: 'eur', price: 1 }] }] }),
    )
    const inWords = await licet('import', '--company', '1000', file('words.json'))
    assert.match(inWords.out, /^List +Created {2}Changed {2}Unchanged +Ids\nprices +1 +0 +0 +\d+\n$/)
  })

  test('brings in what refers to other entries of the file, by the ids that they have there', async () => {
    const binding = { license_id: 900, price_id: 900, compare_price_id: 901 }
    const text = JSON.stringify({
      products: [
        { product_type: 1, title: 'Bound', categories: [{ category_id: 8 }], price_license_binding: [binding] },
        { product_type: 1, title: 'General', price_license_binding: [{ license_id: 1, price_id: 901 }] },
      ],
      categories: [
        { id: 7, title: 'Above' },
        { id: 8, title: 'Below', parent_id: 7 },
      ],
      prices: [
        { id: 900, title: 'Sale', currencies: [{ currency: 'eur', price: 999 }], country_name: 'ignored' },
        { id: 901, title: 'Before', countries: [{ country_code: 'DE', country_name: 'Germany', price: 1999 }] },
      ],
      licenses: [{ id: 900, name: 'Imported', type: 0, expire_after_first_use: 48, assignment: 2, company_id: 4 }],
    })
    const { code, counts } = await importText(1000, 'shop.json', text)
    assert.equal(code, 0)
    assert.deepEqual(counts, { licenses: [1, 0, 0], prices: [2, 0, 0], categories: [2, 0, 0], products: [2, 0, 0] })
    const { rows } = await client.query(`
      select products.title, licenses.name, licenses.company_id::int as owner, licenses.created_by_user_id::int as user,
        prices.title as price, compare.title as compare, categories.title as category, parent.title as parent
      from products
      join product_bindings as binding on binding.product_key = products.id
      join licenses on licenses.id = binding.license_id
      join prices on prices.id = binding.price_id and prices.company_id = products.company_id
      left join prices as compare on compare.id = binding.compare_price_id
      left join category_entries as entry on entry.product_key = products.id
      left join categories on categories.id = entry.category_id
      left join categories as parent on parent.id = categories.parent_id
      where products.title in ('Bound', 'General') order by products.id`)
    const none = { compare: null, category: null, parent: null }
    assert.deepEqual(rows, [
      {
        title: 'Bound',
        name: 'Imported',
        owner: 1000,
        user: 0,
        price: 'Sale',
        compare: 'Before',
        category: 'Below',
        parent: 'Above',
      },
      { title: 'General', name: 'Buy', owner: 0, user: 0, price: 'Before', ...none },
    ])
  })

  test('brings in customers, and makes those of other companies known', async () => {
    const customers = [
      { email: 'With@example.com', password: 'a password to shop with', addresses: [{ city: 'Rome' }] },
      { email: 'without@example.com', first_name: 'Jane', note: 'Came with the file' },
    ]
    for (const company of [1000, 1001]) {
      const before = await topicsOf(company)
      const { code, counts } = await importText(company, 'customers.json', JSON.stringify({ customers }))
      assert.deepEqual([code, counts], [0, { customers: [2, 0, 0] }])
      assert.deepEqual((await topicsOf(company)).slice(before.length), ['customer/create', 'customer/create'])
    }
    const { rows } = await client.query(`
      select email, left(password_hash, 9) as hash, company_id::int as company, first_name,
        json_array_length(addresses) as addresses
      from customers join customer_relations on customer_id = customers.id order by customers.id, company_id`)
    const withPassword = { email: 'With@example.com', hash: '$argon2id', first_name: '', addresses: 1 }
    const without = { email: 'without@example.com', hash: null, first_name: 'Jane', addresses: 0 }
    assert.deepEqual(
      rows,
      [withPassword, without].flatMap((customer) => [
        { ...customer, company: 1000 },
        { ...customer, company: 1001 },
      ]),
    )
  })

  test('brings in nothing of a file with a mistake, and says where it is', async () => {
    const before = await titles()
    const mistakes: [string, RegExp][] = [
      [
        '{"products":[{"product_type":1,"title":"Good"},{"title":"No type"}]}',
        /^products\[1\]: product_type is required\.\n/,
      ],
      [
        '{"products":[{"product_type":1,"title":"Good"},{"product_type":1,"title":{}}]}',
        /^products\[1\]: title must be text/,
      ],
      ['{"prices":[{"title":"Free"}]}', /^prices\[0\]: currencies must have a price, unless a country has one/],
      [
        '{"prices":[{"title":"X","currencies":[{"currency":"xxx","price":1}]}]}',
        /^prices\[0\]: .*currency is not the code/,
      ],
      ['{"prices":[{"title":"X","currencies":[{"currency":"eur","price":"much"}]}]}', /^prices\[0\]: .*price must be/],
      ['{"licenses":[{"name":"Good"},{"name":"Bad","type":9}]}', /^licenses\[1\]: type must be/],
      ['{"licenses":[{"name":"Bad","physical":1}]}', /^licenses\[0\]: physical must be 0 with the type 0/],
      ['{"licenses":[{"id":1,"name":"One"},{"id":1,"name":"Two"}]}', /^licenses\[1\]: id 1 is there twice/],
      [
        '{"products":[{"id":1,"product_type":1,"title":"One"},{"id":1,"product_type":1,"title":"Two"}]}',
        /^products\[1\]: id 1 is there twice/,
      ],
      [
        `{"products":[{"product_id":"${PRODUCT_ID}","product_type":1,"title":"One"},{"product_id":"${PRODUCT_ID.toLowerCase()}","product_type":1,"title":"Two"}]}`,
        new RegExp(`^products\\[1\\]: product_id ${PRODUCT_ID} is there twice\\.\n`),
      ],
      ['{"licenses":[null]}', /^licenses\[0\]: must be an object\.\n/],
      ['{"products":[1]}', /^products\[0\]: must be an object\.\n/],
      ['{"customers":[[]]}', /^customers\[0\]: must be an object\.\n/],
      [
        '{"products":[{"product_type":1,"title":"X","price_license_binding":[{"license_id":77777}]}]}',
        /^products\[0\]: price_license_binding\[0\]\.license_id is not a license of this shop/,
      ],
      ['{"customers":[{"email":"jane"}]}', /^customers\[0\]: email is not/],
      ['{"customers":[{"email":"a@example.com","password":"short"}]}', /^customers\[0\]: password is too short/],
      [
        '{"customers":[{"email":"a@example.com"},{"email":"A@example.com"}]}',
        /^customers\[1\]: "a@example.com" is there twice/,
      ],
      [
        '{"orders":[]}',
        /has "orders"; what can be imported is licenses, prices, categories, products, discount_codes, shipping_methods, tax_rates, customers, sales, marketplace\.\n$/,
      ],
      ['{"products":{}}', /^"products" in .* must be a list\.\n$/],
      ['[]', /must hold a JSON object\.\n$/],
      ['{', /is not JSON: /],
    ]
    for (const [text, sentence] of mistakes) {
      await writeFile(file('bad.json'), text)
      const { code, out, err } = await licet('import', '--company', '1000', file('bad.json'))
      assert.deepEqual({ code, out }, { code: 2, out: '' }, text)
      assert.match(err, sentence)
      // A mistake in an entry is followed by what became of the file.
      const [, ...rest] = err.trimEnd().split('\n')
      assert.ok(
        rest.length === 0 || /^Nothing was imported: 1 of [12] entries have mistakes\.$/.test(rest[0] ?? ''),
        err,
      )
    }
    assert.match((await licet('import', '--company', '1000', '/no/such.json')).err, /^\/no\/such\.json can't be read/)
    assert.deepEqual(await titles(), before)
    const { rows } = await client.query(`select count(*)::int from licenses where name in ('Good', 'One')`)
    assert.deepEqual(rows, [{ count: 0 }])
  })
})
