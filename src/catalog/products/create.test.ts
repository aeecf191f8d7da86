import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  AUDIO,
  aCategory,
  aPrice,
  aProduct,
  assertBlames,
  BOOK,
  BUY,
  everything,
  PHYSICAL,
  PRODUCT_TYPES,
  readProduct,
  SOFTWARE,
  VIDEO,
} from '#test/factories.ts'
import { useService } from '#test/harness.ts'

const service = useService()
const PICTURE = 'https://pictures.example.com/cover.png'
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/

/** Leaves out of parts what the service adds to them. */
function withoutGiven(parts: Record<string, unknown>[]): Record<string, unknown>[] {
  return parts.map(({ id: _id, created_at: _created, ...rest }) => rest)
}

describe('POST /api/products.json', () => {
  test('makes a product from its type and title, with every attribute in the answer', async () => {
    const shop = await service.openShop()
    const { status, body } = await shop.post('/api/products.json', { product: { product_type: 1, title: 'Film' } })
    assert.equal(status, 201)
    const { id, product_id, created_at, updated_at, published_at, ...rest } = body.product
    assert.ok(Number.isInteger(id))
    assert.match(product_id, /^[0-9A-F]{4}(-[0-9A-F]{4}){3}$/)
    for (const time of [created_at, updated_at, published_at]) assert.match(time, TIME)
    assert.deepEqual(rest, {
      title: 'Film',
      version: '',
      comment: '',
      product_type: 1,
      published: true,
      pre_sales: false,
      drm_protected: false,
      allow_download_trial: 0,
      attribute_set_id: null,
      mirrored: false,
      valid: true,
      supplier: null,
      runtime: null,
      gtin: null,
      weight: null,
      items_in_stock: null,
      manage_stock: false,
      tax_class: 'standard',
      categories: [],
      chapters: [],
      groups: [],
      locales: [],
      preview_pictures: [],
      images: [],
      included_products: [],
      price_license_binding: [],
      tagging: { id: body.product.tagging.id, isbn: null, year: null },
      tagging_genre: [],
      tagging_studios: [],
      tagging_people: [],
      tagging_script: [],
      tagging_director: [],
      themes: [],
      content_files: [],
    })
    assert.deepEqual(await readProduct(shop, id), body.product)
  })

  for (const type of PRODUCT_TYPES) {
    test(`reads back every attribute that a product of type ${type} was made with`, async () => {
      const shop = await service.openShop()
      const category = await aCategory(shop)
      const sent = everything(type, [category.id], (await aPrice(service, shop)).id, PICTURE)
      const product = await aProduct(shop, sent)
      assert.deepEqual(await readProduct(shop, product.id), product)

      const { categories, locales, preview_pictures, price_license_binding, tagging, groups, themes, ...plain } = sent
      const { chapters, tagging_genre, tagging_studios, tagging_people, tagging_script, tagging_director, ...scalars } =
        plain
      for (const [name, value] of Object.entries(scalars)) assert.deepEqual(product[name], value, name)
      const lists = { chapters, tagging_genre, tagging_studios, tagging_people, tagging_script, tagging_director }
      for (const [name, value] of Object.entries({ ...lists, categories, preview_pictures, themes, groups }))
        assert.deepEqual(withoutGiven(product[name]), value, name)
      assert.deepEqual(product.images, product.preview_pictures)
      assert.deepEqual(withoutGiven([product.tagging]), [tagging])
      assert.deepEqual(withoutGiven(product.locales)[0], locales[0])
      assert.equal(product.locales[1].title, 'Der lange Heimweg')
      assert.deepEqual(
        withoutGiven(product.price_license_binding),
        price_license_binding.map((binding) => ({ hd: type === 9 ? true : null, ...binding })),
      )
    })
  }

  test('refuses a product without a type, in a sentence that a shop owner can read', async () => {
    const shop = await service.openShop()
    const answer = await shop.post('/api/products.json', { product: { title: 'Film' } })
    assertBlames(answer, ['product_type'])
    assert.equal(answer.body.error, 'Product type is required.')
    assert.equal(answer.body.error_code, 422)
    assert.equal(answer.body.request_id, answer.headers.get('x-request-id'))
    assert.equal((await shop.get('/api/products/count.json')).body.count, 0)
  })

  test('takes the title from the first locale that has one, and needs one of the two', async () => {
    const shop = await service.openShop()
    const locales = [{ language_id: 'de' }, { language_id: 'en', title: 'Home' }]
    assert.equal((await aProduct(shop, { title: undefined, locales })).title, 'Home')
    for (const title of [undefined, '', null]) {
      assertBlames(await shop.post('/api/products.json', { product: { product_type: 1, title } }), ['title'])
    }
  })

  for (const type of [0, 2, 10, 11, 12, 13, 14, 15, 31, -1, 1.5, 'film', null, true && {}, 99_999]) {
    test(`refuses ${JSON.stringify(type)}, which is no type of product`, async () => {
      const shop = await service.openShop()
      const answer = await shop.post('/api/products.json', { product: { product_type: type, title: 'Film' } })
      assertBlames(answer, ['product_type'])
    })
  }

  const CONTENT = PRODUCT_TYPES.filter((type) => type !== 6 && type !== 17)
  const ONLY_FOR: [string, unknown, number[]][] = [
    ['runtime', 60, [...VIDEO, ...AUDIO]],
    ['chapters', [{ name: 'One', runtime: 1 }], VIDEO],
    ['gtin', '123', PHYSICAL],
    ['weight', 1.5, PHYSICAL],
    ['items_in_stock', 3, PHYSICAL],
    ['manage_stock', true, PHYSICAL],
    ['allow_download_trial', 1, SOFTWARE],
    ['tagging_genre', [{ value: 'Drama' }], [...VIDEO, ...AUDIO, ...BOOK]],
    ['tagging_studios', [{ value: 'North' }], [...VIDEO, ...AUDIO, ...BOOK]],
    ['tagging_people', [{ person: 'Jane', role: 'Ann' }], [...VIDEO, ...AUDIO, ...BOOK]],
    ['tagging_script', [{ person: 'Jane' }], [...VIDEO, ...AUDIO, ...BOOK]],
    ['tagging_director', [{ person: 'Jane' }], [...VIDEO, ...AUDIO, ...BOOK]],
    ['tagging.isbn', { isbn: '978' }, [...VIDEO, ...AUDIO, ...BOOK]],
    ['tagging.age', { age: 0 }, [...VIDEO, ...AUDIO, ...BOOK]],
    ['price_license_binding[0].hd', [{ license_id: 1, hd: true }], VIDEO],
    ['price_license_binding[0].audio_type', [{ license_id: 1, audio_type: 2 }], AUDIO],
    ['price_license_binding[0].num_users', [{ license_id: 1, num_users: 2 }], CONTENT],
  ]
  for (const [path, value, types] of ONLY_FOR) {
    test(`takes ${path} for its own types and refuses it for every other`, async () => {
      const shop = await service.openShop()
      const [name = ''] = path.split(/[.[]/)
      for (const type of PRODUCT_TYPES.filter((each) => each !== 6 || !path.startsWith('price'))) {
        const product = { product_type: type, title: 'Thing', [name]: value }
        const answer = await shop.post('/api/products.json', { product })
        if (types.includes(type)) assert.equal(answer.status, 201, `${type}: ${answer.text}`)
        else assertBlames(answer, [path])
      }
    })
  }

  test('takes the empty values of another type for what they are: nothing', async () => {
    const shop = await service.openShop()
    const empty = {
      runtime: null,
      chapters: [],
      gtin: '',
      weight: null,
      items_in_stock: null,
      manage_stock: false,
      allow_download_trial: 0,
      tagging: { isbn: '', age: null },
      tagging_genre: [],
      tagging_people: [],
    }
    const price = await aPrice(service, shop)
    for (const type of PRODUCT_TYPES) {
      const license_id = type === 6 ? null : BUY
      const bindings = [{ license_id, price_id: price.id, hd: false, audio_type: 0, num_users: null }]
      const product = await aProduct(shop, { product_type: type, ...empty, price_license_binding: bindings })
      assert.equal(product.runtime, null)
      const { hd, audio_type, num_users } = product.price_license_binding[0]
      assert.equal(hd, VIDEO.includes(type) ? false : null, `hd of type ${type}`)
      assert.equal(audio_type, AUDIO.includes(type) ? 0 : undefined, `audio type of type ${type}`)
      assert.equal(num_users, undefined)
    }
  })

  test('sells a physical product under one price and no license', async () => {
    const shop = await service.openShop()
    const make = (price_license_binding: object[]) =>
      shop.post('/api/products.json', { product: { product_type: 6, title: 'Mug', price_license_binding } })
    const [{ id: price }, { id: former }] = [await aPrice(service, shop), await aPrice(service, shop)]
    const { body } = await make([{ price_id: price, compare_price_id: former }])
    const { id: _id, ...binding } = body.product.price_license_binding[0]
    assert.deepEqual(binding, { license_id: null, price_id: price, compare_price_id: former, hd: null })
    assertBlames(await make([{ license_id: 2, price_id: price }]), ['price_license_binding[0].license_id'])
    assertBlames(await make([{ price_id: price }, { price_id: former }]), ['price_license_binding'])
  })

  test('keeps a product_id that is given, in capital letters, and refuses one that is taken', async () => {
    const shop = await service.openShop()
    const product = await aProduct(shop, { product_id: '0001-26ed-ea4f-aa32' })
    assert.equal(product.product_id, '0001-26ED-EA4F-AA32')
    for (const ref of ['0001-26ED-EA4F-AA32', '0001-26ed-ea4f-aa32', '0001-26Ed-eA4f-Aa32'])
      assert.equal((await readProduct(shop, ref)).id, product.id)
    const again = { product_type: 1, title: 'Film', product_id: '0001-26ED-ea4f-aa32' }
    assertBlames(await shop.post('/api/products.json', { product: again }), ['product_id'])
    assertBlames(await shop.post('/api/products.json', { product: { ...again, product_id: '1-2-3-4' } }), [
      'product_id',
    ])
    await aProduct(await service.openShop(), { product_id: '0001-26ED-EA4F-AA32' })
  })

  test('makes one product of many that ask for the same product_id at once', async () => {
    const shop = await service.openShop()
    const product = { product_type: 1, title: 'Film', product_id: 'AAAA-BBBB-CCCC-DDDD' }
    const answers = await Promise.all(Array.from({ length: 8 }, () => shop.post('/api/products.json', { product })))
    const statuses = answers.map(({ status }) => status)
    assert.equal(statuses.filter((status) => status === 201).length, 1)
    assert.ok(statuses.every((status) => [201, 409, 422].includes(status)))
    assert.equal((await shop.get('/api/products/count.json')).body.count, 1)
  })

  test('makes one product of a body that is sent twice with one Idempotency-Key', async () => {
    const shop = await service.openShop()
    const body = { product: { product_type: 1, title: 'Film' } }
    const first = await shop.post('/api/products.json', body, { 'idempotency-key': 'k1' })
    const second = await shop.post('/api/products.json', body, { 'idempotency-key': 'k1' })
    assert.deepEqual([second.status, second.text], [201, first.text])
    assert.equal(second.headers.get('idempotent-replayed'), 'true')
    assert.equal((await shop.get('/api/products.json')).body.products.length, 1)
  })
})
