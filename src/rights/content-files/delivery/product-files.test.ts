import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { request } from 'undici'
import { aProduct, readProduct, type Wire } from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'
import { someVideo, upload } from '#test/uploads.ts'

const service = useService()

const PROGRAM = 4

async function fetchAs(url: string, headers: Record<string, string> = {}, method: 'GET' | 'OPTIONS' = 'GET') {
  const response = await request(url, { method, headers })
  return {
    status: response.statusCode,
    headers: response.headers,
    bytes: Buffer.from(await response.body.arrayBuffer()),
  }
}

/** The content file of a role, as the product shows it. */
async function shown(shop: Shop, { id }: Wire, role: string): Promise<Wire> {
  const { content_files } = await readProduct(shop, id)
  return content_files.find((file: Wire) => file.role === role)
}

const change = (shop: Shop, { id }: Wire, product: object) => shop.put(`/api/products/${id}.json`, { product })

describe('content_files of a product', () => {
  const TYPES: [string, number, number][] = [
    ['trailer', 1, 2],
    ['preview', 5, 7],
    ['preview', 16, 7],
    ['trial', PROGRAM, 10],
    ['main_hd', 9, 1],
    ['main_sd', 1, 1],
    ['extra', 1, 1],
  ]
  for (const [role, product_type, contentType] of TYPES) {
    test(`say what a ${role} of type ${product_type} is by a number`, async () => {
      const shop = await service.openShop()
      const product = await aProduct(shop, { product_type })
      const bytes = someVideo(500)
      const file = await upload(service, shop, product, bytes, { role, name: 'a file.mp4' })
      const { download_url, ...rest } = await shown(shop, product, role)
      assert.deepEqual(rest, {
        id: file.id,
        name: 'a file.mp4',
        role,
        language: '',
        valid: 1,
        content_type: contentType,
        mime_type: 'video/mp4',
        size: 500,
      })
      const path =
        contentType === 1 ? `/api/files/${file.id}/download` : `/files/${shop.companyId}/${file.id}/a%20file.mp4`
      assert.equal(download_url, `${service.url}${path}`)
    })
  }

  for (const [role, product_type] of [
    ['trailer', 1],
    ['preview', 5],
    ['trial', PROGRAM],
  ] as const) {
    test(`let everybody fetch a ${role}, from every origin and in parts, while the product is published`, async () => {
      const shop = await service.openShop()
      const trial = product_type === PROGRAM ? { allow_download_trial: 1 } : {}
      const product = await aProduct(shop, { product_type, published: true, ...trial })
      const bytes = someVideo(500)
      await upload(service, shop, product, bytes, { role })
      const { download_url } = await shown(shop, product, role)
      const origin = 'https://elsewhere.example.com'
      const whole = await fetchAs(download_url, { origin })
      assert.equal(whole.status, 200)
      assert.equal(whole.headers['access-control-allow-origin'], '*')
      assert.ok(whole.bytes.equals(bytes))
      const part = await fetchAs(download_url, { origin, range: 'bytes=10-19' })
      assert.equal(part.status, 206)
      assert.ok(part.bytes.equals(bytes.subarray(10, 20)))
      const asked = { origin, 'access-control-request-method': 'GET', 'access-control-request-headers': 'range' }
      assert.equal((await fetchAs(download_url, asked, 'OPTIONS')).status, 204)
      await change(shop, product, { published: false })
      assert.equal((await fetchAs(download_url)).status, 404)
    })
  }

  test('give a trial to nobody while the product does not allow it', async () => {
    const shop = await service.openShop()
    const product = await aProduct(shop, { product_type: PROGRAM, published: true })
    await upload(service, shop, product, someVideo(500), { role: 'trial' })
    const { download_url } = await shown(shop, product, 'trial')
    assert.equal((await fetchAs(download_url)).status, 404)
    await change(shop, product, { allow_download_trial: 1 })
    assert.equal((await fetchAs(download_url)).status, 200)
  })

  test('give what is sold only to who may have it', async () => {
    const [shop, stranger] = [await service.openShop(), await service.openShop()]
    const product = await aProduct(shop, { product_type: PROGRAM, published: true, allow_download_trial: 1 })
    await upload(service, shop, product, someVideo(500), { role: 'main_sd' })
    const { download_url, id } = await shown(shop, product, 'main_sd')
    assert.equal((await fetchAs(download_url)).status, 401)
    assert.equal((await fetchAs(download_url, { authorization: `Bearer ${stranger.token}` })).status, 404)
    assert.equal((await fetchAs(download_url, { authorization: `Bearer ${shop.token}` })).status, 200)
    assert.equal((await fetchAs(`${service.url}/files/${shop.companyId}/${id}/film.mp4`)).status, 404)
  })
})
