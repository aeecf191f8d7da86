import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkRows, checkRowsOfProject } from './check-rows.ts'

const source = (text: string) => [{ path: 'src/a/queries.ts', text }]

const BY_HAND = 'const a = sql<{ id: number }>`select id from orders`\nconst b = sql<number>`count(*)`\n'
const DERIVED = "const c = sql<Columns<'orders', 'id'>>`select id from orders`\nconst d = sql<Row<'orders'>['id']>`1`\n"
const UNTYPED = 'const e = sql`select 1`\nconst f = condition`true`\n'

test('types of rows that are written by hand are counted, and no others', () => {
  assert.deepEqual(checkRows(source(`${BY_HAND}${DERIVED}${UNTYPED}`), 2), [])
})

test('more than before are refused, and each is named', () => {
  const [sum, ...each] = checkRows(source(`${BY_HAND}${DERIVED}`), 1)
  assert.match(sum ?? '', /^2 types of rows are written by hand, and 1 is the most/)
  assert.deepEqual(each, ['src/a/queries.ts:1 sql<{ id: number }>', 'src/a/queries.ts:2 sql<number>'])
})

test('the project has no more than before', async () => {
  assert.deepEqual(await checkRowsOfProject(), [])
})
