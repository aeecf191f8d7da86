// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these texts are source code.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkTenant, tenantTables } from './check-tenant.ts'

const TYPES = `export interface Companies {
  id: Generated<number>;
}

export interface Products {
  company_id: number;
  id: Generated<number>;
}

export interface ProductThemes {
  company_id: number;
}

export interface DB {
  companies: Companies;
  product_themes: ProductThemes;
  products: Products;
}
`

const check = (text: string, path = 'src/catalog/products/commands.ts') => checkTenant([{ path, text }], TYPES, [])

test('the tables are those whose rows have a company', () => {
  assert.deepEqual([...tenantTables(TYPES)], ['product_themes', 'products'])
})

describe('refused', () => {
  const refused: Record<string, string> = {
    'a select without a company': "db.selectFrom('products').selectAll().where('id', '=', id).execute()",
    'a select that only shows the company': "db.selectFrom('products').select('company_id').execute()",
    'a select of every company but none': "db.selectFrom('products').where('company_id', 'is not', null).execute()",
    'a select under an alias': "db.selectFrom('products as p').where('p.id', '=', id).execute()",
    'one of several tables': "db.selectFrom(['companies', 'products']).selectAll().execute()",
    'a table that nobody can know': "db.selectFrom(table).where('id', '=', id).execute()",
    'a company that only a sub-query has':
      "db.selectFrom('products').where('id', 'in', (q) => q.selectFrom('product_themes').where('company_id', '=', 1)).execute()",
    'a condition that may be left out':
      "db.selectFrom('products').$if(own, (q) => q.where('company_id', '=', companyId)).execute()",
    'an update': "tx.updateTable('products').set({ company_id: 1 }).where('id', '=', id).execute()",
    'a delete': "tx.deleteFrom('products').where('id', '=', id).execute()",
    'a delete in batches': "deleteBatch(tx, 'products', sql`created_at < ${oldest}`)",
    'a join': "db.selectFrom('companies').innerJoin('products', 'products.id', 'companies.id').execute()",
    'a join after one by company':
      "db.selectFrom('companies').innerJoin('product_themes', (join) => join.onRef('product_themes.company_id', '=', 'companies.id')).innerJoin('products', 'products.id', 'companies.id')",
    'the company of the statement before':
      "db.selectFrom('products').where('company_id', '=', 1).execute()\ndb.selectFrom('products').execute()",
    'a select in SQL': 'sql`select * from products where id = ${id}`',
    'a typed select in SQL': 'sql<{ id: number }>`select id from products`',
    'a join in SQL': 'sql`select 1 from companies join products on products.id = companies.id`',
    'an update in SQL': 'sql`update products set title = ${title} where id = ${id} returning company_id`',
    'a delete in SQL': 'sql`delete from products where id = ${id}`',
    'an insert in SQL': 'sql`insert into products (id, title) values (1, 2)`',
    'a computed table in SQL': 'sql`select count(*) from ${sql.table(table)}`',
    'a condition in SQL': 'condition`exists (select from products where id = ${id})`',
    'SQL inside SQL': 'sql`select ${sql`(select 1 from products)`}`',
    'plain text that is SQL': "client.query('select * from products')",
  }
  for (const [name, text] of Object.entries(refused)) {
    test(name, () => {
      assert.equal(check(text).length, 1, check(text).join('\n'))
      assert.match(check(text)[0] ?? '', /^src\/catalog\/products\/commands\.ts:\d+ .* has no company_id$/)
    })
  }
})

describe('accepted', () => {
  const accepted: Record<string, string> = {
    'a select of one company':
      "db.selectFrom('products').selectAll().where('products.company_id', '=', companyId).execute()",
    'a condition after others':
      "tx.deleteFrom('products').where('id', '=', f(a, (b) => b)).where('company_id', '=', c).execute()",
    'a join by company':
      "db.selectFrom('companies').innerJoin('products', (join) => join.onRef('products.company_id', '=', 'companies.id'))",
    'a computed table of one company': "tx.deleteFrom(table).where('company_id', '=', companyId).execute()",
    'SQL of one company': 'sql`select count(*) from products where company_id = ${companyId}`',
    'a computed table in SQL of one company': 'sql`select 1 from ${sql.table(t)} where company_id = ${companyId}`',
    'an insert with its company':
      'sql`insert into products (company_id, id) values (${a}, ${b}) on conflict do update set id = 1`',
  }
  for (const [name, text] of Object.entries(accepted)) test(name, () => assert.deepEqual(check(text), []))
})

describe('a table whose reads start in one function', () => {
  const start = {
    path: 'src/catalog/products/queries.ts',
    text: "function productsOf(db: Db, companyId: number) {\n  return db.selectFrom('products').where('products.company_id', '=', companyId)\n}\n",
  }

  test('is read nowhere else, even with its company', () => {
    const text = "export function f(db: Db) {\n  return db.selectFrom('products').where('company_id', '=', 1)\n}\n"
    const elsewhere = { path: 'src/catalog/categories/queries.ts', text }
    const beside = { ...start, text: start.text + text }
    assert.deepEqual(checkTenant([start, elsewhere], TYPES, []), [
      "src/catalog/categories/queries.ts:2 selectFrom('products') belongs in productsOf (src/catalog/products/queries.ts) alone: start from it",
    ])
    assert.equal(checkTenant([beside], TYPES, []).length, 1)
  })

  test('is changed elsewhere with its company', () => {
    const text = "tx.updateTable('products').set({ title }).where('company_id', '=', 1).execute()"
    assert.deepEqual(checkTenant([start, { path: 'src/catalog/products/commands.ts', text }], TYPES, []), [])
  })
})

describe('exceptions', () => {
  const text = "export function findAll(db: Db) {\n  return db.selectFrom('products').execute()\n}\n"
  const exception = { path: 'src/a/queries.ts', inside: 'findAll', table: 'products', because: 'it may' }

  test('hold for their file, function and table', () => {
    assert.deepEqual(checkTenant([{ path: 'src/a/queries.ts', text }], TYPES, [exception]), [])
    for (const other of [{ path: 'src/b/queries.ts' }, { inside: 'findSome' }, { table: 'product_themes' }]) {
      assert.notDeepEqual(checkTenant([{ path: 'src/a/queries.ts', text }], TYPES, [{ ...exception, ...other }]), [])
    }
  })

  test('that nothing needs any more are told', () => {
    const scoped = text.replace('.execute()', ".where('company_id', '=', 1).execute()")
    assert.deepEqual(checkTenant([{ path: 'src/a/queries.ts', text: scoped }], TYPES, [exception]), [
      'src/a/queries.ts findAll needs no exception for products any more',
    ])
  })
})

test('seeing no statement at all is a failure', () => {
  assert.match(check('const a = 1').join(), /saw no statement/)
  assert.match(checkTenant([{ path: 'a.ts', text: "db.selectFrom('products')" }], '', []).join(), /saw no statement/)
})
