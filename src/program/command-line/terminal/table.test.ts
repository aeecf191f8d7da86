import assert from 'node:assert/strict'
import { test } from 'node:test'
import { table } from './table.ts'

type Row = { id: number; name: string; note?: string }

const columns = {
  Id: ({ id }: Row) => id,
  Name: ({ name }: Row) => name,
  Note: ({ note = '' }: Row) => note,
}

test('a table has headings, aligned columns, and numbers on the right', () => {
  const rows = [
    { id: 7, name: 'A long name', note: 'x' },
    { id: 1000, name: 'B' },
  ]
  assert.equal(
    table<Row>(rows, 'None.', columns),
    ['  Id  Name         Note', '   7  A long name  x', '1000  B'].join('\n'),
  )
})

test('a table without rows is a sentence', () => {
  assert.equal(table<Row>([], 'There are none.', columns), 'There are none.')
})

test('a table shows no control characters', () => {
  assert.equal(table<Row>([{ id: 1, name: 'a\u001b[2J\nb' }], 'None.', columns), 'Id  Name     Note\n 1  a [2J b')
})
