import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { nowInSeconds } from '#platform/clock.ts'
import { inBatches } from '#platform/db/batches.ts'
import type { Wire } from '#test/factories.ts'
import { useService } from '#test/harness.ts'
import { aCsvImport, importsOf, pathOf } from '#test/imports.ts'
import { deleteOldImports } from './commands.ts'

const service = useService()

const { work, change, read, titles, upload } = importsOf(service)

describe('a file', () => {
  test('is known by its columns, with their first values, and nothing is imported yet', async () => {
    const shop = await service.openShop()
    const file = await aCsvImport(
      service,
      shop,
      'Handle;Title;Colour;Variant Price\na;Anna;red;9,90\nb;Bert;;12,50\n',
      '?file_name=old%20shop.csv',
    )
    assert.deepEqual(
      [file.file_name, file.kind, file.state, file.encoding, file.report],
      ['old shop.csv', 'products', 'draft', 'utf-8', null],
    )
    assert.deepEqual(file.columns, [
      { heading: 'Handle', field: 'handle', samples: ['a', 'b'], why: null },
      { heading: 'Title', field: 'title', samples: ['Anna', 'Bert'], why: null },
      { heading: 'Colour', field: null, samples: ['red'], why: null },
      { heading: 'Variant Price', field: 'price', samples: ['9,90', '12,50'], why: null },
    ])
    assert.ok(file.fields.includes('items_in_stock'))
    assert.deepEqual(await titles(shop), [])
    const { imports } = (await shop.get('/api/imports.json')).body
    assert.deepEqual(
      imports.map(({ id }: Wire) => id),
      [file.id],
    )
  })

  test('that is no CSV is refused in a sentence, and one that is too large with 413', async () => {
    const shop = await service.openShop()
    const files: [Buffer | string, RegExp][] = [
      ['', /import\.csv is empty\./],
      ['{"products":[]}', /is JSON, which the command line imports/],
      [Buffer.from('PK\x03\x04spreadsheet', 'latin1'), /is a spreadsheet or an archive: save it as CSV first/],
      [Buffer.from([0x25, 0x50, 0x44, 0x46, 0, 1, 2]), /is no text file/],
      ['title,Title\na,b\n', /line 1 names the column "Title" twice/],
      [`"${'x'.repeat(3_000_000)}`, /line 1 is longer than 2,000,000 bytes/],
    ]
    for (const [content, sentence] of files) {
      const { status, body } = await upload(shop, content)
      // A column that is there twice is found when the file is checked.
      if (/twice/.test(sentence.source)) {
        const checked = await work(shop, body.import, '/check')
        assert.equal(checked.state, 'failed')
        assert.match(checked.problem.message, sentence)
        continue
      }
      assert.deepEqual([status, body.reason], [422, 'import_file_unreadable'], body.error)
      assert.match(body.error, sentence)
    }
    assert.equal((await upload(shop, Buffer.alloc(20 * 1_048_576 + 1, 'a'))).status, 413)
    assert.equal((await upload(shop, 'title\na\n', '', 'application/json')).status, 415)
  })

  test('in the encoding of Excel is read as such, and in another one if somebody says so', async () => {
    const shop = await service.openShop()
    const file = await aCsvImport(service, shop, Buffer.from('handle,title\na,Bücher\n', 'latin1'))
    assert.deepEqual([file.encoding, file.columns[1].samples], ['windows-1252', ['Bücher']])
    const other = await change(shop, file, { encoding: 'macintosh' })
    assert.deepEqual(other.columns[1].samples, ['B¸cher'])
    await change(shop, file, { encoding: 'windows-1252' })
    assert.equal((await work(shop, file, '/run')).state, 'imported')
    assert.deepEqual(await titles(shop), ['Bücher'])
    const utf16 = Buffer.from('\uFEFFhandle,title\nb,Tür\n', 'utf16le')
    assert.deepEqual((await aCsvImport(service, shop, utf16)).columns[1].samples, ['Tür'])
    const wrong = await shop.put(pathOf(file), { import: { encoding: 'klingon' } })
    assert.deepEqual([wrong.status, Object.keys(wrong.body.errors)], [422, ['encoding']])
  })

  test('with a quotation mark that never closes fails with its line', async () => {
    const shop = await service.openShop()
    const sentence = /^import\.csv, line \d+ has a quotation mark that opens a value and never closes it\.$/
    const refused = await upload(shop, 'handle,title\na,A\nb,"B\nc,C\n')
    assert.match(refused.body.error, sentence)
    // Of a longer file only the first lines are looked at when it is sent.
    const rows = Array.from({ length: 20_000 }, (_, index) => `h${index},H\n`).join('')
    const file = await aCsvImport(service, shop, `handle,title\n${rows}b,"B\nc,C\n`)
    const { state, problem } = await work(shop, file, '/check')
    assert.deepEqual([state, problem.reason, problem.line], ['failed', 'quote_not_closed', 20_002])
    assert.match(problem.message, sentence)
  })

  test('is deleted after three days, with its content', async () => {
    const shop = await service.openShop()
    const file = await aCsvImport(service, shop)
    const sweep = (days: number) =>
      inBatches(service.db, (tx) =>
        deleteOldImports(tx, new Date(nowInSeconds(service.clock).getTime() + days * 86_400_000)),
      )
    await sweep(2)
    assert.equal((await shop.get(pathOf(file))).status, 200)
    await sweep(4)
    assert.equal((await shop.get(pathOf(file))).status, 404)
    const contents = service.db.selectFrom('import_contents').select('import_id')
    assert.deepEqual(await contents.where('company_id', '=', shop.companyId).execute(), [])
  })
})

describe('a check', () => {
  const BAD = [
    'handle,title,price,weight',
    'a,A,9.90,1',
    'b,B,much,2',
    'c,,1.00,3',
    'd,D,1.00,-4',
    'a,A again,1.00,5',
    `e,${'E'.repeat(65_536)},1.00,5`,
    '',
  ].join('\n')

  test('says what would be created, and what is wrong with which field of which line', async () => {
    const shop = await service.openShop()
    const file = await aCsvImport(service, shop, BAD)
    const { state, report, total } = await work(shop, file, '/check')
    assert.deepEqual([state, total], ['checked', 6])
    assert.deepEqual(report.counts, { created: 1, changed: 0, unchanged: 0, skipped: 0, refused: 5 })
    assert.deepEqual(
      report.mistakes.map(({ line, name, field, column, value, reason }: Wire) => [
        line,
        name,
        field,
        column,
        value === null ? null : value.slice(0, 9),
        reason,
      ]),
      [
        [3, 'b', 'price', 'price', 'much', 'not_an_amount'],
        [4, 'c', 'title', 'title', null, 'field_required'],
        [5, 'd', 'weight', 'weight', '-4', 'field_out_of_range'],
        [6, 'a', 'handle', 'handle', 'a', 'duplicate'],
        [7, 'e', 'title', 'title', 'EEEEEEEEE', 'field_too_long'],
      ],
    )
    assert.ok(report.mistakes.every(({ value }: Wire) => (value ?? '').length <= 500))
    assert.deepEqual(report.examples[0], {
      line: 2,
      name: 'a',
      action: 'created',
      values: { handle: 'a', title: 'A', price: '9.90', weight: '1' },
    })
    assert.deepEqual(await titles(shop), [])
  })

  test('is repeated after lines were mended and left out, and the import is what it says', async () => {
    const shop = await service.openShop()
    const file = await aCsvImport(service, shop, BAD)
    await work(shop, file, '/check')
    const fixes = [
      { line: 3, field: 'price', value: '1,99' },
      { line: 4, field: 'title', value: 'C' },
      { line: 5, field: 'weight', value: '' },
    ]
    const mended = await change(shop, file, { fixes, left_out: [6, 7] })
    assert.deepEqual([mended.state, mended.fixes, mended.left_out], ['draft', fixes, [6, 7]])
    const { report } = await work(shop, file, '/check')
    assert.deepEqual(report.counts, { created: 4, changed: 0, unchanged: 0, skipped: 0, refused: 0 })
    const done = await work(shop, file, '/run')
    assert.deepEqual([done.state, done.done, done.report.counts.created], ['imported', 4, 4])
    assert.equal(done.report.created_ids.length, 4)
    assert.deepEqual(await titles(shop), ['A', 'B', 'C', 'D'])
    for (const [method, path] of [
      ['PUT', pathOf(file)],
      ['POST', pathOf(file, '/run')],
    ] as const) {
      const answer = await service.call(method, path, { token: shop.token, body: { import: {} } })
      assert.deepEqual([answer.status, answer.body.reason], [409, 'import_done'])
    }
  })

  test('gives the lines with mistakes as a file, which is imported by itself once it is mended', async () => {
    const shop = await service.openShop()
    const rows = 'Title;Handle;Price\n"A; or a";a;1\n"Two\nlines";b;much\nC;c\n;d;3\n'
    const file = await aCsvImport(service, shop, rows)
    await work(shop, file, '/check')
    const { status, headers, text } = await shop.get(`/api/imports/${file.id}/mistakes.csv`)
    assert.equal(status, 200)
    assert.match(headers.get('content-disposition') ?? '', /filename="mistakes\.csv"/)
    assert.equal(
      text,
      'Title,Handle,Price,error\r\n"Two\nlines",b,much,"price: ""much"" is not an amount such as 14.99"\r\n,d,3,title is required\r\n',
    )
    const mended = await aCsvImport(service, shop, text.replace(',much,', ',2,').replace('\r\n,d', '\r\nD,d'))
    assert.equal((await work(shop, mended, '/run')).state, 'imported')
    assert.deepEqual(await titles(shop), ['Two\nlines', 'D'])
  })

  test('of decisions that were changed meanwhile says nothing', async () => {
    const shop = await service.openShop()
    const file = await aCsvImport(service, shop, BAD)
    await shop.post(pathOf(file, '/check'))
    await change(shop, file, { left_out: [3] })
    await service.runJobs()
    const { state, report } = await read(shop, file)
    assert.deepEqual([state, report], ['draft', null])
  })

  test('leaves out a whole product of several lines', async () => {
    const shop = await service.openShop()
    const rows =
      'handle,title,image,image_position\na,A,https://example.com/a.jpg,x\na,,https://example.com/b.jpg,y\nb,B,,\n'
    const file = await aCsvImport(service, shop, rows)
    const { report } = await work(shop, file, '/check')
    assert.deepEqual(
      report.mistakes.map(({ line, field }: Wire) => [line, field]),
      [
        [2, 'image_position'],
        [3, 'image_position'],
      ],
    )
    await change(shop, file, { left_out: [3] })
    assert.equal((await work(shop, file, '/run')).state, 'imported')
    assert.deepEqual(await titles(shop), ['B'])
  })
})

describe('columns', () => {
  test('get another field, or none', async () => {
    const shop = await service.openShop()
    const file = await aCsvImport(service, shop, 'handle,Bezeichnung,title\na,Anna,Nonsense\n')
    const columns = [
      { heading: 'Bezeichnung', field: 'title' },
      { heading: 'title', field: null },
    ]
    const { columns: after } = await change(shop, file, { columns })
    assert.deepEqual(
      after.map(({ field }: Wire) => field),
      ['handle', 'title', null],
    )
    assert.equal((await work(shop, file, '/run')).state, 'imported')
    assert.deepEqual(await titles(shop), ['Anna'])
  })

  test('that are wrong are refused where they are', async () => {
    const shop = await service.openShop()
    const file = await aCsvImport(service, shop, 'handle,Name,title\na,Anna,Nonsense\n')
    const cases: [object, string][] = [
      [{ columns: [{ heading: 'Name', field: 'title' }] }, 'columns[0].field'],
      [{ columns: [{ heading: 'Name', field: 'colour' }] }, 'columns[0].field'],
      [{ columns: [{ heading: 'Nom', field: 'title' }] }, 'columns[0].heading'],
      [{ fixes: [{ line: 2, field: 'colour', value: 'red' }] }, 'fixes[0].field'],
      [{ fixes: [{ line: 0, field: 'title', value: 'red' }] }, 'fixes[0].line'],
      [{ kind: 'films' }, 'kind'],
    ]
    for (const [input, path] of cases) {
      const { status, body } = await shop.put(pathOf(file), { import: input })
      assert.deepEqual([status, Object.keys(body.errors)], [422, [path]])
    }
  })

  test('do not tell what the file is about: then somebody has to', async () => {
    const shop = await service.openShop()
    const file = await aCsvImport(service, shop, 'title,size\nBooks,7\n')
    assert.equal(file.kind, null)
    const refused = await shop.post(pathOf(file, '/check'))
    assert.deepEqual([refused.status, Object.keys(refused.body.errors)], [422, ['kind']])
    const known = await change(shop, file, { kind: 'products' })
    assert.deepEqual(
      known.columns.map(({ field }: Wire) => field),
      ['title', null],
    )
    assert.equal((await work(shop, file, '/run')).state, 'imported')
  })
})
