import assert from 'node:assert/strict'
import { appendFile } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { type Shop, useService } from '#test/harness.ts'
import { aProduct, metadata, sha256, someVideo, tus } from '#test/uploads.ts'

const service = useService()
let shop: Shop
let product: Awaited<ReturnType<typeof aProduct>>

test('a shop opens', async () => {
  shop = await service.openShop()
  product = await aProduct(shop)
})

async function begin(bytes: Buffer): Promise<{ id: number; url: string }> {
  const file = { product_id: product.product_id, name: 'film.mp4', role: 'extra', size: bytes.length }
  const { id, upload_url } = (await shop.post('/api/files.json', { file })).body.file
  return { id, url: upload_url }
}

async function send(url: string, offset: number, bytes: Buffer): Promise<void> {
  assert.equal((await tus(service, shop, 'PATCH', url, { 'upload-offset': String(offset) }, bytes)).status, 204)
}

const hashOf = async (id: number) => (await shop.get(`/api/files/${id}.json`)).body.file.sha256

/** Sends a body whose length nobody has announced. */
function sendChunks(url: string, chunks: readonly Buffer[]): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${shop.token}`,
      'tus-resumable': '1.0.0',
      'upload-offset': '0',
      'content-type': 'application/offset+octet-stream',
    }
    const request = httpRequest(url, { method: 'PATCH', headers }, (response) => {
      resolve(response.resume().statusCode)
      request.destroy()
    })
    request.once('error', reject)
    for (const chunk of chunks) request.write(chunk)
    request.end()
  })
}

// The bytes are hashed as they come, so every way in which they come may matter.
describe('the hash of an upload', () => {
  test('is that of all its pieces', async () => {
    const bytes = someVideo(5_000_000)
    const { id, url } = await begin(bytes)
    for (const [from, to] of [
      [0, 100],
      [100, 3_000_000],
      [3_000_000, 5_000_000],
    ] as const)
      await send(url, from, bytes.subarray(from, to))
    assert.equal(await hashOf(id), sha256(bytes))
  })

  test('is that of its bytes if another process has received some of them', async () => {
    const bytes = someVideo(300_000)
    const { id, url } = await begin(bytes)
    await send(url, 0, bytes.subarray(0, 100_000))
    await appendFile(join(service.uploadFolder, url.split('/').at(-1) ?? ''), bytes.subarray(100_000, 200_000))
    await send(url, 200_000, bytes.subarray(200_000))
    assert.equal(await hashOf(id), sha256(bytes))
  })

  test('is that of its bytes if the first came with its creation', async () => {
    const bytes = someVideo(50_000)
    const headers = {
      'upload-length': String(bytes.length),
      'upload-metadata': metadata({ product_id: String(product.id), filename: 'film.mp4', role: 'extra' }),
    }
    const created = await tus(service, shop, 'POST', '/api/files/uploads', headers, bytes.subarray(0, 20_000))
    assert.deepEqual([created.status, created.headers['upload-offset']], [201, '20000'])
    await send(`${service.url}${created.headers.location}`, 20_000, bytes.subarray(20_000))
    const { files } = (await shop.get('/api/files.json?role=extra')).body
    assert.equal(files.at(-1).sha256, sha256(bytes))
  })

  test('leaves out what is longer than was announced', async () => {
    const bytes = someVideo(200_000)
    const { id, url } = await begin(bytes)
    const parts = [bytes.subarray(0, 150_000), Buffer.alloc(100_000), bytes.subarray(150_000)]
    assert.equal(await sendChunks(url, parts), 413)
    const offset = Number((await tus(service, shop, 'HEAD', url)).headers['upload-offset'])
    assert.ok(offset < bytes.length, `${offset} bytes were kept`)
    // What was kept before the end of the announced size may be wrong; a client that says so ends the upload.
    assert.equal((await tus(service, shop, 'DELETE', url)).status, 204)
    assert.equal((await shop.get(`/api/files/${id}.json`)).status, 404)
  })
})
