import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import { createDatabase, type TestDatabase } from '#test/server.ts'
import { temporaryFolder } from './program.ts'
import { run } from './terminal.ts'

let database: TestDatabase
let settings: Record<string, string>
let client: pg.Client

before(async () => {
  database = await createDatabase()
  settings = { PORT: '0', LICET_DATA: await temporaryFolder(), DATABASE_URL: database.url }
  for (const name of ['Films', 'Parcels'])
    assert.equal((await licet('company', 'create', '--name', name, '--email', `${name}@example.com`)).code, 0)
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
})

after(async () => {
  await client.end()
  await database.drop()
})

const licet = (...args: string[]) => run(args, settings)

async function bring(content: object) {
  const file = join(settings.LICET_DATA!, 'selling.json')
  await writeFile(file, JSON.stringify(content))
  return licet('import', '--company', '1000', file, '--json')
}

describe('import', () => {
  test('brings in ways of shipping, with prices of the same file and a partner', async () => {
    const { code, out, err } = await bring({
      shipping_methods: [
        {
          title: 'Parcel',
          price_id: 1,
          countries: ['de', 'AT'],
          tracking_company: 'DHL',
          tracking_url: 'https://tracking.example.com/{tracking_number}',
          shipping_partner_id: 1001,
        },
        { title: 'Pick up' },
      ],
      prices: [{ id: 1, title: 'Shipping', currencies: [{ currency: 'eur', price: 490 }] }],
    })
    assert.equal(code, 0, err)
    const { prices, shipping_methods } = JSON.parse(out).ids
    assert.deepEqual([prices.created.length, shipping_methods.created.length], [1, 2])
    const { rows } = await client.query(`select method.title, price.title as price, method.countries,
        tracking_company, tracking_url, partner_id::int, method.valid
      from shipping_methods as method left join prices as price on price.id = method.price_id order by method.id`)
    assert.deepEqual(rows, [
      {
        title: 'Parcel',
        price: 'Shipping',
        countries: ['DE', 'AT'],
        tracking_company: 'DHL',
        tracking_url: 'https://tracking.example.com/{tracking_number}',
        partner_id: 1001,
        valid: true,
      },
      {
        title: 'Pick up',
        price: null,
        countries: [],
        tracking_company: '',
        tracking_url: '',
        partner_id: null,
        valid: true,
      },
    ])
  })

  test('brings in discount codes', async () => {
    const { code, out, err } = await bring({
      discount_codes: [
        { code: 'SPRING', type: 'percentage', amount: 12.5, ends_at: '2031-06-01', usage_limit: 100 },
        { code: 'five', type: 'fixed_amount', amount: 500, starts_at: '2031-01-01T12:00:00+02:00' },
      ],
    })
    assert.deepEqual([code, JSON.parse(out).ids.discount_codes?.created.length], [0, 2], err)
    const { rows } = await client.query(`select code, type, amount::float8, starts_at, ends_at, usage_limit, used
      from discount_codes order by id`)
    assert.deepEqual(rows, [
      {
        code: 'SPRING',
        type: 'percentage',
        amount: 12.5,
        usage_limit: 100,
        used: 0,
        starts_at: null,
        ends_at: new Date('2031-06-01T00:00:00Z'),
      },
      {
        code: 'five',
        type: 'fixed_amount',
        amount: 500,
        usage_limit: null,
        used: 0,
        starts_at: new Date('2031-01-01T10:00:00Z'),
        ends_at: null,
      },
    ])
  })

  test('brings in tax rates', async () => {
    const { code, out, err } = await bring({ tax_rates: [{ country_code: 'Switzerland', percent: 8.1, name: 'MWST' }] })
    assert.deepEqual([code, JSON.parse(out).ids.tax_rates?.created.length], [0, 1], err)
    const { rows } = await client.query('select country_code, rate, name from tax_rates')
    assert.deepEqual(rows, [{ country_code: 'CH', rate: 8100, name: 'MWST' }])
  })

  test('puts the terms of sale on record', async () => {
    const { rows } = await client.query(`select distinct action from audit_entries
      where address = 'command line' and action like '% created' order by 1`)
    assert.deepEqual(
      rows.map(({ action }) => action),
      ['discount code created', 'price created', 'shipping method created', 'tax rate created'],
    )
  })

  test('brings in nothing of a file with a mistake, and says where it is', async () => {
    const good = { code: 'GOOD', type: 'percentage', amount: 10 }
    const mistakes: [object, RegExp][] = [
      [{ discount_codes: [good, { ...good, code: 'good' }] }, /^discount_codes\[1\]: "GOOD" is there twice/],
      [{ discount_codes: [good, { ...good, code: 'X', amount: 101 }] }, /^discount_codes\[1\]: amount must be percent/],
      [{ discount_codes: [good, { ...good, code: 'X', type: 'x' }] }, /^discount_codes\[1\]: type must be one of/],
      [{ discount_codes: [good, { ...good, code: 'X', usage_limit: 0 }] }, /^discount_codes\[1\]: usage_limit must be/],
      [{ discount_codes: [good, { ...good, code: 'X', ends_at: 'soon' }] }, /^discount_codes\[1\]: .*ends.at/i],
      [{ discount_codes: [good, { type: 'percentage', amount: 1 }] }, /^discount_codes\[1\]: .*code/],
      [{ shipping_methods: [{ title: 'X', price_id: 77 }] }, /^shipping_methods\[0\]: price_id is not a price of/],
      [{ shipping_methods: [{ title: 'X', shipping_partner_id: 77 }] }, /^shipping_methods\[0\]: .*is not a company/],
      [{ shipping_methods: [{ title: 'X', shipping_partner_id: 1000 }] }, /^shipping_methods\[0\]: .*must be another/],
      [{ shipping_methods: [{ title: 'X', tracking_url: 'http://x/' }] }, /^shipping_methods\[0\]: tracking_url must/],
      [
        { shipping_methods: [{ title: 'X', countries: ['XX'] }] },
        /^shipping_methods\[0\]: countries\[0\] is not a country/,
      ],
      [{ shipping_methods: [{}] }, /^shipping_methods\[0\]: .*title/],
    ]
    const look = async () =>
      (await client.query('select code as name from discount_codes union all select title from shipping_methods')).rows
    const before = await look()
    for (const [content, sentence] of mistakes) {
      const { code, out, err } = await bring(content)
      assert.deepEqual([code, JSON.parse(out).imported], [2, false], JSON.stringify(content))
      assert.match(err, sentence)
    }
    assert.deepEqual(await look(), before)
  })
})
