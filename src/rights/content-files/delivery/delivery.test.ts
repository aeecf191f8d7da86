import assert from 'node:assert/strict'
import { dirname } from 'node:path'
import { describe, test } from 'node:test'
import { request } from 'undici'
import { aLicense, aPrice, aProduct, type Wire } from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'
import { hasNginx, startNginx } from '#test/nginx.ts'
import { aBuyer, anOrder } from '#test/orders.ts'
import { mirrorAll, refund } from '#test/sales.ts'
import { someVideo, upload } from '#test/uploads.ts'

const service = useService()
const behindNginx = useService({ transfers: { accelPath: '/licet-files/' } })

type Sale = { shop: Shop; film: Wire; customer: Wire; order: Wire; entitlement: Wire }

/** A product under a license of its own. */
async function aFilmOf(shop: Shop, terms: object = {}, product: object = {}, binding: object = {}): Promise<Wire> {
  const license = await aLicense(service, shop, terms)
  const price = await aPrice(service, shop, { currencies: [{ currency: 'eur', price: 499 }] })
  const price_license_binding = [{ license_id: license.id, price_id: price.id, ...binding }]
  return aProduct(shop, { published: true, price_license_binding, ...product })
}

async function buy(shop: Shop, film: Wire, buyer?: Wire): Promise<Sale> {
  const customer = buyer ?? (await aBuyer(shop))
  const order = await anOrder(shop, customer, [{ product_id: film.product_id, quantity: 1 }])
  const { content } = (await shop.get(`/api/customers/${customer.token}/content.json`)).body
  return { shop, film, customer, order, entitlement: content.find(({ order_id }: Wire) => order_id === order.id) }
}

/** A film with one file that a customer has bought. */
async function aSale(terms: object = {}, bytes = someVideo()): Promise<Sale & { bytes: Buffer; file: Wire }> {
  const shop = await service.openShop()
  const film = await aFilmOf(shop, terms)
  const file = await upload(service, shop, film, bytes, { role: 'main_sd' })
  return { ...(await buy(shop, film)), bytes, file }
}

async function issue({ shop, entitlement }: Sale, download: object = {}): Promise<Wire> {
  const answer = await shop.post(`/api/entitlements/${entitlement.id}/download.json`, { download })
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

async function addressOf(sale: Sale, download: object = {}): Promise<string> {
  return (await issue(sale, download)).download.url
}

async function get(url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') {
  const response = await request(url, { method, headers })
  const bytes = Buffer.from(await response.body.arrayBuffer())
  return { status: response.statusCode, headers: response.headers, bytes, text: bytes.toString() }
}

async function namesOf({ shop, entitlement }: Sale): Promise<string[]> {
  const { files } = (await shop.get(`/api/entitlements/${entitlement.id}/files.json`)).body
  return files.map(({ name }: Wire) => name)
}

describe('a bought file', () => {
  test('is fetched by the address that an entitlement gives', async () => {
    const sale = await aSale()
    const { decision, download } = await issue(sale, { device: 'tv', country: 'DE' })
    assert.equal(decision.allowed, true)
    assert.deepEqual([download.file.id, download.file.sha256], [sale.file.id, sale.file.sha256])
    const { status, headers, bytes } = await get(download.url)
    assert.equal(status, 200)
    assert.ok(bytes.equals(sale.bytes))
    assert.equal(headers['content-length'], String(sale.bytes.length))
    assert.equal(headers['content-type'], 'video/mp4')
    assert.equal(headers['cache-control'], 'private, no-store')
    assert.equal(headers['x-content-type-options'], 'nosniff')
    assert.equal(headers['content-security-policy'], "default-src 'none'; sandbox")
    assert.equal(headers['content-disposition'], `attachment; filename="film.mp4"; filename*=UTF-8''film.mp4`)
    assert.equal(headers.etag, `"${sale.file.sha256}"`)
  })

  test('has a safe name whatever it is called', async () => {
    const shop = await service.openShop()
    const film = await aFilmOf(shop)
    await upload(service, shop, film, Buffer.from('x'), { name: 'Ümläut "quoted"; 100% *.bin' })
    const { headers } = await get(await addressOf(await buy(shop, film)))
    assert.equal(
      headers['content-disposition'],
      `attachment; filename="U_mla_ut _quoted_; 100_ *.bin"; filename*=UTF-8''%C3%9Cml%C3%A4ut%20%22quoted%22%3B%20100%25%20%2A.bin`,
    )
  })

  test('is counted once for each address, however often it is fetched', async () => {
    const sale = await aSale({ drm: 1, total_downloads: 1 })
    const { decision, download } = await issue(sale)
    assert.equal(decision.remaining.downloads, 0)
    for (let time = 0; time < 3; time += 1) assert.equal((await get(download.url)).status, 200)
    const refused = await issue(sale)
    assert.deepEqual([refused.decision.code, refused.download], ['downloads_used_up', null])
  })

  test('stops at once when the order is refunded', async () => {
    const sale = await aSale()
    const url = await addressOf(sale)
    assert.equal((await get(url)).status, 200)
    await refund(sale.shop, sale.order.id)
    const { status, text } = await get(url)
    assert.equal(status, 403)
    assert.match(text, /file_access_ended/)
    assert.equal((await issue(sale)).download, null)
  })

  test('stops when the license ends, before the address does', async () => {
    const sale = await aSale({ drm: 1, expire_after_first_use: 2, expire_after_first_use_mode: 0 })
    const url = await addressOf(sale)
    service.clock.advance(7201)
    assert.match((await get(url)).text, /file_access_ended/)
  })

  test('stops when its address ends', async () => {
    const sale = await aSale()
    const url = await addressOf(sale)
    service.clock.advance(6 * 3600 - 60)
    assert.equal((await get(url)).status, 200)
    service.clock.advance(61)
    const { status, text } = await get(url)
    assert.equal(status, 403)
    assert.match(text, /file_address_expired/)
  })

  test('needs the address as it was given', async () => {
    const sale = await aSale()
    const other = await aSale()
    const address = new URL(await addressOf(sale))
    const altered = (change: (url: URL) => void) => {
      const url = new URL(address)
      change(url)
      return url.href
    }
    const later = Number(address.searchParams.get('expires')) + 1
    const forged = [
      altered((url) => url.searchParams.set('expires', String(later))),
      altered((url) => url.searchParams.set('entitlement', String(other.entitlement.id))),
      altered((url) => url.searchParams.set('customer', String(other.customer.id))),
      altered((url) => url.searchParams.set('customer', '')),
      altered((url) => url.searchParams.set('signature', 'A'.repeat(43))),
      altered((url) => url.searchParams.set('signature', '')),
      altered((url) => url.searchParams.append('signature', 'x')),
      altered((url) => {
        url.pathname = url.pathname.replace(`/${sale.file.id}/`, `/${other.file.id}/`)
      }),
      altered((url) => {
        url.pathname = url.pathname.replace(`/${sale.shop.companyId}/`, `/${other.shop.companyId}/`)
      }),
    ]
    for (const url of forged) {
      const { status, text } = await get(url)
      assert.ok(status === 403 || status === 404, `${status} ${url}`)
      assert.ok(!text.includes('ftyp'), url)
    }
    assert.equal((await get(altered((url) => url.searchParams.delete('signature')))).status, 404)
    assert.equal((await get(`${service.url}/files/${sale.shop.companyId}/${sale.file.id}/film.mp4`)).status, 404)
    assert.ok(!service.log.some((line) => line.includes(address.searchParams.get('signature') ?? '')))
  })

  test('of another company or customer is not found', async () => {
    const sale = await aSale()
    const stranger = await service.openShop()
    const path = `/api/entitlements/${sale.entitlement.id}`
    assert.equal((await stranger.post(`${path}/download.json`, { download: {} })).status, 404)
    assert.equal((await stranger.get(`${path}/files.json`)).status, 404)
    const foreign = await aSale()
    const answer = await sale.shop.post(`${path}/download.json`, { download: { file_id: foreign.file.id } })
    assert.deepEqual([answer.status, answer.body.reason], [403, 'file_not_included'])
  })

  test('in HD belongs to those who bought HD', async () => {
    const shop = await service.openShop()
    const license = await aLicense(service, shop)
    const price = await aPrice(service, shop, { currencies: [{ currency: 'eur', price: 499 }] })
    const binding = { license_id: license.id, price_id: price.id }
    const price_license_binding = [
      { ...binding, hd: true },
      { ...binding, hd: false },
    ]
    const film = await aProduct(shop, { product_type: 9, published: true, price_license_binding })
    const hd = await upload(service, shop, film, someVideo(), { name: 'hd.mp4', role: 'main_hd' })
    await upload(service, shop, film, someVideo(), { name: 'sd.mp4', role: 'main_sd' })
    const buyer = await aBuyer(shop)
    const lines = (isHd: boolean) => [{ product_id: film.product_id, quantity: 1, license_id: license.id, hd: isHd }]
    const ownedAfter = async (isHd: boolean): Promise<Sale> => {
      const { body } = await shop.post('/api/orders.json', {
        order: { customer_token: buyer.token, line_items: lines(isHd) },
      })
      const { content } = (await shop.get(`/api/customers/${buyer.token}/content.json`)).body
      const entitlement = content.find(({ order_id }: Wire) => order_id === body.order.id)
      return { shop, film, customer: buyer, order: body.order, entitlement }
    }
    assert.deepEqual(await namesOf(await ownedAfter(true)), ['hd.mp4', 'sd.mp4'])
    const inSd = await ownedAfter(false)
    assert.deepEqual(await namesOf(inSd), ['sd.mp4'])
    const path = `/api/entitlements/${inSd.entitlement.id}/download.json`
    assert.equal((await shop.post(path, { download: { file_id: hd.id } })).status, 403)
  })

  test('of a mirrored product comes from its original, also after the mirror is deleted', async () => {
    const owner = await service.openShop()
    const seller = await service.openShop()
    const film = await aFilmOf(owner)
    const bytes = someVideo()
    await upload(service, owner, film, bytes)
    const [mirror] = await mirrorAll(service, owner, seller)
    assert.deepEqual((await seller.get(`/api/products/${mirror.id}.json`)).body.product.content_files, [])
    const sale = await buy(seller, mirror)
    assert.ok((await get(await addressOf(sale))).bytes.equals(bytes))
    assert.equal((await seller.delete(`/api/products/${mirror.id}.json`)).status, 200)
    assert.ok((await get(await addressOf(sale))).bytes.equals(bytes))
    assert.equal((await seller.get('/api/files.json')).body.files.length, 0)
  })
})

describe('a part of a file', () => {
  const bytes = someVideo(10_000)
  test('is sent as RFC 9110 says', async () => {
    const url = await addressOf(await aSale({}, bytes))
    const last = await get(url, { range: 'bytes=-500' })
    assert.deepEqual([last.status, last.headers['content-range']], [206, 'bytes 9500-9999/10000'])
    assert.ok(last.bytes.equals(bytes.subarray(9500)))
    const several = await get(url, { range: 'bytes=0-1,5-6' })
    assert.deepEqual([several.status, several.headers['content-range']], [200, undefined])
    assert.ok(several.bytes.equals(bytes))
    const beyond = await get(url, { range: 'bytes=10000-' })
    assert.deepEqual([beyond.status, beyond.headers['content-range']], [416, 'bytes */10000'])
    assert.equal(beyond.bytes.length, 0)
  })

  test('is sent only of the bytes that the client has a part of', async () => {
    const url = await addressOf(await aSale({}, bytes))
    const { headers } = await get(url, {}, 'HEAD')
    const range = 'bytes=0-9'
    const statusWith = async (condition: string) => (await get(url, { range, 'if-range': condition })).status
    assert.equal(await statusWith(String(headers.etag)), 206)
    assert.equal(await statusWith(String(headers['last-modified'])), 206)
    assert.equal(await statusWith('"other"'), 200)
    assert.equal(await statusWith(`W/${headers.etag}`), 200)
    assert.equal(await statusWith('Mon, 01 Jan 2001 00:00:00 GMT'), 200)
  })

  test('is not needed by a HEAD or by a client that has it all', async () => {
    const url = await addressOf(await aSale({}, bytes))
    const head = await get(url, { range: 'bytes=0-9' }, 'HEAD')
    assert.deepEqual([head.status, head.headers['content-length'], head.bytes.length], [200, '10000', 0])
    assert.equal(head.headers['accept-ranges'], 'bytes')
    const again = await get(url, { 'if-none-match': String(head.headers.etag) })
    assert.deepEqual([again.status, again.bytes.length], [304, 0])
  })
})

describe('a removed file', () => {
  test('stays with those who bought it before, and with nobody else', async () => {
    const sale = await aSale()
    await sale.shop.delete(`/api/files/${sale.file.id}.json`)
    assert.deepEqual(await namesOf(sale), ['film.mp4'])
    assert.ok((await get(await addressOf(sale))).bytes.equals(sale.bytes))
    service.clock.advance(1)
    const later = await buy(await sale.shop.asUser(sale.shop.userId), sale.film)
    assert.deepEqual(await namesOf(later), [])
    const answer = await later.shop.post(`/api/entitlements/${later.entitlement.id}/download.json`, { download: {} })
    assert.deepEqual([answer.status, answer.body.reason], [409, 'file_none_included'])
  })

  test('gives way to a newer one of its role and language', async () => {
    const sale = await aSale()
    service.clock.advance(1)
    const shop = await sale.shop.asUser(sale.shop.userId)
    await upload(service, shop, sale.film, someVideo(), { name: 'deutsch.mp4', role: 'main_sd', language: 'de' })
    await shop.delete(`/api/files/${sale.file.id}.json`)
    assert.deepEqual(await namesOf(sale), ['film.mp4', 'deutsch.mp4'])
    const newer = someVideo()
    await upload(service, shop, sale.film, newer, { name: 'remastered.mp4', role: 'main_sd' })
    assert.deepEqual(await namesOf(sale), ['deutsch.mp4', 'remastered.mp4'])
  })

  test('of an album is not replaced by the other tracks', async () => {
    const shop = await service.openShop()
    const album = await aFilmOf(shop, {}, { product_type: 5 })
    const first = await upload(service, shop, album, Buffer.from('ID3 1'), { name: '1.mp3' })
    await upload(service, shop, album, Buffer.from('ID3 2'), { name: '2.mp3' })
    const sale = await buy(shop, album)
    await shop.delete(`/api/files/${first.id}.json`)
    assert.deepEqual(await namesOf(sale), ['1.mp3', '2.mp3'])
  })

  test('stays when it is moved to another product or role', async () => {
    const sale = await aSale()
    const other = await aProduct(sale.shop)
    await sale.shop.put(`/api/files/${sale.file.id}.json`, { file: { product_id: other.product_id, role: 'trailer' } })
    assert.ok((await get(await addressOf(sale))).bytes.equals(sale.bytes))
    const { files } = (await sale.shop.get('/api/files.json')).body
    assert.deepEqual(
      files.map(({ product_id, role }: Wire) => [product_id, role]),
      [[other.product_id, 'trailer']],
    )
  })

  test('and the files of a deleted product stay with their buyers', async () => {
    const sale = await aSale()
    await sale.shop.delete(`/api/products/${sale.film.id}.json`)
    assert.equal((await sale.shop.get(`/api/files/${sale.file.id}.json`)).status, 404)
    assert.equal((await sale.shop.get('/api/files/count.json')).body.count, 0)
    assert.ok((await get(await addressOf(sale))).bytes.equals(sale.bytes))
  })
})

describe('a trailer', () => {
  test('is public, under an address that stays, and may be cached', async () => {
    const shop = await service.openShop()
    const film = await aFilmOf(shop)
    const bytes = someVideo()
    const file = await upload(service, shop, film, bytes, { role: 'trailer' })
    const { status, headers, bytes: sent } = await get(file.public_url)
    assert.equal(status, 200)
    assert.ok(sent.equals(bytes))
    assert.match(String(headers['content-disposition']), /^inline/)
    assert.equal(headers['cache-control'], 'public, max-age=86400')
    assert.equal(headers['access-control-allow-origin'], '*')
    await shop.put(`/api/files/${file.id}.json`, { file: { role: 'extra' } })
    assert.equal((await get(file.public_url)).status, 404)
  })

  test('that is a page, a drawing or a script is never shown as one', async () => {
    const shop = await service.openShop()
    const film = await aFilmOf(shop)
    const harmful = {
      'page.htm': '<html><script>alert(1)</script></html>',
      'drawing.svg': '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
      'script.js': 'alert(1)',
    }
    for (const [name, text] of Object.entries(harmful)) {
      const { public_url } = await upload(service, shop, film, Buffer.from(text), { name, role: 'preview' })
      const { headers } = await get(public_url)
      const isText = headers['content-type'] === 'text/plain; charset=utf-8'
      assert.ok(isText || headers['content-type'] === 'application/octet-stream', name)
      assert.ok(isText || /^attachment/.test(String(headers['content-disposition'])), name)
      assert.equal(headers['x-content-type-options'], 'nosniff')
      assert.match(String(headers['content-security-policy']), /sandbox/)
    }
  })
})

test('an app with the scope files fetches the bytes by download_url', async () => {
  const { shop, file, bytes } = await aSale()
  const app = await shop.withScopes('files')
  const authorization = `Bearer ${app.token}`
  const part = await get(file.download_url, { authorization, range: 'bytes=10-19' })
  assert.deepEqual([part.status, part.bytes], [206, bytes.subarray(10, 20)])
  assert.equal((await get(file.download_url)).status, 401)
  const other = await shop.withScopes('products')
  assert.equal((await get(file.download_url, { authorization: `Bearer ${other.token}` })).status, 403)
  const { file: empty } = (
    await shop.post('/api/files.json', { file: { product_id: file.product_id, name: 'a.mp4', size: 5 } })
  ).body
  assert.equal((await shop.get(`/api/files/${empty.id}/download`)).body.reason, 'file_not_ready')
})

for (const path of ['/files/1000/1/../../../secret', '/files/1000/1', '/files/a/b/c', '/files/0/0/x', '/files/1e3/1/x'])
  test(`${path} is no file`, async () => {
    assert.equal((await get(`${service.url}${path}`)).status, 404)
  })

describe('with nginx in front', { skip: hasNginx ? false : 'needs nginx' }, () => {
  test('nginx sends the file, and the service decides who gets it', async () => {
    const shop = await behindNginx.openShop()
    const film = await aProduct(shop)
    const bytes = someVideo(300_000)
    const trailer = await upload(behindNginx, shop, film, bytes, { role: 'trailer' })
    const secret = await upload(behindNginx, shop, film, bytes, { role: 'main_sd' })
    const nginx = await startNginx(behindNginx.url, dirname(behindNginx.uploadFolder))
    try {
      const through = (url: string) => url.replace(behindNginx.url, nginx.url)
      const whole = await get(through(trailer.public_url))
      assert.equal(whole.status, 200)
      assert.ok(whole.bytes.equals(bytes))
      assert.equal(whole.headers['content-type'], 'video/mp4')
      assert.match(String(whole.headers['content-disposition']), /^inline; filename="film.mp4"/)
      assert.equal(whole.headers['x-content-type-options'], 'nosniff')
      assert.equal(whole.headers['x-accel-redirect'], undefined)
      const part = await get(through(trailer.public_url), { range: 'bytes=-100' })
      assert.deepEqual([part.status, part.bytes], [206, bytes.subarray(-100)])
      assert.equal((await get(through(trailer.public_url), { range: 'bytes=400000-' })).status, 416)
      const own = await get(through(secret.download_url), { authorization: `Bearer ${shop.token}` })
      assert.ok(own.bytes.equals(bytes))
      assert.equal((await get(through(secret.download_url))).status, 401)
      const { key } = await behindNginx.db.selectFrom('content_blobs').select('key').executeTakeFirstOrThrow()
      assert.equal((await get(`${nginx.url}/licet-files/${key}`)).status, 404)
    } finally {
      await nginx.stop()
    }
  })
})
