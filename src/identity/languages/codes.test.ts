import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Wire } from '#test/factories.ts'
import { type Answer, type Shop, useService } from '#test/harness.ts'

const service = useService()

/** Codes that look right, but in which no name, number or date can be written. */
const REFUSED = ['en-12', 'de-1a', 'xx-yyy', 'EN-abc']
const ACCEPTED = ['en', 'de-AT', 'PT-br', 'zh-hant', 'es-419', 'deu']

type Resource = {
  name: string
  field: string
  path: (id: number) => string
  create: (shop: Shop, code: string) => Promise<Answer>
  body: (code: string) => object
  read: (body: Wire) => Wire
  codes: (resource: Wire) => string[]
}

const product = (locale: object) => ({ product: { product_type: 9, title: 'Film', locales: [locale] } })
const themeSetting = (locale: object) => ({ ThemeSetting: { locales: [locale] } })

const RESOURCES: Resource[] = [
  {
    name: 'a product',
    field: 'locales[0].language_id',
    path: (id) => `/api/products/${id}.json`,
    create: (shop, code) => shop.post('/api/products.json', product({ language_id: code })),
    body: (code) => product({ language_id: code, title: 'Changed' }),
    read: (body) => body.product,
    codes: ({ locales }) => locales.map(({ language_id }: Wire) => language_id),
  },
  {
    name: 'a theme setting',
    field: 'locales[0].language_id',
    path: (id) => `/api/themesettings/${id}.json`,
    create: (shop, code) => shop.post('/api/themesettings.json', themeSetting({ language_id: code })),
    body: (code) => themeSetting({ language_id: code, shop_name: 'Changed' }),
    read: (body) => body.ThemeSetting,
    codes: ({ locales }) => locales.map(({ language_id }: Wire) => language_id),
  },
  {
    name: 'a content file',
    field: 'language',
    path: (id) => `/api/files/${id}.json`,
    create: async (shop, code) => {
      const { product_id } = (await shop.post('/api/products.json', product({ language_id: 'en' }))).body.product
      return shop.post('/api/files.json', { file: { product_id, name: 'film.mp4', size: 1, language: code } })
    },
    body: (code) => ({ file: { language: code, name: 'changed.mp4' } }),
    read: (body) => body.file,
    codes: ({ language }) => [language],
  },
]

function assertRefused({ status, body, text }: Answer, field: string): void {
  assert.deepEqual([status, body.reason], [422, 'language_invalid'], text)
  assert.deepEqual(Object.keys(body.errors), [field])
}

for (const { name, field, path, create, body, read, codes } of RESOURCES)
  describe(`the language of ${name}`, () => {
    test('must be a code that can be written in', async () => {
      const shop = await service.openShop()
      const known = read((await create(shop, 'fr')).body)
      for (const code of REFUSED) {
        assertRefused(await create(shop, code), field)
        assertRefused(await shop.put(path(known.id), body(code)), field)
      }
      assert.deepEqual(codes(read((await shop.get(path(known.id))).body)), ['fr'])
    })

    test('can have a region or a script', async () => {
      const shop = await service.openShop()
      for (const code of ACCEPTED) {
        const answer = await create(shop, code)
        assert.equal(answer.status, 201, answer.text)
        assert.deepEqual(codes(read(answer.body)), [code.toLowerCase()])
      }
    })
  })

test('a file whose language was stored before such codes were refused can be read and sent back', async () => {
  const shop = await service.openShop()
  const { product_id } = (await shop.post('/api/products.json', product({ language_id: 'en' }))).body.product
  const { file } = (await shop.post('/api/files.json', { file: { product_id, name: 'film.mp4', size: 1 } })).body
  const { companyId } = shop
  await service.db
    .updateTable('content_files')
    .set({ language: 'en-12' })
    .where('company_id', '=', companyId)
    .where('id', '=', file.id)
    .execute()
  const known = (await shop.get(`/api/files/${file.id}.json`)).body.file
  assert.equal(known.language, 'en-12')
  const answer = await shop.put(`/api/files/${file.id}.json`, { file: { ...known, name: 'renamed.mp4' } })
  assert.deepEqual([answer.status, answer.body.file?.name], [200, 'renamed.mp4'], answer.text)
})
