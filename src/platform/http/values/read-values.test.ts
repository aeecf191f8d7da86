import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Type } from 'typebox'
import { EmailParameter, Id, nullable, Reference, reference, SearchParameter } from '../../wire/schema.ts'
import { createQueryReader, createReader } from './read-values.ts'

const Thing = Type.Object({
  count: Type.Integer(),
  weight: nullable(Type.Number()),
  visible: Type.Boolean(),
  name: Type.String(),
  note: nullable(Type.String()),
  tags: Type.Array(Type.Integer()),
  parts: Type.Array(Type.Object({ hd: Type.Boolean() })),
  address: { ...Type.Object({ zip: Type.String() }), type: ['object', 'null'] },
})

const read = (value: unknown) => createReader(Thing as never)?.(value)

describe('a value of a body', () => {
  for (const [sent, expected] of [
    [{ count: '1' }, { count: 1 }],
    [{ count: '-12.50' }, { count: -12.5 }],
    [{ weight: '1e3' }, { weight: 1000 }],
    [{ count: '0x10' }, { count: '0x10' }],
    [{ count: '' }, { count: '' }],
    [{ count: ' 1' }, { count: ' 1' }],
    [{ count: 'Infinity' }, { count: 'Infinity' }],
    [{ count: true }, { count: true }],
    [{ visible: 1 }, { visible: true }],
    [{ visible: '0' }, { visible: false }],
    [{ visible: 'true' }, { visible: true }],
    [{ visible: '' }, { visible: '' }],
    [{ visible: 2 }, { visible: 2 }],
    [{ visible: 'yes' }, { visible: 'yes' }],
    [{ name: 10115 }, { name: '10115' }],
    [{ name: true }, { name: true }],
    [{ name: 2 ** 60 }, { name: 2 ** 60 }],
    [{ name: 1e-7 }, { name: 1e-7 }],
    [{ name: 12.5 }, { name: '12.5' }],
    [{ tags: ['1', 2, 'x'] }, { tags: [1, 2, 'x'] }],
    [{ tags: '' }, { tags: '' }],
    [{ parts: [{ hd: '1' }, 7, null] }, { parts: [{ hd: true }, 7, null] }],
    [{ address: { zip: 1 } }, { address: { zip: '1' } }],
    [{ address: '' }, { address: '' }],
    [{ extra: 'stays' }, { extra: 'stays' }],
  ] as const) {
    test(`${JSON.stringify(sent)} is read as ${JSON.stringify(expected)}`, () => {
      assert.deepEqual(read(structuredClone(sent)), expected)
    })
  }

  test('that is null is absent, unless it can be null', () => {
    const nothing = { count: null, visible: null, name: null, tags: null, parts: null }
    assert.deepEqual(read({ ...nothing, weight: null, note: null, address: null }), {
      weight: null,
      note: null,
      address: null,
    })
  })

  test('that is no object stays', () => {
    for (const value of [null, 'x', 1, [1]]) assert.deepEqual(read(value), value)
  })
})

describe('a reference', () => {
  const Line = Type.Object({ license_id: Reference('License.'), line_item_id: reference(Id('Line item.')) })
  const readLine = (value: unknown) => createReader(Line as never)?.(value)

  for (const none of [0, '0', '', null])
    test(`that is ${JSON.stringify(none)} is null, or absent where it cannot be null`, () => {
      assert.deepEqual(readLine({ license_id: none, line_item_id: none }), { license_id: null })
    })

  test('that refers to something is read as a number', () => {
    assert.deepEqual(readLine({ license_id: '7', line_item_id: 8 }), { license_id: 7, line_item_id: 8 })
    assert.deepEqual(readLine({ license_id: ' ', line_item_id: false }), { license_id: ' ', line_item_id: false })
  })
})

describe('a parameter of a query', () => {
  const Search = Type.Object({ email: EmailParameter(100, 'Address.'), query: SearchParameter('What to look for.') })
  const readSearch = createQueryReader(Search as never)

  test('that is an email address has no blanks: they were plus signs', () => {
    assert.deepEqual(readSearch({ email: 'a b@x.com' }), { email: 'a+b@x.com' })
    assert.deepEqual(readSearch({ email: ' a+b@x.com ' }), { email: 'a+b@x.com' })
    assert.deepEqual(readSearch({ query: ' email : a b@x.com' }), { query: 'email:a+b@x.com' })
    assert.deepEqual(readSearch({ query: 'first_name:Mary Ann' }), { query: 'first_name:Mary Ann' })
    assert.deepEqual(readSearch({ email: ['a b@x.com'] }), { email: ['a b@x.com'] })
  })

  test('that is empty is absent, whether it is known or not', () => {
    const readQuery = createQueryReader(Type.Object({ limit: Type.Integer(), q: Type.String() }) as never)
    assert.deepEqual(readQuery({ limit: '', q: '', other: '' }), {})
    assert.deepEqual(readQuery({ limit: '50', q: '1' }), { limit: 50, q: '1' })
  })
})
