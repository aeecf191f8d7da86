import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { type Shop, useService } from '#test/harness.ts'
import { importerFor } from './imports.ts'
import { temporaryFolder } from './program.ts'

const service = useService()
const { licet, load, save } = importerFor(service)

async function all(shop: Shop, name: string) {
  return (await shop.get(`/api/${name}.json?limit=250`)).body[name]
}

/** As Shopify exports products: further rows of a product have a picture each. */
const SHOPIFY = [
  'Handle,Title,Body (HTML),Vendor,Type,Tags,Published,Option1 Name,Option1 Value,Variant SKU,Variant Grams,Variant Inventory Tracker,Variant Inventory Qty,Variant Price,Variant Compare At Price,Variant Requires Shipping,Variant Barcode,Image Src,Image Position,SEO Title,SEO Description,Status',
  'mug,Mug,"<p>Holds ""tea"",',
  'and coffee</p>",Potters,Kitchen,"blue, round",TRUE,Title,Default Title,MUG-1,350,shopify,12,9.90,12.00,TRUE,4006381333931,https://example.com/b.jpg,2,Buy a mug,The mug.,active',
  'mug,,,,,,,,,,,,,,,,,https://example.com/a.jpg,1,,,',
  'mug,,,,,,,,Large,MUG-2,500,shopify,3,12.90,,TRUE,,,,,,',
  'song,Song,<p>La</p>,Singers,Music,,FALSE,Title,Default Title,SONG,0,,7,1.29,,FALSE,,,,,,draft',
  '',
].join('\r\n')

describe('products from a CSV file of Shopify', () => {
  test('have their texts, prices, stock, categories and pictures, and are changed by a second import', async () => {
    const shop = await service.openShop()
    const first = await load(shop.companyId, 'shopify.csv', SHOPIFY)
    assert.deepEqual([first.code, first.counts], [0, { products: [2, 0, 0] }])
    assert.deepEqual(
      first.entries.map(({ where, name }) => [where, name]),
      [
        ['line 2', 'mug'],
        ['line 6', 'song'],
      ],
    )
    assert.deepEqual(first.notes, [
      'Columns that are not imported: Option1 Name, Option1 Value.',
      'line 5: a further variant is not imported',
    ])
    assert.deepEqual(first.warnings, [], 'the song is not published')
    const [mug, song] = await all(shop, 'products')
    assert.deepEqual(
      [mug.title, mug.product_type, mug.supplier, mug.weight, mug.gtin, mug.items_in_stock, mug.published],
      ['Mug', 6, 'Potters', 350, '4006381333931', 12, true],
    )
    assert.deepEqual(
      mug.images.map(({ src }: { src: string }) => src),
      ['https://example.com/a.jpg', 'https://example.com/b.jpg'],
    )
    const [locale] = mug.locales
    assert.deepEqual(
      [locale.description, locale.seo_title, locale.seo_description, locale.seo_keywords],
      ['<p>Holds "tea",\nand coffee</p>', 'Buy a mug', 'The mug.', 'blue, round'],
    )
    assert.deepEqual(
      [song.product_type, song.published, song.items_in_stock, song.price_license_binding[0].license_id],
      [27, false, null, 1],
    )
    const prices = new Map((await all(shop, 'prices')).map((price: { id: number }) => [price.id, price]))
    const [binding] = mug.price_license_binding
    const cents = (id: number) =>
      (prices.get(id) as { currencies: { price: number }[] }).currencies.map(({ price }) => price)
    assert.deepEqual([cents(binding.price_id), cents(binding.compare_price_id)], [[990], [1200]])
    assert.deepEqual(
      (await all(shop, 'categories')).map(({ title }: { title: string }) => title),
      ['Kitchen', 'Music'],
    )

    assert.deepEqual((await load(shop.companyId, 'shopify.csv', SHOPIFY)).counts, { products: [0, 0, 2] })
    const dearer = await load(shop.companyId, 'shopify.csv', SHOPIFY.replace('9.90', '10.90'))
    assert.deepEqual(dearer.counts, { products: [0, 1, 1] })
    assert.equal((await all(shop, 'categories')).length, 2)
  })

  test('never take over another price under an old name', async () => {
    const shop = await service.openShop()
    const text = 'handle,title,price\nmug,Mug,5.00\n'
    await load(shop.companyId, 'price.csv', text)
    const currencies = JSON.stringify([{ currency: 'EUR', cents: 1 }])
    await service.db.updateTable('prices').set({ currencies }).where('company_id', '=', shop.companyId).execute()
    await load(shop.companyId, 'price.csv', text)
    const [mug] = await all(shop, 'products')
    const { price } = (await shop.get(`/api/prices/${mug.price_license_binding[0].price_id}.json`)).body
    assert.equal(price.currencies[0].price, 500)
  })

  test('have an age rating, which is refused if it is none or if goods have it', async () => {
    const shop = await service.openShop()
    const films = 'sku,title,product_type,Age rating\nF1,Fjord,video,12\nF2,Harbour,video,0\nF3,Island,video,\n'
    assert.deepEqual((await load(shop.companyId, 'films.csv', films)).counts, { products: [3, 0, 0] })
    const ages = (await all(shop, 'products')).map(({ tagging }: { tagging: { age?: number } }) => tagging.age)
    assert.deepEqual(ages, [12, 0, undefined])
    assert.deepEqual((await load(shop.companyId, 'films.csv', films)).counts, { products: [0, 0, 3] })
    const refusal = async (text: string) =>
      (await licet('import', '--company', String(shop.companyId), await save('wrong.csv', text))).err
    assert.match(await refusal(films.replace('video,12', 'video,22')), /^line 2: tagging\.age must be at most 21\.$/m)
    assert.match(
      await refusal(films.replace('F2,Harbour,video', 'F4,Mug,physical')),
      /^line 3: tagging\.age applies to/m,
    )
  })
})

describe('customers and prices from CSV files', () => {
  test('are those of Shopify and of a German spreadsheet', async () => {
    const shop = await service.openShop()
    const customers = [
      'First Name,Last Name,Email,Accepts Email Marketing,Default Address Company,Default Address Address1,Default Address City,Default Address Province Code,Default Address Country Code,Default Address Zip,Default Address Phone,Phone,Note,Total Spent',
      "Jane,Roe,jane@example.com,yes,,Musterstr. 1,Berlin,BE,DE,'10115,'+49 30 5550100,,Likes mugs,12.00",
      'John,Doe,john@example.com,no,,,,,,,,,,0.00',
    ].join('\n')
    const made = await load(shop.companyId, 'customers.csv', customers)
    assert.deepEqual(made.counts, { customers: [2, 0, 0] })
    assert.deepEqual(made.notes, ['Columns that are not imported: Accepts Email Marketing, Total Spent.'])
    const [jane, john] = await all(shop, 'customers')
    const [{ first_name, address1, zip, phone, country_code, province_code }] = jane.addresses
    assert.deepEqual(
      [jane.note, first_name, address1, zip, phone, country_code, province_code],
      ['Likes mugs', 'Jane', 'Musterstr. 1', '10115', '+49 30 5550100', 'DE', 'BE'],
    )
    assert.deepEqual([john.first_name, john.addresses], ['John', []])
    assert.deepEqual((await load(shop.companyId, 'customers.csv', customers)).counts, { customers: [0, 0, 2] })

    const prices = '\uFEFFtitle;EUR;USD\r\nBücher;14,99;1.299,00\r\nFilme;4,5;\r\n'
    const listed = await load(shop.companyId, 'prices.csv', prices)
    assert.deepEqual(listed.counts, { prices: [2, 0, 0] })
    assert.deepEqual(
      (await all(shop, 'prices')).map(({ title, currencies }: { title: string; currencies: object[] }) => [
        title,
        currencies,
      ]),
      [
        [
          'Bücher',
          [
            { currency: 'eur', price: 1499 },
            { currency: 'usd', price: 129_900 },
          ],
        ],
        ['Filme', [{ currency: 'eur', price: 450 }]],
      ],
    )
    const latin1 = Buffer.from('title;EUR\nBücher;13,99\n', 'latin1')
    assert.deepEqual((await load(shop.companyId, 'latin1.csv', latin1, '--encoding', 'windows-1252')).counts, {
      prices: [0, 1, 0],
    })
  })
})

describe('a file for Excel', () => {
  test('may name its separator in the first line, and its lines are counted with it', async () => {
    const shop = await service.openShop()
    for (const [hint, separator] of [
      ['sep=;', ';'],
      ['\uFEFF"SEP=|"', '|'],
    ]) {
      const lines = [
        ['title', 'EUR'],
        ['Books, new', '14.99'],
        ['Films', 'much'],
      ].map((line) => line.join(separator))
      const file = await save('hint.csv', [hint, ...lines, ''].join('\r\n'))
      const bad = await licet('import', '--company', String(shop.companyId), file)
      assert.match(bad.err, /^line 4: .*"much" is not an amount/)
    }
    const { counts } = await load(shop.companyId, 'hint.csv', 'sep=;\r\ntitle;EUR\r\nBooks, new;14,99\r\n')
    assert.deepEqual(counts, { prices: [1, 0, 0] })
    assert.equal((await all(shop, 'prices'))[0].title, 'Books, new')
  })
})

describe('a file with mistakes', () => {
  const BAD = [
    'handle,title,price,weight',
    'a,A,9.90,1',
    'b,B,much,2',
    'c,,1.00,3',
    'd,D,1.00,-4',
    'a,A again,1.00,5',
    '',
  ].join('\n')
  const faults = [
    'line 3: price: "much" is not an amount such as 14.99.',
    'line 4: title is required.',
    'line 5: weight must be at least 0.',
    'line 6: "a" is there twice.',
  ]

  test('is refused with all of them by line, and changes nothing', async () => {
    const shop = await service.openShop()
    const file = await save('bad.csv', BAD)
    const { code, out, err } = await licet('import', '--company', String(shop.companyId), file)
    assert.deepEqual({ code, out }, { code: 2, out: '' })
    assert.deepEqual(err.trimEnd().split('\n'), [...faults, 'Nothing was imported: 4 of 5 entries have mistakes.'])
    for (const name of ['products', 'prices', 'categories']) assert.deepEqual(await all(shop, name), [])
  })

  test('has its mistakes counted beyond the fiftieth', async () => {
    const shop = await service.openShop()
    const rows = Array.from({ length: 60 }, (_, index) => `h${index},,1`)
    const file = await save('many.csv', ['handle,title,price', ...rows].join('\n'))
    const { err } = await licet('import', '--company', String(shop.companyId), file)
    const lines = err.trimEnd().split('\n')
    assert.equal(lines.length, 52)
    assert.deepEqual(lines.slice(-2), ['… and 10 more.', 'Nothing was imported: 60 of 60 entries have mistakes.'])
  })

  test('is shown by a dry run, as is a good one, which keeps nothing either', async () => {
    const shop = await service.openShop()
    const bad = await licet('import', '--company', String(shop.companyId), await save('bad.csv', BAD), '--dry-run')
    assert.equal(bad.code, 2)
    assert.deepEqual(bad.out.split('\n').slice(0, 6), [
      'Where   Would   Name  Why',
      'line 3  refuse  b     price: "much" is not an amount such as 14.99',
      'line 4  refuse  c     title is required',
      'line 5  refuse  d     weight must be at least 0',
      'line 6  refuse  a     "a" is there twice',
      'line 2  create  a',
    ])
    assert.match(bad.out, /\n\nNothing would be imported: 4 of 5 entries have mistakes\.\nThis was a dry run/)
    assert.doesNotMatch(bad.out, /Created/)
    const good = await licet(
      'import',
      '--company',
      String(shop.companyId),
      await save('good.csv', 'handle,title\nx,X\n'),
      '--dry-run',
    )
    assert.deepEqual([good.code, good.err], [0, ''])
    assert.match(good.out, /^line 2 {2}create {2}x$/m)
    assert.match(good.out, /This was a dry run: nothing was changed\.\n$/)
    assert.deepEqual(await all(shop, 'products'), [])
  })

  test('has the second product with the same product_id refused by line, also in a dry run', async () => {
    const shop = await service.openShop()
    const id = '0001-26ED-EA4F-AA32'
    const file = await save('same.csv', `handle,title,product_id\na,A,${id}\nb,B,${id.toLowerCase()}\n`)
    const { code, err } = await licet('import', '--company', String(shop.companyId), file)
    assert.equal(code, 2)
    assert.equal(err, `line 3: product_id ${id} is there twice.\nNothing was imported: 1 of 2 entries have mistakes.\n`)
    const tried = await licet('import', '--company', String(shop.companyId), file, '--dry-run')
    assert.deepEqual([tried.code, tried.err], [2, ''])
    assert.match(tried.out, new RegExp(`^line 3 +refuse +b +product_id ${id} is there twice$`, 'm'))
  })

  test('in its form is refused in one sentence with the line', async () => {
    const shop = await service.openShop()
    const files: [string | Buffer, RegExp][] = [
      ['handle,title\na,A\nb,"B\nc,C\n', /, line 3 has a quotation mark that opens a value and never closes it\.\n$/],
      [
        `handle,title\na,A\nb,"${'B'.repeat(20_000_000)}"\nc,C\n`,
        /, line 3 is longer than 2,000,000 bytes: shorten its values\.\n$/,
      ],
      [`handle,title\na,A\nb,${'B'.repeat(20_000_000)}\n`, /, line 3 is longer than 2,000,000 bytes: shorten/],
      [`handle,title\n${'a,A\n'.repeat(600)}${'B'.repeat(20_000_000)}`, /, line 602 is longer than 2,000,000 bytes/],
      [
        `handle,title\na,"A\n${'b,B\n'.repeat(600_000)}`,
        /, line 2 has a value that goes on for more than 2,000,000 bytes, to line \d+: a quotation mark opens it/,
      ],
      ['handle,title\na,A\nb,B "x" y\n', /, line 3 has a quotation mark inside a value/],
      [
        Buffer.from('handle,title\na,A\nb,Bücher\n', 'latin1'),
        /, line 3 is not UTF-8\. Save the file as "CSV UTF-8", or/,
      ],
      ['handle,title\na,A,x\n', /, line 2 has 3 values, but the first line names 2 columns\.\n$/],
      ['sep=,\nhandle,title,Title\na,A,x\n', /, line 2 names the column "Title" twice\.\n$/],
      ['handle,title,Title\na,A,x\n', /, line 1 names the column "Title" twice\.\n$/],
      [
        'colour,size\nred,7\n',
        /do not say what it is: add --as products, --as customers, --as prices, --as sales, --as redemption_codes\.\n$/,
      ],
      ['', /is empty\.\n$/],
    ]
    for (const [content, sentence] of files) {
      const file = await save('form.csv', content)
      const { code, out, err } = await licet('import', '--company', String(shop.companyId), file)
      assert.deepEqual({ code, out }, { code: 2, out: '' }, err)
      assert.match(err, sentence)
      assert.equal(err.split('\n').length, 2)
    }
    const pipe = join(await temporaryFolder(), 'pipe')
    execFileSync('mkfifo', [pipe])
    // A reader of a pipe waits until somebody can write to it.
    const writer = await open(pipe, 'r+')
    const piped = await licet('import', '--company', String(shop.companyId), pipe)
    await writer.close()
    assert.deepEqual(
      [piped.code, piped.err],
      [2, `${pipe} is a pipe, and an import reads its file more than once: save it as a file first.\n`],
    )
    const wrong = await licet('import', '--company', String(shop.companyId), 'x.csv', '--encoding', 'klingon')
    assert.deepEqual(
      [wrong.code, wrong.err],
      [2, '--encoding: "klingon" is not valid. It must be an encoding such as utf-8 or windows-1252.\n'],
    )
  })
})
