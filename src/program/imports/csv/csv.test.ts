import assert from 'node:assert/strict'
import { createReadStream } from 'node:fs'
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { hasAll, withKnownIds } from '../importer/known-ids.ts'
import { columnName, delimiterOf, readRows } from './file.ts'
import { kindOf } from './source.ts'
import { parseCents, RowReader } from './values.ts'

describe('a CSV file', () => {
  test('has amounts with a point or a comma, and none that could be two', () => {
    const amounts = ['14.99', '14,99', '14', '4,5', '1.299,00', '1,299.00', '1,234,567.00', '0']
    assert.deepEqual(amounts.map(parseCents), [1499, 1499, 1400, 450, 129_900, 129_900, 123_456_700, 0])
    for (const text of ['1,299', '1.299', '-1', '14.999', 'EUR 5', '', '1 000'])
      assert.equal(parseCents(text), undefined)
  })

  test('has headings in any spelling, and the separator that its first line has most of', () => {
    assert.deepEqual(['Body (HTML)', 'variant_sku', 'SEO Title'].map(columnName), [
      'bodyhtml',
      'variantsku',
      'seotitle',
    ])
    assert.deepEqual(['a,b;c,d', 'a;b', '"a,b,c";d;e', 'a\tb', 'a'].map(delimiterOf), [',', ';', ';', '\t', ','])
  })

  test('is given up as soon as a line is too long, however much of it follows', async (context) => {
    const folder = await mkdtemp(join(tmpdir(), 'licet-csv-'))
    context.after(() => rm(folder, { recursive: true }))
    const file = join(folder, 'endless.csv')
    const lines: [Buffer, RegExp][] = [
      [Buffer.from('handle,title\na,'), /line 2 is longer than/],
      [Buffer.from('handle,title\na,"'), /line 2 is longer than/],
      [Buffer.from('handle,title\na,\xff', 'latin1'), /line 2 is not UTF-8/],
      [Buffer.from('handle,title\na,\xc3\n', 'latin1'), /line 2 is not UTF-8/],
      [Buffer.from('handle,title\na,ü\nb,\xc3(', 'latin1'), /line 2 is not UTF-8/],
    ]
    for (const [start, sentence] of lines) {
      await writeFile(file, start)
      // More than fits into memory, and no room on the disk: the rest of the file is a hole.
      await truncate(file, 64 * 1024 ** 3)
      await assert.rejects(
        Array.fromAsync(readRows({ open: () => createReadStream(file), encoding: 'utf-8' })),
        sentence,
      )
    }
  })

  test('is about what its columns are about', () => {
    const kinds = [
      ['Handle', 'Title'],
      ['Email'],
      ['title', 'EUR'],
      ['title', 'price', 'currency'],
      ['title', 'colour'],
    ]
    assert.deepEqual(kinds.map(kindOf), ['products', 'customers', 'prices', 'prices', undefined])
  })

  test('has flags and numbers in words, and says which value is none', () => {
    const values = { yes: 'Ja', no: 'FALSE', what: 'perhaps', weight: '1,5', stock: 'many', phone: "'+49 30" }
    const columns = Object.fromEntries(Object.keys(values).map((name) => [name, [name]]))
    const reader = new RowReader(
      { line: 2, values: new Map(Object.entries(values)), headings: new Map([['what', 'What?']]) },
      columns,
    )
    assert.deepEqual([reader.flag('yes'), reader.flag('no'), reader.flag('what')], [true, false, undefined])
    assert.deepEqual(
      [reader.number('weight'), reader.number('stock'), reader.text('phone')],
      [1.5, undefined, '+49 30'],
    )
    assert.deepEqual(reader.faults, [
      {
        line: 2,
        field: 'what',
        column: 'What?',
        value: 'perhaps',
        reason: 'not_a_flag',
        message: 'what: "perhaps" is neither yes nor no',
      },
      {
        line: 2,
        field: 'stock',
        value: 'many',
        reason: 'not_a_number',
        message: 'stock: "many" is not a number',
      },
    ])
  })
})

describe('parts of a thing', () => {
  test('keep the ids that they have here, and not those of the file', () => {
    const document = {
      bindings: [
        { id: 7, price_id: 1, hd: null },
        { id: 8, price_id: 2, hd: null },
      ],
    }
    const input = {
      bindings: [
        { id: 900, price_id: 2 },
        { price_id: 3, id: 7 },
      ],
      locales: [{ id: 5, title: 'x' }],
      n: [1],
    }
    assert.deepEqual(withKnownIds(document, input), {
      bindings: [{ id: 8, price_id: 2 }, { price_id: 3 }],
      locales: [{ title: 'x' }],
      n: [1],
    })
  })

  test('are all there, or not', () => {
    const document = { a: 1, list: [{ id: 1, b: 2 }] }
    assert.ok(hasAll(document, { list: [{ b: 2 }] }))
    for (const other of [{ a: 2 }, { c: 1 }, { list: [] }, { list: [{ b: 3 }] }]) assert.ok(!hasAll(document, other))
  })
})
