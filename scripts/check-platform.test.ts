// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these texts are source code.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkPlatform } from './check-platform.ts'

const PATH = 'src/platform/http/a.ts'
const complaints = (text: string, path = PATH) => checkPlatform([{ path, text }], [])

describe('refused', () => {
  const refused: [string, string][] = [
    ['const order = 1', 'order'],
    ['const ordersOf = 1', 'order'],
    ['const lastCustomer = 1', 'customer'],
    ["const table = 'customer_relations'", 'customer'],
    ["const tables = ['categories']", 'category'],
    ['type A = { price_cents: number }', 'price'],
    ['const text = `There is no product ${id}.`', 'product'],
    ["const path = '/sign-in'", '/sign-in'],
    ['const path = `/reset/${token}`', '/reset/${}'],
    ['const PATHS = /^\\/(api|token)/', '/^\\/(api|token)/'],
    ['const PATHS = /^\\/+(?:reset)\\/+/', '/^\\/+(?:reset)\\/+/'],
  ]
  for (const [text, word] of refused) {
    test(text, () => assert.deepEqual(complaints(text), [`${PATH}:1 knows ${word}: take it as an argument`]))
  }
})

describe('accepted', () => {
  const accepted = [
    '// an order of a customer\nconst a = 1',
    "query.orderBy('id')",
    'sql`select id from jobs order by id`',
    "const header = 'x-frame-options'",
    "const border = 'border-top'",
    'const companyId = 1',
    "const token = 'access_token'",
    "const root = '/'",
    'const SLASHES = /\\/+$/',
  ]
  for (const text of accepted) {
    test(text.replaceAll('\n', ' '), () => assert.deepEqual(complaints(text), []))
  }

  test('a path of the machine, in db', () => {
    assert.deepEqual(complaints("const shell = '/bin/sh'", 'src/platform/db/a.ts'), [])
  })
})

test('an exception holds for its word in its file, and is told when nothing needs it', () => {
  const sources = [{ path: PATH, text: 'const shop = 1' }]
  const exception = { path: PATH, word: 'shop', because: 'of this test' }
  assert.deepEqual(checkPlatform(sources, [exception]), [])
  assert.deepEqual(checkPlatform(sources, [exception, { ...exception, word: 'order' }]), [
    `${PATH} needs no exception for order any more`,
  ])
  assert.equal(checkPlatform([{ path: 'src/platform/b.ts', text: 'const shop = 1' }], [exception]).length, 2)
})

test('seeing nothing is a failure', () => {
  assert.match(checkPlatform([], []).join(), /saw no word/)
  assert.match(checkPlatform([{ path: PATH, text: '// nothing' }], []).join(), /saw no word/)
})
