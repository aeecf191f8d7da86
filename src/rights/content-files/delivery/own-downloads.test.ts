import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { request } from 'undici'
import { aCustomer } from '#test/customers.ts'
import { useService } from '#test/harness.ts'
import { anOrder } from '#test/orders.ts'
import { type OwnedFile, ownedContent } from '#test/owned-content.ts'
import { someVideo } from '#test/uploads.ts'

const service = useService()

async function get(url: string, token: string, method: 'GET' | 'HEAD' = 'GET', headers: Record<string, string> = {}) {
  const response = await request(url, { method, headers: { authorization: `Bearer ${token}`, ...headers } })
  const bytes = Buffer.from(await response.body.arrayBuffer())
  return { status: response.statusCode, headers: response.headers, bytes }
}

async function aPlayer(terms: object = {}) {
  const shop = await service.openShop()
  const bytes = someVideo()
  const files: OwnedFile[] = [{ bytes, name: 'film.mp4', role: 'main_sd' }]
  const { customer, product, files: stored, id } = await ownedContent(service, shop, { files, terms })
  const { token } = await shop.asCustomer(customer.id)
  const [{ download_url: url }] = stored
  return { shop, bytes, customer, product, token, url, id, fileId: stored[0].id as number }
}

describe('the download_url of a sold file', () => {
  test('leads the player of a customer who owns it to its bytes, in parts too', async () => {
    const { bytes, token, url } = await aPlayer()
    const answer = await get(url, token)
    assert.equal(answer.status, 303)
    assert.equal(answer.headers['cache-control'], 'no-store')
    const address = String(answer.headers.location)
    assert.ok(address.startsWith(`${service.url}/files/`), address)
    const whole = await request(address)
    assert.ok(Buffer.from(await whole.body.arrayBuffer()).equals(bytes))
    const part = await request(address, { headers: { range: 'bytes=10-19' } })
    assert.equal(part.statusCode, 206)
    assert.ok(Buffer.from(await part.body.arrayBuffer()).equals(bytes.subarray(10, 20)))
  })

  test('counts as a download, unless only its headers are asked for', async () => {
    const { shop, customer, product, token, url } = await aPlayer({ drm: 1, total_downloads: 1 })
    const head = await get(url, token, 'HEAD')
    assert.deepEqual([head.status, head.headers['content-type']], [200, 'video/mp4'])
    assert.equal((await get(url, token)).status, 303)
    const refused = await get(url, token)
    assert.equal(refused.status, 403)
    assert.equal(JSON.parse(refused.bytes.toString()).reason, 'file_access_ended')
    // Another piece of the same allows another download.
    await anOrder(shop, customer, [{ product_id: product.product_id, quantity: 1 }])
    assert.equal((await get(url, token)).status, 303)
  })

  test('is refused when the right has ended', async () => {
    const { shop, customer, url } = await aPlayer({ expire_after_acquisition: 1 })
    service.clock.advance(3 * 3600)
    const { token } = await shop.asCustomer(customer.id)
    assert.equal((await get(url, token)).status, 403)
    assert.equal((await get(url, token, 'HEAD')).status, 404)
  })

  test('is not found for customers who do not own it, whatever the id', async () => {
    const { shop, url, fileId } = await aPlayer()
    const stranger = await shop.asCustomer((await aCustomer(shop)).id)
    const answer = await get(url, stranger.token)
    assert.equal(answer.status, 404)
    assert.equal((await get(url, stranger.token, 'HEAD')).status, 404)
    const other = await aPlayer()
    assert.equal((await get(url, other.token)).status, 404)
    for (const id of ['0', '-1', 'x', '99999999999999999999', `${fileId}0000`])
      assert.equal((await get(`${service.url}/api/files/${id}/download`, other.token)).status, 404, id)
  })
})
