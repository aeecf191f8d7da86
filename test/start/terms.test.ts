import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
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
  for (const name of ['Films', 'Books']) {
    const args = ['--name', name, '--email', `${name}@example.com`, '--country', 'DE', '--currency', 'EUR']
    assert.equal((await licet('company', 'create', ...args)).code, 0)
  }
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
})

after(async () => {
  await client.end()
  await database.drop()
})

const licet = (...args: string[]) => run(args, settings)
const COMPANY = ['--company', '1000']

/** The output of a command that succeeds. */
async function say(...args: string[]): Promise<string> {
  const { code, out, err } = await licet(...args)
  assert.deepEqual([code, err], [0, ''], args.join(' '))
  return out
}

/** The sentence of a command that fails. */
async function refused(...args: string[]): Promise<string> {
  const { code, out, err } = await licet(...args)
  assert.notEqual(code, 0, args.join(' '))
  assert.equal(out, '')
  return err
}

async function lastEntries(count: number): Promise<string[]> {
  const { rows } = await client.query(
    `select action || ': ' || subject as entry from audit_entries
     where company_id = 1000 and address = 'command line' order by id desc limit $1`,
    [count],
  )
  return rows.map(({ entry }) => entry).reverse()
}

describe('licet tax-rate', () => {
  test('sets, lists and removes rates', async () => {
    assert.equal(await say('tax-rate', 'list', ...COMPANY), 'The company has set no tax rates.\n')
    const set = (percent: string, ...more: string[]) =>
      say('tax-rate', 'set', ...COMPANY, '--country', 'switzerland', '--percent', percent, ...more)
    assert.equal(await set('7.7'), 'Switzerland (CH): 7.7 % VAT.\n')
    assert.equal(await set('8.1', '--name', 'MWST'), 'Switzerland (CH): 8.1 % MWST.\n')
    const { tax_rates } = JSON.parse(await say('tax-rate', 'list', ...COMPANY, '--json'))
    assert.deepEqual(
      tax_rates.map(({ country_code, percent, name }: Record<string, unknown>) => [country_code, percent, name]),
      [['CH', 8.1, 'MWST']],
    )
    const ebook = ['--class', 'e-book']
    assert.equal(await set('2.6', ...ebook), 'Switzerland (CH), e-book: 2.6 % VAT.\n')
    await say('tax-rate', 'remove', ...COMPANY, '--country', 'CH', ...ebook)
    await say('tax-rate', 'remove', ...COMPANY, '--country', 'CH')
    assert.match(await refused('tax-rate', 'remove', ...COMPANY, '--country', 'CH'), /has set no tax rate for CH/)
    assert.deepEqual(await lastEntries(5), [
      'tax rate created: CH 7.7 %',
      'tax rate changed: CH 8.1 %',
      'tax rate created: CH e-book 2.6 %',
      'tax rate deleted: CH e-book 2.6 %',
      'tax rate deleted: CH 8.1 %',
    ])
  })

  test('says what is wrong', async () => {
    const set = (...args: string[]) => refused('tax-rate', 'set', ...args)
    assert.match(await set(...COMPANY, '--country', 'Atlantis', '--percent', '1'), /^Country code is not a country/)
    assert.match(await set(...COMPANY, '--country', 'FR', '--percent', 'x'), /^Percent must be from 0 to 100/)
    assert.match(await set(...COMPANY, '--country', 'FR', '--percent', ''), /^Percent must be from 0 to 100/)
    assert.match(await set('--company', '77', '--country', 'FR', '--percent', '1'), /There is no company 77/)
  })
})

describe('licet discount', () => {
  test('creates, lists and ends codes', async () => {
    const spring = ['--code', 'SPRING', '--percent', '12.5', '--usage-limit', '3', '--ends-at', '2031-06-01']
    await say('discount', 'create', ...COMPANY, ...spring)
    await say('discount', 'create', ...COMPANY, '--code', 'FIVE', '--cents', '500')
    assert.deepEqual((await say('discount', 'list', ...COMPANY)).split('\n'), [
      'Code    Off        Used  Limit  From  Until',
      'SPRING  12.5 %        0      3        2031-06-01T00:00:00',
      'FIVE    500 cents     0',
      '',
    ])
    await say('discount', 'end', 'spring', ...COMPANY)
    assert.match(await refused('discount', 'end', 'spring', ...COMPANY), /There is no discount code spring/)
    assert.ok(!(await say('discount', 'list', ...COMPANY)).includes('SPRING'))
    assert.deepEqual(await lastEntries(1), ['discount code deleted: SPRING: 12.5 %'])
  })

  test('takes off percent or cents, and not both', async () => {
    const create = (...args: string[]) => refused('discount', 'create', ...COMPANY, '--code', 'X', ...args)
    assert.match(await create(), /Name --percent or --cents/)
    assert.match(await create('--percent', '1', '--cents', '1'), /Name --percent or --cents/)
    assert.match(await create('--percent', '101'), /^Amount must be percent/)
    assert.match(await create('--cents', '1.5'), /^Amount must be whole cents/)
  })
})

describe('licet shipping', () => {
  test('creates, lists and ends methods', async () => {
    await say('shipping', 'create', ...COMPANY, '--title', 'Parcel', '--country', 'DE', 'Austria')
    await say('shipping', 'create', ...COMPANY, '--title', 'Pick up', '--position', '0')
    const { shipping_methods } = JSON.parse(await say('shipping', 'list', ...COMPANY, '--json'))
    assert.deepEqual(
      shipping_methods.map(({ title, countries }: Record<string, unknown>) => [title, countries]),
      [
        ['Pick up', []],
        ['Parcel', ['DE', 'AT']],
      ],
    )
    const { id } = shipping_methods[0]
    assert.match(await say('shipping', 'list', ...COMPANY), /^ *\d+ {2}Pick up +0 {2}free +everywhere$/m)
    await say('shipping', 'end', String(id), ...COMPANY)
    assert.match(await refused('shipping', 'end', String(id), ...COMPANY), /There is no shipping method/)
    assert.match(await refused('shipping', 'create', ...COMPANY, '--title', 'parcel'), /^Title is the name of another/)
    assert.deepEqual(await lastEntries(1), ['shipping method deleted: Pick up'])
  })
})

describe('licet company change', () => {
  test('changes the settings that it names', async () => {
    const out = await say('company', 'change', '1000', '--tax-options', '2', '--shop-active', 'no')
    assert.equal(out, 'Company 1000: country DE, tax options 2, shop not active.\n')
    const json = JSON.parse(
      await say('company', 'change', '1000', '--country', 'Austria', '--disabled', 'yes', '--json'),
    )
    assert.deepEqual(json, {
      company_id: 1000,
      country: 'AT',
      tax_options: 2,
      shop_active: false,
      company_disabled: true,
    })
    await say('company', 'change', '1000', '--shop-active', 'yes', '--disabled', 'no')
    const { rows } = await client.query('select document from companies where id = 1000')
    assert.equal(JSON.parse(rows[0].document).country, 'Austria')
    assert.deepEqual(await lastEntries(3), [
      'company changed: tax_options 2, shop_active false',
      'company changed: country_code AT, company_disabled true',
      'company changed: shop_active true, company_disabled false',
    ])
  })

  test('says what is wrong', async () => {
    assert.match(await refused('company', 'change', '1000'), /Name a setting/)
    assert.match(await refused('company', 'change', '77', '--tax-options', '2'), /There is no company 77/)
    assert.match(await refused('company', 'change', '1000', '--shop-active', 'maybe'), /must be yes or no/)
    assert.match(await refused('company', 'change', '1000', '--country', 'Atlantis'), /is not a country/)
  })
})

describe('licet customer', () => {
  test('disables and enables a customer, also one whom several companies know', async () => {
    const file = join(settings.LICET_DATA!, 'customers.json')
    await writeFile(file, JSON.stringify({ customers: [{ email: 'jane@example.com' }] }))
    for (const company of ['1000', '1001']) await say('import', '--company', company, file)
    const { rows } = await client.query('select token from customers')
    const { token } = rows[0]
    assert.equal(
      await say('customer', 'disable', token, ...COMPANY),
      'jane@example.com cannot sign in or order any more.\n',
    )
    const stateOf = async () => (await client.query('select state from customers')).rows[0].state
    assert.equal(await stateOf(), 'disabled')
    assert.deepEqual(JSON.parse(await say('customer', 'enable', token, ...COMPANY, '--json')), {
      token,
      state: 'enabled',
    })
    assert.equal(await stateOf(), 'enabled')
    assert.deepEqual(await lastEntries(2), [`customer disabled: ${token}`, `customer enabled: ${token}`])
    assert.match(await refused('customer', 'disable', 'XXXXXXXXXXXXXXXX', ...COMPANY), /There is no customer/)
  })
})

describe('licet keys', () => {
  test('imports and counts keys of software', async () => {
    const file = join(settings.LICET_DATA!, 'software.json')
    await writeFile(file, JSON.stringify({ products: [{ title: 'A program', product_type: 4 }] }))
    await say('import', ...COMPANY, file)
    const { rows } = await client.query('select product_id from products order by id desc limit 1')
    const product = ['--product', rows[0].product_id]
    const keys = join(settings.LICET_DATA!, 'keys.txt')
    await writeFile(keys, '\uFEFFAAAA-1111\r\n\r\nBBBB-2222\naaaa1111\n')
    assert.equal(await say('keys', 'import', keys, ...COMPANY, ...product), 'Imported 2 keys. 1 was there already.\n')
    assert.equal(await say('keys', 'count', ...COMPANY, ...product), '2 keys are left, 0 were given.\n')
    assert.match(await refused('keys', 'import', `${keys}.none`, ...COMPANY, ...product), /cannot be read/)
    assert.match(await refused('keys', 'count', ...COMPANY, '--product', 'NONE'), /There is no product NONE/)
  })
})

describe('licet codes', () => {
  test('makes, lists, exports and revokes redemption codes', async () => {
    const file = join(settings.LICET_DATA!, 'product.json')
    await writeFile(file, JSON.stringify({ products: [{ title: 'A film', product_type: 1 }] }))
    await say('import', ...COMPANY, file)
    const { rows } = await client.query('select product_id from products order by id desc limit 1')
    const product = ['--product', rows[0].product_id]
    const out = await say('codes', 'create', ...COMPANY, ...product, '--count', '2', '--note', 'Fair')
    const [first = '', second = ''] = out.trim().split('\n')
    assert.match(first, /^[A-Z2-9]{4}(-[A-Z2-9]{4}){3}$/)
    assert.equal(await say('codes', 'revoke', first.toLowerCase(), ...COMPANY), 'The code is revoked.\n')
    const { redemption_codes } = JSON.parse(await say('codes', 'list', ...COMPANY, '--json'))
    const states = redemption_codes.map(({ code, state }: { code: string; state: string }) => [code, state])
    assert.deepEqual(states, [
      [first, 'revoked'],
      [second, 'active'],
    ])
    const csv = join(settings.LICET_DATA!, 'codes.csv')
    assert.equal(await say('codes', 'export', csv, ...COMPANY), `2 codes are written to ${csv}.\n`)
    assert.match(await readFile(csv, 'utf8'), new RegExp(`^code,.*\r\n${first},`))
    assert.match(await refused('codes', 'export', csv, ...COMPANY), /exists already/)
    assert.match(await refused('codes', 'revoke', 'XXXX', ...COMPANY), /There is no redemption code XXXX/)
    assert.match(await refused('codes', 'create', ...COMPANY, '--product', 'NONE'), /product/i)
  })
})

describe('licet payments', () => {
  test('turns ways to pay on, and reads secrets from files', async () => {
    const folder = settings.LICET_DATA ?? ''
    const [key, signing] = [join(folder, 'key.txt'), join(folder, 'webhook.txt')]
    await writeFile(key, 'sk_test_NotARealKey4711\n')
    await writeFile(signing, 'whsec_NotARealSecret\n')
    const before = await say('payments', 'show', ...COMPANY)
    assert.match(before, /^Manual: off\nTest: off\nStripe: off \(no key\)\n.*\nMollie: off \(no key\)\n$/)
    const due = ['--payment-due-days', '30']
    assert.match(await refused('payments', 'set', ...COMPANY, '--payment-due-days', '999'), /from 0 to 365/)
    const keys = ['--stripe-key-file', key, '--stripe-webhook-secret-file', signing]
    const after = await say('payments', 'set', ...COMPANY, '--manual', 'on', ...due, '--stripe', 'on', ...keys)
    assert.match(
      after,
      /^Manual: on \(unpaid bills are cancelled after 30 days, those of guests after 24 hours\)\nTest: off\nStripe: on \(key …4711, test mode\)\nWebhook for Stripe: \S+\/stripe\nMollie: off \(no key\)\n$/,
    )
    assert.ok(!after.includes('sk_test_'))
    const { rows } = await client.query(
      "select count(*)::int as count from audit_entries where subject like '%Stripe on%'",
    )
    assert.equal(rows[0].count, 1)
    await writeFile(key, `live_${'0'.repeat(28)}4712\n`)
    const second = await say('payments', 'set', ...COMPANY, '--mollie', 'on', '--mollie-key-file', key)
    assert.match(second, /\nStripe: on \(key …4711, test mode\)\n.*\nMollie: on \(key …4712\)\n$/)
    const { code, err } = await licet('payments', 'set', ...COMPANY)
    assert.deepEqual([code, err], [2, 'Name a setting to change; --help lists them.\n'])
  })
})

test('reviews are listed, approved and rejected', async () => {
  await client.query(`with product as (insert into products (company_id, id, product_id, product_type, title, version, comment,
        created_at, updated_at, published, pre_sales, drm_protected, allow_download_trial, mirrored, valid, manage_stock, locales,
        chapters, tagging, included, mail_texts, document, priced)
      values (1000, 9001, '0001-26ED-EA4F-AA33', 6, 'Mug', '', '', now(), now(), true, false, false, 0, false, true, false, '[]', '[]',
        '{}', '[]', '[]', '{}', false) returning company_id, id)
    insert into reviews (company_id, id, product_key, name, stars, text, state, created_at, updated_at)
    select company_id, 1000, id, 'Marta K.', 5, 'Survives the sea.', 'waiting', now(), now() from product`)
  assert.match(
    await say('reviews', 'list', ...COMPANY, '--state', 'waiting'),
    /waiting .*5 .*Marta K\. .*Survives the sea\./,
  )
  assert.match(await say('reviews', 'approve', '1000', ...COMPANY), /approved/)
  assert.match(await say('reviews', 'list', ...COMPANY), /approved/)
  assert.match(await say('reviews', 'reject', '1000', ...COMPANY), /rejected/)
  const other = await licet('reviews', 'approve', '1000', '--company', '1001')
  assert.equal(other.code, 1)
})
