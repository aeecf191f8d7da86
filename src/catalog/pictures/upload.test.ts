import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import sharp from 'sharp'
import { nowInSeconds } from '#platform/clock.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { ownerPage } from '#test/admin.ts'
import { aProduct, assertPresentedFresh, eventsOf, readProduct, type Wire } from '#test/factories.ts'
import { type Answer, type Shop, useService } from '#test/harness.ts'
import { pictureFolder } from './names.rules.ts'
import { deleteUnused } from './upload.commands.ts'

const service = useService()
const PATH = '/api/pictures.json'
const DAY_SECONDS = 86_400

function paint(width = 60, height = 90, background = 'red') {
  return sharp({ create: { width, height, channels: 3, background } })
}

const png = await paint().png().toBuffer()

function send(shop: Shop, bytes: Buffer | string | undefined, type = 'image/png', headers = {}): Promise<Answer> {
  return service.call('POST', PATH, { token: shop.token, body: bytes, headers: { 'content-type': type, ...headers } })
}

async function uploaded(shop: Shop, bytes: Buffer = png): Promise<Wire> {
  const answer = await send(shop, bytes)
  assert.equal(answer.status, 201, answer.text)
  return answer.body.picture
}

function rowsOf(shop: Shop) {
  return service.db.selectFrom('pictures').selectAll().where('company_id', '=', shop.companyId).orderBy('id').execute()
}

const deleteNow = () => inTransaction(service.db, (tx) => deleteUnused(tx, nowInSeconds(service.clock)))

describe('POST /api/pictures.json', () => {
  test('stores a picture and answers its address, its size and its type', async () => {
    const shop = await service.openShop()
    const { id, url, ...facts } = await uploaded(shop)
    assert.deepEqual(facts, { width: 60, height: 90, content_type: 'image/png', size: png.length })
    assert.match(url, new RegExp(`^${service.url}/pictures/${shop.companyId}/${id}/[0-9a-f]{32}\\.png$`))
    const served = await fetch(url)
    assert.deepEqual(Buffer.from(await served.arrayBuffer()), png)
    assert.equal(served.headers.get('content-type'), 'image/png')
  })

  test('takes every format, whatever the header calls it, and answers the upright size', async () => {
    const shop = await service.openShop()
    const pictures = {
      'image/jpeg': await paint().withMetadata({ orientation: 6 }).jpeg().toBuffer(),
      'image/webp': await paint().webp().toBuffer(),
      'image/gif': await paint().gif().toBuffer(),
      'image/avif': await paint().avif().toBuffer(),
    }
    for (const [type, bytes] of Object.entries(pictures)) {
      const answer = await send(shop, bytes, 'image/png')
      assert.deepEqual([answer.status, answer.body.picture?.content_type], [201, type], answer.text)
      if (type === 'image/jpeg') assert.deepEqual([answer.body.picture.width, answer.body.picture.height], [90, 60])
    }
  })

  test('says why it takes something else not', async () => {
    const shop = await service.openShop()
    const refused: [Buffer | string, RegExp][] = [
      ['', /not a JPEG, PNG, GIF, WebP or AVIF/],
      ['{"picture":null}', /not a JPEG, PNG, GIF, WebP or AVIF/],
      ['<svg xmlns="http://www.w3.org/2000/svg"/>', /not a JPEG, PNG, GIF, WebP or AVIF/],
      [png.subarray(0, png.length / 2), /damaged or incomplete/],
      [await paint(8000, 5001).png().toBuffer(), /more than 40 million pixels/],
    ]
    for (const [bytes, reason] of refused) {
      const answer = await send(shop, bytes)
      assert.deepEqual([answer.status, answer.body.reason], [422, 'picture_refused'], answer.text)
      assert.match(answer.body.error, reason)
    }
    const large = await send(shop, Buffer.alloc(10 * 1_048_576 + 1))
    assert.deepEqual([large.status, large.body.reason], [413, 'body_too_large'])
    for (const type of ['application/json', 'image/svg+xml', 'text/plain'])
      assert.equal((await send(shop, '{}', type)).status, 415, type)
    assert.deepEqual(await rowsOf(shop), [])
  })

  test('is there for apps that change products or shops, and for signed-in users', async () => {
    const shop = await service.openShop()
    assert.equal((await send(await shop.withScopes('products'), png)).status, 201)
    assert.equal((await send(await shop.withScopes('themes'), png)).status, 201)
    assert.equal((await send(await shop.withScopes('orders'), png)).status, 403)
    const page = await ownerPage(service, shop)
    const headers = { origin: service.url, 'content-type': 'image/png' }
    assert.equal((await page.call('POST', '/pictures.json', png, headers)).status, 201)
  })

  test('stores one picture for one Idempotency-Key, and refuses another one', async () => {
    const shop = await service.openShop()
    const key = { 'idempotency-key': 'one' }
    const [one, two] = [await send(shop, png, 'image/png', key), await send(shop, png, 'image/png', key)]
    assert.deepEqual([one.status, two.status, two.body], [201, 201, one.body])
    assert.equal((await rowsOf(shop)).length, 1)
    const other = await paint(5, 5).png().toBuffer()
    assert.equal((await send(shop, other, 'image/png', key)).status, 422)
  })
})

describe('an uploaded picture', () => {
  test('becomes the picture of a product at once, and nothing is fetched', async () => {
    const shop = await service.openShop()
    const [one, two] = [await uploaded(shop), await uploaded(shop)]
    const product = await aProduct(shop, { preview_pictures: [{ src: two.url }, { src: one.url }] })
    const shown = [
      { id: two.id, src: two.url },
      { id: one.id, src: one.url },
    ]
    assert.deepEqual(product.preview_pictures, shown)
    assert.deepEqual(
      (await rowsOf(shop)).map(({ product_key, position }) => [product_key, position]),
      [
        [product.id, 1],
        [product.id, 0],
      ],
    )
    await service.runJobs()
    assert.deepEqual((await readProduct(shop, product.id)).preview_pictures, shown)
    assert.deepEqual(
      (await eventsOf(service, shop)).map(({ topic }) => topic),
      ['product/create'],
    )
    await assertPresentedFresh(service, shop, product.id)
  })

  test('takes the place of another one, whose files are deleted', async () => {
    const shop = await service.openShop()
    const [old, fresh, text] = [await uploaded(shop), await uploaded(shop), await uploaded(shop)]
    const { id } = await aProduct(shop, { images: [{ src: old.url }], locales: [{ language_id: 'en', title: 'A' }] })
    const changes = { images: [{ id: old.id, src: fresh.url }], locales: [{ language_id: 'en', src: text.url }] }
    const { body } = await shop.put(`/api/products/${id}.json`, { product: changes })
    assert.deepEqual(body.product.images, [{ id: fresh.id, src: fresh.url }])
    assert.equal(body.product.locales[0].src, text.url)
    await service.runJobs()
    assert.equal((await fetch(old.url)).status, 404)
    assert.equal((await fetch(fresh.url)).status, 200)
    await assertPresentedFresh(service, shop, id)
  })

  test('becomes the picture of a category and the icon of a shop', async () => {
    const shop = await service.openShop()
    const [one, two] = [await uploaded(shop), await uploaded(shop)]
    const locales = [{ language: 'en', title: 'Films', src: one.url }]
    const { body } = await shop.post('/api/categories.json', { category: { title: 'Films', locales } })
    assert.equal(body.category.locales[0].src, one.url)
    const { body: made } = await shop.post('/api/themesettings.json', { ThemeSetting: { shop_icon: two.url } })
    assert.equal(made.ThemeSetting.shop_icon, two.url)
    assert.deepEqual(
      (await rowsOf(shop)).map(({ category_id, theme_setting_id, state }) => [category_id, theme_setting_id, state]),
      [
        [body.category.id, null, 'stored'],
        [null, made.ThemeSetting.id, 'stored'],
      ],
    )
  })

  test('is taken by one product only: the next one gets a copy, without a request', async () => {
    const shop = await service.openShop()
    const { id, url } = await uploaded(shop)
    const [one, two] = await Promise.all([
      aProduct(shop, { images: [{ src: url }] }),
      aProduct(shop, { images: [{ src: url }, { src: url }] }),
    ])
    // Nobody answers there.
    const elsewhere = url.replace(service.url, 'http://127.0.0.1:9')
    await aProduct(shop, { images: [{ src: elsewhere }] })
    const ids = [...one.images, ...two.images].map((picture: Wire) => picture.id)
    assert.equal(ids.filter((each: number) => each === id).length, 1)
    assert.equal(new Set(ids).size, 3)
    await service.runJobs()
    const rows = await rowsOf(shop)
    assert.deepEqual(new Set(rows.map(({ state }) => state)), new Set(['stored']))
  })

  test('of another company is only an address', async () => {
    const [shop, stranger] = [await service.openShop(), await service.openShop()]
    const { id, url } = await uploaded(shop)
    const product = await aProduct(stranger, { images: [{ src: url }] })
    assert.notEqual(product.images[0].id, id)
    const [row] = await rowsOf(shop)
    assert.deepEqual([row?.product_key, row?.state], [null, 'stored'])
  })

  test('is deleted with its file after a day, unless something uses it', async () => {
    const shop = await service.openShop()
    const [unused, used] = [await uploaded(shop), await uploaded(shop)]
    await aProduct(shop, { images: [{ src: used.url }] })
    assert.equal(await deleteNow(), 0)
    service.clock.advance(DAY_SECONDS + 1)
    const fresh = await uploaded(await shop.withScopes('products'))
    assert.ok((await deleteNow()) > 0)
    assert.equal(await deleteNow(), 0)
    await service.runJobs()
    assert.deepEqual(
      (await rowsOf(shop)).map(({ id }) => id),
      [used.id, fresh.id],
    )
    assert.equal((await fetch(unused.url)).status, 404)
    assert.equal((await fetch(used.url)).status, 200)
    const folder = pictureFolder(shop.companyId, unused.id)
    const name = String(new URL(unused.url).pathname.split('/').at(-1))
    assert.equal(await service.files.exists(`${folder}/${name}`), false)
  })
})
