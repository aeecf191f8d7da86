import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkTables } from './check-tables.ts'

const source = (path: string, text: string) => ({ path: `src/${path}`, text })

describe('every table is written by one room', () => {
  test('however many files of it do', () => {
    const sources = [
      source('selling/orders/rows.ts', "tx.insertInto('orders')\nconst insert = prepareInsert('orders', {})"),
      source('selling/orders/counts/commands.ts', 'sql`update orders set a = 1`\nsql`delete from orders`'),
      source('catalog/products/rows.ts', "tx.updateTable('products')"),
    ]
    assert.deepEqual(checkTables(sources), [])
  })

  const OTHERS = [
    "tx.insertInto('orders')",
    "tx.updateTable('orders')",
    "tx\n  .deleteFrom('orders')",
    'sql`insert into orders (id) values (1)`',
    'sql`update orders as kept\n  set a = 1`',
    'sql`with old as (delete from orders returning *) select 1`',
  ]
  for (const text of OTHERS)
    test(`refuses another that says ${JSON.stringify(text)}`, () => {
      const found = checkTables([
        source('selling/orders/rows.ts', "tx.insertInto('orders')"),
        source('program/demo/seed.ts', text),
      ])
      assert.equal(found.length, 2)
      assert.match(
        found.join('\n'),
        /src\/program\/demo\/seed\.ts:\d+ writes orders, which program\/demo and selling\/orders both write/,
      )
    })

  test('a table that is only read has no owner', () => {
    const sources = [
      source('selling/orders/rows.ts', "tx.insertInto('orders')"),
      source('program/demo/seed.ts', "db.selectFrom('orders')"),
    ]
    assert.deepEqual(checkTables(sources), [])
  })

  test('a computed table is refused, unless somebody has said why it may be', () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the text of a source, not a template.
    const text = 'sql`insert into ${name} select 1`'
    assert.match(checkTables([source('program/demo/seed.ts', text)]).join(), /computed table/)
    assert.deepEqual(checkTables([source('selling/orders/bulk-insert.commands.ts', text)]), [])
  })

  test('seeing no statement at all is a failure', () => {
    assert.equal(checkTables([source('program/demo/seed.ts', 'export {}')]).length, 1)
  })
})
