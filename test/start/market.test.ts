import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { createDatabase, type TestDatabase } from '#test/server.ts'
import { temporaryFolder } from './program.ts'
import { run } from './terminal.ts'

let database: TestDatabase
let settings: Record<string, string>

before(async () => {
  database = await createDatabase()
  settings = { PORT: '0', LICET_DATA: await temporaryFolder(), DATABASE_URL: database.url }
  for (const name of ['Films', 'Books'])
    assert.equal((await licet('company', 'create', '--name', name, '--email', `${name}@example.com`)).code, 0)
})

after(() => database.drop())

const licet = (...args: string[]) => run(args, settings)

async function entries(): Promise<Record<string, unknown>[]> {
  const { code, out, err } = await licet('market', 'list', '--json')
  assert.equal(code, 0, err)
  return JSON.parse(out).marketplace
}

test('market offers, changes, lists and withdraws', async () => {
  assert.equal((await licet('market', 'list')).out, 'The marketplace is empty.\n')
  const made = await licet('market', 'offer', '--company', '1000', '--percent', '12.5', '--json')
  assert.deepEqual([made.code, JSON.parse(made.out)], [0, { market_id: 1000 }], made.err)
  const changed = await licet('market', 'offer', '--company', '1000', '--percent', '20')
  assert.equal(changed.out, 'The entry 1000 is in the marketplace.\n', changed.err)
  const entry = { market_id: 1000, company_id: 1000, company_name: 'Films', product_count: 0, mirrors: 0, waiting: 0 }
  assert.deepEqual(await entries(), [{ ...entry, cost_to_licensees_percent: 20 }])
  assert.deepEqual((await licet('market', 'list')).out.split('\n'), [
    '  Id  Company  Name   Products  Percent  Mirrored  To copy',
    '1000     1000  Films         0       20         0        0',
    '',
  ])
  assert.equal((await licet('market', 'withdraw', '--company', '1000')).code, 0)
  assert.deepEqual(await entries(), [])
})

for (const [name, args, complaint] of [
  ['without a percentage', ['offer', '--company', '1001'], /is required/],
  ['with too much', ['offer', '--company', '1001', '--percent', '101'], /must be from 0 to 100/],
  ['with no number', ['offer', '--company', '1001', '--percent', 'half'], /must be from 0 to 100/],
  [
    'with the shop of another company',
    ['offer', '--company', '1001', '--percent', '1', '--theme-setting', '1000'],
    /is not a shop of this company/,
  ],
  [
    'with a category that is not there',
    ['offer', '--company', '1001', '--percent', '1', '--category', '7'],
    /is not a category of this shop/,
  ],
  ['of no company', ['offer', '--company', '7', '--percent', '1'], /There is no company 7/],
  ['that is not there withdrawn', ['withdraw', '--company', '1001'], /has no entry in the marketplace/],
] as const) {
  test(`market refuses an offer ${name}, in one line`, async () => {
    const { code, out, err } = await licet('market', ...args)
    assert.notEqual(code, 0)
    assert.deepEqual([out, err.trim().split('\n').length], ['', 1])
    assert.match(err, complaint)
    assert.deepEqual(await entries(), [])
  })
}

test('import brings in an offer, which may name the categories of the file', async () => {
  const file = join(settings.LICET_DATA ?? '', 'market.json')
  const price = { id: 1, title: 'Film', currencies: [{ currency: 'eur', price: 999 }] }
  const product = { product_type: 1, price_license_binding: [{ license_id: 1, price_id: 1 }] }
  const content = {
    prices: [price],
    categories: [{ id: 77, title: 'Films' }],
    products: [
      { ...product, title: 'In', categories: [{ category_id: 77 }] },
      { ...product, title: 'Out' },
    ],
    marketplace: [{ cost_to_licensees_percent: 30, category_ids: [77] }],
  }
  await writeFile(file, JSON.stringify(content))
  const { code, out, err } = await licet('import', '--company', '1001', file)
  assert.equal(code, 0, err)
  assert.match(out, /^marketplace +1 +0 +0 +\d+$/m)
  const [entry] = await entries()
  assert.deepEqual([entry?.company_id, entry?.product_count], [1001, 1])
  await writeFile(file, JSON.stringify({ marketplace: [{ cost_to_licensees_percent: 30 }] }))
  const again = await licet('import', '--company', '1001', file)
  assert.deepEqual([again.code, again.err], [0, ''])
  assert.match(again.out, /^marketplace +0 +1 +0 +\d+$/m)
  assert.equal((await entries())[0]?.product_count, 2)
})
