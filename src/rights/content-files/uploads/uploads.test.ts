import assert from 'node:assert/strict'
import { readdir, stat, writeFile } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { inTransaction } from '#platform/db/transaction.ts'
import { type Shop, useService } from '#test/harness.ts'
import { temporaryFolder } from '#test/start/program.ts'
import { aProduct, metadata, sha256, someVideo, tus, upload } from '#test/uploads.ts'
import { deleteAbandoned, type FinishOptions, finishLeftOver } from './finish.commands.ts'
import { uploadFromDisk } from './from-disk.files.ts'

const service = useService()
let shop: Shop
let product: { id: number; product_id: string }

/** The hooks of a file run side by side, so the shop waits for the service here. */
test('a shop opens', async () => {
  shop = await service.openShop()
  product = await aProduct(shop)
})

function finishing(): FinishOptions {
  return {
    db: service.db,
    change: (work) => inTransaction(service.db, work),
    files: service.files,
    folder: service.uploadFolder,
    now: service.clock.of,
    clock: service.clock,
  }
}

async function begin(bytes: Buffer, fields: object = {}) {
  const { product_id } = product
  const file = { product_id, name: 'film.mp4', role: 'main_hd', size: bytes.length, ...fields }
  return (await shop.post('/api/files.json', { file })).body.file
}

const offsetOf = async (url: string) => (await tus(service, shop, 'HEAD', url)).headers['upload-offset']
const uploadsLeft = async () =>
  (await readdir(service.uploadFolder).catch(() => [])).filter((name) => name.startsWith(`${shop.companyId}-`))

/** Sends a part of a body and breaks the connection. */
async function tear(url: string, bytes: Buffer, sent: number): Promise<void> {
  const request = httpRequest(url, {
    method: 'PATCH',
    headers: {
      authorization: `Bearer ${shop.token}`,
      'tus-resumable': '1.0.0',
      'upload-offset': '0',
      'content-type': 'application/offset+octet-stream',
      'content-length': bytes.length,
    },
  })
  request.on('error', () => {})
  await new Promise<void>((resolve) => request.write(bytes.subarray(0, sent), () => resolve()))
  const path = join(service.uploadFolder, url.split('/').at(-1) ?? '')
  while ((await stat(path)).size < sent) await new Promise((resolve) => setImmediate(resolve))
  request.destroy()
}

describe('a content file', () => {
  test('is created, uploaded, hashed and shown in its product', async () => {
    const bytes = someVideo()
    const created = await begin(bytes, { language: 'EN' })
    assert.equal(created.status, 'uploading')
    assert.equal(created.valid, false)
    assert.equal(created.language, 'en')
    const sent = await tus(service, shop, 'PATCH', created.upload_url, { 'upload-offset': '0' }, bytes)
    assert.equal(sent.status, 204)
    assert.equal(sent.headers['upload-offset'], String(bytes.length))
    const { file } = (await shop.get(`/api/files/${created.id}.json`)).body
    assert.equal(file.status, 'ready')
    assert.equal(file.content_type, 'video/mp4')
    assert.equal(file.size, bytes.length)
    assert.equal(file.sha256, sha256(bytes))
    assert.equal(file.upload_url, null)
    const { content_files } = (await shop.get(`/api/products/${product.id}.json`)).body.product
    assert.deepEqual(content_files, [
      {
        id: file.id,
        name: 'film.mp4',
        role: 'main_hd',
        language: 'en',
        valid: 1,
        content_type: 1,
        mime_type: 'video/mp4',
        size: bytes.length,
        download_url: `${service.url}/api/files/${file.id}/download`,
      },
    ])
    assert.deepEqual(await uploadsLeft(), [])
  })

  test('is created by the protocol alone', async () => {
    const bytes = someVideo(5000)
    const created = await tus(service, shop, 'POST', '/api/files/uploads', {
      'upload-length': String(bytes.length),
      'upload-metadata': metadata({ product_id: String(product.id), filename: 'Ätzend.mp4', role: 'extra' }),
    })
    assert.equal(created.status, 201)
    const url = `${service.url}${created.headers.location}`
    assert.equal((await tus(service, shop, 'PATCH', url, { 'upload-offset': '0' }, bytes)).status, 204)
    const { files } = (await shop.get('/api/files.json?role=extra')).body
    assert.deepEqual([files.length, files[0].name, files[0].sha256], [1, 'Ätzend.mp4', sha256(bytes)])
  })

  test('may say its size with its first bytes', async () => {
    const bytes = someVideo(5000)
    const { id, upload_url } = await begin(bytes, { size: undefined })
    assert.equal((await tus(service, shop, 'HEAD', upload_url)).headers['upload-defer-length'], '1')
    const headers = { 'upload-offset': '0', 'upload-length': String(bytes.length) }
    assert.equal((await tus(service, shop, 'PATCH', upload_url, headers, bytes)).status, 204)
    assert.equal((await shop.get(`/api/files/${id}.json`)).body.file.status, 'ready')
  })

  test('comes last, also where there is no place after the last one', async () => {
    const { product_id } = await aProduct(shop)
    for (const position of [1_000_000, undefined])
      assert.equal((await begin(someVideo(), { product_id, position })).position, 1_000_000)
  })

  test('is listed, counted, changed and deleted', async () => {
    const own = await aProduct(shop)
    const first = await upload(service, shop, own, someVideo(), { role: 'trailer' })
    const second = await upload(service, shop, own, someVideo(), { name: 'b.mp4' })
    const list = `/api/files.json?product_id=${own.product_id}`
    assert.deepEqual((await shop.get(`${list}&fields=id`)).body.files, [{ id: first.id }, { id: second.id }])
    assert.deepEqual((await shop.get(`${list}&since_id=${first.id}&fields=id`)).body.files, [{ id: second.id }])
    assert.equal((await shop.get(`/api/files/count.json?product_id=${own.id}&role=trailer`)).body.count, 1)
    const change = { file: { name: 'c.mp4', role: 'extra', language: 'de', position: 7, sha256: 'ignored' } }
    const { body } = await shop.put(`/api/files/${second.id}.json`, change)
    assert.deepEqual(
      [body.file.name, body.file.role, body.file.language, body.file.position, body.file.sha256],
      ['c.mp4', 'extra', 'de', 7, second.sha256],
    )
    assert.deepEqual((await shop.delete(`/api/files/${second.id}.json`)).body, {})
    assert.equal((await shop.get(`/api/files/${second.id}.json`)).status, 404)
    const { content_files } = (await shop.get(`/api/products/${own.id}.json`)).body.product
    assert.deepEqual(
      content_files.map(({ id }: { id: number }) => id),
      [first.id],
    )
  })

  test('shares the bytes that a company has already, until the last of them is deleted', async () => {
    const bytes = someVideo()
    const files = [await upload(service, shop, product, bytes), await upload(service, shop, product, bytes)]
    const blobs = await service.db.selectFrom('content_blobs').selectAll().where('sha256', '=', sha256(bytes)).execute()
    assert.deepEqual(
      blobs.map(({ refs, company_id }) => [refs, company_id]),
      [[2, shop.companyId]],
    )
    const key = blobs[0]!.key
    await shop.delete(`/api/files/${files[0].id}.json`)
    await service.runJobs()
    assert.equal(await service.files.exists(key), true)
    await shop.delete(`/api/files/${files[1].id}.json`)
    await service.runJobs()
    assert.equal(await service.files.exists(key), false)
  })
})

describe('an upload', () => {
  test('that was torn goes on where it stopped and has the same hash', async () => {
    const bytes = someVideo(3_000_000)
    const { id, upload_url } = await begin(bytes)
    await tear(upload_url, bytes, 1_000_000)
    const offset = Number(await offsetOf(upload_url))
    assert.equal(offset, 1_000_000)
    const middle = bytes.subarray(offset, 2_000_000)
    assert.equal(
      (await tus(service, shop, 'PATCH', upload_url, { 'upload-offset': String(offset) }, middle)).status,
      204,
    )
    const rest = bytes.subarray(2_000_000)
    assert.equal((await tus(service, shop, 'PATCH', upload_url, { 'upload-offset': '2000000' }, rest)).status, 204)
    assert.equal((await shop.get(`/api/files/${id}.json`)).body.file.sha256, sha256(bytes))
  })

  test('whose last bytes arrived before the process died is finished by a chore', async () => {
    const bytes = someVideo(200_000)
    const { id, upload_url } = await begin(bytes)
    // The bytes are there, and nobody has noticed: as after the end of a process.
    await writeFile(join(service.uploadFolder, upload_url.split('/').at(-1)), bytes)
    await finishLeftOver(finishing())
    const { file } = (await shop.get(`/api/files/${id}.json`)).body
    assert.deepEqual([file.status, file.sha256], ['ready', sha256(bytes)])
    await finishLeftOver(finishing())
  })

  test('takes no more than was announced', async () => {
    const bytes = someVideo(1000)
    const { upload_url } = await begin(bytes)
    const more = Buffer.concat([bytes, Buffer.from('more')])
    assert.equal((await tus(service, shop, 'PATCH', upload_url, { 'upload-offset': '0' }, more)).status, 413)
    assert.equal(await offsetOf(upload_url), '0')
  })

  test('is refused above the limit of the service', async () => {
    const size = 67_108_865
    const file = { product_id: product.product_id, name: 'film.mp4', size }
    const answer = await shop.post('/api/files.json', { file })
    assert.deepEqual([answer.status, answer.body.reason], [413, 'file_too_large'])
    const headers = {
      'upload-length': String(size),
      'upload-metadata': metadata({ product_id: String(product.id), filename: 'a.mp4' }),
    }
    assert.equal((await tus(service, shop, 'POST', '/api/files/uploads', headers)).status, 413)
    assert.equal((await shop.get('/api/files/count.json?since_id=0')).body.count > 0, true)
  })

  test('goes on at its offset only', async () => {
    const bytes = someVideo(1000)
    const { upload_url } = await begin(bytes)
    assert.equal((await tus(service, shop, 'PATCH', upload_url, { 'upload-offset': '7' }, bytes)).status, 409)
  })

  test('of another company does not exist, and needs the scope files', async () => {
    const { upload_url } = await begin(someVideo(1000))
    const stranger = await service.openShop()
    for (const method of ['HEAD', 'PATCH', 'DELETE'] as const) {
      const body = method === 'PATCH' ? Buffer.from('x') : undefined
      assert.equal((await tus(service, stranger, method, upload_url, { 'upload-offset': '0' }, body)).status, 404)
      const other = await shop.withScopes('products')
      assert.equal((await tus(service, other, method, upload_url, { 'upload-offset': '0' }, body)).status, 403)
      assert.equal((await tus(service, undefined, method, upload_url, { 'upload-offset': '0' }, body)).status, 401)
    }
    assert.equal(await offsetOf(upload_url), '0')
    const headers = {
      'upload-length': '9',
      'upload-metadata': metadata({ product_id: String(product.id), filename: 'a' }),
    }
    const create = (as: Shop | undefined) => tus(service, as, 'POST', '/api/files/uploads', headers)
    assert.equal((await create(undefined)).status, 401)
    assert.equal((await create(await shop.withScopes('products'))).status, 403)
    assert.equal((await create(stranger)).status, 422)
  })

  test('that cannot begin is told why', async () => {
    const create = (product_id: string, more: Record<string, string> = {}) =>
      tus(service, shop, 'POST', '/api/files/uploads', {
        'upload-length': '9',
        'upload-metadata': metadata({ product_id, filename: 'a.mp4' }),
        ...more,
      })
    const unstorable = await create('a\0b')
    assert.deepEqual([unstorable.status, /Product id/.test(unstorable.text)], [422, true], unstorable.text)
    const inParts = await create(String(product.id), { 'upload-concat': 'partial' })
    assert.deepEqual([inParts.status, /parallel uploads/.test(inParts.text)], [400, true], inParts.text)
  })

  test('has each method once in the answer to another one', async () => {
    const allowed = async (path: string) => {
      const { status, headers } = await service.call('PUT', path, { token: shop.token })
      return [status, headers.get('allow')]
    }
    assert.deepEqual(await allowed('/api/files/uploads'), [405, 'POST, OPTIONS'])
    assert.deepEqual(await allowed('/api/files/uploads/1'), [405, 'HEAD, PATCH, DELETE, OPTIONS'])
  })

  for (const id of ['..', '../secret', '%2e%2e%2fsecret', '1000-zz', `${'9'.repeat(16)}-${'a'.repeat(32)}`])
    test(`called ${id} does not exist`, async () => {
      const { status } = await tus(service, shop, 'HEAD', `/api/files/uploads/${id}`)
      assert.ok([404, 405].includes(status), String(status))
    })

  test('can be ended by its client, with its file', async () => {
    const { id, upload_url } = await begin(someVideo(1000))
    assert.equal((await tus(service, shop, 'DELETE', upload_url)).status, 204)
    assert.equal((await tus(service, shop, 'HEAD', upload_url)).status, 404)
    assert.equal((await shop.get(`/api/files/${id}.json`)).status, 404)
  })

  test('that received nothing for a day is deleted, and no other', async () => {
    const old = await begin(someVideo(1000))
    service.clock.advance(23 * 3600)
    const later = await shop.withScopes('files', 'products')
    await deleteAbandoned(finishing())
    assert.equal((await later.get(`/api/files/${old.id}.json`)).status, 200)
    service.clock.advance(3601)
    const latest = await shop.withScopes('files', 'products')
    while ((await deleteAbandoned(finishing())) > 0);
    assert.equal((await latest.get(`/api/files/${old.id}.json`)).status, 404)
    assert.deepEqual(await uploadsLeft(), [])
    shop = await shop.withScopes('files', 'products')
  })

  test('is taken over from a connection that broke without a word', async () => {
    const bytes = someVideo(500_000)
    const { id, upload_url } = await begin(bytes)
    const stuck = httpRequest(upload_url, {
      method: 'PATCH',
      headers: {
        authorization: `Bearer ${shop.token}`,
        'tus-resumable': '1.0.0',
        'upload-offset': '0',
        'content-type': 'application/offset+octet-stream',
        'content-length': bytes.length,
      },
    })
    stuck.on('error', () => {})
    stuck.write(bytes.subarray(0, 1000))
    const path = join(service.uploadFolder, upload_url.split('/').at(-1))
    while ((await stat(path)).size < 1000) await new Promise((resolve) => setImmediate(resolve))
    // The old request ends within a few seconds of this one asking.
    assert.equal(await offsetOf(upload_url), '1000')
    const rest = bytes.subarray(1000)
    assert.equal((await tus(service, shop, 'PATCH', upload_url, { 'upload-offset': '1000' }, rest)).status, 204)
    assert.equal((await shop.get(`/api/files/${id}.json`)).body.file.sha256, sha256(bytes))
    stuck.destroy()
  })

  test('from a page of another origin is asked for first', async () => {
    const { status, headers } = await tus(service, undefined, 'OPTIONS', '/api/files/uploads')
    assert.equal(status, 204)
    assert.equal(headers['access-control-allow-origin'], '*')
    assert.match(String(headers['access-control-allow-methods']), /PATCH/)
    assert.equal(headers['tus-version'], '1.0.0')
  })
})

describe('a file from the disk of the service', () => {
  test('goes on after an interruption, and is a copy', async () => {
    const bytes = someVideo(9_000_000)
    const folder = await temporaryFolder()
    const path = join(folder, 'from disk.mp4')
    await writeFile(path, bytes)
    const options = { ...finishing(), bytesMax: 10_000_000, author: { companyId: shop.companyId } }
    const input = { product_id: product.product_id, role: 'extra' }
    const stop = (done: number) => {
      if (done > 0) throw new Error('stopped')
    }
    await assert.rejects(uploadFromDisk({ ...options, onProgress: stop }, path, input), /stopped/)
    const offsets: number[] = []
    const onProgress = (done: number) => void offsets.push(done)
    const file = await uploadFromDisk({ ...options, onProgress }, path, input)
    assert.equal(offsets[0], 4 * 1_048_576)
    assert.equal(offsets.at(-1), bytes.length)
    assert.deepEqual([file.status, file.sha256], ['ready', sha256(bytes)])
    await writeFile(path, 'changed afterwards')
    const blob = await service.db
      .selectFrom('content_blobs')
      .select('key')
      .where('sha256', '=', sha256(bytes))
      .executeTakeFirstOrThrow()
    assert.ok((await service.files.read(blob.key))?.equals(bytes))
  })
})

describe('the type of a file', () => {
  const zip = Buffer.from('504b03041400000000000000000000000000', 'hex')
  const html = Buffer.from('<!-- hello -->\n<!DOCTYPE html><script>alert(1)</script>')
  for (const [name, bytes, reason] of [
    ['film.mp4', zip, /ends in \.mp4, but the content is not an MP4 video/],
    ['book.pdf', html, /ends in \.pdf, but the content is not a PDF document \(it is text\/html\)/],
    ['book.epub', zip, /not an EPUB book/],
    ['empty.bin', Buffer.alloc(0), /is empty/],
  ] as const)
    test(`is found in the bytes, so that ${name} is refused`, async () => {
      const file = { product_id: product.product_id, name, size: bytes.length }
      const created = (await shop.post('/api/files.json', { file })).body.file
      if (bytes.length > 0) await tus(service, shop, 'PATCH', created.upload_url, { 'upload-offset': '0' }, bytes)
      else await finishLeftOver(finishing())
      const { file: refused } = (await shop.get(`/api/files/${created.id}.json`)).body
      assert.deepEqual([refused.status, refused.valid], ['refused', false])
      assert.match(refused.refusal, reason)
      assert.equal(refused.download_url, null)
      assert.deepEqual(await uploadsLeft(), [])
    })

  for (const [name, bytes, type] of [
    ['page.html', html, 'text/html'],
    ['picture.svg', Buffer.from('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>'), 'image/svg+xml'],
    ['read me', Buffer.from('Hello, Wörld\n'), 'text/plain'],
    ['install.sh', Buffer.from('#!/bin/sh\nexit 0\n'), 'text/x-shellscript'],
    ['noise.bin', Buffer.from([0, 1, 2, 3, 255, 254]), 'application/octet-stream'],
    ['song.mp3', Buffer.concat([Buffer.from('ID3'), Buffer.alloc(64)]), 'audio/mpeg'],
  ] as const)
    test(`of ${name} is ${type}`, async () => {
      assert.equal((await upload(service, shop, product, bytes, { name })).content_type, type)
    })
})

describe('a content file is refused', () => {
  for (const [what, fields, reason] of [
    ['with a path for a name', { name: '../../etc/passwd' }, 'file_name_wrong'],
    ['with a backslash in its name', { name: 'a\\b' }, 'file_name_wrong'],
    ['with a line break in its name', { name: 'a\nb' }, 'file_name_wrong'],
    ['with a name of a megabyte', { name: 'a'.repeat(1_000_000) }, 'field_too_long'],
    ['with an unknown role', { role: 'best' }, 'file_role_unknown'],
    ['for a product that is not there', { product_id: '4711' }, 'product_unknown'],
  ] as const)
    test(what, async () => {
      const file = { product_id: product.product_id, name: 'film.mp4', ...fields }
      const answer = await shop.post('/api/files.json', { file })
      assert.deepEqual([answer.status, answer.body.reason], [422, reason])
    })
})
